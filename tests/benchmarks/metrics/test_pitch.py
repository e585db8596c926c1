import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.pitch import pitch_track

pytestmark = pytest.mark.unit

RATE_HZ = 24_000


def voice(pitch_hz: np.ndarray) -> np.ndarray:
    """A buzz: twelve harmonics of a pitch that may change, falling by 6 dB an octave."""
    phase = 2 * np.pi * np.cumsum(pitch_hz) / RATE_HZ
    parts = [np.sin(k * phase) / k for k in range(1, 13)]
    return (0.2 * np.sum(parts, axis=0)).astype(np.float32)


@pytest.mark.parametrize("hz", [72, 110, 220, 330, 480])
def test_a_steady_voice_has_its_pitch(hz):
    track = pitch_track(voice(np.full(RATE_HZ, float(hz))), RATE_HZ)[5:-5]
    assert np.all(track > 0)
    assert track == pytest.approx(np.full(len(track), hz), rel=0.01)


def test_a_glide_is_followed():
    hz = np.linspace(120, 260, RATE_HZ)
    track = pitch_track(voice(hz), RATE_HZ)
    at = np.arange(10, 90)
    assert track[at] == pytest.approx(hz[at * RATE_HZ // 100], rel=0.02)


def test_a_weak_first_harmonic_is_no_octave():
    sound = voice(np.full(RATE_HZ, 150.0))
    first = 0.19 * np.sin(2 * np.pi * 150 * np.arange(1, RATE_HZ + 1) / RATE_HZ)
    track = pitch_track((sound - first).astype(np.float32), RATE_HZ)[5:-5]
    assert np.median(track) == pytest.approx(150, rel=0.01)


def test_noise_and_silence_have_none():
    rng = np.random.default_rng(0)
    noise = (0.1 * rng.standard_normal(RATE_HZ)).astype(np.float32)
    assert np.mean(pitch_track(noise, RATE_HZ) > 0) < 0.05
    assert not pitch_track(np.zeros(RATE_HZ, np.float32), RATE_HZ).any()


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="samples"):
        pitch_track(np.zeros((2, 4000), np.float32), RATE_HZ)
    with pytest.raises(ValueError, match="8 kHz"):
        pitch_track(np.zeros(4000, np.float32), 4000)
