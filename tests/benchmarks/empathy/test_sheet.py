"""The sheet for blind reading, and what is made of readers' choices."""

import json
import re

import pytest

from rt_avatar.benchmarks.empathy.sheet import agreement, main, page

pytestmark = pytest.mark.unit

STORIES = [([f"caller: <b>{at}</b>"], f"ours {at}", f"theirs {at}") for at in range(20)]


def judged(*choices, wrong=()):
    chosen = {str(at): one for at, one in enumerate(choices)}
    return {"choices": chosen, "wrong": {"nano": list(wrong), "rules": []}}


def test_the_order_is_shuffled_and_the_same_for_one_seed():
    text = page(STORIES, 1)
    assert text == page(STORIES, 1)
    first = re.findall(r'<fieldset>.*?type="radio" name="\d+" value="(\w+)"', text)
    assert len(first) == len(STORIES)
    assert set(first) == {"nano", "rules"}


def test_what_was_said_cannot_change_the_page():
    assert "<b>" not in page(STORIES, 1)


def test_choices_are_counted_and_compared():
    lines = agreement(
        [
            judged("nano", "rules", "same", "nano", wrong=[2]),
            judged("nano", "rules", "same", "rules"),
        ]
    )
    assert lines[0] == "reader 1: nano 2, rules 1, same 1; plainly wrong: nano 1, rules 0"
    assert lines[2] == "readers 1, 2: kappa 0.64 over 4 stories"


def test_a_file_that_is_no_choices_says_what_is_expected(tmp_path, monkeypatch):
    path = tmp_path / "choices.json"
    path.write_text(json.dumps({"choices": {"1": "both"}, "wrong": {"nano": [], "rules": []}}))
    monkeypatch.setattr("sys.argv", ["sheet", "--judged", str(path)])
    with pytest.raises(Exception, match="expected what a sheet saved"):
        main()
