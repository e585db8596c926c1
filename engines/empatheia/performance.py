"""A reply while it is spoken: clauses in, 200 ms of sound, motion and pictures at a time out."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.empatheia.clauses import ReplyClause
from rt_avatar.engines.empatheia.contents import Contents
from rt_avatar.engines.empatheia.dialogue import Dialogue, Pictures, Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.encoders.waveform import FEATURE_SAMPLES, REACH_SAMPLES
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    INPUT_RATE_HZ,
    SPEECH_RATE_HZ,
    Motion,
    MotionFrame,
    Pcm,
    SpeechChunk,
)

Floats: TypeAlias = NDArray[np.float32]

# The last feature of a chunk reaches so far beyond it: silence, at the end of the speech.
_TAIL: Final = np.zeros(REACH_SAMPLES - FEATURE_SAMPLES, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """200 ms of the answer: sound, (5, 73) motion, (5, size, size, 3) pictures."""

    chunk: SpeechChunk
    motion: Motion
    frames: Pictures


class Performance:
    """One answer while it is spoken: clauses in, moments out. Not thread-safe.

    Args:
        engines: Of all answers.
        dialogue: Whose portrait speaks.
        options: ``effective``.
        styles: How it sounds and looks.
    """

    def __init__(
        self,
        engines: EmpatheiaEngines,
        dialogue: Dialogue,
        options: EmpatheiaOptions,
        styles: Styles,
    ) -> None:
        self._engines, self._options, self._styles = engines, options, styles
        self._voice = engines.voice.open()
        self._face = engines.face(options.lookahead_frames).open(dialogue.portrait)
        self._by_synchronizer = options.content_source == "cs"
        motion = engines.content_motion if self._by_synchronizer else engines.sound_motion
        self._motion = motion.open(options.seed)
        self._motion.set_style(styles.face[0])
        self._ahead = motion.spec.lookahead + options.lookahead_frames
        self._contents = Contents(engines)
        self._features = engines.features.open()
        self._resampler = _resampler()
        self._pushed = 0  # contents
        self._spoken = 0  # chunks
        self._chunks: deque[SpeechChunk] = deque()
        self._rows: deque[MotionFrame] = deque()
        self._pictures: deque[NDArray[np.uint8]] = deque()

    def say(self, clause: ReplyClause) -> Iterator[Moment]:
        """Speak a clause after the last one."""
        placed = self._voice.begin(saying(self._engines, clause, self._styles, self._options))
        if placed is None:
            return
        if self._by_synchronizer:
            self._contents.add(clause.states, placed)
        for chunk in self._voice.chunks():
            self._hear(chunk)
            yield from self._ready()

    def finish(self) -> Iterator[Moment]:
        """Speak what is left, and let the face end."""
        for chunk in self._voice.flush():
            self._hear(chunk)
            yield from self._ready()
        if self._by_synchronizer:
            self._move(self._contents.take(CHUNK_FRAMES * self._spoken - self._pushed))
        elif self._spoken:
            rest = self._resampler.resample_chunk(np.zeros(0, np.float32), last=True)
            for features in self._features.push(np.concatenate((rest, _TAIL))):
                self._move(features)
            for features in self._features.flush():
                self._move(features)
        self._draw(self._motion.flush())
        self._pictures.extend(self._face.flush())
        yield from self._ready()

    def _hear(self, chunk: SpeechChunk) -> None:
        """Let the face follow 200 ms of speech."""
        self._chunks.append(chunk)
        self._spoken += 1
        if self._by_synchronizer:
            wanted = CHUNK_FRAMES * self._spoken + self._ahead - self._pushed
            self._move(self._contents.take(wanted, is_end=False))
            return
        for features in self._features.push(self._resampler.resample_chunk(chunk.pcm)):
            self._move(features)

    def _move(self, items: Floats) -> None:
        self._pushed += len(items)
        self._draw(self._motion.push(items))

    def _draw(self, rows: list[MotionFrame]) -> None:
        self._rows.extend(rows)
        for row in rows:
            self._pictures.extend(self._face.push(row))

    def _ready(self) -> Iterator[Moment]:
        while self._chunks and len(self._pictures) >= CHUNK_FRAMES:
            rows = [self._rows.popleft() for _ in range(CHUNK_FRAMES)]
            pictures = [self._pictures.popleft() for _ in range(CHUNK_FRAMES)]
            yield Moment(self._chunks.popleft(), np.stack(rows), np.stack(pictures))


def saying(
    engines: EmpatheiaEngines, clause: ReplyClause, styles: Styles, options: EmpatheiaOptions
) -> VoiceRequest:
    """Return a clause as the voice takes it."""

    def content(tokens: int) -> Floats:
        return engines.voice_content(clause.states, tokens)

    by_synchronizer = options.content_source == "cs"
    return VoiceRequest(
        clause.text,
        styles.voice,
        content if by_synchronizer else None,
        clause.index,
        options.speed,
        options.seed,
        is_sampled=options.style_source == "diffusion",
    )


def features_of(engines: EmpatheiaEngines, pcm: Pcm) -> Floats:
    """Return the features of all of a speech."""
    heard = engines.features.open()
    resampler = _resampler()
    sound = np.concatenate((resampler.resample_chunk(pcm, last=True), _TAIL))
    features = heard.push(sound) + heard.flush()
    return np.concatenate([np.zeros((0, engines.manifest.feature_size), np.float32), *features])


def _resampler() -> soxr.ResampleStream:
    return soxr.ResampleStream(SPEECH_RATE_HZ, INPUT_RATE_HZ, 1, dtype="float32")
