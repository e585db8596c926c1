"""The avatar is kept talking, and never spoken over."""

import pytest

from benchmarks.sync_talk import PATIENCE_S, TEXTS, Prompter

pytestmark = pytest.mark.unit


def state(name: str) -> dict:
    return {"type": "state", "turn": 1, "state": name}


def test_the_next_thing_is_said_when_a_reply_has_ended():
    prompter = Prompter()
    assert prompter.due(0) == {"type": "text", "text": TEXTS[0]}
    assert prompter.due(0.1) is None
    for name in ("listening", "thinking", "speaking"):
        prompter.note(state(name))
        assert prompter.due(1) is None
    prompter.note({"type": "caption"})
    assert prompter.due(PATIENCE_S + 100) is None  # a long reply is not spoken over
    prompter.note(state("listening"))
    assert prompter.due(200) == {"type": "text", "text": TEXTS[1]}


def test_what_was_not_answered_is_followed_by_something_else():
    prompter = Prompter()
    prompter.due(0)
    assert prompter.due(PATIENCE_S - 0.1) is None
    assert prompter.due(PATIENCE_S + 0.1) == {"type": "text", "text": TEXTS[1]}
