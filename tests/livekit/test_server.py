import asyncio
import os
import signal
import subprocess
import sys

import pytest
from livekit import api, rtc

from tests.livekit.server import ROOT, LiveKitServer

pytestmark = pytest.mark.network


async def test_somebody_with_a_token_gets_in(livekit, room_name):
    room = rtc.Room()
    await room.connect(livekit.url, livekit.token("ann", room_name))
    assert (room.name, room.local_participant.identity) == (room_name, "ann")
    http = livekit.url.replace("ws", "http", 1)
    async with api.LiveKitAPI(http, livekit.api_key, livekit.api_secret) as admin:
        there = await admin.room.list_participants(api.ListParticipantsRequest(room=room_name))
    assert [one.identity for one in there.participants] == ["ann"]
    await room.disconnect()


async def test_a_token_of_another_key_does_not(livekit, room_name):
    stranger = api.AccessToken("testkey", "x" * 32).with_identity("eve")
    token = stranger.with_grants(api.VideoGrants(room_join=True, room=room_name)).to_jwt()
    with pytest.raises(rtc.ConnectError):
        await rtc.Room().connect(livekit.url, token)


async def test_two_servers_run_side_by_side_and_end():
    async with LiveKitServer() as one, LiveKitServer() as two:
        assert one.url != two.url
    for server in (one, two):
        host, port = server.url.removeprefix("ws://").split(":")
        with pytest.raises(OSError):  # noqa: PT011 -- which one differs between systems
            await asyncio.open_connection(host, int(port))


def test_the_server_ends_with_a_process_that_is_killed():
    code = (
        "from tests.livekit.server import LiveKitServer;"
        "server = LiveKitServer().__enter__(); print(server.url, flush=True); input()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdin is not None
    port = int(process.stdout.readline().rsplit(":", 1)[1])
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    async def until_gone() -> None:
        async with asyncio.timeout(20):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    return
                writer.close()
                await asyncio.sleep(0.05)  # nobody tells that a stranger's process has ended

    asyncio.run(until_gone())
