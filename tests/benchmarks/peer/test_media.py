"""What the microphone sends is what was asked for: echo to the sample, then silence."""

import numpy as np
import pytest

from rt_avatar.benchmarks.peer.media import BLOCK, BLOCK_S, EchoPath, Microphone, small_room
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

RATE = 48_000
ARRIVED_S = 5.0137  # loop time at which the first packet came; no multiple of anything


def echo_of(path: EchoPath, sound: np.ndarray, seconds: float, late_s=lambda index: 0.0):
    """Play a sound packet by packet, take the microphone's side from the first arrival on."""
    for index, start in enumerate(range(0, len(sound), BLOCK)):
        at_s = ARRIVED_S + index * BLOCK_S + late_s(index)
        path.hear(sound[start : start + BLOCK].astype(np.int16), at_s)
    blocks = [path.take(ARRIVED_S + index * BLOCK_S) for index in range(round(seconds / BLOCK_S))]
    return np.concatenate(blocks)


def impulse(at: int, samples: int = RATE) -> np.ndarray:
    pcm = np.zeros(samples, np.int16)
    pcm[at] = 20_000
    return pcm


@pytest.mark.parametrize("delay_ms", [20, 80, 200])
@pytest.mark.parametrize("level_db", [-10, -20, -30])
def test_an_echo_is_as_late_and_as_loud_as_asked_to_the_sample(delay_ms, level_db):
    heard = echo_of(EchoPath(level_db, delay_ms / 1000), impulse(12_345), 1.5)
    at = 12_345 + delay_ms * 48
    assert heard[at] == pytest.approx(20_000 * 10 ** (level_db / 20), rel=1e-6)
    heard[at] = 0
    assert np.abs(heard).max() < 1e-6


def test_a_room_adds_its_response_and_keeps_the_level():
    room = small_room(7)
    heard = echo_of(EchoPath(-20, 0.08, room), impulse(12_345), 1.5)
    at = 12_345 + 80 * 48
    assert np.abs(heard[:at]).max() < 1e-6
    np.testing.assert_allclose(heard[at : at + len(room)], 2_000 * room, rtol=1e-6, atol=1e-6)
    noise = np.random.default_rng(1).normal(0, 3_000, 2 * RATE)
    echo = echo_of(EchoPath(-20, 0.08, room), noise, 2.0)[RATE // 2 :]
    assert 20 * np.log10(np.std(echo) / 3_000) == pytest.approx(-20, abs=0.3)


def test_packets_that_come_unevenly_are_played_evenly():
    sound = np.random.default_rng(2).normal(0, 3_000, RATE).astype(np.int16)
    even = echo_of(EchoPath(-10, 0.08), sound, 1.0)
    uneven = echo_of(EchoPath(-10, 0.08), sound, 1.0, late_s=lambda index: 0.03 * (index % 2))
    np.testing.assert_allclose(uneven, even, rtol=1e-6, atol=1e-12)


def test_a_stall_of_the_line_is_a_gap_and_then_the_delay_is_right_again():
    sound = impulse(40_000)
    # From packet 10 on all come 100 ms late, from packet 30 on they are punctual again.
    heard = echo_of(EchoPath(0, 0.08), sound, 1.5, lambda index: 0.1 * (10 <= index < 30))
    assert np.flatnonzero(np.abs(heard) > 1).tolist() == [40_000 + 80 * 48]


def test_nothing_comes_back_before_anything_was_played():
    assert not EchoPath(-10, 0.02).take(3.0).any()


def test_a_long_call_does_not_grow():
    path = EchoPath(-10, 0.02, small_room(1))
    for index in range(1_000):
        path.hear(np.zeros(BLOCK, np.int16), ARRIVED_S + index * BLOCK_S)
    assert len(path._played) <= 2 * RATE


def recording(microphone: Microphone, blocks: int, between=None):
    """Take packets; return them joined, and the loop time at which the first was handed over."""

    async def main(loop):
        taken, first_s = [], None
        for index in range(blocks):
            frame = await microphone.recv()
            first_s = loop.time() if first_s is None else first_s
            taken.append(np.frombuffer(bytes(frame.planes[0]), np.int16)[:BLOCK])
            if between is not None:
                between(index, loop)
        return np.concatenate(taken), first_s

    return run_virtual(main)


def test_what_it_says_goes_when_it_said_it_would():
    microphone = Microphone()
    told = []

    def between(index, loop):
        if index == 4:
            told.extend(microphone.play(np.full(2 * BLOCK + 10, 500, np.int16)))

    sound, first_s = recording(microphone, 12, between)
    assert np.flatnonzero(sound).tolist() == list(range(5 * BLOCK, 7 * BLOCK + 10))
    assert told == pytest.approx([first_s + 5 * BLOCK_S, first_s + 7 * BLOCK_S])


def test_the_loudspeaker_is_mixed_in_where_it_sounds_in_the_air():
    microphone = Microphone()
    microphone.add_echo(EchoPath(-20, 0.05))

    def between(index, loop):  # a packet comes just when one goes
        microphone.hear(
            impulse(100, BLOCK) if index == 4 else np.zeros(BLOCK, np.int16), loop.time()
        )

    sound, _ = recording(microphone, 15, between)
    # It came when packet 4 had been recorded, that is with sample 5 * 960 of the air.
    assert np.flatnonzero(sound).tolist() == [5 * BLOCK + 100 + 50 * 48]
    assert sound.max() == 2_000


def test_echo_and_voice_add_up_and_are_clipped_as_in_a_microphone():
    microphone = Microphone()
    microphone.add_echo(EchoPath(0, 0.02))

    def between(index, loop):
        microphone.hear(np.full(BLOCK, 20_000, np.int16), loop.time())
        if index == 5:
            microphone.play(np.full(3 * BLOCK, 20_000, np.int16))

    sound, _ = recording(microphone, 12, between)
    assert (sound[6 * BLOCK : 9 * BLOCK] == 32_767).all()
    assert (sound[9 * BLOCK :] == 20_000).all()


def test_a_microphone_hisses_as_loud_as_asked():
    microphone = Microphone()
    microphone.hiss_db = -60.0
    sound, _ = recording(microphone, 50)
    assert 20 * np.log10(np.std(sound) / 32_768) == pytest.approx(-60, abs=0.2)
