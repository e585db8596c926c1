"""Animate a reply: ``SpeechChunk``s → ``AvatarChunk``s of 200 ms, ahead of playout.

It adds no life of its own: that is the face's, when the chunk is played.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from rt_avatar.budget import Budget
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    MOTION_SIZE,
    FaceStyle,
    Motion,
    SpeechChunk,
    VoiceStyle,
)
from rt_avatar.errors import EngineError
from rt_avatar.messages import AvatarChunk
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.queues import End, Pipe
from rt_avatar.services.interfaces import Articulator
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.trace import TurnTrace


class ReplyStyle(Protocol):
    """How speech is meant; looked at for every chunk. A ``Plan`` is one that never changes."""

    @property
    def face(self) -> FaceStyle:
        """How the face feels."""
        ...

    @property
    def voice(self) -> VoiceStyle:
        """How the voice speaks."""
        ...


async def animate(
    style: ReplyStyle,
    chunks: Pipe[SpeechChunk | End],
    reply: ReplyBuffer,
    trace: TurnTrace,
    budget: Budget,
    articulator: Articulator,
    worker: EngineWorker,
) -> None:
    """Turn speech chunks into avatar chunks until ``END``.

    An articulator with look-ahead gives a chunk's motion only when later ones were pushed: until
    then the chunk waits here, so sound and face always go on together and in order.

    Raises:
        EngineError: The articulator failed.
    """
    loop = asyncio.get_running_loop()
    stream = articulator.open()
    waiting: deque[SpeechChunk] = deque()  # as many as the look-ahead, and the newest
    came_s = loop.time()  # when the newest came

    async def pass_on(motions: Sequence[Motion]) -> None:
        for motion in motions:
            chunk = waiting.popleft()
            # What the look-ahead waits for is the voice's time, not the face's.
            trace.mark("first_chunk", came_s)
            if trace.mark("first_frame", loop.time()):
                took = trace.stages_s()
                if "think" not in took:  # a foreign voice is late or early by itself
                    del took["voice"]
                budget.note_turn(took)
            await reply.put(AvatarChunk(reply.turn, chunk.start, chunk.pcm, motion, chunk.words))

    try:
        while not isinstance(chunk := await chunks.get(), End):
            came_s = loop.time()
            was_waiting = bool(waiting)
            waiting.append(chunk)
            effort = budget.effort
            if effort.moves_face:
                moved = ArticulationInput(chunk, style.face, style.voice, effort.few_steps)
                motions = await worker.call(stream.push, moved)
                budget.note_chunk("face", loop.time() - came_s)
            else:
                if was_waiting:  # their motion is not wanted any more
                    stream.reset()
                motions = [_RESTING] * len(waiting)
            await pass_on(motions)
        if waiting:
            await pass_on(await worker.call(stream.flush))
        assert not waiting, "a flushed articulator has given a motion for every chunk"
    except (ValueError, RuntimeError) as error:
        raise EngineError("articulation", str(error)) from error
    finally:
        stream.close()


# What the reply moves while the face idles: nothing.
_RESTING: Final = np.zeros((CHUNK_FRAMES, MOTION_SIZE), np.float32)
