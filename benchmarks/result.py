"""What a benchmark found: ``Result``, one JSON file each, with the machine and the versions.

A benchmark measures and returns a ``Result``; who prints, keeps, compares and draws it is not its
business (``bench``, ``compare``, ``page``).
"""

import importlib.metadata
import json
import math
import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from rt_avatar.errors import BadInputError

SCHEMA: Final = 1
BUSY: Final = "busy_before_percent"  # of the machine: tells how far figures can be trusted
KEPT: Final = re.compile(r"(.+)-\d{8}T\d{6}\.json")
# A list of numbers in indented JSON: kept on one line. Texts hold no raw line breaks.
NUMBERS: Final = re.compile(r"\[\n[-+\d.eE,\snul]+\]")
PUBLISHED: Final = Path(__file__).parent / "published"  # NAME.json, committed
PACKAGES: Final = ("rt-avatar", "aiortc", "av", "numpy", "onnxruntime", "opencv-python-headless",
                   "skia-python")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of the report.

    Attributes:
        title: What is seen.
        x_label: With its unit; or the names of the places, "first · second", one for each x.
        y_label: With its unit.
        lines: Label → points (x, y).
        kind: ``lines`` joins the points, ``points`` does not, ``bars`` stands them up; bars of one
            point a label become a list.
        limit: A promise to draw as a level line.
    """

    title: str
    x_label: str
    y_label: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    kind: Literal["lines", "points", "bars"] = "lines"
    limit: float | None = None

    def __post_init__(self) -> None:
        """Take plain numbers only, whatever they were."""
        _set(self, lines={str(k): list(map(_pair, v)) for k, v in self.lines.items()})
        _set(self, limit=None if self.limit is None else float(self.limit))


@dataclass(frozen=True, slots=True)
class Result:
    """What one run of a benchmark found.

    Attributes:
        name: Of the benchmark, as in ``rt-avatar bench NAME``.
        columns: Of the table.
        rows: Of the table, as shown.
        figures: The last line's ``key=value``, in its order; NaN is "could not be measured". A key
            ends with its unit (``p50_ms``, ``rest_mib``, ``talk_cpu_percent``) and names its
            statistic, if it is one of ``samples`` (``p50``, ``p95``, ``median``, ``mean``):
            ``compare`` finds by it how far the figure could be off.
        higher_is_better: Figures of which more is better; ``neutral`` ones are neither.
        neutral: Figures that say how it was measured (``turns``).
        samples: Label with its unit (``first sound (ms)``) → every measured value behind a
            percentile, in its order, for spread and comparison.
        waterfall: Stage of a turn → (begin, end), medians in ms after the last voiced sample.
        plots: For the report.
        notes: What the reader must know to read it rightly.
        groups: First words of figures, ``rules`` of ``rules_jaw_r``, that get a last line each.
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
    groups: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Take plain numbers and texts only, so that what is read back equals what was kept."""
        _set(self, columns=_texts(self.columns), rows=list(map(_texts, self.rows)))
        _set(self, figures={str(k): _number(v) for k, v in self.figures.items()})
        _set(self, higher_is_better=_texts(self.higher_is_better), neutral=_texts(self.neutral))
        _set(self, samples={str(k): list(map(_number, v)) for k, v in self.samples.items()})
        _set(self, waterfall={str(k): _pair(v) for k, v in self.waterfall.items()})
        _set(self, plots=list(self.plots), notes=_texts(self.notes))
        _set(self, groups=_texts(self.groups))


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
    result: Result,
    started: datetime,
    duration_s: float,
    arguments: Mapping[str, Any],
    busy_percent: float = 0.0,
) -> Run:
    """Note where and how a result was measured. Samples are cut to six digits.

    Args:
        result: What was found.
        started: With a time zone.
        duration_s: Of the measurement.
        arguments: Kept as text.
        busy_percent: How busy the machine was before, of all its cores.
    """
    short = {
        label: [float(f"{value:.6g}") for value in values]
        for label, values in result.samples.items()
    }
    return Run(
        replace(result, samples=short),
        started.astimezone(UTC).isoformat(timespec="seconds"),
        round(duration_s, 1),
        {key: str(value) for key, value in arguments.items()},
        {**_machine(), BUSY: round(busy_percent, 1)},
        _commit(),
        _versions(),
    )


def save(run: Run, folder: Path) -> Path:
    """Write ``NAME-TIME.json`` and return its path; there is all of it or nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = run.started[:19].replace(":", "").replace("-", "")
    path = folder / f"{run.result.name}-{stamp}.json"
    text = json.dumps(_without_nan(asdict(run)), indent=1, ensure_ascii=False)
    text = NUMBERS.sub(lambda match: " ".join(match[0].split()), text)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(text + "\n", encoding="utf-8")
    unfinished.replace(path)
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
        run = Run(result=Result(**result, plots=plots), **data)
        for part in ("arguments", "machine", "versions"):
            if not isinstance(getattr(run, part), dict):
                raise TypeError(f"{part}: no names and values")
        datetime.fromisoformat(run.started)
        return replace(run, duration_s=float(run.duration_s), commit=str(run.commit))
    except OSError as error:
        raise BadInputError(
            f"{path}: expected a result, which cannot be read ({error.strerror})"
        ) from error
    except KeyError as error:
        raise _no_result(path, f"no {error}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise _no_result(path, str(error)) from error


def newest(folder: Path) -> dict[str, list[Path]]:
    """Return the kept files of each benchmark, the oldest first; by the time in their names."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.json")):
        if match := KEPT.match(path.name):
            found.setdefault(match[1], []).append(path)
    return found


# --- plain data ---------------------------------------------------------------------------------
def _set(target: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(target, name, value)


def _texts(values: Sequence[str]) -> list[str]:
    return list(map(str, values))


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _pair(values: Sequence[float]) -> tuple[float, float]:
    first, second = values
    return _number(first), _number(second)


def _without_nan(data: Any) -> Any:
    """JSON has no NaN and no infinity: both become null."""
    if isinstance(data, dict):
        return {key: _without_nan(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_without_nan(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def _no_result(path: Path, got: str) -> BadInputError:
    return BadInputError(
        f"{path}: expected a result that `rt-avatar bench` wrote, got something else ({got})"
    )


# --- where and how ------------------------------------------------------------------------------
def _machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": _cores(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _cores() -> int:
    """Those that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(usable(0)) if usable else os.cpu_count() or 1


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
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    folder = Path(__file__).parent
    try:
        if git("ls-files", "--error-unmatch", Path(__file__).name) == "":
            return ""  # installed inside somebody else's repository
    except OSError:
        return ""  # no git
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
