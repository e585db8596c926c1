import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.lip_offset import LAGS, agreement_curve, lip_offset, loudness

pytestmark = pytest.mark.unit

RATE_HZ = 16_000
SECONDS = 6


def syllables() -> np.ndarray:
    """How loud somebody is, at 1 kHz: syllables of uneven length and strength."""
    rng = np.random.default_rng(3)
    times = np.arange(SECONDS * 1000) / 1000
    loud = np.zeros(len(times))
    at = 0.2
    while at < SECONDS - 0.3:
        loud += rng.uniform(0.4, 1) * np.exp(-(((times - at) / 0.05) ** 2))
        at += rng.uniform(0.15, 0.4)
    return loud


def voice_of(loud: np.ndarray) -> np.ndarray:
    tone = np.random.default_rng(4).standard_normal(SECONDS * RATE_HZ)
    return (0.1 * tone * np.repeat(loud, RATE_HZ // 1000)).astype(np.float32)


@pytest.mark.parametrize("lead_ms", [-240, -85, 0, 33, 160])
def test_the_lead_put_in_is_the_lead_found(lead_ms):
    loud = syllables()
    mouth = np.roll(loud, -lead_ms)
    times = (np.arange(SECONDS * 25) + 0.5) / 25
    opening = np.interp(times, np.arange(len(mouth)) / 1000, mouth)
    found = lip_offset([agreement_curve(opening, times, loudness(voice_of(loud), RATE_HZ))])
    assert found.lead_ms == pytest.approx(lead_ms, abs=5)
    assert found.correlation > 0.8
    assert found.rival < found.correlation - 0.2


def test_any_rate_of_pictures_gives_the_same_lead():
    loud = syllables()
    leads = []
    for fps in (15, 25, 60):
        times = (np.arange(SECONDS * fps) + 0.5) / fps
        opening = np.interp(times, np.arange(len(loud)) / 1000, np.roll(loud, -100))
        curve = agreement_curve(opening, times, loudness(voice_of(loud), RATE_HZ))
        leads.append(lip_offset([curve]).lead_ms)
    assert leads == pytest.approx([100] * 3, abs=8)


def test_a_slow_drift_of_the_face_does_not_move_the_lead():
    loud = syllables()
    times = (np.arange(SECONDS * 25) + 0.5) / 25
    opening = np.interp(times, np.arange(len(loud)) / 1000, loud) + 3 * np.sin(times)
    found = lip_offset([agreement_curve(opening, times, loudness(voice_of(loud), RATE_HZ))])
    assert found.lead_ms == pytest.approx(0, abs=5)


def test_a_mouth_that_does_not_follow_the_sound_is_told_by_its_rival():
    opening = np.random.default_rng(5).uniform(0, 1, SECONDS * 25)
    times = (np.arange(SECONDS * 25) + 0.5) / 25
    found = lip_offset([agreement_curve(opening, times, loudness(voice_of(syllables()), RATE_HZ))])
    assert found.correlation < 0.4
    assert found.correlation - found.rival < 0.1


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="in common"):
        agreement_curve(np.ones(20), np.arange(20) / 25, np.ones(100))
    with pytest.raises(ValueError, match="vary"):
        agreement_curve(np.ones(100), np.arange(100) / 25, np.ones(400))
    with pytest.raises(ValueError, match="one length"):
        agreement_curve(np.ones(20), np.ones(21), np.ones(400))
    with pytest.raises(ValueError, match="one or more"):
        lip_offset([])
    with pytest.raises(ValueError, match="one or more"):
        lip_offset([np.zeros(2 * LAGS)])
    with pytest.raises(ValueError, match="8 kHz"):
        loudness(np.zeros(4000, np.float32), 4000)
