"""What the engines cost → the benchmark's result: table, sums of a second, figures, notes."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from rt_avatar.benchmarks.engines.case import KINDS, Case, Cost, Kind
from rt_avatar.benchmarks.engines.floor import MachineRates, floor_ms
from rt_avatar.benchmarks.engines.inputs import LOOK, VOICE
from rt_avatar.benchmarks.result import Plot, Result, percentile
from rt_avatar.engines.rig import LOOKS

COLUMNS: Final = (
    "engine\nHz in → out, chunk", "item\nworker", "ms p50 / p95 + end\nRTF",
    "first ms cold / warm\nlook-ahead ms", "MiB engine / 1st / more\nweights",
    "MFLOP, GFLOP/s\n×\u00a0floor", "ms idle", "heard", "spoken",
)  # fmt: skip
# Above these a note says so; clocks read one after the other differ by 1 or 2 %.
THREADS: Final = 1.1  # processor time of the process against that of the calling thread
BUSY: Final = 1.2  # wall time against processor time
FELT_MS: Final = 0.1  # an end of an utterance that takes less is not told
# The rest of the percentiles are in the table only: a picture each would bury these.
BEHIND_FIGURES: Final = (
    "silero", "prosody", "echo", "recogniser", "whisper", "face cues", "articulation", "presence",
    f"rig {LOOK} 512", "face, in speech", "VP8 out, in speech", "Opus out, in speech",
    "nano LLM step", "nano voice", "nano face",
)  # fmt: skip
WORKERS: Final = ("audio", "recogniser", "vision", "voice", "face", "loop", "wire")

Costs = Mapping[str, Cost]  # by the name of the case


def report(cases: Sequence[Case], costs: Costs, rates: MachineRates, *, is_whole: bool) -> Result:
    """Put what was measured in a table, sum up the seconds, pick the figures.

    Args:
        cases: What was measured.
        costs: What came out, of each of them.
        rates: Of the machine.
        is_whole: Whether nothing is missing of a second; else it is not summed up.
    """
    seconds = {kind: second_of(kind, cases, costs) for kind in KINDS}
    rows = [_row(case, costs[case.name], rates) for case in cases]
    figures = _figures(costs, rates)
    if is_whole:
        for worker in WORKERS:
            rows.append(_sum_row(worker, [seconds[kind].get(worker, 0.0) for kind in KINDS]))
        second = {kind: sum(seconds[kind].values()) for kind in KINDS}
        rows.append(_sum_row("a second", [second[kind] for kind in KINDS]))
        figures = {
            "second_of_talk_ms": (second["heard"] + second["spoken"]) / 2,
            "second_of_idle_ms": second["idle"],
            "second_heard_ms": second["heard"],
            "second_spoken_ms": second["spoken"],
        } | figures
    return Result(
        name="engines",
        columns=COLUMNS,
        rows=rows,
        figures={key: value for key, value in figures.items() if not math.isnan(value)},
        neutral=("gemm_gflops", "copy_gib_per_s"),
        samples={_label(name): costs[name].item_ms for name in BEHIND_FIGURES if name in costs},
        plots=_plots(seconds if is_whole else {}, costs),
        notes=_notes(cases, costs, rates),
    )


def second_of(kind: Kind, cases: Sequence[Case], costs: Costs) -> dict[str, float]:
    """Return worker → milliseconds of work in a second of that kind."""
    sums: dict[str, float] = {}
    for case in cases:
        if kind in case.kinds:
            work_ms = 1000 * costs[case.name].processor_factor
            sums[case.worker] = sums.get(case.worker, 0.0) + work_ms
    return sums


def work_cell(flops: float, seconds: float, ratio: float) -> str:
    """Return what an item asks for, what a second of its media does, and how far off the floor."""
    return lines(
        number(flops / 1e6) if flops else "",
        f"{number(flops / seconds / 1e9)}\u00a0G/s" if flops and seconds else "",
        "" if math.isnan(ratio) else f"×\u00a0{number(ratio)}",
    )


def _row(case: Case, cost: Cost, rates: MachineRates) -> list[str]:
    spec, work = cost.spec, cost.work
    ratio = floor_ratio(cost, rates)
    rates_hz = f"{spec.input_rate_hz or '–'} → {spec.output_rate_hz or '–'}"
    held = (_mib(one) for one in (cost.engine_mib, cost.first_mib, cost.further_mib))
    work_ms = 1000 * cost.processor_factor
    return [
        f"{case.name}\n{rates_hz}, {spec.chunk}",
        f"{case.item}\n{case.worker}",
        f"{_items_ms(cost)}\n{cost.real_time_factor:.2g}",
        f"{_joined(cost.cold_ms, cost.warm_ms)}\n{_lookahead(cost)}",
        lines(" / ".join(held), _weights(cost)),
        work_cell(work.flops, case.seconds_per_item, ratio),
        *(number(work_ms) if kind in case.kinds else "" for kind in KINDS),
    ]


def lines(*texts: str) -> str:
    """Return those that say something."""
    return "\n".join(line for line in texts if line)


def _sum_row(worker: str, in_second: Sequence[float]) -> list[str]:
    return [f"Σ {worker}", *[""] * (len(COLUMNS) - 4), *map(number, in_second)]


def number(value: float) -> str:
    """Return two figures, or all before the point."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def _joined(*values: float) -> str:
    return " / ".join(map(number, values))


def _items_ms(cost: Cost) -> str:
    """Return median and 95th percentile of the items; behind a +, of an end that is felt."""
    items = _joined(percentile(cost.item_ms, 50), percentile(cost.item_ms, 95))
    end_ms = percentile(cost.flush_ms, 50)
    return f"{items} + {number(end_ms)}" if end_ms >= FELT_MS else items


