"""What a word of people's replies costs nano's language model; needs torch."""

import math
from collections.abc import Sequence

from rt_avatar.benchmarks.quality.replies import Dialogue
from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES, Turn


def reply_perplexity(dialogues: Sequence[Dialogue]) -> float:
    """Return the perplexity a word, as ``engines.training.llm.perplexity`` counts.

    NaN where the extra 'train' is not installed, or where nobody replies.
    """
    try:
        from rt_avatar.engines.networks.llm.shipped import load_shipped
        from rt_avatar.engines.networks.sizes import NANO
        from rt_avatar.engines.training.llm.examples import Writer
        from rt_avatar.engines.training.llm.perplexity import held_out, measure
        from rt_avatar.engines.training.llm.stage import CONTEXT
    except ModuleNotFoundError:
        return math.nan
    model, tokens = load_shipped()
    writer = Writer(tokens, TEMPLATES[NANO.template], NOTATIONS[NANO.notation], CONTEXT)
    turns = [
        [Turn("user" if turn.role == "caller" else "avatar", turn.text) for turn in one.turns]
        for one in dialogues
    ]
    try:
        return measure(model, held_out(writer, turns)).words
    except ValueError:
        return math.nan
