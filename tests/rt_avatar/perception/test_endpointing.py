"""What silence ends a turn where a network hears it: by its probability and the caller's habit."""

import math
import random

import numpy as np
import pytest

from rt_avatar.engines.end_of_turn import EndOfTurnEngine
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.perception.window_analysis import WindowAnalyser
from tests.fakes.timeline import Timeline

pytestmark = pytest.mark.unit

SHORTEST, LONGEST = 250, 700  # ms, as set by default


@pytest.fixture(scope="module")
def engine() -> EndOfTurnEngine:
    return EndOfTurnEngine()


def undecided(engine: EndOfTurnEngine) -> float:
    """The logit behind which the odds, times their cost, are even."""
    return math.log(engine.early_cost)


def silence_after(engine: EndOfTurnEngine, over: float, words: str = "", before: str = "") -> float:
    timeline = Timeline(engine)
    timeline.play(f"silence 320; {before} over {over}; speech 960; words {words}; silence 6000")
    return timeline.silence_before("end_of_turn")


def test_the_surer_the_network_the_shorter_the_wait(engine: EndOfTurnEngine):
    waits = [silence_after(engine, over) for over in (9.0, 1.0, -1.0, -9.0)]
    assert waits == sorted(waits)
    assert waits[0] <= SHORTEST + 32
    assert waits[-1] >= LONGEST


def test_open_words_wait_longer_than_finished_ones(engine: EndOfTurnEngine):
    open_, finished = (
        silence_after(engine, 1.5, words)
        for words in ("my sister came home and", "my sister came home yesterday")
    )
    assert open_ > finished


def test_without_the_network_rules_decide(engine: EndOfTurnEngine):
    with_engine, without = Timeline(engine), Timeline()
    for timeline in (with_engine, without):
        timeline.play("speech 960; words thank you; silence 2000")
    assert with_engine.silence_before("end_of_turn") == without.silence_before("end_of_turn")


@pytest.mark.parametrize("seed", range(20))
def test_no_turn_ends_before_the_shortest_nor_after_the_longest_silence(
    engine: EndOfTurnEngine, seed: int
):
    dice = random.Random(seed)
    timeline = Timeline(engine)
    for _ in range(60):
        timeline.play(f"over {dice.uniform(-12, 12)}")
        timeline.play(f"words {dice.choice(['', 'yes', 'I went to the', 'it was nice'])}")
        timeline.play(f"speech {dice.choice((128, 320, 960))}")
        timeline.play(f"silence {dice.choice((96, 192, 320, 640, 2000))}")
    ends = [event for event in timeline.events if event.kind == "end_of_turn"]
    assert ends
    for event in ends:
        assert SHORTEST <= (event.pts - event.speech_end) / 16 <= LONGEST + 32


def test_who_pauses_long_is_waited_for_longer_and_who_pauses_briefly_shorter(
    engine: EndOfTurnEngine,
):
    slow, usual, quick = (
        silence_after(
            engine, undecided(engine), before="over -9;" + f"speech 640; silence {pause};" * 12
        )
        for pause in (960, 448, 224)
    )
    assert quick < usual < slow


def test_a_turn_that_was_ended_too_early_teaches_patience(engine: EndOfTurnEngine):
    cut_off = "over 9; speech 640; silence 640;" * 12
    assert silence_after(engine, undecided(engine), before=cut_off) > silence_after(
        engine, undecided(engine)
    )


def test_the_next_turn_long_after_the_last_teaches_nothing(engine: EndOfTurnEngine):
    turns = "over 9; speech 640; silence 3008;" * 12
    assert silence_after(engine, undecided(engine), before=turns) == silence_after(
        engine, undecided(engine)
    )


# --- windows ------------------------------------------------------------------------------------
def analyser(engine: EndOfTurnEngine | None) -> WindowAnalyser:
    end_of_turn = None if engine is None else engine.open()
    return WindowAnalyser(SileroEngine().open(), ProsodyEngine().open(), end_of_turn)


def test_any_chunking_of_sound_sounds_the_same(engine: EndOfTurnEngine):
    pcm = np.random.default_rng(0).normal(0, 0.1, 16_000).astype(np.float32)
    silence = np.zeros_like(pcm)
    whole = analyser(engine).push(pcm, silence, is_playing=False)
    for size in (160, 777):
        cut = analyser(engine)
        pieces = [
            window
            for first in range(0, len(pcm), size)
            for window in cut.push(
                pcm[first : first + size], silence[first : first + size], is_playing=False
            )
        ]
        assert [one.frame.end_logit for one in pieces] == [one.frame.end_logit for one in whole]
    assert all(one.frame.end_logit is not None for one in whole)


def test_without_a_network_windows_say_nothing_of_the_end():
    pcm = np.zeros(1600, np.float32)
    windows = analyser(None).push(pcm, pcm, is_playing=False)
    assert [one.frame.end_logit for one in windows] == [None] * 3
