"""The skin between the features: blush, cheekbones, sockets, freckles, rim light."""

import random
from typing import Final

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import CHIN, Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import SKINS, rgb

# Clusters of spots: x, y, spread, count.
_FRECKLES: Final = ((40, 34, 15, 16), (-40, 34, 15, 16), (0, 28, 8, 8))
_AGE_SPOTS: Final = ((-66, 30, 12, 3), (64, 34, 12, 3), (-40, -70, 14, 3), (46, -66, 14, 3))


class Cheeks:
    """Soft light and colour on the face of one look. Draws in head pixels, clipped to the face."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        self._skin = SKINS[look.skin]
        self._anatomy = anatomy
        self._rim = rgb(look.rim)
        self._rim_strength = 1.3 if look.skin > 3 else 1.0
        self._is_old = look.age == "elderly"
        strength = 1.25 if look.age == "child" else 1.0 if look.gender == "female" else 0.55
        # Blush shows most on the lightest skin, and an old one has less.
        self._blush = strength * (0.78 if look.skin == 1 else 1.0) * (0.75 if self._is_old else 1.0)
        self._freckle_alpha = 0.24 if self._is_old else 0.5
        spots = _FRECKLES if look.freckles else _AGE_SPOTS if self._is_old else ()
        size = (0.9, 2.3) if self._is_old else (0.7, 1.5)
        dice = random.Random(1)
        self._freckles = [
            (dice.gauss(x, spread), dice.gauss(y, 9), dice.uniform(*size))
            for x, y, spread, count in spots
            for _ in range(count)
        ]

    def draw(self, frame: Frame) -> None:
        """Draw cheeks, forehead light, chin light and freckles."""
        brush, skin, face, on = frame.brush, self._skin, frame.face, frame.space.on_face
        eye = self._anatomy.eye[0]
        for side in SIDES:
            smile = face.smile[side] + 0.5 * face.cheek_squint[side]
            y = self._anatomy.nose - 8 - 5 * smile
            brush.stamp(
                skin.blush, on(side * (eye + 14), y), 34, 25, (0.30 + 0.22 * smile) * self._blush
            )
            lit = (0.34 if side < 0 else 0.16) + 0.18 * smile
            bone = on(side * (eye + 8) - 3, y - 11 - 2 * smile)
            brush.stamp(skin.light, bone, 22, 10 + 3 * smile, lit)
            brush.stamp(skin.light, on(side * 62, 50), 30, 26, 0.55 * face.cheek_puff)
            if smile > 0.2:  # the apple of the cheek throws a soft shadow
                brush.stamp(skin.warm, on(side * (eye + 10), y + 25), 28, 11, 0.22 * smile)
        for x, y, radius in self._freckles:
            brush.dot(on(x, y), radius, skin.warm, self._freckle_alpha)
        brush.stamp(skin.light, on(-8, -64), 46, 22, 0.40)
        chin = on(-4, 110)[0], frame.contour[CHIN][1] - 14
        forward = face.jaw_forward
        brush.stamp(skin.light, chin, 18 + 5 * forward, 11 + 3 * forward, 0.42 + 0.3 * forward)

    def draw_sockets(self, frame: Frame) -> None:
        """Draw the hollows around the eyes."""
        brush, skin, on = frame.brush, self._skin, frame.space.on_face
        x, y = self._anatomy.eye
        below = 0.34 if self._is_old else 0.20
        for side in SIDES:
            brush.stamp(skin.warm, on(side * (x - 2), y - 10), 35, 21, 0.42)
            brush.stamp(skin.shade, on(side * (x - 18), y - 9), 15, 18, 0.42)
            brush.stamp(skin.shade, on(side * x, y + 13), 25, 8, below)

    def draw_rim(self, frame: Frame) -> None:
        """Draw the backdrop's light along the shaded contour."""
        contour = frame.contour[2:9]
        for width, alpha in ((15, 0.16), (6, 0.24)):
            frame.brush.taper(contour, width, self._rim, alpha * self._rim_strength)
