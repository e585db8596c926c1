"""One part of ``quality``: rows, figures and notes of one thing that the caller hears or sees."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import track

from rt_avatar.benchmarks.result import Plot

T = TypeVar("T")
COLUMNS: Final = ("", "what", "measured", "beside it")


@dataclass(frozen=True, slots=True)
class Group:
    """What one part found.

    Attributes:
        name: As in ``--only``.
        rows: (what, measured, beside it).
        figures: As of ``Result``.
        higher_is_better: As of ``Result``.
        neutral: As of ``Result``.
        samples: As of ``Result``.
        plots: As of ``Result``.
        notes: As of ``Result``.
    """

    name: str
    rows: Sequence[tuple[str, str, str]]
    figures: Mapping[str, float]
    higher_is_better: Sequence[str] = ()
    neutral: Sequence[str] = ()
    samples: Mapping[str, Sequence[float]] = field(default_factory=dict)
    plots: Sequence[Plot] = ()
    notes: Sequence[str] = ()


def progress(items: Iterable[T], what: str) -> Iterable[T]:
    """Yield items and show on stderr how far they are."""
    return track(list(items), description=what, console=Console(stderr=True))


def percent(share: float) -> str:
    """Return a share, 0 to 1, as people read it."""
    return f"{100 * share:.1f} %"
