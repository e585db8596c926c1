"""A person on the line reports the delays that were there, whenever it is asked."""

import asyncio
from types import SimpleNamespace

import numpy as np
import pytest

from rt_avatar.benchmarks.callers.person import Job, Person
from rt_avatar.benchmarks.callers.record import Record, merged
from rt_avatar.benchmarks.peer.audio_meter import spoken_at_s
from rt_avatar.benchmarks.speech import Utterance
from tests.benchmarks.scripted_caller import ScriptedTrack, make_caller, packets
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

RATE = 48_000
TOLERANCE_MS = 5
UTTERANCE = Utterance("one", np.full(RATE, 9000, np.int16))  # one second


def tone(begin_s: float, seconds: float, total_s: float) -> np.ndarray:
    """Silence with a loud tone in it."""
    pcm = np.zeros(int(RATE * total_s), np.int16)
    at = np.arange(int(begin_s * RATE), int((begin_s + seconds) * RATE))
    pcm[at] = 8000 * np.cos((at - at[0]) * 2 * np.pi * 440 / RATE)
    return pcm


def lived(work, pcm: np.ndarray, seconds: float, *, ask_every_s: float = 100.0, told=()) -> Record:
    """Let a person do something while that sound arrives; return all that it reported.

    ``told`` is what the server tells when it is sent something.
    """

    async def main(loop) -> Record:
        reports = []
        async with make_caller() as caller, asyncio.TaskGroup() as group:
            caller.channel = SimpleNamespace(send=lambda text: caller.messages.extend(told))
            caller.microphone._origin_s = loop.time()
            caller.start(caller._keep_sound(ScriptedTrack("audio", packets(pcm, loop.time()))))
            person = Person(Job("http://nobody"), caller, [UTTERANCE], group)
            end_s = loop.time() + seconds
            work(person)
            while loop.time() < end_s:
                await asyncio.sleep(min(ask_every_s, end_s - loop.time()))
                reports.append(person.report())
            await person.rest()
        return merged(reports)

    return run_virtual(main)


def talks(person: Person) -> None:
    person.talk()


def types(person: Person) -> None:
    person.type(period_s=60.0, spoken_every=0)


# The first packet is handed over when its 20 ms have been spoken.
SPEECH_ENDS_S = spoken_at_s(0.0, len(UTTERANCE.pcm))


@pytest.mark.parametrize("ask_every_s", [100.0, 0.3], ids=["asked once", "asked often"])
@pytest.mark.parametrize("delay_ms", [180, 437, 812.5])
def test_a_known_delay_of_a_spoken_turn_is_the_delay_reported(
    delay_ms: float, ask_every_s: float
) -> None:
    pcm = tone(SPEECH_ENDS_S + delay_ms / 1000, 0.5, 4.0)
    record = lived(talks, pcm, 3.0, ask_every_s=ask_every_s)
    assert record.spoken_ms == [pytest.approx(delay_ms, abs=TOLERANCE_MS)]
    assert record.soundings == pytest.approx(25, abs=2)  # packets of half a second
    assert (record.unanswered, record.cut_early) == (0, 0)


@pytest.mark.parametrize("delay_ms", [60, 333])
def test_a_known_delay_of_a_typed_turn_is_the_delay_reported(delay_ms: float) -> None:
    # It types as soon as nothing was heard for 0.15 s, which the packets tell in steps of 20 ms.
    record = lived(types, tone(0.15 + delay_ms / 1000, 0.5, 4.0), 3.0)
    assert record.typed_ms == [pytest.approx(delay_ms, abs=20 + TOLERANCE_MS)]


def test_who_is_answered_while_speaking_was_cut_and_no_delay_is_told() -> None:
    record = lived(talks, tone(0.5, 2.0, 5.0), 3.0)
    assert (record.cut_early, record.spoken_ms) == (1, [])


def test_who_hears_nothing_is_not_answered() -> None:
    record = lived(talks, np.zeros(RATE * 13, np.int16), 12.0)
    assert (record.unanswered, record.spoken_ms) == (1, [])
    assert record.turns == 1
    assert record.silences == [f"spoke {UTTERANCE.name}; told: nothing"]


def test_of_a_turn_without_an_answer_it_keeps_what_the_server_told_of_turns() -> None:
    told = [
        {"type": "state", "turn": 1, "state": "thinking"},
        {"type": "affect", "valence": 0.1},
        {"type": "caption", "turn": 1, "role": "caller", "text": "I am", "final": False},
        {"type": "caption", "turn": 1, "role": "caller", "text": "I am sad", "final": True},
        {"type": "trace", "turn": 1},
    ]
    record = lived(types, np.zeros(RATE * 13, np.int16), 12.0, told=told)
    assert record.unanswered == len(record.silences) == 1
    assert record.silences[0].endswith('; told: thinking, caller "I am sad", trace')


def test_after_a_rest_it_can_do_something_else_and_keeps_nothing_that_it_hears() -> None:
    async def main(loop) -> tuple[int, int]:
        async with make_caller() as caller, asyncio.TaskGroup() as group:
            caller.channel = SimpleNamespace(send=lambda text: None)
            caller.microphone._origin_s = loop.time()
            pcm = tone(0.0, 60.0, 61.0)
            caller.start(caller._keep_sound(ScriptedTrack("audio", packets(pcm, loop.time()))))
            person = Person(Job("http://nobody"), caller, [UTTERANCE], group)
            watching = group.create_task(person.watch_itself())
            person.talk()
            await asyncio.sleep(1.5)
            await person.rest()
            await asyncio.sleep(50)
            kept, record = len(caller.sound), person.report()
            person.talk()
            await person.rest()
            watching.cancel()
            return kept, record.soundings

    kept, soundings = run_virtual(main)
    assert kept <= 51, "a second of packets at most"
    assert soundings > 2000
