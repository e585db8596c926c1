"""Route the agent's speech: to the avatar as data, or to the room as a track."""

import asyncio
import time
from typing import Final

from livekit import rtc
from livekit.agents import utils as agents_utils
from livekit.agents.voice.avatar import DataStreamAudioOutput

from rt_avatar.signaling.livekit.agents_private import make_room_output, pending_playbacks, pushed_s

SAMPLE_RATE_HZ: Final = 24_000  # the face's own; other rates are resampled by livekit-agents
BARE_TRACK: Final = "agent_audio"


class AvatarAudioOutput(DataStreamAudioOutput):
    """Upstream's, which can also end what a lost avatar will never answer for."""

    def __init__(self, room: rtc.Room, avatar: str, clear_buffer_timeout: float | None) -> None:
        super().__init__(
            room,
            destination_identity=avatar,
            sample_rate=SAMPLE_RATE_HZ,
            wait_remote_track=rtc.TrackKind.KIND_VIDEO,
            clear_buffer_timeout=clear_buffer_timeout,
            wait_playback_start=True,
        )
        self._started_s = 0.0  # monotonic
        self._played_s = 0.0

    def on_playback_started(self, *, created_at: float) -> None:
        """Remember when, too."""
        self._started_s = time.monotonic()
        super().on_playback_started(created_at=created_at)

    @property
    def is_waited_for(self) -> bool:
        """Whether the avatar has not answered yet for something that was said."""
        return pending_playbacks(self) > 0

    def lose(self, alive_s: float) -> None:
        """The avatar is gone; it was last seen alive at that monotonic time.

        To be called before another output takes its place: it tells how far speech has come.
        """
        self._played_s = max(0.0, min(pushed_s(self), alive_s - self._started_s))
        if self.is_waited_for and self._started_s:
            self.on_playback_progressed(
                started_at=time.time() - (time.monotonic() - self._started_s),
                offset=0.0,
                duration=self._played_s,
            )

    def give_up(self) -> None:
        """End whatever is still waited for; after another output has taken its place."""
        for _ in range(pending_playbacks(self)):
            self.on_playback_finished(playback_position=self._played_s, interrupted=True)
            self._played_s = 0.0  # what was said behind it has not begun


class FallbackAudio:
    """The agent's voice as a track of its own, as if there had never been an avatar."""

    def __init__(self, room: rtc.Room) -> None:
        self._room = room
        self._is_published = asyncio.Event()  # or cannot be
        room.on("local_track_published", self._on_published)
        self.output = make_room_output(room, SAMPLE_RATE_HZ, BARE_TRACK)
        # Owned here, until aclose: it lasts until somebody listens, for which speech waits.
        self._publishing = asyncio.get_running_loop().create_task(self.output.start())
        self._publishing.add_done_callback(lambda _task: self._is_published.set())

    async def aclose(self) -> None:
        """Take it back, be it on its way only."""
        if not self.output.subscribed.done():
            self.output.subscribed.set_result(None)  # speech that waits for a listener ends
        await self._is_published.wait()  # a track that is cancelled on its way comes all the same
        self._room.off("local_track_published", self._on_published)
        await agents_utils.aio.cancel_and_wait(self._publishing)
        participant = self._room.local_participant
        for publication in list(participant.track_publications.values()):
            if publication.name == BARE_TRACK and self._room.isconnected():
                await participant.unpublish_track(publication.sid)
        await self.output.aclose()

    def _on_published(self, publication: rtc.LocalTrackPublication, _track: rtc.Track) -> None:
        if publication.name == BARE_TRACK:
            self._is_published.set()
