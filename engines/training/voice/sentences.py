"""Utterances as the text stage reads them: tokens with stress, prosody of each, frames."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.g2p.lexicon import load_lexicon
from rt_avatar.engines.g2p.phonemizer import WEAK_WORDS
from rt_avatar.engines.g2p.phones import VOWELS, is_vowel
from rt_avatar.engines.g2p.phones import with_stress as unstressed
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
    words = []
    count = len(features.words)
    for index in range(count):
        own = np.flatnonzero(features.word_of == index)
        after = own[-1] + 1
        phones = tuple(str(phone) for phone in features.phones[own])
        mark = MARKS.index(str(features.marks[index])) if known else UNKNOWN_MARK
        pause = after < len(features.phones) and features.phones[after] == ""
        word = str(features.words[index])
        spoken = with_stress(word, phones)
        if word in WEAK_WORDS and index + 1 < count and not pause:  # as the phonemizer says them
            spoken = tuple(unstressed(phone, 0) for phone in spoken)
        words.append(SpokenWord(spoken, mark, bool(pause)))
    return words, features.frames.astype(np.int64)


def with_stress(word: str, phones: Sequence[str]) -> tuple[str, ...]:
    """Return aligned phones with the stress that the dictionary gives the word said so.

    Where it knows no such pronunciation, that of the same length; else the first vowel is stressed.
    """
    return _with_stress(word, tuple(phones))


@cache
def _with_stress(word: str, phones: tuple[str, ...]) -> tuple[str, ...]:
    entries = load_lexicon().find(word)
    bare = [tuple(phone.rstrip("012") for phone in entry) for entry in entries]
    if phones in bare:
        return entries[bare.index(phones)]
    vowels = [phone for phone in phones if phone in VOWELS]
    for entry in entries:
        stresses = [phone[-1] for phone in entry if is_vowel(phone)]
        if len(stresses) == len(vowels):
            marks = iter(stresses)
            return tuple(phone + next(marks) if phone in VOWELS else phone for phone in phones)
    first = True
    stressed = []
    for phone in phones:
        if phone in VOWELS:
            stressed.append(phone + ("1" if first else "0"))
            first = False
        else:
            stressed.append(phone)
    return tuple(stressed)
