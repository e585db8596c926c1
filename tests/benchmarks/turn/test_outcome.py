"""A turn is called what it was to the caller: answered, too early, or not answered."""

import pytest

from rt_avatar.benchmarks.turn.outcome import Turn, Witness, judge

pytestmark = pytest.mark.unit

BEGIN_S, END_S = 100.0, 104.0


def state(at_s: float, name: str, turn: int = 1) -> tuple[float, dict]:
    return at_s, {"type": "state", "state": name, "turn": turn}


def reply(at_s: float, turn: int = 1, released_ms: float = 400.0, **marks: float) -> list:
    """Messages of a reply whose first block leaves at that time, as the server tells them."""
    marks_ms = {"end_of_turn": released_ms - 20, "audio_released": released_ms} | marks
    trace = {"type": "trace", "turn": turn, "marks_ms": marks_ms, "preemptive_used": True}
    return [
        state(at_s - 0.02, "thinking", turn),
        (at_s, {"type": "plan", "turn": turn}),
        state(at_s, "speaking", turn),
        (at_s + 1.0, trace),
    ]


def judged(sounds=(), messages=(), moved_s=None) -> Turn:
    return judge("a", "plain", Witness(BEGIN_S, END_S, list(sounds), moved_s, list(messages)))


def test_the_wait_is_from_the_end_of_speech_to_the_first_sound() -> None:
    turn = judged([(104.437, 104.45)], reply(104.42), moved_s=104.48)
    assert turn.verdict == "answered"
    assert turn.sound_ms == pytest.approx(437)
    assert turn.eye_ms == pytest.approx(480)
    assert turn.line_ms == pytest.approx(17)
    assert turn.preemptive_used
    assert not turn.is_late


def test_stages_count_from_the_true_end_of_speech() -> None:
    # The server took the voice for ended 80 ms late: what it calls 400 was 480 for the caller.
    turn = judged([(104.5, 104.6)], reply(104.48, released_ms=400.0))
    assert turn.marks_ms == pytest.approx({"end_of_turn": 460.0, "audio_released": 480.0})


def test_a_reply_into_a_pause_is_too_early_and_has_no_time() -> None:
    turn = judged([(102.0, 102.4), (104.5, 105.0)], reply(101.98) + reply(104.48, turn=2))
    assert turn.verdict == "early"
    assert turn.released_early
    assert turn.sound_ms is None
    assert not turn.is_late


def test_a_reply_that_begins_in_the_last_word_is_too_early() -> None:
    assert judged([(103.99, 105.0)], reply(103.97)).verdict == "early"


def test_a_reply_that_ended_before_the_voice_began_is_another_turns() -> None:
    turn = judged([(99.0, 99.99), (104.5, 104.6)], reply(104.48))
    assert turn.verdict == "answered"


def test_a_reply_discarded_before_it_was_heard_is_only_counted() -> None:
    early = [state(102.0, "thinking"), state(102.1, "listening", 2)]
    turn = judged([(104.5, 104.6)], early + reply(104.48, turn=2))
    assert turn.verdict == "answered"
    assert turn.released_early
    assert turn.sound_ms == pytest.approx(500)


def test_a_state_that_was_told_before_the_voice_is_not_early() -> None:
    turn = judged([(104.5, 104.6)], [state(99.9, "speaking"), *reply(104.48)])
    assert not turn.released_early


@pytest.mark.parametrize("sounds", [[], [(107.01, 107.5)]])
def test_no_answer_within_three_seconds_is_none(sounds) -> None:
    turn = judged(sounds)
    assert turn.verdict == "unanswered"
    assert turn.is_late


@pytest.mark.parametrize(("sound_s", "is_late"), [(104.799, False), (104.801, True)])
def test_later_than_promised_is_late(sound_s: float, is_late: bool) -> None:
    assert judged([(sound_s, 105.0)]).is_late is is_late


def test_the_trace_is_that_of_the_reply_that_was_heard() -> None:
    messages = reply(102.0, turn=1, first_chunk=1.0) + reply(104.48, turn=2, first_chunk=390.0)
    turn = judged([(104.5, 104.6)], messages)
    assert turn.marks_ms["first_chunk"] == pytest.approx(470.0)


def test_a_plan_of_a_later_reply_is_not_taken() -> None:
    turn = judged([(104.5, 104.6)], reply(104.48) + reply(105.2, turn=2, released_ms=900.0))
    assert turn.line_ms == pytest.approx(20)


def test_without_a_trace_the_wait_is_still_known() -> None:
    turn = judged([(104.5, 104.6)])
    assert (turn.sound_ms, turn.line_ms, turn.marks_ms) == (pytest.approx(500), None, {})


# --- replies that came too early ------------------------------------------------------------------
def line(at_s: float, text: str, turn: int) -> tuple[float, dict]:
    caption = {"type": "caption", "role": "caller", "text": text, "final": True, "turn": turn}
    return at_s, caption


def interrupted(sounds, voiced, messages=()) -> Turn:
    return judge("a", "plain", Witness(BEGIN_S, END_S, sounds, None, messages, voiced))


def test_a_reply_into_a_pause_yields_from_where_the_caller_goes_on() -> None:
    sounds = [(101.8, 101.9), (102.0, 102.15), (104.5, 104.9)]
    turn = interrupted(sounds, [(100.0, 101.3), (102.05, 104.0)])
    assert turn.yielded_ms == pytest.approx(100)


def test_a_reply_over_the_callers_voice_yields_from_its_own_beginning() -> None:
    turn = interrupted([(102.2, 102.5), (104.5, 104.9)], [(100.0, 101.3), (102.05, 104.0)])
    assert turn.yielded_ms == pytest.approx(300)


def test_a_reply_that_is_over_before_the_caller_goes_on_is_no_burden() -> None:
    turn = interrupted([(101.5, 101.8), (104.5, 104.9)], [(100.0, 101.3), (102.05, 104.0)])
    assert turn.yielded_ms == 0


def test_without_knowing_where_the_voice_was_nothing_is_said_of_yielding() -> None:
    assert interrupted([(102.2, 102.5)], []).yielded_ms is None


def test_all_is_answered_when_one_line_of_the_callers_words_stands() -> None:
    sounds = [(101.5, 101.8), (104.5, 104.9)]
    taken_back = [line(101.4, "i went", 1), line(102.2, "", 1), line(104.4, "i went home", 2)]
    assert interrupted(sounds, [], taken_back).is_whole
    assert not interrupted(sounds, [], [taken_back[0], taken_back[2]]).is_whole
    assert not interrupted(sounds[:1], [], taken_back).is_whole