def _lookahead(cost: Cost) -> str:
    if cost.lookahead is None:
        return "–"
    rate_hz = cost.spec.input_rate_hz
    return _joined(1000 * cost.spec.lookahead / rate_hz, 1000 * cost.lookahead / rate_hz)


def _mib(value: float) -> str:
    return "–" if abs(value) < 0.05 else f"{value:.1f}"


def _weights(cost: Cost) -> str:
    if not cost.weights_bytes:
        return ""
    parameters = f", {cost.work.parameters / 1e6:.2f} M" if cost.work.parameters else ""
    return f"{cost.weights_bytes / 2**20:.1f}{parameters}"


def floor_ratio(cost: Cost, rates: MachineRates) -> float:
    """Return an item's median with its share of the ends against the floor; NaN without one."""
    item_ms = percentile(cost.item_ms, 50)
    if cost.flush_ms:
        item_ms += percentile(cost.flush_ms, 50) * len(cost.flush_ms) / len(cost.item_ms)
    return item_ms / floor_ms(cost.work, rates)


def _figures(costs: Costs, rates: MachineRates) -> dict[str, float]:
    """Return the figures; NaN for what was not measured."""

    def median_ms(name: str) -> float:
        return percentile(costs[name].item_ms, 50) if name in costs else math.nan

    def factor(name: str) -> float:
        return costs[name].real_time_factor if name in costs else math.nan

    def processor_ms(name: str) -> float:
        return 1000 * costs[name].processor_factor if name in costs else math.nan

    def last_ms(name: str) -> float:
        return percentile(costs[name].flush_ms, 50) if name in costs else math.nan

    looks = [median_ms(f"rig {look} 512") for look in LOOKS]
    silero = costs.get("silero")
    return {
        "silero_ms": median_ms("silero"),
        "prosody_ms": median_ms("prosody"),
        "echo_ms": median_ms("echo"),
        "recogniser_rtf": factor("recogniser"),
        "recogniser_cpu_ms_per_s": processor_ms("recogniser"),
        "recogniser_final_ms": last_ms("recogniser"),
        "whisper_rtf": factor("whisper"),
        "whisper_final_ms": last_ms("whisper"),
        "face_cues_ms": median_ms("face cues"),
        "voice_ms_per_s": processor_ms(f"voice {VOICE}"),
        "articulation_ms": median_ms("articulation"),
        "presence_ms": median_ms("presence"),
        "rig_ms": sum(looks) / len(looks),  # NaN if one is missing: the quick form has one only
        f"rig_{LOOK}_ms": median_ms(f"rig {LOOK} 512"),
        "face_stage_ms": median_ms("face, in speech"),
        "vp8_ms": median_ms("VP8 out, in speech"),
        "opus_ms": median_ms("Opus out, in speech"),
        "silero_floor_ratio": math.nan if silero is None else floor_ratio(silero, rates),
        "gemm_gflops": rates.gemm_flops / 1e9,
        "copy_gib_per_s": rates.copy_bytes / 2**30,
    }


def _label(name: str) -> str:
    return f"{name.replace(',', '').replace(' ', '_')}_ms"


def _plots(seconds: Mapping[Kind, Mapping[str, float]], costs: Costs) -> list[Plot]:
    plots = []
    if seconds:
        # Six bars a group can be told apart; resampling and decisions are too small for a seventh.
        stages = {
            label: [
                (float(at), sum(seconds[kind].get(worker, 0.0) for worker in workers))
                for at, kind in enumerate(KINDS)
            ]
            for label, workers in {
                **{worker: (worker,) for worker in WORKERS[:5]},
                " and ".join(reversed(WORKERS[5:])): WORKERS[5:],
            }.items()
        }
        who = "0: nobody speaks · 1: the caller · 2: the avatar"
        plots.append(Plot("A second of the avatar", who, "ms of one core", stages, kind="bars"))
    medians: dict[float, list[float]] = {}
    for name, cost in costs.items():
        if name.startswith("rig "):
            size_px = float(name.rsplit(" ", 1)[1])
            medians.setdefault(size_px, []).append(percentile(cost.item_ms, 50))
    if len(medians) > 1:
        lines = {
            "slowest look": [(size_px, max(looks)) for size_px, looks in medians.items()],
            "mean of the looks": [
                (size_px, sum(looks) / len(looks)) for size_px, looks in medians.items()
            ],
            "fastest look": [(size_px, min(looks)) for size_px, looks in medians.items()],
        }
        plots.append(Plot("A picture of the rig", "side in pixels", "ms, median", lines))
    return plots


def _notes(cases: Sequence[Case], costs: Costs, rates: MachineRates) -> list[str]:
    notes = [
        "Times are processor time, of a process an engine; the recogniser's wall time but in the "
        "sums.",
        f"One thread here multiplies at {rates.gemm_flops / 1e9:.0f} GFLOP/s (float32) and copies "
        f"at {rates.copy_bytes / 2**30:.0f} GiB/s; floors are of these.",
        "A second of the avatar is without event loop, packets, encryption and reasoner.",
    ]
    for case in cases:
        cost = costs[case.name]
        if cost.lookahead is not None and cost.lookahead != cost.spec.lookahead:
            notes.append(
                f"{case.name} declares a look-ahead of {cost.spec.lookahead} input items and has "
                f"{cost.lookahead}."
            )
        if cost.real_time_factor > BUSY * cost.processor_factor:
            waited = cost.real_time_factor / cost.processor_factor
            notes.append(
                f"The machine was busy: {case.name} took {waited:.1f} times its processor time."
            )
        if cost.threads > THREADS and cost.spec.name != "face":  # whose thread is its worker
            notes.append(
                f"{case.name} computes on other threads, too: the process takes "
                f"{cost.threads:.1f} times what its calling thread does."
            )
    return notes
