"""The networks that hear danger are learnt from lines of a file, by one command."""

import gzip
import json
import sys

import pytest

from rt_avatar.engines.reply_selector import load_general
from rt_avatar.engines.text_danger import TextDangerClassifier
from rt_avatar.engines.text_encoder import TextEncoder
from rt_avatar.engines.training.text_danger import __main__ as command
from rt_avatar.engines.training.text_danger import encoder_part, linear_part
from tests.engines.training.text_danger.test_sentences import EVERYDAY
from tests.engines.training.text_encoder.torch.test_tuning import published

__all__ = ["published"]

pytestmark = pytest.mark.networks

SENTENCES = """# a remark
suicide\ti want to end my life
suicide\ti will end my life soon
emergency\tshe is not breathing at all
emergency\the is not breathing at all
none\ti want to end my subscription
none\tshe is breathing deeply in her sleep
none\tthe soup was good
none\tthe cake was good
"""


def test_turns_of_calls_that_tell_of_harm_are_not_learnt_as_harmless(tmp_path, monkeypatch):
    to_harm = next(one.text for one in load_general() if one.when == "harm")
    turns = [("the soup is good", ["Oh."]), ("i give him double drops", ["Oh.", to_harm])]
    calls = tmp_path / "calls.jsonl.gz"
    with gzip.open(calls, "wt") as lines:
        call = [{"caller": caller, "general": general} for caller, general in turns]
        lines.write(json.dumps({"turns": call}))
    monkeypatch.setattr(command, "CALLS", calls)
    assert [one.text for one in command._calls()] == ["the soup is good"]


def test_what_is_learnt_is_heard_and_real_talk_is_not(published, tmp_path, monkeypatch):
    (tmp_path / "sentences.tsv").write_text(SENTENCES * 4)
    (tmp_path / "text").mkdir()
    with gzip.open(tmp_path / "text" / "self_dialogue.jsonl.gz", "wt") as lines:
        lines.write(json.dumps({"turns": ["the film was good", "i liked the end of it"] * 20}))
    (tmp_path / "everyday.txt").write_text(EVERYDAY)
    calls = tmp_path / "calls.jsonl.gz"
    with gzip.open(calls, "wt") as lines:
        turns = [("the soup is good", ["Oh."]), ("i hit him", []), ("…", ["Oh."])]
        call = [{"caller": caller, "general": general} for caller, general in turns]
        lines.write(json.dumps({"turns": call}))
    monkeypatch.setattr(command, "CALLS", calls)
    monkeypatch.setattr(command, "_HERE", tmp_path)
    monkeypatch.setattr(command, "_EVERYDAY", 4)
    monkeypatch.setattr(command, "_KEPT_OUT", 4)
    monkeypatch.setattr(linear_part, "_MIN_COUNT", 1)
    monkeypatch.setattr(encoder_part, "_LAYERS", 1)
    options = {
        "--data": tmp_path,
        "--encoder": published[0],
        "--checkpoint": tmp_path / "state" / "text_danger.pt",
        "--output": tmp_path / "made",
        "--epochs": 6,
    }
    words = [str(word) for option in options.items() for word in option]
    monkeypatch.setattr(sys, "argv", ["text_danger", *words])
    command.main()
    made = tmp_path / "made"
    classifier = TextDangerClassifier(made / "text_danger", TextEncoder(made / "text_encoder"))
    ends, breathes, talk = (
        classifier.classify(text)
        for text in ("i want to end my life", "he is not breathing", "i liked the end of the film")
    )
    assert (ends.likeliest, breathes.likeliest) == ("suicide", "emergency")
    assert min(ends.probability, breathes.probability) > 0.5 > talk.probability
