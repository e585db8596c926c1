import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.timbre import identity, timbre_of

pytestmark = pytest.mark.unit

RATE_HZ = 24_000


def voice(formant_hz: float, pitch_hz: float = 120, level: float = 0.3) -> np.ndarray:
    """Return a second of harmonics under one formant."""
    at = np.arange(RATE_HZ) / RATE_HZ
    heights = np.arange(pitch_hz, 7000, pitch_hz)
    weights = np.exp(-(((heights - formant_hz) / 400) ** 2)) + 0.01
    sound = (weights[:, None] * np.sin(2 * np.pi * heights[:, None] * at)).sum(0)
    return (level * sound / np.abs(sound).max()).astype(np.float32)


NEUTRAL = {name: timbre_of(voice(hz), RATE_HZ) for name, hz in (("a", 700), ("b", 1600))}


def test_a_voice_is_its_own_at_another_pitch_and_level():
    moved = [("a", timbre_of(voice(700, 140, 0.1), RATE_HZ)),
             ("b", timbre_of(voice(1600, 105, 0.6), RATE_HZ))]  # fmt: skip
    found = identity(NEUTRAL, moved)
    assert found.own_share == 1
    assert 0 < found.drift < 0.5


def test_another_throat_is_told_from_it():
    found = identity(NEUTRAL, [("a", NEUTRAL["a"]), ("a", NEUTRAL["b"])])
    assert found.own_share == 0.5
    assert found.drift == pytest.approx(0.5)


@pytest.mark.parametrize("pcm", [np.zeros(RATE_HZ, np.float32), voice(700)[:100]])
def test_what_is_no_voice_is_refused(pcm):
    with pytest.raises(ValueError, match="expected a voice"):
        timbre_of(pcm, RATE_HZ)


def test_one_voice_cannot_be_told_from_others():
    with pytest.raises(ValueError, match="two voices"):
        identity({"a": NEUTRAL["a"]}, [("a", NEUTRAL["a"])])
