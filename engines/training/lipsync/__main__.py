"""Make the weights of the mouth: ``python -m rt_avatar.engines.training.lipsync --minutes 150``.

Examples are made first and kept in the folder ``--work``, with a checkpoint from which a stopped
training goes on. The same seed gives the same weights to within what espeak-ng and threads allow.
"""

import argparse
import logging
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.training.lipsync.clips import (
    CLIP_CHUNKS,
    HELD_OUT,
    Cast,
    Examples,
    make_examples,
    training_cast,
)
from rt_avatar.engines.training.lipsync.train import Plan, train
from rt_avatar.engines.types import CHUNK_S

_log = logging.getLogger("lipsync")
_CHUNK: Final = 20  # clips a task: progress is seen, processes stay busy
_HELD_OUT_CLIPS: Final = 40


def main() -> None:
    """Make examples, train, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.lipsync")
    parser.add_argument("--minutes", type=float, default=180, help="speech to make")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="that make examples")
    parser.add_argument("--work", type=Path, default=Path("build/lipsync"))
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/lipsync/weights.npz"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    options.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # so small a network is slower on two
    count = max(1, round(options.minutes * 60 / (CLIP_CHUNKS * CHUNK_S)))
    kept = options.work / f"examples-{count}-{options.seed}.npz"
    examples = _load_or_make(kept, training_cast(), count, options)
    held_out = _load_or_make(
        options.work / f"held-out-{options.seed}.npz", HELD_OUT, _HELD_OUT_CLIPS, options
    )
    plan = Plan(options.steps, options.seed, options.work / f"checkpoint-{options.seed}.pt")
    weights = train(examples, held_out, plan)
    with options.output.open("wb") as file:
        np.savez(file, allow_pickle=False, **weights)
    _log.info("%s: %d bytes", options.output, options.output.stat().st_size)


def _load_or_make(path: Path, cast: Cast, count: int, options: argparse.Namespace) -> Examples:
    """Return examples from an earlier run, or make and keep them."""
    if path.exists():
        with np.load(path) as stored:
            return Examples(stored["heard"], stored["asked"])
    seeds = range(0, count, _CHUNK)
    # Spawned, not forked: torch has threads already. Each process has an espeak-ng of its own.
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        tasks = [
            pool.submit(make_examples, cast, min(_CHUNK, count - first), first + options.seed)
            for first in seeds
        ]
        parts = []
        for first, task in zip(seeds, tasks, strict=True):
            parts.append(task.result())
            _log.info("%s: %d of %d clips", path.name, first + len(parts[-1].heard), count)
    examples = Examples(
        np.concatenate([part.heard for part in parts]),
        np.concatenate([part.asked for part in parts]),
    )
    temporary = path.with_name("part-" + path.name)
    np.savez(temporary, heard=examples.heard, asked=examples.asked)
    temporary.replace(path)
    return examples


if __name__ == "__main__":
    main()
