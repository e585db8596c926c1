import random

import pytest

from rt_avatar.messages import TurnEvent
from tests.fakes.timeline import PITCH, SAMPLES_PER_MS, WINDOWS, Timeline

pytestmark = pytest.mark.unit


@pytest.fixture
def timeline() -> Timeline:
    return Timeline()


# --- a turn -------------------------------------------------------------------------------------
def test_a_sentence_starts_is_answered_ahead_and_ends(timeline: Timeline) -> None:
    assert timeline.play("silence 320; speech 960; words hello there; silence 960") == [
        "speech_started",
        "preemptive_generation",
        "end_of_turn",
    ]
    assert timeline.events[-1].speech_end == (320 + 960) * SAMPLES_PER_MS


def test_speech_has_started_after_96_ms_of_voice(timeline: Timeline) -> None:
    assert timeline.play("silence 320; speech 64") == []
    assert timeline.play("speech 32") == ["speech_started"]
    assert timeline.events[0].pts == (320 + 96) * SAMPLES_PER_MS


def test_each_turn_gets_the_next_id(timeline: Timeline) -> None:
    timeline.play("speech 640; silence 960; speech 640; silence 960; speech 640; silence 960")
    assert [e.kind for e in timeline.events].count("end_of_turn") == 3


def test_the_preemptive_reply_comes_after_the_silence_that_was_set() -> None:
    timeline = Timeline(preemptive_silence_ms=200)
    timeline.play("speech 640; silence 960")
    assert (
        timeline.silence_before("preemptive_generation") == 224
    )  # the first whole window at or after 200


def test_a_preemptive_reply_is_discarded_when_the_caller_goes_on_as_often_as_that_happens(
    timeline: Timeline,
) -> None:
    pause = "silence 192; speech 320;"
    assert timeline.play(f"speech 320; {pause * 3} silence 960") == [
        "speech_started",
        *["preemptive_generation", "preemptive_discarded"] * 3,
        "preemptive_generation",
        "end_of_turn",
    ]


def test_a_click_in_the_pause_does_not_discard_the_preemptive_reply(timeline: Timeline) -> None:
    assert timeline.play("speech 320; silence 192; speech 32; silence 960") == [
        "speech_started",
        "preemptive_generation",
        "end_of_turn",
    ]
    assert timeline.events[-1].speech_end == 320 * SAMPLES_PER_MS


def test_a_turn_does_not_end_in_a_loud_window(timeline: Timeline) -> None:
    timeline.play("speech 640; words thank you; silence 224")
    assert timeline.play("speech 32") == []
    assert timeline.play("speech 32") == ["preemptive_discarded"]


def test_a_short_gap_between_words_is_no_pause(timeline: Timeline) -> None:
    assert timeline.play("speech 320; silence 96; speech 320; silence 96; speech 320") == [
        "speech_started"
    ]


def test_without_preemptive_replies_a_turn_only_starts_and_ends() -> None:
    assert Timeline(preemptive_generation=False).play(
        "speech 640; silence 192; speech 320; silence 960"
    ) == [
        "speech_started",
        "end_of_turn",
    ]


# --- false starts -------------------------------------------------------------------------------
@pytest.mark.parametrize("noise", ["speech 32", "speech 64", "faint 64"])
def test_a_click_is_nothing(timeline: Timeline, noise: str) -> None:
    assert timeline.play(f"silence 320; {noise}; silence 2000") == []
    assert timeline.turn_detector.voice_start is None


def test_a_cough_of_96_ms_has_no_preemptive_reply_and_no_turn(timeline: Timeline) -> None:
    assert timeline.play("speech 96; silence 2000") == ["speech_started"]
    assert timeline.turn_detector.voice_start is None


def test_clicks_far_apart_do_not_add_up(timeline: Timeline) -> None:
    assert timeline.play("speech 64; silence 160; " * 10 + "silence 960") == []


def test_a_short_word_is_a_turn(timeline: Timeline) -> None:
    assert timeline.play("speech 128; words no; silence 960")[-1] == "end_of_turn"


def test_speech_begins_above_one_threshold_and_ends_below_another(timeline: Timeline) -> None:
    assert timeline.play("unsure 960") == []
    assert timeline.play("speech 320; unsure 960") == ["speech_started"]
    assert timeline.play("silence 64; unsure 960") == ["preemptive_generation", "end_of_turn"]


def test_the_thresholds_can_be_set() -> None:
    timeline = Timeline(activation_threshold=0.3, deactivation_threshold=0.1)
    assert timeline.play("unsure 960") == ["speech_started"]


# --- when is it over ----------------------------------------------------------------------------
def silence_after(words: str, pitch: str = "unpitched", **settings: object) -> float:
    timeline = Timeline(**settings)
    timeline.play(f"{pitch}; speech 960; words {words}; silence 6000")
    return timeline.silence_before("end_of_turn")


@pytest.mark.parametrize(
    "words",
    ["thank you", "what do you think", "do you like it", "That is all.", "I went home yesterday!"],
)
def test_a_finished_sentence_ends_early(words: str) -> None:
    assert silence_after(words) <= 320


