"""A model that is a clock: its tokens come when they are due, its answers are understood."""

import asyncio
from contextlib import aclosing

import pytest

from rt_avatar.benchmarks.scripted_llm import SCRIPTS, ScriptedLlm, wanted
from rt_avatar.engines.emotion_words import FINE, to_fine
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.chat.meta_response import parse_meta_response
from rt_avatar.reasoner.chat.prompt import build_messages, build_reply, build_thought
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.feelings import Feeling
from rt_avatar.reasoner.styles import TIMBRES
from tests.fakes.requests import asked
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

FIELDS = {"emotion", "cause", "scenario", "rationale", "goal", "voice"}
PROMPT = [{"role": "user", "content": "Nobody called me on my birthday."}]


def request(text: str = "Nobody called me on my birthday.") -> ReplyRequest:
    return asked(text)


def feeling() -> Feeling:
    return Listening(request()).feeling


def tokens(llm: ScriptedLlm, messages=PROMPT) -> list[tuple[float, str]]:
    """Return when each token came, in virtual seconds after the request."""

    async def main(loop):
        begin_s = loop.time()
        async with aclosing(llm.answer(messages)) as answer:
            return [(loop.time() - begin_s, token) async for token in answer]

    return run_virtual(main)


@pytest.mark.parametrize(("first_s", "per_s"), [(0.25, 60.0), (0.6, 12.0)])
def test_tokens_come_when_they_are_due(first_s: float, per_s: float) -> None:
    came = [at_s for at_s, _ in tokens(ScriptedLlm(first_s, per_s))]
    assert came == pytest.approx([first_s + i / per_s for i in range(len(came))], abs=0.001)


def test_a_reader_that_dawdles_gets_what_is_due_and_no_later_tokens_are_late() -> None:
    async def main(loop):
        begin_s, came = loop.time(), []
        async with aclosing(ScriptedLlm(0.2, 50.0).answer(PROMPT)) as answer:
            async for _ in answer:
                came.append(loop.time() - begin_s)
                if len(came) == 3:
                    await asyncio.sleep(0.1)
        return came

    came = run_virtual(main)
    assert came[-1] == pytest.approx(0.2 + (len(came) - 1) / 50, abs=0.001)


def test_an_answer_is_as_long_as_a_model_makes_it() -> None:
    whole = [token for _, token in tokens(ScriptedLlm())]
    assert 50 <= len(whole) <= 110  # the prompt asks for some 25 words of steps and three sentences


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.steps.split("\n")[0])
def test_every_answer_is_understood(script) -> None:
    answer = parse_meta_response(wanted(script, build_messages(request(), feeling())))
    assert set(answer.fields) == FIELDS
    assert to_fine(answer.fields["emotion"]) in FINE
    assert answer.fields["voice"] in TIMBRES
    assert answer.reply.endswith("?")


def test_steps_alone_are_given_while_the_caller_speaks() -> None:
    answer = parse_meta_response(wanted(SCRIPTS[0], build_thought(request(), feeling())))
    assert set(answer.fields) == FIELDS
    assert not answer.has_reply


@pytest.mark.parametrize("steps", [{}, {"emotion": "sad", "goal": "to listen"}])
def test_the_reply_alone_is_given_after_the_steps(steps) -> None:
    answer = parse_meta_response(wanted(SCRIPTS[0], build_reply(request(), feeling(), steps)))
    assert not answer.fields
    assert answer.reply.startswith("That sounds exhausting.")


def test_a_preemptive_reply_and_its_reply_say_the_same() -> None:
    whole = "".join(
        token for _, token in tokens(ScriptedLlm(), build_messages(request(), feeling()))
    )
    alone = "".join(
        token for _, token in tokens(ScriptedLlm(), build_reply(request(), feeling(), {}))
    )
    assert parse_meta_response(whole).reply == parse_meta_response(alone).reply


def test_an_answer_that_is_dropped_is_counted() -> None:
    async def main(loop):
        model = ScriptedLlm()
        async with aclosing(model.answer(PROMPT)) as answer:
            await anext(answer)
        return model

    model = run_virtual(main)
    assert (model.asked, model.cut_off) == (1, 1)
