"""The metrics of all workers in one text: each worker's samples bear its number."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import aiohttp

from rt_avatar.signaling.workers.siblings import Siblings

_log = logging.getLogger(__name__)

# "worker" is an engine's thread. Sums would fall when a worker dies, and a counter that falls is
# one that began anew: whoever watches would count the others' a second time.
LABEL: Final = "process"

Exposition = Callable[[], bytes]


def of_all(own: Exposition, siblings: Siblings) -> Callable[[], Awaitable[bytes]]:
    """Return what gathers the text of all workers; one that does not answer is left out."""

    async def gather() -> bytes:
        others = [at for at in range(len(siblings.board.callers)) if at != siblings.number]
        texts = await asyncio.gather(
            *(siblings.exposition(at) for at in others), return_exceptions=True
        )
        expositions = {siblings.number: own()}
        for worker, text in zip(others, texts, strict=True):
            if isinstance(text, bytes):
                expositions[worker] = text
            elif isinstance(text, (aiohttp.ClientError, OSError, TimeoutError)):
                _log.info("worker %d does not tell its metrics (%s)", worker, text)
            else:
                raise text
        return together(expositions)

    return gather


def together(expositions: Mapping[int, bytes]) -> bytes:
    """Return Prometheus' texts of several processes, by their number, as one.

    They are put together as text: read and written as numbers, those of four workers would hold
    the event loop for 50 ms.
    """
    families: dict[str, list[str]] = {}
    for worker, exposition in sorted(expositions.items()):
        for family in exposition.decode().split("# HELP ")[1:]:
            about, kind, *samples = family.splitlines()
            lines = families.setdefault(about, [f"# HELP {about}", kind])
            lines += [_labelled(sample, worker) for sample in samples]
    return "".join(f"{line}\n" for lines in families.values() for line in lines).encode()


def _labelled(sample: str, worker: int) -> str:
    name, brace, labels = sample.partition("{")
    if brace:
        return f'{name}{{{LABEL}="{worker}",{labels}'
    name, _, value = sample.partition(" ")
    return f'{name}{{{LABEL}="{worker}"}} {value}'
