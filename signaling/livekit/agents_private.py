"""All that we use of livekit-agents and that it keeps private (1.8.9), and nothing else.

Names on the wire between an agent and its avatar, upstream's own output to a room, a job that the
server ends or that never began, whether a worker is connected, and how far an output's speech has
come. Raises ``LibraryChangedError`` when the version that is installed keeps it elsewhere.
"""

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from livekit import agents, rtc
from livekit.agents.voice.avatar import AvatarSession, DataStreamAudioOutput
from livekit.protocol import agent as protocol

from rt_avatar.signaling.private_api import PrivateNames

if TYPE_CHECKING:
    from livekit.agents.voice.room_io import _ParticipantAudioOutput as RoomAudioOutput

_AGENTS: Final = PrivateNames("livekit-agents", "1.8.9", "signaling/livekit/agents_private.py")


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise _AGENTS.changed(name) from error


# --- the wire between an agent and its avatar -----------------------------------------------------
_WIRE: Final = _module("livekit.agents.voice.avatar._datastream_io")
AUDIO_STREAM_TOPIC: Final[str] = _AGENTS.get(_WIRE, "AUDIO_STREAM_TOPIC")
RPC_CLEAR_BUFFER: Final[str] = _AGENTS.get(_WIRE, "RPC_CLEAR_BUFFER")
RPC_PLAYBACK_FINISHED: Final[str] = _AGENTS.get(_WIRE, "RPC_PLAYBACK_FINISHED")
RPC_PLAYBACK_STARTED: Final[str] = _AGENTS.get(_WIRE, "RPC_PLAYBACK_STARTED")


# --- an agent's outputs and its avatar ------------------------------------------------------------
def make_room_output(room: rtc.Room, sample_rate_hz: int, track_name: str) -> "RoomAudioOutput":
    """Return upstream's output of mono speech to a room, as a microphone's track of that name."""
    output_class = _AGENTS.get(_module("livekit.agents.voice.room_io"), "_ParticipantAudioOutput")
    output: RoomAudioOutput = output_class(
        room,
        sample_rate=sample_rate_hz,
        num_channels=1,
        track_publish_options=rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE),
        track_name=track_name,
    )
    return output


def pending_playbacks(output: DataStreamAudioOutput) -> int:
    """Return for how many segments the avatar has not answered yet."""
    return int(_AGENTS.get(output, "_pending_playback_count"))


def pushed_s(output: DataStreamAudioOutput) -> float:
    """Return how much of the current segment was handed over, in seconds."""
    return float(_AGENTS.get(output, "_pushed_duration"))


def joining(session: AvatarSession[Any]) -> asyncio.Task[None] | None:
    """Return the task in which a started session waits for its avatar's track."""
    task: asyncio.Task[None] | None = _AGENTS.get(session, "_wait_avatar_join_task")
    return task


def room_of(session: AvatarSession[Any]) -> rtc.Room | None:
    """Return the room that a session was started in."""
    room: rtc.Room | None = _AGENTS.get(session, "_room")
    return room


# --- the worker -----------------------------------------------------------------------------------
def is_connecting(server: agents.AgentServer) -> bool:
    """Return whether a running worker has lost the LiveKit server, or not reached it yet."""
    return bool(_AGENTS.get(server, "_connecting"))


def watch_terminations(server: agents.AgentServer, look: Callable[[str], None]) -> None:
    """Tell the id of each job that the LiveKit server ends to ``look``, before it is ended."""
    handle = _AGENTS.get(server, "_handle_termination")

    async def noted(message: protocol.JobTermination) -> None:
        look(message.job_id)
        await handle(message)

    _AGENTS.replace(server, "_handle_termination", noted)  # looked up for every message


def end_thread(server: agents.AgentServer, job_id: str) -> None:
    """Let the thread of a job end that never began; nothing but its closed channel ends it."""
    executor = _AGENTS.get(server, "_proc_pool").get_by_job_id(job_id)
    if executor is not None:
        _AGENTS.get(_AGENTS.get(executor, "_pch"), "_writer").close()
