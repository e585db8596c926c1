"""The ear reports the moments at which sound was really there, not those of its packets."""

import asyncio

import numpy as np
import pytest

from rt_avatar.benchmarks.peer.audio_meter import AudioMeter, spoken_at_s
from tests.benchmarks.scripted_caller import ScriptedTrack, make_caller, packets
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

RATE = 48_000
TOLERANCE_S = 0.001


def sound(*parts: tuple[float, float]) -> np.ndarray:
    """Silence with a loud tone in each (begin, end), in seconds."""
    pcm = np.zeros(int(RATE * (max(end for _, end in parts) + 1.0)), np.int16)
    for begin_s, end_s in parts:
        at = np.arange(int(begin_s * RATE), int(end_s * RATE))
        pcm[at] = 8000 * np.cos((at - at[0]) * 2 * np.pi * 440 / RATE)
    return pcm


def listening(pcm: np.ndarray, work):
    """Run ``work(audio_meter, begin_s)`` while that sound arrives; return what it returns."""

    async def main(loop):
        async with make_caller() as caller:
            begin_s = loop.time() + 0.1
            caller.start(caller._keep_sound(ScriptedTrack("audio", packets(pcm, begin_s))))
            return await work(AudioMeter(caller), begin_s)

    return run_virtual(main)


@pytest.mark.parametrize("delay_ms", [1, 19, 20, 21, 137, 450, 451.5, 799])
def test_a_known_delay_is_the_delay_heard(delay_ms: float) -> None:
    async def work(audio_meter: AudioMeter, begin_s: float) -> float:
        heard_s = await audio_meter.hears_after(begin_s)
        return heard_s - begin_s

    heard_s = listening(sound((delay_ms / 1000, 1.2)), work)
    assert heard_s == pytest.approx(delay_ms / 1000, abs=TOLERANCE_S)


def test_sound_before_the_moment_asked_for_is_not_its_answer() -> None:
    async def work(audio_meter: AudioMeter, begin_s: float) -> float:
        return await audio_meter.hears_after(begin_s + 0.5) - begin_s

    assert listening(sound((0.1, 0.3), (0.9, 1.0)), work) == pytest.approx(0.9, abs=TOLERANCE_S)


def test_silence_is_not_heard() -> None:
    async def work(audio_meter: AudioMeter, begin_s: float) -> float | None:
        return await audio_meter.hears_after(begin_s + 0.5, timeout_s=0.4)

    assert listening(sound((0.1, 0.3)), work) is None


def test_it_waits_for_silence() -> None:
    async def work(audio_meter: AudioMeter, begin_s: float) -> float:
        await asyncio.sleep(0.3)
        assert await audio_meter.falls_silent(0.3)
        return asyncio.get_running_loop().time() - begin_s

    assert listening(sound((0.1, 0.6)), work) == pytest.approx(0.9, abs=0.021)  # a packet's time


def test_it_forgets() -> None:
    async def work(audio_meter: AudioMeter, begin_s: float) -> float | None:
        await asyncio.sleep(0.5)
        audio_meter.forget()
        return audio_meter.first_after(begin_s)

    assert listening(sound((0.1, 0.3)), work) is None


def test_a_sample_is_spoken_before_its_packet_can_leave() -> None:
    # The packet of samples 960 to 1,919 is handed over at 10.02 s, when the last one was spoken.
    assert spoken_at_s(10.0, 1920) == pytest.approx(10.02)
    assert spoken_at_s(10.0, 960) == pytest.approx(10.0)
