"""What a listener passes on of one person in a room, through a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from livekit import rtc
from livekit.rtc._ffi_client import FfiClient

from rt_avatar.config.perception_settings import VisionSettings
from rt_avatar.signaling.livekit.incoming import RoomListener
from tests.livekit.rooms import AUDIBLE, RATE_HZ, WAIT_S, Caller
from tests.media import FILMED, pictures, recorded, spoken

pytestmark = pytest.mark.realtime


class KeepingMediaInput:
    """Keeps what comes, and tells."""

    def __init__(self) -> None:
        self.sounds: list[np.ndarray] = []
        self.images: list[np.ndarray] = []
        self._news = asyncio.Event()

    def push_audio_nowait(self, pcm: np.ndarray, rate_hz: int) -> None:
        assert rate_hz == RATE_HZ
        self.sounds.append(pcm.copy())
        self._news.set()

    def push_image_nowait(self, image: np.ndarray) -> None:
        self.images.append(image)
        self._news.set()

    @property
    def pcm(self) -> np.ndarray:
        return np.concatenate(self.sounds) if self.sounds else np.zeros(0, np.int16)

    async def until(self, is_true, timeout_s: float = WAIT_S) -> None:
        async with asyncio.timeout(timeout_s):
            while not is_true():
                self._news.clear()
                await self._news.wait()

    async def until_heard(self, frequency_hz: int) -> None:
        """Wait until the last 200 ms are that tone, after forgetting what was heard."""
        self.sounds.clear()
        await self.until(lambda: tone_share(self.pcm[-RATE_HZ // 5 :], frequency_hz) > 0.9)


def tone(frequency_hz: int, seconds: float = 30.0) -> np.ndarray:
    at = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    return (10_000 * np.sin(2 * np.pi * frequency_hz * at)).astype(np.int16)


def tone_share(pcm: np.ndarray, frequency_hz: int) -> float:
    """Return how much of the sound's power is a tone, 0..1; 0 when there is no sound."""
    if pcm.size < RATE_HZ // 5 or np.abs(pcm.astype(int)).max() < AUDIBLE:
        return 0.0
    spectrum = np.abs(np.fft.rfft(pcm * np.hanning(pcm.size))) ** 2
    bin_hz = RATE_HZ / pcm.size
    near = slice(round((frequency_hz - 40) / bin_hz), round((frequency_hz + 40) / bin_hz))
    return float(spectrum[near].sum() / spectrum.sum())


def found_again(heard: np.ndarray, said: np.ndarray) -> list[tuple[int, float]]:
    """Look for every 100 ms of what was said in what was heard: (where, how alike -1..1) each.

    In pieces, as a receiver stretches and shortens sound by some milliseconds to keep in time.
    """
    size, found = RATE_HZ // 10, []
    power = np.convolve(heard.astype(float) ** 2, np.ones(size), "valid")
    for begin in range(0, said.size - size + 1, size):
        piece = said[begin : begin + size].astype(float)
        if np.sqrt(np.mean(piece**2)) < 300:  # a pause: nothing to recognise
            continue
        product = np.correlate(heard.astype(float), piece, "valid")
        alike = product / np.sqrt(np.maximum(power, 1) * np.sum(piece**2))
        found.append((int(np.argmax(alike)), float(alike.max())))
    return found


@asynccontextmanager
async def listening(
    livekit, room_name, *, is_subscribed: bool = False, vision: VisionSettings | None = None
) -> AsyncIterator[tuple[KeepingMediaInput, RoomListener, rtc.Room]]:
    room, media_input = rtc.Room(), KeepingMediaInput()
    options = rtc.RoomOptions(auto_subscribe=is_subscribed)
    await room.connect(livekit.url, livekit.token("avatar", room_name), options)
    listener = RoomListener(room, media_input, vision or VisionSettings())
    task = asyncio.create_task(listener.run())
    try:
        yield media_input, listener, room
    finally:
        task.cancel()
        await asyncio.wait({task})
        await room.disconnect()
        assert task.cancelled()


# A sentence without hisses, whose waveform Opus does not keep.
@pytest.mark.parametrize("name", ["birthday", *recorded("jfk-1961-1")])
async def test_what_is_said_arrives_whole(livekit, room_name, name):
    pcm = spoken(name).pcm
    async with listening(livekit, room_name) as (media_input, listener, _):
        listener.follow("caller")
        async with Caller(livekit, room_name) as caller:
            await caller.publish_microphone()
            await media_input.until(lambda: bool(media_input.sounds))
            await caller.speak(pcm)
            begun = len(media_input.sounds)
            await media_input.until(
                lambda: len(media_input.sounds) > begun + 25
            )  # what is on the way
    found = found_again(media_input.pcm, pcm)
    assert len(found) > 10
    assert min(alike for _, alike in found) > 0.7
    places = [where for where, _ in found]
    assert places == sorted(places)


@pytest.mark.parametrize("face", ["photograph", *recorded(FILMED[0])])
async def test_a_face_arrives_small_and_in_its_colours(livekit, room_name, face):
    shown = pictures(face)[:25]
    async with listening(livekit, room_name) as (media_input, listener, _):
        listener.follow("caller")
        async with Caller(livekit, room_name) as caller:
            await caller.publish_camera(shown)
            await media_input.until(lambda: len(media_input.images) >= 8)
    image, first = media_input.images[-1], shown[0]
    height, width, _ = image.shape
    assert width <= 320
    assert width / height == pytest.approx(first.shape[1] / first.shape[0], rel=0.02)
    assert np.abs(image.mean((0, 1)) - first.mean((0, 1))).max() < 8


