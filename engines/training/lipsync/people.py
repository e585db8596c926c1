"""Tracked recordings of people: a folder of clips → ``TrackedClip``.

A folder holds ``motion.npz`` (``clips``, ``blendshapes`` (N, T, 52), ``found`` (N, T), ``lips``
(N, T, 3), ``pose`` (N, T, 3 or more): pitch, yaw and roll in degrees), ``names.json`` (the shapes'
names, 25 frames a second), ``manifest.tsv`` (``clip audio text``) and the sounds it names.
pocketsphinx finds the phones, in the pronunciations of our own text-to-phoneme network where its
dictionary has none.
"""

import csv
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from zipfile import BadZipFile

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.media_file import read_channel
from rt_avatar.engines.training.alignment import AlignmentError, align
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.phones import phone
from rt_avatar.engines.types import ARKIT, CHUNK_SAMPLES, FPS, SPEECH_RATE_HZ, Pcm

Shapes = NDArray[np.float32]
Part = Literal["train", "validation", "test"]
# A tenth each, evenly over the folder: clips of one session lie beside each other.
_PART_OF_TEN: Final[dict[int, Part]] = {0: "validation", 5: "test"}
# Inner lip gap by the distance of the outer eye corners: below it tracked lips touch.
CLOSED_GAP: Final = 0.02
_TRACKED: Final = ("clips", "blendshapes", "found", "lips", "pose")


@dataclass(frozen=True, slots=True, eq=False)
class TrackedClip:
    """What a person said and how the face moved.

    Attributes:
        name: Of the clip.
        speech: The sound at 24 kHz in whole chunks, and its phones.
        frames: Tracked pictures at 25 fps, from the sound's first sample on.
        shapes: (frames, 52) scores in the order of ``ARKIT``, 0..1.
        gap: (frames,) inner lip gap by the distance of the outer eye corners.
        pose_rad: (frames, 3) pitch, yaw and roll.
    """

    name: str
    speech: Speech
    frames: int
    shapes: NDArray[np.float32]
    gap: NDArray[np.float32]
    pose_rad: NDArray[np.float32]

    @property
    def closed(self) -> NDArray[np.bool_]:
        """(frames,) whether the lips touch."""
        return np.asarray(self.gap < CLOSED_GAP)


def read_people(folder: Path, parts: Sequence[Part], every: int = 1) -> Iterator[TrackedClip]:
    """Yield the clips of some parts whose face was found in all frames and whose words align.

    Args:
        folder: As the module's docstring describes it.
        parts: Of "train" (eight tenths), "validation" and "test" (a tenth each).
        every: 2 takes every second clip of a part, and so on.

    Raises:
        FileNotFoundError: A file is missing.
        ValueError: The files do not belong together.
    """
    tracked = _read_tracked(folder)
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = {
            row["clip"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    if set(rows) != set(tracked["clips"].tolist()):
        raise ValueError(f"{folder}: expected the same clips in manifest.tsv and motion.npz")
    for index in _indices(len(tracked["clips"]), parts)[::every]:
        row = rows[str(tracked["clips"][index])]
        if not tracked["found"][index].all():
            continue
        pcm = _read_sound(folder / row["audio"])
        try:
            speech = with_phones(pcm, row["text"])
        except AlignmentError:
            continue
        yield TrackedClip(
            row["clip"],
            speech,
            tracked["found"].shape[1],
            tracked["blendshapes"][index],
            tracked["lips"][index, :, 0].astype(np.float32),
            tracked["pose_rad"][index],
        )


def read_shapes(folder: Path, part: Part) -> list[tuple[Shapes, Shapes]]:
    """Return (frames, 52) scores and (frames, 3) radians of a part's clips, without their sound.

    Raises:
        FileNotFoundError: A file is missing.
        ValueError: The files do not belong together, or no face was found.
    """
    tracked = _read_tracked(folder)
    clips = [
        (tracked["blendshapes"][index], tracked["pose_rad"][index])
        for index in _indices(len(tracked["clips"]), (part,))
        if tracked["found"][index].all()
    ]
    if not clips:
        raise ValueError(f"{folder}: expected clips with a face in all frames; got none")
    return clips


def _read_tracked(folder: Path) -> dict[str, NDArray[Any]]:
    """Return ``motion.npz``, its shapes in the order of ``ARKIT``, and poses as ``pose_rad``."""
    for name in ("names.json", "motion.npz"):
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"{folder / name}: expected a tracked recording's file; got none. "
                f"{folder} holds names.json and motion.npz of one that was tracked"
            )
    try:
        names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
        shapes, fps = list(names["blendshapes"]), names["fps"]
        with np.load(folder / "motion.npz") as stored:
            tracked = {name: stored[name] for name in _TRACKED}
    except (ValueError, LookupError, TypeError, EOFError, zlib.error, BadZipFile) as error:
        raise ValueError(
            f"{folder}: expected names.json and motion.npz of a tracked recording; got {error}. "
            "Copy them again"
        ) from error
    if sorted(shapes) != sorted(ARKIT) or fps != FPS:
        raise ValueError(
            f"{folder / 'names.json'}: expected ARKit's {len(ARKIT)} shapes at {FPS} fps; "
            f"got {len(shapes)} at {fps}"
        )
    order = [shapes.index(name) for name in ARKIT]
    tracked["blendshapes"] = tracked["blendshapes"][..., order].astype(np.float32)
    tracked["pose_rad"] = np.radians(tracked["pose"][..., :3]).astype(np.float32)
    return tracked


def _indices(clips: int, parts: Sequence[Part]) -> list[int]:
    return [index for index in range(clips) if _PART_OF_TEN.get(index % 10, "train") in parts]


def with_phones(pcm: Pcm, text: str) -> Speech:
    """Return sound at 24 kHz, filled up to whole chunks, with the phones of its text.

    Raises:
        AlignmentError: The text does not align with the sound.
    """
    found = align(pcm, text)
    phonemes = tuple(
        phone(one.name, round(one.start_s * SPEECH_RATE_HZ), round(one.end_s * SPEECH_RATE_HZ))
        for one in found.phones
        if one.name and one.end_s > one.start_s
    )
    whole = np.zeros(-(-len(pcm) // CHUNK_SAMPLES) * CHUNK_SAMPLES, np.float32)
    whole[: len(pcm)] = pcm
    return Speech(whole, phonemes)


def _read_sound(path: Path) -> Pcm:
    """Return a file's first channel at 24 kHz."""
    sound, rate_hz = read_channel(path)
    pcm: Pcm = soxr.resample(sound, rate_hz, SPEECH_RATE_HZ)
    return pcm
