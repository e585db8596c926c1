"""Memory of processes that belong together, each page counted once, whatever else runs beside them.

Not PSS: it divides a library's pages by all who map them, strangers too. Of a server's 125 MiB of
such pages it counted 25 to 63, up and down as other programs ended and began.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil


def memory_mib(processes: Iterable[psutil.Process]) -> float:
    """Return their resident memory in MiB; who has ended is left out.

    Anonymous pages that they share are counted once, and of each mapped file the pages of whoever
    has most of them. Where the system tells neither (not Linux), the sum of what is resident.
    """
    held, files = 0.0, Counter[str]()
    for process in processes:
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):  # ended, or about to
            held += held_mib(process)
            files |= _file_pages(process)  # the greater of two counts
    return held + files.total() / 2**20


def held_mib(process: psutil.Process) -> float:
    """Return the anonymous memory of a process in MiB: its share of what its relatives share.

    Where the system does not tell, resident memory.

    Raises:
        psutil.NoSuchProcess: It has ended.
    """
    with suppress(OSError):
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
        for line in text.splitlines():
            if line.startswith("Pss_Anon:"):  # "Pss_Anon:   112 kB"
                return int(line.split()[1]) / 1024
    return float(process.memory_info().rss) / 2**20


def _file_pages(process: psutil.Process) -> Counter[str]:
    """Return the bytes of each mapped file that are resident and not the process's own copies."""
    if not psutil.LINUX:
        return Counter()
    return Counter(
        {
            one.path: one.rss - one.anonymous
            for one in process.memory_maps()
            if one.path.startswith("/")
        }
    )
