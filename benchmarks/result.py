"""What a benchmark found: ``Result``, one JSON file each, with the machine and the versions.

A benchmark measures and returns a ``Result``; who prints, keeps, compares and draws it is not its
business (``bench``, ``compare``, ``page``).
"""

import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np

from rt_avatar.errors import BadInputError

SCHEMA: Final = 1
PACKAGES: Final = ("rt-avatar", "aiortc", "av", "numpy", "onnxruntime", "opencv-python-headless",
                   "skia-python")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of the report.

    Attributes:
        title: What is seen.
        x_label: With its unit.
        y_label: With its unit.
        lines: Label → points (x, y).
        kind: ``lines`` joins the points, ``points`` does not, ``bars`` stands them up.
        limit: A promise to draw as a level line.
    """

    title: str
    x_label: str
    y_label: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    kind: Literal["lines", "points", "bars"] = "lines"
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What one run of a benchmark found.

    Attributes:
        name: Of the benchmark, as in ``rt-avatar bench NAME``.
        columns: Of the table.
        rows: Of the table, as shown.
        figures: The last line's ``key=value``, in its order. A key ends with its unit
            (``p50_ms``, ``rest_mib``, ``talk_cpu_percent``).
        higher_is_better: Figures of which more is better; ``neutral`` ones are neither.
        neutral: Figures that say how it was measured (``turns``).
        samples: Label → every measured value behind a percentile, for spread and comparison.
        waterfall: Stage of a turn → (begin, end), medians in ms after the last voiced sample.
        plots: For the report.
        notes: What the reader must know to read it rightly.
    """

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: Mapping[str, float]
    higher_is_better: Sequence[str] = ()
    neutral: Sequence[str] = ()
    samples: Mapping[str, Sequence[float]] = field(default_factory=dict)
    waterfall: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    plots: Sequence[Plot] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A result with where, when and how it was measured; what the JSON file holds."""

    result: Result
    started: str  # ISO 8601, UTC
    duration_s: float
    arguments: Mapping[str, Any]  # of the benchmark and of the settings, as given
    machine: Mapping[str, Any]
    commit: str  # with "+" if the tree had changes; empty outside a repository
    versions: Mapping[str, str]
    schema: int = SCHEMA


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile by linear interpolation; NaN of nothing."""
    return float(np.percentile(values, share)) if len(values) else float("nan")


def record(
    result: Result, started: datetime, duration_s: float, arguments: Mapping[str, Any]
) -> Run:
    """Note where and how a result was measured."""
    return Run(
        result, started.astimezone(UTC).isoformat(timespec="seconds"), round(duration_s, 1),
        {key: str(value) for key, value in arguments.items()}, _machine(), _commit(), _versions(),
    )  # fmt: skip


def save(run: Run, folder: Path) -> Path:
    """Write ``NAME-TIME.json`` and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = run.started[:19].replace(":", "").replace("-", "")
    path = folder / f"{run.result.name}-{stamp}.json"
    path.write_text(json.dumps(asdict(run), indent=1, ensure_ascii=False), encoding="utf-8")
    return path


def load(path: Path) -> Run:
    """Read a file that ``save`` wrote.

    Raises:
        BadInputError: It is none, or of another version.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise BadInputError(
                f"{path}: expected a result of schema {SCHEMA}, got {data['schema']}; "
                "measure again with this version"
            )
        result = data.pop("result")
        plots = [Plot(**plot) for plot in result.pop("plots")]
        return Run(result=Result(**result, plots=plots), **data)
    except FileNotFoundError as error:
        raise BadInputError(f"{path}: expected a result, found no file") from error
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise BadInputError(
            f"{path}: expected a result that `rt-avatar bench` wrote, got something else ({error})"
        ) from error


def _machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "opencv_threads": cv2.getNumThreads(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")),
        platform.processor(),
    )


def _commit() -> str:
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    commit = git("rev-parse", "--short", "HEAD")
    return commit + "+" if commit and git("status", "--porcelain", "--untracked=no") else commit


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
