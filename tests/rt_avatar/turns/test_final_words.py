"""Final words that come late: only the reply to them waits, and that not for long."""

import asyncio

import numpy as np
import pytest

from rt_avatar.messages import Caption, StateChanged, Trace
from rt_avatar.perception.transcription import FINAL_LIMIT_S
from rt_avatar.services.worker import EngineWorker
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

ANSWERS = ["Reply one.", "Reply two.", "Reply three."]


class LateWorker(EngineWorker):
    """Scripted: the recogniser's words at a pause take so long, and so do its final ones."""

    def __init__(self, late_s: float) -> None:
        super().__init__("recogniser")
        self.late_s = late_s

    def lane(self):
        return self

    async def call(self, function, *args, **kwargs):
        if function.__name__ in ("heard", "flush"):
            await asyncio.sleep(self.late_s)
        return await super().call(function, *args, **kwargs)


def late(late_s: float, *heard: str) -> ScriptedEngines:
    engines = ScriptedEngines(*heard)
    engines.recogniser_worker = LateWorker(late_s)
    return engines


async def until_turn_has_ended(call) -> None:
    """Wait until the end of the turn was decided; its final words are not there."""
    audio = call.session._perception.audio
    for _ in range(200):
        await asyncio.sleep(0.01)
        if audio.utterance_start is None:
            break
    assert audio.utterance_start is None
    await asyncio.sleep(0.05)


def said(call) -> list[str]:
    return [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final]


