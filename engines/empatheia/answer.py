"""The one graph, top to bottom: a dialogue → words, styles, sound, motion, pictures.

``stream`` gives every part as soon as it is known, 200 ms of sound and face at a time: the same as
one stage after the other over all of it would.
"""

from collections.abc import Iterator
from typing import TypeAlias

from rt_avatar.engines.empatheia.clauses import ClauseCutter, ReplyClause
from rt_avatar.engines.empatheia.dialogue import Dialogue, Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.empatheia.performance import Moment, Performance
from rt_avatar.engines.llm.answer import Answered, NextToken, Replied, Signalled, Understood
from rt_avatar.engines.llm.answer import Event as WordEvent
from rt_avatar.engines.llm.chain import Chain

Event: TypeAlias = Understood | Signalled | Styles | Replied | Moment


def stream(
    engines: EmpatheiaEngines, dialogue: Dialogue, options: EmpatheiaOptions
) -> Iterator[Event]:
    """Answer, part by part.

    Yields:
        One ``Understood``, one ``Signalled`` and behind it one ``Styles``, every ``Replied``, and
        a ``Moment`` each 200 ms. With ``coe = "paper"`` styles come behind the words.

    Raises:
        ValueError: The dialogue lacks what the options ask for, or is too long.
    """
    chosen, chain = options.effective(), Chain()
    cutter = ClauseCutter(span=chosen.content_span)
    waiting: list[ReplyClause] = []  # until the styles are known
    performance: Performance | None = None
    for event in _answered(engines, dialogue, chosen):
        clauses: list[ReplyClause] = []
        match event:
            case Understood():
                chain = event.chain
                yield event
            case Signalled():
                yield event
                styles = find_styles(engines, dialogue, chosen, chain, event)
                yield styles
                performance = Performance(engines, dialogue, chosen, styles)
            case Replied():
                yield event
                clauses = cutter.push(event)
            case Answered():
                clauses = cutter.flush()
        waiting += clauses
        while performance is not None and waiting:
            yield from performance.say(waiting.pop(0))
    if performance is not None:
        yield from performance.finish()


def find_styles(
    engines: EmpatheiaEngines,
    dialogue: Dialogue,
    options: EmpatheiaOptions,
    chain: Chain,
    signals: Signalled,
) -> Styles:
    """Return how the answer sounds and looks, from where the options say."""
    match options.style_source:
        case "sd" | "diffusion":
            return engines.disentangled(signals, chain, dialogue.profile)
        case "bank":
            return engines.banked(chain)
        case "reference":
            return engines.referred(dialogue)


def _answered(
    engines: EmpatheiaEngines, dialogue: Dialogue, chosen: EmpatheiaOptions
) -> Iterator[WordEvent | NextToken]:
    """Return what the language model answers."""
    words, written = chosen.words(), dialogue.written
    prompt = engines.read(dialogue, chosen.without, words.tokens)
    if written is None:
        return engines.answerer.steps(prompt, words)
    return engines.answerer.read_out(prompt, words, written.chain, written.text)
