"""A recording with its words → what the voice's decoder should make of them.

The words are known, or a recogniser hears them; where it mishears, most sounds are right still.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray
from pocketsphinx import Decoder

from rt_avatar.engines.alignment import Alignment, AlignmentError, align, count_frames
from rt_avatar.engines.nano_tts.aligned_words import spoken_words
from rt_avatar.engines.nano_tts.contour import (
    Counts,
    Floats,
    contour,
    frame_numbers,
    octaves_of,
    sample_points,
    token_of_frames,
)
from rt_avatar.engines.nano_tts.tokens import PAUSE, UNKNOWN_MARK, Tokens, make_tokens
from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.own_voice.pitch import FRAMES_HZ, pitch_track
from rt_avatar.engines.styletts2.spectrum import HOP, energy, log_mel, trim_silence
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Pcm

BANDS: Final = 66  # of 80 end below 7.6 kHz: what a recording at 16 kHz tells
_FEWEST_WORDS: Final = 8
_ROOM: Final = 3 * INPUT_RATE_HZ // 10
_ROOM_LEVEL: Final = 6e-4
_PEAK: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A recording as the decoder reads and should make it: N tokens, T frames.

    Attributes:
        pcm: At 24 kHz.
        words: What is said.
        tokens: N of them.
        frames: (N,) of each.
        token: (T,) of each frame.
        numbers: (T, FRAME_NUMBERS).
        mel: (T, BANDS) of the recording.
        sounding: (T,) whether something is said.
    """

    pcm: Pcm
    words: str
    tokens: Tokens
    frames: Counts
    token: Counts
    numbers: Floats
    mel: Floats
    sounding: NDArray[np.bool_]


def make_reference(pcm: Pcm, words: str = "") -> Reference:
    """Return a recording at 24 kHz with its words; without them they are heard.

    Raises:
        OwnVoiceError: No words are found in it.
    """
    pcm = trim_silence(pcm)
    said = words or _hear(pcm)
    if len(said.split()) < _FEWEST_WORDS:
        raise OwnVoiceError(
            f"recording: expected {_FEWEST_WORDS} words of English or more; "
            f"{'was given' if words else 'heard'} {len(said.split())}: {said!r}; speak clearly, or "
            "tell with --words what is said"
        )
    try:
        alignment = align(pcm, said)
    except AlignmentError as error:
        raise OwnVoiceError(
            f"recording: expected clear speech of the words {said[:60]!r}; got sound in which "
            f"they are not found ({error}); tell with --words what is said, or record it again"
        ) from error
    return _as_read(pcm, said, alignment)


def _hear(pcm: Pcm) -> str:
    """Return what is said, by pocketsphinx with all its passes."""
    low = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ)
    room = _ROOM_LEVEL * np.random.default_rng(0).standard_normal((2, _ROOM))
    sound = np.concatenate([room[0], low * (_PEAK / np.abs(low).max()), room[1]])
    decoder = Decoder(loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw((sound * 32_767).astype(np.int16).tobytes(), full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    return str(found.hypstr) if found else ""


def _as_read(pcm: Pcm, words: str, alignment: Alignment) -> Reference:
    count = len(pcm) // HOP
    counted = count_frames(alignment, 1 / FRAMES_HZ, 0, count)
    frames = np.array(counted.frames, np.int64)
    marks = [UNKNOWN_MARK] * len(alignment.words)
    read = spoken_words(alignment.words, marks, counted.names, counted.word_of)
    tokens = make_tokens(read, leading_pause=counted.names[0] == "")
    token = token_of_frames(frames)
    is_phone = tokens.symbol != PAUSE
    sounding = is_phone[token]
    late = np.concatenate([pcm[HOP // 2 :], np.zeros(HOP // 2, np.float32)])
    mel = log_mel(late)[:BANDS, :count]
    pitch = pitch_track(pcm)[:count]
    voiced = np.flatnonzero(pitch > 0)
    ln_hz = np.interp(np.arange(count), voiced, np.log(pitch[voiced])).astype(np.float32)
    octaves = octaves_of(contour(sample_points(ln_hz, frames), frames))
    level = energy(mel)
    mean, spread = level[sounding].mean(), level[sounding].std()
    of_tokens = (np.bincount(token, level, len(frames)) / frames - mean) / spread
    loudness = np.where(is_phone, of_tokens, 0.0).astype(np.float32)
    numbers = frame_numbers(frames, octaves, loudness)
    return Reference(pcm, words, tokens, frames, token, numbers, mel.T, sounding)
