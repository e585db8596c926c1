"""Styles of a voice: sampled, mixed with the reference, carried from sentence to sentence.

A style is 256 numbers, the acoustic half first (it goes to the decoder), then the prosodic half
(it goes to the predictor). LJSpeech and LibriTTS differ in what they carry on, see ``mix``.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.styletts2.recipe import StyleRecipe

Style: TypeAlias = NDArray[np.float32]  # (1, 256): acoustic 128, prosodic 128


@dataclass(frozen=True, slots=True)
class MixedStyle:
    """What the networks are given, each (1, 128), and what the next sentence is, (1, 256)."""

    acoustic: Style
    prosodic: Style
    carried: Style


def mix(
    sampled: Style | None, reference: Style | None, previous: Style | None, recipe: StyleRecipe
) -> MixedStyle:
    """Mix a sampled style with the sentence before first, and then with the reference.

    The order matters: the sentence before is mixed into the sampled style, and only the result is
    weighed against the reference with alpha and beta. What is carried on is that result for
    LJSpeech, which has no reference, and the style as used for LibriTTS.

    Args:
        sampled: From the sampler; may be missing when ``alpha`` and ``beta`` are 0.
        reference: The voice's own; may be missing when ``alpha`` and ``beta`` are 1.
        previous: ``carried`` of the sentence before, or None at the first.
        recipe: Shares.

    Raises:
        ValueError: A style that the recipe gives a share to is missing.
    """
    if not recipe.is_sampled:
        sampled = np.zeros_like(_given(reference, "reference"))
    chosen = _given(sampled, "sampled")
    if previous is not None:
        chosen = recipe.carry * previous + (1.0 - recipe.carry) * chosen
    half = chosen.shape[-1] // 2
    acoustic, prosodic = chosen[:, :half], chosen[:, half:]
    if recipe.has_reference:
        voice = _given(reference, "reference")
        acoustic = recipe.alpha * acoustic + (1.0 - recipe.alpha) * voice[:, :half]
        prosodic = recipe.beta * prosodic + (1.0 - recipe.beta) * voice[:, half:]
    used = np.concatenate([acoustic, prosodic], axis=-1)
    return MixedStyle(
        acoustic=acoustic.astype(np.float32),
        prosodic=prosodic.astype(np.float32),
        carried=(used if recipe.carries_mixed else chosen).astype(np.float32),
    )


def style_from_table(table: Style, tokens: list[int]) -> Style:
    """Return the style that a table holds for a sentence of this length (Kokoro's voices).

    Args:
        table: (510, 1, 256), by the number of phonemes less one.
        tokens: Of the sentence, with the pad symbol at both ends, which do not count.

    Raises:
        ValueError: The table has no row for so many phonemes.
    """
    phonemes = len(tokens) - 2
    if not 1 <= phonemes <= len(table):
        raise ValueError(
            f"style: expected 1 to {len(table)} phonemes between two pad symbols, got {phonemes}; "
            "cut the text at a clause"
        )
    row: Style = table[phonemes - 1]
    return row


def _given(style: Style | None, what: str) -> Style:
    if style is None:
        raise ValueError(f"style: the recipe needs a {what} style, got none")
    return style
