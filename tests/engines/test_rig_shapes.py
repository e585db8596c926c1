"""What the blendshapes do to the picture: all of them, each on its own side."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rt_avatar.engines.rig import RigEngine
from rt_avatar.engines.rig.anatomy import anatomy_of
from rt_avatar.engines.rig.expression import read_expression
from rt_avatar.engines.rig.lips import CLOSED_GAP, lip_shape
from rt_avatar.engines.rig.projection import Pose, Projection
from rt_avatar.engines.types import ARKIT, BLENDSHAPE, MOTION_SIZE, MotionFrame

pytestmark = pytest.mark.unit

SIZE_PX = 512
Luma = NDArray[np.int16]
Draw = Callable[..., Luma]
# These four move a whole part to a side; they are not a side's own shape.
MOVES = {"jawLeft", "jawRight", "mouthLeft", "mouthRight"}
SIDED = [name for name in ARKIT if name.endswith(("Left", "Right")) and name not in MOVES]
MOUTH = (slice(300, 430), slice(196, 316))


def motion_of(**weights: float) -> MotionFrame:
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, weight in weights.items():
        motion[BLENDSHAPE[name]] = weight
    return motion


@pytest.fixture(scope="module")
def draw(rig_512: RigEngine) -> Draw:
    """Draw a face with these weights; what was drawn once is not drawn again."""
    stream = rig_512.open("ava")

    @cache
    def drawn(**weights: float) -> Luma:
        luma = stream.push(motion_of(**weights))[0][:SIZE_PX].astype(np.int16)
        luma.flags.writeable = False
        return luma

    return drawn


@pytest.mark.parametrize("name", ARKIT)
def test_every_shape_shows_alone(draw: Draw, name: str) -> None:
    changed = np.abs(draw(**{name: 1.0}) - draw()) > 8
    assert changed.sum() > 40


@pytest.mark.parametrize("name", SIDED)
def test_a_sides_shape_changes_mainly_its_side(draw: Draw, name: str) -> None:
    change = np.abs(draw(**{name: 1.0}) - draw()).astype(float)
    viewers_right = change[:, SIZE_PX // 2 :].sum()
    own = viewers_right if name.endswith("Left") else change.sum() - viewers_right
    assert own > 2 / 3 * change.sum()


@pytest.mark.parametrize(("left", "right"), [("mouthLeft", "mouthRight"), ("jawLeft", "jawRight")])
def test_sideways_shapes_move_the_mouth_to_their_side(draw: Draw, left: str, right: str) -> None:
    def middle(name: str) -> float:
        dark = draw(jawOpen=0.5, **{name: 1.0})[MOUTH] < 50
        return float(np.nonzero(dark)[1].mean())

    assert middle(left) > middle(right) + 5


def test_the_mouth_opens_further_with_every_step_of_the_jaw(draw: Draw) -> None:
    area = [int((draw(jawOpen=step / 8)[MOUTH] < 50).sum()) for step in range(9)]
    assert area[0] == 0
    assert all(after > before for before, after in pairwise(area))
    assert area[-1] > 900


@pytest.mark.parametrize(
    "weights",
    [
        {},
        {"mouthClose": 1.0},
        {"mouthPressLeft": 1.0, "mouthPressRight": 1.0},
        {"mouthRollUpper": 0.5, "mouthRollLower": 0.5},
        {"mouthShrugLower": 1.0},
        {"mouthSmileLeft": 1.0, "mouthSmileRight": 0.3},
        {"jawOpen": 0.1, "mouthClose": 1.0},
    ],
)
def test_lips_stay_closed(draw: Draw, weights: dict[str, float]) -> None:
    face = read_expression(motion_of(**weights))
    shape, _ = lip_shape(face, anatomy_of("young", "female"), Projection(Pose()))
    assert shape.open <= CLOSED_GAP
    assert (draw(**weights)[MOUTH] < 50).sum() == 0


def test_blinking_hides_the_iris(draw: Draw) -> None:
    eye = (slice(230, 270), slice(185, 230))
    assert (draw()[eye] < 40).sum() > 50
    # Only the line of the lashes is left.
    assert (draw(eyeBlinkRight=1.0)[eye] < 40).sum() < 0.5 * (draw()[eye] < 40).sum()


def test_the_iris_follows_the_gaze(draw: Draw) -> None:
    box = (slice(228, 275), slice(280, 330))  # the person's left eye

    def pupil(**weights: float) -> tuple[float, float]:
        rows, columns = np.nonzero(draw(**weights)[box] < 30)
        return float(rows.mean()), float(columns.mean())

    assert pupil(eyeLookOutLeft=0.7)[1] > pupil()[1] + 2 > pupil(eyeLookInLeft=0.7)[1] + 4
    assert pupil(eyeLookDownLeft=0.7)[0] > pupil()[0] + 2


def test_rest_is_a_hint_of_a_smile_that_gives_way(draw: Draw) -> None:
    rest = read_expression(motion_of())
    assert 0.1 < rest.smile[0] < 0.3
    sad = read_expression(motion_of(mouthFrownLeft=0.8, mouthFrownRight=0.8))
    assert sad.smile[0] == 0
    assert read_expression(motion_of(mouthSmileLeft=1.0)).smile[1] <= 1


def test_luma_is_what_the_eye_sees(draw: Draw, rig_512: RigEngine) -> None:
    stream = rig_512.open("ava")
    grey = cv2.cvtColor(stream.rgb(motion_of()), cv2.COLOR_RGB2GRAY).astype(float)
    assert np.corrcoef(grey.ravel(), draw().ravel())[0, 1] > 0.999


@pytest.mark.parametrize(
    "name", ["jawOpen", "tongueOut", "mouthShrugLower", "mouthSmileLeft", "mouthLowerDownRight"]
)
@pytest.mark.parametrize("jaw", [0.0, 0.3])
def test_a_shape_that_grows_slowly_moves_the_picture_without_pops(
    draw: Draw, name: str, jaw: float
) -> None:
    frames = [draw(**{"jawOpen": jaw, name: step / 30}) for step in range(31)]
    steps = [int(np.abs(b - a).sum()) for a, b in pairwise(frames)]
    assert max(steps) < 4 * np.mean(steps)
