"""The avatar in LiveKit rooms: how soon it comes, answers and falls silent; in step; what it costs.

A real livekit-server and a real worker (``rt-avatar livekit``, a process of its own) on this
machine; callers are participants on LiveKit's own client library in this process. Measured is what
the library hands to an application: after its jitter buffer, before loudspeaker and screen.

- **Dispatch**: the avatar is asked into a room in which the caller is; to its first picture and to
  its first audible sample (the greeting, at −46 dBFS).
- **Turn**: from the last voiced sample of a spoken sentence to the first audible sample.
- **Barge-in**: from the onset of a voice over a reply of several sentences to the last audible
  sample before a silence of 0.6 s. A stop that falls into a breath of the reply looks earlier.
- **Mouth shut**: from the same onset to the first picture of a mouth at rest (``peer.video``).
- **In step**: a second worker with the test signal of claps and flashes; clap minus flash, + is
  sound late. "Less buffers" is less what the receiver's buffers add, as the library tells it:
  from the sender's reports it knows which moment of the sender's it plays, and which it shows.
- **Rooms**: 1, 2, … callers, each in a room of their own, typing; pictures received a second, late
  and missing ones, processor time of the worker with its children and of livekit-server, memory.
- **Plug-in**: the same of a stock livekit-agents program with ``rt_avatar.AvatarSession``, scripted
  but for its voice: from its start to first picture and sound; from ``session.interrupt()``, and
  from the onset of the caller's voice, to silence and shut mouth; the position that it was told
  less what was heard; claps of its voice and flashes that follow them by ear; rooms of agents.

Callers, agents, server and worker share the machine's cores; what a worker alone carries is told by
its processor time. The network is loopback. ``quick`` proves nothing.
"""

import argparse
import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Final
from uuid import uuid4

from rich.console import Console

from rt_avatar.benchmarks.bargein.events import PROMPTS
from rt_avatar.benchmarks.livekit import plugin
from rt_avatar.benchmarks.livekit.analysis import falls_silent, first_sound, less_buffers, skew
from rt_avatar.benchmarks.livekit.measured import Measured
from rt_avatar.benchmarks.livekit.report import report
from rt_avatar.benchmarks.livekit.room import RoomCaller
from rt_avatar.benchmarks.livekit.rooms import Talk, fill
from rt_avatar.benchmarks.livekit.server import LiveKitServer
from rt_avatar.benchmarks.peer.video_meter import closed_after
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.server import running_worker
from rt_avatar.benchmarks.speech import Utterance, load_utterances
from rt_avatar.signaling.livekit.worker import outlive_callbacks

AGENT: Final = "rt-avatar-bench"
FLAGS: Final = (
    "--livekit.agent_name", AGENT, "--server.max_sessions", "64", "--server.max_load", "1",
    "--server.drain_s", "0", "--server.reconnect_s", "0",
)  # fmt: skip
COME_S: Final = 30.0  # longest wait for an avatar, an answer
ANSWER_S: Final = 4.0
OVER_S: Final = 0.8  # after a reply's first sound: in its first sentence, before a breath
WATCH_S: Final = 3.0  # from that voice's onset; a reply that then sounds was not interrupted
# What the client library says whenever a room is left; the first since it is newer than the server.
HARMLESS: Final = ("closed unexpectedly", "unknown FFI handle", "handle not found")
CLAPS: Final = "clap " * 12  # a word is a second


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    dispatches: int
    turns: int
    barge_ins: int
    claps_s: float
    rooms: int
    window_s: float


FULL: Final = Plan(dispatches=10, turns=12, barge_ins=12, claps_s=60, rooms=8, window_s=20)
QUICK: Final = Plan(dispatches=1, turns=1, barge_ins=1, claps_s=5, rooms=1, window_s=3)


