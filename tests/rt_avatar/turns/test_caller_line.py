"""The caller's lines: each ends with its final words, or is taken away; none stays open."""

import asyncio
from dataclasses import replace

import pytest

from rt_avatar.config.settings import Settings
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.messages import Caption, StateChanged, Trace, Transcript, TurnId
from rt_avatar.turns.caller_line import CallerLine
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner, ScriptedRecogniser
from tests.fakes.scripted_call import QUIET, Call, calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

LONG = "one two three four five six seven eight nine ten eleven twelve"


class ChangingItsMind(ScriptedRecogniser):
    """Hears words while somebody speaks, and none of them when they have ended."""

    def heard(self):
        return Hypothesis("", is_final=False, confidence=0.9)

    def flush(self):
        super().flush()
        return [Hypothesis("", is_final=True, confidence=0.9)]


def heard(turn: int, text: str) -> Transcript:
    return Transcript(TurnId(turn), 16_000, text, is_final=False)


def uninterruptible() -> Settings:
    turn_detection = replace(QUIET.turn_detection, allow_interruptions=False)
    return replace(QUIET, turn_detection=turn_detection)


def lines(call: Call) -> dict[int, Caption]:
    """The caller's lines as they are left."""
    return {c.turn: c for c in call.of(Caption) if c.role == "caller"}


def shown(call: Call) -> list[str]:
    """Words of the caller's lines, none of which is open."""
    left = lines(call)
    assert all(line.is_final for line in left.values()), left
    return [line.text for line in left.values() if line.text]


async def until_quiet(call: Call) -> None:
    await asyncio.sleep(8)
    assert call.of(StateChanged)[-1].state == "listening"


def test_a_line_grows_and_ends_or_is_taken_away_once():
    told: list[Caption] = []
    line = CallerLine(told.append)
    line.take_away()  # there is none
    line.show(heard(1, "i lost"))
    line.show(heard(1, "i lost my job"), is_final=True)
    line.take_away()  # it has ended
    line.show(heard(2, "yeah"))
    line.take_away()
    line.take_away()
    assert [(c.turn, c.text, c.is_final) for c in told] == [
        (1, "i lost", False),
        (1, "i lost my job", True),
        (2, "yeah", False),
        (2, "", True),
    ]


@pytest.mark.parametrize("sound_s", [0.1, 0.2, 0.3])
@pytest.mark.parametrize("settings", [QUIET, uninterruptible()])
@pytest.mark.parametrize("then", ["silence", "another person", "typed"])
def test_a_listener_s_word_over_a_reply_leaves_no_line(then, settings, sound_s):
    async def main(loop):
        reasoner = ScriptedReasoner([LONG])
        async with calling(loop, reasoner, "yeah", settings=settings) as call:
            call.session.send_text("hi")  # the room is known after a first reply
            await call.until(Trace, turn=1)
            call.session.send_text("hello")
            await call.until(StateChanged, turn=2, state="speaking")
            await asyncio.sleep(1.0)
            await call.speak(sound_s)
            await call.until(Trace, turn=2)
            if then == "another person":
                call.session.set_persona("leo")
            elif then == "typed":
                call.session.send_text("go on")
            await until_quiet(call)
            return call

    call = run_virtual(main)
    assert shown(call) == ["hi", "hello"] + ["go on"] * (then == "typed")
    assert any(c.text == "yeah" for c in call.of(Caption))  # it was seen, and taken away


@pytest.mark.parametrize("said", ["", "i lost my job"])
def test_a_click_that_words_are_made_of_leaves_no_line(said):
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=2.0)
        async with calling(loop, reasoner, "yeah") as call:
            if said:
                call.session.send_text(said)
            await asyncio.sleep(0.5)
            await call.speak(0.06)
            await until_quiet(call)
            return call

    call = run_virtual(main)
    assert shown(call) == [said] * bool(said)
    assert any(c.text.endswith("yeah") for c in call.of(Caption))


@pytest.mark.parametrize(("sound_s", "replies"), [(0.3, 0), (0.6, 0), (1.5, 1)])
def test_words_that_turn_out_to_be_none_leave_no_line(sound_s, replies):
    async def main(loop):
        engines = ScriptedEngines()
        engines.recogniser = ChangingItsMind("um so")
        async with calling(loop, ScriptedReasoner(["Pardon?"]), engines=engines) as call:
            await call.speak(sound_s)
            await until_quiet(call)
            return call

    call = run_virtual(main)
    assert shown(call) == []
    assert len(call.of(Trace)) == replies


@pytest.mark.parametrize("before_s", [0.4, 0.8])
def test_words_that_are_being_said_when_another_person_greets_have_one_line(before_s):
    async def main(loop):
        async with calling(loop, ScriptedReasoner(["Hello."]), "i lost my job") as call:
            call.is_speaking = True
            await asyncio.sleep(before_s)
            call.session.set_persona("leo")
            await asyncio.sleep(0.6)
            call.is_speaking = False
            await until_quiet(call)
            return call

    assert shown(run_virtual(main)) == ["i lost my job"]


def test_a_line_is_not_taken_away_when_a_reply_ends_while_it_is_said():
    async def main(loop):
        reasoner = ScriptedReasoner(["one two three", "Oh."])
        settings = uninterruptible()
        async with calling(loop, reasoner, "i lost my job", settings=settings) as call:
            call.session.send_text("hello")
            await call.until(StateChanged, state="speaking")
            await call.speak(1.6)  # over its end
            await until_quiet(call)
            return call

    call = run_virtual(main)
    assert shown(call) == ["hello", "i lost my job"]
    assert "" not in [c.text for c in call.of(Caption) if c.role == "caller"]
