"""An agent's speech in the room → the avatar runner; its playback events → the agent.

The agent sends each segment as one byte stream (``lk.audio_stream``, int16), stops everything with
one procedure (``lk.clear_buffer``), and waits for exactly one ``lk.playback_finished`` for each: if
one is lost, it hangs. So every stream of the agent becomes one segment of the avatar runner, which
tells of each once, whatever happens.

An agent that was away may be the same program, whose line was lost, or another one of its name. The
same waits for what it has said: that goes on playing, and what has ended meanwhile is told at its
return. Before the last segment is over, or cleared, it begins no other. So one that does is another
program, which counts from here: what is left from before falls silent, and is told to nobody.

It stands where livekit-agents' ``DataStreamAudioReceiver`` would. That keeps its handlers in one
table for all rooms of a process, loses the count of segments in a clear, and ends for good when one
message cannot be delivered or one stream is malformed (1.8.9, ``voice/avatar/_datastream_io.py``).
"""

import asyncio
import json
import logging
from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np
from livekit import rtc

from rt_avatar.avatar_runner.runner import AvatarRunner, SegmentEvent
from rt_avatar.engines.types import SPEECH_RATE_HZ
from rt_avatar.errors import BadInputError
from rt_avatar.media_io import MediaEndedError
from rt_avatar.signaling.livekit.agents_private import (
    AUDIO_STREAM_TOPIC,
    RPC_CLEAR_BUFFER,
    RPC_PLAYBACK_FINISHED,
    RPC_PLAYBACK_STARTED,
)
from rt_avatar.signaling.livekit.names import RPC_PING

_log = logging.getLogger(__name__)

# No chunk and no end of a stream for so long: its end was lost. Sound comes faster than it plays,
# so only a stalled voice is that late. As livekit-agents has it (STREAM_IDLE_TIMEOUT).
IDLE_S: Final = 10.0
# The same, once the next stream has begun: chunks of two streams are handed over by two tasks of
# the library, so the rest of the first may be some milliseconds behind.
REST_S: Final = 1.0
# A message that was not delivered is sent again, so often. One that may have been is not: a second
# "finished" would end the agent's next segment.
ATTEMPTS: Final = 3
RETRY_S: Final = 0.2
RESPONSE_S: Final = 5.0
_UNDELIVERED: Final = frozenset({
    rtc.RpcError.ErrorCode.SEND_FAILED,
    rtc.RpcError.ErrorCode.CONNECTION_TIMEOUT,
    rtc.RpcError.ErrorCode.RECIPIENT_NOT_FOUND,
})  # fmt: skip
_NO_SOUND: Final = np.zeros(0, np.int16)


@dataclass(slots=True, eq=False)
class _Stream:
    """A segment on its way."""

    reader: rtc.ByteStreamReader
    has_sound: bool = False
    is_superseded: bool = False  # a newer one has begun
    has_lost_end: bool = False
    is_dropped: bool = False  # by a clear, which has told of it
    limit: asyncio.Timeout | None = None  # of the chunk that is waited for


