import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.voice import describe, plain, word_error

pytestmark = pytest.mark.unit

RATE_HZ = 16_000


def tone(seconds: float, hz: float = 200.0, amplitude: float = 0.2) -> np.ndarray:
    times = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    sound = sum(np.sin(2 * np.pi * k * hz * times) / k for k in range(1, 10))
    return (amplitude * sound).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(int(seconds * RATE_HZ), np.float32)


@pytest.mark.parametrize(
    ("truth", "heard", "error"),
    [
        ("we can take our time", "we can take our time", 0),
        ("We can, take our time!", "we can take our time", 0),
        ("Mr. Dashwood had leisure", "mister dashwood had a leisure", 0.25),
        ("one two three four", "one too three", 0.5),
        ("one two", "", 1),
    ],
)
def test_words_are_counted_as_both_sides_write_them(truth, heard, error):
    assert word_error([truth], [heard]) == pytest.approx(error)


def test_errors_are_over_all_words_together():
    assert word_error(["a b c d", "e"], ["a b c d", "x"]) == pytest.approx(0.2)


def test_plain_keeps_apostrophes_only():
    assert plain("I'm - well... FINE!") == "i'm well fine"


def test_level_pitch_and_pauses_are_what_was_made():
    voice = describe(np.concatenate((tone(1), silence(0.4), tone(1))), RATE_HZ)
    assert voice.pitch_hz == pytest.approx(200, rel=0.01)
    assert voice.range_semitones < 0.5
    assert voice.pauses == 1
    assert voice.pause_s == pytest.approx(0.4, abs=0.03)
    assert voice.sounding_s == pytest.approx(2, abs=0.03)
    power = 10 * np.log10(np.mean(tone(1) ** 2))
    assert voice.level_db == pytest.approx(power, abs=0.2)


def test_silence_about_the_words_changes_nothing():
    bare = describe(tone(1.5), RATE_HZ)
    padded = describe(np.concatenate((silence(1), tone(1.5), silence(2))), RATE_HZ)
    assert padded.level_db == pytest.approx(bare.level_db, abs=0.2)
    assert padded.sounding_s == pytest.approx(bare.sounding_s, abs=0.03)
    assert padded.pauses == 0


def test_the_closure_of_a_stop_is_no_pause():
    assert describe(np.concatenate((tone(1), silence(0.1), tone(1))), RATE_HZ).pauses == 0


def test_range_and_brightness_follow_the_voice():
    up = np.concatenate([tone(0.5, hz) for hz in (150, 200, 300)])
    assert describe(up, RATE_HZ).range_semitones == pytest.approx(12, abs=1)
    rng = np.random.default_rng(0)
    hiss = (0.05 * rng.standard_normal(RATE_HZ)).astype(np.float32)
    assert (
        describe(tone(1) + hiss, RATE_HZ).brightness_db > describe(tone(1), RATE_HZ).brightness_db
    )


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="half a second"):
        describe(tone(0.2), RATE_HZ)
    with pytest.raises(ValueError, match="silence"):
        describe(silence(1), RATE_HZ)
    with pytest.raises(ValueError, match="one text"):
        word_error(["a"], [])
