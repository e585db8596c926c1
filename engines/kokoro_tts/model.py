"""Kokoro's graphs and style tables, read from an exported folder; shared by all callers."""

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.runtimes import RuntimeName, open_graph
from rt_avatar.engines.styletts2.recipe import KOKORO
from rt_avatar.engines.styletts2.speaker import Speaker
from rt_avatar.engines.styletts2.style import MixedStyle, style_from_table
from rt_avatar.engines.styletts2.tables import TABLES, read_tables

Floats: TypeAlias = NDArray[np.float32]

# Where `rt-avatar engines export kokoro` writes unless it is told otherwise.
EXPORTED: Final = Path("~/.cache/rt-avatar/engines/kokoro")
GRAPHS: Final = ("text", "bert", "durations", "curves", "trunk", "window")
# 0.8 s a window after the first: margins are then a quarter of the work instead of three fifths.
WINDOW_FRAMES: Final = 64
_MAKE: Final = (
    "Make it with: rt-avatar models fetch kokoro-82m, then rt-avatar engines export kokoro "
    "(docs/voices.md)"
)


class VoiceFolderError(Exception):
    """A folder is no exported Kokoro, or not a whole one."""


class KokoroModel:
    """The graphs and tables. Thread-safe: they keep nothing between runs.

    Args:
        folder: ``<engines folder>/kokoro`` of ``rt-avatar engines export kokoro``.
        provider: What runs the graphs.
        threads: Of the CPU; 0: half of the cores that this process may use.

    Raises:
        VoiceFolderError: A file is missing or is not what it should be.
        RuntimeUnavailableError: The graphs cannot be run here.
    """

    def __init__(self, folder: Path, provider: RuntimeName = "cpu", threads: int = 0) -> None:
        folder = folder.expanduser()
        wanted = [TABLES, *(f"styletts2_{name}.onnx" for name in GRAPHS)]
        missing = [name for name in wanted if not (folder / name).is_file()]
        if missing:
            raise VoiceFolderError(
                f"{folder}: expected an exported Kokoro; missing {', '.join(missing)}. {_MAKE}"
            )
        try:
            shape, self._tables = read_tables(folder / TABLES)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise VoiceFolderError(
                f"{folder / TABLES}: expected the style tables of an export; got {error!r}. {_MAKE}"
            ) from error
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        used = threads or max(1, cores // 2)
        runs = {
            name: open_graph(folder / f"styletts2_{name}.onnx", provider, threads=used).run
            for name in GRAPHS
        }
        size = next(iter(self._tables.values())).shape[-1]
        self.speaker = Speaker(runs, KOKORO, shape, size, WINDOW_FRAMES)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the style tables."""
        return tuple(self._tables)

    def check_names(self, names: Mapping[str, float]) -> None:
        """Check that there is a table of each name.

        Raises:
            ValueError: There is none; the message lists all.
        """
        unknown = [name for name in names if name not in self._tables]
        if unknown:
            raise ValueError(
                f"voice: expected some of {', '.join(self._tables)}; got {', '.join(unknown)}"
            )

    def style(
        self, tokens: list[int], shares: Mapping[str, float], prosodic: Mapping[str, float]
    ) -> MixedStyle:
        """Return the style of a segment of so many phonemes.

        Args:
            tokens: Of the segment.
            shares: Tables of the voice, and how much of each.
            prosodic: Tables that take a share of the prosodic half from it; those that are not
                there are left out.
        """
        rows = [np.float32(share) * self._row(name, tokens) for name, share in shares.items()]
        style: Floats = np.sum(rows, axis=0, dtype=np.float32)
        moved = style
        for name, share in prosodic.items():
            if name in self._tables:
                moved = moved + np.float32(share) * (self._row(name, tokens) - moved)
        half = style.shape[-1] // 2
        acoustic, used = style[:, :half], moved[:, half:]
        return MixedStyle(acoustic, used, np.concatenate([acoustic, used], axis=-1))

    def _row(self, name: str, tokens: list[int]) -> Floats:
        return style_from_table(self._tables[name], tokens)
