"""What became of a reply is told from its moments: stopped, paused and resumed, or left alone."""

import dataclasses

import pytest

from rt_avatar.benchmarks.bargein.verdict import (
    USUAL_S,
    Timeline,
    judge,
    surplus_s,
    usual_surplus_s,
)

pytestmark = pytest.mark.unit

USUAL = -0.03
# Three seconds of a reply were heard, then the caller asked to stop it; 3.03 s had been played.
UNDISTURBED = Timeline(
    first_s=10.0, onset_s=None, last_s=13.01, reported_s=13.02, asked_s=13.0, was_cut=True,
    played_s=3.03,
)  # fmt: skip
# A voice began 2 s after the first sound; 130 ms later the reply fell silent, and then was over.
STOPPED = Timeline(
    first_s=10.0, onset_s=12.0, last_s=12.13, reported_s=12.45, asked_s=None, was_cut=True,
    played_s=2.17, mouth_s=12.19,
)  # fmt: skip


def changed(timeline: Timeline, **what) -> Timeline:
    return dataclasses.replace(timeline, **what)


def test_a_reply_that_is_cut_by_the_server_was_stopped_and_its_silence_is_known():
    verdict = judge(STOPPED, USUAL)
    assert verdict.outcome == "stopped"
    assert verdict.silence_s == pytest.approx(0.13)
    assert verdict.mouth_s == pytest.approx(0.19)
    assert not verdict.is_hidden
    assert not verdict.is_missed


def test_a_reply_of_which_nothing_is_missing_was_left_alone():
    verdict = judge(changed(UNDISTURBED, onset_s=11.0), USUAL)
    assert verdict.outcome == "untouched"
    assert verdict.lost_s == 0


@pytest.mark.parametrize("lost_s", [0.1, 0.35, 1.2])
def test_what_is_missing_of_a_reply_was_lost_to_a_hold(lost_s: float):
    verdict = judge(changed(UNDISTURBED, onset_s=11.0, played_s=3.03 - lost_s), USUAL)
    assert verdict.outcome == "paused"
    assert verdict.lost_s == pytest.approx(lost_s)


@pytest.mark.parametrize("scatter_s", [-0.04, 0.04])
def test_the_tick_of_the_playout_is_no_hold(scatter_s: float):
    verdict = judge(changed(UNDISTURBED, played_s=3.03 + scatter_s), USUAL)
    assert verdict.outcome == "untouched"


def test_an_interruption_that_was_only_paused_was_missed():
    verdict = judge(changed(UNDISTURBED, onset_s=11.0, played_s=2.5), USUAL)
    assert verdict.outcome == "paused"
    assert verdict.is_missed


def test_an_interruption_that_was_ignored_was_missed():
    assert judge(changed(UNDISTURBED, onset_s=11.0), USUAL).is_missed


@pytest.mark.parametrize(("silence_s", "is_missed"), [(0.99, False), (1.01, True)])
def test_a_reply_that_sounds_on_for_more_than_a_second_was_not_interrupted(silence_s, is_missed):
    timeline = changed(STOPPED, last_s=12.0 + silence_s, played_s=2.03 + silence_s, reported_s=13.5)
    assert judge(timeline, USUAL).is_missed is is_missed


def test_a_stop_in_a_pause_of_the_reply_is_hidden():
    """The reply paused 10 ms after the onset; it was cut at its place 200 ms later."""
    verdict = judge(changed(STOPPED, last_s=12.01, played_s=2.24), USUAL)
    assert verdict.outcome == "stopped"
    assert verdict.is_hidden
    assert judge(changed(STOPPED, last_s=11.9, played_s=None), USUAL).is_hidden


def test_a_reply_that_was_paused_first_and_then_stopped_counts_until_its_last_sound():
    """Held after 0.1 s, resumed at 0.5 s, stopped at 0.9 s; of the reply 2.5 s were played."""
    verdict = judge(changed(STOPPED, last_s=12.9, played_s=2.5, reported_s=13.3), USUAL)
    assert verdict.silence_s == pytest.approx(0.9)
    assert not verdict.is_hidden


def test_a_reply_that_was_discarded_without_a_trace_was_stopped():
    verdict = judge(changed(STOPPED, onset_s=None, played_s=None, mouth_s=None), USUAL)
    assert verdict.outcome == "stopped"
    assert verdict.silence_s is None


@pytest.mark.parametrize("asked_s", [None, 13.0])
def test_a_reply_that_came_to_its_end_tells_nothing(asked_s):
    timeline = changed(UNDISTURBED, asked_s=asked_s, was_cut=False, played_s=None)
    assert judge(timeline, USUAL).outcome == "finished"
    assert not judge(timeline, USUAL).is_missed


@pytest.mark.parametrize("asked_s", [None, 13.0])
def test_a_reply_that_sounded_to_its_own_end_over_a_voice_was_not_interrupted(asked_s):
    timeline = changed(UNDISTURBED, asked_s=asked_s, was_cut=False, played_s=None, onset_s=11.5)
    assert judge(timeline, USUAL).is_missed


def test_the_usual_surplus_is_that_of_most_undisturbed_replies():
    stuttered = changed(UNDISTURBED, played_s=2.4)
    assert surplus_s(UNDISTURBED) == pytest.approx(-0.03)
    assert usual_surplus_s([UNDISTURBED, stuttered, UNDISTURBED]) == pytest.approx(-0.03)
    assert usual_surplus_s([stuttered, stuttered]) == USUAL_S
    assert usual_surplus_s([STOPPED, STOPPED, STOPPED]) == USUAL_S
