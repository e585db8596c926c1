"""The whole process as an operator starts and stops it: real engines, a real signal."""

import asyncio
import os
import signal
import sys

import aiohttp
import pytest

from rt_avatar.benchmarks.peer.caller import Caller
from tests.signaling.serving import ROOT, process

pytestmark = pytest.mark.network


async def test_a_signal_lets_a_call_end_in_peace_and_lets_nobody_in():
    async with (
        process("--server.drain_s", "15") as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as caller,
    ):
        await caller.call()
        server.send_signal(signal.SIGTERM)
        await caller.wait_for("notice", code="draining")
        async with http.post(f"{url}api/sessions") as response:
            assert response.status == 503
            assert (await response.json())["error"]["reason"] == "draining"
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")
        caller.send({"type": "hang_up"})
        await caller.wait_for("bye", reason="hang_up")
        async with asyncio.timeout(20):
            assert await server.wait() == 0


async def test_a_second_signal_ends_calls_at_once():
    async with (
        process("--server.drain_s", "600") as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as caller,
    ):
        await caller.call()
        server.send_signal(signal.SIGINT)
        await caller.wait_for("notice", code="draining")
        server.send_signal(signal.SIGTERM)
        await caller.wait_for("bye", reason="draining")
        async with asyncio.timeout(20):
            assert await server.wait() == 0


@pytest.mark.parametrize("section", ["server", "metrics"])
async def test_a_port_that_is_taken_is_told_in_one_line_before_anything_is_loaded(
    quiet_server, section
):
    port = quiet_server.address.rstrip("/").rsplit(":", 1)[1]
    ports = {"server": "0", "metrics": "0"} | {section: port}
    flags = [word for name in ports for word in (f"--{name}.port", ports[name])]
    second = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rt_avatar.commands.cli",
        "serve", *flags, cwd=ROOT, env={**os.environ, "COLUMNS": "500"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(60):
        output, _ = await second.communicate()
    assert second.returncode == 2
    assert f"{section}.port".encode() in output
    assert b"pocketsphinx" not in output  # which is told of when it is loaded
    assert b"Traceback" not in output


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (("llm.base_url=http://[::1", "llm.model=m"), "llm.base_url"),
        (("llm.base_url=http://x/v1", "llm.model=m", "llm.api_key=schlüssel"), "llm.api_key"),
        (("tts.kind=openai", "tts.base_url=http://x:99999", "tts.model=m"), "tts.base_url"),
    ],
)
async def test_an_endpoint_that_cannot_be_one_is_told_in_one_line_before_anything_is_loaded(
    settings, key
):
    flags = [f"--{one}" for one in ("server.port=0", *settings)]
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rt_avatar.commands.cli",
        "serve", *flags, cwd=ROOT, env={**os.environ, "COLUMNS": "500"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(60):
        output, _ = await server.communicate()
    assert server.returncode == 2
    assert f"{key}: expected".encode() in output
    assert b"pocketsphinx" not in output  # which is told of when it is loaded
    assert b"Traceback" not in output


async def test_ctrl_c_while_it_loads_ends_it_at_once_without_a_word():
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rt_avatar.commands.cli",
        "serve", "--server.port", "0", "--metrics.port", "0", cwd=ROOT, start_new_session=True,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        # A shell that was told to run the tests in its background has them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        async with asyncio.timeout(60):
            told = await server.stdout.readline()
            assert b"pocketsphinx" in told  # which is told of when it is loaded
            os.killpg(server.pid, signal.SIGINT)  # as a terminal does
            output = await server.stdout.read()
            assert await server.wait() == -signal.SIGINT
        assert output == b""
    finally:
        if server.returncode is None:
            server.kill()
