"""Answers decoded together: each as it would be alone, whatever becomes of the others."""

import pytest

from rt_avatar.engines.llm.answer import Answerer, AnswerOptions, NextToken
from rt_avatar.engines.llm.chain import TAGS, Chain
from rt_avatar.engines.llm.decoding import Decoding, advance_batch
from rt_avatar.engines.llm.templates import NANO
from tests.engines.llm.scripted import ScriptedModel
from tests.engines.llm.tiny import tokens

pytestmark = pytest.mark.unit

SCRIPT = TAGS.write(Chain("lost a pet", "sad", "the dog died", "comfort her"), "I am so sorry.")
ASKED = [{"reply_tokens": 3}, {"reply_tokens": 30}, {"chain_tokens": 5}, {"order": "paper"}]


class FragileModel(ScriptedModel):
    """Cannot read batches, nor anything of a dialogue that is too long for it."""

    most = 1_000

    def step_batch(self, ids, after):
        raise RuntimeError("llm_step: scripted failure of a batch")

    def step(self, ids, after):
        if after.length >= self.most:
            raise RuntimeError("llm_step: scripted failure of one dialogue")
        return super().step(ids, after)


def begun(model_type=ScriptedModel):
    model = model_type(tokens().encode(SCRIPT))
    return Answerer(model, tokens(), NANO, TAGS), model.read(model.embed([2, 50, 51, 3]))


def alone(**options):
    parts, prompt = begun()
    return list(parts.steps(prompt, AnswerOptions(**options)))


def comparable(events):
    """What can be compared of events."""
    return [
        (type(event), getattr(event, "text", None), getattr(event, "why", None))
        for event in events
        if not isinstance(event, NextToken)
    ]


def decode(model, decodings):
    """Advance all until all are over; return the events of each, or its error."""
    made = [decoding.advance() for decoding in decodings]
    going = [index for index, decoding in enumerate(decodings) if not decoding.is_over]
    while going:
        results = advance_batch(model, [decodings[index] for index in going])
        for index, result in zip(going, results, strict=True):
            made[index] = result if isinstance(result, Exception) else made[index] + result
        going = [
            index
            for index in going
            if not decodings[index].is_over and not isinstance(made[index], Exception)
        ]
    return made


def decode_asked(parts, prompt):
    return decode(
        parts.model,
        [Decoding(parts.steps(prompt, AnswerOptions(**options))) for options in ASKED],
    )


def test_answers_decoded_together_are_those_of_each_alone():
    parts, prompt = begun()
    together = decode_asked(parts, prompt)
    expected = [alone(**options) for options in ASKED]
    assert list(map(comparable, together)) == list(map(comparable, expected))
    lengths = [sum(isinstance(step, NextToken) for step in steps) for steps in expected]
    sizes = [sum(length > place for length in lengths) for place in range(max(lengths))]
    assert parts.model.batches == [size for size in sizes if size > 1]  # a run a token, for all


def test_a_batch_that_fails_is_read_one_by_one(caplog):
    parts, prompt = begun(FragileModel)
    together = decode_asked(parts, prompt)
    assert list(map(comparable, together)) == [comparable(alone(**options)) for options in ASKED]
    assert "a batch of 4 tokens failed" in caplog.text


def test_a_dialogue_that_cannot_be_read_ends_no_others_answer():
    parts, prompt = begun(FragileModel)
    parts.model.most = 200
    long = parts.model.read(parts.model.embed([50] * 190))
    decodings = [Decoding(parts.steps(read, AnswerOptions())) for read in (prompt, long)]
    kept, failed = decode(parts.model, decodings)
    assert comparable(kept) == comparable(alone())
    assert isinstance(failed, RuntimeError)
    assert "scripted failure of one dialogue" in str(failed)
