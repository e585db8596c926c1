"""Assemble clauses into chunks of exactly 4,800 samples, without seams.

A clause is begun with what is known of it, and fed with its sound as it is made.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from rt_avatar.engines.tts_tone import limit
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    SOUNDS_AHEAD,
    SPEECH_RATE_HZ,
    Pcm,
    Phoneme,
    SpeechChunk,
    Word,
)

# -54 dBFS, 34 dB below a voice in a call: as far as a quiet room is below one across the table.
_SILENCE: Final = 0.002  # RMS
_STEP_SAMPLES: Final = 60  # 2.5 ms
_RISE_SAMPLES: Final = 120  # 5 ms, the shortest fade without an audible click


class ChunkAssembler:
    """Places clauses on the time line of one turn and cuts it into chunks.

    A turn neither begins in silence, which would only be heard as delay, nor ends in it: the pause
    after a clause is placed when the next one comes.
    """

    def __init__(self) -> None:
        self._start = 0  # of the first sample not yet given out
        self._mix: Pcm = np.zeros(0, np.float32)  # from _start on; may reach beyond _end
        self._end = 0  # of what is placed, without tails
        self._pause_samples = 0
        self._is_settled = True  # all that was said is given out
        self._phonemes: list[Phoneme] = []
        self._words: list[Word] = []
        self._clauses: list[tuple[int, int]] = []  # first sample, clause index

    def begin(
        self,
        phonemes: tuple[Phoneme, ...],
        words: tuple[Word, ...],
        pause_s: float,
        clause_index: int,
    ) -> None:
        """Place what is known of a clause after the last one; its sound follows by ``feed``."""
        begin = self._end + self._pause_samples
        if self._pause_samples:
            self._phonemes.append(Phoneme("", self._end, begin))
        self._phonemes += [
            Phoneme(p.ipa, p.start + begin, p.end + begin, p.stress) for p in phonemes
        ]
        self._words += [Word(w.text, w.start + begin, w.end + begin) for w in words]
        self._clauses.append((begin, clause_index))
        self._end = begin
        self._pause_samples = round(pause_s * SPEECH_RATE_HZ)

    def feed(self, pcm: Pcm, length: int) -> list[SpeechChunk]:
        """Add the clause's next sound; return the chunks that are whole.

        Args:
            pcm: (length + tail,): the sound, and what its room adds after it.
            length: Samples of the sound itself.
        """
        if not self._end:
            unheard = _unheard(pcm[:length])
            self._forget(unheard)
            pcm, length = pcm[unheard:], length - unheard
            if unheard:
                pcm = _risen(pcm)
        self._place(pcm, self._end)
        self._end += length
        self._is_settled = self._is_settled and not length
        return self._cut(self._end)

    def settle(self) -> list[SpeechChunk]:
        """The next clause is late: fill up with silence, so that all that was said can be heard.

        One chunk more lets a mouth that looks ahead come to the end of the last word.
        """
        if self._is_settled:
            return []
        reach = max(self._end, self._start + len(self._mix))
        until = max(self._end + self._pause_samples, reach + CHUNK_SAMPLES)
        until += -(until - self._start) % CHUNK_SAMPLES
        self._phonemes.append(Phoneme("", self._end, until))
        self._place(np.zeros(0, np.float32), until)
        self._end, self._pause_samples, self._is_settled = until, 0, True
        return self._cut(until)

    def drain(self) -> list[SpeechChunk]:
        """Return what is left, padded with silence to whole chunks; the time line begins anew."""
        reach = max(self._end, self._start + len(self._mix))
        missing = -(reach - self._start) % CHUNK_SAMPLES
        self._place(np.zeros(0, np.float32), reach + missing)
        chunks = self._cut(reach + missing)
        self.clear()
        return chunks

    def clear(self) -> None:
        """Drop everything; the time line begins anew."""
        self._start = self._end = self._pause_samples = 0
        self._is_settled = True
        self._mix = np.zeros(0, np.float32)
        self._phonemes, self._words, self._clauses = [], [], []

    def _forget(self, samples: int) -> None:
        """Let the time line begin so many samples later."""
        self._phonemes = [
            replace(p, start=max(0, p.start - samples), end=p.end - samples)
            for p in self._phonemes
            if p.end > samples
        ]
        self._words = [
            replace(w, start=max(0, w.start - samples), end=max(0, w.end - samples))
            for w in self._words
        ]

    def _place(self, pcm: Pcm, begin: int) -> None:
        offset = begin - self._start
        missing = offset + len(pcm) - len(self._mix)
        if missing > 0:
            self._mix = np.concatenate((self._mix, np.zeros(missing, np.float32)))
        self._mix[offset : offset + len(pcm)] += pcm

    def _cut(self, end: int) -> list[SpeechChunk]:
        count = (end - self._start) // CHUNK_SAMPLES
        chunks = [self._chunk(index) for index in range(count)]
        taken = count * CHUNK_SAMPLES
        self._start += taken
        self._mix = self._mix[taken:].copy()
        self._phonemes = [p for p in self._phonemes if p.end > self._start]
        self._words = [w for w in self._words if w.start >= self._start]
        while len(self._clauses) > 1 and self._clauses[1][0] <= self._start:
            del self._clauses[0]
        return chunks

    def _chunk(self, index: int) -> SpeechChunk:
        offset = index * CHUNK_SAMPLES
        start = self._start + offset
        end = start + CHUNK_SAMPLES
        return SpeechChunk(
            start=start,
            pcm=limit(self._mix[offset : offset + CHUNK_SAMPLES]),
            phonemes=tuple(
                p for p in self._phonemes if p.end > start and p.start < end + SOUNDS_AHEAD
            ),
            words=tuple(w for w in self._words if start <= w.start < end),
            clause_index=next(
                (clause for begin, clause in reversed(self._clauses) if begin <= start),
                self._clauses[0][1] if self._clauses else 0,
            ),
        )


def _unheard(pcm: Pcm) -> int:
    """Return how many samples at the beginning of a sound nobody needs to hear."""
    steps = pcm[: len(pcm) // _STEP_SAMPLES * _STEP_SAMPLES].reshape(-1, _STEP_SAMPLES)
    heard = np.sqrt(np.mean(steps**2, axis=1)) > _SILENCE
    first = int(np.argmax(heard)) * _STEP_SAMPLES if heard.any() else len(pcm)
    return max(0, first - _RISE_SAMPLES)


def _risen(pcm: Pcm) -> Pcm:
    """Return a sound that rises from nothing where it was cut."""
    risen = pcm.copy()
    risen[:_RISE_SAMPLES] *= np.linspace(0, 1, _RISE_SAMPLES, dtype=np.float32)[: len(pcm)]
    return risen


class AssembledStream:
    """How a voice's stream ends that gives out what its ``_assembler`` cuts."""

    def __init__(self) -> None:
        self._assembler = ChunkAssembler()

    def settle(self) -> list[SpeechChunk]:
        """Return what is left, with silence behind it; the next push goes on after that."""
        return self._assembler.settle()

    def flush(self) -> list[SpeechChunk]:
        """Return the rest of the turn, padded to whole chunks; the next push begins at 0."""
        return self._assembler.drain()

    def reset(self) -> None:
        """Drop what was not given out; the next push begins at 0."""
        self._assembler.clear()

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()
