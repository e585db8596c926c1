"""What the page took down comes out as arrays, whatever the drains cut apart."""

import base64

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.meter import Reader, read_stats
from rt_avatar.benchmarks.browser.readings import Readings, between, join
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


def blocks(*rows: tuple[float, float]) -> dict:
    """Blocks of 10 ms: when (ms), and a peak; its quarters are that times 1, 2, 3, 4."""
    table = [
        [at, 2.5, *(peak * np.arange(1, 5)), *(peak * np.arange(1, 5) / 2)] for at, peak in rows
    ]
    packed = base64.b64encode(np.array(table, "<f8").tobytes()).decode()
    return {"blocks": packed, "came": [rows[-1][0] + 12] if rows else []}


def drained(**parts: object) -> dict:
    empty = {"mic": blocks(), "remote": blocks(), "shown": [], "decoded": [], "messages": []}
    return {**empty, "lost": 0, **parts}


def test_a_microphones_block_was_said_before_it_is_handed_over_the_avatars_is_heard_after():
    readings = Reader().read(drained(mic=blocks((1000, 0.1)), remote=blocks((1000, 0.1))))
    assert readings.mic.at_s == pytest.approx([0.99, 0.9925, 0.995, 0.9975])
    assert readings.remote.at_s == pytest.approx([1.0, 1.0025, 1.005, 1.0075])
    assert readings.remote.peak == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert readings.remote.rms == pytest.approx([0.05, 0.1, 0.15, 0.2])


def test_times_ascend_even_if_the_browser_gives_blocks_in_a_burst():
    readings = Reader().read(drained(remote=blocks((1000, 0), (1003, 0), (1010, 0))))
    assert (np.diff(readings.remote.at_s) >= 0).all()


def test_sound_on_a_clock_that_is_not_the_pages_is_refused():
    with pytest.raises(SetupError, match="newer"):
        Reader().read(drained(mic={**blocks((1000, 0)), "came": [90_000_000]}))


def test_pictures_are_put_together_by_their_rtp_time():
    reader = Reader()
    first = reader.read(
        drained(
            decoded=[[100, 3600, 50, 0.01, 1], [140, 7200, 60, 0.02, 2], [180, 10800, 70, 0.03, 3]],
            shown=[[133, 3600, 7], [200, 10800, 9]],
        )
    )
    assert first.decoded.brightness.tolist() == [50, 60, 70]
    assert first.decoded.count.tolist() == [1, 2, 3]
    assert first.pictures.at_s == pytest.approx([0.133, 0.2])
    assert first.pictures.mouth.tolist() == [0.01, 0.03]
    assert first.pictures.rtp.tolist() == [3600, 10800]
    assert first.pictures.count.tolist() == [7, 9]


def test_a_picture_waits_for_its_description_over_drains():
    reader = Reader()
    reader.read(drained(decoded=[[100, 3600, 50, 0, 0]]))
    second = reader.read(drained(shown=[[133, 3600, 1], [166, 7200, 2]]))
    third = reader.read(drained(decoded=[[140, 7200, 60, 0, 0]]))
    assert second.pictures.brightness.tolist() == [50]
    assert third.pictures.brightness.tolist() == [60]
    assert third.decoded.count.tolist() == [2]


def test_what_the_reader_keeps_does_not_grow():
    reader = Reader()
    for index in range(300):
        reader.read(drained(decoded=[[index, index, 0, 0, 0]], shown=[[index, -1 - index, index]]))
    assert len(reader._looks) <= 60
    assert len(reader._waiting) <= 60


def test_messages_come_with_their_time():
    readings = Reader().read(drained(messages=[[1500, '{"type":"hello"}']]))
    assert readings.messages[0].at_s == 1.5
    assert readings.messages[0].data == {"type": "hello"}


def test_readings_join_and_part():
    reader = Reader()
    parts: list[Readings] = [
        reader.read(drained(remote=blocks((at, at / 10_000)), messages=[[at, "{}"]]))
        for at in (1000, 1010, 1020)
    ]
    whole = join(parts)
    assert len(whole.remote.at_s) == 12
    assert [message.at_s for message in whole.messages] == [1.0, 1.01, 1.02]
    assert between(whole.remote, 1.01, 1.015).at_s == pytest.approx([1.01, 1.0125])
    assert len(whole.pictures.at_s) == 0


def test_what_the_browser_does_not_tell_is_nought():
    stats = read_stats({"audio": {}, "video": {}, "playout": {}})
    assert stats.heard_samples == stats.sound_delay_s == stats.output_latency_s == 0


def test_delays_are_means_over_samples_and_pictures():
    stats = read_stats(
        {
            "audio": {"jitterBufferDelay": 4800, "jitterBufferEmittedCount": 48_000},
            "video": {"jitterBufferDelay": 2, "jitterBufferEmittedCount": 50, "framesDecoded": 50},
            "playout": {"totalPlayoutDelay": 1440, "totalSamplesCount": 48_000},
        }
    )
    assert (stats.sound_delay_s, stats.picture_delay_s) == (0.1, 0.04)
    assert stats.output_latency_s == 0.03
    assert stats.decoded_pictures == 50
