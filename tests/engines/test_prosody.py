from collections.abc import Callable

import numpy as np
import pytest

from rt_avatar.engines.prosody import SILENCE_DB, WINDOW_SAMPLES, ProsodyEngine, ProsodyFrame
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from tests.media import recorded, sound_of

pytestmark = pytest.mark.unit

RECORDED = recorded("librivox-0870", "librivox-0880", "librivox-0890")


def voice(
    pitch: Callable[[np.ndarray], np.ndarray] | float,
    seconds: float,
    formants: tuple[tuple[float, float], ...] = ((500, 80), (1500, 120), (2500, 160)),
    closed_hz: float = 20_000,
    level: float = 0.05,
) -> Pcm:
    """Sing a vowel: harmonics of a glottal source through resonances; `closed_hz` shuts lips."""
    t = np.arange(int(seconds * INPUT_RATE_HZ)) / INPUT_RATE_HZ
    f0 = pitch(t) if callable(pitch) else np.full(len(t), float(pitch))
    phase = 2 * np.pi * np.cumsum(f0) / INPUT_RATE_HZ
    sound = np.zeros(len(t))
    for k in range(1, int(7000 / f0.max())):
        gain = 1 / k / (1 + (k * f0 / closed_hz) ** 2)
        for centre, width in formants:
            ratio = k * f0 / centre
            gain = gain / np.sqrt((1 - ratio**2) ** 2 + (ratio * width / centre) ** 2)
        sound += gain * np.sin(k * phase + k)
    return (sound * level / np.sqrt((sound**2).mean())).astype(np.float32)


def hum(pitch: Callable[[np.ndarray], np.ndarray] | float, seconds: float) -> Pcm:
    return voice(pitch, seconds, ((280, 80), (1000, 150), (2200, 250)), closed_hz=800)


def measure(sound: Pcm) -> list[ProsodyFrame]:
    return ProsodyEngine().open().push(sound)


def noise(samples: int, level: float) -> Pcm:
    return (np.random.default_rng(7).standard_normal(samples) * level).astype(np.float32)


def test_a_frame_for_every_window_with_its_first_sample() -> None:
    frames = measure(noise(5 * WINDOW_SAMPLES + 100, 0.01))
    assert [frame.pts for frame in frames] == [0, 512, 1024, 1536, 2048]


def test_any_chunking_gives_the_same_frames() -> None:
    sound = np.concatenate((voice(140, 0.5), noise(4000, 0.01), hum(200, 0.4)))
    whole = measure(sound)
    stream = ProsodyEngine().open()
    cuts = np.cumsum(np.random.default_rng(3).integers(0, 700, 60))
    pieces = [frame for part in np.split(sound, cuts) for frame in stream.push(part)]
    assert pieces == whole


