"""All Prometheus metrics of the process in one place: counters, gauges, histograms → text.

Names follow livekit-agents' OpenTelemetry histograms (``lk.agents.turn.*``) where they mean the
same, so that one dashboard can show both; the rest begin with ``rt_avatar_``. All latencies of a
turn count from the caller's last voiced sample. Nothing here bears a caller's words or address.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from rt_avatar.messages import Trace
from rt_avatar.services.worker import EngineWorker

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

# Around the promises: 500 ms in the median, 800 ms at p95; finer where it matters.
_TURN_BUCKETS_S: Final = (
    0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0,
)  # fmt: skip
# One audio block is 20 ms: what is later than that is heard.
_LAG_BUCKETS_S: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1.0)
_LONG_BUCKETS_S: Final = (2.0, 5.0, 10.0)

# Mark of the trace → name and meaning in livekit-agents.
_LIVEKIT_MARKS: Final = {
    "audio_released": ("e2e_latency", "Caller's last voiced sample to first sound of the reply"),
    "end_of_turn": ("end_of_turn_delay", "Last voiced sample to the decision that the turn ended"),
    "transcript_final": ("transcription_delay", "Last voiced sample to the final transcript"),
}


class Metrics:
    """Every metric, in a registry of its own. Safe to call from any thread; never raises."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self._registry = registry
        self._livekit = {
            mark: Histogram(
                f"lk_agents_turn_{name}_seconds", text, buckets=_TURN_BUCKETS_S, registry=registry
            )
            for mark, (name, text) in _LIVEKIT_MARKS.items()
        }
        self._marks = Histogram(
            "rt_avatar_turn_mark_seconds",
            "When a stage had done its part, after the caller's last voiced sample",
            ["mark"],
            buckets=_TURN_BUCKETS_S,
            registry=registry,
        )
        self._turns = Counter("rt_avatar_turns", "Replies that were released", registry=registry)
        self._preemptive_used = Counter(
            "rt_avatar_preemptive_replies_used",
            "Replies made ahead of the end of turn",
            registry=registry,
        )
        self._discarded = Counter(
            "rt_avatar_preemptive_generations_discarded",
            "Replies made ahead that nobody heard, because the caller went on",
            registry=registry,
        )
        self._barge_ins = Counter(
            "rt_avatar_barge_ins", "Replies the caller interrupted", registry=registry
        )
        self._degradation_steps = Counter(
            "rt_avatar_degradation_steps",
            "Steps taken to keep the budget",
            ["step"],
            registry=registry,
        )
        self.sessions = Gauge("rt_avatar_sessions", "Calls now", registry=registry)
        self.sessions_started = Counter(
            "rt_avatar_sessions_started", "Calls that were connected", registry=registry
        )
        self.reconnects = Counter(
            "rt_avatar_reconnects", "Connections replaced in a call", registry=registry
        )
        self._ended = Counter(
            "rt_avatar_sessions_ended", "Calls over, by reason", ["reason"], registry=registry
        )
        self._rejected = Counter(
            "rt_avatar_rejected", "Requests refused, by reason", ["reason"], registry=registry
        )
        self.load = Gauge("rt_avatar_load", "Share of the machine in use, 0..1", registry=registry)
        self.call_cores = Gauge(
            "rt_avatar_call_cores", "Cores that a call takes at its busiest, as measured",
            registry=registry,
        )  # fmt: skip
        self.tasks = Gauge(
            "rt_avatar_tasks", "Tasks of the event loop; rises and falls with the calls",
            registry=registry,
        )  # fmt: skip
        self._lag = Histogram(
            "lk_agents_event_loop_blocked_duration_seconds",
            "How late the event loop wakes up",
            buckets=_LAG_BUCKETS_S,
            registry=registry,
        )
        self._skipped = Counter(
            "rt_avatar_media_skipped",
            "Audio blocks (20 ms) or pictures (40 ms) that were too late to send",
            ["kind"],
            registry=registry,
        )
        self._recogniser_queue = Histogram(
            "rt_avatar_recogniser_queue_seconds",
            "Wait of 20 ms or more of a caller's sound for their recogniser",
            buckets=_LAG_BUCKETS_S + _LONG_BUCKETS_S,
            registry=registry,
        )
        self._dropped = Counter(
            "rt_avatar_mic_dropped_samples",
            "Samples (16 kHz) of callers' sound that nobody was free to listen to",
            ["stage"],
            registry=registry,
        )
        self._llm_requests = Counter(
            "rt_avatar_llm_requests", "Requests to a language model, by what became of them",
            ["outcome"], registry=registry,
        )  # fmt: skip
        self._llm_tokens = Counter(
            "rt_avatar_llm_tokens", "Tokens of a language model, as its endpoint counts them",
            ["kind"], registry=registry,
        )  # fmt: skip
        self._lost = Counter(
            "rt_avatar_mic_lost_blocks", "20 ms of a caller's sound that were lost or concealed",
            registry=registry,
        )  # fmt: skip

    def watch_workers(self, workers: Sequence[EngineWorker]) -> None:
        """Tell of the engines' threads from now on; once."""
        self._registry.register(_WorkerTimes(workers))

    def observe_turn(self, trace: Trace) -> None:
        """Count a finished turn. Marks before the last voiced sample count as zero."""
        self._turns.inc()
        if trace.preemptive_used:
            self._preemptive_used.inc()
        if trace.interrupted_at_s is not None:
            self._barge_ins.inc()
        for step in trace.degradation_steps:
            self._degradation_steps.labels(step).inc()
        if "end_of_turn" not in trace.marks_s:
            return  # a greeting or typed text: there is no voiced sample to count from
        for mark, value_s in trace.marks_s.items():
            self._marks.labels(mark).observe(max(value_s, 0.0))
            if mark in self._livekit:
                self._livekit[mark].observe(max(value_s, 0.0))

    def count_discarded(self) -> None:
        """Count a reply that was begun ahead and is dropped unheard."""
        self._discarded.inc()

    def observe_recogniser_queue(self, waited_s: float) -> None:
        """Note how long sound of a caller waited for their recogniser."""
        self._recogniser_queue.observe(waited_s)

    def count_dropped(self, stage: Literal["capture", "recogniser"], samples: int) -> None:
        """Count sound of a caller that was dropped because that stage was too late."""
        self._dropped.labels(stage).inc(samples)

    def count_llm_request(self, outcome: Literal["answered", "failed", "cancelled"]) -> None:
        """Count a request to a language model that is over."""
        self._llm_requests.labels(outcome).inc()

    def count_llm_tokens(self, prompt: int, completion: int) -> None:
        """Count the tokens that a language model has read and written."""
        self._llm_tokens.labels("prompt").inc(prompt)
        self._llm_tokens.labels("completion").inc(completion)

    def count_rejected(self, reason: str) -> None:
        """Count a refused request."""
        self._rejected.labels(reason).inc()

    def count_ended(self, reason: str) -> None:
        """Count a call that is over."""
        self._ended.labels(reason).inc()

    def count_skipped(self, kind: str, number: int) -> None:
        """Count media that was too late to send; ``kind`` is ``audio`` or ``video``."""
        self._skipped.labels(kind).inc(number)

    def count_lost(self, blocks: int) -> None:
        """Count 20 ms blocks of a caller's sound that never came."""
        self._lost.inc(blocks)

    def observe_lag(self, lag_s: float) -> None:
        """Note how late the event loop woke up."""
        self._lag.observe(max(lag_s, 0.0))

    def exposition(self) -> bytes:
        """Return everything in Prometheus' text format, ``CONTENT_TYPE``."""
        return generate_latest(self._registry)


class _WorkerTimes(Collector):
    """Reads what the workers have counted at the moment somebody asks."""

    def __init__(self, workers: Sequence[EngineWorker]) -> None:
        self._workers = workers

    def collect(self) -> Iterable[CounterMetricFamily]:
        busy = CounterMetricFamily(
            "rt_avatar_worker_busy_seconds", "Seconds an engine's thread has worked",
            labels=["worker"],
        )  # fmt: skip
        waiting = CounterMetricFamily(
            "rt_avatar_worker_waiting_seconds", "Seconds that work has waited for its thread",
            labels=["worker"],
        )  # fmt: skip
        calls = CounterMetricFamily(
            "rt_avatar_worker_calls", "Pieces of work an engine's thread has done",
            labels=["worker"],
        )  # fmt: skip
        for worker in self._workers:
            busy.add_metric([worker.name], worker.busy_s)
            waiting.add_metric([worker.name], worker.waited_s)
            calls.add_metric([worker.name], worker.calls)
        return busy, waiting, calls