async def test_only_as_many_pictures_are_looked_at_as_are_asked_for(livekit, room_name):
    loop = asyncio.get_running_loop()
    async with listening(livekit, room_name, vision=VisionSettings(rate_hz=2)) as (
        media_input,
        *rest,
    ):
        rest[0].follow("caller")
        async with Caller(livekit, room_name) as caller:
            await caller.publish_camera([np.full((240, 320, 3), 99, np.uint8)], fps=25)
            await media_input.until(lambda: bool(media_input.images))
            begin_s = loop.time()
            await media_input.until(lambda: len(media_input.images) >= 4)
            passed_s = loop.time() - begin_s
    assert len(media_input.images) <= 2 + 2 * passed_s


@pytest.mark.parametrize("is_subscribed", [True, False])
async def test_nobody_else_is_heard_and_nothing_else_is_subscribed_to(
    livekit, room_name, is_subscribed
):
    async with listening(livekit, room_name, is_subscribed=is_subscribed) as (media_input, *rest):
        listener, room = rest
        async with Caller(livekit, room_name) as caller, Caller(livekit, room_name, "eve") as eve:
            for person, hz in ((caller, 700), (eve, 2000)):
                await person.publish_microphone()
                person.start(person.speak(tone(hz)))
            screen = rtc.TrackSource.SOURCE_SCREENSHARE
            picture = np.full((240, 320, 3), 99, np.uint8)
            await caller.publish_camera([picture], source=screen)
            listener.follow("caller")
            await media_input.until_heard(700)

            def subscribed() -> set[tuple[str, int]]:
                return {
                    (who, publication.source)
                    for who, person in room.remote_participants.items()
                    for publication in person.track_publications.values()
                    if publication.subscribed
                }

            # What the server had subscribed to by itself is given up within some round trips.
            await media_input.until(
                lambda: subscribed() == {("caller", rtc.TrackSource.SOURCE_MICROPHONE)}
            )
            assert not media_input.images

            listener.follow("eve")
            await media_input.until_heard(2000)


async def test_a_camera_is_left_alone_when_sight_is_off(livekit, room_name):
    async with listening(livekit, room_name, vision=VisionSettings(enabled=False)) as (
        media_input,
        *rest,
    ):
        listener, room = rest
        listener.follow("caller")
        async with Caller(livekit, room_name) as caller:
            await caller.publish_camera([np.full((240, 320, 3), 99, np.uint8)])
            await caller.publish_microphone()
            caller.start(caller.speak(tone(700)))
            await media_input.until_heard(700)
            tracks = room.remote_participants["caller"].track_publications.values()
            assert {one.source: one.subscribed for one in tracks} == {
                rtc.TrackSource.SOURCE_CAMERA: False,
                rtc.TrackSource.SOURCE_MICROPHONE: True,
            }


async def test_a_microphone_may_be_muted_taken_back_and_come_again(livekit, room_name):
    async with listening(livekit, room_name) as (media_input, listener, _):
        listener.follow("caller")
        async with Caller(livekit, room_name) as caller:
            microphone = await caller.publish_microphone()
            caller.start(caller.speak(tone(700)))
            await media_input.until_heard(700)
            microphone.track.mute()
            media_input.sounds.clear()
            await media_input.until(
                lambda: media_input.pcm.size > RATE_HZ and not media_input.pcm[-9600:].any()
            )
            microphone.track.unmute()
            await media_input.until_heard(700)

            await caller.unpublish(microphone)
            media_input.sounds.clear()
            # The turn that was being spoken ends: silence comes where sound was.
            await media_input.until(
                lambda: media_input.pcm.size > RATE_HZ and not media_input.pcm[-9600:].any()
            )
            await caller.publish_microphone()
            caller.start(caller.speak(tone(900)))
            await media_input.until_heard(900)


async def test_somebody_may_leave_and_return(livekit, room_name):
    async with listening(livekit, room_name) as (media_input, listener, _):
        listener.follow("caller")
        for hz in (700, 900):
            async with Caller(livekit, room_name) as caller:
                await caller.publish_microphone()
                caller.start(caller.speak(tone(hz)))
                await media_input.until_heard(hz)


async def test_nothing_is_left_in_the_library(livekit, room_name):
    subscribers = FfiClient.instance.queue._subscribers
    before = list(subscribers)
    tasks = asyncio.all_tasks()
    async with listening(livekit, room_name) as (media_input, listener, _):
        listener.follow("caller")
        async with Caller(livekit, room_name) as caller:
            await caller.publish_microphone()
            await caller.publish_camera([np.full((240, 320, 3), 99, np.uint8)])
            await media_input.until(lambda: bool(media_input.sounds and media_input.images))
    if ending := asyncio.all_tasks() - tasks:  # the library's own last steps
        await asyncio.wait(ending, timeout=10)
    assert asyncio.all_tasks() <= tasks
    assert [one for one in subscribers if one not in before] == []
