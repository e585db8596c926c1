"""Estimate word timestamps from text and sound, for voices that give none.

What is estimated. A word is as long as it has letters, of the time in which the voice sounds (its
silences are heard and take no part). A pause in the sound is taken for the mark in the text
(comma, full stop) that is expected next to it. Until the end of the clause is known, the voice's
pace is assumed; from then on the words that are left share what is left, so the estimate cannot
run away. Against espeak-ng's own times (its eight voices tell them) the beginnings are 0.08 s off
in the mean and 0.26 s at p95; 0.14 and 0.47 s while the end is not known (docs/LOG.md). Captions
need no more; lips do not use it.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.text.tokens import split_tokens
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, Word

STEP_SAMPLES: Final = SPEECH_RATE_HZ // 100  # sound is judged in steps of 10 ms
# Below this a step is silence (−46 dBFS): voices of services rest at −60 to −90 dBFS and begin a
# soft "f" or "h" near −45.
SILENCE_RMS: Final = 0.005
# Silences up to 100 ms are closures of "p", "t", "k", not pauses (measured, engines.espeak.clause).
_PAUSE_STEPS: Final = 10
# A pause is a mark's if the mark is expected within half a second of it. A word after a mark waits
# so much longer than expected for its pause: shown too early it would be shown before a silence.
_NEAR_STEPS: Final = 50
_WAIT_STEPS: Final = 30
_MARKS: Final = ",.;:!?…—–，。！？、；："
_CLOSERS: Final = "\"'”’»)]}"
# English is read at 160 words a minute with some 4.7 letters a word.
USUAL_PACE_S: Final = 60 / 160 / 4.7
# What is known of a voice before it speaks weighs like 80 letters (two clauses), and each clause
# takes 30 % of the weight of those before: a single "Oh, I see." is twice as slow as usual.
_KNOWN_LETTERS, _KEPT_WEIGHT = 80.0, 0.7
_DIGIT_LETTERS: Final = 4  # "seven", "four"; of a long number most digits are a word or two


def letters(text: str) -> int:
    """Return how long a text is to say, in letters; at least 1."""
    return max(
        1, sum(_DIGIT_LETTERS if c.isdigit() else c.isalpha() + (c > "\u2e80") for c in text)
    )


def voiced_steps(pcm: Pcm) -> NDArray[np.bool_]:
    """Return which steps of 10 ms sound; ``pcm`` is cut to whole steps."""
    steps = pcm[: len(pcm) // STEP_SAMPLES * STEP_SAMPLES].reshape(-1, STEP_SAMPLES)
    loud: NDArray[np.bool_] = np.sqrt(np.mean(np.square(steps), axis=1)) > SILENCE_RMS
    return loud


class Pace:
    """How fast a voice speaks, learnt from clause to clause."""

    def __init__(self) -> None:
        self._letters = _KNOWN_LETTERS
        self._voiced_s = _KNOWN_LETTERS * USUAL_PACE_S

    @property
    def letter_s(self) -> float:
        """Seconds of voice a letter."""
        return self._voiced_s / self._letters

    def learn(self, letters: int, letter_s: float) -> None:
        """Take what a clause of so many letters took."""
        self._letters = _KEPT_WEIGHT * self._letters + letters
        self._voiced_s = _KEPT_WEIGHT * self._voiced_s + letters * letter_s


class WordTimer:
    """The words of one clause. Times are samples at 24 kHz from its first.

    Args:
        text: What is said.
        pace_s: Seconds of voice a letter, as far as known before.
    """

    def __init__(self, text: str, pace_s: float = USUAL_PACE_S) -> None:
        self._texts = [token.text for token in split_tokens(text)]
        lengths = [letters(word) for word in self._texts]
        self._before = np.concatenate(([0], np.cumsum(lengths)))  # letters before each word
        self._marks = [
            at + 1
            for at, word in enumerate(self._texts[:-1])
            if word.rstrip(_CLOSERS)[-1:] in _MARKS
        ]
        self._pace_steps = pace_s * SPEECH_RATE_HZ / STEP_SAMPLES
        self._anchors = [(0, 0)]  # letters, steps of voice: what is known to go together
        self._voiced: list[int] = []  # number of the step of each step of voice
        self._steps = 0  # heard
        self._silent = 0  # steps since the last voice
        self._rest: Pcm = np.zeros(0, np.float32)
        self._given = 0  # words
        self._last_start = 0
        self._is_finished = False

    def hear(self, pcm: Pcm) -> None:
        """Listen to the next samples of the clause."""
        pcm = np.concatenate((self._rest, pcm))
        loud = voiced_steps(pcm)
        self._rest = pcm[len(loud) * STEP_SAMPLES :].copy()
        for is_loud in loud.tolist():
            self._steps += 1
            if not is_loud:
                self._silent += 1
                continue
            if self._voiced and self._silent >= _PAUSE_STEPS:
                self._find_mark()
            elif self._voiced:
                self._voiced += range(self._steps - 1 - self._silent, self._steps - 1)
            self._voiced.append(self._steps - 1)
            self._silent = 0

    def finish(self) -> None:
        """The clause is over: its length is known."""
        self._is_finished = True

    @property
    def is_voiced(self) -> bool:
        """Whether anything was heard but silence."""
        return bool(self._voiced)

    @property
    def pace_s(self) -> float:
        """Seconds of voice a letter, of this clause; ask when it is over."""
        return len(self._voiced) * STEP_SAMPLES / SPEECH_RATE_HZ / int(self._before[-1] or 1)

    def take(self, before: int | None) -> list[Word]:
        """Return the next words that begin before that sample, as far as is known by now.

        None takes all that are known: when the clause is over, the rest of them.
        """
        times = self._times()
        taken: list[Word] = []
        while self._given < len(self._texts) and self._voiced:
            at = self._given
            due = times[at] + (_WAIT_STEPS if self._awaits_pause(at) else 0)
            if due >= len(self._voiced) and not self._is_finished:
                break
            start = max(self._sample(times[at]), self._last_start)
            if before is not None and start >= before:
                break
            taken.append(Word(self._texts[at], start, max(start, self._end(times, at))))
            self._last_start = start
            self._given += 1
        return taken

    # --- inside -------------------------------------------------------------------------------
    def _awaits_pause(self, at: int) -> bool:
        return at in self._marks and self._before[at] > self._anchors[-1][0]

    def _find_mark(self) -> None:
        """Take the pause that has just ended for the mark that is expected next to it."""
        known, steps = self._anchors[-1]
        heard = len(self._voiced)
        near = [
            (abs(steps + (self._before[mark] - known) * self._pace_steps - heard), mark)
            for mark in self._marks
            if self._before[mark] > known
        ]
        if near and heard > steps:
            distance, mark = min(near)
            if distance < _NEAR_STEPS:
                self._anchors.append((int(self._before[mark]), heard))

    def _times(self) -> list[float]:
        """Return where each word begins, and the last ends, in steps of voice."""
        known, steps = self._anchors[-1]
        total = int(self._before[-1])
        end = float(len(self._voiced))
        if not self._is_finished:
            end = steps + (total - known) * self._pace_steps
        points = [*self._anchors, (total, end)]
        times: list[float] = np.interp(
            self._before, [letter for letter, _ in points], [step for _, step in points]
        ).tolist()
        return times

    def _sample(self, time: float) -> int:
        return self._voiced[min(int(time), len(self._voiced) - 1)] * STEP_SAMPLES

    def _end(self, times: list[float], at: int) -> int:
        """Return where the voice of a word ends: before the pause after it."""
        last = int(times[at + 1])
        if last <= len(self._voiced):
            return (self._voiced[max(last, 1) - 1] + 1) * STEP_SAMPLES
        return self._sample(times[at]) + round((times[at + 1] - times[at]) * STEP_SAMPLES)
