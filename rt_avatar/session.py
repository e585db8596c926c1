"""One caller's conversation with the avatar, wired top to bottom. Read this file first.

    media input ──► perception ──┐ turn events, transcripts, affect
    commands ────────────────────┼──► inbox ──► _converse ──► TurnManager ──► Turn:
    playout's news ──────────────┘                     reasoner → speech → face ──► ReplyBuffer
                                  ReplyBuffer ──► Playout: one clock ──► media output

Everything that happens to a conversation goes through one inbox, in order, and is handled by one
task; so there are no locks, and what the code says is what happens. A reply is made by a ``Turn``
in a task of its own. At a first pause a *preemptive* reply is begun; it is released only when the
end of the turn is confirmed. A barge-in pauses the reply at once, and ends the reply when it is
confirmed (``TurnTaking``); the memory keeps only what was heard. The session knows nothing of
WebRTC or LiveKit: media passes two small protocols (``media_io``), which outlive a connection.
"""

import asyncio
import logging
from typing import Literal

from rt_avatar.budget import Budget, begins_after_s
from rt_avatar.call_limits import CallLimits, LimitReason
from rt_avatar.config.settings import Settings
from rt_avatar.engines.types import FaceStyle
from rt_avatar.media_io import MediaInput, MediaOutput
from rt_avatar.messages import (
    Affect,
    Caption,
    Notice,
    SessionEvent,
    State,
    StateChanged,
    Transcript,
    TurnEvent,
)
from rt_avatar.perception.perception import Perception
from rt_avatar.personas import Persona, find_persona
from rt_avatar.playout.tracks import Playout, PlayoutEvent, PlayoutStatistics
from rt_avatar.queues import put_dropping_oldest
from rt_avatar.reasoner import Reasoner, ReplyRequest
from rt_avatar.reasoner.prethink import Prethink
from rt_avatar.services.engines import Engines
from rt_avatar.talking_head.face import make_face
from rt_avatar.telemetry.logs import log_context
from rt_avatar.telemetry.trace import log_trace
from rt_avatar.turns.caller_commands import (
    ChangeFace,
    ChangePersona,
    ChangeVoice,
    Command,
    Greet,
    Interrupt,
    UserText,
)
from rt_avatar.turns.inbox import Inbox
from rt_avatar.turns.turn import Turn
from rt_avatar.turns.turn_manager import TurnManager
from rt_avatar.turns.turn_taking import TurnTaking

_log = logging.getLogger(__name__)


class _HungUpError(Exception):
    """Ends the session's task group; never leaves ``run``."""


