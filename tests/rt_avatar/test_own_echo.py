"""A caller with loudspeakers: the avatar's voice comes back and must not interrupt the avatar."""

import asyncio
import itertools
from collections import deque

import numpy as np
import pytest

from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.messages import StateChanged, Trace
from rt_avatar.tts.service import LocalTts
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual
from tests.media import recorded, spoken

pytestmark = pytest.mark.unit

REPLY = (
    "That sounds like a hard day, and I can hear how tired you are. | "
    "What was the part of it that stayed with you the longest? | "
    "Take all the time you need, I am listening to you now."
)


def engines_with_real_recognition() -> ScriptedEngines:
    engines = ScriptedEngines("tell me something", "no stop")
    engines.vad = SileroEngine()
    engines.speech = LocalTts(EspeakEngine(), engines.voice_worker)
    return engines


async def play_in_a_room(
    loop, gain: float, delay_s: float, person: np.ndarray | None = None, speaks_after_s: float = 0
):
    """Let the avatar speak into a room whose sound comes back; perhaps talk over it.

    ``person`` is what is said then, (samples,) int16 at 48 kHz.
    """
    echo: deque[np.ndarray] = deque(np.zeros((round(delay_s / 0.02), 960), np.float32))
    position = 0
    async with calling(
        loop, ScriptedReasoner([REPLY, "Yes."]), engines=engines_with_real_recognition()
    ) as call:
        noise = np.random.default_rng(3)
        onset_s = None

        async def room():
            nonlocal position, onset_s
            while True:
                block = await call.session.media_output.next_audio()
                call.blocks.append((loop.time(), bool(np.abs(block.pcm).max() > 300)))
                echo.append(block.pcm.astype(np.float32) * gain)
                mic = echo.popleft() + noise.normal(0, 8, 960)
                speaking = (
                    person is not None and started and (loop.time() > started[0] + speaks_after_s)
                )
                if speaking:
                    onset_s = onset_s or loop.time()
                    part = person[position : position + 960]
                    mic[: len(part)] += part
                    position += 960
                call.session.media_input.push_audio_nowait(mic.astype(np.int16), 48_000)

        started: list[float] = []
        call.is_muted = True
        task = asyncio.ensure_future(room())
        call.session.send_text("tell me something")
        await call.until(StateChanged, state="speaking")
        started.append(loop.time())
        trace = await call.until(Trace)
        await asyncio.sleep(0.3)
        task.cancel()
        return call, trace, onset_s


def silences_s(call) -> list[float]:
    """Gaps between audible blocks during the reply."""
    loud = [at for at, is_loud in call.blocks if is_loud]
    return [b - a for a, b in itertools.pairwise(loud) if b - a > 0.03]


@pytest.fixture(scope="module")
def quiet_room_s() -> list[float]:
    """The pauses of the same reply in a room from which nothing comes back."""
    call, _, _ = run_virtual(lambda loop: play_in_a_room(loop, 0.0, 0.1))
    return silences_s(call)


@pytest.mark.parametrize(
    ("gain", "delay_s"), [(0.3, 0.12), (0.1, 0.3), (0.6, 0.06), (0.03, 0.08), (0.01, 0.2)]
)
def test_its_own_voice_does_not_interrupt_the_avatar(gain, delay_s, quiet_room_s):
    call, trace, _ = run_virtual(lambda loop: play_in_a_room(loop, gain, delay_s))
    assert trace.interrupted_at_s is None
    # Nor was it held for a moment: the pauses are those of the same reply in a silent room.
    assert max(silences_s(call)) <= max(quiet_room_s) + 0.1


@pytest.mark.parametrize("name", ["mother", *recorded("librivox-0870")])
def test_a_person_who_speaks_over_the_echo_is_heard(name):
    person = spoken(name).pcm
    call, trace, onset_s = run_virtual(lambda loop: play_in_a_room(loop, 0.2, 0.12, person, 2.5))
    assert trace.interrupted_at_s is not None
    assert onset_s is not None
    assert max(at for at, is_loud in call.blocks if is_loud) - onset_s < 0.6