class AgentSpeech:
    """One agent's speech. ``run`` lasts as long as the runner; ``close`` removes the handlers.

    Handlers are registered at once, so that nothing is missed of an agent that waits for our track.
    Only the agent is obeyed: streams of others are dropped, their clears refused.
    """

    def __init__(self, room: rtc.Room, agent: str, runner: AvatarRunner) -> None:
        self._room = room
        self._agent = agent
        self._runner = runner
        self._streams: deque[_Stream] = deque()  # not begun; the sound waits in the library
        self._current: _Stream | None = None
        self._has_stream = asyncio.Event()
        self._wants_started = True
        self._is_here = asyncio.Event()  # the agent; or it has never been
        self._is_here.set()
        self._was_away = False  # since it has last begun or cleared a segment
        self._forgotten = 0  # number of the last segment that another program has said
        room.on("participant_connected", self._on_connected)
        room.on("participant_disconnected", self._on_disconnected)
        room.register_byte_stream_handler(AUDIO_STREAM_TOPIC, self._on_stream)
        room.local_participant.register_rpc_method(RPC_CLEAR_BUFFER, self._on_clear)
        room.local_participant.register_rpc_method(RPC_PING, lambda _call: "ok")

    async def run(self) -> None:
        """Recite and tell until the avatar runner is over and all was told."""
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read())
            await self._tell()
            reading.cancel()

    def close(self) -> None:
        """Let the room forget the handlers."""
        self._room.off("participant_connected", self._on_connected)
        self._room.off("participant_disconnected", self._on_disconnected)
        self._room.unregister_byte_stream_handler(AUDIO_STREAM_TOPIC)
        for method in (RPC_CLEAR_BUFFER, RPC_PING):
            self._room.local_participant.unregister_rpc_method(method)
        self._end_streams()

    # --- sound in -----------------------------------------------------------------------------
    async def _read(self) -> None:
        while True:
            while not self._streams:
                self._has_stream.clear()
                await self._has_stream.wait()
            stream = self._current = self._streams.popleft()
            try:
                is_complete = await self._forward(stream)
            finally:
                self._current = None
                stream.reader.close()
            if stream.is_dropped:
                continue
            if is_complete and not stream.has_sound:
                self._runner.say(_NO_SOUND, SPEECH_RATE_HZ)  # it is waited for all the same
            self._runner.end_segment()

    async def _forward(self, stream: _Stream) -> bool:
        """Pass on a stream; return False when the agent does not wait for it any more."""
        try:
            rate_hz, channels = _format_of(stream.reader.info)
            rest = b""
            while (chunk := await self._next_chunk(stream)) is not None:
                if stream.is_dropped:
                    break  # the clear came between the chunk's arrival and its turn here
                data = rest + chunk
                whole = len(data) // (2 * channels) * 2 * channels
                rest = data[whole:]
                pcm = np.frombuffer(data[:whole], np.int16).reshape(-1, channels)
                if len(pcm):
                    self._runner.say(pcm, rate_hz)
                    stream.has_sound = True
        except BadInputError as error:
            _log.warning("the agent's speech is not played: %s", error)
        return not (stream.has_lost_end and stream.is_superseded)

    async def _next_chunk(self, stream: _Stream) -> bytes | None:
        """Wait for more of a stream; None at its end, or when its end is not coming."""
        wait_s = REST_S if stream.is_superseded else IDLE_S
        try:
            async with asyncio.timeout(wait_s) as stream.limit:
                return await anext(stream.reader)
        except StopAsyncIteration:
            return None
        except rtc.StreamError as error:
            _log.warning("the agent's speech broke off: %s", error)
        except TimeoutError:
            _log.warning("the agent's speech has lost its end; played as far as it came")
            stream.has_lost_end = True
        return None

    # --- the library's events -----------------------------------------------------------------
    def _on_connected(self, participant: rtc.RemoteParticipant) -> None:
        if participant.identity == self._agent:
            self._end_streams()  # that one has left is not always told before it is back
            self._is_here.set()

    def _on_disconnected(self, participant: rtc.RemoteParticipant) -> None:
        if participant.identity == self._agent:
            self._is_here.clear()
            self._end_streams()

    def _on_stream(self, reader: rtc.ByteStreamReader, sender: str) -> None:
        if sender != self._agent:
            reader.close()
            return
        if self._was_away:
            self._was_away = False
            self._drop_all()
            self._forgotten = self._runner.segments
        for older in self._all_streams():
            older.is_superseded = True
        limit = self._current.limit if self._current is not None else None
        if limit is not None and not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time() + REST_S)
        self._streams.append(_Stream(reader))
        self._has_stream.set()

    def _on_clear(self, call: rtc.RpcInvocationData) -> str:
        """Be silent now; everything the agent has sent so far is over."""
        if call.caller_identity != self._agent:
            return "reject"
        self._was_away = False  # it knows what it has said
        self._runner.end_segment()
        for stream in self._all_streams():
            if not stream.has_sound:
                self._runner.say(_NO_SOUND, SPEECH_RATE_HZ)
                self._runner.end_segment()
        self._drop_all()
        return "ok"

    def _drop_all(self) -> None:
        """Be silent, and read no more of what has come."""
        for stream in self._all_streams():
            stream.is_dropped = True
            stream.reader.close()
        self._streams.clear()
        self._runner.stop()

    def _end_streams(self) -> None:
        """What has come of the agent's speech is all that will come."""
        self._was_away = True
        for stream in self._all_streams():
            stream.reader.close()

    def _all_streams(self) -> list[_Stream]:
        """Return what is not told of yet, oldest first."""
        current = self._current
        begun = [] if current is None or current.is_dropped else [current]
        return [*begun, *self._streams]

    # --- news out -----------------------------------------------------------------------------
    async def _tell(self) -> None:
        """Tell the agent what was played, in order, until the avatar runner is over."""
        while True:
            try:
                news = await self._runner.next_event()
            except MediaEndedError:
                return
            if news.kind == "finished":
                await self._call(news, RPC_PLAYBACK_FINISHED, _finished(news))
            elif self._wants_started:
                await self._call(news, RPC_PLAYBACK_STARTED, "")

    async def _call(self, news: SegmentEvent, method: str, payload: str) -> None:
        """Call the agent once it is here; what cannot be delivered is logged and forgotten."""
        for attempt in range(ATTEMPTS):
            await self._is_here.wait()
            if news.segment <= self._forgotten:
                return
            try:
                await self._room.local_participant.perform_rpc(
                    destination_identity=self._agent,
                    method=method,
                    payload=payload,
                    response_timeout=RESPONSE_S,
                )
                return
            except rtc.RpcError as error:
                if error.code == rtc.RpcError.ErrorCode.UNSUPPORTED_METHOD:
                    # Its output was made without ``wait_playback_start``: it does not want to know.
                    self._wants_started = self._wants_started and method != RPC_PLAYBACK_STARTED
                    return
                if error.code not in _UNDELIVERED or attempt == ATTEMPTS - 1:
                    _log.warning("the agent could not be told %s: %s", method, error)
                    return
            await asyncio.sleep(RETRY_S)


def _format_of(info: rtc.ByteStreamInfo) -> tuple[int, int]:
    """Return rate and channels of a stream.

    Raises:
        BadInputError: The stream does not say what it is.
    """
    attributes = info.attributes or {}
    values = attributes.get("sample_rate", ""), attributes.get("num_channels", "")
    if not all(one.isascii() and one.isdecimal() and 0 < len(one) < 8 for one in values):
        raise BadInputError(
            f"{AUDIO_STREAM_TOPIC}: expected the attributes sample_rate and num_channels with "
            f"whole numbers; got {values[0]!r} and {values[1]!r}",
            reason="bad_audio",
        )
    rate_hz, channels = int(values[0]), int(values[1])
    if not 1 <= channels <= 8:
        raise BadInputError(
            f"{AUDIO_STREAM_TOPIC}: expected 1 to 8 channels, got {channels}", reason="bad_audio"
        )
    return rate_hz, channels


def _finished(news: SegmentEvent) -> str:
    """Return the payload of ``lk.playback_finished``."""
    return json.dumps({
        "playback_position": round(news.position_s, 4),
        "interrupted": news.was_interrupted,
        "synchronized_transcript": None,
    })  # fmt: skip
