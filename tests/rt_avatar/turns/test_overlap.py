"""Words that come by two ways at once, spoken and typed: all are answered, nothing is left over."""

import asyncio
from dataclasses import replace

import pytest

from rt_avatar.config.settings import AvatarSettings
from rt_avatar.messages import Caption, StateChanged, Trace
from tests.fakes.engines import ScriptedReasoner
from tests.fakes.scripted_call import QUIET, calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

GREETING = replace(QUIET, avatar=AvatarSettings(greeting=True))
# More than a reply's buffer and queues hold: who makes it and is not cancelled waits for ever.
LONG = " | ".join(["one two three four five six seven eight nine ten eleven twelve"] * 2)


def live_turns() -> list[str]:
    """Names of the tasks that make replies now."""
    names = (task.get_name() for task in asyncio.all_tasks())
    return [name for name in names if name.startswith("turn ")]


async def until_silent(call) -> None:
    """Wait until nothing is said or thought of for two seconds."""
    quiet_s = 0.0
    while quiet_s < 2.0:
        last = call.of(StateChanged)[-1].state
        quiet_s = quiet_s + 0.1 if last == "listening" and not call.is_speaking else 0.0
        await asyncio.sleep(0.1)


def answered(call) -> str:
    """All that the last reply answers: its words and the history's."""
    last = call.reasoner.requests[-1]
    return " / ".join([*(e.text for e in last.history), last.transcript.text])


def test_text_typed_while_speaking_and_the_spoken_words_are_both_answered():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=1.5)
        spoken = [f"sentence {number} is over." for number in range(5)]
        async with calling(loop, reasoner, *spoken) as call:
            for number in range(5):
                call.is_speaking = True
                await asyncio.sleep(0.8)
                call.session.send_text(f"typed {number}")
                await asyncio.sleep(0.2)
                call.is_speaking = False  # the reply to the typed text has not begun to sound
                await asyncio.sleep(1.0)
                during = live_turns()
            await until_silent(call)
            return call, during, live_turns()

    call, during, after = run_virtual(main)
    assert len(during) == 1
    assert after == []
    told = answered(call)
    for number in range(5):
        assert f"typed {number}" in told
        assert f"sentence {number} is over." in told
    lines = {c.turn: c.text for c in call.of(Caption) if c.role == "caller" and c.is_final}
    shown = [text for text in lines.values() if text]
    assert {trace.turn for trace in call.of(Trace)} == {t for t, text in lines.items() if text}
    assert sum(text.count("typed 3") for text in shown) == 1


@pytest.mark.parametrize("preemptive", [True, False])
def test_no_reply_that_is_thought_of_is_left_over_when_another_is_released(preemptive):
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=1.5)
        settings = replace(
            QUIET,
            turn_detection=replace(QUIET.turn_detection, preemptive_generation=preemptive),
        )
        async with calling(loop, reasoner, "i lost my job.", settings=settings) as call:
            call.is_speaking = True
            await asyncio.sleep(0.8)
            call.session.send_text("typed")
            await asyncio.sleep(0.2)
            call.is_speaking = False
            await asyncio.sleep(1.2)  # the end of the turn is known, and no reply sounds yet
            during = live_turns()
            await until_silent(call)
            return answered(call), during, live_turns()

    told, during, after = run_virtual(main)
    assert (len(during), after) == (1, [])
    assert "typed" in told
    assert "i lost my job." in told


def test_the_person_changed_while_speaking_answers_the_spoken_words():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=1.5)
        async with calling(loop, reasoner, "i lost my job.") as call:
            call.is_speaking = True
            await asyncio.sleep(0.8)
            call.session.set_persona("leo")
            await asyncio.sleep(0.2)
            call.is_speaking = False
            await asyncio.sleep(1.0)
            during = live_turns()
            await until_silent(call)
            return call, during, live_turns()

    call, during, after = run_virtual(main)
    assert (len(during), after) == (1, [])
    last = call.reasoner.requests[-1]
    assert (last.persona.name, last.greet, last.transcript.text) == ("leo", False, "i lost my job.")
    assert len(call.of(Trace)) == 1


def test_a_cough_does_not_cut_the_reply_to_typed_text_that_is_being_thought_of():
    async def main(loop):
        reasoner = ScriptedReasoner(["Yes."], thinks_s=1.5)
        async with calling(loop, reasoner) as call:  # no words are heard
            call.is_speaking = True
            await asyncio.sleep(0.3)
            call.session.send_text("can you read?")
            call.is_speaking = False
            await call.until(Trace)
            return call

    call = run_virtual(main)
    assert [request.transcript.text for request in call.reasoner.requests] == ["can you read?"]


def test_text_typed_after_a_reply_was_discarded_is_answered_with_the_words_before():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=2.0)
        async with calling(loop, reasoner, "i went home.") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="thinking")
            call.is_speaking = True  # goes on: the reply is discarded
            await asyncio.sleep(0.4)
            call.session.send_text("it was dark")
            call.is_speaking = False
            await until_silent(call)
            return call

    assert "i went home." in answered(run_virtual(main))


def test_two_texts_typed_in_a_row_are_answered_together():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=1.0)
        async with calling(loop, reasoner) as call:
            call.session.send_text("i went home")
            await asyncio.sleep(0.5)
            call.session.send_text("and it was dark")
            await until_silent(call)
            return call, live_turns()

    call, left = run_virtual(main)
    assert call.reasoner.requests[-1].transcript.text == "i went home and it was dark"
    assert left == []


