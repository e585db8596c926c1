"""Which words a persona says in feelings."""

from collections import defaultdict

import pytest

from rt_avatar.benchmarks.voice import benchmark
from rt_avatar.engines.types import EMOTIONS
from rt_avatar.personas import PERSONAS

pytestmark = pytest.mark.unit


def test_strong_feelings_say_the_words_of_normal_ones_so_that_words_cost_both_alike(monkeypatch):
    """They had every other sentence each: men seemed to lose words where they felt strongly."""
    said: defaultdict[tuple[str, str], dict[float, str]] = defaultdict(dict)

    def note(voice, persona, text, style, listener, into):
        if style.emotion != "neutral":
            said[persona, style.emotion][style.intensity] = text

    monkeypatch.setattr(benchmark, "_say", note)
    sentences = [f"sentence {number}" for number in range(12)]
    benchmark._speak_all(object(), "nano", list(PERSONAS), sentences, object())
    assert len(said) == len(PERSONAS) * (len(EMOTIONS) - 1)
    assert all(len(texts) == 2 and len(set(texts.values())) == 1 for texts in said.values())
    of_ava = [texts[1.0] for (persona, _), texts in said.items() if persona == "ava"]
    assert len(set(of_ava)) == len(of_ava)
