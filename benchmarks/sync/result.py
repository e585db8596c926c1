"""What one run of the sync benchmark found → its ``Result``: table, figures, plot, notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rt_avatar.benchmarks.browser.meter import Stats
from rt_avatar.benchmarks.result import Plot, Result, percentile
from rt_avatar.benchmarks.sync.analysis import (
    EARLIEST_MS,
    LATEST_MS,
    Drift,
    Floats,
    Pairs,
    drift,
    share_within,
)
from rt_avatar.benchmarks.sync.flow import Flow
from rt_avatar.benchmarks.sync.speech import SpeechSkew

COLUMNS: Final = ("ms, + is sound late", "n", "p5", "p50", "p95", "p95 of |ms|")
# In less, what wanders up and down in minutes looks like a drift of hundreds of ms an hour.
DRIFT_S: Final = 600
_LIMIT_POINTS: Final = 80  # of a level line that is made of points

SIGN: Final = (
    "Skew is clap minus flash: + is sound late, − is sound early. ITU-R BT.1359-1 counts the other "
    "way round; its thresholds of detection are −45 and +125 ms here."
)
BROWSER: Final = (
    "Sound: when the browser takes it from its jitter buffer, plus what it knows of the way to the "
    "loudspeaker ({latency:.0f} ms here). Picture: when the browser expects it on the screen.",
    "Constant, of the codec: Opus gives every sound 6.5 ms later than it went in. Of the screen: a "
    "picture is shown in steps of a refresh (16.7 ms; 33 ms on a browser without a GPU), up to one "
    "step late. Without a GPU one picture in five is not painted; a flash on it counts where its "
    "turn would have been between its neighbours.",
    "The browser's own estimate (estimatedPlayoutTimestamp of both tracks) knows neither codec nor "
    "screen: it tells apart what the browser does from what lies before and after.",
    "Chromium moves sound and picture together only when they are more than 30 ms apart, so some "
    "tens of ms may stand for long.",
)
PEER: Final = (
    "Where a perfect receiver would put sound and picture, by the sender's own clock (RTP times "
    "and sender reports): no jitter buffer, no loudspeaker and no screen are in it.",
    "Constant: Opus gives every sound 6.5 ms later than it went in; reports bear the time of "
    "sending, so a picture seems later by its drawing and encoding.",
)
DRIFT: Final = (
    "Drift: of calls under ten minutes none is given. The interval takes the errors of half "
    "minutes for independent of each other."
)
SPEECH: Final = (
    "Speech: each reply is made once more from its words; its loudness is found in the sound, its "
    "mouth in the pictures, and where they are found differs by the skew (each ±5 ms).",
    "Loudness against mouth is what can be told without knowing the reply: lips lead the sound by "
    "nature, by as much as at the source.",
)


@dataclass(frozen=True, slots=True)
class Found:
    """All of a run.

    Attributes:
        claps: Claps and flashes; times in s on any clock.
        skipped: Blocks and pictures that the server left out, by the kind of track.
        unpainted: Flashes that the browser did not paint; where they would have been counts.
        flow: Pictures as decoded; None without a browser.
        painted: Pictures as presented; None without a browser.
        stats: The browser's counters; None without one.
        estimates_ms: (n,) the browser's own estimates of the skew.
        estimated_at_s: (n,) when, on the clock of the claps.
        speech: Replies that were found.
        replies: Replies that were looked for.
    """

    claps: Pairs
    skipped: Mapping[str, float]
    unpainted: int = 0
    flow: Flow | None = None
    painted: Flow | None = None
    stats: Stats | None = None
    estimates_ms: Floats = field(default_factory=lambda: np.zeros(0))
    estimated_at_s: Floats = field(default_factory=lambda: np.zeros(0))
    speech: Sequence[SpeechSkew] = ()
    replies: int = 0


def make_result(found: Found) -> Result:
    """Put what was found in its form."""
    skew_ms = found.claps.skew_ms
    samples = {
        "skew_ms": skew_ms.tolist(),
        "estimate_ms": found.estimates_ms.tolist(),
        "beyond_estimate_ms": _beyond_estimate(found),
        "speech_skew_ms": [one.skew_ms for one in found.speech],
        "speech_lag_ms": [one.lag_ms for one in found.speech],
        "speech_source_lag_ms": [one.source_lag_ms for one in found.speech],
    }
    labels = (
        "clap after flash", "the browser's own estimate", "clap after flash, beyond that estimate",
        "speech: sound after mouth, skew",
        "speech: loudness after mouth, as seen", "speech: loudness after mouth, as made",
    )  # fmt: skip
    rows = [
        _row(label, values)
        for label, values in zip(labels, samples.values(), strict=True)
        if len(values)
    ]
    return Result(
        name="sync",
        columns=COLUMNS,
        rows=rows + _counts(found),
        figures=_figures(found),
        higher_is_better=("within_percent",),
        neutral=(
            "skew_p50_ms", "skew_p95_ms", "drift_low_ms_per_h", "drift_high_ms_per_h", "claps",
            "lone_claps", "lone_flashes", "speech_skew_p50_ms", "replies_found",
        ),
        samples={label: values for label, values in samples.items() if len(values)},
        plots=[_plot(found)],
        notes=_notes(found),
    )  # fmt: skip


def _figures(found: Found) -> dict[str, float]:
    skew_ms = found.claps.skew_ms
    line = _drift(found.claps.at_s, skew_ms)
    figures = {
        "abs_skew_p95_ms": percentile(np.abs(skew_ms).tolist(), 95),
        "skew_p50_ms": percentile(skew_ms.tolist(), 50),
        "skew_p95_ms": percentile(skew_ms.tolist(), 95),
        "within_percent": 100 * share_within(skew_ms),
        "drift_ms_per_h": line.ms_per_hour,
        "drift_low_ms_per_h": line.low,
        "drift_high_ms_per_h": line.high,
        "claps": float(len(skew_ms)),
        "lone_claps": float(found.claps.lone_claps),
        "lone_flashes": float(found.claps.lone_flashes),
        "skipped_pictures": found.skipped.get("video", 0.0),
        "skipped_sound_blocks": found.skipped.get("audio", 0.0),
    }
    if found.flow is not None and found.stats is not None:
        stats = found.stats
        concealed = stats.concealed_samples / stats.heard_samples if stats.heard_samples else np.nan
        figures |= {
            "uneven_pictures_percent": 100 * found.flow.uneven,
            "dropped_pictures": stats.dropped_pictures,
            "freezes": stats.freezes,
            "concealed_sound_percent": 100 * concealed,
        }
    if found.replies:
        speech_ms = [one.skew_ms for one in found.speech]
        figures |= {
            "speech_skew_p50_ms": percentile(speech_ms, 50),
            "speech_abs_skew_p95_ms": percentile([abs(value) for value in speech_ms], 95),
            "speech_drift_ms_per_h": _drift(
                np.array([one.at_s for one in found.speech]), np.array(speech_ms)
            ).ms_per_hour,
            "replies_found": float(len(found.speech)),
        }
    return figures


def _drift(at_s: Floats, skew_ms: Floats) -> Drift:
    """Return the drift of a call that is long enough to have one, else NaN."""
    if not len(at_s) or np.ptp(at_s) < DRIFT_S:
        return Drift(float("nan"), float("nan"), float("nan"))
    return drift(at_s, skew_ms)


def _beyond_estimate(found: Found) -> list[float]:
    """Return how much more than the browser's own estimate of that moment each skew is."""
    if not len(found.estimates_ms):
        return []
    expected_ms = np.interp(found.claps.at_s, found.estimated_at_s, found.estimates_ms)
    return [float(value) for value in found.claps.skew_ms - expected_ms]


