"""End of speech to the first sound and the first mouth motion of the reply, where the user is.

A tape of recorded sentences plays as the microphone of a real Chromium that calls a real server;
the page's own microphone, the avatar's sound and its pictures are measured in the page, on one
clock. ``--peer`` measures the same at a caller without a browser (aiortc): faster, no display, and
without a browser's jitter buffer; its result is called ``turn-peer``.

**End of speech** is the last voiced sample: of the last window of 10 ms that is within 25 dB of the
utterance's loudest and lies among other voiced ones. **First sound** is the first sample of the
reply above -46 dBFS. **First mouth motion** is the first picture in which the lips have parted;
nods, smiles and breath do not count. In the browser sound is taken where it leaves the page,
pictures when they are expected on the screen. Without one, both when they have been decoded.

Half of the turns are plain sentences. The other half are harder: with a pause of 300, 450 or 600 ms
inside, a drawn-out word before a pause, a voice that sinks at the end, or noise (pink or babble, 20
or 10 dB below the voice) that goes on while the caller waits. See ``speech_variants``. The table
gives the share of turns in each that were answered **too early** (the avatar was heard before the
caller had finished; such a turn has no time) or **too late** (after 800 ms, the promised p95, or
not at all). A reply that was let go too early but taken back before it was heard is *discarded*.

The stages are the server's own trace of each turn, laid on the caller's clock by the message that
is sent as the first sound leaves; so they count from the true end of speech, not from what the
server took for it. *Line* is from there to the caller: encoder, network, jitter buffer, decoder.

``--ablations`` adds what preemptive generation saves, with the rules as the reasoner and with a
language model of known speed (``scripted_llm``), and what thinking while listening saves with it:
turns with and without, interleaved, at a caller without a browser; a ratio of medians with its 95 %
interval.

What it does not tell: microphone, loudspeaker and screen (10 to 50 ms each), a far network (the
line is loopback), how a real model's speed varies, whether the reply was good. The comparison of a
jointly trained network against the pipeline of separate stages waits for that network: it is not
measured here.
"""

import argparse
import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from rt_avatar.benchmarks.catalogue import missing
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.server import Server, running_server
from rt_avatar.benchmarks.settings import settings_of
from rt_avatar.benchmarks.speech import Utterance, load_utterances
from rt_avatar.benchmarks.speech_variants import VARIANTS, in_variants
from rt_avatar.benchmarks.turn.ablations import (
    Ablations,
    ablations_for,
    compare_settings,
    with_ablations,
)
from rt_avatar.benchmarks.turn.outcome import Turn
from rt_avatar.benchmarks.turn.peer import hold
from rt_avatar.benchmarks.turn.report import summary
from rt_avatar.engines.types import WIRE_RATE_HZ

TURNS: Final = 54  # half of them plain, three of each of the nine variants
QUICK_TURNS: Final = 8
ABLATION_TURNS: Final = 24  # with each setting
QUICK_ABLATION_TURNS: Final = 4
MAX_ABLATION_S: Final = 5.0  # shorter utterances are told from longer ones by their length alone
SEED: Final = 1
# A call is not refused because the machine is busy: that would hide how late replies are then.
FLAGS: Final = ("--avatar.greeting", "false", "--server.max_load", "1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument(
        "--speech", type=Path, help="folder of recordings (WAV, FLAC) to speak; else made ones"
    )
    parser.add_argument("--turns", type=int, help=f"how many (default {TURNS})")
    parser.add_argument("--peer", action="store_true", help="at a caller without a browser")
    parser.add_argument(
        "--ablations", action="store_true", help="with and without preemptive replies, steps"
    )
    parser.add_argument(
        "--variants", default=",".join(VARIANTS), help="what to say besides plain sentences"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Speak, listen, sum up."""
    loaded = load_utterances(arguments.speech)
    turns = arguments.turns or (QUICK_TURNS if arguments.quick else TURNS)
    plan = choose(loaded, arguments.variants.split(","), turns)
    result = asyncio.run(_measure(arguments, plan))
    if arguments.ablations:
        short = [one for one in loaded if one.end <= MAX_ABLATION_S * WIRE_RATE_HZ] or loaded
        count = QUICK_ABLATION_TURNS if arguments.quick else ABLATION_TURNS
        ablations = ablations_for(settings_of(arguments.flags))
        found = asyncio.run(_ablate(ablations, short, count, arguments.flags))
        result = with_ablations(result, ablations, found)
    return result


def choose(loaded: Sequence[Utterance], variants: Sequence[str], turns: int) -> list[Utterance]:
    """Return what to say: every second one plain, the variants and utterances in turn.

    Args:
        loaded: Plain utterances.
        variants: Names, with or without ``plain``.
        turns: How many.

    Raises:
        BadInputError: A variant is unknown or cannot be made.
    """
    harder = [name for name in variants if name != "plain"]
    by_variant = in_variants(loaded, harder, SEED)
    # Shuffled, so that no variant always follows or is said by the same one.
    dice = random.Random(SEED)
    decks = {name: dice.sample(found, len(found)) for name, found in by_variant.items()}
    decks["plain"] = dice.sample(list(loaded), len(loaded))
    dice.shuffle(harder)  # a short run has some of each kind
    chosen: list[Utterance] = []
    counts = dict.fromkeys(decks, 0)
    for index in range(turns):
        name = harder[index // 2 % len(harder)] if harder and index % 2 else "plain"
        chosen.append(decks[name][counts[name] % len(decks[name])])
        counts[name] += 1
    return chosen


async def _measure(arguments: argparse.Namespace, plan: Sequence[Utterance]) -> Result:
    with (
        Progress(console=Console(stderr=True)) as progress,
        running_server(*FLAGS, *arguments.flags) as server,
    ):
        task = progress.add_task("turns", total=len(plan))

        def done(turn: Turn) -> None:
            progress.advance(task)

        if arguments.peer:
            turns = await hold(server.address, plan, done)
            return summary("turn-peer", turns, _warnings(server))
        try:  # only here: the peer's form works without the browser's driver
            from rt_avatar.benchmarks.turn.browser import hold_in_browser
        except ModuleNotFoundError as error:
            raise missing("benchmark turn", error) from error
        turns, notes = await hold_in_browser(server.address, plan, done)
        return summary("turn", turns, [*notes, *_warnings(server)])


def _warnings(server: Server) -> list[str]:
    """Return a note if the server complained."""
    problems = server.problems()
    return [f"The server warned {len(problems)} times; first: {problems[0]}"] if problems else []


async def _ablate(
    ablations: Ablations, utterances: Sequence[Utterance], turns: int, flags: Sequence[str]
) -> dict[str, list[Turn]]:
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("ablations", total=turns * len(ablations.settings))
        every = (*FLAGS, *flags)
        return await compare_settings(
            ablations, utterances, turns, every, lambda: progress.advance(task)
        )
