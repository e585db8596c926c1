"""What a reasoner is asked: words of a caller, and else nothing. And what it answers."""

from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, Reasoner, ReplyRequest


def asked(text: str, *before: str, turn: int = 3, confidence: float = 1.0, **more) -> ReplyRequest:
    """Return a caller's words after those of both sides ``before``, the caller's first."""
    sides = ("caller", "avatar") * len(before)
    fields = {
        "turn": TurnId(turn),
        "transcript": Transcript(TurnId(turn), 16_000, text, True, confidence),
        "affect": Affect(TurnId(turn), 16_000),
        "history": tuple(map(ChatMessage, sides, before)),
        "persona": PERSONAS["ava"],
    }
    return ReplyRequest(**(fields | more))


async def reply_of(reasoner: Reasoner, request: ReplyRequest) -> tuple[Plan, str]:
    """Return the plan and the words, in clauses that are numbered as they come."""
    plan, *clauses = [part async for part in reasoner.open().reply(request)]
    assert isinstance(plan, Plan)
    assert plan.turn == request.turn
    assert all(isinstance(clause, Clause) and clause.turn == request.turn for clause in clauses)
    assert [clause.index for clause in clauses] == list(range(len(clauses)))
    return plan, " ".join(clause.text for clause in clauses)


async def replies_of(reasoner: Reasoner, *turns: str) -> list[str]:
    """Return what is answered in a call to these turns of a caller."""
    said: list[str] = []
    for turn in turns:
        said += [turn, (await reply_of(reasoner, asked(turn, *said)))[1]]
    return said[1::2]
