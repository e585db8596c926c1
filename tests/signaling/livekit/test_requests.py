"""What a participant asks for by RPC: done, or refused with words."""

import asyncio
from types import SimpleNamespace

import pytest
from livekit import rtc

from rt_avatar.config.settings import Settings
from rt_avatar.services.portraits import Portraits
from rt_avatar.signaling.livekit.names import RPC_SET_PERSONA
from rt_avatar.signaling.livekit.requests import Requests

pytestmark = pytest.mark.unit


class ScriptedRoom:
    """Stands for the SDK's room and its local participant; keeps who handles what."""

    def __init__(self) -> None:
        self.local_participant = self
        self.methods = {}

    def register_text_stream_handler(self, topic, handler):
        pass

    def register_rpc_method(self, name, handler):
        self.methods[name] = handler


async def test_people_who_are_changed_without_end_are_refused():
    room, asked = ScriptedRoom(), []
    requests = Requests(room, lambda *_: None, lambda: None, Portraits(Settings()))
    session = SimpleNamespace(set_persona=asked.append)
    running = asyncio.ensure_future(requests.run(session, "caller"))
    await asyncio.sleep(0)
    call = SimpleNamespace(caller_identity="caller", payload="rose")
    for _ in range(10):
        assert await room.methods[RPC_SET_PERSONA](call) == "ok"
    with pytest.raises(rtc.RpcError, match="expected at most 30 people a minute; wait"):
        await room.methods[RPC_SET_PERSONA](call)
    assert asked == ["rose"] * 10
    running.cancel()
