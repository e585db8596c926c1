"""Keep little of what is free: in few pools, and given back to the system.

Of glibc; other C libraries do so by themselves.
"""

import asyncio
import ctypes
import gc
import os
from contextlib import suppress
from typing import Final

TRIM_EVERY_S: Final = 60.0  # what calls leave free between blocks grows by some MiB in minutes
_LARGE: Final = 4 << 20  # bytes: hardly anything that is made for each clause or picture is larger
# Variable of the environment → number in malloc.h, value.
_LIMITS: Final = {
    "MALLOC_ARENA_MAX": (-8, 2),
    "MALLOC_MMAP_THRESHOLD_": (-3, _LARGE),
    "MALLOC_TRIM_THRESHOLD_": (-1, _LARGE),
}


def keep_little() -> None:
    """Let all threads share two of glibc's pools and keep 4 MiB free at their ends; call it first.

    Else each thread gets a pool, nobody else can use what it frees there, and the largest block
    that was ever freed decides how much is kept, up to 64 MiB in each: of a server with two calls
    60 to 100 MiB, rising for minutes (docs/LOG.md). What the environment sets stays as it is.
    """
    with suppress(OSError, AttributeError, TypeError):  # not glibc
        mallopt = ctypes.CDLL(None).mallopt
        for variable, limit in _LIMITS.items():
            if variable not in os.environ:
                mallopt(*limit)


def give_back() -> None:
    """Collect garbage, and let glibc return what is free.

    Loading networks leaves pages that nothing uses: of a server at rest 28 of 383 MiB.
    """
    gc.collect()
    _trim()


async def trim_often() -> None:
    """Let glibc return what is free every minute until cancelled, in a thread, in some 2 ms."""
    while True:
        await asyncio.sleep(TRIM_EVERY_S)
        await asyncio.to_thread(_trim)


def _trim() -> None:
    with suppress(OSError, AttributeError, TypeError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)
