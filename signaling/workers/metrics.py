"""The metrics of all workers as those of one server: what counts is summed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import aiohttp
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from rt_avatar.signaling.workers.siblings import Siblings

_log = logging.getLogger(__name__)

# Not of a worker alone: the machine, which each sees whole, and what a call costs at its busiest.
_GREATEST: Final = ("rt_avatar_load", "rt_avatar_call_cores")

Exposition = Callable[[], bytes]


def of_all(own: Exposition, siblings: Siblings) -> Callable[[], Awaitable[bytes]]:
    """Return what gathers the text of all workers; one that does not answer is left out."""

    async def gather() -> bytes:
        others = [at for at in range(len(siblings.board.callers)) if at != siblings.number]
        texts = await asyncio.gather(
            *(siblings.exposition(at) for at in others), return_exceptions=True
        )
        expositions = [own()]
        for worker, text in zip(others, texts, strict=True):
            if isinstance(text, bytes):
                expositions.append(text)
            elif isinstance(text, (aiohttp.ClientError, OSError, TimeoutError)):
                _log.info("worker %d does not tell its metrics (%s)", worker, text)
            else:
                raise text
        return summed(expositions)

    return gather


def summed(expositions: Sequence[bytes]) -> bytes:
    """Return Prometheus' texts of several processes as that of one."""
    registry = CollectorRegistry()
    registry.register(_Sum(expositions))
    return generate_latest(registry)


class _Sum(Collector):
    def __init__(self, expositions: Sequence[bytes]) -> None:
        self._expositions = expositions

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
        for exposition in self._expositions:
            for family in text_string_to_metric_families(exposition.decode()):
                families.setdefault(family.name, family)
                sums = values.setdefault(family.name, {})
                for sample in family.samples:
                    key = (sample.name, tuple(sample.labels.items()))
                    together = max if family.name in _GREATEST else _add
                    sums[key] = together(sums[key], sample.value) if key in sums else sample.value
        for name, family in families.items():
            total = Metric(name, family.documentation, family.type)
            for (sample_name, labels), value in values[name].items():
                if not sample_name.endswith("_created"):  # times, one for each worker
                    total.add_sample(sample_name, dict(labels), value)
            yield total


def _add(one: float, other: float) -> float:
    return one + other
