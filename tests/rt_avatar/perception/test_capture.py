import asyncio

import numpy as np
import pytest
from numpy.typing import NDArray

from rt_avatar.errors import BadInputError
from rt_avatar.media_io import MediaInput
from rt_avatar.perception.capture import BUFFER_SAMPLES, Capture, MediaInputBuffer

pytestmark = pytest.mark.unit


def tone(rate_hz: int, seconds: float = 1.0, hz: float = 440.0) -> NDArray[np.int16]:
    time = np.arange(round(rate_hz * seconds)) / rate_hz
    return np.round(16_384 * np.sin(2 * np.pi * hz * time)).astype(np.int16)


def chunks(pcm: NDArray[np.int16], size: int) -> list[NDArray[np.int16]]:
    return [pcm[i : i + size] for i in range(0, len(pcm), size)]


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 44_100, 48_000, 96_000])
def test_sound_of_any_rate_becomes_16_khz_at_the_same_level_and_pitch(rate_hz: int) -> None:
    capture = Capture(rate_hz)
    sound = np.concatenate(
        [capture.push(part, rate_hz) for part in chunks(tone(rate_hz), rate_hz // 50)]
    )
    assert sound.dtype == np.float32
    assert 16_000 - 1_200 <= len(sound) <= 16_000  # a resampler may hold back up to 70 ms
    middle = sound[2_000:12_000]
    assert np.sqrt(np.mean(middle**2)) == pytest.approx(0.5 / np.sqrt(2), rel=0.01)
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert np.argmax(spectrum) * 16_000 / len(middle) == pytest.approx(440, abs=2)


def test_what_16_khz_cannot_hold_does_not_alias() -> None:
    capture = Capture(48_000)
    sound = np.concatenate(
        [capture.push(part, 48_000) for part in chunks(tone(48_000, hz=11_000), 960)]
    )
    assert np.sqrt(np.mean(sound[1_000:] ** 2)) < 1e-4


def test_chunked_sound_is_the_same_as_in_one_piece() -> None:
    whole = Capture(48_000).push(tone(48_000), 48_000)
    capture = Capture(48_000)
    parts = np.concatenate([capture.push(part, 48_000) for part in chunks(tone(48_000), 477)])
    length = min(len(whole), len(parts))
    np.testing.assert_allclose(parts[:length], whole[:length], atol=1e-6)


def test_a_change_of_rate_keeps_every_sample_of_time() -> None:
    capture = Capture(48_000)
    sound = [capture.push(part, 48_000) for part in chunks(tone(48_000), 960)]
    sound += [capture.push(part, 16_000) for part in chunks(tone(16_000), 320)]
    assert sum(map(len, sound)) == pytest.approx(32_000, abs=2)


@pytest.mark.parametrize(
    ("pcm", "rate_hz"),
    [
        (np.zeros(10, np.float32), 48_000),
        (np.zeros((10, 2), np.int16), 48_000),
        (np.zeros(10, np.int16), 0),
        (np.zeros(10, np.int16), 10_000_000),
    ],
)
def test_what_is_no_sound_is_refused_and_changes_nothing(
    pcm: NDArray[np.int16], rate_hz: int
) -> None:
    capture, untouched = Capture(48_000), Capture(48_000)
    with pytest.raises(BadInputError, match="expected"):
        capture.push(pcm, rate_hz)
    np.testing.assert_array_equal(
        capture.push(tone(48_000), 48_000), untouched.push(tone(48_000), 48_000)
    )


async def test_a_reader_that_waits_gets_the_sound_when_it_comes() -> None:
    media_input = MediaInputBuffer()
    reader = asyncio.create_task(media_input.read_chunk())
    await asyncio.sleep(0)
    assert not reader.done()
    media_input.push_audio_nowait(tone(16_000)[:320], 16_000)
    chunk = await reader
    assert (chunk.turn, chunk.pts, len(chunk.pcm)) == (0, 0, 320)


async def test_chunks_follow_each_other_in_media_time() -> None:
    media_input: MediaInputBuffer = MediaInputBuffer()
    door: MediaInput = media_input
    pts = 0
    for n in (1, 3, 2):
        for _ in range(n):
            door.push_audio_nowait(tone(16_000)[:320], 16_000)
        chunk = await media_input.read_chunk()
        assert (chunk.pts, len(chunk.pcm)) == (pts, n * 320)
        pts += n * 320


async def test_when_nobody_reads_the_oldest_sound_is_lost_and_time_stays_right() -> None:
    media_input = MediaInputBuffer()
    sound = (np.arange(3 * 16_000) % 30_000).astype(np.int16)
    for part in chunks(sound, 700):
        media_input.push_audio_nowait(part, 16_000)
    chunk = await media_input.read_chunk()
    assert chunk.pts == 3 * 16_000 - BUFFER_SAMPLES
    np.testing.assert_allclose(chunk.pcm * 32768, sound[chunk.pts :])
    media_input.push_audio_nowait(sound[:320], 16_000)
    assert (await media_input.read_chunk()).pts == 3 * 16_000


async def test_a_chunk_longer_than_the_buffer_keeps_its_end() -> None:
    media_input = MediaInputBuffer()
    media_input.push_audio_nowait(tone(16_000, seconds=5), 16_000)
    chunk = await media_input.read_chunk()
    assert (chunk.pts, len(chunk.pcm)) == (3 * 16_000, BUFFER_SAMPLES)


async def test_a_cancelled_reader_leaves_the_sound() -> None:
    media_input = MediaInputBuffer()
    reader = asyncio.create_task(media_input.read_chunk())
    await asyncio.sleep(0)
    media_input.push_audio_nowait(tone(16_000)[:320], 16_000)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert len((await media_input.read_chunk()).pcm) == 320


async def test_only_the_latest_image_is_kept_and_read_once() -> None:
    media_input = MediaInputBuffer()
    reader = asyncio.create_task(media_input.read_image())
    await asyncio.sleep(0)
    for value in (1, 2):
        media_input.push_image_nowait(np.full((4, 6, 3), value, np.uint8))
    assert (await reader)[0, 0, 0] == 2
    reader = asyncio.create_task(media_input.read_image())
    await asyncio.sleep(0)
    assert not reader.done()
    media_input.push_image_nowait(np.full((4, 6, 3), 3, np.uint8))
    assert (await reader)[0, 0, 0] == 3


def test_what_is_no_image_is_refused() -> None:
    with pytest.raises(BadInputError, match="expected"):
        MediaInputBuffer().push_image_nowait(np.zeros((4, 6), np.uint8))
