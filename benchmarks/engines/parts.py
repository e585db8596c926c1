"""What each stage of the network runs, graph by graph: the table behind what is only counted.

Both sizes and the voices beside them (Kokoro, LJSpeech), at the lengths at which the stages of
``benchmarks/engines/network_stages.py`` run them. Numbers alone: torch is where they are counted
(``benchmarks/engines/torch_parts.py``).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from rt_avatar.benchmarks.engines.network_stages import (
    CLAUSE,
    CLAUSE_S,
    PROMPT_TOKENS,
    REPLY_S,
    TOKENS_HZ,
    UTTERANCE_S,
)
from rt_avatar.engines.dreamtalk.schedule import FEW_STEPS
from rt_avatar.engines.empatheia.encoders import LIPS, UNDERSTAND, Windows
from rt_avatar.engines.encoders.pictures import PICTURES_HZ
from rt_avatar.engines.encoders.waveform import features_of
from rt_avatar.engines.styletts2.alignment import FRAME_SAMPLES
from rt_avatar.engines.styletts2.speaker import CHUNK_FRAMES, MARGIN_FRAMES
from rt_avatar.engines.types import CHUNK_FRAMES as FACE_FRAMES
from rt_avatar.engines.types import CHUNK_S, FPS, INPUT_RATE_HZ, SPEECH_RATE_HZ

Size = Literal["nano", "official"]
OFFICIAL_STEPS: Final = 10  # of the published sampler
QUERY_VECTORS: Final = 24  # of the utterance that is answered


@dataclass(frozen=True, slots=True)
class GraphRun:
    """Runs of one graph.

    Attributes:
        graph: Its name.
        sizes: Its lengths, by the names that its axes have.
        times: How often an item; less than once, where several items share one.
    """

    graph: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    times: float = 1


@dataclass(frozen=True, slots=True)
class Part:
    """One stage at one size.

    Attributes:
        name: Its row.
        network: As the catalogue of networks names it.
        worker: The thread that it runs on in a call.
        item: What one item is, in words.
        seconds: Media an item stands for.
        runs: All runs an item.
    """

    name: str
    network: str
    worker: str
    item: str
    seconds: float
    runs: tuple[GraphRun, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a part; times in milliseconds an item, NaN where it was not run.

    Attributes:
        parameters: Of the modules that it runs.
        flops: Multiplications and additions of its products, an item.
        weights_bytes: As float32.
        ms: An item.
        why_not: Why it was not run; empty where it was, or was not to be.
    """

    parameters: int = 0
    flops: float = 0.0
    weights_bytes: int = 0
    ms: float = math.nan
    why_not: str = ""


def parts(size: Size) -> list[Part]:
    """Return all stages at a size."""
    suffix = "-nano" if size == "nano" else ""
    steps = len(FEW_STEPS[2]) if size == "nano" else OFFICIAL_STEPS
    renderer = "pirender_nano" if size == "nano" else "pirender"
    tokens, sounds, frames = CLAUSE
    language = GraphRun("llm_extend", {"batch": 1, "tokens": 1, "past": PROMPT_TOKENS})
    prompt = GraphRun("llm_extend", {"batch": 1, "tokens": PROMPT_TOKENS, "past": 1})
    contents = (
        GraphRun("fusion_speech_content", {"tokens": tokens, "phonemes": sounds}),
        GraphRun("fusion_video_content", {"tokens": tokens, "frames": frames}),
    )

    def part(
        name: str, network: str, worker: str, item: str, seconds: float, *runs: GraphRun
    ) -> Part:
        return Part(f"{size} {name}", network + suffix, worker, item, seconds, runs)

    def moved(source: str) -> tuple[GraphRun, ...]:
        frames = {"frames": FACE_FRAMES}
        return GraphRun(f"dreamtalk_{source}", frames), GraphRun("dreamtalk_step", frames, steps)

    rows = [
        part("speech encoder", "encoders", "llm", "5 s of voice", UTTERANCE_S, *_heard()),
        # Without what is left at the end of an utterance, a thousandth of ten pictures.
        part(
            "vision encoder", "encoders", "llm", "picture", 1 / PICTURES_HZ,
            GraphRun("encoders_vision", {"pictures": 1}),
        ),
        part("LLM prefill", "llm", "llm", f"{PROMPT_TOKENS} tokens", UTTERANCE_S, prompt),
        part("LLM step", "llm", "llm", "token", 1 / TOKENS_HZ, language),
        part("contents", "fusion", "voice", f"clause of {CLAUSE_S} s", CLAUSE_S, *contents),
        part(
            "styles", "fusion", "llm", "reply", REPLY_S, GraphRun("fusion_styles", {"replies": 1})
        ),
        part("motion by content", "dreamtalk", "face", "5 frames", CHUNK_S, *moved("given")),
        part("motion by sound", "dreamtalk", "face", "5 frames", CHUNK_S, *moved("content")),
        part(
            "face", "pirenderer", "face", "frame", 1 / FPS,
            GraphRun(f"{renderer}_frame", {"frames": 1}),
        ),
    ]  # fmt: skip
    lips = GraphRun("encoders_speech", {"samples": _longest(LIPS)})
    rows.append(part("sound features", "encoders", "face", "200 ms", CHUNK_S, lips))
    if size == "nano":
        return [*rows, _voice("nano voice", "styletts2-nano")]
    voices = {
        "LibriTTS": "styletts2-libritts",
        "LJSpeech": "styletts2-ljspeech",
        "Kokoro": "kokoro",
    }
    return [*rows, *(_voice(f"official voice, {name}", each) for name, each in voices.items())]


def _voice(name: str, network: str) -> Part:
    """Return 200 ms of a voice, with its share of what a clause needs once."""
    _, sounds, _ = CLAUSE
    frames = round(CLAUSE_S * SPEECH_RATE_HZ / FRAME_SAMPLES)
    share = CHUNK_S / CLAUSE_S
    said = (
        *(GraphRun(f"styletts2_{one}", {"tokens": sounds}, share) for one in _OF_TOKENS),
        *(GraphRun(f"styletts2_{one}", {"frames": frames}, share) for one in _OF_FRAMES),
    )
    sound = GraphRun("styletts2_window", {"frames": CHUNK_FRAMES + 2 * MARGIN_FRAMES})
    if network == "styletts2-nano":  # it streams, and needs no margins
        sound = GraphRun("styletts2_step", {"frames": CHUNK_FRAMES})
    return Part(name, network, "voice", "200 ms", CHUNK_S, (*said, sound))


_OF_TOKENS: Final = ("text", "bert", "durations")
_OF_FRAMES: Final = ("curves", "trunk")


def _heard() -> tuple[GraphRun, ...]:
    """Return the windows of an utterance, and what makes the language model's vectors of them."""
    samples = round(UTTERANCE_S * INPUT_RATE_HZ)
    runs, first = [], 0
    while first < samples:
        begin = max(0, first - UNDERSTAND.before)
        end = min(samples, first + UNDERSTAND.hop + UNDERSTAND.after)
        runs.append(GraphRun("encoders_speech", {"samples": end - begin}))
        first += UNDERSTAND.hop
    pooled = GraphRun(f"encoders_speech_tokens_{QUERY_VECTORS}", {"frames": features_of(samples)})
    return (*runs, pooled)


def _longest(windows: Windows) -> int:
    return windows.before + windows.hop + windows.after
