"""How benchmarks print: a table, a last line for scripts, one JSON with machine and versions."""

import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.table import Table

RESULTS: Final = Path(__file__).parent / "results"


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile by linear interpolation; NaN of nothing."""
    return float(np.percentile(values, share)) if len(values) else float("nan")


def publish(
    name: str, columns: Sequence[str], rows: Sequence[Sequence[str]], figures: Mapping[str, float]
) -> None:
    """Print the table and the line ``bench NAME key=value …``; write ``results/NAME.json``."""
    table = Table(*columns)
    for row in rows:
        table.add_row(*row)
    console = Console(width=120)
    console.print(table)
    RESULTS.mkdir(exist_ok=True)
    record = {"name": name, "figures": dict(figures), "rows": [list(r) for r in rows], **_where()}
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    line = " ".join(f"{key}={value:.4g}" for key, value in figures.items())
    console.print(f"bench {name} {line}", soft_wrap=True, highlight=False)


def _where() -> dict[str, str | int | None]:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return {
        "commit": commit,
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "aiortc": importlib.metadata.version("aiortc"),
        "onnxruntime": importlib.metadata.version("onnxruntime"),
    }
