import pytest

from tests.fakes.timeline import SAMPLES_PER_MS, Timeline

pytestmark = pytest.mark.unit


@pytest.fixture
def timeline() -> Timeline:
    return Timeline()


# --- over the reply -----------------------------------------------------------------------------
def test_a_voice_over_the_reply_pauses_it_within_96_ms(timeline: Timeline) -> None:
    assert timeline.play("playing; silence 320; speech 64") == ["pause_reply"]
    assert timeline.events[0].pts == (320 + 64) * SAMPLES_PER_MS


def test_a_faint_voice_needs_one_window_more(timeline: Timeline) -> None:
    assert timeline.play("playing; faint 64") == []
    assert timeline.play("faint 32") == ["pause_reply"]


def test_two_windows_that_are_nearly_clear_are_enough(timeline: Timeline) -> None:
    assert timeline.play("playing; likely 64") == ["pause_reply"]


def test_a_voice_in_the_background_does_not_take_the_turn_and_holds_the_reply_once(
    timeline: Timeline,
) -> None:
    """A television is quieter than the caller; it may not stop the avatar again and again."""
    kinds = timeline.play("playing; television 704; words and now the weather; television 3008")
    assert kinds == ["pause_reply", "resume_reply"]


def test_the_caller_takes_the_turn_over_a_voice_in_the_background(timeline: Timeline) -> None:
    timeline.play("playing; television 3008")
    assert timeline.play("speech 704") == ["pause_reply", "barge_in"]


def test_a_quiet_caller_who_claims_the_turn_gets_it(timeline: Timeline) -> None:
    assert timeline.play("playing; television 224; words wait; television 32") == [
        "pause_reply",
        "barge_in",
    ]


def test_a_faint_window_and_a_clear_one_are_enough(timeline: Timeline) -> None:
    assert timeline.play("playing; faint 32; speech 32") == ["pause_reply"]


