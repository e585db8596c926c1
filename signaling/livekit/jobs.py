"""Run the jobs of this process: accept, run and end one call for each room.

LiveKit asks a worker whether it takes a job (``on_request``, on the worker's own event loop); each
job taken then runs in a thread with an event loop of its own (``run_job``). What crosses from one
to the other is guarded by a lock or handed over by ``call_soon_threadsafe``.
"""

import asyncio
import logging
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from livekit import agents, rtc
from livekit.agents.types import ATTRIBUTE_PUBLISH_ON_BEHALF
from livekit.protocol import agent as protocol

from rt_avatar.config.settings import Settings
from rt_avatar.errors import AdmissionError, BadInputError
from rt_avatar.reasoner import Reasoner
from rt_avatar.services.engines import Engines
from rt_avatar.services.portraits import Portraits
from rt_avatar.signaling.caller_texts import TEXTS
from rt_avatar.signaling.livekit.avatar_call import AvatarCall
from rt_avatar.signaling.livekit.dispatches import Dispatches, delete_dispatch, hand_over
from rt_avatar.signaling.livekit.job_metadata import parse_metadata
from rt_avatar.signaling.livekit.names import ATTRIBUTE_DISPATCH
from rt_avatar.signaling.livekit.room_call import RoomCall
from rt_avatar.signaling.load import LoadMeter
from rt_avatar.signaling.server_context import ServerContext
from rt_avatar.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

# LiveKit chooses among workers by 1 - load, and never one whose load is 1: that is "full".
FULL: Final = 1.0
MOST: Final = 0.99  # reported at most by a worker that takes one more
# After these the dispatch stays, if there still is one: somebody will miss the avatar.
KEPT: Final = frozenset({"disconnected", "dismissed"})
# From the yes to a job until its thread runs it; on a busy machine some seconds.
BEGIN_S: Final = 60.0
DISMISS_S: Final = 1.0  # the server itself throws out who has not left after 3 s
_NOTHING_RECORDED: Final = agents.RecordingOptions(
    audio=False, traces=False, logs=False, transcript=False
)


class RoomJob(Protocol):
    """What a job runs; all methods on the job's own event loop."""

    async def run(self) -> str:
        """Live until it is over; return the reason."""
        ...

    def end(self, reason: str) -> None:
        """Let it end soon."""
        ...

    def notify(self, code: str, text: str) -> None:
        """Show the room something in plain words."""
        ...


@dataclass(slots=True)
class _Place:
    """A job that was taken; ``loop`` once it runs, and ``call`` when it has joined."""

    dispatch_id: str
    call: RoomJob | None = None
    loop: asyncio.AbstractEventLoop | None = None


