"""One clause spoken: text and settings → sound at 24 kHz with phonemes and words in samples.

Times count from the first sample of the clause. What espeak-ng leaves before and after the sound
is cut off; the pause to the next clause is a number, so that the last clause has none.
"""

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.espeak._library import FULL_SCALE, RATE_HZ, Library, RawSpeech, Settings
from rt_avatar.engines.text.characters import (
    SCRIPTS,
    blank_markup,
    find_script,
    has_words,
    printable,
    speakable,
)
from rt_avatar.engines.text.tokens import Token, pause_after, shorten, split_tokens
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, Phoneme, Word

# A clause of MAX_CHARACTERS takes 90 s at most unless it is digits; what is longer is cut.
_LIMIT_S: Final = 90.0
_QUIET: Final = 28  # of 32,767: espeak-ng's silence is exact zeros, its weakest breath is near 70
_LEAD_S: Final = 0.010  # silence kept before and after the sound, so that nothing clicks
# espeak-ng reports voiceless stops at their burst; the closure before it is silence in its sound
# (measured: 35-50 ms, 95 ms at most). The lips close when the silence begins. Some variants have an
# echo at a tenth of the voice, so silence is what is far below the sound before it.
_CLOSURE_MAX_S: Final = 0.100
_CLOSURE_AFTER_PAUSE_S: Final = 0.060
_CLOSURE_LEVEL: Final = 0.15
_CLOSURE_STEP: Final = 44  # 2 ms
_VOICELESS_STOPS: Final = ("p", "t", "k", "q", "c", "ʔ")
_STRESS_MARKS: Final = {"ˈ": 2, "ˌ": 1}


@dataclass(frozen=True, slots=True)
class SpokenClause:
    """A clause as sound: ``pcm`` (samples,) at 24 kHz; ``pause_s`` is the silence after it."""

    pcm: Pcm
    phonemes: tuple[Phoneme, ...]
    words: tuple[Word, ...]
    pause_s: float


def speak_clause(
    library: Library, text: str, settings: Settings, formant: float = 1.0
) -> SpokenClause | None:
    """Speak one clause; None when there is nothing in it that can be said.

    Args:
        library: The process's espeak-ng.
        text: Plain words; markup, emoji and control characters are passed over.
        settings: Voice, rate, pitch, range.
        formant: The sound is played this much faster (shorter vocal tract, higher pitch).
    """
    written = printable(shorten(text))
    script = find_script(written)
    clean = speakable(blank_markup(written), script)
    if not has_words(clean):
        return None
    raw = library.speak(clean, SCRIPTS[script], settings, _LIMIT_S)
    loud = np.flatnonzero(np.abs(raw.pcm.astype(np.int32)) > _QUIET)
    if len(loud) == 0:
        return None
    lead = int(_LEAD_S * RATE_HZ)
    first = max(0, int(loud[0]) - lead)
    last = min(len(raw.pcm), int(loud[-1]) + 1 + lead)
    rate_in = RATE_HZ * formant
    samples = raw.pcm[first:last].astype(np.float32) / FULL_SCALE
    pcm: Pcm = soxr.resample(samples, rate_in, SPEECH_RATE_HZ, "HQ")
    clock = _Clock(first, SPEECH_RATE_HZ / rate_in, len(pcm))
    phonemes = _phonemes(raw, clock)
    # Captions show what was written; positions are the same in what was spoken.
    words = _words(raw, split_tokens(written), phonemes, clock)
    return SpokenClause(pcm, phonemes, words, pause_after(written))


@dataclass(frozen=True, slots=True)
class _Clock:
    """From samples of espeak-ng to samples of the clause at 24 kHz."""

    first: int
    ratio: float
    length: int

    def at(self, sample: int) -> int:
        return min(max(round((sample - self.first) * self.ratio), 0), self.length)


def _phonemes(raw: RawSpeech, clock: _Clock) -> tuple[Phoneme, ...]:
    """Name every stretch of the clause once: sounds and pauses, without gaps or overlaps."""
    names: list[tuple[str, int]] = []  # IPA, stress
    starts: list[int] = []
    for sound in raw.sounds:
        name, stress = _split_stress(sound.name)
        if name is None:
            continue
        was_pause = bool(names) and names[-1][0] == ""
        start = sound.sample
        if name.startswith(_VOICELESS_STOPS):
            floor = starts[-1] if starts else 0
            longest = _CLOSURE_AFTER_PAUSE_S if was_pause else _CLOSURE_MAX_S
            start = _closure_start(raw.pcm, start, floor, start - int(longest * RATE_HZ))
        if name == "" and was_pause:
            continue
        names.append((name, stress))
        starts.append(start)
    edges = [clock.at(start) for start in starts] + [clock.length]
    return tuple(
        Phoneme(name, start, end, stress)
        for (name, stress), (start, end) in zip(names, itertools.pairwise(edges), strict=True)
        if end > start
    )


def _split_stress(name: str) -> tuple[str | None, int]:
    """Return IPA and stress; IPA None for the library's marks of a change of language."""
    if "(" in name:
        return None, 0
    stress = max((_STRESS_MARKS.get(character, 0) for character in name), default=0)
    return "".join(character for character in name if character not in _STRESS_MARKS), stress


def _closure_start(pcm: NDArray[np.int16], burst: int, floor: int, earliest: int) -> int:
    """Return the first sample of the silence before ``burst``.

    Args:
        pcm: espeak-ng's sound.
        burst: Where the stop was reported.
        floor: Start of the sound before it, whose peak is the measure of silence.
        earliest: No closure begins before this.
    """
    before = pcm[floor:burst].astype(np.float32)
    steps = before[len(before) % _CLOSURE_STEP :].reshape(-1, _CLOSURE_STEP)
    level = np.sqrt(np.mean(steps**2, axis=1))
    sounding = np.flatnonzero(level > max(_CLOSURE_LEVEL * level.max(initial=0), _QUIET))
    silent = len(level) - (int(sounding[-1]) + 1 if len(sounding) else 0)
    return burst if silent < 3 else max(burst - silent * _CLOSURE_STEP, earliest, floor)


def _words(
    raw: RawSpeech, tokens: list[Token], phonemes: tuple[Phoneme, ...], clock: _Clock
) -> tuple[Word, ...]:
    """Give every written word the time of the first sound that espeak-ng says of it.

    A word without an event (part of a spoken abbreviation) is shown with the word before it.
    """
    heard: list[tuple[Token, int]] = []
    remaining = iter(raw.words)
    event = next(remaining, None)
    for token in tokens:
        while event is not None and event.position < token.start:
            event = next(remaining, None)
        if event is not None and event.position < token.end:
            heard.append((token, clock.at(event.sample)))
        elif heard:
            before, start = heard[-1]
            heard[-1] = Token(f"{before.text} {token.text}", before.start, token.end), start
        else:
            heard.append((token, 0))
    limits = [start for _, start in heard[1:]] + [clock.length]
    return tuple(
        Word(token.text, start, _sound_end(phonemes, start, limit))
        for (token, start), limit in zip(heard, limits, strict=True)
    )


def _sound_end(phonemes: tuple[Phoneme, ...], start: int, limit: int) -> int:
    """Return where the last sound within ``start..limit`` ends: a word has no pause at its end."""
    ends = [p.end for p in phonemes if p.ipa and p.start < limit and p.end > start]
    return max(start, min(limit, ends[-1])) if ends else limit
