"""Somebody's agent program (``agents``) in a process of its own, as it is in life.

In the caller's process it would stall what the caller hears and sees: while an agent sends a
segment, the callers' jitter buffers grew by 30 to 150 ms. It is told what to do, and tells what
happened, in lines of JSON over its pipes; moments are of the monotonic clock, which all processes
of a machine share. It ends when its input does.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from rt_avatar.benchmarks.livekit.agents import AgentProgram, agent_program
from rt_avatar.benchmarks.livekit.server import LiveKitAccess
from rt_avatar.engines.sync_test import SyncTestVoice
from rt_avatar.signaling.livekit.worker import outlive_callbacks

READY_S: Final = 60.0  # imports, joining, and the avatar's coming
END_S: Final = 10.0


@dataclass
class RunningProgram:
    """An agent with its avatar, in a process of its own.

    Attributes:
        asked_s: When the program began to ask for the avatar.
        heard_s: When its ears heard the beginning of each passage.
        played_s: What the avatar told of each segment that is over: seconds of it that were played.
    """

    process: asyncio.subprocess.Process
    asked_s: float = 0.0
    heard_s: list[float] = field(default_factory=list)
    played_s: list[float] = field(default_factory=list)
    _done: dict[int, asyncio.Future[None]] = field(default_factory=dict)

    async def begin(self, following: asyncio.Task[None]) -> None:
        """Wait until it has begun.

        Raises:
            RuntimeError: It ended instead, or has not begun in a minute.
        """
        ready = self._order("begin")
        await asyncio.wait({ready, following}, timeout=READY_S, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            raise RuntimeError(
                "the agent's program: expected it to begin, got "
                f"{'no word of it' if self.process.returncode is None else 'its end'}; "
                "`python -m rt_avatar.benchmarks.livekit.program` says why"
            )

    async def end(self) -> None:
        """Let it leave and end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            async with asyncio.timeout(END_S):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()

    def say(self, text: str) -> asyncio.Future[None]:
        """Let it say something; done when that is over, played or not."""
        return self._order("say", text)

    def interrupt(self) -> None:
        """Let it interrupt what it says."""
        self._order("interrupt")

    def quiet(self) -> asyncio.Future[None]:
        """Return what is done when it says nothing any more."""
        return self._order("quiet")

    def _order(self, what: str, text: str = "") -> asyncio.Future[None]:
        number = len(self._done)
        self._done[number] = asyncio.get_running_loop().create_future()
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([number, what, text]).encode() + b"\n")
        return self._done[number]

    async def follow(self) -> None:
        """Take what it tells, until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            kind, value = json.loads(line)
            match kind:
                case "done":
                    if not (done := self._done[value]).done():  # who awaited it may have given up
                        done.set_result(None)
                case "asked":
                    self.asked_s = value
                case "heard":
                    self.heard_s.append(value)
                case "played":
                    self.played_s.append(value)


@asynccontextmanager
async def running_program(
    livekit: LiveKitAccess, room: str, agent: str, *replies: str,
    hears: tuple[str, ...] = (), claps: bool = False, thinks_s: float = 0.0,
) -> AsyncIterator[RunningProgram]:  # fmt: skip
    """Run an agent in a room; ready when its avatar was asked for and its session has begun.

    Args:
        livekit: Where the room is.
        room: Its name.
        agent: Name of the avatar's worker.
        replies: What it answers, one after the other.
        hears: What it hears in loud passages, one after the other.
        claps: Whether its voice claps; else it is espeak's.
        thinks_s: How long it thinks before it answers.
    """
    settings = {
        "access": [livekit.url, livekit.api_key, livekit.api_secret],
        "room": room, "agent": agent, "replies": replies, "hears": hears, "claps": claps,
        "thinks_s": thinks_s,
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rt_avatar.benchmarks.livekit.program", json.dumps(settings),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    program = RunningProgram(process)
    async with asyncio.TaskGroup() as group:
        following = group.create_task(program.follow())
        try:
            await program.begin(following)
            yield program
        finally:
            await program.end()


async def _serve(settings: dict[str, Any]) -> None:
    """Do what the lines of standard input say, until it ends."""
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with (
        agent_program(
            LiveKitAccess(*settings["access"]), settings["room"], settings["agent"],
            *settings["replies"],
            hears=tuple(settings["hears"]), voice=SyncTestVoice() if settings["claps"] else None,
            thinks_s=settings["thinks_s"],
        ) as program,
        asyncio.TaskGroup() as group,
    ):  # fmt: skip
        _tell("asked", program.asked_s)
        program.stt.on_heard = lambda at_s: _tell("heard", at_s)
        assert program.session.output.audio is not None
        program.session.output.audio.on(
            "playback_finished", lambda news: _tell("played", news.playback_position)
        )
        doing: set[asyncio.Task[None]] = set()
        while line := await lines.readline():
            number, what, text = json.loads(line)
            doing.add(group.create_task(_do(program, number, what, text)))
        for task in doing:
            task.cancel()


async def _do(program: AgentProgram, number: int, what: str, text: str) -> None:
    """Follow one order, and tell when it is done."""
    match what:
        case "say":
            await program.session.say(text)
        case "interrupt":
            program.session.interrupt()
        case "quiet":
            while (speech := program.session.current_speech) is not None:
                await speech.wait_for_playout()
    _tell("done", number)


def _tell(kind: str, value: float) -> None:
    print(json.dumps([kind, value]), flush=True)


if __name__ == "__main__":
    outlive_callbacks()
    asyncio.run(_serve(json.loads(sys.argv[1])))
