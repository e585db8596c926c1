"""Asks torch, in a process of its own, what parts of the network ask for or take.

What was counted is kept beside the exports (``benchmarks/engines/exported.py``): it changes only
with the networks.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, Literal

from rt_avatar.benchmarks.engines.child import answer_of
from rt_avatar.benchmarks.engines.exported import CACHE, workshop
from rt_avatar.benchmarks.engines.parts import Found

Task = Literal["count", "cpu", "gpu", "gpu-bf16", "gpu-bf16-eager"]
GPU_TASKS: Final[tuple[Task, ...]] = ("gpu", "gpu-bf16", "gpu-bf16-eager")
KEPT: Final = "counts.json"
TIMEOUT_S: Final = 1200.0  # both large encoders on one thread take some minutes


def count(names: Sequence[str], cache: Path = CACHE) -> dict[str, Found]:
    """Count parts, or read what was counted before.

    Raises:
        SetupError: They could not be counted; the message has the last words of who tried.
    """
    kept = workshop(cache) / KEPT
    known: dict[str, Found] = {}
    if kept.is_file():
        known = _found(kept.read_text(encoding="utf-8"))
    missing = [name for name in names if name not in known]
    if missing:
        known |= ask("count", missing)
        kept.parent.mkdir(parents=True, exist_ok=True)
        counts = {name: asdict(found) for name, found in known.items()}
        kept.write_text(json.dumps(counts), encoding="utf-8")
    return {name: known[name] for name in names}


def ask(task: Task, names: Sequence[str]) -> dict[str, Found]:
    """Count or run parts; raises as ``count``."""
    return _found(
        answer_of("network", TIMEOUT_S, "rt_avatar.benchmarks.engines.torch_parts", task, *names)
    )


def _found(text: str) -> dict[str, Found]:
    return {name: Found(**values) for name, values in json.loads(text).items()}