def test_typed_text_does_not_wait_for_final_words_and_both_are_answered():
    async def main(loop):
        engines = late(1.7, "i lost my job.")
        async with calling(loop, ScriptedReasoner(ANSWERS, thinks_s=0.3), engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            call.session.send_text("are you there?")
            typed_s = loop.time()
            await call.until(Caption, role="avatar")
            begun_s = loop.time() - typed_s
            await asyncio.sleep(6)
            return call, begun_s

    call, begun_s = run_virtual(main)
    assert begun_s < 0.6
    last = call.reasoner.requests[-1]
    told = " ".join([*(exchange.text for exchange in last.history), last.transcript.text])
    assert "are you there?" in told
    assert "i lost my job." in told


def test_an_interrupt_while_final_words_are_waited_for_leaves_them_unanswered_and_remembered():
    async def main(loop):
        engines = late(1.0, "i lost my job.", "and now?")
        async with calling(loop, ScriptedReasoner(ANSWERS), engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            call.session.interrupt()
            await asyncio.sleep(4.0)
            heard = list(call.loud_after(0))
            await call.speak(1.0)
            await call.until(Trace)
            return call, heard

    call, heard = run_virtual(main)
    assert heard == []
    last = call.reasoner.requests[-1]
    assert [exchange.text for exchange in last.history] == ["i lost my job."]
    assert last.transcript.text == "and now?"
    lines = {c.turn: c.text for c in call.of(Caption) if c.role == "caller"}
    assert list(lines.values()) == ["i lost my job.", "and now?"]


@pytest.mark.parametrize("thinks_s", [0.05, 3.0])  # in three the reply is taken back, unheard
@pytest.mark.parametrize(
    ("stop", "late_s"),
    [
        ("interrupt", 0.4),
        ("interrupt", 0.8),
        ("interrupt", 1.4),
        ("set_persona", 0.4),
        ("set_persona", 0.8),
    ],
)
def test_words_that_a_stop_leaves_unanswered_keep_their_line_when_others_follow(
    stop, late_s, thinks_s
):
    async def main(loop):
        engines = late(late_s, "i lost my job.", "what is the weather?")
        reasoner = ScriptedReasoner(ANSWERS, thinks_s=thinks_s)
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            call.is_speaking = True  # goes on before the words are known, or answered
            await asyncio.sleep(2.0)
            getattr(call.session, stop)(*(["leo"] if stop == "set_persona" else []))
            await asyncio.sleep(0.6)
            call.is_speaking = False
            await call.until(Caption, text="what is the weather?", is_final=True)
            return call

    call = run_virtual(main)
    lines = {c.turn: c.text for c in call.of(Caption) if c.role == "caller"}
    shown = [text for text in lines.values() if text]
    assert shown == ["i lost my job.", "what is the weather?"]
    told = [*call.reasoner.requests[-1].history, call.reasoner.requests[-1].transcript]
    assert [one.text for one in told] == shown
    assert len({one.turn for one in told}) == 2


def test_a_change_of_person_does_not_wait_for_final_words_which_the_new_one_answers():
    async def main(loop):
        engines = late(1.5, "i lost my job.")
        async with calling(loop, ScriptedReasoner(ANSWERS, thinks_s=2.0), engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            call.session.set_persona("leo")
            await asyncio.sleep(0.05)
            who = call.session.persona.name
            await call.until(Trace)
            return call, who

    call, who = run_virtual(main)
    assert who == "leo"
    last = call.reasoner.requests[-1]
    assert (last.persona.name, last.transcript.text) == ("leo", "i lost my job.")


def test_final_words_that_never_come_are_replaced_by_the_last_partial_ones_after_the_deadline():
    async def main(loop):
        engines = late(30.0, "i lost my job.", "and now?")
        async with calling(loop, ScriptedReasoner(ANSWERS), engines=engines) as call:
            end_s = await call.speak(1.0)
            await call.until(Trace, turn=1)
            first_s = call.loud_after(0)[0] - end_s
            engines.recogniser_worker.late_s = 0.0
            await asyncio.sleep(35.0)  # now the recogniser is done with the first utterance
            await call.speak(1.0)
            await call.until(Trace, turn=2)
            return call, first_s

    call, first_s = run_virtual(main)
    assert FINAL_LIMIT_S < first_s < FINAL_LIMIT_S + 1.0
    assert [request.transcript.text for request in call.reasoner.requests][-1] == "and now?"
    finals = [c.text for c in call.of(Caption) if c.role == "caller" and c.is_final]
    assert finals == ["i lost my job.", "and now?"]
    assert said(call) == [text for text in said(call) if text in ANSWERS]


class OnceLateWorker(LateWorker):
    """Scripted: the words at the first pause alone take so long."""

    async def call(self, function, *args, **kwargs):
        result = await super().call(function, *args, **kwargs)
        if function.__name__ == "heard":
            self.late_s = 0.0
        return result


@pytest.mark.parametrize("thinks_s", [0.3, 2.0])
@pytest.mark.parametrize(
    ("first_s", "second_s", "late_s"), [(1.0, 0.8, 5.6), (1.0, 0.5, 5.6), (0.6, 1.5, 6.3)]
)
def test_words_of_a_pause_before_a_turn_that_was_given_up_take_no_reply_back(
    first_s, second_s, late_s, thinks_s
):
    async def main(loop):
        engines = ScriptedEngines("i lost my job.", "are you there?")
        engines.recogniser_worker = OnceLateWorker(late_s)
        reasoner = ScriptedReasoner(ANSWERS, thinks_s=thinks_s)
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(first_s)
            await asyncio.sleep(1.0)  # the first turn is over; its words are not known
            await call.speak(second_s)
            await call.until(Trace)
            await asyncio.sleep(10)
            return call, call.session._turn_manager.is_answering

    call, is_answering = run_virtual(main)
    assert not is_answering  # nothing is made that nobody will hear
    assert call.loud_after(0)
    assert call.reasoner.requests[-1].transcript.text.count("i lost my job.") == 1
    assert call.of(StateChanged)[-1].state == "listening"


@pytest.mark.parametrize("pauses", [1, 2, 3])
def test_no_time_is_spent_on_pauses_of_a_turn_that_was_given_up(pauses):
    class CountingWorker(OnceLateWorker):
        heard = 0

        async def call(self, function, *args, **kwargs):
            self.heard += function.__name__ == "heard"
            return await super().call(function, *args, **kwargs)

    async def main(loop):
        engines = ScriptedEngines("i lost my job.")
        engines.recogniser_worker = CountingWorker(3.0 * pauses + 4.0)
        async with calling(loop, ScriptedReasoner(ANSWERS), engines=engines) as call:
            for _ in range(pauses):
                await call.speak(0.8)
                await asyncio.sleep(0.24)  # too short for an end
            await call.speak(0.8)  # whose pause, the last, ends the turn
            await asyncio.sleep(3.0 * pauses + 12.0)
            return engines.recogniser_worker.heard

    assert run_virtual(main) == 1


def test_a_caller_who_goes_on_before_the_final_words_are_known_is_answered_once():
    async def main(loop):
        engines = late(0.8, "i lost my job.", "and my home.")
        async with calling(loop, ScriptedReasoner(ANSWERS), engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            spoken_until_s = await call.speak(1.2)
            await call.until(Trace)
            await asyncio.sleep(3)
            return call, spoken_until_s

    call, spoken_until_s = run_virtual(main)
    assert call.reasoner.requests[-1].transcript.text == "i lost my job. and my home."
    assert len(call.of(Trace)) == 1
    assert min(call.loud_after(0)) > spoken_until_s


def test_late_final_words_that_take_a_reply_back_cut_no_sound_off():
    async def main(loop):
        engines = late(1.6, "i lost my job.", "are you there?")
        reasoner = ScriptedReasoner([" word" * 20])
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            await call.speak(1.2)  # before the words of the first are known
            await until_turn_has_ended(call)
            await asyncio.sleep(2.4)  # now they are; those of the second are not
            call.session.send_text("hello")
            await call.until(StateChanged, state="speaking")
            begun_s = loop.time()
            await call.until(Caption, role="caller", text="")  # taken back
            taken_back_s = loop.time()
            await call.until(Trace)
            return call, begun_s, taken_back_s

    call, begun_s, taken_back_s = run_virtual(main)
    assert taken_back_s > begun_s + 0.2
    heard = [pcm for at, pcm in call.sound if begun_s < at < taken_back_s + 0.1]
    jumps = np.abs(np.diff(np.concatenate(heard).astype(int)))
    usual = jumps[: 4 * 960].max()  # of the voice, before
    assert usual
    assert jumps.max() <= 1.2 * usual
    assert call.reasoner.requests[-1].transcript.text.endswith("are you there?")


def test_a_cough_before_the_final_words_are_known_does_not_lose_the_question():
    async def main(loop):
        engines = late(0.4, "i lost my job.")
        async with calling(loop, ScriptedReasoner(ANSWERS), engines=engines) as call:
            await call.speak(1.0)
            await until_turn_has_ended(call)
            await asyncio.sleep(0.15)
            await call.speak(0.08)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    assert call.reasoner.requests[-1].transcript.text == "i lost my job."
    assert len(said(call)) == 1


def test_a_recogniser_that_hangs_does_not_keep_the_caller_from_interrupting():
    class Stuck(LateWorker):
        async def call(self, function, *args, **kwargs):
            await asyncio.sleep(self.late_s)
            return await EngineWorker.call(self, function, *args, **kwargs)

    async def main(loop):
        engines = ScriptedEngines()
        engines.recogniser_worker = Stuck(1000.0)
        async with calling(loop, ScriptedReasoner([" word" * 60]), engines=engines) as call:
            await call.speak(15.0)  # more than waits for it
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.0)
            onset_s = loop.time()
            await call.speak(0.5)
            return [at - onset_s for at in call.loud_after(onset_s)]

    assert max(run_virtual(main)) <= 0.2


def test_words_of_a_recogniser_that_lags_behind_are_shown_as_words_of_their_own_utterance():
    class Lagging(LateWorker):
        async def call(self, function, *args, **kwargs):
            await asyncio.sleep(self.late_s)
            return await EngineWorker.call(self, function, *args, **kwargs)

    async def main(loop):
        engines = ScriptedEngines("i lost my job.")
        engines.recogniser_worker = Lagging(0.03)  # slower than the sound comes
        async with calling(loop, ScriptedReasoner(ANSWERS), engines=engines) as call:
            await call.speak(1.5)
            await call.until(Trace)
            return call

    captions = run_virtual(main).of(Caption)
    assert {caption.turn for caption in captions if caption.role == "caller"} == {1}
