"""A known delay of the avatar is the delay that the headless form reports."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.benchmarks.speech import Utterance
from rt_avatar.benchmarks.speech_variants import noisy
from rt_avatar.benchmarks.turn.outcome import Turn
from rt_avatar.benchmarks.turn.peer import PeerTalk
from tests.benchmarks.scripted_avatar import PICTURE_S, ScriptedAvatar
from tests.benchmarks.scripted_caller import make_caller
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

RATE = 48_000


def voice(seconds: float) -> np.ndarray:
    """Ends with a loud sample."""
    at = np.arange(round(seconds * RATE))
    return (9000 * np.cos((at - at[-1]) * 2 * np.pi * 150 / RATE)).astype(np.int16)


SENTENCE = Utterance("a", voice(1.2345))


def turns(*utterances: Utterance, **avatar: float) -> list[Turn]:
    """Speak them to an avatar of these delays."""

    async def main(loop):
        async with make_caller() as caller:
            ScriptedAvatar(caller, **avatar)
            talk = PeerTalk(caller)
            await asyncio.sleep(0.5)  # the microphone runs, pictures have come
            return [await talk.turn(one) for one in utterances]

    return run_virtual(main)


@pytest.mark.parametrize("delay_ms", [161, 450.5, 1333])
def test_a_known_delay_to_the_sound_is_reported(delay_ms: float) -> None:
    (turn,) = turns(SENTENCE, sound_s=delay_ms / 1000, mouth_s=delay_ms / 1000)
    assert turn.verdict == "answered"
    assert turn.sound_ms == pytest.approx(delay_ms, abs=1)


@pytest.mark.parametrize("delay_ms", [300, 520])
def test_a_known_delay_to_the_mouth_is_reported_to_the_picture(delay_ms: float) -> None:
    (turn,) = turns(SENTENCE, sound_s=0.45, mouth_s=delay_ms / 1000)
    assert delay_ms <= turn.eye_ms <= delay_ms + PICTURE_S * 1000 + 1


@pytest.mark.parametrize("cut", [1, 959])
def test_it_does_not_matter_where_in_its_packet_a_voice_ends(cut: int) -> None:
    one = Utterance("a", voice(1.0 - cut / RATE))
    (turn,) = turns(one, sound_s=0.4, mouth_s=0.4)
    assert turn.sound_ms == pytest.approx(400, abs=1)


def test_turn_after_turn_is_measured_alike() -> None:
    found = turns(SENTENCE, Utterance("b", voice(0.9)), SENTENCE, sound_s=0.4, mouth_s=0.4)
    assert [turn.sound_ms for turn in found] == pytest.approx([400] * 3, abs=1)


def test_noise_around_the_voice_does_not_move_its_end() -> None:
    hiss = np.random.default_rng(1).normal(0, 0.05, 10 * RATE)
    one = noisy(SENTENCE, hiss[: len(SENTENCE.pcm) + 4 * RATE], 26.0, "pink-26")
    (turn,) = turns(one, sound_s=0.4, mouth_s=0.4)
    assert turn.sound_ms == pytest.approx(400, abs=1.5)


def test_a_reply_into_a_pause_is_too_early() -> None:
    pause = np.zeros(round(0.6 * RATE), np.int16)
    one = replace(SENTENCE, pcm=np.concatenate([voice(1.0), pause, voice(1.0)]), end=-1)
    (turn,) = turns(one, sound_s=0.3, mouth_s=0.3)
    assert turn.verdict == "early"
    assert turn.released_early


def test_an_avatar_that_answers_too_late_has_not_answered() -> None:
    (turn,) = turns(SENTENCE, sound_s=3.2, mouth_s=3.2)
    assert turn.verdict == "unanswered"


def test_the_stages_and_the_line_are_told() -> None:
    (turn,) = turns(SENTENCE, sound_s=0.4, mouth_s=0.4)
    assert turn.line_ms == pytest.approx(0, abs=1)
    assert turn.marks_ms["end_of_turn"] == pytest.approx(200, abs=1)
