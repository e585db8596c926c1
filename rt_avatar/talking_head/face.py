"""Render one caller's face: motion of the speech and of presence → pictures.

At every tick it adds life (blinks, gaze, breath, nods, mirroring) to what the reply moves, just in
time, and draws what can be seen to have moved. It knows nothing of transports.
"""

import asyncio
import logging
import random
from dataclasses import dataclass, field, replace
from typing import Final

from rt_avatar.budget import Budget
from rt_avatar.engines.contract import Stream
from rt_avatar.engines.motion.presence import CallerCue, PresenceInput
from rt_avatar.engines.motion.space import ARKIT52, MotionSpace
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.types import I420, FaceStyle, MotionFrame
from rt_avatar.messages import Affect, State
from rt_avatar.personas import Persona
from rt_avatar.playout.tracks import RenderedPicture
from rt_avatar.services.engines import Engines
from rt_avatar.services.interfaces import Presence, Renderer
from rt_avatar.services.worker import EngineWorker

_log = logging.getLogger(__name__)
# In units of what could be seen, a tenth of a pixel. Slow sway is drawn in every second tick: at a
# tenth of a pixel a tick it cannot be told from every tick; what moves faster is drawn at once.
_SEEN: Final = 1.0
_SEEN_AT_ONCE: Final = 2.0
_SLOW_TICKS: Final = 2


@dataclass(slots=True)
class Mood:
    """What the face reacts to; the session writes it, ``Face`` reads it at every tick."""

    state: State = "listening"
    style: FaceStyle = field(default_factory=FaceStyle)
    caller: CallerCue = field(
        default_factory=lambda: CallerCue(False, False, 0.0, 0.0, False, False)
    )


class Face:
    """One caller's portrait. ``render`` is called once a tick, ``mood`` may change any time.

    Args:
        presence: Gives it life.
        renderer: Draws it.
        worker: Where it is drawn. Living a tick takes less than asking a thread does.
        budget: Of the session's time.
        look: Who is drawn first.
        seed: Of its life.
        space: Of the motion that presence gives and the renderer takes.
        own_look: Drawn instead where ``look`` cannot be; empty: nothing is.
    """

    def __init__(
        self,
        presence: Presence,
        renderer: Renderer,
        worker: EngineWorker,
        budget: Budget,
        look: str,
        seed: int,
        space: MotionSpace = ARKIT52,
        own_look: str = "",
    ) -> None:
        self._space = space
        self.mood = Mood()
        self._budget = budget
        self._renderer = renderer
        self._worker = worker
        self._presence = presence.open(seed)
        self._look = look
        self._own_look = own_look or look  # of who answers; shown where another one cannot be
        # Of `_shown_look`; opened by the first picture.
        self._portrait: Stream[MotionFrame, I420] | None = None
        self._shown_look = ""
        self._is_own_shown = True  # or nothing yet
        self._drawn: RenderedPicture | None = (
            None  # the last picture, shown again while nothing moves
        )
        self._age = 0  # ticks since its motion was drawn, or began to be
        self._drawing: asyncio.Future[RenderedPicture] | None = (
            None  # behind the picture that is shown
        )

    def change_look(self, look: str, own_look: str = "") -> None:
        """Draw another person from the next picture on; the motion goes on.

        Args:
            look: Who is drawn.
            own_look: Of who answers now; empty: the same as before.
        """
        self._look = look
        self._own_look = own_look or self._own_look

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

    async def render(self, motion: MotionFrame | None) -> RenderedPicture:
        """Draw the next picture; ``motion`` is what the reply moves, None when it is silent."""
        if self._shown_look != self._look:
            await self._open(self._look)
        mood, effort = self.mood, self._budget.effort
        if not effort.moves_face:
            motion = None
        (frame,) = self._presence.push(PresenceInput(mood.state, motion, mood.style, mood.caller))
        self._age += 1
        if mood.caller.has_paused:  # an edge: seen once
            mood.caller = replace(mood.caller, has_paused=False)
        is_drawing = self._is_drawing()
        if self._drawn is not None:
            if is_drawing or self._age < effort.draw_every or not self._has_moved(frame):
                return self._drawn
            if not effort.moves_face:  # lips that rest cannot be late: let it be drawn meanwhile
                self._drawing = self._start_drawing(frame)
                return self._drawn
        return await self._start_drawing(frame)

    def _has_moved(self, frame: MotionFrame) -> bool:
        """Whether it can be seen that this is not the motion of the last picture."""
        assert self._drawn is not None, "a first picture is drawn whatever it shows"
        enough = _SEEN_AT_ONCE if self._age < _SLOW_TICKS else _SEEN
        return self._space.difference(frame, self._drawn.motion) >= enough

    def _is_drawing(self) -> bool:
        """Whether a picture is being drawn; if it failed meanwhile, raise."""
        drawing = self._drawing
        if drawing is None or not drawing.done():
            return drawing is not None
        self._drawing = None
        drawing.result()
        return False

    def _start_drawing(self, frame: MotionFrame) -> asyncio.Future[RenderedPicture]:
        loop = asyncio.get_running_loop()
        begin_s, self._age = loop.time(), 0
        drawing = self._worker.start(self._draw, frame)
        drawing.add_done_callback(lambda _: self._budget.note_picture(loop.time() - begin_s))
        return drawing

    async def aclose(self) -> None:
        """Give back the textures. A picture that is being drawn is finished first."""
        if self._portrait is not None:
            await self._worker.call(self._portrait.close)

    async def _open(self, look: str) -> None:
        """Bake a look's textures (up to 0.5 s, once a process) away from loop and worker."""
        own_look = self._own_look
        try:
            portrait = await asyncio.to_thread(self._renderer.open, look)
        except PortraitError as error:  # deleted since it was asked for
            _log.warning("a face could not be shown: %s", error)
            own_look = self._own_look  # another one may answer by now
            fallback = own_look if self._is_own_shown else self._shown_look
            if self._look == look:  # and none has been asked for meanwhile
                self._look = fallback
            if fallback == self._shown_look:
                return
            portrait, look = await asyncio.to_thread(self._renderer.open, fallback), fallback
        old, self._portrait, self._shown_look = self._portrait, portrait, look
        self._is_own_shown = look == own_look
        if old is not None:
            await self._worker.call(old.close)
        self._drawn = self._drawing = None

    def _draw(self, frame: MotionFrame) -> RenderedPicture:
        assert self._portrait is not None, "render opens it"
        (picture,) = self._portrait.push(frame)
        self._drawn = RenderedPicture(picture, frame)
        return self._drawn


def make_face(engines: Engines, budget: Budget, persona: Persona, look: str, name: str) -> Face:
    """Return the face of a persona, or ``look`` in its place; ``name`` is the seed of its life."""
    return Face(
        engines.presence,
        engines.rig,
        engines.face_worker,
        budget,
        look or persona.name,
        random.Random(name).randrange(2**31),
        engines.motion_space,
        persona.name,
    )
