"""The microphone's sound at 48 kHz becomes sound at 16 kHz at once."""

import numpy as np
import pytest

from rt_avatar.perception.capture import Capture

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("lead", range(0, 960, 160))
def test_a_packet_is_heard_when_it_has_come(lead: int) -> None:
    """A click in any place of a 20 ms packet is in what that packet gives, but for 1 ms."""
    capture = Capture(48_000)
    packets = np.zeros((20, 960), np.int16)
    packets[10, lead] = 20_000
    sound = np.concatenate([capture.push(packet, 48_000) for packet in packets])
    assert len(sound) == 20 * 320
    heard_ms = np.argmax(np.abs(sound)) / 16
    assert heard_ms - (10 * 20 + lead / 48) < 1


@pytest.mark.parametrize(("hz", "gain_db"), [(200, 0), (3000, 0), (5000, 0)])
def test_speech_keeps_its_level(hz: int, gain_db: float) -> None:
    time = np.arange(48_000) / 48_000
    tone = np.round(16_384 * np.sin(2 * np.pi * hz * time)).astype(np.int16)
    sound = Capture(48_000).push(tone, 48_000)[1_000:]
    level_db = 20 * np.log10(np.sqrt(np.mean(sound**2)) / (0.5 / np.sqrt(2)))
    assert level_db == pytest.approx(gain_db, abs=0.5)
