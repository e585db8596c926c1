"""Portrait: one look, drawn top to bottom in the order of its layers.

``MotionFrame -> picture``. The same motion gives the same picture, so streams share it. Its canvas
is its own: one thread at a time.
"""

from rt_avatar.engines.rig.anatomy import anatomy_of
from rt_avatar.engines.rig.baked import SKIN_LEFT, SKIN_TOP, bake_backdrop, bake_skin
from rt_avatar.engines.rig.beard import Beard
from rt_avatar.engines.rig.behind import Behind
from rt_avatar.engines.rig.brows import Brows
from rt_avatar.engines.rig.cheeks import Cheeks
from rt_avatar.engines.rig.decal import Canvas, image_of
from rt_avatar.engines.rig.ears import Ears
from rt_avatar.engines.rig.expression import read_expression
from rt_avatar.engines.rig.eyes import Eyes
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.glasses import Glasses
from rt_avatar.engines.rig.hair import Hair
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.mouth import Mouth
from rt_avatar.engines.rig.neck import Neck
from rt_avatar.engines.rig.nose import Nose
from rt_avatar.engines.rig.palette import SKINS, rgb
from rt_avatar.engines.rig.projection import HEAD_SCALE, LAYOUT_PX, Projection, pose_of
from rt_avatar.engines.rig.wrinkles import Wrinkles
from rt_avatar.engines.types import MotionFrame

# The light on the skin follows this share of the features' own movement: it stays in the room.
LIGHT_FOLLOWS = 0.35


class Portrait:
    """One look, baked for one size.

    Attributes:
        canvas: Where ``draw`` leaves the picture.
    """

    def __init__(self, look: Look, size_px: int) -> None:
        anatomy = anatomy_of(look.age, look.gender)
        self._anatomy = anatomy
        self.canvas = Canvas(size_px)
        self._skin = image_of(bake_skin(SKINS[look.skin], HEAD_SCALE * size_px / LAYOUT_PX), True)
        self._hair = Hair(look, size_px)
        self._neck = Neck(look, anatomy, size_px)
        self._ears = Ears(look, anatomy)
        near, far, glow = look.backdrop
        backdrop = bake_backdrop((rgb(near), rgb(far), rgb(glow)), size_px)
        self._behind = Behind(backdrop, anatomy, self._hair, self._neck, self._ears)
        self._cheeks = Cheeks(look, anatomy)
        self._nose = Nose(look, anatomy)
        self._wrinkles = Wrinkles(look, anatomy)
        self._beard = Beard(look, anatomy, size_px)
        self._mouth = Mouth(look, anatomy)
        self._eyes = Eyes(look, anatomy)
        self._brows = Brows(look, anatomy)
        self._glasses = Glasses(look, anatomy)

    def draw(self, motion: MotionFrame) -> None:
        """Draw one checked frame of motion onto ``canvas``."""
        pen, pose, face = self.canvas.skia, pose_of(motion), read_expression(motion)
        neck = self._behind.cover(self.canvas, pose)
        frame = Frame(self.canvas, Projection(pose), face, self._anatomy)
        self._hair.pose(frame)
        pen.save()
        pen.scale(frame.unit, frame.unit)
        self._neck.dress(frame, neck)
        frame.enter_head()
        self._hair.draw_on_shoulders(frame)
        self._draw_skin(frame)
        with frame.brush.clipped(frame.skin_path, is_smooth=False):
            self._cheeks.draw(frame)
            self._nose.draw(frame)
            self._wrinkles.draw(frame)
            self._beard.draw(frame)
            self._cheeks.draw_sockets(frame)
        with frame.brush.clipped(frame.skin_path):
            self._hair.draw_shadow(frame)
            self._cheeks.draw_rim(frame)
        self._mouth.draw(frame)
        self._eyes.draw(frame)
        self._brows.draw(frame)
        self._glasses.draw(frame)
        self._hair.draw_front(frame)
        self._ears.draw_earrings(frame)
        frame.leave_head()
        pen.restore()

    def _draw_skin(self, frame: Frame) -> None:
        x, y = frame.space.upright(0, 20, 80)
        down = LIGHT_FOLLOWS * (y - 20) + 6 * frame.face.jaw_open
        left, top = frame.place(SKIN_LEFT + LIGHT_FOLLOWS * x, SKIN_TOP + down)
        self.canvas.fill_still(frame.to_canvas(frame.skin_path), self._skin, left, top)
