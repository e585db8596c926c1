"""Join streamed clauses: trim silence, add natural pauses, time words → ``SpeechChunk``s.

The sound of a clause grows; what is whole of 200 ms can be taken at once. What a voice leaves of
silence before and after a clause is cut off, and the pause that the clause's mark asks for put in.
Words get estimated times (``word_timer``). It does not know where the sound comes from.
"""

from typing import Final

import numpy as np

from rt_avatar.engines.types import CHUNK_SAMPLES, SPEECH_RATE_HZ, Pcm, SpeechChunk, Word
from rt_avatar.tts.word_timer import STEP_SAMPLES, USUAL_PACE_S, WordTimer, voiced_steps

# Kept around the voice: soft beginnings ("f", "h") and what dies away are below the threshold.
_KEPT_SAMPLES: Final = 60 * SPEECH_RATE_HZ // 1000
_FADE_SAMPLES: Final = 5 * SPEECH_RATE_HZ // 1000  # shortest fade without an audible click
_NOTHING: Final = np.zeros(0, np.float32)


class _Trimmer:
    """One clause without the silence around it; silence inside stays."""

    def __init__(self) -> None:
        self._held: Pcm = _NOTHING
        self._has_begun = False

    def push(self, pcm: Pcm) -> Pcm:
        """Return what surely belongs to the clause."""
        held = np.concatenate((self._held, pcm))
        loud = np.flatnonzero(voiced_steps(held))
        if len(loud) == 0:
            # Leading silence is forgotten; later silence may turn out to be a pause.
            whole = len(held) - len(held) % STEP_SAMPLES
            self._held = held if self._has_begun else held[max(0, whole - _KEPT_SAMPLES) :]
            return _NOTHING
        first = 0 if self._has_begun else max(0, int(loud[0]) * STEP_SAMPLES - _KEPT_SAMPLES)
        last = (int(loud[-1]) + 1) * STEP_SAMPLES
        out, self._held = held[first:last].copy(), held[last:].copy()
        if not self._has_begun:
            out[:_FADE_SAMPLES] *= np.linspace(0, 1, _FADE_SAMPLES, dtype=np.float32)
            self._has_begun = True
        return out

    def finish(self) -> Pcm:
        """Return the end of the clause: what dies away."""
        tail = self._held[:_KEPT_SAMPLES].copy() if self._has_begun else _NOTHING
        fade = min(len(tail), _FADE_SAMPLES)
        tail[len(tail) - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)
        return tail


class ClauseJoiner:
    """One reply's time line: ``begin`` a clause, ``hear`` it, ``end_clause``; ``take_chunk``."""

    def __init__(self) -> None:
        self._start = 0  # of the first sample not yet taken
        self._pcm: Pcm = _NOTHING  # from there on
        self._pause = 0  # samples between the last clause and the next
        self._words: list[Word] = []  # of ended clauses, not taken yet
        self._clauses: list[tuple[int, int]] = []  # first sample, index
        self._clause_start = 0
        self._trimmer = _Trimmer()
        self._clock: WordTimer | None = None  # of the clause that is being heard

    @property
    def end_s(self) -> float:
        """Length of what is placed so far."""
        return (self._start + len(self._pcm)) / SPEECH_RATE_HZ

    @property
    def rest_s(self) -> float:
        """Length of what is placed and not taken."""
        return len(self._pcm) / SPEECH_RATE_HZ

    @property
    def has_chunk(self) -> bool:
        """Whether 200 ms are there to be taken."""
        return len(self._pcm) >= CHUNK_SAMPLES

    def begin(self, text: str, index: int, pace_s: float = USUAL_PACE_S) -> None:
        """Begin a clause after the pause that the last one asked for."""
        self._place_pause()
        self._clause_start = self._start + len(self._pcm)
        self._clauses.append((self._clause_start, index))
        self._trimmer = _Trimmer()
        self._clock = WordTimer(text, pace_s)

    def hear(self, pcm: Pcm) -> None:
        """Take the next samples (24 kHz) of the clause."""
        self._place(self._trimmer.push(pcm))

    def end_clause(self, pause_s: float) -> float | None:
        """The clause is whole; ``pause_s`` of silence shall be before the next.

        Return the voice's pace in it (seconds a letter), None if it was all silence.
        """
        clock = self._clock
        assert clock is not None, "a clause was begun"
        self._place(self._trimmer.finish())
        clock.finish()
        self._take_words(clock)
        # What is kept around both clauses is silence, too.
        self._pause = max(0, round(pause_s * SPEECH_RATE_HZ) - 2 * _KEPT_SAMPLES)
        return clock.pace_s if clock.is_voiced else None

    def settle(self) -> None:
        """The next clause is late: fill up with silence, so that all that was said can be heard.

        One chunk more lets a mouth that looks ahead come to the end of the last word.
        """
        self._place_pause()
        missing = -len(self._pcm) % CHUNK_SAMPLES
        self._place(np.zeros(missing + CHUNK_SAMPLES, np.float32))

    def take_chunk(self) -> SpeechChunk:
        """Return the next 200 ms; ``has_chunk`` says whether there are."""
        start, end = self._start, self._start + CHUNK_SAMPLES
        pcm, self._pcm = self._pcm[:CHUNK_SAMPLES], self._pcm[CHUNK_SAMPLES:].copy()
        own = [word for word in self._words if word.start < end]
        self._words = self._words[len(own) :]
        if self._clock is not None:
            own += [self._shifted(word) for word in self._clock.take(end - self._clause_start)]
        self._start = end
        return SpeechChunk(
            start=start,
            pcm=pcm,
            phonemes=(),
            # A word that was expected later than it was said belongs to what can still be taken.
            words=tuple(Word(w.text, max(w.start, start), max(w.end, start)) for w in own),
            clause_index=self._clause_at(start),
        )

    def whole(self) -> list[SpeechChunk]:
        """Return all chunks that are whole."""
        chunks = []
        while self.has_chunk:
            chunks.append(self.take_chunk())
        return chunks

    def drain(self) -> list[SpeechChunk]:
        """Return what is left, with silence up to a whole chunk. No clause may come after it.

        Of a clause that was not ended, the words stay that were likely said by where it broke off.
        """
        if self._clock is not None:
            self._place(self._trimmer.finish())
            self._take_words(self._clock)
        if self._words and not len(self._pcm):
            self._place(np.zeros(CHUNK_SAMPLES, np.float32))
        self._place(np.zeros(-len(self._pcm) % CHUNK_SAMPLES, np.float32))
        return self.whole()

    # --- inside -------------------------------------------------------------------------------
    def _place(self, pcm: Pcm) -> None:
        if len(pcm):
            self._pcm = np.concatenate((self._pcm, pcm))
            if self._clock is not None:
                self._clock.hear(pcm)

    def _place_pause(self) -> None:
        pause, self._pause = self._pause, 0
        self._place(np.zeros(pause, np.float32))

    def _take_words(self, clock: WordTimer) -> None:
        self._words += [self._shifted(word) for word in clock.take(None)]
        self._clock = None

    def _shifted(self, word: Word) -> Word:
        begin = self._clause_start
        return Word(word.text, word.start + begin, word.end + begin)

    def _clause_at(self, sample: int) -> int:
        while len(self._clauses) > 1 and self._clauses[1][0] <= sample:
            del self._clauses[0]
        return self._clauses[0][1]