def test_reset_equals_fresh_and_flush_drops_the_rest() -> None:
    sound = voice(170, 0.4)
    stream = ProsodyEngine().open()
    stream.push(noise(3000, 0.2))
    stream.reset()
    assert stream.push(sound[: len(sound) // 512 * 512]) == measure(sound)
    stream.push(sound[:100])
    assert stream.flush() == []
    assert len(stream.push(sound[:511])) == 0
    stream.close()
    stream.close()


def test_streams_do_not_leak_into_each_other() -> None:
    engine = ProsodyEngine()
    engine.warmup()
    one, other = engine.open(), engine.open()
    sound = voice(120, 0.4)
    frames = []
    for start in range(0, len(sound), 512):
        other.push(noise(512, 0.3))
        frames += one.push(sound[start : start + 512])
    assert frames == measure(sound)


@pytest.mark.parametrize("pitch", [70, 100, 150, 220, 320, 450])
@pytest.mark.parametrize("formants", [((500, 80), (1500, 120)), ((300, 60), (2300, 150))])
def test_pitch_is_found_without_octave_slips(
    pitch: float, formants: tuple[tuple[float, float], ...]
) -> None:
    sound = voice(pitch, 0.8, formants)
    frames = measure(sound + noise(len(sound), 0.005))[2:]
    found = np.array([frame.f0_hz or 0 for frame in frames])
    assert (np.abs(found / pitch - 1) < 0.03).mean() == 1.0


def test_hiss_and_silence_have_no_pitch() -> None:
    assert all(frame.f0_hz is None for frame in measure(noise(16000, 0.1)))
    silent = measure(np.zeros(8000, np.float32))
    assert all(frame.f0_hz is None and frame.energy_db == SILENCE_DB for frame in silent)
    assert not any(frame.is_hum for frame in silent)


@pytest.mark.parametrize("semitones_per_second", [-30.0, -12.0, 0.0, 20.0])
def test_slope_is_that_of_the_voice(semitones_per_second: float) -> None:
    sound = voice(lambda t: 180 * 2 ** (semitones_per_second * t / 12), 0.5)
    slopes = [frame.f0_slope for frame in measure(sound)[5:]]
    assert all(slope is not None for slope in slopes)
    assert np.allclose(np.array(slopes, float), semitones_per_second, atol=2.5)


def test_slope_stays_through_a_short_pause_and_ends_in_a_long_one() -> None:
    frames = measure(np.concatenate((voice(150, 0.512), np.zeros(16000, np.float32))))
    assert frames[17].f0_slope is not None
    assert all(frame.f0_slope is None for frame in frames[22:])


def test_energy_is_dbfs() -> None:
    t = np.arange(16000) / INPUT_RATE_HZ
    sine = (0.1 * np.sin(2 * np.pi * 250 * t)).astype(np.float32)
    assert all(abs(frame.energy_db + 23.01) < 0.1 for frame in measure(sine))


@pytest.mark.parametrize("pitch", [90, 130, 200, 280])
@pytest.mark.parametrize("hiss", [0.0001, 0.015])
def test_a_nasal_hum_is_a_hum_from_its_third_window_on(pitch: float, hiss: float) -> None:
    sound = np.concatenate(
        (
            np.zeros(8192, np.float32),
            hum(lambda t: pitch * 2 ** (np.sin(12 * t) / 4), 0.4),
        )
    )
    frames = measure(sound + noise(len(sound), hiss))
    assert all(frame.is_hum for frame in frames[18:27])
    assert not any(frame.is_hum for frame in frames[:16])


def test_a_vowel_is_no_hum() -> None:
    for formants in ((750, 80), (1200, 100), (2600, 150)), ((500, 80), (1500, 120), (2500, 160)):
        assert not any(frame.is_hum for frame in measure(voice(130, 0.6, formants)))


LOW, HIGH = (70, 130), (170, 250)  # median pitch of these voices of men and of a woman, in Hz


@pytest.mark.parametrize("name", ["sister", "mother", "birthday", "reply", *RECORDED])
def test_speech_hardly_hums_and_its_pitch_does_not_jump(name: str) -> None:
    frames = measure(sound_of(name))
    hums = [frame.is_hum for frame in frames]
    pitches = np.array([frame.f0_hz or np.nan for frame in frames])
    leaps = np.abs(np.diff(12 * np.log2(pitches)))
    leaps = leaps[~np.isnan(leaps)]
    low, high = HIGH if name in ("birthday", "reply") else LOW
    assert 0.3 < 1 - np.isnan(pitches).mean() < 0.7
    assert low < np.nanmedian(pitches) < high
    assert (leaps > 5).mean() < 0.02
    assert np.mean(hums) < 0.1


def test_sound_of_the_wrong_kind_is_refused_in_words() -> None:
    stream = ProsodyEngine().open()
    with pytest.raises(ValueError, match=r"expected float32 samples of shape \(n,\); got int16"):
        stream.push(np.zeros(512, np.int16))
    with pytest.raises(ValueError, match=r"got float32 \(512, 2\)"):
        stream.push(np.zeros((512, 2), np.float32))