class Session:
    """One caller. ``run`` owns every task of it and returns after ``hang_up``.

    All methods but ``run`` and ``next_event`` return at once and may be called by any transport on
    the event loop.
    """

    def __init__(
        self,
        session_id: str,
        settings: Settings,
        engines: Engines,
        reasoner: Reasoner,
        persona: Persona,
        look: str = "",
        voice: str = "",
    ) -> None:
        self.id = session_id
        self._voice = voice  # that speaks; empty: the persona's own
        self._look = look  # of the face that is shown; empty: the persona's own
        self._settings = settings
        self._inbox = Inbox()
        # Full means nobody reads (no connection): the oldest event is dropped.
        self._events: asyncio.Queue[SessionEvent] = asyncio.Queue(maxsize=256)
        self._hang_up = asyncio.Event()
        self._end_reason: LimitReason | Literal["hang_up"] = "hang_up"
        self._limits = CallLimits(settings.server, self._notify)
        self._has_greeted = False
        self._state: State | None = None
        self._group = asyncio.TaskGroup()
        self._speech = engines.speech
        self._conversation = reasoner.open()
        self._prethink = Prethink(self._conversation)
        has_steps = settings.tts.kind == "empatheia"
        self._budget = Budget(settings.budget, begins_after_s(settings.turn_detection), has_steps)

        self._face = make_face(engines, self._budget, persona, look, session_id)
        self._playout = Playout(self._face.render, self._inbox.put)
        self._perception = Perception(
            settings, engines, self._playout.echo_reference, self._inbox.put
        )

        def make_turn(request: ReplyRequest) -> Turn:
            turn = Turn(
                request, self._prethink, engines, self._budget, settings.tts.ahead_s, self._voice
            )
            turn.start(self._group)
            return turn

        self._turn_manager = TurnManager(
            make_turn, self._perception, self._playout, persona, log_trace, self._budget, self._emit
        )
        self._turn_taking = TurnTaking(
            self._turn_manager,
            self._playout,
            self._face,
            lambda: self._group.create_task(self._prepare_speech()),
            self._limits.note_activity,
        )

    # --- media ---------------------------------------------------------------------------------
    @property
    def media_input(self) -> MediaInput:
        """Where a transport puts the caller's sound and picture."""
        return self._perception.media_input

    @property
    def media_output(self) -> MediaOutput:
        """Where a transport gets the avatar's sound and picture."""
        return self._playout

    @property
    def persona(self) -> Persona:
        """Who answers now."""
        return self._turn_manager.persona

    def statistics(self) -> PlayoutStatistics:
        """Return the counters of what was sent."""
        return self._playout.statistics()

    def set_connected(self, is_connected: bool) -> None:
        """Say whether somebody listens now; the first time, the avatar says hello."""
        if is_connected and not self._has_greeted:
            self._has_greeted = True
            if self._settings.avatar.greeting:
                self._inbox.put(Greet())

    def send_text(self, text: str) -> None:
        """Say something by typing.

        Raises:
            BadInputError: Nothing in it, or longer than 2,000 characters.
        """
        self._inbox.put(UserText.typed(text))

    def set_persona(self, name: str) -> None:
        """Let another person answer from now on.

        Raises:
            BadInputError: There is no such persona.
        """
        self._inbox.put(ChangePersona.to(name))

    def set_face(self, look: str) -> None:
        """Show another face from now on; what is said goes on. Empty: the persona's own face."""
        self._inbox.put(ChangeFace(look))

    def set_voice(self, voice: str) -> None:
        """Speak in another voice from the next reply on. Empty: the persona's own."""
        self._inbox.put(ChangeVoice(voice))

    def interrupt(self) -> None:
        """Stop the reply that is playing or being thought of."""
        self._inbox.put(Interrupt())

    def hang_up(self) -> None:
        """End the session."""
        self._hang_up.set()

    async def next_event(self) -> SessionEvent:
        """Wait for the next thing the page or room should be told."""
        return await self._events.get()

    # --- the flow -----------------------------------------------------------------------------
    async def run(self) -> LimitReason | Literal["hang_up"]:
        """Live until ``hang_up`` or a limit of the call; return which.

        An error that no turn could contain propagates, in a group.
        """
        with log_context(session=self.id):
            await self._live()
        return self._end_reason

    async def _live(self) -> None:
        try:
            async with self._group:
                self._group.create_task(self._perception.run())
                self._group.create_task(self._prethink.run())
                self._group.create_task(self._converse())
                self._group.create_task(self._keep_limits())
                await self._hang_up.wait()
                raise _HungUpError
        except* _HungUpError:
            pass
        finally:
            self._playout.end()
            await self._face.aclose()
            await self._conversation.aclose()

    async def _keep_limits(self) -> None:
        self._end_reason = await self._limits.run()
        self.hang_up()

    async def _converse(self) -> None:
        """Handle the inbox, one item after the other."""
        self._be("listening")
        while True:
            try:
                async with asyncio.timeout_at(self._turn_taking.resume_at_s):
                    item = await self._inbox.get()
            except TimeoutError:
                self._turn_taking.resume()
                continue
            if isinstance(item, TurnEvent):
                await self._turn_taking.follow(item)
                self._follow_turns()
            elif isinstance(item, Transcript):
                await self._on_transcript(item)
            elif isinstance(item, Affect):
                self._on_affect(item)
            elif isinstance(item, PlayoutEvent):
                self._on_played(item)
            else:
                await self._on_command(item)

    async def _prepare_speech(self) -> None:
        try:
            await self._speech.prepare()
        except Exception:  # no reply's, and no reason to end the call: the reply will tell
            _log.exception("the voice could not be prepared")

    async def _on_transcript(self, words: Transcript) -> None:
        heard = self._turn_manager.joined(words)
        self._perception.read_words(heard.text)
        if words.is_final:
            await self._turn_manager.answer_spoken(words)
            self._follow_turns()
        elif words.is_preflight:
            await self._turn_manager.begin_preemptive(words)
            self._follow_turns()
        else:
            self._on_partial(heard)

    def _on_partial(self, heard: Transcript) -> None:
        self._turn_manager.caller_line.show(heard)
        if not self._turn_manager.is_answering:
            self._prethink.consider(self._turn_manager.request(heard))

    def _on_affect(self, affect: Affect) -> None:
        self._face.see(affect)
        self._emit(affect)

    def _on_played(self, news: PlayoutEvent) -> None:
        turn = self._turn_manager.reply
        if turn is None or news.turn != turn.reply.turn:
            return  # of a reply that has been stopped since
        if news.kind == "started":
            plan = turn.plan.result()
            self._face.mood.style = plan.face
            if plan.persona:
                self._let_answer(find_persona(plan.persona))
            self._emit(plan)
        elif news.kind == "words":
            text = turn.reply.heard_text(count_begun=True)
            self._perception.audio.turn_detector.set_own_words(text)
            self._emit(Caption(news.turn, news.position, "avatar", text, is_final=False))
        else:
            self._turn_manager.finish(turn, was_interrupted=False)
            self._turn_manager.answer_unanswered()
        self._follow_turns()

    async def _on_command(self, command: Command) -> None:
        if isinstance(command, ChangePersona) and command.persona == self.persona:
            return
        if isinstance(command, ChangeFace):
            self._limits.note_activity()
            self._look = command.look
            self._face.change_look(self._look or self.persona.name, self.persona.name)
            return
        if isinstance(command, ChangeVoice):
            self._voice = command.voice
        if not isinstance(command, Greet):
            self._limits.note_activity()
            await self._turn_manager.discard_preemptive()
        if isinstance(command, UserText):
            self._perception.read_words(command.text)
            await self._turn_manager.answer(command.text)
        elif isinstance(command, ChangePersona):
            await self._turn_manager.stop()
            self._let_answer(command.persona)
            self._turn_manager.greet()
        elif isinstance(command, Greet):
            self._turn_manager.greet()
        elif isinstance(command, Interrupt):
            await self._turn_manager.interrupt()
        self._follow_turns()

    def _let_answer(self, persona: Persona) -> None:
        """Give the avatar another person's face; the voice of the next reply is theirs, too."""
        self._turn_manager.persona = persona
        self._face.change_look(self._look or persona.name, persona.name)

    # --- the avatar's state -------------------------------------------------------------------
    def _follow_turns(self) -> None:
        """Let perception, face and page know whether the avatar listens, thinks or speaks."""
        turn = self._turn_manager.reply
        if turn is None:
            self._face.mood.style = FaceStyle()
            self._be("listening")
        elif turn.reply.first_block_s is None:
            self._be("thinking")
        else:
            self._be("speaking")

    def _be(self, state: State) -> None:
        if state == self._state:
            return
        self._state = state
        self._face.mood.state = state
        self._perception.audio.turn_detector.set_playing(state == "speaking")
        reply = self._turn_manager.reply
        turn = self._turn_manager.turn_id if reply is None else reply.reply.turn
        self._emit(StateChanged(turn, self._perception.pts, state))

    def _notify(self, code: str, text: str) -> None:
        self._emit(Notice(self._turn_manager.turn_id, self._perception.pts, code, text))

    def _emit(self, event: SessionEvent) -> None:
        put_dropping_oldest(self._events, event)
