"""The network's face beside the warp's: a look that neither was made of, against its own drawing.

The look that the renderer's training holds out speaks; the rig draws it, the network and the
photograph renderer move its picture at rest. All three give pictures of 256 pixels.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np

from rt_avatar.benchmarks.metrics.image import Luma, cpbd, ssim
from rt_avatar.benchmarks.quality.group import Group, progress
from rt_avatar.benchmarks.quality.take import Studio, Take
from rt_avatar.benchmarks.quality.view import FACE, cut
from rt_avatar.engines.contract import Stream
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.engine import PhotoEngine
from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.rig.engine import RigEngine, draw_portrait
from rt_avatar.engines.runtimes import RuntimeRunError, RuntimeUnavailableError
from rt_avatar.engines.types import I420, MOTION_SIZE, Emotion, Image, MotionFrame
from rt_avatar.errors import SetupError

_Face: TypeAlias = Stream[MotionFrame, I420]

LOOK: Final = "mei"  # that ``engines.training.face.looks`` holds out
_SIZE_PX: Final = 256
_TEXTS: Final = (
    "I had hoped that you would call, and now I am glad to hear all about it.",
    "Maybe my mother bought a big pumpkin pie for Bob and me.",
    "That must have been very hard for you, and I am sorry.",
)
_FEELINGS: Final[tuple[Emotion, ...]] = ("neutral", "happy", "sad", "surprised")
_EVERY: Final = 4  # pictures of a take that are compared; all are drawn
METHODS: Final = ("network", "warp", "unmoved")


def face(studio: Studio, makers: Mapping[str, Callable[[], _Face]], *, quick: bool) -> Group:
    """Return likeness, sharpness and cost of the network's face and of the warp's.

    Args:
        studio: Who lets the look speak.
        makers: As of ``methods``.
        quick: Whether one sentence must do.
    """
    texts = _TEXTS[:1] if quick else _TEXTS
    takes = [studio.say(LOOK, text, one) for text in texts for one in _FEELINGS]
    found: dict[str, dict[str, list[float]]] = {
        name: {"whole": [], "part": [], "sharp": [], "ms": []} for name in (*METHODS, "drawn")
    }
    still = drawn_at_rest()
    for take in progress(takes, "faces"):
        drawn, found_ms = film(makers["drawn"](), take)
        found["drawn"]["ms"] += found_ms
        for name in METHODS:
            if name == "unmoved":
                pictures, took = [still] * len(drawn), [0.0]
            else:
                pictures, took = film(makers[name](), take)
            _compare(found[name], take, pictures, drawn)
            found[name]["ms"] += took
        found["drawn"]["sharp"] += [cpbd(_luma(one)) for one in drawn[::_EVERY]]
    return _group({name: _means(one) for name, one in found.items()})


def film(stream: _Face, take: Take) -> tuple[list[I420], list[float]]:
    """Return the pictures of a take, and the processor's milliseconds for each."""
    pictures, took = [], []
    for motion in take.motion:
        before = time.thread_time()
        pictures += stream.push(motion)
        took.append(1e3 * (time.thread_time() - before))
    return pictures, took


def drawn_at_rest() -> I420:
    """Return the look's picture at rest."""
    (picture,) = RigEngine(_SIZE_PX).open(LOOK).push(np.zeros(MOTION_SIZE, np.float32))
    return picture


def methods(folder: Path) -> dict[str, Callable[[], _Face]]:
    """Return what opens a stream of the look: "drawn", "network" (exported there) and "warp".

    Raises:
        SetupError: There is no export.
    """
    rig = RigEngine(_SIZE_PX)
    picture = draw_portrait(LOOK, SIDE_PX)
    warp = PhotoEngine(FaceFile(picture, find_landmarks(picture), ""), _SIZE_PX)
    return {"drawn": lambda: rig.open(LOOK), "network": _network(folder), "warp": warp.open}


def _network(folder: Path) -> Callable[[], _Face]:
    try:
        engines = EmpatheiaEngines.load(folder.expanduser(), "nano")
    except (ValueError, RuntimeUnavailableError, RuntimeRunError, OSError) as error:
        raise SetupError(f"--engines: {error}") from error

    def portrait_of(look: str) -> Image:
        px = engines.manifest.face_px
        return draw_portrait(look, px)

    live = LiveFace(engines, _SIZE_PX, portrait_of)
    return lambda: live.open(LOOK)


def _compare(
    found: dict[str, list[float]], take: Take, pictures: list[I420], drawn: list[I420]
) -> None:
    for index in range(0, len(drawn), _EVERY):
        ours, theirs = _luma(pictures[index]), _luma(drawn[index])
        found["whole"].append(ssim(ours, theirs))
        motion = take.motion[index]
        found["part"].append(ssim(_part(ours, motion), _part(theirs, motion)))
        found["sharp"].append(cpbd(ours))


def _luma(picture: I420) -> Luma:
    """Return luminance 0..255 of a picture of a call, whose range is 16..235."""
    luma: Luma = (picture[: picture.shape[1]].astype(np.float64) - 16) * (255 / 219)
    return luma


def _part(luma: Luma, motion: MotionFrame) -> Luma:
    """Return brows to chin, the head upright."""
    picture = cv2.merge([np.clip(luma, 0, 255).astype(np.uint8)] * 3)
    return cut(picture, motion, FACE)[..., 0].astype(np.float64)


def _means(found: dict[str, list[float]]) -> dict[str, float]:
    means = {key: float(np.mean(values)) for key, values in found.items() if values}
    return means | {"ms": float(np.median(found["ms"]))}


def _group(means: dict[str, dict[str, float]]) -> Group:
    share = {name: means[name]["sharp"] / means["drawn"]["sharp"] for name in METHODS}

    def of_each(of: Callable[[str], float], digits: int = 3) -> str:
        return " / ".join(f"{of(name):.{digits}f}" for name in METHODS)

    drawn_ms = means["drawn"]["ms"]
    rows = [
        ("likeness (SSIM) to the drawing", of_each(lambda name: means[name]["whole"]),
         "network / warp / a picture that nobody moves; 1 is the same"),
        ("… brows to chin alone", of_each(lambda name: means[name]["part"]), "the head upright"),
        ("sharpness (CPBD) against the drawing's", of_each(lambda name: share[name], 2),
         f"as shares of {means['drawn']['sharp']:.3f}"),
        ("processor time a picture of 256 px",
         f"{means['network']['ms']:.1f} / {means['warp']['ms']:.1f} ms",
         f"one thread, median; the drawing itself {drawn_ms:.1f} ms"),
    ]  # fmt: skip
    figures = {
        f"face_{name}_{key}": value
        for name in ("network", "warp")
        for key, value in (
            ("ssim", means[name]["whole"]),
            ("ssim_face", means[name]["part"]),
            ("cpbd_share", share[name]),
            ("ms", means[name]["ms"]),
        )
    }
    return Group(
        "face",
        rows,
        figures,
        higher_is_better=[key for key in figures if not key.endswith("_ms")],
        notes=(
            f"The face is {LOOK}, whom the network's training never showed, nor her age and "
            "gender, nor her haircut; both move her picture at rest.",
        ),
    )
