"""A reply while it is spoken: clauses in, 200 ms of sound, motion and pictures at a time out."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.dreamtalk.pose import STILL, cropped_as_learnt
from rt_avatar.engines.empatheia.clauses import ReplyClause
from rt_avatar.engines.empatheia.dialogue import Dialogue, Pictures, Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.generators import articulator_of, face_style, voice_of
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.presence import VIEWER, PresenceEngine, PresenceInput
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    EXPRESSION_SIZE,
    Motion,
    MotionFrame,
    SpeechChunk,
    VoiceStyle,
)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """200 ms of the answer: sound, (5, 73) motion, (5, size, size, 3) pictures."""

    chunk: SpeechChunk
    motion: Motion
    frames: Pictures


class Performance:
    """One answer while it is spoken: clauses in, moments out. Not thread-safe.

    A face that the package's motion moves lives (blinks, looks, sways) as in a call; the network's
    own motion holds its head still.

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
        live = LiveStyles(engines)
        self._voice = voice_of(engines, live, options).open()
        self._motion = articulator_of(engines, live, options).open()
        self._voice_style = VoiceStyle(vector=styles.voice)
        self._face_style = face_style(engines, styles)
        lives = engines.manifest.guides_nano_voice
        self._presence = PresenceEngine().open(options.seed) if lives else None
        pose = None if lives else STILL
        self._face = engines.face(options.lookahead_frames, pose).open(dialogue.portrait)
        self._by_synchronizer = options.content_source == "cs"
        self._chunks: deque[SpeechChunk] = deque()
        self._rows: deque[MotionFrame] = deque()
        self._pictures: deque[NDArray[np.uint8]] = deque()

    def say(self, clause: ReplyClause) -> Iterator[Moment]:
        """Speak a clause after the last one."""
        states = clause.states if self._by_synchronizer else None
        request = SpeechRequest(clause.text, self._voice_style, clause.index, states)
        for chunk in self._voice.say(request):
            self._hear(chunk)
            yield from self._ready()

    def finish(self) -> Iterator[Moment]:
        """Speak what is left, and let the face end."""
        for chunk in self._voice.flush():
            self._hear(chunk)
            yield from self._ready()
        self._draw(self._motion.flush())
        self._pictures.extend(self._face.flush())
        yield from self._ready()

    def _hear(self, chunk: SpeechChunk) -> None:
        """Let the face follow 200 ms of speech."""
        self._chunks.append(chunk)
        item = ArticulationInput(chunk, self._face_style, self._voice_style)
        self._draw(self._motion.push(item))

    def _draw(self, motions: list[Motion]) -> None:
        for row in (self._shown(row) for motion in motions for row in motion):
            self._rows.append(row)
            self._pictures.extend(self._face.push(row))

    def _shown(self, row: MotionFrame) -> MotionFrame:
        if self._presence is None:
            row[EXPRESSION_SIZE:] = STILL[0]
            return row
        (lived,) = self._presence.push(PresenceInput("speaking", row, self._face_style, VIEWER))
        return cropped_as_learnt(lived)

    def _ready(self) -> Iterator[Moment]:
        while self._chunks and len(self._pictures) >= CHUNK_FRAMES:
            rows = [self._rows.popleft() for _ in range(CHUNK_FRAMES)]
            pictures = [self._pictures.popleft() for _ in range(CHUNK_FRAMES)]
            yield Moment(self._chunks.popleft(), np.stack(rows), np.stack(pictures))
