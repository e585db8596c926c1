"""A stock livekit-agents program with the plug-in's avatar, as somebody in its room receives it.

The program (``agents``) runs in a process of its own (``program``) on this machine; all times are
of its one monotonic clock. Its ears and mind are scripted and take no time, its voice is espeak's:
what is measured is the way of sound, face and interruption through livekit-agents, plug-in and
worker.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from itertools import cycle, islice
from typing import Final
from uuid import uuid4

from rt_avatar.benchmarks.livekit.agents import speak
from rt_avatar.benchmarks.livekit.analysis import (
    audible_until,
    falls_silent,
    first_sound,
    heard_of,
    less_buffers,
    skew,
)
from rt_avatar.benchmarks.livekit.measured import PluginMeasured
from rt_avatar.benchmarks.livekit.program import RunningProgram, running_program
from rt_avatar.benchmarks.livekit.room import RoomCaller
from rt_avatar.benchmarks.livekit.rooms import Talk
from rt_avatar.benchmarks.livekit.server import LiveKitServer
from rt_avatar.benchmarks.peer.video_meter import closed_after
from rt_avatar.benchmarks.speech import Utterance
from rt_avatar.engines.espeak import EspeakEngine

GREETING: Final = "Hello, here I am."
# One sentence, so that it is one piece of the voice and its sound is known to the sample.
LONG: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty."
)
SHORT: Final = "As you wish."
THINKS_S: Final = 1.0  # before it answers to an interruption: sooner, the answer hides the silence
QUIET_S: Final = 2.0  # an answer comes sooner: END_S of the ears, 0.2 s of endpointing, THINKS_S
COME_S: Final = 30.0
OVER_S: Final = 1.5  # after a reply's first sound it is interrupted
WATCH_S: Final = 4.0
CLAPS: Final = "clap " * 12  # a word is a second


def _room_name() -> str:
    return f"bench-{uuid4().hex[:8]}"


async def start(livekit: LiveKitServer, agent: str, count: int, measured: PluginMeasured) -> None:
    """Start an agent with an avatar, so often, in a room in which the caller is."""
    for _ in range(count):
        async with (
            RoomCaller(livekit, _room_name()) as caller,
            running_program(livekit, caller.name, agent) as program,
        ):
            asked_s = program.asked_s
            program.say(GREETING)
            await caller.until(
                lambda: (
                    bool(caller.video.came_s)
                    and first_sound(caller.audio, asked_s)  # noqa: B023
                    is not None
                ),
                COME_S,
            )
            heard_s = first_sound(caller.audio, asked_s)
            if heard_s is None or not caller.video.came_s:
                measured.missing += 1
                continue
            measured.first_picture_ms.append(1000 * (caller.video.came_s[0] - asked_s))
            measured.first_sound_ms.append(1000 * (heard_s - asked_s))


async def interrupt(
    livekit: LiveKitServer,
    agent: str,
    count: int,
    voices: Sequence[Utterance],
    measured: PluginMeasured,
) -> None:
    """Interrupt so often by the program, and so often by the caller's voice."""
    hears = ("stop it",) * count
    async with (
        RoomCaller(livekit, _room_name()) as caller,
        running_program(
            livekit, caller.name, agent, SHORT, hears=hears, thinks_s=THINKS_S
        ) as program,
    ):
        await caller.until(lambda: bool(caller.video.came_s), COME_S)
        for _ in range(count):
            await _interrupt_once(caller, program, None, measured)
        for voice in islice(cycle(voices), count):
            await _interrupt_once(caller, program, voice, measured)


async def _interrupt_once(
    caller: RoomCaller, program: RunningProgram, voice: Utterance | None, measured: PluginMeasured
) -> None:
    loop = asyncio.get_running_loop()
    caller.forget()
    played, heard = len(program.played_s), len(program.heard_s)
    said_s = loop.time()
    saying = program.say(LONG)
    await caller.until(lambda: first_sound(caller.audio, said_s) is not None, COME_S)
    await asyncio.sleep(OVER_S)
    if voice is None:
        stop_s = over_s = loop.time()
        program.interrupt()
    else:
        begin_s = await caller.speak(voice.pcm)
        stop_s, over_s = begin_s + voice.begin / 48_000, begin_s + len(voice.pcm) / 48_000
    await caller.until(lambda: falls_silent(caller.audio, stop_s) is not None, WATCH_S)
    if len(program.heard_s) > heard:
        measured.stt_ms.append(1000 * (program.heard_s[heard] - stop_s))
    began_s, silent_s = first_sound(caller.audio, said_s), falls_silent(caller.audio, stop_s)
    shut_s = closed_after(caller.video.mouths, stop_s)
    if began_s is None or silent_s is None or silent_s < stop_s:
        measured.missed += 1
    else:
        by_voice = voice is not None
        silence = measured.voice_silence_ms if by_voice else measured.stop_silence_ms
        silence.append(1000 * (silent_s - stop_s))
        if shut_s is not None:
            mouth = measured.voice_mouth_ms if by_voice else measured.stop_mouth_ms
            mouth.append(1000 * (shut_s - stop_s))
        await saying
        pcm = speak(EspeakEngine(), LONG)
        if len(program.played_s) > played:
            reported_s = audible_until(pcm, program.played_s[played])
            measured.position_ms.append(1000 * (reported_s - heard_of(pcm, silent_s - began_s)))
    await asyncio.sleep(over_s - loop.time())  # else the rest of the utterance would interrupt, too
    await _quiet(caller, program)


async def _quiet(caller: RoomCaller, program: RunningProgram) -> None:
    """Wait until the agent has answered to what interrupted it, if it does."""
    while True:
        await program.quiet()
        since_s = asyncio.get_running_loop().time()
        if not await caller.until(lambda: first_sound(caller.audio, since_s) is not None, QUIET_S):  # noqa: B023
            return


async def clap(
    livekit: LiveKitServer, agent: str, seconds: float, measured: PluginMeasured
) -> None:
    """Let an agent's voice clap; the worker must flash (``--tts.kind sync_test``)."""
    async with (
        RoomCaller(livekit, _room_name()) as caller,
        running_program(livekit, caller.name, agent, claps=True) as program,
    ):
        await caller.until(lambda: bool(caller.video.came_s), COME_S)
        await caller.note_leads()
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while loop.time() < end_s:
            speech = program.say(CLAPS)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(end_s):
                    await speech
        pairs = skew(caller.audio, caller.video)
        measured.skew_ms = pairs.skew_ms.tolist()
        measured.bare_skew_ms = less_buffers(pairs, caller.leads).tolist()


def rooms(livekit: LiveKitServer, agent: str) -> Callable[[int], AbstractAsyncContextManager[Talk]]:
    """Return what makes a room with an agent that talks on and on."""

    @asynccontextmanager
    async def enter(_number: int) -> AsyncIterator[Talk]:
        async with (
            RoomCaller(livekit, _room_name()) as caller,
            running_program(livekit, caller.name, agent) as program,
        ):

            async def talk() -> None:
                while True:
                    await program.say(LONG)

            await caller.until(lambda: bool(caller.video.came_s), COME_S)
            yield caller, talk

    return enter
