"""Who speaks over the avatar: how soon it is silent, and how often it falls silent for nothing.

A caller without a browser holds real WebRTC calls with a real server, makes the avatar speak by
typing, and lets something happen over each reply, in a drawn order:

- **Interruptions** by eight synthetic voices and by the recordings of a folder, 0.9 to 3 s after a
  reply's first sound. Measured from the voice's onset (the first of the windows of 10 ms within
  25 dB of its loudest, at the moment at which it is spoken) to the last audible sample of the reply
  at the caller (-46 dBFS), and to the first picture with a closed mouth. An interruption is missed
  when the reply sounds on for more than a second. The first one of each call comes from a caller
  whom the server has not heard before.
- **What is no interruption**: listener's sounds ("mm-hm", "yeah"), coughs, doors, clicks, typing,
  noise, babble, music. A reply that ends is a false interruption. One that pauses and goes on has
  lost time: how much, the reply's position tells when the caller asks the server to stop it.
- **The avatar's own voice**, fed back into the microphone at three levels and delays through a
  small simulated room, without any cancellation; and interruptions over that echo.

All voices have the level of standard tests (26 dB below full scale), in a room with a little hiss.

What it does not tell: a browser's own buffer, echo cancellation and noise suppression, sound card
and screen (they come on top of the delays, and take away most of the echo); a far network; people's
own coughs and hums (made here by rule: ``sounds``). A stop that falls into a pause of the reply
cannot be heard: it is left out of the delays and counted as ``hidden``.
"""

import argparse
import asyncio
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from rt_avatar.benchmarks.bargein import figures as bargein_figures
from rt_avatar.benchmarks.bargein.events import FULL, PROMPTS, QUICK, Scene, Voices, scenes
from rt_avatar.benchmarks.bargein.figures import Trial
from rt_avatar.benchmarks.bargein.talk import Event, talking
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.server import running_server

SEED: Final = 1  # of orders, moments and noises: the same in every run
FLAGS: Final = ("--avatar.greeting", "false", "--server.max_load", "1")
# What an event takes besides itself: the reply's beginning, its end, and calm after it.
AROUND_S: Final = 1.2
CALL_S: Final = 1.5  # a call's beginning and end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument(
        "--speech", type=Path, help="folder of WAV recordings that interrupt, besides made voices"
    )
    parser.add_argument(
        "--backchannels", type=Path, help="folder of WAV recordings of listeners' sounds, likewise"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Hold the calls and judge what became of each reply."""
    voices = Voices(arguments.speech, arguments.backchannels)
    plan = scenes(voices, QUICK if arguments.quick else FULL, SEED)
    with running_server(*FLAGS, *arguments.flags) as server:
        trials = asyncio.run(_hold(server.address, plan))
        problems = server.problems()
    return bargein_figures.result(trials, problems)


async def _hold(address: str, plan: list[Scene]) -> list[Trial]:
    """Hold one call after the other."""
    trials: list[Trial] = []
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as progress:  # fmt: skip
        task = progress.add_task("calls", total=sum(map(_call_s, plan)))
        for number, scene in enumerate(plan):
            progress.update(task, advance=CALL_S, description=f"call {number + 1} of {len(plan)}")
            async with talking(address, scene.echo(number)) as talk:
                for index, event in enumerate(scene.events):
                    prompt = PROMPTS[len(trials) % len(PROMPTS)]
                    trials.append(Trial(event, await talk.play_over(prompt, event), index == 0))
                    progress.update(task, advance=_event_s(event))
    return trials


def _event_s(event: Event) -> float:
    return AROUND_S + event.after_s + len(event.pcm) / 48_000 + event.watch_s


def _call_s(scene: Scene) -> float:
    return CALL_S + sum(map(_event_s, scene.events))
