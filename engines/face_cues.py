"""What a camera shows of a face: ``Image`` → ``FaceCue``, about four times a second.

OpenCV's Haar cascades find face, eyes and smile; image motion tells a nod. They are coarse: the
smile is judged against the same person's usual face, closed eyes only of somebody whose open eyes
are seen, and everything is smoothed over images. What a smile means is decided elsewhere.
"""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.cascades import Box, Cascades, Gray
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.types import Image

RATE_HZ: Final = 4  # images a second that the smoothing is made for; any rate works

_WIDTH_PX: Final = 180  # faces are looked for at this width; a caller's is 50-90 px wide there
_HEIGHT_PX: Final = 240  # at most, for pictures held upright
_FACE_MIN_PX: Final = 30
_NEAR: Final = 0.35  # how far around the last box is looked first, in box sizes
_MISSES: Final = 2  # images without a hit after which the face is gone: half a second
_MOTION_PX: Final = 48
_MOTION_FULL: Final = 0.1  # of the face's height between images
_SAME_SCENE: Final = 0.1  # height of the correlation's peak: 0.3-0.9 for a moving face
_KEEP: Final = 0.4  # share of the past in the smoothed cues: 70 % of a change shows at once
_SMALLEST_PX: Final = 24  # the cascades' own windows are 20-24
_LARGEST_PX: Final = 8192
# The smile cascade's evidence (count and weight of its hits) for faces of seven speakers of GRID:
# not smiling 0..2.5, with corners of the mouth drawn up by image warping 1..4, and for each
# speaker 0.8..1.8 more than that speaker's usual. Hence: against the own usual, within bounds.
_SMILE_USUAL: Final = (0.8, 2.4)
_SMILE_RISE: Final = 0.9
_SMILE_WIDTH: Final = 0.25
_SMILE_FIRST: Final = 6  # images whose mean is the first guess of the usual …
_SMILE_DRIFT: Final = (
    0.02  # … and the step of the median after them: a smile of 5 s moves it by 0.4
)
# How readily this person's open eyes are seen; below, missing eyes say nothing.
_EYES_SEEN: Final = 0.6
_EYES_DRIFT: Final = 0.05


@dataclass(frozen=True, slots=True)
class FaceCue:
    """What one image shows.

    Attributes:
        has_face: Whether there is a face; held over a single image that misses it.
        box: Its left, top, width and height in pixels of the image; None without a face.
        is_smiling: 0..1, how sure a smile is.
        eyes_closed: 0..1, how sure the eyes are closed; a blink reaches 0.5 for one image.
        yaw: Towards -0.9 in profile to the image's left, 0.9 to its right, 0 in between.
        nod: 0..1, vertical movement of the head; 1 is a tenth of its height between images.
        motion: 0..1, movement of the head in any direction, likewise.
    """

    has_face: bool = False
    box: Box | None = None
    is_smiling: float = 0.0
    eyes_closed: float = 0.0
    yaw: float = 0.0
    nod: float = 0.0
    motion: float = 0.0


