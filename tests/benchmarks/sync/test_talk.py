"""The avatar is kept talking, and never spoken over."""

import pytest

from rt_avatar.benchmarks.sync.talk import PATIENCE_S, TEXTS, Prompter, Said

pytestmark = pytest.mark.unit


def state(name: str) -> dict:
    return {"type": "state", "turn": 1, "state": name}


def test_the_next_thing_is_said_when_a_reply_has_ended():
    prompter = Prompter()
    assert prompter.due(0) == {"type": "text", "text": TEXTS[0]}
    assert prompter.due(0.1) is None
    for name in ("listening", "thinking", "speaking"):
        prompter.note(state(name), 1.0)
        assert prompter.due(1) is None
    prompter.note({"type": "caption", "role": "caller", "final": True, "text": "…"}, 2.0)
    assert prompter.due(PATIENCE_S + 100) is None  # a long reply is not spoken over
    prompter.note(state("listening"), 3.0)
    assert prompter.due(200) == {"type": "text", "text": TEXTS[1]}


def test_what_was_typed_and_answered_is_kept_with_the_feeling_of_that_moment():
    prompter = Prompter()
    prompter.due(0)
    prompter.note({"type": "affect", "valence": -0.5}, 0.1)
    prompter.note(state("speaking"), 0.4)
    prompter.note({"type": "affect", "valence": 0.9}, 0.5)
    prompter.note({"type": "caption", "role": "avatar", "final": False, "text": "I"}, 0.6)
    prompter.note({"type": "caption", "role": "avatar", "final": True, "text": "I see."}, 1.6)
    (said,) = prompter.exchanges
    assert said == Said(0.4, TEXTS[0], "I see.", {"type": "affect", "valence": -0.5})


def test_what_was_not_answered_is_followed_by_something_else():
    prompter = Prompter()
    prompter.due(0)
    assert prompter.due(PATIENCE_S - 0.1) is None
    assert prompter.due(PATIENCE_S + 0.1) == {"type": "text", "text": TEXTS[1]}
