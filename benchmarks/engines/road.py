"""The network's road on a GPU, from a caller's last words to the first sound and the first frame.

What is done one after the other once words are final, at the published sizes. A sum of the stages'
medians, not one run: without the recogniser, the decision that the turn is over, Python between the
stages, encoders and the line. The chain of empathy is decoded on the road, or was thought while the
caller spoke; the prompt's pass then stands for what is left to be read of both.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from rt_avatar.benchmarks.engines.network_stages import (
    CHAIN_TOKENS,
    CLAUSE,
    CLAUSE_S,
    PROMPT_TOKENS,
    REPLY_S,
    SIGNALS,
    TOKENS_HZ,
    UTTERANCE_S,
)
from rt_avatar.benchmarks.engines.parts import GraphRun, Part, parts
from rt_avatar.benchmarks.engines.report import number
from rt_avatar.benchmarks.result import Result
from rt_avatar.engines.styletts2.alignment import FRAME_SAMPLES
from rt_avatar.engines.types import CHUNK_S, SPEECH_RATE_HZ

NAME: Final = "official road"
CHAIN: Final = f"{NAME}, chain"
RECORDED: Final = 1  # among the times of a row: in bfloat16, recorded
_FACE: Final = ("contents of the face", "motion", "frame")  # behind the first sound


def road() -> list[Part]:
    """Return its stages, in their order."""
    known = {part.name.removeprefix("official "): part for part in parts("official")}
    tokens, sounds, frames = CLAUSE
    spoken = {"frames": round(CLAUSE_S * SPEECH_RATE_HZ / FRAME_SAMPLES)}
    *_, heard, pooled = known["speech encoder"].runs
    chunk = known["voice, LibriTTS"].runs[-1]
    token = known["LLM step"].runs[0]
    past = {"past": PROMPT_TOKENS + CHAIN_TOKENS}
    signals = replace(token, sizes={**token.sizes, **past, "tokens": 2 * SIGNALS})
    said = (
        *(GraphRun(f"styletts2_{one}", {"tokens": sounds}) for one in ("bert", "durations")),
        *(GraphRun(f"styletts2_{one}", spoken) for one in ("curves", "trunk")),
    )
    styled = GraphRun("dreamtalk_style", {"styles": 1})
    spoken_content = GraphRun("fusion_speech_content", {"tokens": tokens, "phonemes": sounds})
    seen_content = GraphRun("fusion_video_content", {"tokens": tokens, "frames": frames})

    def stage(what: str, of: str, item: str, seconds: float, *runs: GraphRun) -> Part:
        part = known[of]
        return Part(f"{NAME}, {what}", part.network, part.worker, item, seconds, runs)

    def times(count: int) -> GraphRun:
        return replace(token, times=count)

    return [
        stage("hearing", "speech encoder", "last window", UTTERANCE_S, heard, pooled),
        stage("seeing", "vision encoder", "last picture", 0.5, *known["vision encoder"].runs),
        stage("prompt", "LLM prefill", f"{PROMPT_TOKENS} tokens", REPLY_S,
              *known["LLM prefill"].runs),
        stage("chain", "LLM step", f"{CHAIN_TOKENS} tokens", REPLY_S, times(CHAIN_TOKENS)),
        stage("signals", "LLM step", f"{2 * SIGNALS} tokens", REPLY_S, signals),
        stage("styles", "styles", "reply", REPLY_S, *known["styles"].runs),
        stage("first clause", "LLM step", f"{tokens} tokens", tokens / TOKENS_HZ, times(tokens)),
        stage("contents", "contents", "clause", CLAUSE_S, spoken_content),
        stage("clause", "voice, LibriTTS", "clause", CLAUSE_S, *said),
        stage("sound", "voice, LibriTTS", "200 ms", CHUNK_S, chunk),
        stage(_FACE[0], "contents", "clause", CLAUSE_S, seen_content),
        stage(_FACE[1], "motion by content", "5 frames", CHUNK_S, styled,
              *known["motion by content"].runs),
        stage(_FACE[2], "face", "frame", CHUNK_S, *known["face"].runs),
    ]  # fmt: skip


def add_road(result: Result, medians: Mapping[str, Sequence[float]]) -> Result:
    """Return the result with the road's stages, its sums, and these as figures.

    Args:
        result: With a column of what a GPU takes, the last one.
        medians: By stage, as that column has them; without the road's nothing is added.
    """
    stages = [part for part in road() if part.name in medians]
    if not stages:
        return result
    kinds = range(len(medians[CHAIN]))
    face = {f"{NAME}, {one}" for one in _FACE}

    def summed(left_out: set[str]) -> list[float]:
        kept = [part.name for part in stages if part.name not in left_out]
        return [sum(medians[name][kind] for name in kept) for kind in kinds]

    sums = {
        "first_sound": ("words final → first sound", summed(face)),
        "first_sound_thought": ("… the chain thought before", summed({*face, CHAIN})),
        "first_frame": ("words final → first frame", summed(set())),
        "first_frame_thought": ("… the chain thought before", summed({CHAIN})),
    }
    blank = [""] * (len(result.columns) - 3)
    rows = [
        [part.name, f"{part.item}\n{part.worker}", *blank, cell(medians[part.name])]
        for part in stages
    ]
    rows += [[f"{NAME}:\n{what}", "", *blank, cell(taken)] for what, taken in sums.values()]
    figures = {f"official_{key}_gpu_ms": taken[RECORDED] for key, (_, taken) in sums.items()}
    return replace(
        result,
        rows=[*result.rows, *rows],
        figures={**result.figures, **{k: v for k, v in figures.items() if not math.isnan(v)}},
        notes=[
            *result.notes,
            "The road is a sum of stages' medians with random weights, not one run; the line and "
            "the end of the turn are not in it.",
        ],
    )


def cell(ms: Sequence[float]) -> str:
    """Return what a GPU takes: by torch recorded in fp32, bf16, eagerly; below by onnxruntime."""
    told = ["–" if math.isnan(one) else number(one) for one in ms]
    return f"{' / '.join(told[:3])}\n{' / '.join(told[3:])}"
