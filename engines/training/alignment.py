"""Text and sound → phones with their frames, by pocketsphinx' forced alignment.

Its defaults fail on a tenth of the sentences, mostly in the second pass; without the lookahead of
phones and the best path, and with faint noise at both ends, hardly any fails.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import soxr
from pocketsphinx import Decoder

from rt_avatar.engines.g2p import load_phonemizer
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Pcm

_EDGE_S: Final = 0.2
_EDGE_LEVEL: Final = 1e-4
_SPHINX_HZ: Final = 100  # it counts in frames of 10 ms
_LONGEST_PHONE_S: Final = 0.7
_SILENCES: Final = frozenset(("SIL", "<sil>", "<s>", "</s>", "(NULL)", "+SPN+", "+NSN+"))
_TOKEN: Final = re.compile(r"([A-Za-z']+)([^A-Za-z']*)")
_MARKS: Final = {",": ",", ";": ",", ":": ",", "-": ",", ".": ".", "!": "!", "?": "?"}


@dataclass(frozen=True, slots=True)
class AlignedPhone:
    """A phone, or a silence (name ``""``), in seconds of the recording.

    Attributes:
        name: ARPAbet without stress.
        start_s: Its beginning.
        end_s: Its end.
        word: Index of the word it belongs to; -1 in silence.
    """

    name: str
    start_s: float
    end_s: float
    word: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """Phones of an utterance, its words, and the mark behind each word (one of ``,.!?`` or "")."""

    phones: tuple[AlignedPhone, ...]
    words: tuple[str, ...]
    marks: tuple[str, ...]


class AlignmentError(ValueError):
    """A recording that cannot be used; ``reason`` is counted."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


def split_words(text: str) -> tuple[list[str], list[str]]:
    """Return lower-case words and the mark behind each."""
    words, marks = [], []
    for word, behind in _TOKEN.findall(text):
        clean = word.strip("'").lower()
        if not clean:
            continue
        words.append(clean)
        found = [_MARKS[mark] for mark in behind if mark in _MARKS]
        if "-" in behind and "--" not in behind and len(behind) == 1:
            found = []  # a compound's hyphen is no pause
        marks.append(found[0] if found else "")
    return words, marks


@cache
def _decoder() -> Decoder:
    return Decoder(
        lm=None, loglevel="FATAL", fwdflat=False, bestpath=False, pl_window=0, cmn="batch"
    )


def align(pcm: Pcm, text: str) -> Alignment:
    """Return where the phones of ``text`` are in sound at 24 kHz.

    Raises:
        AlignmentError: There are no words, they do not align, or a phone is too long.
    """
    decoder = _decoder()
    words, marks = split_words(text)
    if not words:
        raise AlignmentError("no words", text)
    for word in words:
        if decoder.lookup_word(word) is None:  # names and compounds: as our own voice would say it
            said = [phone.rstrip("012") for phone in load_phonemizer().lookup(word)]
            if not said:
                raise AlignmentError("unknown word", word)
            decoder.add_word(word, " ".join(said), True)
    low = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ)
    edge = np.zeros(int(_EDGE_S * INPUT_RATE_HZ), np.float32)
    padded = np.concatenate([edge, low, edge])
    padded += np.random.default_rng(0).normal(0, _EDGE_LEVEL, len(padded)).astype(np.float32)
    raw = (np.clip(padded, -1, 1) * 32_767).astype(np.int16).tobytes()
    decoder.set_align_text(" ".join(words))
    try:
        align_phones(decoder, raw)
        phones = _phones(decoder, len(pcm) / SPEECH_RATE_HZ)
    except RuntimeError as error:
        raise AlignmentError("does not align", str(error)) from error
    if max(phone.word for phone in phones) != len(words) - 1:
        raise AlignmentError("does not align", f"{len(words)} words expected")
    longest = max(phone.end_s - phone.start_s for phone in phones if phone.name)
    if longest > _LONGEST_PHONE_S:
        raise AlignmentError("impossible durations", f"a phone of {longest:.2f} s")
    return Alignment(phones, tuple(words), tuple(marks))


@dataclass(frozen=True, slots=True)
class CountedPhones:
    """The phones of a stretch of an alignment, counted in frames.

    Attributes:
        names: As in ``AlignedPhone``.
        frames: How many frames each lasts; their sum is what was asked for.
        word_of: Index of the word of each; -1 in silence.
    """

    names: list[str]
    frames: list[int]
    word_of: list[int]


def count_frames(alignment: Alignment, frame_s: float, start: int, count: int) -> CountedPhones:
    """Return ``count`` frames of ``frame_s`` from frame ``start`` on, as phones.

    Ends are rounded, not lengths, so that errors do not add up; every phone has a frame at least.
    """
    counted = CountedPhones([], [], [])
    at = 0
    for index, phone in enumerate(alignment.phones):
        end = min(max(round(phone.end_s / frame_s) - start, 0), count)
        if index == len(alignment.phones) - 1:
            end = count
        length = end - at
        if phone.name:
            length = max(length, 1)
        if length <= 0:
            continue
        at += length
        # Two silences in a row are one.
        if not phone.name and counted.names and not counted.names[-1]:
            counted.frames[-1] += length
            continue
        counted.names.append(phone.name)
        counted.frames.append(length)
        counted.word_of.append(phone.word)
    # What a phone of no length at the very end took too much.
    counted.frames[int(np.argmax(counted.frames))] -= at - count
    return counted


def _phones(decoder: Decoder, length_s: float) -> tuple[AlignedPhone, ...]:
    phones: list[AlignedPhone] = []
    index = -1
    for word in decoder.get_alignment():
        silent = word.name in _SILENCES or word.name.startswith(("<", "[", "+"))
        index += not silent
        for phone in word:
            begin = phone.start / _SPHINX_HZ - _EDGE_S
            end = begin + phone.duration / _SPHINX_HZ
            name = "" if silent else phone.name
            phones.append(
                AlignedPhone(
                    name, _within(begin, length_s), _within(end, length_s), -1 if silent else index
                )
            )
    return tuple(phones)


def _within(time_s: float, length_s: float) -> float:
    return min(max(time_s, 0.0), length_s)


def align_phones(decoder: Decoder, raw: bytes) -> None:
    """Align the words of a decoder with a sound, then their phones.

    Raises:
        RuntimeError: They do not align.
    """
    _listen(decoder, raw)
    decoder.set_alignment()
    _listen(decoder, raw)


def _listen(decoder: Decoder, raw: bytes) -> None:
    decoder.start_utt()
    decoder.process_raw(raw, full_utt=True)
    decoder.end_utt()
