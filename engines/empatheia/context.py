"""Whether the language model's context holds an utterance and its answer, known before a call."""

from collections.abc import Collection
from typing import Final, get_args

from rt_avatar.engines.empatheia.engines import EmpatheiaEngines, longer_context
from rt_avatar.engines.llm.answer import Answerer
from rt_avatar.engines.llm.profile import PROFILES
from rt_avatar.engines.llm.templates import Modality

# What one utterance needs beside the encodings of its sound and pictures: some words, and roles.
LEAST_UTTERANCE: Final = 64


def opening_tokens(answerer: Answerer) -> int:
    """Return how many tokens stand before the first turn of a prompt at most, whoever answers."""
    template, tokens = answerer.template, answerer.tokens
    openings = {template.opening(profile) for profile in PROFILES}
    return len(template.begins_with) + max(len(tokens.encode(text)) for text in openings)


def check_context(
    engines: EmpatheiaEngines, answer: int, without: Collection[Modality] = ()
) -> None:
    """Check that one utterance and its answer have room.

    Args:
        engines: Loaded.
        answer: Tokens that an answer may need.
        without: What is left out of what is read: speech, video.

    Raises:
        ValueError: The language model, or the plan that was built of it, takes too few tokens.
    """
    manifest, opening = engines.manifest, opening_tokens(engines.answerer)
    utterance = LEAST_UTTERANCE + manifest.query_bins * (len(get_args(Modality)) - len(without))
    least = opening + utterance + answer
    if least > manifest.positions:
        raise ValueError(
            f"{manifest.name}: expected a language model that takes {least} tokens: "
            f"{opening} of instructions, {utterance} of what is said, {answer} of its answer; "
            f"got one that takes {manifest.positions}{longer_context(engines, least)}"
        )
