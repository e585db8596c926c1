"""A real livekit-server on loopback, to measure and test with: ports and keys of its own.

It is built by ``scripts/need_livekit_server.sh`` where it is missing. It ends with the process that
started it, however that ends: the shell around it waits for a pipe to close.
"""

import asyncio
import json
import secrets
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, Self

from livekit import api

from rt_avatar.errors import SetupError

ROOT: Final = Path(__file__).resolve().parents[2]
START_S: Final = 60.0  # half a second on an idle machine; a test machine may be busy
STOP_S: Final = 10.0
# Runs the server until standard input closes or the server ends; then nothing is left of it.
_UNTIL_CLOSED: Final = """
exec 3<&0
"$@" </dev/null 3<&- & server=$!
( cat <&3; kill -9 $server ) >/dev/null 2>&1 & watch=$!
exec 3<&-
wait $server; status=$?
kill $watch 2>/dev/null
exit $status
"""


class ServerFailedError(SetupError):
    """The server cannot be had, or did not start; says why."""


@dataclass
class LiveKitAccess:
    """What lets somebody use a LiveKit server.

    Attributes:
        url: ``ws://127.0.0.1:<port>``.
        api_key: Name of a key.
        api_secret: Its secret.
    """

    url: str
    api_key: str
    api_secret: str

    def token(
        self, identity: str, room: str, *, kind: Literal["standard", "agent"] = "standard",
        attributes: dict[str, str] | None = None, ttl_s: float = 3600, **grants: Any,
    ) -> str:  # fmt: skip
        """Return a token that lets somebody into a room; ``grants`` change single rights."""
        rights = {"room_join": True, "can_update_own_metadata": True, "agent": kind == "agent"}
        token = api.AccessToken(self.api_key, self.api_secret).with_identity(identity)
        token = token.with_grants(api.VideoGrants(**{**rights, "room": room, **grants}))
        token = token.with_ttl(timedelta(seconds=ttl_s)).with_kind(kind)
        return token.with_attributes(attributes or {}).to_jwt()


class LiveKitServer(LiveKitAccess):
    """A running livekit-server with one key. Use as (async) context manager.

    Attributes:
        udp_port: Where all media goes, on 127.0.0.1.
    """

    def __init__(self) -> None:
        super().__init__("", "testkey", secrets.token_hex(32))
        self.udp_port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = TemporaryDirectory(prefix="livekit-server-")
        self._log = Path(self._folder.name) / "log.txt"

    def __enter__(self) -> Self:
        program = find_server()
        for _ in range(3):  # somebody else may take a port between finding and using it
            if self._start(program):
                return self
        raise ServerFailedError(f"livekit-server does not start:\n{self.log()}")

    def __exit__(self, *_problem: object) -> None:
        self._stop()
        self._folder.cleanup()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(self, *_problem: object) -> None:
        await asyncio.to_thread(self.__exit__)

    @property
    def pid(self) -> int:
        """Of the shell around the server."""
        assert self._process is not None
        return self._process.pid

    def log(self) -> str:
        """Return what the server has written."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def _start(self, program: str) -> bool:
        """Start it; return whether it is up, else it has ended."""
        with _free_ports() as (port, self.udp_port):
            pass
        self.url = f"ws://127.0.0.1:{port}"
        config = {
            "port": port,
            "bind_addresses": ["127.0.0.1"],
            "rtc": {
                "udp_port": self.udp_port,
                "tcp_port": 0,  # media goes one way only, so that a test can cut it
                "use_ice_lite": True,  # the same: no second way is found from the server's side
                "node_ip": "127.0.0.1",
                "use_external_ip": False,
                "enable_loopback_candidate": True,
                "ips": {"includes": ["127.0.0.1/32"]},
                "stun_servers": ["127.0.0.1:9"],  # else clients are told to ask public ones
            },
            "keys": {self.api_key: self.api_secret},
            "room": {"departure_timeout": 2},
        }
        command = [program, "--config-body", json.dumps(config)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", _UNTIL_CLOSED, "sh", *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if self._is_healthy(f"http://127.0.0.1:{port}/"):
            return True
        self._stop()
        return False

    def _is_healthy(self, url: str) -> bool:
        """Wait until it answers; return False when it ended before."""
        assert self._process is not None
        for _ in range(round(START_S / 0.05)):
            try:
                self._process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
            else:
                return False
            try:
                with urllib.request.urlopen(url, timeout=5) as response:
                    return bool(response.status == 200)
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                continue
        return False

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def find_server() -> str:
    """Return the path of livekit-server; it is built if it is not there yet.

    Raises:
        ServerFailedError: It cannot be built here; says what to install.
    """
    script = ROOT / "scripts" / "need_livekit_server.sh"
    if not script.exists():  # installed without the checkout
        if found := shutil.which("livekit-server"):
            return found
        raise ServerFailedError(
            "expected livekit-server on the path, found none; install it, or run from a checkout, "
            "which builds it"
        )
    done = subprocess.run(["sh", str(script)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServerFailedError(done.stderr.strip())
    return done.stdout.splitlines()[-1]


@contextmanager
def _free_ports() -> Iterator[tuple[int, int]]:
    """Return a TCP and a UDP port of 127.0.0.1 that nobody uses; they are free on leaving."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        yield tcp.getsockname()[1], udp.getsockname()[1]