@pytest.mark.parametrize(
    "words",
    ["I was happy and", "because", "I went to the", "it was um", "well, yesterday,", "I want to"],
)
def test_an_unfinished_sentence_waits_long(words: str) -> None:
    assert 700 <= silence_after(words) <= 732


def test_without_words_the_wait_is_between(timeline: Timeline) -> None:
    assert 350 <= silence_after("") <= 400


def test_words_that_come_in_the_pause_still_count(timeline: Timeline) -> None:
    timeline.play("speech 960; words I was happy and; silence 480")
    assert timeline.play("words I was happy and proud of it all.; silence 32") == ["end_of_turn"]


def test_a_falling_pitch_shortens_the_wait_and_a_rising_one_lengthens_it() -> None:
    words = "my sister came home yesterday"
    falling, none, level, rising = (
        silence_after(words, pitch) for pitch in ("falling", "unpitched", "level", "rising")
    )
    assert falling < none < level < rising


def test_a_rising_question_does_not_wait() -> None:
    assert silence_after("is it far from here", "rising") == silence_after("is it far from here")


def test_a_hesitation_waits(timeline: Timeline) -> None:
    timeline.play("speech 960; hum 256; words my sister came home yesterday; silence 2000")
    assert timeline.silence_before("end_of_turn") > silence_after("my sister came home yesterday")


def test_the_bounds_can_be_set() -> None:
    bounds = {"min_endpointing_delay_ms": 400, "max_endpointing_delay_ms": 2000}
    assert silence_after("thank you", **bounds) == 416
    assert silence_after("because", **bounds) == 2016


def test_bounds_the_wrong_way_round_wait_for_the_shorter() -> None:
    assert (
        silence_after("because", min_endpointing_delay_ms=400, max_endpointing_delay_ms=200) == 416
    )


def test_after_a_minute_a_shorter_pause_is_enough(timeline: Timeline) -> None:
    timeline.play("speech 60800; words and so I went to the; silence 2000")
    assert 450 <= timeline.silence_before("end_of_turn") <= 500
    timeline.play("speech 960; words and so I went to the; silence 2000")
    assert timeline.silence_before("end_of_turn") >= 700


def test_words_of_the_last_turn_do_not_finish_the_next(timeline: Timeline) -> None:
    timeline.play("speech 960; words thank you; silence 960; speech 960; silence 960")
    assert timeline.silence_before("end_of_turn") > 330


def test_sound_that_was_lost_counts_as_silence(timeline: Timeline) -> None:
    timeline.play("speech 640; words thank you; silence 32")
    timeline.pts += 16_000
    assert timeline.play("silence 32") == ["end_of_turn"]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_the_promises_hold(seed: int) -> None:
    rng = random.Random(seed)
    timeline = Timeline(allow_interruptions=seed % 5 != 0, preemptive_generation=seed % 7 != 0)
    texts = ["", "yeah", "mm-hm", "stop", "I want to", "how are you", "a sunny day it is"]
    timeline.turn_detector.set_own_words("it is a sunny day")
    for _ in range(250):
        chance = rng.random()
        if chance < 0.75:
            timeline.play(f"{rng.choice(list(WINDOWS))} {rng.choice((32, 64, 96, 160, 320, 640))}")
        elif chance < 0.85:
            timeline.play(f"words {rng.choice(texts)}")
        elif chance < 0.96:
            timeline.play(rng.choice(("playing", "stopped")))
        else:
            timeline.play(rng.choice(list(PITCH)))
    timeline.play("stopped; silence 2000")
    check_promises(timeline.events)
    kinds = {event.kind for event in timeline.events}
    assert "end_of_turn" in kinds
    assert timeline.settings.allow_interruptions or not kinds & {
        "pause_reply",
        "resume_reply",
        "barge_in",
        "backchannel",
    }
    assert timeline.settings.preemptive_generation or "preemptive_generation" not in kinds


def check_promises(events: list[TurnEvent]) -> None:
    """Fail unless every preemptive reply and hold is closed once, and every turn was begun."""
    has_preemptive = is_paused = has_begun = False
    pts = 0
    for event in events:
        assert event.pts >= pts
        assert event.speech_end <= event.pts
        pts = event.pts
        match event.kind:
            case "speech_started":
                assert not has_preemptive
                assert not is_paused
                has_begun = True
            case "preemptive_generation":
                assert has_begun
                assert not has_preemptive
                has_preemptive = True
            case "preemptive_discarded":
                assert has_preemptive
                has_preemptive = False
            case "end_of_turn":
                assert has_begun
                assert not is_paused
                has_begun = has_preemptive = False
            case "pause_reply":
                assert not has_preemptive
                assert not is_paused
                is_paused = True
            case "resume_reply":
                assert is_paused
                is_paused = False
            case "barge_in":
                assert is_paused
                is_paused = False
                has_begun = True
            case "backchannel":
                assert not is_paused
    assert not has_preemptive
    assert not is_paused
