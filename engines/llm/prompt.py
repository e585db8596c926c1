"""A prompt of text and encodings → vectors for the language model."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from rt_avatar.engines.llm.model import LanguageModel, Vectors
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.llm.templates import Modality, Piece, Slot, Template, Turn
from rt_avatar.engines.llm.tokens import Tokens


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """A turn as the model reads it.

    Attributes:
        role: Who.
        text: The words.
        encodings: (K, width) of what was heard and seen of it, in the order of the prompt.
    """

    role: Literal["user", "avatar"]
    text: str
    encodings: Mapping[Modality, Vectors] = field(default_factory=dict)


def write(
    model: LanguageModel,
    tokens: Tokens,
    template: Template,
    dialogue: Sequence[Said],
    profile: Profile | None = None,
) -> Vectors:
    """Return a dialogue up to where the model answers as ``profile``, (N, width).

    Whatever was said are words: a marker that somebody types or a recogniser writes ends no turn,
    and no signal token stands in a prompt.

    Raises:
        ValueError: There is no turn, the last is not the user's, or an encoding does not fit.
    """
    pieces, encodings = _parts(tokens, template, dialogue, profile)
    return assemble(model, tokens, pieces, encodings, template.begins_with)


def count(
    tokens: Tokens, template: Template, dialogue: Sequence[Said], profile: Profile | None = None
) -> int:
    """Return how many vectors ``write`` would make of a dialogue, without a model."""
    pieces, encodings = _parts(tokens, template, dialogue, profile)
    runs = _runs(tokens, pieces, encodings, template.begins_with)
    return sum(len(run) if isinstance(run, list) else len(encodings[run]) for run in runs)


def assemble(
    model: LanguageModel,
    tokens: Tokens,
    pieces: Sequence[Piece],
    encodings: Mapping[Slot, Vectors],
    begins_with: Sequence[int] = (),
) -> Vectors:
    """Embed texts and put encodings in their places.

    A place without an encoding (no microphone, no camera, nothing heard) is left out. That is the
    same, to the model, as a place that its attention mask hides.

    Args:
        model: For the embeddings of text, and their width.
        tokens: Of the model.
        pieces: As a template makes them.
        encodings: (K, width) of each modality of each turn that there is.
        begins_with: The template's first ids.

    Raises:
        ValueError: There is no text, or an encoding has another width than the model.
    """
    runs = _runs(tokens, pieces, encodings, begins_with)
    texts = [run for run in runs if isinstance(run, list) and run]
    if not texts:
        raise ValueError("prompt: expected some text; got none")
    # All texts at once: one call instead of one between any two encodings.
    table = model.embed([token for run in texts for token in run])
    parts: list[Vectors] = []
    start = 0
    for run in runs:
        if isinstance(run, Slot):
            parts.append(_checked(run, encodings[run], table.shape[1]))
        elif run:
            parts.append(table[start : start + len(run)])
            start += len(run)
    return np.concatenate(parts)


def _parts(
    tokens: Tokens, template: Template, dialogue: Sequence[Said], profile: Profile | None
) -> tuple[list[Piece], dict[Slot, Vectors]]:
    turns = [Turn(said.role, tokens.plain(said.text), tuple(said.encodings)) for said in dialogue]
    encodings = {
        Slot(modality, index): vectors
        for index, said in enumerate(dialogue)
        for modality, vectors in said.encodings.items()
    }
    return template.pieces(turns, profile), encodings


def _runs(
    tokens: Tokens, pieces: Sequence[Piece], encoded: Container[Slot], begins_with: Sequence[int]
) -> list[list[int] | Slot]:
    """Return ids of texts, and between them the places that have an encoding."""
    runs: list[list[int] | Slot] = [list(begins_with)]
    for piece in pieces:
        if isinstance(piece, Slot):
            if piece in encoded:
                runs.append(piece)
        elif isinstance(runs[-1], list):
            runs[-1].extend(tokens.encode(piece))
        else:
            runs.append(tokens.encode(piece))
    return runs


def _checked(slot: Slot, encoding: Vectors, width: int) -> Vectors:
    if encoding.ndim != 2 or encoding.shape[1] != width:
        raise ValueError(
            f"prompt: expected {slot.modality} of turn {slot.turn} as (tokens, {width}); "
            f"got {encoding.shape}; was it projected for another language model?"
        )
    return encoding
