"""What a reasoner is asked: words of a caller, and else nothing."""

from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest


def asked(text: str, turn: int = 3, **more) -> ReplyRequest:
    fields = {
        "turn": TurnId(turn),
        "transcript": Transcript(TurnId(turn), 16_000, text, True),
        "affect": Affect(TurnId(turn), 16_000),
        "history": (),
        "persona": PERSONAS["ava"],
    }
    return ReplyRequest(**(fields | more))
