"""Utterances for the microphone of a benchmark: recordings from a folder, else made on the spot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from benchmarks.caller_media import read_wav
from engines.espeak import EspeakEngine, SpeechRequest
from engines.types import SPEECH_RATE_HZ, WIRE_RATE_HZ, VoiceStyle

WINDOW: Final = 480  # 10 ms at 48 kHz
NEIGHBOURS: Final = 10
MOSTLY: Final = 0.6
VOICED_DB: Final = 25.0  # below that it is breath, room and clicks

SENTENCES: Final = (
    "I had a very long day and nothing worked the way I wanted.",
    "My sister is getting married next month.",
    "I am a little afraid of the exam tomorrow.",
    "We walked along the river until it got dark.",
    "Nobody called me on my birthday.",
)


@dataclass(frozen=True, slots=True)
class Utterance:
    """``pcm`` (samples,) int16 at 48 kHz that begins and ends with voice."""

    name: str
    pcm: NDArray[np.int16]


def load_utterances(folder: Path | None) -> list[Utterance]:
    """Read all WAV files of a folder, or speak the built-in sentences with a synthetic voice."""
    if folder is not None:
        files = sorted(folder.glob("*.wav"))
        if not files:
            raise FileNotFoundError(f"{folder}: expected WAV files (16 bit mono), found none")
        return [Utterance(file.stem, trim(read_wav(file))) for file in files]
    stream = EspeakEngine().open("middle_male")
    made = []
    for index, text in enumerate(SENTENCES):
        atoms = stream.push(SpeechRequest(text, VoiceStyle(), 0)) + stream.flush()
        pcm = np.concatenate([atom.pcm for atom in atoms])
        wide = soxr.resample(pcm, SPEECH_RATE_HZ, WIRE_RATE_HZ)
        made.append(Utterance(f"made-{index}", trim((wide * 32767).astype(np.int16))))
    return made


def trim(pcm: NDArray[np.int16]) -> NDArray[np.int16]:
    """Cut what is not voice at both ends: clicks, breath and room.

    Voice are windows of 10 ms within 25 dB of the loudest, most of whose neighbours are voice too.
    """
    windows = pcm[: len(pcm) // WINDOW * WINDOW].reshape(-1, WINDOW).astype(np.float64)
    level_db = 10 * np.log10(np.mean(windows**2, axis=1) + 1e-9)
    is_loud = level_db > level_db.max() - VOICED_DB
    density = np.convolve(is_loud, np.ones(NEIGHBOURS) / NEIGHBOURS, mode="full")
    # Ends: the next (or last) ten windows are mostly voice, and the window itself is.
    begins = np.flatnonzero(is_loud & (density[NEIGHBOURS - 1 :] >= MOSTLY))
    ends = np.flatnonzero(is_loud & (density[: len(is_loud)] >= MOSTLY))
    return pcm[begins[0] * WINDOW : (ends[-1] + 1) * WINDOW]
