"""Utterances for the microphone of a benchmark: recordings from a folder, else made on the spot.

A recording is cut where it is silent for a second and longer: nobody waits so long in a talk
without thinking that the other has finished. ``speech_variants`` makes the same sentences harder.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from av.audio.resampler import AudioResampler
from numpy.typing import NDArray

from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.media_file import FILMS, MediaError, open_media, sound_of
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, WIRE_RATE_HZ, VoiceStyle
from rt_avatar.errors import BadInputError

WINDOW: Final = 480  # 10 ms at 48 kHz
NEIGHBOURS: Final = 10
MOSTLY: Final = 0.6
VOICED_DB: Final = 25.0  # below that it is breath, room and clicks
ROOM_DB: Final = 30.0  # of one step of int16, −60 dBFS: no microphone hears a voice so quietly

SUFFIXES: Final = (".wav", ".flac")
# G. Jefferson, "Notes on a possible metric which provides for a 'standard maximum' silence of
# approximately one second in conversation" (1989).
SPLIT_S: Final = 1.0
PAUSE_S: Final = 0.15  # shorter silence is the closure of a stop consonant, or between words
# What ends in applause or a train is loud, but without a voice's periods. A voice is alike
# itself a period later; consonants without voice behind it last a quarter of a second at most.
PERIODIC: Final = 0.8
BEHIND_VOICE: Final = 25  # windows
MIN_S: Final = 0.8  # what is shorter is a word, not an utterance that deserves an answer

# Those with a comma have a pause of 0.17 s in them.
SENTENCES: Final = (
    "I had a very long day, and nothing worked the way I wanted.",
    "My sister called, she is getting married next month.",
    "I am a little afraid of the exam tomorrow.",
    "We walked along the river, until it got dark.",
    "Nobody called me on my birthday.",
)


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something to say.

    Attributes:
        name: Of the recording or sentence.
        pcm: (samples,) int16 at 48 kHz. Begins and ends with voice unless a variant adds noise
            before and after.
        variant: ``plain`` or what was made of it, see ``speech_variants``.
        begin: Index of the first voiced sample.
        end: Index after the last voiced sample: the true end of speech; by default the sound's.
        pauses: Begin and end of pauses that were put in, as indices.
        text: What is said, as far as known.
    """

    name: str
    pcm: NDArray[np.int16]
    variant: str = "plain"
    begin: int = 0
    end: int = -1
    pauses: tuple[tuple[int, int], ...] = ()
    text: str = ""

    def __post_init__(self) -> None:
        """Let it end with its sound if nothing else is said."""
        if self.end < 0:
            object.__setattr__(self, "end", len(self.pcm))


def load_utterances(folder: Path | None) -> list[Utterance]:
    """Read all recordings of a folder, or speak the built-in sentences with a synthetic voice.

    Args:
        folder: WAV or FLAC files of any rate; ``NAME.txt`` beside ``NAME.wav`` is what is said.

    Raises:
        BadInputError: There is no recording in it, or one cannot be read or holds no voice.
    """
    if folder is None:
        return _synthesised()
    files = sorted(file for file in folder.glob("*.*") if file.suffix.lower() in SUFFIXES)
    if not files:
        raise BadInputError(f"{folder}: expected recordings (WAV or FLAC), found none")
    utterances = [utterance for file in files for utterance in _read(file)]
    if not utterances:
        raise BadInputError(
            f"{folder}: expected a voice of {MIN_S} s or more in a recording, found shorter ones"
        )
    return utterances


def read_words(path: Path) -> str:
    """Return what is said in a recording, from the text beside it, on one line.

    Raises:
        BadInputError: It is no UTF-8 text, or names no word.
    """
    try:
        words = " ".join(path.read_text(encoding="utf-8-sig").split())
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path}: expected text in UTF-8; {error}") from error
    if not words:
        raise BadInputError(f"{path}: expected the words of its recording, found none")
    return words


def read_recording(path: Path) -> NDArray[np.int16]:
    """Return any sound file as (samples,) at 48 kHz, all channels mixed.

    Raises:
        BadInputError: It cannot be read.
    """
    resampler = AudioResampler(format="s16", layout="mono", rate=WIRE_RATE_HZ)
    parts = [np.zeros(0, np.int16)]
    try:
        with open_media(path, "a sound file", FILMS) as container:
            for frame in itertools.chain(sound_of(container), (None,)):
                for out in resampler.resample(frame):
                    parts.append(out.to_ndarray().ravel().astype(np.int16))
    except MediaError as error:
        raise BadInputError(str(error)) from None
    return np.concatenate(parts)


