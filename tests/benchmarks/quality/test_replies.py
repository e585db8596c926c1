import gzip
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from rt_avatar.benchmarks.quality import replies as quality_replies
from rt_avatar.benchmarks.quality.replies import read_dialogues, replies
from rt_avatar.config.settings import LlmSettings, Settings
from rt_avatar.engines.types import FaceStyle, VoiceStyle
from rt_avatar.errors import BadInputError, ReasonerError, SetupError
from rt_avatar.messages import Chain, Clause, Plan
from rt_avatar.reasoner import ReplyRequest

pytestmark = pytest.mark.unit


def dialogue(emotion: str, *texts: str) -> dict[str, object]:
    roles = ("speaker", "listener")
    turns = [{"role": roles[at % 2], "text": text} for at, text in enumerate(texts)]
    return {"emotion": emotion, "turns": turns}


STORIES = (
    dialogue("lonely", "I feel so lonely here.", "I am sorry.", "Nobody calls me."),
    dialogue("angry", "I am so angry at him!", "Why is that?"),
    dialogue("sad", "I am sad.", "Oh no.", "Thanks.", "Sure."),
)


@pytest.fixture
def stories(tmp_path) -> Path:
    path = tmp_path / "stories.jsonl.gz"
    with gzip.open(path, "wt") as lines:
        lines.writelines(json.dumps(story) + "\n" for story in STORIES)
    return path


class ScriptedReasoner:
    """Always says the same; fails when it hears a certain word."""

    name = "scripted"

    def __init__(self, fails_at: str = "angry") -> None:
        self._fails_at = fails_at

    def open(self) -> "ScriptedReasoner":
        return self

    async def aclose(self) -> None:
        pass

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        if self._fails_at in request.transcript.text:
            raise ReasonerError("too late")
        chain = Chain(emotion="Deeply sad")
        yield Plan(request.turn, 0, chain, "sad", VoiceStyle(), FaceStyle())
        for index, text in enumerate(("I hear you.", "Tell me more.")):
            yield Clause(request.turn, 0, index, text)


@pytest.fixture
def found(stories, monkeypatch):
    monkeypatch.setattr(quality_replies, "make_reasoner", lambda *_: ScriptedReasoner())
    return replies(stories, Settings(), quick=False, most=None)


def test_what_a_reasoner_names_is_compared_with_the_label(found):
    assert found.figures["last_acc32_percent"] == pytest.approx(100 / 3)  # only "sad"
    assert found.figures["last_acc7_percent"] == pytest.approx(200 / 3)  # "lonely" is sad, too


def test_replies_are_counted_where_people_replied_too(found):
    # Four times people answered; of these the reasoner failed once.
    assert found.figures["replies"] == 3
    assert found.figures["failed_replies"] == 1
    # Eight tokens in each of the same replies, the full stop twice: 7 of 24.
    assert found.figures["dist1_percent"] == pytest.approx(100 * 7 / 24)


def test_the_listener_of_rules_is_judged_by_all_that_was_said(stories):
    by_lexicon = Settings(llm=LlmSettings(emotion="lexicon"))  # it hears the last turn alone
    group = replies(stories, by_lexicon, quick=False, most=None)
    assert group.figures["whole_acc32_percent"] > group.figures["last_acc32_percent"]
    assert group.figures["people_dist1_percent"] > 0


def test_an_endpoint_where_nobody_answers_ends_the_measurement(stories, monkeypatch):
    monkeypatch.setattr(quality_replies, "make_reasoner", lambda *_: ScriptedReasoner("I"))
    with pytest.raises(SetupError, match="too late"):
        replies(stories, Settings(), quick=False, most=None)


def test_fewer_dialogues_are_spread_over_the_file(stories):
    assert replies(stories, Settings(), quick=True, most=2).figures["dialogues"] == 2


def test_plain_files_are_read_and_other_labels_left_out(tmp_path):
    path = tmp_path / "stories.jsonl"
    lines = [dialogue("hangry", "I am hungry."), dialogue("proud", "I won!")]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert [story.label for story in read_dialogues(path)] == ["proud"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got none"),
        ('{"emotion": "sad"}', "line 1.*turns"),
        ("no json", "line 1"),
        ('{"emotion": "sad", "turns": [{"role": "speaker"}]}', "text"),
        ('["sad"]', "line 1"),
        ('{"emotion": "sad", "turns": [{"role": "speaker", "text": null}]}', "line 1"),
        ('{"emotion": "sad", "turns": [{"role": "user", "text": "Hi."}]}', "line 1.*user"),
    ],
)
def test_files_of_another_form_are_refused_with_the_line(tmp_path, text, message):
    path = tmp_path / "stories.jsonl"
    path.write_text(text)
    with pytest.raises(BadInputError, match=message):
        read_dialogues(path)


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (("train.jsonl", "valid.jsonl"), "valid.jsonl"),
        (("valid.jsonl", "test.jsonl", "train.jsonl"), "test.jsonl"),
        (("mine.jsonl", "README.md"), "mine.jsonl"),
    ],
)
def test_of_a_folder_the_part_to_measure_on_is_read(tmp_path, names, taken):
    for name in names:
        story = dialogue("proud" if name == taken else "sad", "My son won!")
        (tmp_path / name).write_text(json.dumps(story))
    assert [story.label for story in read_dialogues(tmp_path)] == ["proud"]


@pytest.mark.parametrize("names", [(), ("README.md",), ("train.jsonl", "more.jsonl")])
def test_a_folder_without_such_a_part_is_refused(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text("{}")
    with pytest.raises(BadInputError, match="expected test or valid"):
        read_dialogues(tmp_path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read"):
        read_dialogues(tmp_path / "missing.jsonl")
