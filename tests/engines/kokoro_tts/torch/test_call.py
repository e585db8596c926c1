"""A call in Kokoro's voice: exported graphs with few random numbers, a real server, a real peer."""

import aiohttp
import pytest

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.server import running_server
from tests.calls.test_voice_call import audible_after
from tests.conftest import BUSY

pytestmark = pytest.mark.networks


async def test_who_calls_kokoro_is_answered_in_its_voice_with_words_in_time(exported):
    voice = ("--tts.kind", "kokoro", "--tts.model", str(exported), "--tts.voice", "af_bella+af_sky")
    with running_server(*BUSY, *voice, "--avatar.greeting", "false") as server:
        async with aiohttp.ClientSession() as http, Caller(server.address, http) as caller:
            await caller.call()
            caller.send({"type": "text", "text": "Hello, how are you?"})
            said = await caller.wait_for("caption", role="avatar", final=True)
            trace = await caller.wait_for("trace")
    assert len(said["text"].split()) >= 4
    assert len(audible_after(caller, 0.0)) * 0.02 > 0.1 * len(said["text"].split())
    assert trace["interrupted_at_ms"] is None