def test_a_greeting_that_comes_late_does_not_take_the_place_of_a_reply():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=1.0)
        settings = replace(QUIET, avatar=AvatarSettings(greeting=True))
        async with calling(
            loop, reasoner, "hello there.", settings=settings, is_connected=False
        ) as call:  # as in a room that subscribes late
            await call.speak(1.0)
            await call.until(StateChanged, state="thinking")
            call.session.set_connected(True)
            await until_silent(call)
            return call, live_turns()

    call, left = run_virtual(main)
    assert [request.greet for request in call.reasoner.requests].count(True) == 0
    assert left == []


def greets(call, greeting: str) -> None:
    """Let a greeting become due: the call's first, or another person's."""
    if greeting == "first":
        call.session.set_connected(True)
    else:
        call.session.set_persona("leo")


@pytest.mark.parametrize("allow", [True, False])
@pytest.mark.parametrize("greeting", ["first", "another person's"])
def test_nobody_is_greeted_while_they_speak_and_their_words_are_answered(greeting, allow):
    async def main(loop):
        settings = replace(
            GREETING,
            turn_detection=replace(GREETING.turn_detection, allow_interruptions=allow),
        )
        reasoner = ScriptedReasoner([LONG])
        async with calling(
            loop, reasoner, "i lost my job.", settings=settings, is_connected=False
        ) as call:
            call.is_speaking = True
            await call.until(Caption, role="caller", text="i lost my job.")
            greets(call, greeting)
            await asyncio.sleep(2.0)
            call.is_speaking = False
            spoken_until_s = loop.time()
            await until_silent(call)
            return call, spoken_until_s

    call, spoken_until_s = run_virtual(main)
    assert min(call.loud_after(0)) > spoken_until_s
    asked = [(request.greet, request.transcript.text) for request in call.reasoner.requests]
    assert asked == [(False, "i lost my job.")]
    assert "" not in [c.text for c in call.of(Caption) if c.role == "caller"]


@pytest.mark.parametrize("cough_s", [0.1, 0.4])  # a false start, a wordless end
@pytest.mark.parametrize("greeting", ["first", "another person's"])
def test_a_greeting_that_is_due_at_a_cough_is_said_after_it(greeting, cough_s):
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello there."])
        async with calling(loop, reasoner, settings=GREETING, is_connected=False) as call:
            loop.call_later(0.15, greets, call, greeting)
            await call.speak(cough_s)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    said = [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final]
    assert said == ["Hello there."]
    assert [request.greet for request in call.reasoner.requests] == [True]  # nothing was begun
    assert call.of(Trace)[-1].interrupted_at_s is None


@pytest.mark.parametrize("cough_s", [0.1, 0.4])  # a false start, a wordless end
def test_a_cough_while_the_greeting_is_made_does_not_take_it_away(cough_s):
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello there."], thinks_s=1.5)
        async with calling(loop, reasoner, settings=GREETING) as call:
            await call.speak(cough_s)
            await until_silent(call)
            return call

    call = run_virtual(main)
    assert [request.greet for request in call.reasoner.requests] == [True, True]
    said = [(caption.role, caption.text) for caption in call.of(Caption) if caption.text]
    assert said[-1] == ("avatar", "Hello there.")
    assert "caller" not in [role for role, _ in said]


def test_words_take_the_place_of_a_greeting_that_is_being_made():
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello there."], thinks_s=1.5)
        async with calling(loop, reasoner, "i lost my job.", settings=GREETING) as call:
            await call.speak(1.0)
            await until_silent(call)
            return call

    call = run_virtual(main)
    assert call.reasoner.requests[-1].transcript.text == "i lost my job."
    assert [request.greet for request in call.reasoner.requests].count(True) == 1


@pytest.mark.parametrize(
    ("stop", "greeters"),
    [
        (lambda session: session.interrupt(), ["ava"]),
        (lambda session: session.set_persona("leo"), ["ava", "leo"]),
    ],
    ids=["interrupt", "another persona"],
)
def test_a_greeting_that_a_cough_discarded_is_not_said_after_a_stop(stop, greeters):
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello there."], thinks_s=1.5)
        async with calling(loop, reasoner, settings=GREETING) as call:
            call.is_speaking = True
            await call.until(Caption, turn=1, role="caller", text="")  # discarded
            stop(call.session)
            call.is_speaking = False
            await until_silent(call)
            return call

    call = run_virtual(main)
    requests = call.reasoner.requests
    assert [request.persona.name for request in requests] == greeters
    assert all(request.greet and not request.history for request in requests)
    # Nothing was said that would be a line of its own.
    assert [request.turn for request in requests] == list(range(1, len(greeters) + 1))


def test_who_speaks_soon_over_a_reply_to_typed_words_interrupts_it():
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello.", "Hello. " + LONG, LONG], thinks_s=0.01)
        async with calling(loop, reasoner, "wait a moment") as call:
            call.session.send_text("hello")  # the room is known after a first reply
            await call.until(Trace, turn=1)
            call.session.send_text("tell me more")
            await call.until(StateChanged, turn=2, state="speaking")
            await asyncio.sleep(0.8)
            await call.speak(1.2)
            await call.until(Trace, turn=3)
            return call

    call = run_virtual(main)
    trace = next(one for one in call.of(Trace) if one.turn == 2)
    assert trace.interrupted_at_s is not None
    last = call.reasoner.requests[-1]
    assert last.transcript.text == "wait a moment"
    assert "tell me more" in [exchange.text for exchange in last.history]


def test_who_ends_a_reply_with_words_that_nobody_understood_is_answered():
    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG, "Pardon?"]), "i lost my job.") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(2.0)  # heard for longer than what may have been begun too early
            end_s = await call.speak(0.8)
            await call.until(Trace, turn=2)
            return call, end_s

    call, end_s = run_virtual(main)
    assert call.of(Trace)[0].interrupted_at_s is not None
    assert [request.transcript.text for request in call.reasoner.requests] == ["i lost my job.", ""]
    assert call.loud_after(end_s)
