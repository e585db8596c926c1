"""A caller on scripted engines: a microphone to speak into, and all that came out."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np

from rt_avatar.config.settings import AvatarSettings, BudgetSettings, Settings
from rt_avatar.personas import PERSONAS
from rt_avatar.session import Session
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner

# Nothing is given up for time: slow reasoners are waited for (see test_budget_held.py).
QUIET = Settings(avatar=AvatarSettings(greeting=False), budget=BudgetSettings(enabled=False))


@dataclass
class Call:
    """A caller on scripted engines: a microphone to speak into, and all that came out."""

    session: Session
    reasoner: ScriptedReasoner
    loop: asyncio.AbstractEventLoop
    events: list = field(default_factory=list)  # (loop time, event)
    blocks: list = field(default_factory=list)  # (loop time, is loud)
    sound: list = field(default_factory=list)  # (loop time, samples)
    running: asyncio.Future | None = None  # the session
    is_speaking: bool = False
    is_microphone_dead: bool = False
    is_muted: bool = False  # a test feeds microphone and loudspeaker itself

    async def microphone(self):
        noise = np.random.default_rng(1).normal(0, 6000, 960).astype(np.int16)
        silence = np.zeros(960, np.int16)
        while True:
            if not self.is_muted and not self.is_microphone_dead:
                sound = noise if self.is_speaking else silence
                self.session.media_input.push_audio_nowait(sound, 48_000)
            await asyncio.sleep(0.02)

    async def loudspeaker(self):
        while not self.is_muted:
            block = await self.session.media_output.next_audio()
            self.blocks.append((self.loop.time(), bool(np.abs(block.pcm).max() > 1000)))
            self.sound.append((self.loop.time(), block.pcm))

    async def screen(self):
        while True:
            await self.session.media_output.next_video()

    async def page(self):
        while True:
            event = await self.session.next_event()
            self.events.append((self.loop.time(), event))

    async def speak(self, seconds: float) -> float:
        """Speak for so long; return the time of the end."""
        self.is_speaking = True
        await asyncio.sleep(seconds)
        self.is_speaking = False
        return self.loop.time()

    async def until(self, kind, **wanted):
        """Wait until an event of that kind with those fields is there; return it."""
        async with asyncio.timeout(60):
            while True:
                for _, event in self.events:
                    if isinstance(event, kind) and all(
                        getattr(event, name) == value for name, value in wanted.items()
                    ):
                        return event
                await asyncio.sleep(0.01)

    def of(self, kind):
        return [event for _, event in self.events if isinstance(event, kind)]

    def loud_after(self, at_s: float) -> list[float]:
        return [at for at, is_loud in self.blocks if is_loud and at > at_s]


@asynccontextmanager
async def calling(
    loop, reasoner, *heard: str, settings: Settings = QUIET, engines=None, is_connected=True
):
    engines = engines or ScriptedEngines(*heard)
    session = Session("test", settings, engines, reasoner, PERSONAS["ava"])
    call = Call(session, reasoner, loop)
    jobs = [call.microphone(), call.loudspeaker(), call.screen(), call.page()]
    running = call.running = asyncio.ensure_future(session.run())
    tasks = [asyncio.ensure_future(job) for job in jobs]
    session.set_connected(is_connected)
    try:
        await asyncio.sleep(0.5)
        yield call
        session.hang_up()
        await asyncio.wait_for(running, 5)
    finally:
        for task in [*tasks, running]:
            task.cancel()
        await asyncio.wait([*tasks, running])
