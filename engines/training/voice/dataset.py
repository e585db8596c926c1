"""Features of all utterances in memory, with repaired pitch and a filled band above 8 kHz.

Readers recorded at 16 kHz have nothing above 8 kHz. Their mels are filled there by what the others
teach (linear regression of the upper bands on the lower, frame by frame), so that the generator
sees one kind of mel; the losses leave these bands out.
"""

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.styletts2.spectrum import energy
from rt_avatar.engines.training.voice.corpora import CORPORA, Recording, read_corpora
from rt_avatar.engines.training.voice.features import Features
from rt_avatar.engines.training.voice.prepare import features_path

_log = logging.getLogger(__name__)
FULL_BAND_HZ: Final = 8_000
LOW_BANDS: Final = 66  # of 80 end below 7.6 kHz
_FIT_FRAMES: Final = 60_000
# Voiced throughout, so that a gap of the pitch tracker can be told.
_VOICED: Final = (
    "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW",
    "L", "M", "N", "NG", "R", "W", "Y",
)  # fmt: skip
_GAP_FRAMES: Final = 6

Floats = NDArray[np.float32]


@dataclass(slots=True)
class Utterance:
    """One utterance of the training.

    Attributes:
        recording: What it is of.
        features: As prepared.
        speaker: Index of the speaker.
        mel: (T, 80) float16, filled above the recording's band.
        pitch: (T,) F0 in Hz, short gaps within voiced phones closed.
        energy: (T,) the ln of the norm of each frame's power.
    """

    recording: Recording
    features: Features
    speaker: int
    mel: NDArray[np.float16]
    pitch: Floats
    energy: Floats

    @property
    def is_full_band(self) -> bool:
        """Whether it was recorded above 16 kHz."""
        return self.features.top_hz > FULL_BAND_HZ


@dataclass(frozen=True, slots=True)
class Speaker:
    """What is known of a reader: ``pitch`` and ``spread`` are mean and deviation of ln F0."""

    name: str
    sex: str
    pitch: float
    spread: float
    energy: float
    energy_spread: float


@dataclass(frozen=True, slots=True)
class Dataset:
    """All utterances, apart by whether their sentences are held out."""

    training: list[Utterance]
    held_out: list[Utterance]
    speakers: tuple[Speaker, ...]

    @property
    def unheard(self) -> list[str]:
        """The speakers without a recording, whose pitch is not known."""
        heard = {one.recording.speaker for one in (*self.training, *self.held_out)}
        return [one.name for one in self.speakers if one.name not in heard]


def load_dataset(
    data: Path, work: Path, corpora: tuple[str, ...] = CORPORA, begin: Path | None = None
) -> Dataset:
    """Load what is prepared.

    Args:
        data: Folder that holds ``speech/<corpus>``.
        work: Folder of the features.
        corpora: Which of them.
        begin: Exported weights that are begun from: their speakers keep their codes.

    Raises:
        FileExistsError: ``work`` has other codes for their speakers.
        FileNotFoundError: Nothing is prepared.
    """
    recordings = read_corpora(data, corpora)
    everybody = _known_speakers(work / "speakers.json", [one.speaker for one in recordings], begin)
    utterances = []
    for recording in recordings:
        path = features_path(work, recording)
        if not path.exists():
            continue
        features = Features.load(path)
        pitch = _close_gaps(features)
        mel = features.mel.astype(np.float32).T
        utterances.append(
            Utterance(
                recording,
                features,
                everybody.index(recording.speaker),
                features.mel,
                pitch,
                energy(mel[:LOW_BANDS]),
            )
        )
    if not utterances:
        raise FileNotFoundError(f"{work}: expected prepared features; run `prepare` first")
    _fill_upper_bands(utterances)
    speakers = tuple(_speaker(name, utterances) for name in everybody)
    minutes = sum(len(one.mel) for one in utterances) / 80 / 60
    _log.info("%d utterances, %.0f min", len(utterances), minutes)
    return Dataset(
        [one for one in utterances if not one.recording.held_out],
        [one for one in utterances if one.recording.held_out],
        speakers,
    )


def _known_speakers(path: Path, names: list[str], begin: Path | None) -> list[str]:
    """Return all speakers in the order of their codes; new ones are added behind and kept."""
    known: list[str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    first: list[str] = []
    if begin is not None:
        with np.load(begin / "speakers.npz") as exported:
            first = exported["names"].tolist()
    if known[: len(first)] != first[: len(known)]:
        raise FileExistsError(
            f"{path}: expected speakers in the order of {begin}: {', '.join(first)}; got "
            f"{', '.join(known)}. Name another --work"
        )
    everybody = list(dict.fromkeys([*known, *first, *names]))
    if everybody != known:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(everybody), encoding="utf-8")
    return everybody


def _close_gaps(features: Features) -> Floats:
    """Interpolate F0 over short unvoiced stretches that lie within voiced phones."""
    pitch = features.pitch.copy()
    voiced_phone = np.repeat(np.isin(features.phones, _VOICED), features.frames)
    gap = (pitch <= 0) & voiced_phone
    edges = np.flatnonzero(np.diff(np.concatenate([[0], gap.astype(np.int8), [0]])))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if end - start > _GAP_FRAMES or start == 0 or end == len(pitch):
            continue
        before, after = pitch[start - 1], pitch[end]
        if before > 0 and after > 0:
            share = np.arange(1, end - start + 1) / (end - start + 1)
            pitch[start:end] = before ** (1 - share) * after**share
    return pitch


def _fill_upper_bands(utterances: list[Utterance]) -> None:
    """Fill the bands above 7.6 kHz of those who lack them, at the mean level of the others."""
    full = [one.mel for one in utterances if one.is_full_band]
    narrow = [one for one in utterances if not one.is_full_band]
    if not narrow or not full:
        return
    rows = np.concatenate(full)
    rows = rows[:: max(1, len(rows) // _FIT_FRAMES)].astype(np.float64)
    low = np.concatenate([rows[:, :LOW_BANDS], np.ones((len(rows), 1))], axis=1)
    gram = low.T @ low + 1e-3 * len(low) * np.eye(low.shape[1])
    weights = np.linalg.solve(gram, low.T @ rows[:, LOW_BANDS:])
    floor, ceil = rows[:, LOW_BANDS:].min(axis=0), rows[:, LOW_BANDS:].max(axis=0)
    for one in narrow:
        mel = one.mel.astype(np.float64)
        guess = np.concatenate([mel[:, :LOW_BANDS], np.ones((len(mel), 1))], axis=1) @ weights
        mel[:, LOW_BANDS:] = np.clip(guess, floor, ceil)
        one.mel = mel.astype(np.float16)


def _speaker(name: str, utterances: list[Utterance]) -> Speaker:
    own = [one for one in utterances if one.recording.speaker == name]
    if not own:
        return Speaker(name, "F", 5.2, 0.2, 0.0, 1.0)
    pitch = np.concatenate([one.pitch for one in own])
    logs = np.log(pitch[pitch > 0])
    sounding = np.concatenate(
        [one.energy[np.repeat(one.features.word_of >= 0, one.features.frames)] for one in own]
    )
    return Speaker(
        name,
        own[0].recording.sex,
        float(logs.mean()),
        float(logs.std()),
        float(sounding.mean()),
        float(sounding.std()),
    )
