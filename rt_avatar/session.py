"""One caller's conversation with the avatar, wired top to bottom. Read this file first.

    inlet ──► ears ──┐ endpoints, transcripts
              eyes ──┤ affect                    ┌─► Turn: reasoner → speech → talking head
    commands ────────┼─► inbox ─► _converse ─────┤         └─► ReplyBuffer (draft: kept back)
    playout news ────┘                           └─► Playout: one clock ─► outlet

Everything that happens to a conversation goes through one inbox, in order, and is handled by one
task; so there are no locks, and what the code says is what happens. A reply is made by a ``Turn``
in its own task. At a first pause a *draft* is begun; it is released only when the end of the turn
is confirmed. A barge-in holds the sound at once, and ends the reply when it is confirmed; the
memory keeps only what was heard. The session knows nothing of WebRTC or LiveKit: media passes two
small protocols (``doors``), which outlive a connection.
"""

import asyncio
import itertools
import logging
import random
from dataclasses import replace
from typing import Final

from engines.types import HEARING_RATE_HZ, SPEECH_RATE_HZ, FaceStyle
from rt_avatar.capture import InletBuffer
from rt_avatar.commands import ChangeProfile, Command, Greet, Interrupt, Say
from rt_avatar.config import Settings
from rt_avatar.doors import Inlet, Outlet
from rt_avatar.engine_room import Engines
from rt_avatar.errors import BadInputError, SetupError
from rt_avatar.memory import Memory
from rt_avatar.messages import (
    Affect,
    Caption,
    Endpoint,
    Notice,
    SessionEvent,
    State,
    StateChanged,
    Transcript,
    TurnId,
)
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.ears import Ears
from rt_avatar.perception.eyes import Eyes
from rt_avatar.profiles import Profile, find_profile
from rt_avatar.queues import put_dropping_oldest
from rt_avatar.reasoner import Reasoner, ReplyRequest
from rt_avatar.talking_head import Face
from rt_avatar.trace import TraceBook
from rt_avatar.tracks import Played, Playout
from rt_avatar.turn import Turn, says_the_same

_log = logging.getLogger(__name__)

MAX_TEXT_CHARS: Final = 2000
# A sound without one recognised word gets a reply ("I did not catch that") only when it lasted as
# long as a short sentence; shorter ones are coughs, doors and chairs.
WORDLESS_REPLY_SAMPLES: Final = int(0.9 * HEARING_RATE_HZ)

_Inbox = Endpoint | Transcript | Played | Command


class _HungUp(Exception):
    """Ends the session's task group."""


