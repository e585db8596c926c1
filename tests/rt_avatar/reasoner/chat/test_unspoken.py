import pytest

from rt_avatar.reasoner.chat.meta_response import MetaResponseReader, parse_meta_response
from rt_avatar.reasoner.chat.unspoken import OPENING, answer_in

pytestmark = pytest.mark.unit

THOUGHT = "Okay, the user is sad. Then I should be kind.\nreply: maybe?\n"
ANALYSIS = f"<|channel|>analysis<|message|>{THOUGHT}"
REPLY = "I'm so sorry. What happened?"


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{THOUGHT}</think>\n\n{REPLY}",
        f"<Thinking>{THOUGHT}</thinking>{REPLY}",
        f"[THINK]{THOUGHT}[/THINK]{REPLY}",
        f"{THOUGHT}</think>\n\n{REPLY}",
        f"{ANALYSIS}<|end|><|start|>assistant<|channel|>final<|message|>{REPLY}<|return|>",
        f"<|start|>assistant{ANALYSIS}<|end|>"
        f"<|start|>assistant<|channel|>final <|constrain|>json<|message|>{REPLY}",
        f"{ANALYSIS}<|start|>assistant<|channel|>commentary<|message|>Hm.<|end|>"
        f"<|channel|>final<|message|>{REPLY}<|end|><|start|>user<|message|>Hello",
        f"<|channel|>final<|message|>{REPLY}",
        f"analysis{THOUGHT}assistantfinal{REPLY}",
        f"final{REPLY}",
        f"{REPLY}<|im_end|>\n<|im_start|>user\nHello",
        f"{REPLY}<|eot_id|>",
        f"{REPLY}</s>",
        f"{REPLY}<end_of_turn>\n",
    ],
)
def test_thoughts_and_marks_of_templates_are_no_part_of_an_answer(text):
    assert answer_in(text).strip() == REPLY
    assert parse_meta_response(text).reply == REPLY


@pytest.mark.parametrize(
    "text",
    [
        f"[THINK]{THOUGHT}[/THINK]{REPLY}",
        f"{REPLY}<|im_end|>\n<|im_",
        f"{ANALYSIS}<|end|><|start|>assistant<|channel|>final<|message|>{REPLY}<|return|>",
        f"analysis{THOUGHT}assistantfinal{REPLY}",
    ],
)
def test_no_letter_of_them_is_given_while_the_answer_grows(text):
    reader, given = MetaResponseReader(), ""
    for char in text:
        given += reader.push(char)
        assert REPLY.startswith(given)
    assert given + reader.flush() == REPLY
    assert not reader.was_thought_unopened


@pytest.mark.parametrize("text", [ANALYSIS, f"{ANALYSIS}<|end|><|start|>assistant", "analysisHe"])
def test_an_answer_that_ends_in_its_analysis_says_nothing(text):
    assert answer_in(text) == ""


@pytest.mark.parametrize("text", ["a", "final", "analysis, then", "Finally home!", "and you?"])
def test_a_reply_that_begins_as_a_channels_name_does_is_given_whole(text):
    assert answer_in(text) == text


@pytest.mark.parametrize("answer", [REPLY, f"emotion: sad\nreply: {REPLY}"])
def test_behind_a_thought_that_nothing_opened_the_reply_begins_anew(answer):
    reader, given = MetaResponseReader(), ""
    for char in f"{THOUGHT}</think>\n\n{answer}":
        given += reader.push(char)
    assert reader.was_thought_unopened
    assert (given + reader.flush()).splitlines()[-1] == REPLY
    assert "think" not in given


def test_what_only_looks_like_a_mark_is_left():
    text = "I <3 you, [really], x < y. </b> A [link](https://a.b)."
    assert answer_in(text) == text
    assert answer_in(OPENING + text) == ""
