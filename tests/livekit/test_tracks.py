"""Sound and pictures of a media output as a participant receives them, by a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.errors import BadInputError
from rt_avatar.signaling.livekit.outgoing import RoomTracks
from tests.livekit.line import Line
from tests.livekit.numbered import BEEP_EVERY, BEEP_HZ, NumberedMediaOutput, read_number
from tests.livekit.rooms import AUDIBLE, RATE_HZ, Caller, Heard, Seen

pytestmark = pytest.mark.realtime


@asynccontextmanager
async def sending(
    livekit, room_name, media_output, on_picture=None, *, url: str = ""
) -> AsyncIterator[tuple[RoomTracks, rtc.Room]]:
    room = rtc.Room()
    await room.connect(url or livekit.url, livekit.token("avatar", room_name))
    tracks = RoomTracks(room, media_output, 256, on_picture)
    await tracks.publish()
    task = asyncio.create_task(tracks.run())
    try:
        yield tracks, room
    finally:
        task.cancel()
        await asyncio.wait({task})
        await tracks.aclose()
        await room.disconnect()


def tone_share(pcm: np.ndarray) -> float:
    """Return how much of the sound's power is the tone, 0..1."""
    spectrum = np.abs(np.fft.rfft(pcm * np.hanning(pcm.size))) ** 2
    bin_hz = RATE_HZ / pcm.size
    near = slice(round((BEEP_HZ - 40) / bin_hz), round((BEEP_HZ + 40) / bin_hz))
    return float(spectrum[near].sum() / spectrum.sum())


async def test_sound_and_pictures_arrive_in_order_as_they_left(livekit, room_name):
    media_output = NumberedMediaOutput(is_tone=True)
    numbers: list[int] = []
    async with Caller(livekit, room_name) as caller:
        caller.on_picture = lambda _who, seen: numbers.append(read_number(seen.luma))
        async with sending(livekit, room_name, media_output):
            await caller.wait_for_sound("avatar")
            await caller.until(lambda: len(numbers) > 50)
            seen = list(numbers)
            pcm = caller.sound("avatar")[-RATE_HZ // 2 :]
            avatar = caller.room.remote_participants["avatar"]
            names = {one.source: one.name for one in avatar.track_publications.values()}
    assert names == {
        rtc.TrackSource.SOURCE_MICROPHONE: "avatar_audio",
        rtc.TrackSource.SOURCE_CAMERA: "avatar_video",
    }
    assert set(seen) <= set(media_output.sent_at_s)
    assert seen == sorted(set(seen))
    assert tone_share(pcm) > 0.95


async def test_beeps_come_once_each_and_with_their_pictures(livekit, room_name):
    media_output = NumberedMediaOutput()
    seen_at_s: dict[int, float] = {}
    beeps_s: list[float] = []
    async with Caller(livekit, room_name) as caller:

        def on_picture(_who: str, seen: Seen) -> None:
            seen_at_s.setdefault(read_number(seen.luma), seen.at_s)

        def on_sound(_who: str, heard: Heard) -> None:
            is_beep = np.abs(heard.pcm.astype(int)).max() > 3000
            if is_beep and seen_at_s and (not beeps_s or heard.at_s - beeps_s[-1] > 0.5):
                beeps_s.append(heard.at_s)

        caller.on_picture, caller.on_sound = on_picture, on_sound
        async with sending(livekit, room_name, media_output):
            await caller.until(lambda: len(beeps_s) >= 4)
            await caller.until(lambda: max(seen_at_s) > max(media_output.beep_at_s))
    # The picture that is on the screen when a beep begins tells which one it is: that of the
    # nearest 25th picture. All are different, in order, and were given.
    on_screen = [max(n for n, at_s in seen_at_s.items() if at_s <= beep) for beep in beeps_s]
    nearest = [round(number / BEEP_EVERY) * BEEP_EVERY for number in on_screen]
    assert nearest == sorted(set(nearest))
    assert set(nearest) <= set(media_output.beep_at_s)


async def test_what_the_media_output_stops_giving_stops(livekit, room_name):
    media_output = NumberedMediaOutput(is_tone=True)
    async with (
        Caller(livekit, room_name) as caller,
        sending(livekit, room_name, media_output),
    ):
        await caller.wait_for_sound("avatar")
        media_output.is_tone, media_output.is_silent = False, True
        stopped_at = max(media_output.sent_at_s)
        shown: list[int] = [0]
        heard_at: list[int] = []
        caller.on_picture = lambda _who, seen: shown.append(read_number(seen.luma))

        def on_sound(_who: str, heard: Heard) -> None:
            if np.abs(heard.pcm.astype(int)).max() > AUDIBLE:
                heard_at.append(shown[-1])

        caller.on_sound = on_sound
        await caller.until(lambda: shown[-1] > stopped_at + 2 * BEEP_EVERY)
    # Beside the line's and the receiver's own delay nothing follows.
    assert not [number for number in heard_at if number > stopped_at + BEEP_EVERY]


async def test_when_the_session_is_over_sending_ends_by_itself(livekit, room_name):
    media_output = NumberedMediaOutput()
    room = rtc.Room()
    await room.connect(livekit.url, livekit.token("avatar", room_name))
    tracks = RoomTracks(room, media_output, 256)
    await tracks.publish()
    media_output.is_over = True
    async with asyncio.timeout(20):
        await tracks.run()
    await tracks.aclose()
    assert not room.local_participant.track_publications
    await room.disconnect()


async def test_pictures_are_told_when_they_leave(livekit, room_name):
    media_output, told = NumberedMediaOutput(), asyncio.Queue(maxsize=100)
    async with sending(livekit, room_name, media_output, told.put_nowait):
        async with asyncio.timeout(20):
            pictures = [await told.get() for _ in range(5)]
    assert [picture.pts // 1920 for picture in pictures] == sorted(media_output.sent_at_s)[:5]


async def test_the_clock_goes_on_while_the_avatars_own_line_is_cut(livekit, room_name):
    media_output = NumberedMediaOutput(is_tone=True)
    async with (
        Line(livekit) as line,
        Caller(livekit, room_name) as caller,
        sending(livekit, room_name, media_output, url=line.url),
    ):
        loop = asyncio.get_running_loop()
        await caller.wait_for_sound("avatar")
        await caller.wait_for_picture("avatar")
        line.cut()
        blocks, begin_s = media_output.blocks, loop.time()
        async with asyncio.timeout(20):
            while media_output.blocks < blocks + 100:
                await media_output.next_block.wait()
        line.mend()
        mended_s = loop.time()
        assert mended_s - begin_s < 10  # two seconds of sound
        await caller.wait_for_picture("avatar", mended_s, timeout_s=60)
        await caller.wait_for_sound("avatar", mended_s, timeout_s=60)


async def test_a_token_that_may_not_publish_gives_an_error(livekit, room_name):
    room = rtc.Room()
    token = livekit.token("avatar", room_name, can_publish=False)
    await room.connect(livekit.url, token)
    tracks = RoomTracks(room, NumberedMediaOutput(), 256)
    with pytest.raises(BadInputError, match=r"expected the right to publish.*canPublish"):
        await tracks.publish()
    await tracks.aclose()
    await room.disconnect()
