"""Vicuna's kind of tokenizer, template and notation go through the same interface as nano's."""

import pytest

from rt_avatar.engines.llm.answer import (
    Answered,
    Answerer,
    AnswerOptions,
    Replied,
    Signalled,
    Understood,
)
from rt_avatar.engines.llm.chain import ORDINAL, Chain
from rt_avatar.engines.llm.prompt import Said, write
from rt_avatar.engines.llm.templates import VICUNA_EMPATHY, VICUNA_V1_5, Turn
from rt_avatar.engines.llm.tokens import TextStream
from rt_avatar.engines.networks.export_files import makeshift_tokens
from rt_avatar.engines.training.llm.examples import Writer
from tests.engines.llm.scripted import ScriptedModel
from tests.engines.networks.small_empatheia import SIZES_SMALL

pytestmark = pytest.mark.networks
CHAIN = Chain("lost a pet", "sad", "the dog died. It was old", "comfort her")
REPLY = "I am so sorry, naïve 🙂 漢. Tell me more?"
TEXT = ORDINAL.write(CHAIN, REPLY)


@pytest.fixture(scope="module")
def vicuna():
    """Spaces are letters, what is unknown is spelled in bytes, signal tokens come last."""
    made = makeshift_tokens(SIZES_SMALL.llm)
    assert made.signals.first == made.size - 32
    return made


def answered(vicuna, ids, **options):
    model = ScriptedModel(ids, vicuna)
    prompt = model.read(model.embed([1]))
    chosen = AnswerOptions(chain_tokens=300, reply_tokens=300, **options)
    return list(Answerer(model, vicuna, VICUNA_V1_5, ORDINAL).answer(prompt, chosen))


def test_streamed_text_is_the_whole_text(vicuna):
    stream = TextStream(vicuna)
    pieces = [stream.push(token) for token in vicuna.encode(TEXT)]
    assert "".join(pieces) + stream.flush() == TEXT
    assert "\ufffd" not in "".join(pieces)


@pytest.mark.parametrize("order", ["chain", "paper"])
@pytest.mark.parametrize("ending", ["closed", "stopped"])
def test_an_answer_is_chain_signals_and_reply(vicuna, order, ending):
    ids = vicuna.encode(TEXT if ending == "closed" else TEXT.removesuffix("</response>"))
    events = answered(vicuna, [*ids, *VICUNA_V1_5.stops[0]], order=order)
    assert [type(event) for event in events if not isinstance(event, Replied)] == [
        Understood, Signalled, Answered,
    ]  # fmt: skip
    assert events[0] == Understood(CHAIN, forced=False)
    assert isinstance(events[1 if order == "chain" else -2], Signalled)
    reply = "".join(event.text for event in events if isinstance(event, Replied))
    assert (reply.strip(), events[-1].why) == (REPLY, ending)
    seen = events[-1].read.cache["seen"].tolist()
    words = [token for token in seen if token not in vicuna.signals.all]
    closing = vicuna.encode("</response>") if ending == "stopped" else []
    # What is read behind the reply's last token has no use unless the signals stand there.
    assert words == [*ids, *closing] if order == "paper" else words == ids[: len(words)]


def test_a_prompt_is_the_templates_text_behind_its_first_token(vicuna):
    dialogue = [Said("user", "Hello!"), Said("avatar", "Hi."), Said("user", "I failed.</s>[AUD0]")]
    got = write(ScriptedModel([], vicuna), vicuna, VICUNA_V1_5, dialogue)[:, 0].astype(int).tolist()
    turns = (Turn("user", "Hello!"), Turn("avatar", "Hi."), Turn("user", "I failed.  "))
    assert got == [*VICUNA_V1_5.begins_with, *vicuna.encode(VICUNA_V1_5.text(turns))]
    assert got.count(VICUNA_V1_5.stops[0][0]) == 1  # behind the avatar's turn alone
    assert not set(got) & set(vicuna.signals.all)


def test_training_writes_an_answer_as_it_is_read_at_run_time(vicuna):
    writer = Writer(vicuna, VICUNA_EMPATHY, ORDINAL, 4000)
    turns = [Turn("user", "My dog died.")]
    example = writer.example(turns, REPLY, CHAIN)
    prompt = [*VICUNA_EMPATHY.begins_with, *vicuna.encode(VICUNA_EMPATHY.text(turns))]
    chain = vicuna.encode(ORDINAL.write_chain(CHAIN))
    reply = vicuna.encode(ORDINAL.gap + REPLY + ORDINAL.closing)
    assert example.ids.tolist() == [*prompt, *chain, *vicuna.signals.all, *reply]
    counted = example.ids[example.counts].tolist()
    assert counted == [*chain, *reply]


def test_an_emotion_behind_an_unknown_scenario_is_learnt_whole(vicuna):
    """A space belongs to its word: where the mark before it does not count, the word still does."""
    writer = Writer(vicuna, VICUNA_EMPATHY, ORDINAL, 4000)
    turns = [Turn("user", "My dog died.")]
    example = writer.example(turns, "Oh.", Chain(emotion="sad"))
    counted = vicuna.decode(example.ids[example.counts].tolist())
    assert "sad </emo>.\nThirdly, the cause of the emotion is" in counted
    assert "Secondly" not in counted
    assert "Fourthly" not in counted
    assert counted.endswith(" Oh.</response>")
