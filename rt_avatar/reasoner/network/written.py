"""What a listener of the package understands and answers, for the network to read."""

from contextlib import aclosing

from rt_avatar.engines.empatheia.dialogue import Dialogue, Written
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.personas import persona_of
from rt_avatar.reasoner import ChatMessage, Conversation, ReplyRequest


async def write_reply(listener: Conversation, request: ReplyRequest) -> Written | None:
    """Return all of what a listener answers; None where it has no words.

    Raises:
        ReasonerError: It failed.
    """
    chain, texts = Chain(), []
    async with aclosing(listener.reply(request)) as items:
        async for item in items:
            match item:
                case Plan():
                    told = item.chain
                    chain = Chain(told.scenario, told.emotion, told.cause, told.goal)
                case Clause():
                    texts.append(item.text)
    text = " ".join(texts)
    return Written(chain, text) if text else None


def request_of(dialogue: Dialogue) -> ReplyRequest:
    """Return what a listener is asked, where a dialogue was not heard but read."""
    *before, last = dialogue.utterances
    turn = TurnId(1 + sum(one.role == "user" for one in before))
    history = tuple(
        ChatMessage("avatar" if one.role == "avatar" else "caller", one.text) for one in before
    )
    said = Transcript(turn, 0, last.text, is_final=True)
    return ReplyRequest(turn, said, Affect(turn, 0), history, persona_of(dialogue.profile))