class FaceCueStream:
    """One caller's face. Images may change size; each is RGB as decoded, not mirrored."""

    def __init__(self, cascades: Cascades) -> None:
        self._cascades = cascades
        self._taper = cv2.createHanningWindow((_MOTION_PX, _MOTION_PX), cv2.CV_32F)
        self._box: Box | None = None
        self._missed = 0
        self._before: Gray | None = None
        self._smile_usual = 0.0
        self._smiles = 0
        self._eyes_seen = 0.5
        self._cue = FaceCue()

    def push(self, item: Image) -> list[FaceCue]:
        """Take one image; return what it shows (always one cue).

        Raises:
            ValueError: Not (height, width, 3) uint8, or an absurd size.
        """
        _check(item)
        with self._cascades.lock:
            self._cue = self._look(item)
        return [self._cue]

    def flush(self) -> list[FaceCue]:
        """Return nothing: no image waits inside."""
        return []

    def reset(self) -> None:
        """Forget everything: afterwards the stream equals a fresh one."""
        self._box = None
        self._missed = 0
        self._before = None
        self._smile_usual = 0.0
        self._smiles = 0
        self._eyes_seen = 0.5
        self._cue = FaceCue()

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _look(self, item: Image) -> FaceCue:
        """Return what one image shows."""
        gray = _shrink(item)
        scale = item.shape[1] / gray.shape[1]
        if min(gray.shape) < _SMALLEST_PX:
            self.reset()
            return FaceCue()
        if self._before is not None and self._before.shape != gray.shape:
            self._box = None  # the camera changed; smile and eyes stay this person's
        box, turned = self._find(gray)
        nod, motion = self._movement(gray, box)
        if box is None:
            return FaceCue()
        smile, closed, yaw = self._cue.is_smiling, self._cue.eyes_closed, self._cue.yaw
        if turned is not None:
            smile, closed, yaw = 0.0, 0.0, turned
        elif not self._missed:
            detail = _cut(item, box, scale)
            smile = self._smile(detail)
            closed = self._eyes(detail)
            yaw = 0.0
        old = self._cue
        return FaceCue(
            has_face=True,
            box=_scaled(box, scale),
            is_smiling=_smooth(old.is_smiling, smile),
            eyes_closed=_smooth(old.eyes_closed, closed),
            yaw=_smooth(old.yaw, yaw),
            nod=_smooth(old.nod, nod),
            motion=_smooth(old.motion, motion),
        )

    def _find(self, gray: Gray) -> tuple[Box | None, float | None]:
        """Return the box in the small image and, for a profile, the yaw."""
        if self._box is not None:
            area, left, top = _around(gray, self._box)
            size = self._box[2]
            near = self._cascades.frontal(area, int(0.75 * size), int(1.35 * size))
            if near is not None:
                return self._hit((near[0] + left, near[1] + top, near[2], near[3])), None
        found = self._cascades.frontal(gray, _FACE_MIN_PX, min(gray.shape))
        if found is not None:
            return self._hit(found), None
        if self._box is not None:
            area, left, top = _around(gray, self._box)
            profile, yaw = self._cascades.profile(area, int(0.7 * self._box[2]))
            if profile is not None:
                box = (profile[0] + left, profile[1] + top, profile[2], profile[3])
                return self._hit(box), yaw
        self._missed += 1
        if self._missed >= _MISSES:
            self._box = None
        return self._box, None

    def _hit(self, box: Box) -> Box:
        self._box = box
        self._missed = 0
        return box

    def _movement(self, gray: Gray, box: Box | None) -> tuple[float, float]:
        """Return vertical and whole movement of what is inside the box since the last image."""
        before, self._before = self._before, gray
        if box is None or before is None or before.shape != gray.shape:
            return 0.0, 0.0
        left, top, width, height = box
        window = (slice(top, top + height), slice(left, left + width))
        size = (_MOTION_PX, _MOTION_PX)
        patches = [
            cv2.resize(picture[window], size).astype(np.float32) for picture in (before, gray)
        ]
        shift, surety = cv2.phaseCorrelate(patches[0], patches[1], self._taper)
        if not surety >= _SAME_SCENE:  # nan: flat grey; low: another scene
            return 0.0, 0.0
        across, down = (abs(float(part)) / _MOTION_PX for part in shift)
        nod = min(1.0, max(0.0, down - across) / _MOTION_FULL)
        return nod, min(1.0, math.hypot(across, down) / _MOTION_FULL)

    def _smile(self, face: Gray) -> float:
        """Judge the lower half of a (height, width) face against the person's usual."""
        evidence = self._cascades.smile(face)
        self._smiles += 1
        if self._smiles <= _SMILE_FIRST:
            self._smile_usual += (evidence - self._smile_usual) / self._smiles
        else:
            self._smile_usual += math.copysign(_SMILE_DRIFT, evidence - self._smile_usual)
        usual = min(max(self._smile_usual, _SMILE_USUAL[0]), _SMILE_USUAL[1])
        return 1 / (1 + math.exp(-(evidence - usual - _SMILE_RISE) / _SMILE_WIDTH))

    def _eyes(self, face: Gray) -> float:
        """Return how sure the eyes are closed."""
        is_seen = self._cascades.open_eyes(face) > 0
        is_usual = self._eyes_seen >= _EYES_SEEN
        self._eyes_seen += _EYES_DRIFT * (float(is_seen) - self._eyes_seen)
        return 0.0 if is_seen or not is_usual else 1.0


class FaceCueEngine:
    """Face cues for any number of callers."""

    def __init__(self) -> None:
        self._cascades = Cascades()

    @property
    def spec(self) -> EngineSpec:
        """One cue an image, without look-ahead."""
        return EngineSpec("face_cues", RATE_HZ, RATE_HZ, 1)

    def warmup(self) -> None:
        """Look at a blank image.

        It also sets OpenCV to one thread, **for the whole process** (OpenCV knows no other way):
        a second thread saves little here and takes the core that encodes the video.
        """
        cv2.setNumThreads(1)
        self.open().push(np.zeros((_WIDTH_PX, _WIDTH_PX, 3), np.uint8))

    def open(self) -> FaceCueStream:
        """Create the state of one caller."""
        return FaceCueStream(self._cascades)


def _check(image: Image) -> None:
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(
            "face_cues: expected an RGB image, uint8 of shape (height, width, 3); "
            f"got {image.dtype} {image.shape}"
        )
    if max(image.shape[:2]) > _LARGEST_PX:
        raise ValueError(
            f"face_cues: expected at most {_LARGEST_PX} pixels a side; got {image.shape}"
        )
    if min(image.shape[:2]) < 1:
        raise ValueError(f"face_cues: expected at least one pixel; got {image.shape}")


def _shrink(image: Image) -> Gray:
    """Return the image in gray, small enough to be searched in a few milliseconds."""
    height, width = image.shape[:2]
    scale = min(1.0, _WIDTH_PX / width, _HEIGHT_PX / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    gray: Gray = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    return gray


def _around(gray: Gray, box: Box) -> tuple[Gray, int, int]:
    """Return the part of the picture around a box, and its left and top."""
    left, top, width, height = box
    margin = int(_NEAR * width)
    first_x, first_y = max(0, left - margin), max(0, top - margin)
    area = gray[first_y : top + height + margin, first_x : left + width + margin]
    return area, first_x, first_y


def _cut(image: Image, box: Box, scale: float) -> Gray:
    """Return the face in gray at the image's own resolution, with the chin."""
    left, top, width, height = (round(side * scale) for side in box)
    face = image[top : top + round(1.03 * height), left : left + width]
    gray: Gray = cv2.cvtColor(face, cv2.COLOR_RGB2GRAY)
    return gray


def _scaled(box: Box, scale: float) -> Box:
    left, top, width, height = (round(side * scale) for side in box)
    return left, top, width, height


def _smooth(old: float, new: float) -> float:
    return _KEEP * old + (1 - _KEEP) * new
