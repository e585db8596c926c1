"""What a server says of itself at /metrics: Prometheus' text → numbers, changes, percentiles."""

from dataclasses import dataclass
from typing import Final

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

LAG: Final = "lk_agents_event_loop_blocked_duration_seconds"
BUSY: Final = "rt_avatar_worker_busy_seconds_total"
WAITING: Final = "rt_avatar_worker_waiting_seconds_total"
WORK: Final = "rt_avatar_worker_calls_total"
SKIPPED: Final = "rt_avatar_media_skipped_total"
SESSIONS: Final = "rt_avatar_sessions"
TASKS: Final = "rt_avatar_tasks"

Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Scrape:
    """All samples of a moment, or what was added between two."""

    samples: dict[Key, float]

    @classmethod
    def parse(cls, text: str) -> "Scrape":
        """Read Prometheus' text format."""
        families = text_string_to_metric_families(text)
        return cls(
            {
                (sample.name, tuple(sorted(sample.labels.items()))): float(sample.value)
                for family in families
                for sample in family.samples
            }
        )

    def get(self, name: str, **labels: str) -> float:
        """Return a sample; 0 where nothing was counted yet."""
        return self.samples.get((name, tuple(sorted(labels.items()))), 0.0)

    def by(self, name: str, label: str) -> dict[str, float]:
        """Return label → value of all samples of that name."""
        return {
            dict(labels)[label]: value
            for (one, labels), value in self.samples.items()
            if one == name and label in dict(labels)
        }

    def since(self, earlier: "Scrape") -> "Scrape":
        """Return what was added since; meaningful for counters and histograms."""
        return Scrape(
            {key: value - earlier.samples.get(key, 0.0) for key, value in self.samples.items()}
        )

    def quantile(self, histogram: str, share: float) -> float:
        """Return a quantile (share 0..1) of a histogram, linear within its bucket; NaN of nothing.

        What is beyond the last bound is reported as that bound. Source: Prometheus'
        ``histogram_quantile``.
        """
        buckets = sorted(
            (float(bound), count) for bound, count in self.by(f"{histogram}_bucket", "le").items()
        )
        total = buckets[-1][1] if buckets else 0.0
        if not total:
            return float("nan")
        lower, below = 0.0, 0.0
        for bound, count in buckets:
            if count >= share * total:
                if bound == float("inf"):
                    return lower
                return lower + (bound - lower) * (share * total - below) / (count - below)
            lower, below = bound, count
        return lower


async def scrape(http: aiohttp.ClientSession, url: str) -> Scrape:
    """Ask a server, by the URL of its metrics."""
    async with http.get(url) as response:
        response.raise_for_status()
        return Scrape.parse(await response.text())
