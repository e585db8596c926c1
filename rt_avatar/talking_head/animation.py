"""What a reply moves: ``SpeechAtom``s → ``AvatarAtom``s, 200 ms at a time and ahead of playout.

It adds no life of its own: that is the face's, when the atom is played.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from engines.motion.articulation import ArticulationInput
from engines.types import ATOM_FRAMES, MOTION_SIZE, FaceStyle, Motion, SpeechAtom, VoiceStyle
from rt_avatar.budget import Budget
from rt_avatar.engine_room.kinds import Articulator
from rt_avatar.engine_room.worker import EngineWorker
from rt_avatar.errors import EngineError
from rt_avatar.messages import AvatarAtom
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.queues import End, Pipe
from rt_avatar.telemetry.trace import TurnTrace


class Manner(Protocol):
    """How speech is meant; looked at for every atom. A ``Plan`` is one that never changes."""

    @property
    def face(self) -> FaceStyle:
        """How the face feels."""
        ...

    @property
    def voice(self) -> VoiceStyle:
        """How the voice speaks."""
        ...


async def animate(
    manner: Manner,
    atoms: Pipe[SpeechAtom | End],
    reply: ReplyBuffer,
    trace: TurnTrace,
    budget: Budget,
    articulator: Articulator,
    worker: EngineWorker,
) -> None:
    """Turn speech atoms into avatar atoms until ``END``.

    An articulator with look-ahead gives an atom's motion only when later ones were pushed: until
    then the atom waits here, so sound and face always go on together and in order.

    Raises:
        EngineError: The articulator failed.
    """
    loop = asyncio.get_running_loop()
    stream = articulator.open()
    waiting: deque[SpeechAtom] = deque()  # as many as the look-ahead, and the newest
    came_s = loop.time()  # when the newest came

    async def pass_on(motions: Sequence[Motion]) -> None:
        for motion in motions:
            atom = waiting.popleft()
            # What the look-ahead waits for is the voice's time, not the face's.
            trace.mark("first_atom", came_s)
            if trace.mark("first_frame", loop.time()):
                budget.note_turn(trace.stages_s())
            await reply.put(AvatarAtom(reply.turn, atom.start, atom.pcm, motion, atom.words))

    try:
        while not isinstance(atom := await atoms.get(), End):
            came_s = loop.time()
            was_waiting = bool(waiting)
            waiting.append(atom)
            effort = budget.effort
            if effort.moves_face:
                moved = ArticulationInput(atom, manner.face, manner.voice, effort.few_steps)
                motions = await worker.call(stream.push, moved)
                budget.note_atom("face", loop.time() - came_s)
            else:
                if was_waiting:  # their motion is not wanted any more
                    stream.reset()
                motions = [_RESTING] * len(waiting)
            await pass_on(motions)
        if waiting:
            await pass_on(await worker.call(stream.flush))
        assert not waiting, "a flushed articulator has given a motion for every atom"
    except (ValueError, RuntimeError) as error:
        raise EngineError("articulation", str(error)) from error
    finally:
        stream.close()


# What the reply moves while the face idles: nothing.
_RESTING: Final = np.zeros((ATOM_FRAMES, MOTION_SIZE), np.float32)
