"""The turn manager: generates replies, also preemptively; releases, discards and stops them.

Called by the session's one conversing task only, so nothing here is concurrent but the turns' own
tasks, which touch nothing but their ``Turn``. A turn's id belongs to the caller's utterance: every
preemptive reply of it bears the same id, and the next utterance gets the next one.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from rt_avatar.budget import Budget
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Image
from rt_avatar.messages import (
    Caption,
    Notice,
    SessionEvent,
    Trace,
    Transcript,
    TurnEvent,
    TurnId,
)
from rt_avatar.perception.perception import Perception
from rt_avatar.perception.utterance_media import join_audio, join_images, join_words
from rt_avatar.personas import Persona
from rt_avatar.playout.tracks import Playout
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.turns.caller_line import CallerLine
from rt_avatar.turns.chat_history import ChatHistory
from rt_avatar.turns.turn import Turn, says_the_same

# A sound without one recognised word gets a reply ("I did not catch that") only when it lasted as
# long as a short sentence, or ended a reply; shorter ones are coughs, doors and chairs.
WORDLESS_REPLY_SAMPLES: Final = int(0.9 * INPUT_RATE_HZ)

# Who goes on within a second of a reply had not finished: what they said before is kept, and all is
# answered together. (A reply is paused 0.1 s after the voice begins.)
FALSE_END_SAMPLES: Final = int(1.1 * SPEECH_RATE_HZ)

# All that a caller is told of a failure; what failed, and where, is the operator's (``Turn`` logs).
REPLY_FAILED: Final = "The reply could not be finished. Please say that again."


@dataclass(slots=True)
class _End:
    """The end of a turn whose final words are waited for; not wanted: they get no reply."""

    is_short: bool
    last_voiced_s: float
    decided_s: float
    is_wanted: bool = True


class TurnManager:
    """The turns of one call.

    Responsibilities: 1. begin and drop preemptive replies; 2. release a reply at the end of a turn;
    3. stop, discard and finish replies; 4. write memory and traces. ``reply`` is the released turn,
    if any.
    """

    def __init__(
        self,
        make_turn: Callable[[ReplyRequest], Turn],
        perception: Perception,
        playout: Playout,
        persona: Persona,
        log_trace: Callable[[Trace], None],
        budget: Budget,
        emit: Callable[[SessionEvent], None],
    ) -> None:
        self.persona = persona
        self.reply: Turn | None = None
        self.turn_id = TurnId(1)  # of the next reply
        self.caller_line = CallerLine(emit)
        self._make_turn = make_turn
        self._perception = perception
        self._playout = playout
        self._log_trace = log_trace
        self._budget = budget
        self._emit = emit
        self._chat_history = ChatHistory()
        self._preemptive: Turn | None = None  # being made, not released
        self._unanswered: ReplyRequest | None = None  # the caller cut its reply off unheard
        self._ends: deque[_End] = deque()  # whose final words are not there

    # --- preemptive replies ----------------------------------------------------------------------
    async def begin_preemptive(self, heard: Transcript) -> None:
        """Begin a reply to what was said so far; it is not released."""
        await self.discard_preemptive()
        if heard.text:
            await self.discard()  # a reply to typed words, or a greeting, may be under way
            self._preemptive = self._begin(self.joined(heard))

    async def discard_preemptive(self) -> None:
        """The caller goes on: the preemptive reply was never heard, so nothing remains of it."""
        preemptive, self._preemptive = self._preemptive, None
        if preemptive is not None:
            await preemptive.discard()

    # --- release ------------------------------------------------------------------------------
    def end_of_turn(
        self, event: TurnEvent, speech_start: int, *, has_taken_turn: bool = False
    ) -> None:
        """The caller has finished; their final words are told next (``answer_spoken``).

        Who has taken the turn from a reply is answered, however short it was.
        """
        self._ends.append(
            _End(
                is_short=not has_taken_turn
                and event.speech_end - speech_start < WORDLESS_REPLY_SAMPLES,
                last_voiced_s=self._perception.audio.loop_time(event.speech_end),
                decided_s=asyncio.get_running_loop().time(),
            )
        )

    async def answer_spoken(self, spoken: Transcript) -> None:
        """Answer the oldest end of turn: release the preemptive reply if it still fits."""
        end = self._ends.popleft()
        if not spoken.text and (end.is_short or self.reply is not None):
            await self.discard_preemptive()
            self.answer_unanswered()
            return
        if not end.is_wanted:
            await self.discard_preemptive()
            self._leave_unanswered(self.joined(spoken))
            return
        await self.barge_in()  # a reply to typed words, or a greeting, may be under way
        heard = self.joined(spoken)
        if self._is_more_coming:
            await self.discard_preemptive()
            self._unanswered = self.request(heard)
            self.caller_line.show(heard)
            return
        await self._release_spoken(heard, end)

    async def _release_spoken(self, heard: Transcript, end: _End) -> None:
        preemptive = self._preemptive
        # A preemptive reply that failed before anybody heard of it gets another try.
        is_used = (
            preemptive is not None
            and preemptive.failure is None
            and says_the_same(preemptive.request.transcript.text, heard.text)
        )
        if preemptive is not None and is_used:
            self._preemptive = None
            turn = preemptive
        else:
            await self.discard_preemptive()
            turn = self._begin(heard)
        turn.trace.preemptive_used = is_used
        turn.trace.last_voiced_s = end.last_voiced_s
        turn.trace.mark("end_of_turn", end.decided_s)
        turn.trace.mark("transcript_final", asyncio.get_running_loop().time())
        self._release(turn, heard)

    async def answer(self, text: str) -> None:
        """Reply to something typed, together with what was said before and not answered yet."""
        if not await self.discard():
            await self._stop_reply()
        said = self.joined(Transcript(self.turn_id, self._perception.pts, text, is_final=True))
        self._release(self._begin(said), said)

    def greet(self) -> None:
        """Say hello, unless the caller was quicker.

        Who is speaking now is heard out; the hello follows if they have said nothing.
        """
        if self.is_answering or self._unanswered is not None:
            return
        nothing = Transcript(self.turn_id, self._perception.pts, "", is_final=True)
        if self._is_more_coming:
            self._unanswered = self.request(nothing, greet=True)
            return
        self._release(self._begin(nothing, greet=True), nothing)

    @property
    def is_answering(self) -> bool:
        """Whether a reply is being made or played."""
        return self._preemptive is not None or self.reply is not None

    def request(self, transcript: Transcript, *, greet: bool = False) -> ReplyRequest:
        """Return what a reply to these words depends on."""
        return ReplyRequest(
            turn=self.turn_id,
            transcript=transcript,
            affect=self._perception.affect(self.turn_id),
            history=self._chat_history.history(),
            persona=self.persona,
            greet=greet,
            effort=self._budget.effort,
            sound=transcript.sound,
            pictures=() if transcript.sound is None else self._pictures(transcript),
        )

    def joined(self, heard: Transcript) -> Transcript:
        """Put words and sound before a discarded reply in front of the new ones.

        However often replies are discarded (a television in the room), the latest are kept.
        """
        text, sound = join_words("", heard.text), heard.sound
        if self._unanswered is not None:
            before = self._unanswered.transcript
            text, sound = join_words(before.text, heard.text), join_audio(before.sound, sound)
        return replace(heard, turn=self.turn_id, text=text, sound=sound)

    # --- ends ---------------------------------------------------------------------------------
    async def discard(self, *, heard_at_most: int = 0) -> bool:
        """The caller goes on before (or just as) the reply began: it was no end of turn.

        Their words are kept, and what follows is joined to them; a greeting is kept until they say
        something. Return whether it was so.
        """
        turn = self.reply
        if turn is None or turn.reply.position > heard_at_most:
            return False
        self.reply = None
        is_kept = turn.request.greet or turn.request.transcript.text
        self._unanswered = turn.request if is_kept else None
        self._chat_history.forget_caller(turn.reply.turn)
        if turn.reply.position:
            heard = turn.reply.heard_text()
            self._emit(Caption(turn.reply.turn, turn.reply.position, "avatar", heard, True))
        # The words will be shown again with what follows, under the next id: take this line away.
        self._emit(Caption(turn.reply.turn, self._perception.pts, "caller", "", is_final=True))
        self._playout.stop()
        await turn.cancel()
        return True

    def answer_unanswered(self) -> None:
        """It was only a noise: the caller had finished after all, so answer what they said.

        Who has said nothing yet is greeted. If there is nothing to answer, the noise is not shown
        any more.
        """
        if self._is_more_coming:
            return
        if self._unanswered is None:
            self.caller_line.take_away()
        elif self.reply is None:
            before = self._unanswered.transcript
            said = replace(before, turn=self.turn_id, pts=self._perception.pts, is_final=True)
            self._release(self._begin(said, greet=self._unanswered.greet), said)

    async def barge_in(self) -> None:
        """The caller takes the turn from a reply, if there is one.

        What was typed is finished: only speech can have been cut off.
        """
        was_spoken = self.reply is not None and self.reply.request.transcript.sound is not None
        if not await self.discard(heard_at_most=FALSE_END_SAMPLES if was_spoken else 0):
            await self._stop_reply()

    @property
    def _is_more_coming(self) -> bool:
        """Whether the caller speaks, or has spoken and the words are not known yet."""
        return bool(self._ends) or self._perception.audio.utterance_start is not None

    async def interrupt(self) -> None:
        """The caller wants silence: whatever was said until now gets no reply."""
        await self.stop()
        for end in self._ends:
            end.is_wanted = False

    async def stop(self) -> None:
        """End the released reply, wherever it is; keep what was heard of it.

        Words whose reply was discarded get none any more; they are remembered as said. A discarded
        greeting is forgotten.
        """
        await self._stop_reply()
        if self._unanswered is not None and not self._unanswered.greet:
            self._leave_unanswered(self._unanswered.transcript)
        self._unanswered = None

    def finish(self, turn: Turn, *, was_interrupted: bool) -> None:
        """Write a released reply into memory and trace."""
        self.reply = None
        reply, trace = turn.reply, turn.trace
        heard = reply.heard_text()
        self._chat_history.add_avatar(heard, reply.turn, was_interrupted=was_interrupted)
        if reply.position:
            self._emit(Caption(reply.turn, reply.position, "avatar", heard, is_final=True))
        trace.mark_released(reply, was_interrupted=was_interrupted)
        if turn.failure is not None:
            self._emit(Notice(reply.turn, reply.position, "reply_failed", REPLY_FAILED))
        trace.degradation_steps = self._budget.take_felt()
        record = trace.record(reply.position)
        self._log_trace(record)
        self._emit(record)

    # --- inside -------------------------------------------------------------------------------
    async def _stop_reply(self) -> None:
        turn = self.reply
        if turn is not None:
            self._playout.stop()
            await turn.cancel()
            self.finish(turn, was_interrupted=True)

    def _leave_unanswered(self, said: Transcript) -> None:
        """Remember words that get no reply; what follows is another line, under the next id."""
        self._remember_caller(replace(said, turn=self.turn_id))
        self._unanswered = None
        self.turn_id = TurnId(self.turn_id + 1)

    def _remember_caller(self, said: Transcript) -> None:
        self._chat_history.add_caller(said.text, said.turn)
        self.caller_line.show(said, is_final=True)

    def _pictures(self, spoken: Transcript) -> tuple[Image, ...]:
        """Return the pictures of an utterance, those before a discarded reply first."""
        before = () if self._unanswered is None else self._unanswered.pictures
        return join_images(before, self._perception.pictures(spoken.pts))

    def _begin(self, transcript: Transcript, *, greet: bool = False) -> Turn:
        """Start making a reply in a task of its own."""
        return self._make_turn(self.request(transcript, greet=greet))

    def _release(self, turn: Turn, transcript: Transcript) -> None:
        """Let a reply be heard from the next tick on; the next utterance gets the next id."""
        assert self.reply is None, "whoever releases a reply has ended the one before"
        if transcript.text:
            self._remember_caller(transcript)
        else:
            self.caller_line.take_away()
        self._unanswered = None
        self.reply = turn
        self.turn_id = TurnId(self.turn_id + 1)
        turn.release()
        self._playout.play(turn.reply)
