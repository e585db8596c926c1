"""The talking-head stage: speech atoms → face motion, and the living face → pictures.

Two halves. ``animate`` moves the face to the sounds of a reply, 200 ms at a time and ahead of
playout. ``Face`` is one caller's portrait: at every tick it adds life (blinks, gaze, breath, nods,
mirroring) to what the reply moves, just in time, and draws. It knows nothing of transports.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import numpy as np

from engines.contract import Stream
from engines.motion.articulation import ArticulationInput
from engines.motion.presence import CallerCue, PresenceInput
from engines.types import (
    ATOM_FRAMES,
    I420,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    FaceStyle,
    Motion,
    MotionFrame,
    SpeechAtom,
    VoiceStyle,
)
from rt_avatar.budget import Budget
from rt_avatar.engine_room.kinds import Articulator, Presence, Renderer
from rt_avatar.engine_room.worker import EngineWorker
from rt_avatar.errors import EngineError
from rt_avatar.messages import Affect, AvatarAtom, State
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.playout.tracks import Painted
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


def _visible() -> MotionFrame:
    """Return the change of each number that moves any line by about a tenth of a pixel at 512 px.

    From the rig's geometry: a shape at full weight moves its points by at most 37 px (the jaw),
    most by 5 to 12; a head of 143 px turns 0.11 px with 0.0008 rad. Less cannot be seen, and more
    than a third of an idle face's pictures need not be drawn.
    """
    change = np.full(MOTION_SIZE, 0.004, np.float32)
    change[PITCH : ROLL + 1] = change[SHIFT_X : SHIFT_Y + 1] = 0.0008
    return change


_VISIBLE: Final = _visible()


@dataclass(slots=True)
class Mood:
    """What the face reacts to; the session writes it, ``Face`` reads it at every tick."""

    state: State = "listening"
    style: FaceStyle = field(default_factory=FaceStyle)
    caller: CallerCue = field(
        default_factory=lambda: CallerCue(False, False, 0.0, 0.0, False, False)
    )


class Face:
    """One caller's portrait. ``paint`` is called once a tick, ``mood`` may change any time."""

    def __init__(
        self,
        presence: Presence,
        renderer: Renderer,
        worker: EngineWorker,
        budget: Budget,
        look: str,
        seed: int,
    ) -> None:
        self.mood = Mood()
        self._budget = budget
        self._renderer = renderer
        self._worker = worker
        self._presence = presence.open(seed)
        self._look = look
        # Of `_shown_look`; opened by the first picture.
        self._portrait: Stream[MotionFrame, I420] | None = None
        self._shown_look = ""
        self._drawn: Painted | None = None  # the last picture, shown again while nothing moves
        self._moments: list[PresenceInput] = []  # ticks lived through since the last picture
        self._drawing: asyncio.Future[Painted] | None = None  # behind the picture that is shown

    def change_look(self, look: str) -> None:
        """Draw another person from the next picture on; the motion goes on."""
        self._look = look

    def hear(self, *, is_speaking: bool) -> None:
        """Notice that the caller speaks or has stopped."""
        self.mood.caller = replace(self.mood.caller, is_speaking=is_speaking)

    def nod(self) -> None:
        """Notice a pause or a backchannel of the caller: the moment for a nod."""
        self.mood.caller = replace(self.mood.caller, has_paused=True)

    def see(self, affect: Affect) -> None:
        """Notice how the caller seems to feel, to mirror it."""
        self.mood.caller = replace(
            self.mood.caller,
            valence=affect.valence,
            arousal=affect.arousal,
            is_smiling=affect.is_smiling,
            has_face=affect.has_face,
        )

    async def paint(self, motion: MotionFrame | None) -> Painted:
        """Draw the next picture; ``motion`` is what the reply moves, None when it is silent."""
        if self._shown_look != self._look:
            await self._open(self._look)
        mood, effort = self.mood, self._budget.effort
        if not effort.moves_face:
            motion = None
        self._moments.append(PresenceInput(mood.state, motion, mood.style, mood.caller))
        if mood.caller.has_paused:  # an edge: seen once
            mood.caller = replace(mood.caller, has_paused=False)
        is_drawing = self._is_drawing()
        if self._drawn is not None:
            if is_drawing or len(self._moments) < effort.draw_every:
                return self._drawn
            if not effort.moves_face:  # lips that rest cannot be late: let it be drawn meanwhile
                self._drawing = self._start_drawing()
                return self._drawn
        return await self._start_drawing()

    def _is_drawing(self) -> bool:
        """Whether a picture is being drawn; if it failed meanwhile, raise."""
        drawing = self._drawing
        if drawing is None or not drawing.done():
            return drawing is not None
        self._drawing = None
        drawing.result()
        return False

    def _start_drawing(self) -> asyncio.Future[Painted]:
        loop = asyncio.get_running_loop()
        begin_s = loop.time()
        moments, self._moments = self._moments, []
        drawing = self._worker.start(self._draw, moments)
        drawing.add_done_callback(lambda _: self._budget.note_picture(loop.time() - begin_s))
        return drawing

    async def aclose(self) -> None:
        """Give back the textures. A picture that is being drawn is finished first."""
        if self._portrait is not None:
            await self._worker.call(self._portrait.close)

    async def _open(self, look: str) -> None:
        """Bake a look's textures (up to 0.5 s, once a process) away from loop and worker."""
        portrait = await asyncio.to_thread(self._renderer.open, look)
        old, self._portrait, self._shown_look = self._portrait, portrait, look
        if old is not None:
            await self._worker.call(old.close)
        self._drawn = self._drawing = None

    def _draw(self, moments: Sequence[PresenceInput]) -> Painted:
        """Live through these ticks and draw the last."""
        assert self._portrait is not None, "paint opens it"
        for moment in moments:
            (frame,) = self._presence.push(moment)
        if self._drawn is None or np.max(np.abs(frame - self._drawn.motion) / _VISIBLE) >= 1:
            (picture,) = self._portrait.push(frame)
            self._drawn = Painted(picture, frame)
        return self._drawn