def test_a_voice_that_lasts_takes_the_turn(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 608") == ["pause_reply"]
    assert timeline.play("speech 32") == ["barge_in"]
    assert timeline.play("stopped; speech 640; silence 960") == [
        "preemptive_generation",
        "end_of_turn",
    ]


def test_words_take_the_turn_before_that(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 192; words wait") == ["pause_reply"]
    assert timeline.play("speech 32") == ["barge_in"]


def test_a_short_word_takes_the_turn_when_it_is_recognised_after_its_end(
    timeline: Timeline,
) -> None:
    assert timeline.play("playing; speech 224; silence 160; words stop; silence 32") == [
        "pause_reply",
        "barge_in",
    ]


def test_what_is_made_of_the_first_half_of_a_listeners_sound_does_not_take_the_turn(
    timeline: Timeline,
) -> None:
    assert timeline.play("playing; speech 256; perhaps oak; speech 160; silence 960") == [
        "pause_reply",
        "resume_reply",
    ]


def test_several_words_take_the_turn_before_a_long_voice_does(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 416; words who is that") == ["pause_reply"]
    assert timeline.play("speech 32") == ["barge_in"]


def test_a_sure_recogniser_is_believed_when_a_short_word_has_ended(timeline: Timeline) -> None:
    kinds = timeline.play("playing; speech 256; words why; silence 960")
    assert kinds[:2] == ["pause_reply", "barge_in"]


def test_words_that_a_click_makes_do_not_take_the_turn(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 96; words somewhere; silence 960") == [
        "pause_reply",
        "resume_reply",
    ]


def test_a_noise_over_the_reply_ends_in_a_resume(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 160; silence 960") == ["pause_reply", "resume_reply"]
    assert timeline.silence_before("resume_reply") <= 320


@pytest.mark.parametrize(
    "words", ["mm-hm", "uh-huh", "Yeah.", "right", "okay", "I see", "oh okay", "yeah yeah I know"]
)
def test_a_backchannel_resumes_soon_and_is_told(timeline: Timeline, words: str) -> None:
    assert timeline.play(f"playing; speech 256; words {words}; silence 960") == [
        "pause_reply",
        "resume_reply",
        "backchannel",
    ]
    assert timeline.silence_before("resume_reply") <= 160


def test_who_pauses_behind_a_first_word_is_waited_for(timeline: Timeline) -> None:
    """ "Sorry, … can I ask you something": nothing of the reply sounds in between."""
    assert timeline.play("level; playing; speech 256; silence 512") == ["pause_reply"]
    assert timeline.play("speech 640") == ["barge_in"]


def test_a_first_word_that_nothing_follows_is_waited_for_no_longer_than_576_ms(
    timeline: Timeline,
) -> None:
    assert timeline.play("level; playing; speech 256; perhaps ask; silence 960") == [
        "pause_reply",
        "resume_reply",
    ]
    assert timeline.silence_before("resume_reply") <= 576


def test_a_first_word_that_is_taken_for_a_listeners_is_waited_for_if_nobody_is_sure(
    timeline: Timeline,
) -> None:
    """ "Ask … not what": of the first word pocketsphinx made "yeah"."""
    script = "level; playing; speech 256; perhaps yeah; silence 256; speech 640"
    assert timeline.play(script) == ["pause_reply", "barge_in"]


def test_words_that_come_long_after_a_listeners_sound_do_not_take_the_turn(
    timeline: Timeline,
) -> None:
    """Of "right" pocketsphinx made "for ah I", a quarter of a second after its end."""
    script = "level; playing; speech 480; silence 256; perhaps for ah I; silence 960"
    assert timeline.play(script) == ["pause_reply", "resume_reply"]


def test_a_long_backchannel_does_not_take_the_turn_but_what_follows_it_does(
    timeline: Timeline,
) -> None:
    assert timeline.play("playing; speech 320; words yeah; speech 320") == ["pause_reply"]
    assert timeline.play("words yeah but I; speech 32") == ["barge_in"]


def test_nobody_waits_longer_than_600_ms_when_nobody_speaks(timeline: Timeline) -> None:
    timeline.play("playing; " + "speech 64; silence 128; " * 10)
    hold, resume = timeline.events[:2]
    assert (hold.kind, resume.kind) == ("pause_reply", "resume_reply")
    pause_ms = 64  # of two windows: after them nobody is speaking
    assert resume.pts - hold.pts <= (600 + pause_ms) * SAMPLES_PER_MS


def test_who_has_mostly_spoken_may_take_breath(timeline: Timeline) -> None:
    """A first phrase, a pause of 128 ms after 0.7 s, and what follows it takes the turn."""
    assert timeline.play("playing; speech 384; silence 96; speech 224; silence 128") == [
        "pause_reply"
    ]
    assert timeline.play("speech 96") == ["barge_in"]


def test_after_a_resume_the_next_voice_is_judged_anew(timeline: Timeline) -> None:
    timeline.play("playing; speech 256; words yeah; silence 960")
    assert timeline.play("speech 640") == ["pause_reply", "barge_in"]


def test_an_mm_hm_stops_nothing(timeline: Timeline) -> None:
    assert timeline.play("playing; hum 320; silence 320") == ["backchannel"]


def test_a_hum_that_becomes_speech_pauses_the_reply(timeline: Timeline) -> None:
    assert timeline.play("playing; hum 96; speech 32") == []
    assert timeline.play("speech 32") == ["pause_reply"]
    assert timeline.play("speech 608") == ["barge_in"]


def test_a_hum_is_waited_for_no_longer_than_450_ms(timeline: Timeline) -> None:
    assert timeline.play("playing; hum 448") == []
    assert timeline.play("hum 32") == ["pause_reply"]
    assert timeline.play("silence 960") == ["resume_reply", "backchannel"]


def test_a_click_over_the_reply_is_nothing(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 32; silence 960; hum 32; silence 960") == []


def test_evidence_in_pieces_does_not_pause_the_reply(timeline: Timeline) -> None:
    assert timeline.play("playing; " + "speech 32; silence 32; " * 30) == []


def test_an_utterance_under_way_when_the_reply_begins_takes_the_turn(timeline: Timeline) -> None:
    assert timeline.play("speech 640; silence 160; playing; speech 64; stopped; silence 960") == [
        "speech_started",
        "preemptive_generation",
        "preemptive_discarded",
        "pause_reply",
        "barge_in",
        "preemptive_generation",
        "end_of_turn",
    ]


@pytest.mark.parametrize(
    ("voice", "kind"), [("speech 128", "barge_in"), ("silence 128", "resume_reply")]
)
def test_a_pause_is_closed_when_the_reply_ends_in_it(
    timeline: Timeline, voice: str, kind: str
) -> None:
    timeline.play(f"playing; speech 96; {voice}")
    assert timeline.play("stopped; silence 32")[0] == kind


def test_a_voice_that_began_over_the_last_word_becomes_a_turn(timeline: Timeline) -> None:
    assert timeline.play("playing; speech 32; stopped; speech 640; silence 960") == [
        "speech_started",
        "preemptive_generation",
        "end_of_turn",
    ]


# --- barge-in switched off ----------------------------------------------------------------------
def test_without_barge_in_nothing_stops_and_the_words_are_a_turn_afterwards() -> None:
    timeline = Timeline(allow_interruptions=False)
    assert timeline.play("playing; speech 960; words I would like some tea; silence 1600") == []
    assert timeline.play("stopped; silence 32") == ["speech_started", "end_of_turn"]


def test_without_barge_in_speech_over_the_end_goes_on_as_a_turn() -> None:
    timeline = Timeline(allow_interruptions=False)
    assert timeline.play("playing; speech 640; stopped; speech 640; silence 960") == [
        "speech_started",
        "preemptive_generation",
        "end_of_turn",
    ]


@pytest.mark.parametrize("over", ["words yeah", "own it is a sunny day; words a sunny day"])
def test_without_barge_in_backchannels_and_echoes_are_no_turn(over: str) -> None:
    timeline = Timeline(allow_interruptions=False)
    assert timeline.play(f"playing; speech 320; {over}; silence 960; stopped; silence 960") == []


def test_without_barge_in_an_utterance_under_way_waits_for_the_end_of_the_reply() -> None:
    timeline = Timeline(allow_interruptions=False)
    assert timeline.play("speech 640; silence 160") == ["speech_started", "preemptive_generation"]
    assert timeline.play("playing; silence 960") == ["preemptive_discarded"]
    assert timeline.play("stopped; silence 32") == ["speech_started", "end_of_turn"]


# --- echo ---------------------------------------------------------------------------------------
def test_the_avatars_own_voice_does_not_interrupt_it(timeline: Timeline) -> None:
    assert timeline.play("playing; " + "echo 1600; silence 160; " * 10) == []


def test_a_loud_beginning_of_an_echo_proves_nothing(timeline: Timeline) -> None:
    assert timeline.play("playing; shout 480; echo 960") == []


def test_a_caller_much_louder_than_the_echo_is_heard(timeline: Timeline) -> None:
    timeline.play("playing; echo 1600")
    assert timeline.play("shout 480")[0] == "pause_reply"


def test_half_an_echo_needs_more_of_it(timeline: Timeline) -> None:
    assert timeline.play("playing; half-echo 128") == []
    assert timeline.play("half-echo 96") == ["pause_reply"]


def test_the_tail_of_an_echo_is_no_turn(timeline: Timeline) -> None:
    assert timeline.play("playing; echo 960; stopped; echo 320; silence 960") == []


def test_the_avatars_words_heard_back_do_not_interrupt_it(timeline: Timeline) -> None:
    timeline.play("own that sounds like a hard day at work; playing; echo 800")
    assert timeline.play("speech 128; words sounds like a hard; speech 512; silence 960") == [
        "pause_reply",
        "resume_reply",
    ]


def test_an_echo_that_its_words_gave_away_is_known_by_its_loudness_from_then_on(
    timeline: Timeline,
) -> None:
    timeline.play("own that sounds like a hard day; playing; echo 800")
    timeline.play("shout 256; words sounds like a hard; silence 960")
    assert timeline.play("shout 640; silence 960") == []


def test_new_words_among_the_avatars_own_are_the_callers(timeline: Timeline) -> None:
    timeline.play("own that sounds like a hard day; playing; speech 448")
    assert timeline.play("words a hard stop talking please now; speech 32") == ["barge_in"]
