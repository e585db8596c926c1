"""Skew in the times that a sender tells: a caller without a browser, exact and cheap.

Whatever jitter the line and the machine add, a receiver knows only the RTP times of what it got and
the sender's reports; so this says where a perfect receiver would show a flash and play its clap.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

import aiohttp
import numpy as np
from aiortc import MediaStreamTrack
from aiortc.mediastreams import MediaStreamError
from aiortc.rtp import RtcpSrPacket
from numpy.typing import NDArray

from rt_avatar.benchmarks.browser.mouth import mouth_opening
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.server import Server
from rt_avatar.benchmarks.sync.analysis import Pairs, find_claps, find_flashes, pair
from rt_avatar.benchmarks.sync.clock import SenderClock
from rt_avatar.benchmarks.sync.speech import Curves
from rt_avatar.benchmarks.sync.talk import Prompter, Said
from rt_avatar.engines.types import FPS, WIRE_RATE_HZ
from rt_avatar.signaling.aiortc_private import replace_timestamp_mapper, watch_rtcp
from rt_avatar.signaling.media_tracks import VIDEO_RATE_HZ

# One period of the clap's tone: its RMS does not depend on where in the tone a block begins.
BLOCK_SAMPLES: Final = WIRE_RATE_HZ // 1000
BLOCK_S: Final = BLOCK_SAMPLES / WIRE_RATE_HZ
_LOOK_S: Final = 0.1  # between looks at what the server has said; the gap between two replies
_SPARSE: Final = 8  # px: every eighth pixel of every eighth line tells a flash


@dataclass(slots=True)
class Recorded:
    """What came, by its RTP times without wraps.

    Attributes:
        sound: Clock of the sound, 48 kHz.
        pictures: Clock of the pictures, 90 kHz.
        sound_rtp: Stamps of packets of sound.
        rms: (blocks,) each, 0..1, of each packet's milliseconds.
        picture_rtp: Stamps of pictures.
        brightness: Their mean luma, 0..255.
        mouth: How open the mouth looks in them, 0..1.
        exchanges: What was typed and answered, by the wall clock of ``sound``.
    """

    sound: SenderClock = field(default_factory=lambda: SenderClock(WIRE_RATE_HZ))
    pictures: SenderClock = field(default_factory=lambda: SenderClock(VIDEO_RATE_HZ))
    sound_rtp: list[int] = field(default_factory=list)
    rms: list[NDArray[np.float64]] = field(default_factory=list)
    picture_rtp: list[int] = field(default_factory=list)
    brightness: list[float] = field(default_factory=list)
    mouth: list[float] = field(default_factory=list)
    exchanges: list[Said] = field(default_factory=list)

    def curves(self) -> Curves:
        """Return loudness, mouth and brightness on the sender's wall clock."""
        empty = np.zeros(0)
        if not self.sound_rtp or not self.picture_rtp:
            return Curves(empty, empty, empty, empty)
        blocks = np.arange(len(self.rms[0])) * BLOCK_SAMPLES
        at = (np.array(self.sound_rtp, np.float64)[:, None] + blocks).ravel()
        shown_s = self.pictures.wall_s(np.array(self.picture_rtp, np.float64))
        return Curves(
            self.sound.wall_s(at), np.concatenate(self.rms), shown_s, np.array(self.mouth)
        )

    def pairs(self) -> Pairs:
        """Return claps and flashes on the sender's wall clock."""
        curves = self.curves()
        claps_s = find_claps(curves.sound_at_s, curves.rms, BLOCK_S)
        return pair(claps_s, find_flashes(curves.picture_at_s, np.array(self.brightness)))


class TimedCaller(Caller):
    """A caller that notes the RTP times of all it is sent, and the sender's reports."""

    def __init__(self, url: str, http: aiohttp.ClientSession) -> None:
        super().__init__(url, http)
        self.recorded = Recorded()

    def _on_track(self, track: MediaStreamTrack) -> None:
        recorded, is_sound = self.recorded, track.kind == "audio"
        receiver = next(
            transceiver.receiver
            for transceiver in self.pc.getTransceivers()
            if transceiver.receiver.track is track
        )
        _watch(receiver, recorded.sound if is_sound else recorded.pictures)
        self.start(self._note_sound(track) if is_sound else self._note_pictures(track))

    async def _note_sound(self, track: MediaStreamTrack) -> None:
        while (frame := await _next(track)) is not None:
            mono = frame.to_ndarray().reshape(-1, 2)[:, 0] / 32768
            power = np.mean(mono.reshape(-1, BLOCK_SAMPLES) ** 2, axis=1)
            self.recorded.sound_rtp.append(frame.pts)
            self.recorded.rms.append(np.sqrt(power))
            self._news.set()

    async def _note_pictures(self, track: MediaStreamTrack) -> None:
        while (frame := await _next(track)) is not None:
            luma = _luma(frame)
            self.recorded.picture_rtp.append(frame.pts)
            self.recorded.brightness.append(float(luma[::_SPARSE, ::_SPARSE].mean()))
            self.recorded.mouth.append(mouth_opening(luma))
            self.pictures += 1
            self._news.set()


async def _next(track: MediaStreamTrack) -> Any | None:
    try:
        return await track.recv()
    except MediaStreamError:
        return None


def _luma(frame: Any) -> NDArray[np.uint8]:
    """Return a decoded picture's luma as it was sent, in limited range."""
    plane = frame.planes[0]
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[:, : frame.width]


def _watch(receiver: Any, clock: SenderClock) -> None:
    """Let a receiver keep its stamps as they came, and tell its sender's reports.

    Raises:
        LibraryChangedError: The library keeps them elsewhere now.
    """

    def note(packet: Any) -> None:
        if isinstance(packet, RtcpSrPacket):
            clock.report(packet.sender_info.ntp_timestamp, packet.sender_info.rtp_timestamp)

    replace_timestamp_mapper(receiver, clock)
    watch_rtcp(receiver, note)


async def record_call(
    server: Server, length_s: float, on_progress: Callable[[float], None] = lambda at_s: None
) -> Recorded:
    """Call, keep the avatar talking for so long, hang up.

    Args:
        server: Whom.
        length_s: How long.
        on_progress: Told now and then how much of it has passed.
    """
    async with aiohttp.ClientSession() as http:
        caller = TimedCaller(server.address, http)
        async with caller:
            await caller.call()
            await caller.until(lambda: caller.pictures >= FPS and len(caller.recorded.rms) > 0)
            await _keep_talking(caller, length_s, on_progress)
            caller.send({"type": "hang_up"})
        return caller.recorded


def _heard_up_to(recorded: Recorded) -> float:
    return float(recorded.sound_rtp[-1]) if recorded.sound_rtp else 0.0


async def _keep_talking(
    caller: TimedCaller, length_s: float, on_progress: Callable[[float], None]
) -> None:
    loop = asyncio.get_running_loop()
    begin_s = loop.time()
    prompter = Prompter()
    while (now_s := loop.time()) < begin_s + length_s:
        on_progress(now_s - begin_s)
        for message in caller.messages:
            prompter.note(message, _heard_up_to(caller.recorded))
        caller.messages.clear()
        if (words := prompter.due(now_s)) is not None:
            caller.send(words)
        await asyncio.sleep(_LOOK_S)
    stamps = np.array([said.at_s for said in prompter.exchanges])
    wall_s = caller.recorded.sound.wall_s(stamps)
    caller.recorded.exchanges = [
        replace(said, at_s=float(at_s))
        for said, at_s in zip(prompter.exchanges, wall_s, strict=True)
    ]