def _row(label: str, values: Sequence[float]) -> list[str]:
    shown = [f"{percentile(values, share):+.1f}" for share in (5, 50, 95)]
    magnitude = percentile([abs(value) for value in values], 95)
    return [label, str(len(values)), *shown, f"{magnitude:.1f}"]


def _counts(found: Found) -> list[list[str]]:
    """Rows of counts; they fill the first two columns."""
    counts = [
        ("claps without their flash", found.claps.lone_claps),
        ("flashes without their clap", found.claps.lone_flashes),
        ("flashes that the browser did not paint", found.unpainted),
        ("pictures that the server skipped", round(found.skipped.get("video", 0))),
        ("blocks of sound that the server skipped", round(found.skipped.get("audio", 0))),
    ]
    for name, flow in (("decoded", found.flow), ("painted", found.painted)):
        if flow is not None:
            counts += [
                (f"pictures due ({name})", flow.due),
                (f"  of these missing ({name})", flow.missing),
                (f"  of these late by over 40 ms ({name})", flow.late),
            ]
    if found.stats is not None:
        counts += [
            ("pictures dropped by the browser", round(found.stats.dropped_pictures)),
            ("freezes counted by the browser", round(found.stats.freezes)),
            ("ms of sound made up by the browser", round(found.stats.concealed_samples / 48)),
        ]
    if found.replies:
        counts.append(("replies looked for in what was heard and seen", found.replies))
    return [[label, str(count), "", "", "", ""] for label, count in counts]


def _plot(found: Found) -> Plot:
    minutes = (found.claps.at_s - found.claps.at_s[:1]) / 60
    lines = {"claps": list(zip(minutes.tolist(), found.claps.skew_ms.tolist(), strict=True))}
    if found.speech:
        begin_s = found.speech[0].at_s
        lines["speech"] = [((one.at_s - begin_s) / 60, one.skew_ms) for one in found.speech]
    last = max((x for points in lines.values() for x, _ in points), default=1.0)
    for label, level in (
        ("earlier than this is noticed", EARLIEST_MS),
        ("later than this is noticed", LATEST_MS),
    ):
        lines[label] = [(float(x), level) for x in np.linspace(0, last, _LIMIT_POINTS)]
    return Plot(
        "Skew of sound against picture over a call", "minutes", "ms, + is sound late", lines,
        kind="points",
    )  # fmt: skip


def _notes(found: Found) -> list[str]:
    notes = [SIGN, DRIFT]
    if found.stats is not None:
        latency = 1000 * found.stats.output_latency_s
        notes += [note.format(latency=latency) for note in BROWSER]
    else:
        notes += PEER
    if found.replies:
        notes += SPEECH
    return notes
