"""Sounds have the level that was asked for, and the kind of envelope and colour they claim."""

import numpy as np
import pytest

from rt_avatar.benchmarks import sounds
from rt_avatar.benchmarks.speech import VOICED_DB, trim

pytestmark = pytest.mark.unit

RATE = 48_000
MADE = {
    "cough": lambda seed: sounds.cough(seed),
    "click": lambda seed: sounds.click(seed),
    "door": lambda seed: sounds.door(seed),
    "keys": lambda seed: sounds.keys(seed, 1.0),
    "pink": lambda seed: sounds.pink(seed, 1.0),
    "music": lambda seed: sounds.music(seed, 1.0),
    "mm-hm": lambda seed: sounds.mm_hm(100.0 + seed),
}


def tone(seconds: float, level_db: float, hz: float = 200.0) -> np.ndarray:
    time_s = np.arange(round(seconds * RATE)) / RATE
    return np.sqrt(2) * 10 ** (level_db / 20) * np.sin(2 * np.pi * hz * time_s)


def centroid_hz(sound: np.ndarray) -> float:
    power = np.abs(np.fft.rfft(sound)) ** 2
    return float(np.sum(np.fft.rfftfreq(len(sound), 1 / RATE) * power) / np.sum(power))


def test_a_level_is_that_of_what_sounds_not_of_the_pauses():
    sound = np.concatenate([tone(0.5, -20), np.zeros(RATE), tone(0.5, -20)])
    assert sounds.active_level_db(sound) == pytest.approx(-20, abs=0.05)
    assert sounds.active_level_db(sounds.at_level(sound, -31)) == pytest.approx(-31, abs=0.001)


def test_silence_has_no_level():
    with pytest.raises(ValueError, match="not silent"):
        sounds.active_level_db(np.zeros(RATE))


@pytest.mark.parametrize("name", MADE)
def test_every_sound_is_the_same_again_and_as_loud_as_asked(name):
    sound = sounds.at_level(MADE[name](5), -30)
    assert np.isfinite(sound).all()
    assert np.array_equal(sound, sounds.at_level(MADE[name](5), -30))
    assert not np.array_equal(sound, sounds.at_level(MADE[name](6), -30))
    pcm = sounds.to_int16(sound)
    assert sounds.active_level_db(sounds.from_int16(pcm)) == pytest.approx(-30, abs=0.1)


@pytest.mark.parametrize("snr_db", [20, 10, 5])
def test_babble_is_so_much_quieter_than_the_voice_as_asked(snr_db):
    voices = [tone(0.7, -10 - 3 * k, 150.0 + 70 * k) for k in range(4)]
    noise = sounds.at_level(sounds.babble(voices, 1, 2.0), sounds.SPEECH_DB - snr_db)
    voice = sounds.at_level(voices[0], sounds.SPEECH_DB)
    assert len(noise) == 2 * RATE
    measured_db = sounds.active_level_db(voice) - sounds.active_level_db(noise)
    assert measured_db == pytest.approx(snr_db, abs=0.1)
    with pytest.raises(ValueError, match="expected voices"):
        sounds.babble([], 1, 1.0)


def test_in_babble_all_voices_are_equally_loud():
    loud, quiet = tone(0.5, -5, 200.0), tone(0.5, -40, 900.0)
    power = np.abs(np.fft.rfft(sounds.babble([loud, quiet], 1, 1.0))) ** 2
    assert 10 * np.log10(power[200] / power[900]) == pytest.approx(0, abs=0.5)


def test_pink_noise_has_as_much_power_in_every_octave():
    power = np.abs(np.fft.rfft(sounds.pink(1, 4.0))) ** 2
    hz = np.fft.rfftfreq(4 * RATE, 1 / RATE)
    octaves = [power[(hz >= low) & (hz < 2 * low)].sum() for low in (125, 250, 500, 1000, 2000)]
    assert 10 * np.log10(max(octaves) / min(octaves)) < 1.5


def test_doors_boom_hums_are_dark_and_clicks_are_bright():
    assert centroid_hz(sounds.door(1)) < 400
    assert centroid_hz(sounds.mm_hm(130)) < 400
    assert centroid_hz(sounds.click(1)) > 1500


def test_short_sounds_are_over_when_they_should_be():
    for name, seconds in (("cough", 0.35), ("click", 0.15), ("door", 0.5)):
        sound = MADE[name](1)
        assert len(sound) == round(seconds * RATE)
        assert np.abs(sound[-480:]).max() < 0.1 * np.abs(sound).max()


def test_samples_beyond_full_scale_are_clipped():
    assert sounds.to_int16(np.array([-2.0, 0.0, 0.5, 2.0])).tolist() == [-32768, 0, 16384, 32767]


@pytest.mark.parametrize("silence_ms", [0, 10, 130, 470])
def test_an_onset_is_the_first_window_within_25_db_of_the_loudest(silence_ms):
    """What is 30 dB quieter than the voice is breath and not its onset."""
    voice = sounds.to_int16(tone(0.6, -20))
    breath = sounds.to_int16(tone(0.2, -20 - VOICED_DB - 5))
    silence = np.zeros(silence_ms * 48, np.int16)
    trimmed = trim(np.concatenate([silence, breath, voice, breath, silence]))
    assert np.array_equal(trimmed, voice)
