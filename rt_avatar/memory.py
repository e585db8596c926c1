"""Keep little of what is free: in few pools, and given back once all is loaded.

Of glibc; other C libraries do so by themselves.
"""

import ctypes
import gc
import os
from contextlib import suppress
from typing import Final

_ARENA_MAX: Final = -8  # malloc.h: M_ARENA_MAX
_ARENAS: Final = 2


def share_pools() -> None:
    """Let all threads share two of glibc's pools of memory; call before there are any threads.

    Else each thread gets one, and what it frees there nobody else can use: of a server with two
    calls 60 to 100 MiB, rising for minutes; in two pools 5 to 10 MiB (docs/LOG.md). Whoever has set
    MALLOC_ARENA_MAX keeps it.
    """
    if "MALLOC_ARENA_MAX" not in os.environ:
        with suppress(OSError, AttributeError, TypeError):  # not glibc
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Collect garbage, and let glibc return what is free.

    Loading networks leaves pages that nothing uses: of a server at rest 28 of 383 MiB.
    """
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)
