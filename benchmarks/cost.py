"""What a server costs: installation, cold start, memory and CPU at rest, idle in a call, in talk.

    python -m benchmarks.cost [--speech FOLDER] [--calls 2] [--turns 200]

CPU is the machine's less the benchmark's own, in percent of one core: run it on a machine that does
nothing else. Memory is resident memory with shared pages counted once. "Talk" alternates speech of
the caller and replies.
The growth is the difference of memory over so many typed turns, after the first fifty.
"""

import argparse
import asyncio
import itertools
import sysconfig
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Final

import aiohttp
import psutil
from rich.progress import track

from benchmarks.caller import Caller
from benchmarks.report import percentile, publish
from benchmarks.server import Server, running_server
from benchmarks.speech import Utterance, load_utterances

WINDOW_S: Final = 10.0
SETTLE_S: Final = 3.0
WARM_TURNS: Final = 50
PACE_S: Final = 0.15  # the server takes 20 messages a second from a caller


async def cpu_percent(seconds: float = WINDOW_S) -> float:
    """Return what the machine computes less what this benchmark does, in percent of one core.

    Not the server's own count: the recogniser's short-lived processes would be missing from it.
    """
    before = _busy_s()
    await asyncio.sleep(seconds)
    return 100 * (_busy_s() - before) / seconds


def _busy_s() -> float:
    times = psutil.cpu_times()
    own = sum(psutil.Process().cpu_times()[:2])
    return float(times.user + times.system + times.nice - own)


async def talk(caller: Caller, utterances: list[Utterance], until: asyncio.Event) -> None:
    """Speak, let the avatar answer, speak again, until told to stop."""
    index = 0
    while not until.is_set():
        _, end_s = caller.microphone.play(utterances[index % len(utterances)].pcm)
        await asyncio.sleep(end_s - asyncio.get_running_loop().time() + 0.1)
        caller.messages.clear()
        with suppress(TimeoutError):
            await caller.wait_for("state", timeout_s=8, state="listening")
        caller.sound.clear()
        caller.sound_at_s.clear()
        index += 1


async def typed_turns(caller: Caller, server: Server, turns: int) -> list[float]:
    """Type and interrupt so many turns; return the memory after each tenth."""
    memory = []
    for turn in track(range(turns), description="typed turns"):
        caller.messages.clear()
        caller.sound.clear()
        caller.sound_at_s.clear()
        caller.send({"type": "text", "text": f"This is sentence number {turn}."})
        await caller.wait_for("state", state="speaking")
        caller.send({"type": "interrupt"})
        await caller.wait_for("trace")
        await asyncio.sleep(PACE_S)
        if turn % 10 == 9:
            memory.append(server.memory_mib())
    return memory


async def measure(
    server: Server, utterances: list[Utterance], calls: int, turns: int
) -> dict[str, float]:
    """Measure at rest, with one call and with several."""
    figures: dict[str, float] = {"cold_start_s": server.cold_start_s}
    await asyncio.sleep(SETTLE_S)
    figures["rest_mib"] = server.memory_mib()
    figures["rest_cpu"] = await cpu_percent()
    memory = [figures["rest_mib"]]
    async with aiohttp.ClientSession() as http, AsyncExitStack() as stack:
        callers = []
        for index in range(calls):
            caller = await stack.enter_async_context(Caller(server.address, http, has_camera=True))
            await caller.call()
            callers.append(caller)
            await asyncio.sleep(SETTLE_S)
            if index == 0:
                figures["idle_cpu"] = await cpu_percent()
            stop = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                group.create_task(talk(caller, utterances, stop))
                await asyncio.sleep(SETTLE_S)
                cpu = await cpu_percent(2 * WINDOW_S)
                stop.set()
            if index == 0:
                figures["talk_cpu"] = cpu
            memory.append(server.memory_mib())
        figures["call_mib"] = percentile([b - a for a, b in itertools.pairwise(memory)], 50)
        figures["first_call_mib"] = memory[1] - memory[0]
        if turns:
            grown = await typed_turns(callers[0], server, turns)
            figures["growth_mib"] = grown[-1] - grown[min(WARM_TURNS // 10, len(grown) - 1)]
    return figures


def installation_mib() -> float:
    """Return the size of the environment that runs this."""
    folder = Path(sysconfig.get_paths()["purelib"])
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20


def main() -> None:
    """Measure and publish."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, help="folder of WAV recordings to speak")
    parser.add_argument("--calls", type=int, default=2)
    parser.add_argument("--turns", type=int, default=200)
    arguments, flags = parser.parse_known_args()
    utterances = load_utterances(arguments.speech)
    with running_server("--avatar.greeting", "false", "--server.max_load", "1", *flags) as server:
        figures = asyncio.run(measure(server, utterances, arguments.calls, arguments.turns))
    figures["environment_mib"] = installation_mib()
    publish("cost", ("what", "value"), [[k, f"{v:.1f}"] for k, v in figures.items()], figures)


if __name__ == "__main__":
    main()
