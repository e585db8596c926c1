"""Degradation steps: which step is taken for what, and when it is taken back."""

import itertools

import pytest

from rt_avatar.budget import (
    DEGRADATION_STEPS,
    FULL_EFFORT,
    MAX_PATIENCE,
    PATIENCE,
    PICTURES_A_TRY,
    Budget,
)
from rt_avatar.config.settings import BudgetSettings

pytestmark = pytest.mark.unit

QUICK = {"think": 0.05, "word": 0.05, "voice": 0.02, "face": 0.01}


def budget(*, enabled: bool = True) -> Budget:
    return Budget(BudgetSettings(enabled=enabled), 0.14)


def slow(stage: str, seconds: float = 1.0) -> dict[str, float]:
    return QUICK | {stage: seconds}


def taken(held: Budget) -> tuple[str, ...]:
    """What is in force now."""
    held.take_felt()
    return held.take_felt()


def test_while_all_is_in_time_nothing_is_given_up():
    held = budget()
    for _ in range(20):
        held.note_turn(QUICK)
        held.note_picture(0.010)
        held.note_chunk("face", 0.05)
    assert held.effort == FULL_EFFORT
    assert held.take_felt() == ()


@pytest.mark.parametrize(
    ("stage", "step"),
    [
        ("word", "short_first_clause"),
        ("voice", "short_first_clause"),
        ("think", "no_fresh_chain"),
        ("face", "idle_face"),
    ],
)
def test_a_late_turn_takes_the_step_that_relieves_its_slowest_stage(stage, step):
    held = budget()
    held.note_turn(slow(stage))
    assert taken(held) == (step,)


def test_a_stage_over_its_share_costs_nothing_while_the_deadline_is_kept():
    held = budget()
    held.note_turn({"think": 0.0, "word": 0.4, "voice": 0.02, "face": 0.01})
    assert taken(held) == ()


def test_slow_pictures_are_drawn_half_as_often_and_then_only_idle():
    held = budget()
    for _ in range(PICTURES_A_TRY):
        held.note_picture(0.05)
    assert taken(held) == ("half_frame_rate",)
    assert held.effort.draw_every == 2
    for _ in range(4 * PICTURES_A_TRY):
        held.note_picture(0.05)  # in time at half the rate
    assert taken(held) == ("half_frame_rate",)
    for _ in range(2 * PICTURES_A_TRY):
        held.note_picture(0.1)
    assert taken(held) == ("half_frame_rate", "idle_face")
    assert not held.effort.moves_face


def test_one_slow_picture_gives_nothing_up():
    held = budget()
    for at in range(8 * PICTURES_A_TRY):
        held.note_picture(0.3 if at == PICTURES_A_TRY else 0.01)
    assert held.take_felt() == ()


def test_a_face_slower_than_the_sound_idles_from_the_next_chunk_on():
    held = budget()
    held.note_chunk("face", 0.25)
    assert not held.effort.moves_face


def test_a_face_found_by_steps_takes_fewer_before_it_idles_and_all_comes_back():
    held = Budget(BudgetSettings(), 0.14, has_steps=True)
    held.note_chunk("face", 0.25)
    assert held.effort.few_steps
    assert held.effort.moves_face
    held.note_chunk("face", 0.25)
    assert taken(held) == ("few_steps", "idle_face")
    for left in (("few_steps",), ()):
        for _ in range(PATIENCE):
            held.note_turn(QUICK)
        assert taken(held) == left
    assert held.effort == FULL_EFFORT


def test_when_nothing_relieves_the_slow_stage_no_step_is_taken():
    held = budget()
    for _ in range(5):
        held.note_turn(slow("think"))
    assert taken(held) == ("no_fresh_chain",)


def test_a_second_slow_stage_gets_its_own_step():
    held = budget()
    held.note_turn(slow("think"))
    held.note_turn(slow("voice"))
    assert taken(held) == ("short_first_clause", "no_fresh_chain")


@pytest.mark.parametrize("stage", ["word", "voice", "think", "face"])
def test_when_the_cause_is_gone_it_climbs_back(stage):
    held = budget()
    held.note_turn(slow(stage))
    turns = 0
    while held.effort != FULL_EFFORT:
        held.note_turn(QUICK)
        turns += 1
        assert turns <= PATIENCE
    assert turns == PATIENCE


def test_pictures_climb_back_step_by_step():
    held = budget()
    for _ in range(6 * PICTURES_A_TRY):
        held.note_picture(0.1)
    assert taken(held) == ("half_frame_rate", "idle_face")
    for _ in range(PATIENCE * PICTURES_A_TRY + PICTURES_A_TRY):
        held.note_picture(0.01)
    assert taken(held) == ("half_frame_rate",)
    for _ in range(PATIENCE * PICTURES_A_TRY + PICTURES_A_TRY):
        held.note_picture(0.01)
    assert taken(held) == ()


def test_good_turns_do_not_take_back_what_slow_pictures_took():
    held = budget()
    for _ in range(PICTURES_A_TRY):
        held.note_picture(0.05)
    for _ in range(10):
        held.note_turn(QUICK)
    assert taken(held) == ("half_frame_rate",)


def test_a_lasting_cause_is_felt_ever_more_rarely():
    held = budget()
    felt = []
    for turn in range(200):
        is_slow = held.effort.has_fresh_chain
        held.note_turn(slow("think") if is_slow else QUICK)
        if is_slow:
            felt.append(turn)
    gaps = [b - a for a, b in itertools.pairwise(felt)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == MAX_PATIENCE + 1


def test_a_cause_that_went_away_and_comes_again_is_met_with_fresh_patience():
    held = budget()
    for _ in range(2):  # taken, taken back, taken again: patience doubles
        held.note_turn(slow("think"))
        for _ in range(PATIENCE):
            held.note_turn(QUICK)
    for _ in range(4 * PATIENCE):
        held.note_turn(QUICK)
    assert held.effort == FULL_EFFORT
    for _ in range(4 * PATIENCE):
        held.note_turn(QUICK)
    held.note_turn(slow("think"))
    for _ in range(PATIENCE):
        held.note_turn(QUICK)
    assert held.effort == FULL_EFFORT


def test_a_turn_bears_every_step_that_was_in_force_in_it():
    held = budget()
    held.note_turn(slow("think"))
    assert held.take_felt() == ("no_fresh_chain",)
    for _ in range(PATIENCE):
        assert held.take_felt() == ("no_fresh_chain",)
        held.note_turn(QUICK)
    assert held.take_felt() == ("no_fresh_chain",)  # in force when that turn began
    assert held.take_felt() == ()


def test_without_a_budget_nothing_is_ever_given_up():
    held = budget(enabled=False)
    for stage in QUICK:
        held.note_turn(slow(stage))
        held.note_chunk("face", 1.0)
    for _ in range(100):
        held.note_picture(1.0)
    assert held.effort == FULL_EFFORT
    assert held.chain_limit_s is None
    assert taken(held) == ()


def test_every_step_relieves_a_stage_that_no_step_before_it_relieves_alone():
    stages = [stage for relieved in DEGRADATION_STEPS.values() for stage in relieved]
    assert {"think", "word", "voice", "face", "draw"} == set(stages)
