"""A session's ``MediaOutput`` → the room's tracks ``avatar_audio`` and ``avatar_video``.

Sound and pictures come out of the session when they are due; here they are handed on at once. The
SDK's own queue for sound is switched off (``queue_size_ms=0``): it would pace by a second clock
what ours has paced, and what waits in it would be a tail after a barge-in.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import numpy as np
from livekit import rtc
from livekit.rtc.participant import UnpublishTrackError
from numpy.typing import NDArray

from rt_avatar.engines.types import FPS, WIRE_RATE_HZ
from rt_avatar.errors import BadInputError
from rt_avatar.media_io import MediaEndedError, MediaOutput, VideoPicture
from rt_avatar.signaling.livekit.names import AUDIO_TRACK, VIDEO_TRACK
from rt_avatar.signaling.tuning import BITRATE_BPS

DIRECT_SAMPLES: Final = WIRE_RATE_HZ // 100  # without a queue the SDK takes 10 ms at a time
AUDIO_BPS: Final = 32_000  # Opus, one voice, full band; more cannot be heard (RFC 7587, 3.1.1)
ORIGIN_US: Final = 1_000_000  # of a picture's time: 0 would mean "now"
UNPUBLISH_S: Final = 2.0


class RoomTracks:
    """The avatar's two tracks in one room. One event loop only; owned by the call.

    1. Publishes both on one stream, so that receivers keep them in step.
    2. Pulls the media output at its pace, whatever the connection does: the clock goes on.
    """

    def __init__(
        self,
        room: rtc.Room,
        media_output: MediaOutput,
        size_px: int,
        on_picture: Callable[[VideoPicture], None] | None = None,
    ) -> None:
        self._room = room
        self._media_output = media_output
        self._size_px = size_px
        self._on_picture = on_picture
        self._sound = rtc.AudioSource(WIRE_RATE_HZ, 1, queue_size_ms=0)
        self._pictures = rtc.VideoSource(size_px, size_px)
        self._publications: list[rtc.LocalTrackPublication] = []

    async def publish(self) -> None:
        """Publish both tracks at once.

        Raises:
            BadInputError: The token does not allow it.
            ExceptionGroup: Of ``livekit.rtc.participant.PublishTrackError``: the server refused for
                another reason.
        """
        rights = self._room.local_participant.permissions
        if rights is not None and not rights.can_publish:
            # The server would not say so: the SDK would wait for ten seconds and tell of a timeout.
            raise BadInputError(
                "token: expected the right to publish in the room, got one without; grant "
                "canPublish to the avatar's participant",
                reason="may_not_publish",
            )
        sound = rtc.LocalAudioTrack.create_audio_track(AUDIO_TRACK, self._sound)
        pictures = rtc.LocalVideoTrack.create_video_track(VIDEO_TRACK, self._pictures)
        publish = self._room.local_participant.publish_track
        async with asyncio.TaskGroup() as group:  # one negotiation: the face is seen 0.1 s earlier
            published = [
                group.create_task(publish(sound, audio_options())),
                group.create_task(publish(pictures, video_options(self._size_px))),
            ]
        self._publications = [each.result() for each in published]

    async def run(self) -> None:
        """Send until the session is over or the task is cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._send_sound())
            group.create_task(self._send_pictures())

    @property
    def audio_sid(self) -> str:
        """Of the sound's track; another one after a full reconnect, "" before ``publish``."""
        return self._publications[0].sid if self._publications else ""

    async def aclose(self) -> None:
        """Unpublish and free both tracks; when ``run`` has ended."""
        published, self._publications = self._publications, []
        try:
            async with asyncio.timeout(UNPUBLISH_S):
                for publication in published:
                    if self._room.isconnected():
                        await self._room.local_participant.unpublish_track(publication.sid)
        except (TimeoutError, UnpublishTrackError):
            pass  # the room went away meanwhile, and the tracks with it
        finally:
            await self._sound.aclose()
            await self._pictures.aclose()

    async def _send_sound(self) -> None:
        while True:
            try:
                block = await self._media_output.next_audio()
            except MediaEndedError:
                return
            for start in range(0, len(block.pcm), DIRECT_SAMPLES):
                await self._sound.capture_frame(_frame(block.pcm[start : start + DIRECT_SAMPLES]))

    async def _send_pictures(self) -> None:
        while True:
            try:
                picture = await self._media_output.next_video()
            except MediaEndedError:
                return
            height, width = picture.planes.shape[0] * 2 // 3, picture.planes.shape[1]
            frame = rtc.VideoFrame(
                width, height, rtc.VideoBufferType.I420, picture.planes.tobytes()
            )
            at_us = ORIGIN_US + picture.pts * 1_000_000 // WIRE_RATE_HZ
            self._pictures.capture_frame(frame, timestamp_us=at_us)
            if self._on_picture is not None:
                self._on_picture(picture)


def audio_options() -> rtc.TrackPublishOptions:
    """How the voice is sent.

    Silence is sent, too (no DTX): the receiver's clock for the voice, by which the face is kept in
    step, never stops.
    """
    options = rtc.TrackPublishOptions(
        source=rtc.TrackSource.SOURCE_MICROPHONE, dtx=False, red=True, stream="avatar"
    )
    options.audio_encoding.max_bitrate = AUDIO_BPS
    return options


def video_options(size_px: int) -> rtc.TrackPublishOptions:
    """How the face is sent: one layer (it is small), and on a bad line rather coarse than late."""
    return rtc.TrackPublishOptions(
        source=rtc.TrackSource.SOURCE_CAMERA,
        video_encoding=rtc.VideoEncoding(max_bitrate=BITRATE_BPS[size_px], max_framerate=FPS),
        video_codec=rtc.VideoCodec.VP8,
        simulcast=False,
        degradation_preference=rtc.DegradationPreference.MAINTAIN_FRAMERATE.value,
        stream="avatar",
    )


def _frame(pcm: NDArray[np.int16]) -> rtc.AudioFrame:
    return rtc.AudioFrame(pcm.tobytes(), WIRE_RATE_HZ, 1, len(pcm))