class RoomJobs:
    """Owned by the worker. Methods say where they may be called.

    ``on_given_up`` is told the id of a job that was taken and never began.
    """

    def __init__(
        self,
        settings: Settings,
        engines: Engines,
        new_reasoner: Callable[[], Reasoner],
        metrics: Metrics,
        dispatches: Dispatches,
    ) -> None:
        self.metrics = metrics
        self.load_meter = LoadMeter(metrics, lambda: self.count)
        self.is_draining = False
        self.on_given_up: Callable[[str], None] = lambda job_id: None
        self._settings = settings
        self._engines = engines
        self._new_reasoner = new_reasoner
        self._dispatches = dispatches
        self._places: dict[str, _Place] = {}
        self._lock = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._has_changed = asyncio.Event()

    # --- for LiveKit's choice; any thread -----------------------------------------------------
    @property
    def count(self) -> int:
        """How many places are taken."""
        return len(self._places)

    def serves(self, dispatch_id: str) -> bool:
        """Whether the job of a dispatch is one of ours."""
        return any(place.dispatch_id == dispatch_id for place in list(self._places.values()))

    def load(self) -> float:
        """0..1 as LiveKit is told: the measured load, or 1 when nobody more is let in."""
        try:
            self.check_room()
        except AdmissionError:
            return FULL
        return min(self.load_meter.load, MOST)

    def check_room(self) -> None:
        """Refuse when no more rooms can be served well; as the web transport does.

        Raises:
            AdmissionError: Full, overloaded or draining.
        """
        server, count = self._settings.server, self.count
        if self.is_draining:
            raise AdmissionError("the worker is closing", reason="draining")
        if count >= server.max_sessions:
            raise AdmissionError(
                f"all {server.max_sessions} places are taken (server.max_sessions)", reason="full"
            )
        if count and (load := self.load_meter.load_with_one_more) > server.max_load:
            raise AdmissionError(
                f"the machine is too busy for one more room: with it a load of {load:.0%}, at "
                f"most {server.max_load:.0%} (server.max_load)",
                reason="overloaded",
            )

    # --- the worker's own event loop ----------------------------------------------------------
    async def on_request(self, request: agents.JobRequest) -> None:
        """Take a job, or say why not. A refused one is offered to the other workers."""
        try:
            order = parse_metadata(request.job.metadata)
            persona = order.find_persona(self._settings.avatar.persona)
            if order.portrait:
                Portraits(self._settings, self._engines.motion_space).find_named(order.portrait)
        except BadInputError as error:
            # Nobody can do it, so it is taken off the list and the room is told.
            _log.error("job refused: %s", error, extra={"session": request.id})
            self.metrics.count_rejected(error.reason)
            await request.reject(terminate=True)
            await self._dispatches.dismiss(
                request.room.name, request.job.dispatch_id, error.reason, str(error)
            )
            return
        try:
            self.check_room()
        except AdmissionError as error:
            _log.info("job not taken: %s", error, extra={"session": request.id})
            self.metrics.count_rejected(error.reason)
            await request.reject(terminate=False)
            return
        self._places[request.id] = _Place(request.job.dispatch_id)
        self._note()
        attributes = {ATTRIBUTE_DISPATCH: request.job.dispatch_id}
        if order.avatar_of:
            attributes[ATTRIBUTE_PUBLISH_ON_BEHALF] = order.avatar_of
        try:
            await request.accept(name=persona.label, identity=order.identity, attributes=attributes)
        except BaseException:
            self._release(request.id)
            raise
        self._loop.call_later(BEGIN_S, self._give_up, request.id)

    def end(self, job_id: str, reason: str) -> None:
        """Let a job's call end."""
        self._ask(job_id, lambda call: call.end(reason))

    def dismiss(self, job_id: str) -> None:
        """The server ends a job: its dispatch was deleted, or its avatar is not in the room."""
        self._ask(
            job_id,
            # Who was removed from the room hears so from the room, and that reason counts.
            lambda call: asyncio.get_running_loop().call_later(DISMISS_S, call.end, "dismissed"),
        )

    def end_all(self, reason: str) -> None:
        """Let all calls end."""
        for job_id in list(self._places):
            self.end(job_id, reason)

    def drain(self, seconds: float) -> None:
        """Take no more jobs, and tell the rooms."""
        self.is_draining = True
        text = f"This server closes in {math.ceil(seconds)} seconds; another one may take over."
        for job_id in list(self._places):
            self._ask(job_id, lambda call: call.notify("draining", text))

    async def idle(self) -> None:
        """Wait until no call goes on."""
        while self._places:
            self._has_changed.clear()
            await self._has_changed.wait()

    def _give_up(self, job_id: str) -> None:
        """Free the place of a job that never began: the library could not start it."""
        with self._lock:
            place = self._places.get(job_id)
            if place is None or place.loop is not None:
                return
            del self._places[job_id]
        self._note()
        _log.error("the job was not begun within %g s", BEGIN_S, extra={"session": job_id})
        self.metrics.count_ended("internal")
        self.on_given_up(job_id)

    def _ask(self, job_id: str, question: Callable[[RoomJob], object]) -> None:
        """Do something with a call, on its own event loop; nothing when it is gone."""
        with self._lock:
            place = self._places.get(job_id)
            call, loop = (place.call, place.loop) if place is not None else (None, None)
        if call is not None and loop is not None:
            with suppress(RuntimeError):  # that loop has just been closed
                loop.call_soon_threadsafe(question, call)

    # --- a job's own thread and event loop ----------------------------------------------------
    async def run_job(self, ctx: agents.JobContext) -> None:
        """Join the room and live there until the call is over."""
        job, reason = ctx.job, "internal"
        with self._lock:
            place = self._places.setdefault(job.id, _Place(job.dispatch_id))
            place.loop = asyncio.get_running_loop()
        try:
            ctx.init_recording(_NOTHING_RECORDED)
            reason = await self._live(ctx)
        except rtc.ConnectError as error:
            reason = "disconnected"
            _log.error("the room could not be joined: %s", error, extra={"session": job.id})
        finally:
            has_joined = self._has_joined(job.id)
            self._release(job.id)
            self.metrics.count_ended(reason)
            _log.info("call over: %s", reason, extra={"session": job.id})
            await self._settle(job, reason, has_joined=has_joined)
            await self._engines.speech.aclose()  # what it holds for this event loop
            ctx.shutdown(reason)

    async def _live(self, ctx: agents.JobContext) -> str:
        """Join the room with a reasoner whose connections belong to this event loop."""
        reasoner = self._new_reasoner()
        try:
            context = ServerContext(self._settings, self._engines, reasoner)
            await ctx.connect(auto_subscribe=agents.AutoSubscribe.SUBSCRIBE_NONE)
            return await self._call(ctx, context).run()
        finally:
            await reasoner.aclose()

    def _call(self, ctx: agents.JobContext, context: ServerContext) -> RoomJob:
        """Make the call and let the worker know it."""
        order = parse_metadata(ctx.job.metadata)
        kind = AvatarCall if order.avatar_of else RoomCall
        call: RoomJob = kind(ctx.room, order, context, ctx.job.id)
        with self._lock:
            self._places[ctx.job.id].call = call
        return call

    async def _settle(self, job: protocol.Job, reason: str, *, has_joined: bool) -> None:
        """Do with the dispatch what the end of its call asks for."""
        livekit, room = self._settings.livekit, job.room.name
        if reason == "draining":
            await hand_over(livekit, room, job.dispatch_id, job.metadata)
        elif not has_joined and reason not in KEPT:  # who has joined says goodbye itself
            await self._dispatches.dismiss(room, job.dispatch_id, reason, TEXTS[reason])
        elif reason not in KEPT:
            await delete_dispatch(livekit, room, job.dispatch_id)

    def _has_joined(self, job_id: str) -> bool:
        place = self._places.get(job_id)
        return place is not None and place.call is not None

    def _release(self, job_id: str) -> None:
        with self._lock:
            self._places.pop(job_id, None)
        self._loop.call_soon_threadsafe(self._note)

    def _note(self) -> None:
        self.metrics.sessions.set(self.count)
        self._has_changed.set()
