"""Clauses and a style → speech in chunks of 200 ms, with the times of sounds and words.

``VoiceRequest → SpeechChunk``. Every clause begins with a frame of the face (960 samples), so that
what is said and how it is said to the eye have one count. Does not know where words and styles come
from.
"""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.styletts2.pronunciation import (
    Pronounced,
    join_symbols,
    place_parts,
    pronounce,
)
from rt_avatar.engines.styletts2.recipe import Recipe, StyleRecipe
from rt_avatar.engines.styletts2.speaker import Clause, Delivery, Speaker
from rt_avatar.engines.styletts2.style import MixedStyle, Style, mix
from rt_avatar.engines.styletts2.symbols import MAX_TOKENS, encode
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    SOUNDS_AHEAD,
    SPEECH_RATE_HZ,
    Pcm,
    Phoneme,
    SpeechChunk,
    Word,
)

Floats: TypeAlias = NDArray[np.float32]
Content: TypeAlias = Callable[[int], Floats]  # number of tokens T -> C^s (1, C, T)

_log = logging.getLogger(__name__)
# Frames of silence before the next clause, by what ended the last: 0.24 s, 0.12 s, or none.
_PAUSES: Final = ((re.compile(r"[.!?…][\"'”’)]*$"), 6), (re.compile(r"[,;:—]$"), 3))
# Of silence, behind the chunk with the last sound: as far as a face that follows the sound looks.
_SETTLED_FRAMES: Final = 2 * CHUNK_FRAMES
_WARMUP: Final = "hello there"
_GIVEN: Final = StyleRecipe(alpha=0.0, beta=0.0)  # S^s is the whole style