def trim(pcm: NDArray[np.int16]) -> NDArray[np.int16]:
    """Cut what is not voice at both ends: clicks, breath and room.

    Voice are windows of 10 ms within 25 dB of the loudest, most of whose neighbours are voice too.
    """
    if len(pcm) < WINDOW:
        raise BadInputError("speech: expected a voice of 60 ms and more, found none")
    is_loud = loud_windows(pcm)
    density = np.convolve(is_loud, np.ones(NEIGHBOURS) / NEIGHBOURS, mode="full")
    # Ends: the next (or last) ten windows are mostly voice, and the window itself is.
    begins = np.flatnonzero(is_loud & (density[NEIGHBOURS - 1 :] >= MOSTLY))
    ends = np.flatnonzero(is_loud & (density[: len(is_loud)] >= MOSTLY))
    if not len(begins):
        raise BadInputError("speech: expected a voice of 60 ms and more, found none")
    return pcm[begins[0] * WINDOW : (ends[-1] + 1) * WINDOW]


def loud_windows(pcm: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return which windows of 10 ms are within 25 dB of the loudest: (samples // 480,)."""
    windows = pcm[: len(pcm) // WINDOW * WINDOW].reshape(-1, WINDOW).astype(np.float64)
    level_db = 10 * np.log10(np.mean(windows**2, axis=1) + 1e-9)
    return np.asarray(level_db > max(level_db.max(initial=0.0) - VOICED_DB, ROOM_DB))


def quiet_runs(pcm: NDArray[np.int16]) -> list[tuple[int, int]]:
    """Return the stretches between voiced windows, as sample indices (begin, end)."""
    is_loud = loud_windows(pcm)
    (voiced,) = np.nonzero(is_loud)
    return [
        (int(before + 1) * WINDOW, int(after) * WINDOW)
        for before, after in itertools.pairwise(voiced)
        if after - before > 1
    ]


def voiced_runs(one: Utterance) -> list[tuple[int, int]]:
    """Return the stretches of an utterance's voice between its pauses; none if it is in noise."""
    if one.begin > 0:  # in noise nothing is quiet
        return []
    runs = quiet_runs(one.pcm)
    pauses = [run for run in runs if run[1] - run[0] >= PAUSE_S * WIRE_RATE_HZ and run[1] < one.end]
    edges = [one.begin, *(edge for pause in pauses for edge in pause), one.end]
    return list(zip(edges[::2], edges[1::2], strict=True))


def without_noise_behind(pcm: NDArray[np.int16]) -> NDArray[np.int16]:
    """Cut what is loud at the end and no voice: applause, a train. Needs some voice at all."""
    for start in reversed(range(0, len(pcm) - 4 * WINDOW, WINDOW)):
        if _periodicity(pcm[start : start + 4 * WINDOW]) > PERIODIC:
            return trim(pcm[: start + (4 + BEHIND_VOICE) * WINDOW])
    return pcm


def _periodicity(part: NDArray[np.int16]) -> float:
    """Return how much 40 ms are like themselves a period of 70 to 400 Hz later, 0..1."""
    length = len(part)
    window = np.hanning(length)
    lags, fade = (
        np.fft.irfft(np.abs(np.fft.rfft(one, 2 * length)) ** 2)[: length // 2]
        for one in (part * window, window)
    )
    pitch = slice(WIRE_RATE_HZ // 400, WIRE_RATE_HZ // 70)
    alike = lags[pitch] / fade[pitch] * fade[0]
    return float(min(1.0, alike.max() / max(lags[0], 1e-9)))


def _read(file: Path) -> list[Utterance]:
    try:
        pcm = without_noise_behind(trim(read_recording(file)))
    except BadInputError as error:
        raise BadInputError(str(error) if str(file) in str(error) else f"{file}: {error}") from None
    words = file.with_suffix(".txt")
    text = read_words(words) if words.is_file() else ""
    cuts = [run for run in quiet_runs(pcm) if run[1] - run[0] >= SPLIT_S * WIRE_RATE_HZ]
    edges = [0, *(edge for cut in cuts for edge in cut), len(pcm)]
    parts = [
        pcm[begin:end]
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        if end - begin >= MIN_S * WIRE_RATE_HZ
    ]
    if len(parts) == 1:
        return [Utterance(file.stem, parts[0], text=text)]
    return [Utterance(f"{file.stem}-{i}", part) for i, part in enumerate(parts, start=1)]


def _synthesised() -> list[Utterance]:
    stream = EspeakEngine().open("middle_male")
    utterances = []
    for index, text in enumerate(SENTENCES):
        chunks = stream.push(SpeechRequest(text, VoiceStyle(), 0)) + stream.flush()
        pcm = np.concatenate([chunk.pcm for chunk in chunks])
        wide = soxr.resample(pcm, SPEECH_RATE_HZ, WIRE_RATE_HZ)
        voice = trim((wide * 32767).astype(np.int16))
        utterances.append(Utterance(f"made-{index}", voice, text=text))
    return utterances
