"""Styles: which half goes where, and what is mixed in which order."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.styletts2 import recipe
from rt_avatar.engines.styletts2.recipe import StyleRecipe
from rt_avatar.engines.styletts2.style import mix, style_from_table
from rt_avatar.engines.styletts2.symbols import encode

pytestmark = pytest.mark.unit

RNG = np.random.default_rng(0)
SAMPLED, REFERENCE, PREVIOUS = (RNG.standard_normal((1, 256)).astype(np.float32) for _ in range(3))


def test_the_acoustic_half_is_the_first():
    mixed = mix(SAMPLED, None, None, recipe.LJSPEECH.style)
    assert np.array_equal(mixed.acoustic, SAMPLED[:, :128])
    assert np.array_equal(mixed.prosodic, SAMPLED[:, 128:])


def test_ljspeech_carries_the_sampled_style_mixed_with_the_one_before():
    mixed = mix(SAMPLED, None, PREVIOUS, recipe.LJSPEECH.style)
    wanted = 0.7 * PREVIOUS + 0.3 * SAMPLED
    np.testing.assert_allclose(np.hstack([mixed.acoustic, mixed.prosodic]), wanted, rtol=1e-5)
    np.testing.assert_allclose(mixed.carried, wanted, rtol=1e-5)


def test_libritts_mixes_with_the_one_before_first_and_carries_what_was_used():
    mixed = mix(SAMPLED, REFERENCE, PREVIOUS, recipe.LIBRITTS.style)
    chosen = 0.7 * PREVIOUS + 0.3 * SAMPLED
    acoustic = 0.3 * chosen[:, :128] + 0.7 * REFERENCE[:, :128]
    prosodic = 0.9 * chosen[:, 128:] + (1 - 0.9) * REFERENCE[:, 128:]
    np.testing.assert_allclose(mixed.acoustic, acoustic, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(mixed.prosodic, prosodic, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(mixed.carried, np.hstack([acoustic, prosodic]), rtol=1e-4, atol=1e-6)
    assert mixed.carried.dtype == np.float32


def test_with_a_reference_but_the_rule_of_ljspeech_the_sampled_style_is_carried():
    rule = replace(recipe.LIBRITTS.style, carries_mixed=False)
    mixed = mix(SAMPLED, REFERENCE, PREVIOUS, rule)
    np.testing.assert_allclose(mixed.carried, 0.7 * PREVIOUS + 0.3 * SAMPLED, rtol=1e-5)


def test_the_first_sentence_has_nothing_before_it():
    mixed = mix(SAMPLED, REFERENCE, None, recipe.LIBRITTS.style)
    wanted = 0.3 * SAMPLED[:, :128] + 0.7 * REFERENCE[:, :128]
    np.testing.assert_allclose(mixed.acoustic, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("named", [recipe.KOKORO, recipe.NANO])
def test_without_any_share_sampling_is_skipped_and_the_reference_is_the_style(named):
    assert not named.style.is_sampled
    mixed = mix(None, REFERENCE, None, named.style)
    assert np.array_equal(np.hstack([mixed.acoustic, mixed.prosodic]), REFERENCE)


def test_a_missing_style_is_told():
    with pytest.raises(ValueError, match="needs a reference style"):
        mix(SAMPLED, None, None, recipe.LIBRITTS.style)
    with pytest.raises(ValueError, match="needs a sampled style"):
        mix(None, REFERENCE, None, StyleRecipe(alpha=0.3))


def test_a_table_is_asked_by_the_number_of_phonemes_less_one():
    table = np.arange(510 * 256, dtype=np.float32).reshape(510, 1, 256)
    for text, row in (("a", 0), ("a" * 510, 509)):
        assert np.array_equal(style_from_table(table, encode(text, wrap="both")), table[row])
    for tokens in ([0, 0], [0] * 513):
        with pytest.raises(ValueError, match="expected 1 to 510 phonemes"):
            style_from_table(table, tokens)


def test_the_recipes_are_the_published_ones():
    lj, libri = recipe.LJSPEECH, recipe.LIBRITTS
    assert (libri.style.alpha, libri.style.beta, libri.style.carry) == (0.3, 0.9, 0.7)
    assert (lj.style.alpha, lj.style.beta, lj.style.carry) == (1.0, 1.0, 0.7)
    assert lj.style.steps == libri.style.steps == 10
    assert lj.style.guidance == libri.style.guidance == 1.5
    assert (lj.shifted_frames, libri.shifted_frames) == (0, 1)
    assert (lj.last_token_frames, libri.last_token_frames) == (5, 0)
    assert (lj.dropped_samples, libri.dropped_samples) == (0, 50)
    assert (lj.wrap, libri.wrap, recipe.KOKORO.wrap) == ("lead", "lead", "both")