@dataclass(slots=True)
class _Progress:
    console: Console = field(default_factory=lambda: Console(stderr=True))

    def tell(self, what: str) -> None:
        self.console.print(what, style="dim")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--speech", type=Path, metavar="FOLDER", help="WAV recordings to speak")
    parser.add_argument(
        "--rooms", type=int, metavar="N", help="rooms at once, at most [8; quick 2]"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Measure."""
    outlive_callbacks()
    plan = QUICK if arguments.quick else FULL
    voices = load_utterances(arguments.speech)
    progress = _Progress()
    measured = Measured()
    logging.getLogger("livekit").setLevel(logging.CRITICAL)  # of the callers, who just leave
    with LiveKitServer() as livekit:
        keys = livekit.url, livekit.api_key, livekit.api_secret
        with running_worker(*keys, *FLAGS, *arguments.flags) as worker:
            measured.cold_start_s = worker.cold_start_s
            asyncio.run(_talk(livekit, plan, voices, measured, progress))
            most = arguments.rooms or plan.rooms
            progress.tell("rooms at once")
            measured.costs = asyncio.run(
                fill(livekit, worker, most, plan.window_s, _rooms(livekit))
            )
            progress.tell("an agent with the plug-in")
            asyncio.run(_plug_in(livekit, plan, voices, measured))
            progress.tell("rooms at once, of agents")
            measured.plugin.costs = asyncio.run(
                fill(livekit, worker, most, plan.window_s, plugin.rooms(livekit, AGENT))
            )
            measured.problems = [
                one for one in worker.problems() if not any(part in one for part in HARMLESS)
            ]
        sync_test = ("--tts.kind", "sync_test", "--avatar.greeting", "false")
        with running_worker(*keys, *FLAGS, *arguments.flags, *sync_test):
            progress.tell("claps and flashes")
            asyncio.run(_clap(livekit, plan.claps_s, measured))
            asyncio.run(plugin.clap(livekit, AGENT, plan.claps_s, measured.plugin))
    return report(measured)


async def _plug_in(
    livekit: LiveKitServer, plan: Plan, voices: Sequence[Utterance], measured: Measured
) -> None:
    """Starts and interruptions of agents, one after the other."""
    await plugin.start(livekit, AGENT, plan.dispatches, measured.plugin)
    await plugin.interrupt(livekit, AGENT, plan.barge_ins, voices, measured.plugin)


@asynccontextmanager
async def _joined(livekit: LiveKitServer) -> AsyncIterator[RoomCaller]:
    """Be somebody in a room of one's own, with the avatar."""
    async with RoomCaller(livekit, f"bench-{uuid4().hex[:8]}") as caller:
        await caller.dispatch(AGENT)
        await caller.until(lambda: bool(caller.video.came_s), COME_S)
        yield caller


async def _talk(
    livekit: LiveKitServer,
    plan: Plan,
    voices: Sequence[Utterance],
    measured: Measured,
    progress: _Progress,
) -> None:
    """Dispatches, turns and interruptions, one after the other."""
    progress.tell("dispatches")
    for _ in range(plan.dispatches):
        async with RoomCaller(livekit, f"bench-{uuid4().hex[:8]}") as caller:
            asked_s = await caller.dispatch(AGENT)
            await caller.until(lambda: bool(caller.video.came_s), COME_S)
            await caller.until(lambda: first_sound(caller.audio, asked_s) is not None, COME_S)  # noqa: B023
            heard_s = first_sound(caller.audio, asked_s)
            if heard_s is None or not caller.video.came_s:
                measured.missing += 1
                continue
            measured.first_picture_ms.append(1000 * (caller.video.came_s[0] - asked_s))
            measured.first_sound_ms.append(1000 * (heard_s - asked_s))
    progress.tell("turns and interruptions")
    async with _joined(livekit) as caller:
        await _calm(caller)
        for voice in islice(cycle(voices), plan.turns):
            begin_s = await caller.speak(voice.pcm)
            end_s = begin_s + voice.end / 48_000
            await caller.until(lambda: first_sound(caller.audio, end_s) is not None, ANSWER_S + 20)  # noqa: B023
            early_s = first_sound(caller.audio, begin_s)
            heard_s = first_sound(caller.audio, end_s)
            if early_s is not None and early_s < end_s:
                measured.early += 1
            elif heard_s is None or heard_s - end_s > ANSWER_S:
                measured.unanswered += 1
            else:
                measured.answer_ms.append(1000 * (heard_s - end_s))
            await _calm(caller)
        for prompt, voice in zip(cycle(PROMPTS), islice(cycle(voices), plan.barge_ins)):
            await _interrupt(caller, prompt, voice, measured)
            await _calm(caller)


async def _interrupt(caller: RoomCaller, prompt: str, voice: Utterance, measured: Measured) -> None:
    """Let the avatar reply, and speak over it."""
    loop = asyncio.get_running_loop()
    typed_s = loop.time()
    await caller.type(prompt)
    await caller.until(lambda: first_sound(caller.audio, typed_s) is not None, COME_S)
    await asyncio.sleep(OVER_S)
    begin_s = await caller.speak(voice.pcm)
    onset_s = begin_s + voice.begin / 48_000
    if first_sound(caller.audio, begin_s - 0.5) is None:
        measured.too_short += 1  # the reply was over before anybody could speak over it
        return
    await caller.until(lambda: falls_silent(caller.audio, onset_s) is not None, WATCH_S)
    silent_s = falls_silent(caller.audio, onset_s)
    shut_s = closed_after(caller.video.mouths, onset_s)
    if silent_s is None:
        measured.missed += 1
    elif silent_s < onset_s:
        measured.too_short += 1
    else:
        measured.silence_ms.append(1000 * (silent_s - onset_s))
        if shut_s is not None:
            measured.mouth_ms.append(1000 * (shut_s - onset_s))


async def _calm(caller: RoomCaller) -> None:
    """Wait until the avatar has said what it had to say."""
    loop = asyncio.get_running_loop()
    while True:
        await caller.until(lambda: caller.state() == "listening", COME_S)
        since_s = loop.time()
        if not await caller.until(
            lambda: first_sound(caller.audio, since_s) is not None or caller.state() != "listening",  # noqa: B023
            1.0,
        ):
            break
    caller.forget()


async def _clap(livekit: LiveKitServer, seconds: float, measured: Measured) -> None:
    """Let claps and flashes come."""
    async with _joined(livekit) as caller:
        await caller.note_leads()
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while loop.time() < end_s:
            await caller.type(CLAPS)
            await caller.until(lambda: caller.state() == "speaking", ANSWER_S)
            await caller.until(lambda: caller.state() == "listening", end_s - loop.time())
        pairs = skew(caller.audio, caller.video)
        measured.skew_ms = pairs.skew_ms.tolist()
        measured.bare_skew_ms = less_buffers(pairs, caller.leads).tolist()


def _rooms(livekit: LiveKitServer) -> Callable[[int], AbstractAsyncContextManager[Talk]]:
    """Return what makes a room in which the avatar's own conversation goes on and on."""

    @asynccontextmanager
    async def enter(number: int) -> AsyncIterator[Talk]:
        async with _joined(livekit) as caller:
            yield caller, lambda: _keep_talking(caller, number)

    return enter


async def _keep_talking(caller: RoomCaller, number: int) -> None:
    for prompt in cycle([*PROMPTS[number % len(PROMPTS) :], *PROMPTS]):
        await caller.type(prompt)
        await caller.until(lambda: caller.state() == "speaking", ANSWER_S)
        await caller.until(lambda: caller.state() == "listening", COME_S)
