"""Nano's network says what it answers, with its modules and without them."""

import pytest

from rt_avatar.benchmarks.empathy.network import measure_network
from rt_avatar.benchmarks.quality.replies import Dialogue
from rt_avatar.reasoner import ChatMessage

pytestmark = pytest.mark.networks


def test_replies_are_said_in_four_ways():
    told = ("lonely", "I feel so lonely here."), ("joyful", "I passed my exam, I am so happy!")
    found = measure_network(
        [Dialogue(label, (ChatMessage("caller", text),)) for label, text in told], 2
    )
    for way in ("network", "without_cs", "without_sd", "pipeline"):
        assert 0 <= found.figures[f"{way}_word_error"] <= 2
        assert found.figures[f"{way}_word_error"] >= 0
    assert 0 < found.figures["llm_dist2"] <= 100
    rows = {row[0]: row for row in found.rows}
    assert rows["llm no chain"][1] == "nan"  # it names no emotion
    assert sum("words misheard" in note for note in found.notes) == 4
