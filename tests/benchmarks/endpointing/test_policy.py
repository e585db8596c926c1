"""Policies are swept as eot-bench does: what is cut off, what is waited, and the best of all."""

import numpy as np
import pytest

from rt_avatar.benchmarks.endpointing.policy import (
    STEP_S,
    Silence,
    length_alone,
    silence_alone,
    sweep,
)

pytestmark = pytest.mark.unit


def silence(turn: int, length_s: float, score: float = 0.0, *, is_end: bool = False) -> Silence:
    steps = 100 if is_end else int(length_s / STEP_S) + 1
    return Silence(turn, 3.2 if is_end else length_s, is_end, np.full(steps, score))


def test_silence_alone_must_wait_longer_than_the_longest_hold_that_may_not_be_cut():
    holds = [silence(turn, 0.3 + turn / 100) for turn in range(20)]
    ends = [silence(turn, 0, is_end=True) for turn in range(20)]
    curve = silence_alone([*holds, *ends])
    assert 1000 * (0.49 - STEP_S) <= curve.wait_ms_at(0.05) <= 1000 * (0.49 + STEP_S)
    assert curve.wait_ms_at(0.0) >= curve.wait_ms_at(0.05) >= curve.wait_ms_at(0.10)


def test_a_detector_that_knows_waits_for_nothing_and_cuts_nothing():
    holds = [silence(turn, 1.5, score=0.1) for turn in range(10)]
    ends = [silence(turn, 0, score=0.9, is_end=True) for turn in range(10)]
    curve = sweep([*holds, *ends])
    assert curve.wait_ms_at(0.0) <= 100
    assert curve.cut_at(0.3) == 0
    assert silence_alone([*holds, *ends]).wait_ms_at(0.0) >= 1500


def test_where_all_recordings_are_as_long_their_length_tells_the_end():
    holds = [silence(turn, 1.5, score=0.9) for turn in range(10)]
    ends = [silence(turn, 0, score=0.1, is_end=True) for turn in range(10)]
    told = length_alone([*holds, *ends], [4.0] * 10 + [12.0] * 10)
    assert told.wait_ms_at(0.0) <= 100  # whatever a detector heard
    untold = length_alone([*holds, *ends], [8.0] * 20)
    assert untold.wait_ms_at(0.0) >= 1500


def test_a_hold_that_ends_before_a_policy_acts_is_not_cut():
    rising = np.where(STEP_S * np.arange(1, 101) < 0.6, 0.1, 0.9)
    short = Silence(0, 0.5, False, rising[:16])
    end = Silence(0, 3.2, True, rising)
    curve = sweep([short, end])
    assert curve.wait_ms_at(0.0) < 700


def test_holds_too_short_to_matter_and_too_long_to_be_pauses_do_not_count():
    curve = silence_alone(
        [silence(0, 0.15), silence(0, 6.0), silence(0, 0.4), silence(0, 0, is_end=True)]
    )
    assert curve.cut_at(0.2) == 1  # of the one that counts
    assert curve.cut_at(0.5) == 0


def test_a_turn_is_cut_off_by_one_of_its_holds():
    holds = [silence(0, 0.3), silence(0, 0.9), silence(1, 0.3), silence(1, 0.3)]
    ends = [silence(turn, 0, is_end=True) for turn in range(2)]
    curve = silence_alone([*holds, *ends])
    assert curve.cut_at(0.5) == 0.25
    assert curve.cut_at(0.5, of_turns=True) == 0.5


def test_the_frontier_falls():
    dice = np.random.default_rng(0)
    holds = [silence(turn, dice.uniform(0.2, 1.5), dice.uniform(0, 0.7)) for turn in range(40)]
    ends = [silence(turn, 0, dice.uniform(0.3, 1), is_end=True) for turn in range(40)]
    shares, waits = zip(*sweep([*holds, *ends]).frontier(), strict=True)
    assert list(shares) == sorted(shares)
    assert list(waits) == sorted(waits, reverse=True)
