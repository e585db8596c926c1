"""Utterances as the text stage reads them: tokens with stress, prosody of each, frames."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.nano_tts.contour import (
    DURATION_MEAN,
    DURATION_SPREAD,
    contour,
    frame_numbers,
    octaves_of,
    sample_points,
    token_of_frames,
)
from rt_avatar.engines.nano_tts.tokens import (
    MARKS,
    PAUSE,
    UNKNOWN_MARK,
    SpokenWord,
    Tokens,
    make_tokens,
)
from rt_avatar.engines.training.voice.aligned_words import spoken_words
from rt_avatar.engines.training.voice.dataset import Speaker, Utterance

Floats = NDArray[np.float32]
_UNPUNCTUATED: Final = "libri"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One utterance.

    Attributes:
        utterance: Its sound and mel.
        tokens: N of them.
        frames: (N,) of each.
        prosody: (N, PROSODY), normalised; what the flow learns to draw.
        prosody_seen: (N,) 1 where pitch and energy count; pauses have a duration alone.
        numbers: (T, FRAME_NUMBERS) what the decoder reads.
        token: (T,) the token of each frame.
    """

    utterance: Utterance
    tokens: Tokens
    frames: NDArray[np.int64]
    prosody: Floats
    prosody_seen: Floats
    numbers: Floats
    token: NDArray[np.int64]


def make_sentence(utterance: Utterance, speaker: Speaker) -> Sentence | None:
    """Return an utterance as the text stage reads it; None when it has no voiced frame."""
    features = utterance.features
    voiced = np.flatnonzero(utterance.pitch > 0)
    if len(voiced) == 0:
        return None
    words, frames = _words(utterance)
    tokens = make_tokens(words, leading_pause=features.phones[0] == "")
    if len(tokens.symbol) != len(frames):
        raise ValueError(f"{utterance.recording.key}: tokens and phones differ in number")
    ln_hz = np.interp(np.arange(len(utterance.pitch)), voiced, np.log(utterance.pitch[voiced]))
    points = sample_points(ln_hz.astype(np.float32), frames)
    token = token_of_frames(frames)
    sums = np.bincount(token, utterance.energy, len(frames)) / frames
    energy = (sums - speaker.energy) / speaker.energy_spread
    sounding = (tokens.symbol != PAUSE).astype(np.float32)
    prosody = np.concatenate(
        [
            (np.log(frames)[:, None] - DURATION_MEAN) / DURATION_SPREAD,
            (points - speaker.pitch) / speaker.spread * sounding[:, None],
            (energy * sounding)[:, None],
        ],
        axis=1,
    ).astype(np.float32)
    octaves = octaves_of(contour(points, frames))
    numbers = frame_numbers(frames, octaves, (energy * sounding).astype(np.float32))
    return Sentence(utterance, tokens, frames, prosody, sounding, numbers, token)


def _words(utterance: Utterance) -> tuple[list[SpokenWord], NDArray[np.int64]]:
    """Return the words with stress and the silences behind them, and the frames of all tokens."""
    features = utterance.features
    known = utterance.recording.corpus != _UNPUNCTUATED
    marks = [MARKS.index(str(mark)) if known else UNKNOWN_MARK for mark in features.marks]
    texts, phones = features.words.tolist(), features.phones.tolist()
    words = spoken_words(texts, marks, phones, features.word_of.tolist())
    return words, features.frames.astype(np.int64)
