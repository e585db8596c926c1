"""A conversation on scripted engines in virtual time: turns, preemption, barge-in, history."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.config.settings import AvatarSettings, Settings
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.types import CHUNK_S
from rt_avatar.errors import BadInputError
from rt_avatar.media_io import MediaEndedError
from rt_avatar.messages import (
    Affect,
    Caption,
    Plan,
    StateChanged,
    Trace,
    Transcript,
    TurnId,
)
from rt_avatar.queues import END
from rt_avatar.tts.reply_clock import SETTLE_S
from rt_avatar.turns.chat_history import MAX_MESSAGES
from tests.fakes.engines import (
    ScriptedEngines,
    ScriptedReasoner,
    ScriptedRecogniser,
    StillMotion,
    ToneSpeech,
)
from tests.fakes.scripted_call import QUIET, calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

LONG = "one two three four five six seven eight nine ten eleven twelve"


def test_an_utterance_gets_a_reply_with_captions_plan_state_and_trace():
    async def main(loop):
        reasoner = ScriptedReasoner(["I hear you. | Tell me more."])
        async with calling(loop, reasoner, "i lost my job") as call:
            end_s = await call.speak(1.5)
            await call.until(Trace)
            return call, end_s

    call, end_s = run_virtual(main)
    states = [event.state for event in call.of(StateChanged)]
    assert states == ["listening", "thinking", "speaking", "listening"]
    finals = [(c.role, c.text) for c in call.of(Caption) if c.is_final]
    assert finals == [("caller", "i lost my job"), ("avatar", "I hear you. Tell me more.")]
    assert call.of(Plan)[0].user_emotion == "sad"
    first_sound_s = call.loud_after(0)[0] - end_s
    assert 0.2 < first_sound_s < 0.9
    marks = call.of(Trace)[0].marks_s
    assert marks["audio_released"] == pytest.approx(first_sound_s, abs=0.08)
    assert marks["end_of_turn"] <= marks["audio_released"]


def test_captions_of_the_avatar_grow_with_the_sound():
    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG]), "hello there") as call:
            await call.speak(1.0)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    texts = [c.text for c in call.of(Caption) if c.role == "avatar" and not c.is_final]
    assert [len(text.split()) for text in texts] == sorted(len(text.split()) for text in texts)
    assert len(texts) >= 10
    times = [at for at, e in call.events if isinstance(e, Caption) and e.role == "avatar"]
    assert np.diff(times)[:-1] == pytest.approx([0.3] * (len(times) - 2), abs=0.05)


def test_with_preemptive_replies_the_reply_is_ready_when_the_turn_ends():
    async def main(loop, preemptive_generation):
        settings = replace(
            QUIET, turn_detection=TurnDetectionSettings(preemptive_generation=preemptive_generation)
        )
        reasoner = ScriptedReasoner([LONG], thinks_s=0.1)
        async with calling(loop, reasoner, "i am fine.", settings=settings) as call:
            end_s = await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            first_s = call.loud_after(end_s)[0] - end_s
            await call.until(Trace)
            return first_s, call.of(Trace)[0]

    with_preemptive_generation, trace = run_virtual(lambda loop: main(loop, True))
    without, plain = run_virtual(lambda loop: main(loop, False))
    assert trace.preemptive_used
    assert not plain.preemptive_used
    assert with_preemptive_generation < without - 0.05


def test_a_preemptive_reply_is_late_with_more_only_when_it_is_heard():
    async def main(loop):
        late_s, lengths_s = [], []

        class Speech(ToneSpeech):
            async def speak(self, voice, style, clauses, chunks, clock=None) -> None:
                spoken = asyncio.Queue(maxsize=50)
                await super().speak(voice, style, clauses, spoken)
                lengths_s.append((spoken.qsize() - 1) * CHUNK_S)
                while (chunk := spoken.get_nowait()) is not END:
                    clock.note_chunk()
                    await chunks.put(chunk)
                with pytest.raises(TimeoutError):
                    async with clock.in_time():
                        await asyncio.Event().wait()
                late_s.append(loop.time())
                await chunks.put(END)

        engines = ScriptedEngines("i am fine.")
        engines.speech = Speech()
        async with calling(loop, ScriptedReasoner(["I am glad."]), engines=engines) as call:
            end_s = await call.speak(1.0)
            await call.until(Trace)
            return call.of(Trace)[0], late_s, lengths_s, call.loud_after(end_s)

    trace, (late_s,), (length_s,), loud = run_virtual(main)
    assert trace.preemptive_used
    assert late_s == pytest.approx(loud[0] + length_s - SETTLE_S, abs=0.021)


def test_a_preemptive_reply_is_discarded_unheard_when_the_caller_goes_on():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=0.01)
        engines = ScriptedEngines("and then i")
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await asyncio.sleep(0.24)  # a pause: long enough for a preemptive reply, not for an end
            await call.speak(1.0)
            spoken_until_s = call.loop.time()
            await call.until(Trace)
            return call, spoken_until_s, engines

    call, spoken_until_s, engines = run_virtual(main)
    text = engines.metrics.exposition().decode()
    assert "rt_avatar_preemptive_generations_discarded_total 1.0" in text
    assert len(call.reasoner.requests) >= 2
    assert len(call.of(Trace)) == 1
    assert min(call.loud_after(0)) > spoken_until_s


def test_barge_in_silences_at_once_and_only_what_was_heard_is_remembered():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG, "Sorry, go on."])
        async with calling(loop, reasoner, "first question", "no wait stop") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.6)
            onset_s = call.loop.time()
            end_s = await call.speak(1.2)
            await asyncio.sleep(0.1)
            over = call.loud_after(onset_s)
            await call.until(Caption, role="avatar", text="Sorry, go on.", is_final=True)
            return call, onset_s, end_s, over

    call, onset_s, end_s, over = run_virtual(main)
    assert max(over) - onset_s <= 0.2
    assert all(at - onset_s <= 0.2 or at > end_s for at in over)
    history = call.reasoner.requests[-1].history
    caller, avatar = history
    assert caller.text == "first question"
    assert avatar.was_interrupted
    assert LONG.startswith(avatar.text)
    assert 4 <= len(avatar.text.split()) <= 6  # 1.6 s at 300 ms a word
    assert call.of(Trace)[0].interrupted_at_s == pytest.approx(1.7, abs=0.2)


def test_a_short_sound_over_the_reply_only_pauses_it_and_every_word_is_still_heard():
    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG]), "first question") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.5)
            await call.speak(0.15)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    assert call.of(Trace)[0].interrupted_at_s is None
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == [LONG]
    assert len(call.reasoner.requests) == 1


@pytest.mark.parametrize(("after_s", "sound_s"), [(0.0, 0.1), (0.05, 0.1), (0.1, 0.15), (0.1, 0.3)])
def test_a_reply_that_goes_on_from_its_first_word_is_not_thought_of_again(after_s, sound_s):
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello. " + LONG, LONG])
        async with calling(loop, reasoner, "yeah") as call:
            call.session.send_text("hello")  # the room is known after a first reply
            await call.until(Trace, turn=1)
            call.session.send_text("go on")
            await call.until(StateChanged, turn=2, state="speaking")
            await asyncio.sleep(after_s)
            await call.speak(sound_s)
            await call.until(Trace, turn=2)
            return call

    call = run_virtual(main)
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final][1:] == [LONG]
    states = [event.state for event in call.of(StateChanged)]
    assert states == ["listening"] + ["thinking", "speaking", "listening"] * 2


def test_a_microphone_that_dies_in_a_pause_does_not_silence_the_reply_for_good():
    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG]), "first question") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.5)
            await call.speak(0.2)
            call.is_microphone_dead = True
            await asyncio.sleep(1.0)
            held = not call.loud_after(call.loop.time() - 0.5)
            await call.until(Trace)
            return call, held

    call, held = run_virtual(main)
    assert held
    assert call.of(Trace)[0].interrupted_at_s is None
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == [LONG]


def test_words_before_the_reply_began_are_joined_with_those_after():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=3.0)
        async with calling(loop, reasoner, "i went home", "and it was dark") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="thinking")
            await asyncio.sleep(0.5)
            await call.speak(1.0)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    last = call.reasoner.requests[-1]
    assert last.transcript.text == "i went home and it was dark"
    assert last.history == ()
    assert len(call.of(Trace)) == 1


class LastWords(ScriptedRecogniser):
    """Knows the last words only at the pause, or only at the end."""

    def __init__(self, known_at: str) -> None:
        super().__init__("at work")
        self._known_at = known_at

    def heard(self):
        return self._all() if self._known_at == "pause" else super().heard()

    def flush(self):
        self._current = self._all().text
        return super().flush()

    def _all(self):
        return Hypothesis(f"{self._current} i am so furious", is_final=False, confidence=0.9)


@pytest.mark.parametrize("known_at", ["pause", "end"])
def test_words_that_a_pause_or_the_end_brings_count_for_the_affect_of_the_reply(known_at):
    async def main(loop):
        turn_detection = TurnDetectionSettings(preemptive_generation=known_at == "pause")
        settings = replace(QUIET, turn_detection=turn_detection)
        engines = ScriptedEngines()
        engines.recogniser = LastWords(known_at)
        reasoner = ScriptedReasoner(["Oh."])
        async with calling(loop, reasoner, settings=settings, engines=engines) as call:
            await call.speak(1.0)
            await call.until(Trace)
            return call

    request = run_virtual(main).reasoner.requests[-1]
    assert request.transcript.text == "at work i am so furious"
    assert request.affect.emotion == "angry"


def test_a_cough_while_the_avatar_thinks_does_not_lose_the_question():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG], thinks_s=3.0)
        async with calling(loop, reasoner, "i went home") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="thinking")
            await asyncio.sleep(0.5)
            await call.speak(0.08)  # enough for speech_started, too little for an utterance
            await call.until(Trace)
            return call, call.session._face.mood.caller.is_speaking

    call, is_face_still_listening_to_speech = run_virtual(main)
    assert len(call.reasoner.requests) == 2  # discarded once, and asked again
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == [LONG]
    assert call.reasoner.requests[-1].transcript.text == "i went home"
    assert call.reasoner.requests[-1].history == ()
    assert not is_face_still_listening_to_speech


@pytest.mark.parametrize("heard_s", [0.0, 0.8])
def test_who_goes_on_within_a_second_of_the_reply_had_not_finished(heard_s: float):
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello. " + LONG, LONG], thinks_s=0.01)
        async with calling(loop, reasoner, "i went home", "and it was dark") as call:
            call.session.send_text("hello")  # the room is known after a first reply
            await call.until(Trace, turn=1)
            await call.speak(1.0)
            await call.until(StateChanged, turn=2, state="speaking")
            await asyncio.sleep(heard_s)
            resumed_s = call.loop.time()
            end_s = await call.speak(1.2)
            over = [at for at in call.loud_after(resumed_s) if at < end_s]
            await call.until(Trace, turn=3)
            return call, resumed_s, over

    call, resumed_s, over = run_virtual(main)
    assert all(at - resumed_s < 0.25 for at in over)
    last = call.reasoner.requests[-1]
    assert last.transcript.text == "i went home and it was dark"
    assert [exchange.text for exchange in last.history] == ["hello", "Hello. " + LONG]


def test_typed_text_interrupts_and_is_answered():
    async def main(loop):
        reasoner = ScriptedReasoner([LONG, "Yes."])
        async with calling(loop, reasoner, "first question") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.0)
            call.session.send_text("  can you   read? ")
            typed_s = call.loop.time()
            await call.until(Caption, role="avatar", text="Yes.", is_final=True)
            return call, typed_s

    call, _ = run_virtual(main)
    assert call.reasoner.requests[-1].transcript.text == "can you read?"
    assert call.reasoner.requests[-1].history[-1].was_interrupted


def test_stop_silences_within_a_block_and_the_avatar_listens():
    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG]), "first question") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.0)
            stopped_s = call.loop.time()
            call.session.interrupt()
            await call.until(Trace)
            await asyncio.sleep(1.0)
            return call, stopped_s

    call, stopped_s = run_virtual(main)
    assert all(at - stopped_s <= 0.025 for at in call.loud_after(stopped_s))
    assert call.of(StateChanged)[-1].state == "listening"


@pytest.mark.parametrize("act", ["interrupt", "send_text", "set_persona"])
def test_who_ends_a_reply_hears_no_click(act):
    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG]), "first question") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            await asyncio.sleep(1.0)
            stopped_s = call.loop.time()
            said = {"send_text": ["wait"], "set_persona": ["leo"]}.get(act, [])
            getattr(call.session, act)(*said)
            await call.until(Trace)
            return call, stopped_s

    call, stopped_s = run_virtual(main)
    heard = [pcm for at, pcm in call.sound if abs(at - stopped_s) < 0.1]
    jumps = np.abs(np.diff(np.concatenate(heard).astype(int)))
    usual = jumps[: 4 * 960].max()  # of the voice, before
    assert usual
    assert jumps.max() <= 1.2 * usual


def test_the_greeting_comes_once_and_a_new_persona_introduces_itself():
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello, I am Ava.", "Hi, I am Leo."])
        settings = Settings(avatar=AvatarSettings(greeting=True))
        async with calling(loop, reasoner, settings=settings) as call:
            await call.until(Trace, turn=1)
            call.session.set_connected(False)
            call.session.set_connected(True)
            await asyncio.sleep(1)
            call.session.set_persona("leo")
            await call.until(Trace, turn=2)
            return call

    call = run_virtual(main)
    assert [r.greet for r in call.reasoner.requests] == [True, True]
    assert [r.persona.name for r in call.reasoner.requests] == ["ava", "leo"]
    assert call.session.persona.name == "leo"


def test_whom_the_plan_names_speaks_and_is_seen_and_goes_on_answering():
    async def main(loop):
        engines = ScriptedEngines("i lost my job")
        looks, voices = [], []

        class Rig(StillMotion):
            def open(self, look):
                looks.append(look)
                return self

        class Speech(ToneSpeech):
            async def speak(self, voice, style, clauses, chunks, clock=None):
                voices.append(voice)
                await super().speak(voice, style, clauses, chunks, clock)

        engines.rig, engines.speech = Rig(), Speech()
        reasoner = ScriptedReasoner(["I hear you.", "Go on."], persona="tom")
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await call.until(Trace, turn=1)
            reasoner.persona = ""
            call.session.send_text("And then?")
            await call.until(Trace, turn=2)
            return call, looks, voices

    call, looks, voices = run_virtual(main)
    assert looks == ["ava", "tom"]
    assert voices == ["middle_male", "middle_male"]
    assert [r.persona.name for r in call.reasoner.requests] == ["ava", "tom"]
    assert call.session.persona.name == "tom"


def test_a_change_of_face_stops_neither_the_reply_nor_its_sound():
    async def main(loop, look):
        engines = ScriptedEngines("hello there")
        looks = []

        class Rig(StillMotion):
            def open(self, look):
                looks.append(look)
                return self

        engines.rig = Rig()
        async with calling(loop, ScriptedReasoner([LONG]), engines=engines) as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            began_s = call.loop.time()
            await asyncio.sleep(1)
            if look:
                call.session.set_face(look)
            await call.until(Trace)
            call.session.set_persona("leo")
            await asyncio.sleep(0.5)
            sound = [at - began_s for at in call.loud_after(began_s)]
            return call, looks, sound

    call, looks, sound = run_virtual(lambda loop: main(loop, "portrait/me"))
    _, _, unchanged = run_virtual(lambda loop: main(loop, ""))
    assert sound == pytest.approx(unchanged, abs=0.03)
    assert call.of(Trace)[0].interrupted_at_s is None
    assert looks == ["ava", "portrait/me"]  # which another persona goes on wearing


def test_a_chosen_avatar_is_seen_where_the_look_of_the_call_is_deleted():
    async def main(loop):
        engines, looks = ScriptedEngines(), []

        class Rig(StillMotion):
            def open(self, look):
                if look == "portrait/me":
                    raise PortraitError("deleted")
                looks.append(look)
                return self

        engines.rig = Rig()
        async with calling(loop, ScriptedReasoner(["Hello."]), engines=engines) as call:
            call.session.set_face("portrait/me")
            await asyncio.sleep(0.5)
            call.session.set_persona("leo")
            await call.until(Trace)
            return looks

    assert run_virtual(main) == ["ava", "leo"]


def test_another_voice_speaks_from_the_next_reply_on():
    async def main(loop):
        engines = ScriptedEngines("hello there")
        voices = []

        class Speech(ToneSpeech):
            async def speak(self, voice, style, clauses, chunks, clock=None) -> None:
                voices.append(voice)
                await super().speak(voice, style, clauses, chunks, clock)

        engines.speech = Speech()
        async with calling(loop, ScriptedReasoner([LONG]), engines=engines) as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            call.session.set_voice("own:me")
            await call.until(Trace, turn=1)
            call.session.send_text("And then?")
            await call.until(Trace, turn=2)
            call.session.set_voice("")
            call.session.send_text("And now?")
            await call.until(Trace, turn=3)
            return call, voices

    call, voices = run_virtual(main)
    assert call.of(Trace)[0].interrupted_at_s is None
    assert voices == ["young_female", "own:me", "young_female"]


@pytest.mark.parametrize("text", ["", "   \n", "x" * 2001])
def test_text_that_cannot_be_answered_is_refused_with_a_reason(text):
    async def main(loop):
        async with calling(loop, ScriptedReasoner(["Yes."])) as call:
            with pytest.raises(BadInputError, match="expected"):
                call.session.send_text(text)
            with pytest.raises(BadInputError, match="ava, leo"):
                call.session.set_persona("bob")
            await asyncio.sleep(1)
            return call

    assert run_virtual(main).reasoner.requests == []


def test_after_the_end_both_tracks_end_and_none_fails():
    async def pull_on(pull):
        for _ in range(10):
            await pull()

    async def main(loop):
        async with calling(loop, ScriptedReasoner([LONG]), "hello") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="speaking")
            call.session.hang_up()
            for pull in (
                call.session.media_output.next_audio,
                call.session.media_output.next_video,
            ):
                with pytest.raises(MediaEndedError):
                    await pull_on(pull)
        return True

    assert run_virtual(main)


def test_two_callers_do_not_hear_each_other():
    async def main(loop):
        first, second = ScriptedReasoner(["Only for one."]), ScriptedReasoner(["Nobody."])
        async with calling(loop, first, "hello") as one, calling(loop, second) as two:
            await one.speak(1.0)
            await one.until(Trace)
            return one, two

    one, two = run_virtual(main)
    assert one.loud_after(0)
    assert not two.loud_after(0)
    assert two.of(Caption) == []


def test_a_hundred_and_ten_turns_leave_no_task_and_no_growing_queue_behind():
    async def main(loop):
        reasoner = ScriptedReasoner(["Yes."])
        async with calling(loop, reasoner) as call:
            counts = []
            for turn in range(1, 111):
                call.session.send_text("and?")
                await call.until(Trace, turn=turn)
                call.events.clear()
                await asyncio.sleep(0.1)
                counts.append(len(asyncio.all_tasks()))
            return counts, reasoner.requests[-1].history

    counts, history = run_virtual(main)
    assert max(counts[1:]) == min(counts[1:])
    assert len(history) == MAX_MESSAGES


@pytest.mark.parametrize("hangs_at", ["a thought", "a reply"])
def test_a_call_outlives_a_conversation_that_hangs_for_a_minute(hangs_at):
    async def hang():
        try:
            await asyncio.sleep(1e6)
        except asyncio.CancelledError:
            await asyncio.sleep(60)  # a model that does not let itself be stopped
            raise

    class Stubborn(ScriptedReasoner):
        async def listen(self, so_far):
            if hangs_at == "a thought":
                await hang()

        async def reply(self, request):
            self.begun += 1
            if hangs_at == "a reply" and self.begun == 1:
                await hang()
            async for item in super().reply(request):
                yield item

        begun = 0

    async def main(loop):
        async with calling(loop, Stubborn(["I hear you."]), "i lost my job") as call:
            await call.speak(1.0)
            await asyncio.sleep(0.24)  # a reply is begun
            await call.speak(0.5)  # and taken back
            for number in range(3000):  # a minute of perception's events
                call.session._inbox.put(Affect(TurnId(1), number))
                call.session._inbox.put(Transcript(TurnId(0), number, "i lost", is_final=False))
                await asyncio.sleep(0.02)
            await call.until(Trace)
            return call

    captions = run_virtual(main).of(Caption)
    finals = [(c.role, c.text) for c in captions if c.is_final and c.text]
    assert finals == [("caller", "i lost my job"), ("avatar", "I hear you.")]
