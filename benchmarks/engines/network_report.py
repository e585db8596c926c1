"""The network's part of the report: its figures, nano's goals, official sizes, GPU columns."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rt_avatar.benchmarks.engines.case import Work
from rt_avatar.benchmarks.engines.floor import MachineRates, floor_ms
from rt_avatar.benchmarks.engines.network_stages import PROMPT_TOKENS, UTTERANCE_S
from rt_avatar.benchmarks.engines.parts import Found, Part
from rt_avatar.benchmarks.engines.report import COLUMNS, Costs, lines, number, work_cell
from rt_avatar.benchmarks.engines.road import cell
from rt_avatar.benchmarks.result import Result, percentile
from rt_avatar.engines.types import CHUNK_S

GPU_COLUMN: Final = "GPU ms, torch recorded fp32 / bf16 / eager bf16\nORT CUDA / TensorRT"


@dataclass(frozen=True, slots=True)
class Goal:
    """What nano was made for, on one thread of a CPU.

    Attributes:
        what: In words.
        figure: Key of what was measured.
        limit: At most so much; of tokens a second at least.
    """

    what: str
    figure: str
    limit: float

    @property
    def is_least(self) -> bool:
        """Whether more is better."""
        return self.figure in HIGHER

    @property
    def unit(self) -> str:
        """Of the limit."""
        return "tokens/s" if self.is_least else "ms"

    def is_met(self, value: float) -> bool:
        """Whether a measured value is within the limit."""
        return value >= self.limit if self.is_least else value <= self.limit


HIGHER: Final = ("nano_llm_tokens_per_s", "nano_prefill_tokens_per_s")
GOALS: Final = (
    Goal("language model", "nano_llm_tokens_per_s", 250),
    Goal("200 ms of speech", "nano_voice_ms", 20),
    Goal("5 frames of motion, by content", "nano_motion_ms", 15),
    Goal("5 frames of motion, by sound", "nano_sound_motion_ms", 15),
    Goal("a frame of 256²", "nano_face_ms", 25),
    Goal("encoders, when 5 s end", "nano_encoders_end_ms", 40),
    Goal("encoders, all of 5 s", "nano_encoders_ms", 40),
)


def add_network(
    result: Result,
    costs: Costs,
    rates: MachineRates,
    official: Sequence[tuple[Part, Found, float]],
    notes: Sequence[str],
) -> Result:
    """Return the result with what is known of the network.

    Args:
        result: Of all cases, the network's among them.
        costs: Of all cases.
        rates: Of the machine.
        official: What is counted of official sizes, and milliseconds an item; NaN if not run.
        notes: What the reader must know.
    """
    figures = network_figures(costs)
    rows = [*result.rows]
    rows += [_official_row(part, found, ms, rates) for part, found, ms in official]
    rows += [_goal_row(goal, figures[goal.figure]) for goal in GOALS if goal.figure in figures]
    return replace(
        result,
        rows=rows,
        figures={**result.figures, **figures},
        higher_is_better=[*result.higher_is_better, *(key for key in HIGHER if key in figures)],
        notes=[*result.notes, *notes],
    )


def network_figures(costs: Costs) -> dict[str, float]:
    """Return nano's figures, those that were measured."""

    def median_ms(name: str) -> float:
        return percentile(costs[name].item_ms, 50) if name in costs else math.nan

    def end_ms(name: str) -> float:
        return percentile(costs[name].flush_ms, 50) if name in costs else math.nan

    def ms_of(name: str, seconds: float) -> float:
        """Of so much media, ends included."""
        return 1000 * seconds * costs[name].real_time_factor if name in costs else math.nan

    features_ms = ms_of("nano sound features", CHUNK_S)
    found = {
        "nano_llm_tokens_per_s": 1000 / median_ms("nano LLM step"),
        "nano_prefill_tokens_per_s": 1000 * PROMPT_TOKENS / median_ms("nano LLM prefill"),
        "nano_answer_ms": median_ms("nano answer"),
        "nano_speech_encoder_ms": ms_of("nano speech encoder", UTTERANCE_S),
        "nano_speech_encoder_end_ms": end_ms("nano speech encoder"),
        "nano_vision_encoder_ms": median_ms("nano vision encoder"),
        "nano_vision_encoder_end_ms": end_ms("nano vision encoder"),
        "nano_encoders_ms": ms_of("nano speech encoder", UTTERANCE_S)
        + ms_of("nano vision encoder", UTTERANCE_S),
        "nano_encoders_end_ms": end_ms("nano speech encoder") + end_ms("nano vision encoder"),
        "nano_contents_ms": median_ms("nano contents"),
        "nano_styles_ms": median_ms("nano styles"),
        "nano_voice_ms": ms_of("nano voice", CHUNK_S),
        "nano_features_ms": features_ms,
        "nano_motion_ms": ms_of("nano motion by content", CHUNK_S),
        "nano_sound_motion_ms": ms_of("nano motion by sound", CHUNK_S) + features_ms,
        "nano_face_ms": median_ms("nano face"),
    }
    return {key: value for key, value in found.items() if not math.isnan(value)}


def _goal_row(goal: Goal, value: float) -> list[str]:
    limit = f"{'≥' if goal.is_least else '≤'} {goal.limit:.0f} {goal.unit}"
    verdict = "met" if goal.is_met(value) else "missed"
    cells = [f"nano's goal:\n{goal.what}", limit, f"{number(value)}\n{verdict}"]
    return cells + [""] * (len(COLUMNS) - len(cells))


def _official_row(part: Part, found: Found, ms: float, rates: MachineRates) -> list[str]:
    least_ms = floor_ms(Work(found.parameters, found.flops, found.weights_bytes), rates)
    is_run = not math.isnan(ms)
    cells = [
        part.name,
        f"{part.item}\n{part.worker}",
        f"{number(ms)}\n{ms / 1000 / part.seconds:.2g}" if is_run else f"≥ {number(least_ms)}",
        "" if is_run else found.why_not or "not run",
        lines(f"{found.weights_bytes / 2**20:.0f}, {found.parameters / 1e6:.1f} M"),
        work_cell(found.flops, part.seconds, ms / least_ms),
    ]
    return cells + [""] * (len(COLUMNS) - len(cells))


# --- GPU ----------------------------------------------------------------------------------------
def add_gpu(result: Result, medians: Mapping[str, Sequence[float]]) -> Result:
    """Return the result with a column of what a GPU takes.

    Args:
        result: Of all.
        medians: By row: milliseconds with torch, recorded in fp32 and in bfloat16, and eagerly in
            bfloat16; with onnxruntime's CUDA and its TensorRT; NaN where it was not run.
    """

    def of(row: Sequence[str]) -> str:
        name = row[0].partition("\n")[0]
        return cell(medians[name]) if name in medians else ""

    return replace(
        result,
        columns=[*result.columns, GPU_COLUMN],
        rows=[[*row, of(row)] for row in result.rows],
    )
