"""The network that judges replies is made from calls in a file; a line that is none is named."""

import gzip
import json
import sys

import pytest

from rt_avatar.benchmarks.empathy import judging
from rt_avatar.engines.reply_judge import ReplyJudge
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.networks

CALL = {
    "turns": [
        ["caller", "I made a mug in my pottery class."],
        ["avatar", "How do you like it?"],
        ["caller", "my cousin cut the hedge into a duck"],
    ],
    "replies": [
        {
            "at": 2,
            "said": "Into a duck?",
            "judged": {"Into a duck?": "F", "I follow you. Go on.": "W"},
        }
    ],
}  # fmt: skip


def write(path, *calls):
    with gzip.open(path, "wt") as lines:
        lines.writelines(json.dumps(call) + "\n" for call in calls)


def test_calls_become_weights_that_the_judge_takes(tmp_path, monkeypatch):
    found = next(iter(judging._read(judging._CALLS)))
    assert set(found[3].values()) <= set("FWM")
    with gzip.open(judging._CALLS, "rt") as lines:
        some = [json.loads(line) for line in lines]
    by_player = {call["player"]: call for call in some}
    write(tmp_path / "calls.gz", *list(by_player.values())[:3])
    monkeypatch.setattr(judging, "_EPOCHS", 1)
    arguments = ["judging", "--calls", str(tmp_path / "calls.gz"), "-o", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", arguments)
    judging.main()
    ReplyJudge(tmp_path / "weights.npz")


@pytest.mark.parametrize("call", [{}, {**CALL, "player": "a", "replies": [{"at": 2}]}, [1]])
def test_a_line_that_is_no_call_is_named(tmp_path, call):
    write(tmp_path / "calls.gz", {**CALL, "player": "a"}, call)
    with pytest.raises(BadInputError, match="line 2: expected"):
        list(judging._read(tmp_path / "calls.gz"))


def test_a_file_that_is_not_gzipped_is_told(tmp_path):
    (tmp_path / "calls.gz").write_text(json.dumps(CALL))
    with pytest.raises(BadInputError, match="gzipped"):
        list(judging._read(tmp_path / "calls.gz"))
