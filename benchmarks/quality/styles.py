"""Style: can eight feelings in three strengths be told from a face, drawn or photographed?

A face that listens, without its head's motion, is compared with itself at rest, pixel by pixel
(``metrics.face_actions``). A nearest-centroid listener that has met other faces only names feeling
and strength; another has learnt from photographs alone and judges drawings. Neither has to do with
what makes the motion.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.metrics.agreement import Agreement, judge, leave_one_out
from rt_avatar.benchmarks.metrics.face_actions import FaceReader, Row
from rt_avatar.benchmarks.quality.group import Group, percent, progress
from rt_avatar.benchmarks.quality.take import VIEWER
from rt_avatar.benchmarks.quality.view import anatomy, landmarks
from rt_avatar.engines.motion.presence import PresenceEngine, PresenceInput
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.photo.engine import PhotoEngine
from rt_avatar.engines.photo.face_file import SIDE_PX
from rt_avatar.engines.photo.prepare import make_face
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.types import (
    EMOTIONS,
    EXPRESSION_SIZE,
    MOTION_SIZE,
    FaceStyle,
    Image,
    MotionFrame,
)
from rt_avatar.errors import BadInputError
from rt_avatar.personas import PERSONAS

_Draw = Callable[[MotionFrame], Image]
_STRENGTHS: Final = (1 / 3, 2 / 3, 1.0)
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp")
_ARRIVED: Final = 20  # frames after which a feeling is shown in full
_SHOWN, _EVERY = 3, 6  # pictures of a style, frames from one to the next; blinks miss their median
_SEED: Final = 3  # of the life that goes on beside the feeling
_LEAST: Final = 1e-4


@dataclass(frozen=True, slots=True)
class _Faces:
    """What was read of some faces: a row a style, relative to neutral, by the face's liveliness."""

    rows: Row
    labels: tuple[str, ...]
    people: tuple[str, ...]


def styles(pictures: Path | None, *, quick: bool) -> Group:
    """Return how many styles are named, of drawn faces and of photographed ones.

    Args:
        pictures: Folder of photographs, two or more; None: only drawn faces.
        quick: Whether half of the faces must do.

    Raises:
        BadInputError: A photograph shows no face that can be used, or there are too few.
    """
    photographs = [] if pictures is None else list(_photographed(pictures))
    moved = {name: frames(style) for name, style in _asked()}
    names = list(PERSONAS)[::2] if quick else list(PERSONAS)
    drawn = _read(progress(list(_drawn(names)), "drawn faces"), moved)
    found = {"drawn": (drawn, leave_one_out(drawn.rows, drawn.labels, drawn.people))}
    if photographs:
        photographed = _read(progress(photographs, "photographs"), moved)
        found["photographed"] = (
            photographed,
            leave_one_out(photographed.rows, photographed.labels, photographed.people),
        )
        found["drawn, learnt from photographs"] = (
            drawn,
            judge(photographed.rows, photographed.labels, drawn.rows, drawn.labels, drawn.people),
        )
    return _group(found)


class FaceJudge:
    """Names the feeling of a drawn face by its pixels, having met the other drawn faces only."""

    def __init__(self) -> None:
        moved = {label: frames(style) for label, style in _asked()}
        self._labels = list(moved)
        self._faces = {name: (draw, reader) for name, draw, reader in _drawn(list(PERSONAS))}
        self._seen = {
            name: _look(*self._faces[name], moved) for name in progress(list(self._faces), "faces")
        }
        self._known: dict[tuple[str, FaceStyle], str] = {}

    def name(self, persona: str, style: FaceStyle) -> str:
        """Return which of the eight feelings is seen of a persona in a style."""
        if (persona, style) not in self._known:
            self._known[persona, style] = self._name(persona, style)
        return self._known[persona, style]

    def _name(self, persona: str, style: FaceStyle) -> str:
        own = self._seen[persona]
        shown = _look(*self._faces[persona], {"": frames(style)})
        asked = (shown - own[:1]) / _liveliness(own)
        others = [_apart(seen) for name, seen in self._seen.items() if name != persona]
        named = judge(
            np.concatenate(others), self._labels * len(others), asked, ["asked"], [persona]
        )
        return named.answers[0].split()[0]


