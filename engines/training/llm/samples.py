"""Dialogues as the language model answers them, not chosen: to be read by people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.llm.answer import Answerer, AnswerOptions, Replied, Understood
from rt_avatar.engines.llm.cache import HostCachedGraph
from rt_avatar.engines.llm.chain import Chain, Notation
from rt_avatar.engines.llm.model import GraphModel
from rt_avatar.engines.llm.prompt import Said, write
from rt_avatar.engines.llm.sampling import SamplingOptions
from rt_avatar.engines.llm.templates import Template
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.networks.llm.graphs import graphs
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.training.llm.corpus import FeltDialogue

_TEMPERATURE: Final = 0.7
_REPLY_TOKENS: Final = 60


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer: to what ``said``, felt as ``emotion`` by who said it."""

    said: str
    emotion: str
    chain: Chain
    reply: str


def answer_first_turns(
    model: Llama,
    tokens: Tokens,
    template: Template,
    notation: Notation,
    dialogues: Sequence[FeltDialogue],
) -> list[Sample]:
    """Answer what is said first in each dialogue, as it is done at run time.

    Args:
        model: The language model, on its device.
        tokens: Its tokenizer.
        template: How dialogues are written.
        notation: How chains are written.
        dialogues: Which; the draw of each follows from its place among them.
    """
    answerer = answerer_of(model, tokens, template, notation)
    language = answerer.model
    samples = []
    for at, one in enumerate(dialogues):
        said = one.turns[0].text
        sampling = SamplingOptions(_TEMPERATURE, seed=at)
        options = AnswerOptions(reply_tokens=_REPLY_TOKENS, sampling=sampling)
        prompt = language.read(write(language, tokens, template, [Said("user", said)]))
        chain, reply = Chain(), ""
        for event in answerer.answer(prompt, options):
            if isinstance(event, Understood):
                chain = event.chain
            elif isinstance(event, Replied):
                reply += event.text
        samples.append(Sample(said, one.emotion, chain, reply))
    return samples


def answerer_of(model: Llama, tokens: Tokens, template: Template, notation: Notation) -> Answerer:
    """Return what answers by a model in torch, on its device, as at run time."""
    config = model.config
    device = next(model.parameters()).device.type
    run = {graph.name: TorchRuntime(graph, device).run for graph in graphs(model)}
    sizes = (config.layers, config.key_heads, config.width // config.heads)
    language = GraphModel(run["llm_embed"], HostCachedGraph(run["llm_extend"], *sizes))
    return Answerer(language, tokens, template, notation)


def samples_text(samples: Sequence[Sample]) -> str:
    """Return answers as Markdown."""
    lines = ["# Answers, not chosen", ""]
    for one in samples:
        understood = "; ".join(
            f"{name} {value}"
            for name in ("scenario", "emotion", "cause", "goal")
            if (value := getattr(one.chain, name))
        )
        lines += [
            f"**Caller** ({one.emotion}): {one.said}",
            "",
            f"- understood: {understood}",
            f"- reply: {one.reply}",
            "",
        ]
    return "\n".join(lines)
