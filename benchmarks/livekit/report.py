"""What was measured in LiveKit's rooms → the benchmark's ``Result``."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from rt_avatar.benchmarks.livekit.measured import LATE_LIMIT, Costs, Measured, PluginMeasured
from rt_avatar.benchmarks.result import Plot, Result, percentile

COLUMNS: Final = ("what", "n", "p50", "p95", "")
NOTES: Final = (
    "Received by LiveKit's own client library on the same machine: with its jitter buffer, without "
    "loudspeaker and screen. Clap minus flash: + is sound late; few people notice −45 to +125 ms. "
    '"Less buffers" is without what the receiver\'s buffers for sound and pictures differ by.',
    "Rooms: all callers, and with the plug-in all agents, share the machine with the worker; it "
    "keeps more rooms on a machine of its own. Late: 30 ms or more behind, or never come.",
)


def report(measured: Measured) -> Result:
    """Put what was measured into a table, figures and notes."""
    plugin = measured.plugin
    samples = {**_samples(measured), **_plugin_samples(plugin)}
    hints = {
        "dispatch to first picture (ms)": f"{measured.missing} avatars did not come",
        "end of speech to first sound (ms)": (
            f"{measured.unanswered} unanswered, {measured.early} answered too early"
        ),
        "barge-in to silence (ms)": f"{measured.missed} missed, {measured.too_short} hidden",
        "plug-in: start to first picture (ms)": f"{plugin.missing} avatars did not come",
        "plug-in: voice to silence (ms)": f"{plugin.missed} missed",
    }
    rows = [_row(label, values, hints.get(label, "")) for label, values in samples.items()]
    rows += [_cost_row("", one) for one in measured.costs]
    rows += [_cost_row("plug-in: ", one) for one in plugin.costs]
    lines = {
        "worker": [(c.rooms, c.worker_cores) for c in measured.costs],
        "worker, plug-in": [(c.rooms, c.worker_cores) for c in plugin.costs],
        "livekit-server": [(c.rooms, c.server_cores) for c in measured.costs],
    }
    return Result(
        name="livekit",
        columns=COLUMNS,
        rows=rows,
        figures={**_figures(measured), **_plugin_figures(plugin)},
        higher_is_better=("fps_least", "rooms_kept", "plugin_rooms_kept"),
        neutral=("rooms", "position_p50_ms"),
        samples={label: values for label, values in samples.items() if values},
        plots=[
            Plot(
                "What rooms cost", "rooms at once", "cores",
                {label: points for label, points in lines.items() if points},
            )
        ],
        notes=[*NOTES, *(f"the worker said: {problem}" for problem in measured.problems[:5])],
    )  # fmt: skip


def kept(costs: Sequence[Costs]) -> int:
    """Return how many rooms at once kept the promise, without a smaller number that broke it."""
    count = 0
    for one in costs:
        if not one.keeps:
            break
        count = one.rooms
    return count


def _samples(measured: Measured) -> dict[str, list[float]]:
    return {
        "dispatch to first picture (ms)": measured.first_picture_ms,
        "dispatch to first sound (ms)": measured.first_sound_ms,
        "end of speech to first sound (ms)": measured.answer_ms,
        "barge-in to silence (ms)": measured.silence_ms,
        "barge-in to mouth shut (ms)": measured.mouth_ms,
        "sound after picture (ms)": measured.skew_ms,
        "sound after picture, less buffers (ms)": measured.bare_skew_ms,
    }


def _plugin_samples(plugin: PluginMeasured) -> dict[str, list[float]]:
    return {
        "plug-in: start to first picture (ms)": plugin.first_picture_ms,
        "plug-in: start to first sound (ms)": plugin.first_sound_ms,
        "plug-in: interrupt() to silence (ms)": plugin.stop_silence_ms,
        "plug-in: interrupt() to mouth shut (ms)": plugin.stop_mouth_ms,
        "plug-in: voice to the agent's recogniser (ms)": plugin.stt_ms,
        "plug-in: voice to silence (ms)": plugin.voice_silence_ms,
        "plug-in: voice to mouth shut (ms)": plugin.voice_mouth_ms,
        "plug-in: position told less heard (ms)": plugin.position_ms,
        "plug-in: sound after picture (ms)": plugin.skew_ms,
        "plug-in: sound after picture, less buffers (ms)": plugin.bare_skew_ms,
    }


def _figures(measured: Measured) -> dict[str, float]:
    costs = measured.costs
    return {
        "dispatch_picture_p50_ms": percentile(measured.first_picture_ms, 50),
        "dispatch_picture_p95_ms": percentile(measured.first_picture_ms, 95),
        "dispatch_sound_p50_ms": percentile(measured.first_sound_ms, 50),
        "answer_p50_ms": percentile(measured.answer_ms, 50),
        "answer_p95_ms": percentile(measured.answer_ms, 95),
        "silence_p50_ms": percentile(measured.silence_ms, 50),
        "silence_p95_ms": percentile(measured.silence_ms, 95),
        "mouth_p50_ms": percentile(measured.mouth_ms, 50),
        "skew_median_ms": percentile(measured.skew_ms, 50),
        "skew_p95_ms": percentile([abs(one) for one in measured.skew_ms], 95),
        "bare_skew_median_ms": percentile(measured.bare_skew_ms, 50),
        "room_cpu_percent": 100 * _slope(costs),
        "first_room_cpu_percent": 100 * costs[0].worker_cores,
        "memory_mib": costs[-1].memory_mib,
        "fps_least": min(costs[-1].fps),
        "missed": float(measured.missed),
        "unanswered": float(measured.unanswered),
        "early": float(measured.early),
        "cold_start_s": measured.cold_start_s,
        "rooms": float(costs[-1].rooms),
        "rooms_kept": float(kept(costs)),
    }


def _plugin_figures(plugin: PluginMeasured) -> dict[str, float]:
    costs = plugin.costs
    figures = {
        "plugin_picture_p50_ms": percentile(plugin.first_picture_ms, 50),
        "plugin_sound_p50_ms": percentile(plugin.first_sound_ms, 50),
        "plugin_silence_p50_ms": percentile(plugin.stop_silence_ms, 50),
        "plugin_silence_p95_ms": percentile(plugin.stop_silence_ms, 95),
        "plugin_mouth_p50_ms": percentile(plugin.stop_mouth_ms, 50),
        "plugin_stt_p50_ms": percentile(plugin.stt_ms, 50),
        "plugin_voice_silence_p50_ms": percentile(plugin.voice_silence_ms, 50),
        "plugin_voice_mouth_p50_ms": percentile(plugin.voice_mouth_ms, 50),
        "position_p50_ms": percentile(plugin.position_ms, 50),
        "position_p95_ms": percentile([abs(one) for one in plugin.position_ms], 95),
        "plugin_skew_median_ms": percentile(plugin.skew_ms, 50),
        "plugin_bare_skew_median_ms": percentile(plugin.bare_skew_ms, 50),
        "plugin_missed": float(plugin.missed),
    }
    if costs:
        figures |= {
            "plugin_room_cpu_percent": 100 * _slope(costs),
            "plugin_first_room_cpu_percent": 100 * costs[0].worker_cores,
            "plugin_memory_mib": costs[-1].memory_mib,
            "plugin_rooms_kept": float(kept(costs)),
        }
    return figures


def _row(label: str, values: Sequence[float], hint: str) -> list[str]:
    p50, p95 = percentile(values, 50), percentile(values, 95)
    return [label, str(len(values)), f"{p50:.0f}", f"{p95:.0f}", hint]


def _cost_row(whose: str, costs: Costs) -> list[str]:
    return [
        f"{whose}{costs.rooms} rooms" if costs.rooms > 1 else f"{whose}1 room",
        str(costs.rooms),
        f"{np.mean(costs.fps):.1f} fps",
        f"{min(costs.fps):.1f} fps least",
        f"{100 * costs.late_share:.1f} % late ({'kept' if costs.keeps else 'broken'}: "
        f"{100 * LATE_LIMIT:.0f} %); worker {100 * costs.worker_cores:.0f} % of a core, "
        f"{costs.memory_mib:.0f} MiB; livekit-server {100 * costs.server_cores:.0f} %",
    ]


def _slope(costs: Sequence[Costs]) -> float:
    """Return the cores that one more room takes; of a single step all that it takes."""
    if len(costs) < 2:
        return costs[0].worker_cores
    rooms = [one.rooms for one in costs]
    return float(np.polyfit(rooms, [one.worker_cores for one in costs], 1)[0])