class Session:
    """One caller. ``run`` owns every task of it and returns after ``hang_up``.

    All methods but ``run`` and ``next_event`` return at once and may be called by any door on the
    event loop.
    """

    def __init__(
        self,
        session_id: str,
        settings: Settings,
        engines: Engines,
        reasoner: Reasoner,
        profile: Profile,
    ) -> None:
        self.id = session_id
        self.profile = profile
        self._settings = settings
        self._engines = engines
        # Full (512) means that the conversation hangs; whoever puts then gets asyncio.QueueFull,
        # which ends this session and no other.
        self._inbox: asyncio.Queue[_Inbox] = asyncio.Queue(maxsize=512)
        # Full means nobody reads (no connection): the oldest event is dropped.
        self._events: asyncio.Queue[SessionEvent] = asyncio.Queue(maxsize=256)
        self._hang_up = asyncio.Event()
        self._is_connected = False
        self._has_greeted = False

        self._face = Face(
            engines.presence,
            engines.rig,
            engines.face_worker,
            profile.name,
            random.Random(session_id).randrange(2**31),
        )
        self._playout = Playout(self._face.paint, self._inbox.put_nowait)
        self._buffer = InletBuffer()
        self._affect = AffectEstimator()
        self._ears = Ears(
            settings.endpointing,
            engines,
            self._buffer,
            self._playout.echo_reference,
            self._affect,
            self._inbox.put_nowait,
        )
        self._eyes = Eyes(engines, self._affect)
        self._conversation = reasoner.open()
        self._memory = Memory()
        self._traces = TraceBook(session_id)

        self._turn_ids = itertools.count(1)
        self._turn_id = TurnId(next(self._turn_ids))  # of the next reply
        self._draft: Turn | None = None  # being made, not released
        self._reply: Turn | None = None  # released: thinking or speaking
        self._tasks: dict[Turn, asyncio.Task[None]] = {}
        self._unanswered = ""  # words whose reply the caller cut off before it began
        self._speech_start = 0
        self._state: State = "listening"

    # --- doors --------------------------------------------------------------------------------
    @property
    def inlet(self) -> Inlet:
        """Where a door puts the caller's sound and picture."""
        return self._buffer

    @property
    def outlet(self) -> Outlet:
        """Where a door gets the avatar's sound and picture."""
        return self._playout

    def set_connected(self, is_connected: bool) -> None:
        """Say whether somebody listens now; the first time, the avatar says hello."""
        self._is_connected = is_connected
        if is_connected and not self._has_greeted:
            self._has_greeted = True
            if self._settings.avatar.greeting:
                self._inbox.put_nowait(Greet())

    def send_text(self, text: str) -> None:
        """Say something by typing.

        Raises:
            BadInputError: Nothing in it, or longer than 2,000 characters.
        """
        text = " ".join(text.split())
        if not text:
            raise BadInputError("text: expected some words, got none", reason="empty_text")
        if len(text) > MAX_TEXT_CHARS:
            raise BadInputError(
                f"text: expected at most {MAX_TEXT_CHARS} characters, got {len(text)}; "
                "send it in parts",
                reason="text_too_long",
            )
        self._inbox.put_nowait(Say(text))

    def set_profile(self, name: str) -> None:
        """Let another person answer from now on.

        Raises:
            BadInputError: There is no such profile.
        """
        try:
            profile = find_profile(name)
        except SetupError as error:
            raise BadInputError(str(error), reason="unknown_profile") from error
        self._inbox.put_nowait(ChangeProfile(profile))

    def interrupt(self) -> None:
        """Stop the reply that is playing or being thought of."""
        self._inbox.put_nowait(Interrupt())

    def hang_up(self) -> None:
        """End the session."""
        self._hang_up.set()

    async def next_event(self) -> SessionEvent:
        """Wait for the next thing the page or room should be told."""
        return await self._events.get()

    # --- the flow -----------------------------------------------------------------------------
    async def run(self) -> None:
        """Live until ``hang_up``. An error that no turn could contain propagates, in a group."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._ears.run())
                group.create_task(self._feel())
                group.create_task(self._converse(group))
                await self._hang_up.wait()
                raise _HungUp
        except* _HungUp:
            pass
        finally:
            self._playout.clear()
            self._eyes.close()
            self._face.close()
            await self._conversation.aclose()

    async def _feel(self) -> None:
        """Look at the caller and tell face and page how they seem to feel."""
        period_s = 1 / self._settings.sight.rate_hz
        told = Affect(TurnId(0), 0)
        while True:
            image = self._buffer.take_image()
            if image is not None and self._settings.sight.enabled:
                await self._eyes.look(image)
            felt = self._affect.affect(self._turn_id, self._buffer.pts)
            self._cue(
                valence=felt.valence,
                arousal=felt.arousal,
                is_smiling=felt.is_smiling,
                has_face=felt.has_face,
            )
            if _differs(felt, told):
                told = felt
                self._emit(felt)
            await asyncio.sleep(period_s)

    async def _converse(self, group: asyncio.TaskGroup) -> None:
        """Handle the inbox, one item after the other."""
        self._group = group
        self._emit(StateChanged(self._turn_id, 0, self._state))
        while True:
            item = await self._inbox.get()
            if isinstance(item, Endpoint):
                await self._on_endpoint(item)
            elif isinstance(item, Transcript):
                await self._on_partial(item)
            elif isinstance(item, Played):
                await self._on_played(item)
            else:
                await self._on_command(item)

    async def _on_endpoint(self, endpoint: Endpoint) -> None:
        kind = endpoint.kind
        if kind == "speech_started":
            self._speech_start = endpoint.pts
            self._cue(is_speaking=True)
            await self._withdraw_unheard_reply()
        elif kind == "draft":
            self._cue(is_speaking=False, has_paused=True)
            await self._begin_draft()
        elif kind == "draft_dropped":
            self._cue(is_speaking=True)
            await self._drop_draft()
        elif kind == "end_of_turn":
            self._cue(is_speaking=False)
            await self._end_of_turn(endpoint)
        elif kind == "hold":
            self._speech_start = endpoint.pts
            self._cue(is_speaking=True)
            self._playout.hold()
        elif kind == "resume":
            self._cue(is_speaking=False)
            self._playout.resume()
        elif kind == "barge_in":
            await self._stop_reply()
        elif kind == "backchannel":
            self._cue(has_paused=True)

    async def _on_partial(self, partial: Transcript) -> None:
        text = f"{self._unanswered} {partial.text}".strip()
        self._affect.update_words(text)
        self._emit(Caption(self._turn_id, partial.pts, "caller", text, is_final=False))
        heard = Transcript(self._turn_id, partial.pts, text, is_final=False)
        await self._conversation.listen(heard, self._affect.affect(self._turn_id, partial.pts))

    async def _on_played(self, news: Played) -> None:
        turn = self._reply
        if turn is None or news.turn != turn.request.turn:
            return  # news of a reply that has been stopped since
        if news.kind == "started":
            self._ears.set_playing(True)
            plan = turn.plan.result()
            self._face.mood.style = plan.face
            self._emit(plan)
            self._be("speaking")
        elif news.kind == "words":
            text = turn.reply.heard_text(count_begun=True)
            self._ears.endpointer.set_own_words(text)
            self._emit(Caption(turn.request.turn, news.position, "avatar", text, is_final=False))
        else:
            await self._finish_reply(turn, was_interrupted=False)

    async def _on_command(self, command: Command) -> None:
        if isinstance(command, Say):
            await self._stop_reply()
            await self._drop_draft()
            self._affect.update_words(command.text)
            self._answer(Transcript(self._turn_id, self._buffer.pts, command.text, is_final=True))
        elif isinstance(command, ChangeProfile):
            if command.profile == self.profile:
                return
            await self._stop_reply()
            await self._drop_draft()
            self.profile = command.profile
            self._face.change_look(command.profile.name)
            self._greet()
        elif isinstance(command, Greet):
            self._greet()
        else:
            await self._stop_reply()

    # --- turns --------------------------------------------------------------------------------
    async def _begin_draft(self) -> None:
        """Begin a reply to what was said so far; it is not released."""
        await self._drop_draft()
        heard = await self._ears.transcript(self._turn_id, is_final=False)
        if heard.text:
            self._draft = self._begin(self._joined(heard))

    async def _end_of_turn(self, endpoint: Endpoint) -> None:
        """The caller has finished: release the draft if it still answers what was said."""
        now_s = asyncio.get_running_loop().time()
        heard = self._joined(await self._ears.transcript(self._turn_id, is_final=True))
        lasted = endpoint.speech_end - self._speech_start
        if not heard.text and lasted < WORDLESS_REPLY_SAMPLES:
            await self._drop_draft()
            return
        draft, self._draft = self._draft, None
        is_used = draft is not None and says_the_same(draft.request.transcript.text, heard.text)
        if draft is not None and not is_used:
            await self._cancel(draft)
        turn = draft if draft is not None and is_used else self._begin(heard)
        turn.trace.draft_used = is_used
        turn.trace.last_voiced_s = self._ears.loop_time(endpoint.speech_end)
        turn.trace.mark("end_of_turn", now_s)
        turn.trace.mark("transcript_final", asyncio.get_running_loop().time())
        self._release(turn, heard)

    def _answer(self, transcript: Transcript) -> None:
        self._release(self._begin(transcript), transcript)

    def _greet(self) -> None:
        nothing = Transcript(self._turn_id, self._buffer.pts, "", is_final=True)
        self._release(self._begin(nothing, greet=True), nothing)

    def _begin(self, transcript: Transcript, *, greet: bool = False) -> Turn:
        """Start making a reply in a task of its own."""
        request = ReplyRequest(
            turn=self._turn_id,
            transcript=transcript,
            affect=self._affect.affect(self._turn_id, transcript.pts),
            history=self._memory.history(),
            profile=self.profile,
            greet=greet,
        )
        turn = Turn(request, self._conversation, self._engines, self._settings.speech.ahead_s)
        task = self._group.create_task(turn.run(), name=f"turn {request.turn}")
        self._tasks[turn] = task
        task.add_done_callback(lambda _: self._tasks.pop(turn, None))
        return turn

    def _release(self, turn: Turn, transcript: Transcript) -> None:
        """Let a reply be heard from the next tick on; the next utterance gets the next id."""
        if transcript.text:
            self._memory.add_caller(transcript.text)
            self._emit(
                Caption(turn.request.turn, transcript.pts, "caller", transcript.text, is_final=True)
            )
        self._unanswered = ""
        self._reply = turn
        self._turn_id = TurnId(next(self._turn_ids))
        self._be("thinking")
        self._playout.play(turn.reply)

    async def _withdraw_unheard_reply(self) -> None:
        """The caller goes on before the reply began: it was no end of turn. Keep their words."""
        turn = self._reply
        if turn is None or turn.reply.position > 0:
            return
        self._unanswered = turn.request.transcript.text
        self._memory.forget_last_caller(self._unanswered)
        self._playout.clear()
        self._reply = None
        await self._cancel(turn)
        self._be("listening")

    async def _stop_reply(self) -> None:
        """End the reply that is released, wherever it is; keep what was heard of it."""
        turn = self._reply
        if turn is None:
            return
        self._playout.clear()
        await self._cancel(turn)
        await self._finish_reply(turn, was_interrupted=True)

    async def _finish_reply(self, turn: Turn, *, was_interrupted: bool) -> None:
        """Write a released reply into the memory and the trace, and listen."""
        self._reply = None
        self._ears.set_playing(False)
        heard = turn.reply.heard_text()
        position = turn.reply.position
        self._memory.add_avatar(heard, was_interrupted=was_interrupted)
        if heard or turn.reply.position:
            self._emit(Caption(turn.request.turn, position, "avatar", heard, is_final=True))
        if turn.reply.first_block_s is not None:
            turn.trace.mark("audio_released", turn.reply.first_block_s)
        if turn.reply.first_picture_s is not None:
            turn.trace.mark("video_released", turn.reply.first_picture_s)
        if was_interrupted:
            turn.trace.interrupted_at_s = position / SPEECH_RATE_HZ
        if turn.failure is not None:
            text = f"The reply could not be finished: {turn.failure}"
            self._emit(Notice(turn.request.turn, position, "reply_failed", text))
        trace = turn.trace.record(position)
        self._traces.add(trace)
        self._emit(trace)
        self._face.mood.style = FaceStyle()
        self._be("listening")

    async def _drop_draft(self) -> None:
        draft, self._draft = self._draft, None
        if draft is not None:
            await self._cancel(draft)

    async def _cancel(self, turn: Turn) -> None:
        """Cancel a turn's task and wait until it is gone."""
        task = self._tasks.get(turn)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    # --- small things -------------------------------------------------------------------------
    def _joined(self, heard: Transcript) -> Transcript:
        """Put the words before a withdrawn reply in front of the new ones."""
        text = f"{self._unanswered} {heard.text}".strip()
        return Transcript(self._turn_id, heard.pts, text, heard.is_final, heard.confidence)

    def _be(self, state: State) -> None:
        if state != self._state:
            self._state = state
            self._face.mood.state = state
            self._emit(StateChanged(self._turn_id, self._buffer.pts, state))

    def _emit(self, event: SessionEvent) -> None:
        put_dropping_oldest(self._events, event)

    def _cue(self, **changes: bool | float) -> None:
        """Tell the face something about the caller."""
        mood = self._face.mood
        mood.caller = replace(mood.caller, **changes)


def _differs(felt: Affect, told: Affect) -> bool:
    """Whether the page should hear of it: 0.05 is what its smallest bar can show."""
    return (
        felt.emotion != told.emotion
        or felt.has_face != told.has_face
        or felt.is_smiling != told.is_smiling
        or abs(felt.valence - told.valence) > 0.05
        or abs(felt.arousal - told.arousal) > 0.05
    )
