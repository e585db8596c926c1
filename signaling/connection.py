"""One WebRTC connection of a call: an offer → an answer, tracks, messages, a state.

Callbacks of the library only set values and wake the call, which reads them when it gets to it: no
task is made here, nothing is decided here. A connection is never renegotiated; a new offer makes a
new one.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from aiortc import (
    InvalidStateError,
    RTCBundlePolicy,
    RTCConfiguration,
    RTCDataChannel,
    RTCIceServer,
    RTCPeerConnection,
    RTCRtpSender,
    RTCRtpTransceiver,
    RTCSessionDescription,
)

from rt_avatar.config.settings import Settings
from rt_avatar.errors import BadInputError, SessionError
from rt_avatar.signaling.aiortc_private import (
    close_without_reports,
    encoder_of,
    ignore_goodbyes,
    limit_gaps,
    limit_resent,
    limit_sources,
)
from rt_avatar.signaling.camera_queue import install_camera_queue
from rt_avatar.signaling.closing import Closing
from rt_avatar.signaling.data_limit import install_data_limit
from rt_avatar.signaling.deferred_media import DeferredMedia
from rt_avatar.signaling.ice import IceServer
from rt_avatar.signaling.incoming import receive_audio, receive_video
from rt_avatar.signaling.media_tracks import OutgoingAudio, OutgoingVideo
from rt_avatar.signaling.mic_buffer import install_mic_buffer
from rt_avatar.signaling.offer_check import check_offer
from rt_avatar.signaling.private_api import LibraryChangedError
from rt_avatar.signaling.protocol import CHANNEL_LABEL
from rt_avatar.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

# Gathering waits at most 5 s for a STUN or TURN server that does not answer, and a caller's .local
# names a second each; a connection that needs longer would not be worth waiting for.
ANSWER_TIMEOUT_S: Final = 8.0
FLUSH_TIMEOUT_S: Final = 0.5  # for the last message of a call
# Full means the caller floods us, far over the allowed rate: the oldest message is dropped.
MAX_UNREAD: Final = 64
# What the caller has not taken yet. Over it nothing more is put in: 256 KiB are some minutes of
# captions, so this is a dead line, and its state will say so soon.
MAX_UNSENT_BYTES: Final = 256 * 1024
# Of pictures, as many as the library keeps: behind a longer gap it begins with the next key frame.
MAX_GAP_PACKETS: Final = 512
# As many as one report can be about (RFC 3550 §6.4.2). A browser has three: sound, pictures, and
# pictures sent again; one that is set up anew may have others.
MAX_SOURCES: Final = 31
RESENT_HZ: Final = 256  # packets of one track; of the largest pictures 100 a second are sent


class Connection:
    """Owned by one ``Call``. ``wake`` is called whenever something here has changed."""

    def __init__(
        self,
        ice_servers: Sequence[IceServer],
        media: DeferredMedia,
        settings: Settings,
        metrics: Metrics,
        wake: Callable[[], None],
        closing: Closing,
    ) -> None:
        servers = [
            RTCIceServer(list(server.urls), server.username or None, server.credential or None)
            for server in ice_servers
        ]
        self._pc = RTCPeerConnection(
            RTCConfiguration(iceServers=servers, bundlePolicy=RTCBundlePolicy.MAX_BUNDLE)
        )
        self._media = media
        self._settings = settings
        self._metrics = metrics
        self._wake = wake
        self._closing = closing
        self._channel: RTCDataChannel | None = None
        self._unread: deque[str | bytes] = deque(maxlen=MAX_UNREAD)
        self._has_flooded = False
        self._is_closed = False
        self.has_greeted = False  # whether hello was sent; the call's to keep
        self.failure: Exception | None = None  # of the session's media output, seen by a track
        self._pc.on("connectionstatechange", wake)
        self._pc.on("datachannel", self._on_channel)

    @property
    def is_connected(self) -> bool:
        """Whether media can pass."""
        return str(self._pc.connectionState) == "connected"

    @property
    def has_ended(self) -> bool:
        """Whether it was lost or closed, or is to be; it does not come back."""
        return self._has_flooded or self._pc.connectionState in ("failed", "closed")

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self._channel is not None and self._channel.readyState == "open"

    async def answer(self, offer: str) -> str:
        """Return the answer to an offer; on an error nothing is left open.

        Raises:
            BadInputError: The offer cannot be answered.
            SessionError: Gathering our own addresses took too long.
        """
        try:
            facts = check_offer(offer)
            self._add_tracks(facts.has_video, facts.video_codecs)
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                return await self._negotiate(offer)
        except TimeoutError:
            await self.aclose()
            raise SessionError(
                f"no answer could be made in {ANSWER_TIMEOUT_S:.0f} s; are the STUN and TURN "
                "servers of the settings reachable?",
                reason="internal",
            ) from None
        except BaseException:
            await self.aclose()
            raise

    async def _negotiate(self, offer: str) -> str:
        try:
            await self._pc.setRemoteDescription(RTCSessionDescription(sdp=offer, type="offer"))
            answer = await self._pc.createAnswer()
        # The library has no error of its own for bad SDP: assertions, ValueError, KeyError,
        # AttributeError, StopIteration… all mean that it could not read it.
        except Exception as error:
            _log.info("offer refused: %r", error)
            raise BadInputError(
                "sdp: expected an offer that can be read and answered, got one that cannot; send "
                "pc.localDescription.sdp as it is",
                reason="bad_sdp",
            ) from error
        for transceiver in self._pc.getTransceivers():
            receiver = transceiver.receiver
            with _told("a device that was lost is not heard or seen again"):
                ignore_goodbyes(receiver)
            with _told("a connection whose reports fail is never closed"):
                close_without_reports(receiver)
            with _told("a caller who asks for packets again and again stops all calls"):
                limit_resent(transceiver.sender, RESENT_HZ)
            if transceiver.kind == "audio":
                with _told("what follows a lost packet is heard 300 ms late"):
                    install_mic_buffer(receiver)
            else:
                with _told("a camera that is too fast stops all calls when it ends"):
                    install_camera_queue(receiver, self._settings.vision.rate_hz)
                with _told("a camera that leaves packets out keeps all calls waiting"):
                    limit_gaps(receiver, MAX_GAP_PACKETS)
        for transport in {one.receiver.transport for one in self._pc.getTransceivers()}:
            with _told("a caller with thousands of sources stops all calls"):
                limit_sources(transport, MAX_SOURCES)
        if self._pc.sctp is not None:
            with _told("a message without an end stops all calls"):
                install_data_limit(self._pc.sctp, self._on_flood)
        await self._pc.setLocalDescription(answer)
        return str(self._pc.localDescription.sdp)

    def _add_tracks(self, has_video: bool, video_codecs: tuple[str, ...]) -> None:
        def failed(error: Exception) -> None:
            self.failure = error
            self._wake()

        skipped = self._metrics.count_skipped
        self._pc.addTrack(OutgoingAudio(self._media, skipped, failed))
        if has_video:
            video = OutgoingVideo(self._media, skipped, failed)
            sender = self._pc.addTrack(video)
            with _told("what is shown again is encoded again"):
                encoder_of(sender)
                video.sender = sender
        for transceiver in self._pc.getTransceivers():
            if transceiver.kind == "audio":
                _prefer(transceiver, ("OPUS",))
            else:
                _prefer(transceiver, _order(self._settings.avatar.video_codec, video_codecs))
                if not self._settings.vision.enabled:
                    transceiver.direction = "sendonly"

    async def receive(self) -> None:
        """Pass on what the caller sends, until cancelled or the tracks end."""
        async with asyncio.TaskGroup() as group:
            for transceiver in self._pc.getTransceivers():
                track = transceiver.receiver.track
                if track is None:
                    continue
                if transceiver.kind == "audio":
                    group.create_task(receive_audio(track, self._media, self._metrics.count_lost))
                else:
                    group.create_task(
                        receive_video(track, self._media, self._settings.vision.rate_hz)
                    )

    def take_messages(self) -> list[str | bytes]:
        """Return what has come on the data channel since the last time."""
        messages = list(self._unread)
        self._unread.clear()
        return messages

    def send(self, text: str) -> None:
        """Send a message; dropped when nobody is there to take it, or it is too long for them."""
        channel = self._channel
        if channel is None or channel.readyState != "open":
            return
        if channel.bufferedAmount <= MAX_UNSENT_BYTES:
            try:
                channel.send(text)
            except (ValueError, InvalidStateError) as error:
                _log.info("message dropped: %s", error or type(error).__name__)

    async def flush(self) -> None:
        """Wait a moment until what was sent has left."""
        deadline = asyncio.get_running_loop().time() + FLUSH_TIMEOUT_S
        while self.is_open and self._channel is not None and self._channel.bufferedAmount:
            if asyncio.get_running_loop().time() > deadline:
                return
            await asyncio.sleep(0.01)

    async def aclose(self) -> None:
        """Close everything; the transports of an unreachable relay may take longer. Again: nothing.

        Afterwards no track asks the transport for anything.
        """
        if self._is_closed:
            return
        self._is_closed = True
        await self._closing.close(self._pc.close)

    def _on_channel(self, channel: RTCDataChannel) -> None:
        if channel.label != CHANNEL_LABEL:
            return
        self._channel = channel
        channel.on("message", self._on_message)
        channel.on("close", self._wake)
        self._wake()

    def _on_flood(self) -> None:
        self._has_flooded = True
        self._wake()

    def _on_message(self, message: str | bytes) -> None:
        self._unread.append(message)
        self._wake()


@contextmanager
def _told(loss: str) -> Iterator[None]:
    """Go on without what the library has changed, and tell the operator what that costs."""
    try:
        yield
    except LibraryChangedError as error:
        _log.warning("%s: %s", loss, error)


def _order(wanted: str, offered: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codecs in the order we like them.

    ``auto`` is VP8: every browser has it, its encoder is not under the GPL, and a call at 512 px
    takes 0.19 of a core with it against 0.27 with H.264 (whole process, Chromium as the caller).
    The caller's other codec stays as the second choice.
    """
    first = "VP8" if wanted == "auto" else wanted
    return tuple(sorted(offered, key=lambda name: name != first))


def _prefer(transceiver: RTCRtpTransceiver, names: tuple[str, ...]) -> None:
    """Allow only these codecs, in this order, and retransmission."""
    known = RTCRtpSender.getCapabilities(transceiver.kind).codecs
    by_name = [codec for name in names for codec in known if _name(codec.mimeType) == name]
    again = [codec for codec in known if _name(codec.mimeType) == "RTX"]
    transceiver.setCodecPreferences([*by_name, *again])


def _name(mime_type: str) -> str:
    return mime_type.partition("/")[2].upper()
