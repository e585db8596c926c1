"""Callers in processes of their own, so that their work can be told from the server's."""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final

import psutil

from rt_avatar.benchmarks.callers.camera import read_pictures
from rt_avatar.benchmarks.callers.person import Job
from rt_avatar.benchmarks.callers.record import Record
from rt_avatar.benchmarks.server import Family
from rt_avatar.benchmarks.speech import load_utterances
from rt_avatar.errors import SetupError

ANSWER_S: Final = 60.0  # for an order; a call on a machine that is full takes some seconds
LINE_BYTES: Final = 1 << 22  # a report of minutes
STOP_S: Final = 10.0
SHOWN_CHARS: Final = 2000  # of what a process said before it ended


class CallRefusedError(Exception):
    """The server did not take the call; the text has its answer."""


class CallerProcess:
    """One caller, made by ``caller_process``."""

    def __init__(self, process: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        self._process = process
        self._log = log

    @property
    def family(self) -> Family:
        """To read its processor time and memory from."""
        return Family(psutil.Process(self._process.pid))

    async def call(self) -> None:
        """Call and be connected.

        Raises:
            CallRefusedError: The server did not take it.
        """
        if error := (await self._order("call")).get("error"):
            raise CallRefusedError(error)

    async def talk(self) -> None:
        """Speak in turns from now on."""
        await self._order("talk")

    async def type(self, period_s: float, spoken_every: int) -> None:
        """Type a sentence each ``period_s`` seconds from now on; speak every so many turns."""
        await self._order("type", period_s=period_s, spoken_every=spoken_every)

    async def rest(self) -> None:
        """Say nothing from now on."""
        await self._order("rest")

    async def report(self) -> Record:
        """Return what it noticed since the last time."""
        return Record.from_json(await self._order("report"))

    async def hang_up(self) -> None:
        """End the call; another can be made."""
        await self._order("hang_up")

    async def _order(self, what: str, **details: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": what, **details}).encode() + b"\n")
        return await self.answer()

    async def answer(self) -> dict[str, Any]:
        """Wait for its next line; the first one comes when it is ready to call.

        Raises:
            SetupError: It has ended; the text has what it said.
        """
        assert self._process.stdout is not None
        async with asyncio.timeout(ANSWER_S):
            line = await self._process.stdout.readline()
        if not line:
            raise SetupError(f"a caller's process ended; it said: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-SHOWN_CHARS:].strip()


@asynccontextmanager
async def caller_process(job: Job) -> AsyncIterator[CallerProcess]:
    """Start one and wait until it is ready to call; end it on leaving."""
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "rt_avatar.benchmarks.callers.process", job.as_json(),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
            limit=LINE_BYTES,
        )  # fmt: skip
        try:
            caller = CallerProcess(process, log)
            await caller.answer()
            yield caller
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                async with asyncio.timeout(STOP_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


def check_sources(speech: Path | None, camera: Path | None) -> None:
    """Check what callers are to speak and show, before a server is started for them.

    Raises:
        BadInputError: There is no recording, or a file cannot be used.
        VoiceMissingError: There is no folder, and no voice to make utterances with.
    """
    load_utterances(speech)
    if camera is not None:
        read_pictures(camera)


def job_for(address: str, number: int, speech: Path | None, camera: Path | None) -> Job:
    """Return the job of caller ``number``: each begins with another utterance."""
    return Job(address, number, str(speech or ""), str(camera or ""))


def with_impairment(job: Job, loss: float, jitter_s: float) -> Job:
    """Return the same caller on a line that loses and delays."""
    return replace(job, loss=loss, jitter_s=jitter_s)
