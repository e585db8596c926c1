"""Turn-taking by voice: what a call does when its caller begins, pauses, ends or interrupts.

``TurnEvent`` → the turn manager, playout and face. What a turn is, and when, is decided by the
``TurnDetector``; which reply is made and released, by the ``TurnManager``.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from rt_avatar.messages import TurnEvent
from rt_avatar.playout.tracks import Playout
from rt_avatar.talking_head.face import Face
from rt_avatar.turns.turn_manager import TurnManager

# A pause is decided within a second of sound. If the microphone stops just then (unplugged, muted
# by the system), nothing decides it: the reply goes on.
FALSE_INTERRUPTION_TIMEOUT_S: Final = 3.0


class TurnTaking:
    """Turn-taking of one call; called by the session's conversing task only.

    Args:
        turn_manager: Of the call, as playout and face.
        playout: What is paused and resumed.
        face: What listens and nods.
        prepare_speech: Makes ready to speak, without waiting.
        note_activity: Takes note that the caller has said something.
    """

    def __init__(
        self,
        turn_manager: TurnManager,
        playout: Playout,
        face: Face,
        prepare_speech: Callable[[], object],
        note_activity: Callable[[], None],
    ) -> None:
        self._turn_manager = turn_manager
        self._playout = playout
        self._face = face
        self._prepare_speech = prepare_speech
        self._note_activity = note_activity
        self._speech_start = 0
        self._has_taken_turn = False  # from a reply, by the utterance that began there
        self.resume_at_s: float | None = None  # loop time at which a pause ends by itself

    async def follow(self, event: TurnEvent) -> None:
        """Do what an event asks for."""
        turn_manager = self._turn_manager
        if event.kind in ("speech_started", "preemptive_discarded", "pause_reply"):
            self._face.hear(is_speaking=True)
        elif event.kind in ("false_start", "preemptive_generation", "end_of_turn", "resume_reply"):
            self._face.hear(is_speaking=False)
        match event.kind:
            case "speech_started":
                self._speech_start, self._has_taken_turn = event.pts, False
                self._prepare_speech()
                await turn_manager.discard()
            case "false_start":
                turn_manager.answer_unanswered()
            case "preemptive_generation":
                self._face.nod()
            case "preemptive_discarded":
                await turn_manager.discard_preemptive()
            case "end_of_turn":
                self._note_activity()
                turn_manager.end_of_turn(
                    event, self._speech_start, has_taken_turn=self._has_taken_turn
                )
            case "pause_reply":
                self._speech_start, self._has_taken_turn = event.pts, False
                self._playout.pause()
                self.resume_at_s = asyncio.get_running_loop().time() + FALSE_INTERRUPTION_TIMEOUT_S
            case "resume_reply":
                self.resume()
            case "barge_in":
                self.resume_at_s = None
                self._has_taken_turn = True
                await turn_manager.barge_in()
            case "backchannel":
                self._face.nod()

    def resume(self) -> None:
        """Go on with a paused reply: what was heard over it was nothing."""
        self.resume_at_s = None
        self._playout.resume()
        self._turn_manager.answer_unanswered()