@dataclass(frozen=True, slots=True, eq=False)
class VoiceRequest:
    """What to say next.

    Attributes:
        text: A clause.
        style: S^s (1, 256).
        content: Makes C^s for a number of tokens; None: the voice's own text encoder.
        index: Number that its chunks bear.
        speed: Speaking rate.
        seed: Of the source's noise.
        gain: Loudness, 1 is the voice's own.
        is_sampled: Whether the clause's own style is drawn by the voice's denoiser and mixed with
            S^s, its reference.
    """

    text: str
    style: Style
    content: Content | None = None
    index: int = 0
    speed: float = 1.0
    seed: int = 0
    gain: float = 1.0
    is_sampled: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a clause lies, in frames of the face: ``pause`` before it, its ``first``, how many."""

    pause: int
    first: int
    frames: int


class VoiceStream:
    """One reply after the other. Not thread-safe."""

    def __init__(self, speaker: Speaker, recipe: Recipe, most: int = MAX_TOKENS) -> None:
        self._speaker, self._recipe, self._most = speaker, recipe, most
        self.reset()

    def reset(self) -> None:
        """Drop what was not given out; the next clause begins at 0."""
        self._start = 0  # sample of the first not given out
        self._pcm: Pcm = np.zeros(0, np.float32)
        self._frames = 0  # of the face that are placed
        self._pause = 0
        self._is_settled = True  # all that was said is given out
        self._phonemes: list[Phoneme] = []
        self._words: list[Word] = []
        self._clauses: list[tuple[int, int]] = []
        self._carried: Style | None = None  # of the clause before
        self._coming: Iterator[Pcm] = iter(())
        # The statistics of the generator's norms go on from clause to clause of a reply.
        self._moments = self._speaker.new_moments()

    def push(self, item: VoiceRequest) -> list[SpeechChunk]:
        """Say a clause after the last one; text without words gives nothing."""
        self.begin(item)
        return list(self.chunks())

    def begin(self, item: VoiceRequest) -> Placed | None:
        """Prepare a clause: text, durations, curves. Its sound comes with ``chunks``.

        Returns:
            Where it lies; None where there is nothing to say.
        """
        for _ in self.chunks():
            raise RuntimeError("voice: expected the chunks of the last clause to be taken first")
        said = pronounce(item.text, self._recipe.notation)
        parts = _fitting(said, self._most)
        unsaid = sum(bool(part.text) for part in said[len(parts) :])
        if unsaid:
            _log.warning(
                "voice: expected a clause of at most %d symbols; its last words are left out: %d",
                self._most,
                unsaid,
            )
        if not any(part.text for part in parts):
            return None
        notation = self._recipe.notation
        symbols, starts = join_symbols(parts, notation)
        tokens = encode(symbols, self._recipe.wrap, notation)
        content = None if item.content is None else item.content(len(tokens))
        clause = self._speaker.prepare(
            tokens, self._style(item, tokens), delivery=Delivery(rate=item.speed), text=content
        )
        pause, first = self._pause, self._frames + self._pause
        frames = -(-clause.samples // FRAME_SAMPLES)
        phonemes, words = place_parts(parts, starts, clause.frames)
        begin = first * FRAME_SAMPLES
        self._phonemes += [replace(p, start=begin + p.start, end=begin + p.end) for p in phonemes]
        self._words += [replace(w, start=begin + w.start, end=begin + w.end) for w in words]
        self._clauses.append((first * FRAME_SAMPLES, item.index))
        self._frames = first + frames
        self._pause = next((long for end, long in _PAUSES if end.search(item.text.rstrip())), 0)
        self._coming = self._sound(clause, pause, frames, item)
        self._is_settled = False
        return Placed(pause, first, frames)

    def settle(self) -> Placed | None:
        """Prepare silence up to a whole chunk, since the next clause is late.

        Returns:
            Where it lies; None where nothing was said since the last time.
        """
        if self._is_settled:
            return None
        left = self._frames - self._start // FRAME_SAMPLES
        until = max(left + self._pause, left + -left % CHUNK_FRAMES + _SETTLED_FRAMES)
        until += -until % CHUNK_FRAMES
        placed = Placed(0, self._frames, until - left)
        silence = np.zeros(placed.frames * FRAME_SAMPLES, np.float32)
        self._coming = chain(self._coming, (silence,))
        self._frames += placed.frames
        self._pause, self._is_settled = 0, True
        return placed

    def chunks(self) -> Iterator[SpeechChunk]:
        """Yield the chunks that are whole, as the sound is made."""
        while True:
            while len(self._pcm) >= CHUNK_SAMPLES:
                yield self._chunk()
            piece = next(self._coming, None)
            if piece is None:
                return
            self._pcm = np.concatenate((self._pcm, piece))

    def flush(self) -> list[SpeechChunk]:
        """Return the rest, padded to whole chunks; the next clause begins at 0."""
        chunks = list(self.chunks())
        if len(self._pcm):
            self._pcm = np.pad(self._pcm, (0, -len(self._pcm) % CHUNK_SAMPLES))
            chunks.extend(self.chunks())
        self.reset()
        return chunks

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _style(self, item: VoiceRequest, tokens: list[int]) -> MixedStyle:
        if not item.is_sampled:
            return mix(None, item.style, None, _GIVEN)
        sampled = self._speaker.sample_style(tokens, item.style, item.seed, len(self._clauses))
        style = mix(sampled, item.style, self._carried, self._recipe.style)
        self._carried = style.carried
        return style

    def _sound(self, clause: Clause, pause: int, frames: int, item: VoiceRequest) -> Iterator[Pcm]:
        """Yield silence, the clause, and silence to the end of its last frame."""
        yield np.zeros(pause * FRAME_SAMPLES, np.float32)
        left = frames * FRAME_SAMPLES
        for piece in self._speaker.sound(clause, self._moments, item.seed):
            left -= len(piece)
            yield piece * np.float32(item.gain)
        yield np.zeros(max(0, left), np.float32)

    def _chunk(self) -> SpeechChunk:
        start, end = self._start, self._start + CHUNK_SAMPLES
        pcm, self._pcm = self._pcm[:CHUNK_SAMPLES], self._pcm[CHUNK_SAMPLES:]
        self._start = end
        chunk = SpeechChunk(
            start=start,
            pcm=np.clip(pcm, -1.0, 1.0),
            phonemes=tuple(
                p for p in self._phonemes if p.end > start and p.start < end + SOUNDS_AHEAD
            ),
            words=tuple(word for word in self._words if start <= word.start < end),
            clause_index=next(
                (index for first, index in reversed(self._clauses) if first <= start),
                self._clauses[0][1] if self._clauses else 0,
            ),
        )
        self._phonemes = [p for p in self._phonemes if p.end > end]
        self._words = [word for word in self._words if word.start >= end]
        return chunk


class VoiceEngine:
    """The voice for all callers.

    Args:
        speaker: Its graphs.
        recipe: Of the same model.
        style_size: Numbers of S^s.
        most: Symbols of a clause, with those at both ends.
    """

    spec: Final = EngineSpec("voice", input_rate_hz=1, output_rate_hz=SPEECH_RATE_HZ, chunk=1)

    def __init__(
        self, speaker: Speaker, recipe: Recipe, style_size: int = 256, most: int = MAX_TOKENS
    ) -> None:
        self._parts = speaker, recipe, most
        self._style_size = style_size

    def warmup(self) -> None:
        """Say something to nobody."""
        self.open().push(VoiceRequest(_WARMUP, np.zeros((1, self._style_size), np.float32)))

    def open(self) -> VoiceStream:
        """Return a stream of its own."""
        return VoiceStream(*self._parts)


def _fitting(parts: tuple[Pronounced, ...], most: int) -> tuple[Pronounced, ...]:
    """Return the parts that ``most`` symbols are enough for, with spaces and both ends."""
    kept, used = [], 2
    for part in parts:
        used += len(part.symbols) + 1
        if used > most:
            break
        kept.append(part)
    return tuple(kept)
