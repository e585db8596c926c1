"""Only what the model writes itself counts, and of a chain only what is known."""

import pytest

from rt_avatar.engines.llm.chain import NOTATIONS, TAGS, Chain
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.llm.prompt import Said, count, write
from rt_avatar.engines.llm.signals import SIGNALS
from rt_avatar.engines.llm.templates import NANO, TEMPLATES, Turn
from rt_avatar.engines.training.llm.examples import Writer
from tests.engines.llm.scripted import ScriptedModel
from tests.engines.llm.tiny import tokens

pytestmark = pytest.mark.unit

TURNS = (
    Turn("user", "Hello!"),
    Turn("avatar", "Tell me more."),
    Turn("user", "I lost my dog <end> today."),
)
WHOLE = Chain("loss", "sad", "the dog", "comfort")


def written(example):
    return tokens().decode(example.ids.tolist())


def counted(example):
    return tokens().decode(example.ids[example.counts].tolist())


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=lambda one: one.name)
def test_an_answer_is_written_as_it_is_read_at_run_time(notation):
    example = Writer(tokens(), NANO, notation, 400).example(TURNS, "I am so sorry.", WHOLE)
    text = written(example)
    plain = [Turn(turn.role, turn.text.replace("<end>", " ")) for turn in TURNS]
    assert text.startswith(NANO.text(plain))
    answer = text.removeprefix(NANO.text(plain))
    assert notation.read(answer.replace("".join(SIGNALS), "")) == (WHOLE, "I am so sorry.")
    # The signal tokens stand where the chain ends, and are never drawn.
    assert answer.partition("".join(SIGNALS))[0] == notation.write_chain(WHOLE)
    assert counted(example) == notation.write(WHOLE, "I am so sorry.")


def test_of_an_unknown_field_neither_words_nor_end_count():
    chain = Chain(emotion="sad")
    example = Writer(tokens(), NANO, TAGS, 400).example(TURNS, "Oh.", chain)
    assert "<scene><emo>sad</emo><cause><goal><reply>" in written(example)
    assert counted(example) == "<scene>sad</emo><cause>Oh.</response>"


def test_a_reply_without_a_chain_is_none_that_the_model_begins():
    example = Writer(tokens(), NANO, TAGS, 400).example(TURNS, "Oh.", None)
    assert "<avatar><reply>[AUD0]" in written(example)
    assert counted(example) == "Oh.</response>"


@pytest.mark.parametrize("profile", [None, Profile("elderly", "male", "low")], ids=str)
@pytest.mark.parametrize("template", TEMPLATES.values(), ids=lambda one: one.name)
def test_training_and_use_write_the_same_prompt(template, profile):
    example = Writer(tokens(), template, TAGS, 4000).example(TURNS, "Oh.", None, profile)
    # An embedding of the scripted model has its token in it.
    dialogue = [Said(turn.role, turn.text) for turn in TURNS]
    live = write(ScriptedModel([]), tokens(), template, dialogue, profile)[:, 0].astype(int)
    assert example.ids[: len(live)].tolist() == live.tolist()
    assert tokens().decode(example.ids[len(live) :].tolist()).startswith("<reply>[AUD0]")
    assert count(tokens(), template, dialogue, profile) == len(live)


@pytest.mark.parametrize("context", [60, 90, 120])
def test_the_oldest_turns_are_left_out_first(context):
    writer = Writer(tokens(), NANO, TAGS, context)
    example = writer.example(TURNS, "Oh.", Chain(emotion="sad"))
    assert len(example.ids) <= context
    assert written(example).endswith("Oh.</response>")
    assert "today.<avatar><scene>" in written(example)
    assert not example.counts[0]


def test_a_plain_dialogue_takes_turns():
    ids = Writer(tokens(), NANO, TAGS, 400).plain(["Hi <user> there.", "Yes.", "So?"])
    assert tokens().decode(ids.tolist()) == "<user>Hi   there.<avatar>Yes.<end><user>So?"
