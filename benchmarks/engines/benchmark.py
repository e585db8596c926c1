"""What every engine costs: time, memory, look-ahead, and a second of the avatar, stage by stage.

    rt-avatar bench engines [--quick] [--speech FOLDER] [--clip FILE] [--only NAME …]
                            [--hearing.whisper_model MODEL] [--avatar.size_px 256|384|512]

Each engine (and each step beside the engines that costs anything) is measured in a process of its
own, on one thread, with an input like that of a call: a caller who talks and breathes (synthetic,
or recordings with ``--speech``), a face before a camera (drawn, or a video with ``--clip``), a
reply as the avatar's own voice and face make it, a portrait of which every part moves.

The table, two lines a cell: engine and its declared rates and chunk; what one item is (a chunk, or
what the engine gets at a time in a call) and who works on it; milliseconds an item, median / 95th
percentile, and the real-time factor (busy seconds a second of media, ends of utterances included);
milliseconds to open a stream and push one item, before / after the engine's warm-up, and the
look-ahead, declared / measured; memory of the engine without streams / that the first stream adds /
that each further one adds, and the weights as shipped with the parameters in use; the operations
that an item asks for, and its median against the floor (``benchmarks/engines/floor.py``); what it
takes of a second of each kind.

Times are processor time of the engine's process, all its threads together, so another program that
runs beside changes them little. Only the recogniser's are by the wall clock, since it computes in a
process of its own; a note says when the machine was too busy for that. What it takes of a second is
processor time again, its process included. Memory is what a process and its children hold for
themselves (Linux: Pss_Anon; libraries are not in it), after the inputs were made.

A second of the avatar: what runs all the time in a second in which nobody speaks (idle), the caller
speaks (heard), the avatar speaks (spoken), summed up by worker in the last rows. "Talk" is the mean
of the last two: both speak equally long. ``presence`` and ``rig`` are inside the face stage, which
leaves out pictures that nobody could tell from the last.

What it does not tell: the event loop, packets, encryption, sockets and the Python between the
stages (``load`` has the whole; the difference is theirs), the reasoner, how engines disturb one
another's caches, and how good they are (``quality``). Floors are of the machine, not of a better
program: a ratio of 20 says that most of the time is not arithmetic, not that 20 can be had.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track

from benchmarks.engines.case import Case
from benchmarks.engines.cases import all_cases, is_quick
from benchmarks.engines.child import run_case, run_machine
from benchmarks.engines.inputs import Options
from benchmarks.engines.report import report
from benchmarks.result import Result
from rt_avatar.config import Settings
from rt_avatar.config_loader import load_settings
from rt_avatar.errors import SetupError

# The least for a percentile of every case, and in a quarter of five minutes for the 50 of them.
LIMIT_S: Final = 1.0
QUICK_LIMIT_S: Final = 0.4
SECONDS: Final = 12.0  # of media a pass: the three or four utterances that a caller says in it
QUICK_SECONDS: Final = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--speech", type=Path, metavar="FOLDER", help="WAV files of a caller")
    parser.add_argument("--clip", type=Path, metavar="FILE", help="video of a face at a camera")
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="NAME", help="engines whose names begin so"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Measure every engine, each in a process of its own.

    Raises:
        SetupError: An engine cannot be made, or ``--only`` names none.
    """
    settings = _settings(arguments.flags)
    options = Options(
        speech=str(arguments.speech or ""),
        clip=str(arguments.clip or ""),
        whisper=settings.hearing.whisper_model,
        size_px=settings.avatar.size_px,
        seconds=QUICK_SECONDS if arguments.quick else SECONDS,
    )
    known = all_cases(options)
    cases = _chosen(known, arguments.only, is_short=arguments.quick)
    limit_s = QUICK_LIMIT_S if arguments.quick else LIMIT_S
    console = Console(stderr=True)
    rates = run_machine()
    costs = {
        case.name: run_case(case.name, options, limit_s)
        for case in track(cases, description="engines", console=console)
    }
    is_whole = all(case.name in costs for case in known.values() if case.kinds)
    return report(cases, costs, rates, is_whole=is_whole)


def _settings(flags: Sequence[str]) -> Settings:
    """Return the settings of ``--key value`` words."""
    given = dict(zip(flags[::2], flags[1::2], strict=True))
    config = given.pop("--config", None)
    keys = {key.removeprefix("--"): value for key, value in given.items()}
    return load_settings(None if config is None else Path(config), flags=keys)


def _chosen(cases: Mapping[str, Case], only: Sequence[str], *, is_short: bool) -> list[Case]:
    chosen = [
        case
        for name, case in cases.items()
        if (name.startswith(tuple(only)) if only else is_quick(case) or not is_short)
    ]
    if not chosen:
        raise SetupError(
            f"--only: expected the beginning of one of {', '.join(cases)}; got {' '.join(only)!r}"
        )
    return chosen