def frames(style: FaceStyle) -> list[MotionFrame]:
    """Return some (73,) frames of a face that listens in a style, its head held straight."""
    stream = PresenceEngine().open(_SEED)
    listening = PresenceInput("listening", None, style, VIEWER)
    moved = [motion for _ in range(_ARRIVED + _SHOWN * _EVERY) for motion in stream.push(listening)]
    shown = np.array(moved[_ARRIVED + _EVERY // 2 :: _EVERY])
    shown[:, EXPRESSION_SIZE:] = 0
    return list(shown)


def _asked() -> Iterator[tuple[str, FaceStyle]]:
    """Yield label and style; neutral has no strengths."""
    yield "neutral", FaceStyle("neutral", 1.0)
    for emotion in EMOTIONS[1:]:
        for strength in _STRENGTHS:
            yield f"{emotion} {strength:.2f}", FaceStyle(emotion, strength)


def _drawn(names: Sequence[str]) -> Iterator[tuple[str, _Draw, FaceReader]]:
    rig = RigEngine(SIDE_PX)
    for name in names:
        draw = rig.open(name).rgb
        points, unit = landmarks(anatomy(name))
        yield name, draw, FaceReader(draw(np.zeros(MOTION_SIZE, np.float32)), points, unit)


def _photographed(folder: Path) -> Iterator[tuple[str, _Draw, FaceReader]]:
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in _PICTURES)
    if len(files) < 2:
        raise BadInputError(f"{folder}: expected two photographs or more; got {len(files)}")
    for path in files:
        try:
            face, _, _ = make_face(path.read_bytes())
        except PortraitError as error:
            raise BadInputError(f"{path}: {error}") from error
        draw = PhotoEngine(face, SIDE_PX).open().rgb
        rest = draw(np.zeros(MOTION_SIZE, np.float32))  # with its mouth shut
        yield path.name, draw, FaceReader(rest, face.landmarks, face.landmarks.frame.unit)


def _read(
    faces: Iterable[tuple[str, _Draw, FaceReader]],
    moved: dict[str, list[MotionFrame]],
) -> _Faces:
    rows, people = [], []
    for name, draw, reader in faces:
        rows.append(_apart(_look(draw, reader, moved)))
        people += [name] * len(moved)
    labels = tuple(moved) * len(rows)
    return _Faces(np.concatenate(rows), labels, tuple(people))


def _look(draw: _Draw, reader: FaceReader, moved: dict[str, list[MotionFrame]]) -> Row:
    """Return what is seen of each style, (styles, movements)."""
    return np.array([
        np.median([reader.read(draw(motion)) for motion in motions], axis=0)
        for motions in moved.values()
    ])  # fmt: skip


def _apart(seen: Row) -> Row:
    """Return styles relative to the first, which is neutral, by the face's liveliness."""
    apart: Row = (seen - seen[:1]) / _liveliness(seen)
    return apart


def _liveliness(seen: Row) -> Row:
    """Return how much a face moves: some more than others by the same shapes, as people know."""
    moved: Row = np.sqrt(np.mean((seen - seen[:1]) ** 2, axis=0)) + _LEAST
    return moved


def _group(found: dict[str, tuple[_Faces, Agreement]]) -> Group:
    rows, figures = [], {}
    for what, (faces, named) in found.items():
        of_feeling = np.mean(
            [
                asked.split()[0] == answer.split()[0]
                for asked, answer in zip(faces.labels, named.answers, strict=True)
            ]
        )
        rows += [
            (f"style named, {what}", percent(named.accuracy),
             f"feeling alone {percent(float(of_feeling))}; guessing {percent(named.chance)}, "
             f"{len(named.answers)} items of {len(set(faces.people))} faces"),
            ("  named as another", *_confusions(named, faces.labels)),
        ]  # fmt: skip
        key = what.replace(",", "").replace(" ", "_")
        figures[f"style_{key}_percent"] = 100 * named.accuracy
        figures[f"style_{key}_feeling_percent"] = 100 * float(of_feeling)
    return Group(
        "styles",
        rows,
        figures,
        higher_is_better=list(figures),
        notes=(
            "A style is one of seven feelings in thirds of its strength, or neutral: 22 classes. "
            "It is read from the pixels of a face that listens, against its own neutral, in units "
            "of that face's liveliness. That styles differ does not say that people name them so.",
        ),
    )


def _confusions(named: Agreement, labels: Sequence[str]) -> tuple[str, str]:
    """Return the style that is most often taken for another, and the next ones."""
    wrong = sorted(
        ((times, *pair) for pair, times in named.confusion(labels).items() if pair[0] != pair[1]),
        reverse=True,
    )
    each = {label: labels.count(label) for label in named.classes}
    errors = [f"{asked} as {other} {n} of {each[asked]}" for n, asked, other in wrong[:6]]
    return (errors[0] if errors else "none"), ", ".join(errors[1:])
