"""What every engine costs: time, memory, look-ahead, and a second of the avatar, stage by stage.

    rt-avatar bench engines [--quick] [--speech FOLDER] [--clip FILE] [--only NAME …]
                            [--network FOLDER] [--official] [--gpu]
                            [--stt.whisper_model MODEL] [--avatar.size_px 256|384|512]

Each engine (and each step beside the engines that costs anything) is measured in a process of its
own, on one thread, with an input like that of a call: a caller who talks and breathes (synthetic,
or recordings with ``--speech``), a face before a camera (drawn, or a video with ``--clip``), a
reply as the avatar's own voice and face make it, a portrait of which every part moves.

The table: engine and its declared rates and chunk; what one item is (a chunk, or what the engine
gets at a time in a call) and who works on it; milliseconds an item, median / 95th percentile + the
median of what is left when an utterance ends, and the real-time factor (busy seconds a second of
media, ends included); milliseconds to open a stream and push one item, before / after the engine's
warm-up, and the look-ahead, declared / measured; memory of the engine without streams / that the
first stream adds / that each further one adds, and the weights as shipped with the parameters in
use; the operations that an item and a second of media ask for, and the median against the floor
(``benchmarks/engines/floor.py``); what it takes of a second of each kind.

The network (rows ``nano …``): every stage alone, with the graphs in ``--network FOLDER`` as
``rt-avatar engines export`` wrote them (``empatheia …``, if that is in it). Without it nano is
exported once with random weights, where torch is installed, and kept: what a stage takes does not
depend on what it has learnt, but for the length of what is said, so an untrained voice is made to
speak as fast as people read. nano's goals stand below the table. Operations are counted by
onnxruntime's export of what ran; a second of speech is 4 tokens; weights that an item needs
several times are moved as often.

``official …`` are the same stages at the published sizes, and the voices beside them. Parameters
and products are counted by torch, from shapes alone; "≥" is the floor on this machine. With
``--official`` those that fit into memory are run: torch, random weights, one thread; it takes
minutes. ``--gpu`` adds milliseconds on an NVIDIA GPU, by the wall clock: torch with recorded CUDA
graphs, in fp32 (convolutions in TF32) and with bfloat16 weights under autocast, and the latter
eagerly, each kernel asked for by the host; summed over the graphs of an item. Nano's stages also by
onnxruntime's CUDA and TensorRT providers, with the copies to and from the GPU. Rows ``official
road`` are what is done once a caller's words are final (``benchmarks/engines/road.py``), and its
sums: figures ``official_first_sound_gpu_ms`` and so on, of bfloat16 recorded. torch's parts were
measured once on an H100 (docs/benchmarks.md), onnxruntime's providers never.

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

from rt_avatar.benchmarks.engines.case import Case
from rt_avatar.benchmarks.engines.cases import all_cases, is_quick
from rt_avatar.benchmarks.engines.child import run_case, run_machine
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.benchmarks.engines.network import row_names
from rt_avatar.benchmarks.engines.network_report import add_gpu, add_network
from rt_avatar.benchmarks.engines.network_run import find_network, need_gpu, run_gpu, run_official
from rt_avatar.benchmarks.engines.parts import Part, parts
from rt_avatar.benchmarks.engines.report import report
from rt_avatar.benchmarks.engines.road import add_road
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.settings import settings_of
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
    parser.add_argument(
        "--network", type=Path, metavar="FOLDER", help="the network's exported graphs"
    )
    parser.add_argument("--official", action="store_true", help="run the official sizes that fit")
    parser.add_argument("--gpu", action="store_true", help="run the network on a GPU, too")


def measure(arguments: argparse.Namespace) -> Result:
    """Measure every engine, each in a process of its own.

    Raises:
        SetupError: An engine cannot be made, or ``--only`` names none; ``--gpu`` without one.
    """
    settings = settings_of(arguments.flags)
    console = Console(stderr=True)
    if arguments.gpu:
        need_gpu()
    network = find_network(arguments.network, arguments.only, console)
    options = Options(
        speech=str(arguments.speech or ""),
        clip=str(arguments.clip or ""),
        whisper=settings.stt.whisper_model,
        size_px=settings.avatar.size_px,
        seconds=QUICK_SECONDS if arguments.quick else SECONDS,
        network=str(network.folder or ""),
    )
    known = all_cases(options)
    cases = _chosen(known, arguments.only, network.official, is_short=arguments.quick)
    limit_s = QUICK_LIMIT_S if arguments.quick else LIMIT_S
    rates = run_machine()
    costs = {
        case.name: run_case(case.name, options, limit_s)
        for case in track(cases, description="engines", console=console)
    }
    is_whole = all(case.name in costs for case in known.values() if case.kinds)
    result = report(cases, costs, rates, is_whole=is_whole)
    with console.status("official sizes"):
        official = run_official(network.official, is_timed=arguments.official)
    result = add_network(result, costs, rates, official, network.notes)
    if arguments.gpu:
        with console.status("GPU"):
            medians = run_gpu(cases, network.official, options, limit_s)
        result = add_road(add_gpu(result, medians), medians)
    return result


def _chosen(
    cases: Mapping[str, Case], only: Sequence[str], official: Sequence[Part], *, is_short: bool
) -> list[Case]:
    chosen = [
        case
        for name, case in cases.items()
        if (name.startswith(tuple(only)) if only else is_quick(case) or not is_short)
    ]
    if not chosen and not official:
        known = ", ".join([*cases, *row_names("nano"), *(part.name for part in parts("official"))])
        raise SetupError(
            f"--only: expected the beginning of one of {known}; got {' '.join(only)!r}"
        )
    return chosen
