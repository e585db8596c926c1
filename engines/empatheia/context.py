"""Whether an utterance and its answer have room, known before a call: context, and symbols."""

from collections.abc import Collection
from typing import Final, get_args

from rt_avatar.engines.empatheia.engines import EmpatheiaEngines, longer_context
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.llm.answer import Answerer
from rt_avatar.engines.llm.profile import PROFILES
from rt_avatar.engines.llm.templates import Modality

# What one utterance needs beside the encodings of its sound and pictures: some words, and roles.
LEAST_UTTERANCE: Final = 64
# Of a whole reply, as long as a clause cutter leaves it (``clauses.REPLY_LETTERS``), and how long
# it takes where it is spoken slowly.
REPLY_SYMBOLS: Final = 510
REPLY_S: Final = 40


def opening_tokens(answerer: Answerer) -> int:
    """Return how many tokens stand before the first turn of a prompt at most, whoever answers."""
    template, tokens = answerer.template, answerer.tokens
    openings = {template.opening(profile) for profile in PROFILES}
    return len(template.begins_with) + max(len(tokens.encode(text)) for text in openings)


def check_room(engines: EmpatheiaEngines, options: EmpatheiaOptions) -> None:
    """Check that one utterance and its answer have room.

    Raises:
        ValueError: Plans say too little at once; or the language model, or the plan that was built
            of it, takes too few tokens.
    """
    chosen, symbols = options.effective(), engines.manifest.symbols
    if chosen.content_span == "reply" and symbols < REPLY_SYMBOLS:
        raise ValueError(
            f"{engines.manifest.name}: content_span reply: expected plans that take "
            f"{REPLY_SYMBOLS} symbols, a whole reply; got plans that take {symbols}. Plans that "
            f"take more: rt-avatar engines build {engines.manifest.name} --seconds {REPLY_S}"
        )
    _check_context(engines, chosen.words().tokens, chosen.without)


def _check_context(engines: EmpatheiaEngines, answer: int, without: Collection[Modality]) -> None:
    manifest, opening = engines.manifest, opening_tokens(engines.answerer)
    utterance = LEAST_UTTERANCE + manifest.query_bins * (len(get_args(Modality)) - len(without))
    least = opening + utterance + answer
    if least > manifest.positions:
        raise ValueError(
            f"{manifest.name}: expected a language model that takes {least} tokens: "
            f"{opening} of instructions, {utterance} of what is said, {answer} of its answer; "
            f"got one that takes {manifest.positions}{longer_context(engines, least)}"
        )
