"""Markup is not read out, and positions stay those of the written text."""

import pytest

from rt_avatar.engines.text.characters import blank_markup, fold_compatible

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ('<speak>Hi <break time="1s"/>you</speak>', "Hi you"),
        ("see [here](https://a.com/b)!", "see [here] !"),
        ("```python\nx\n```", "x"),
        ("a &lt; b", "a b"),
        ("1 < 2 > 0, a<b", "1 < 2 > 0, a<b"),
        ("<!-- no --> yes", "yes"),
    ],
)
def test_tags_targets_and_fences_become_spaces(written, left):
    blanked = blank_markup(written)
    assert len(blanked) == len(written)
    assert blanked.split() == left.split()


def test_compatible_letters_become_plain_ones_and_small_digits_stay():
    assert fold_compatible("Ｈｉ 𝐰𝐨𝐫𝐥𝐝 ５ m² é") == "Hi world 5 m² é"


def test_lowered_digits_become_plain_ones():
    assert fold_compatible("CO₂ C₆H₁₂O₆") == "CO2 C6H12O6"
