"""How long things may be: all optimisation profiles follow from one budget of an utterance.

Who allows twelve seconds allows so many phonemes, frames and samples in every graph. What holds no
utterance (a chunk of frames, the pictures of one look) has its own fixed range.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

from rt_avatar.engines.dreamtalk.style import STYLE_FRAMES
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.styletts2.spectrum import MAX_STYLE_FRAMES, MIN_STYLE_FRAMES
from rt_avatar.trt_builders.errors import BuildError

Shape: TypeAlias = tuple[int, ...]
Sizes = Mapping[str, int]  # a length's name -> how long

PHONEMES_HZ: Final = 17  # of read English; StyleTTS 2's own costs are counted so
BERT_POSITIONS: Final = 510  # PL-BERT's 512 less the two ends
FRAMES_HZ: Final = 80  # of the generator
DURATIONS_HZ: Final = 40  # units of the predictor
VIDEO_HZ: Final = 25
SPEECH_FEATURES_HZ: Final = 50
INPUT_HZ: Final = 16_000


@dataclass(frozen=True, slots=True)
class Range:
    """The least, the usual and the greatest length."""

    least: int
    usual: int
    most: int

    def __post_init__(self) -> None:
        if not 1 <= self.least <= self.usual <= self.most:
            raise BuildError(
                f"budget: expected lengths 1 <= least <= usual <= most; got {self.least}, "
                f"{self.usual}, {self.most}"
            )


@dataclass(frozen=True, slots=True)
class Budget:
    """What one utterance may need.

    Attributes:
        seconds: Of speech, heard or said in one breath. The usual utterance is a third of it.
        context: Tokens of the language model, dialogue and reply together.

    Raises:
        BuildError: Nothing fits into it.
    """

    seconds: float = 12.0
    context: int = 2048

    def __post_init__(self) -> None:
        if not 1.0 <= self.seconds <= 60.0 or not 64 <= self.context <= 1 << 17:
            raise BuildError(
                "budget: expected 1 to 60 seconds and 64 to 131072 tokens; "
                f"got {self.seconds} and {self.context}"
            )

    def of(self, rate_hz: float, least: int = 1, limit: int = 1 << 30) -> Range:
        """Return the range of what comes ``rate_hz`` times a second of the utterance."""
        most = max(least, min(limit, round(self.seconds * rate_hz)))
        return Range(least, max(least, most // 3), most)


Rule = Callable[[Budget], Range]


def _fixed(least: int, usual: int, most: int) -> Rule:
    return lambda budget: Range(least, usual, most)


def _rate(rate_hz: float, least: int = 1, limit: int = 1 << 30) -> Rule:
    return lambda budget: budget.of(rate_hz, least, limit)


# Graph, length → its range; the first that matches.
_RULES: Final[tuple[tuple[str, str, Rule], ...]] = (
    ("styletts2_style", "frames", _fixed(MIN_STYLE_FRAMES, 240, MAX_STYLE_FRAMES)),  # usual: 3 s
    ("styletts2_window", "frames", _fixed(2, 112, 400)),  # a chunk and its margins
    ("styletts2_step", "frames", _fixed(1, 16, 80)),  # a chunk of 200 ms
    ("styletts2_whole", "frames", _rate(FRAMES_HZ, least=2)),
    ("styletts2_*", "frames", _rate(DURATIONS_HZ)),
    ("styletts2_*", "tokens", _rate(PHONEMES_HZ, limit=BERT_POSITIONS)),
    ("dreamtalk_style_encoder", "clip_frames", _fixed(1, 128, STYLE_FRAMES)),
    ("dreamtalk_*", "styles", _fixed(1, 1, 8)),
    ("dreamtalk_*", "frames", _fixed(1, 5, 50)),  # a chunk; two seconds, or one with guidance
    ("pirender*", "frames", _fixed(1, 5, 10)),
    ("encoders_*", "samples", _rate(INPUT_HZ, least=720)),  # two features
    ("encoders_vision", "pictures", _fixed(1, 10, 32)),
    # All that is kept of a caller's turn: it is encoded in windows, and pooled as a whole.
    ("encoders_speech_tokens_*", "frames", _fixed(1, 200, 60 * SPEECH_FEATURES_HZ)),
    ("encoders_*", "frames", _rate(SPEECH_FEATURES_HZ)),
    ("fusion_*", "tokens", _rate(PHONEMES_HZ)),
    ("fusion_*", "phonemes", _rate(PHONEMES_HZ, limit=BERT_POSITIONS)),
    ("fusion_*", "frames", _rate(VIDEO_HZ)),
    ("fusion_*", "replies", _fixed(1, 1, 8)),
    ("llm_*", "batch", _fixed(1, 1, 1)),
    ("llm_*", "tokens", lambda b: Range(1, b.context // 8, b.context)),  # a whole prompt at once
    ("llm_*", "past", lambda b: Range(1, b.context // 4, b.context)),
)


def ranges(graph: Graph, budget: Budget) -> dict[str, Range]:
    """Return the range of every length of a graph that does not follow from others.

    Raises:
        BuildError: There is no rule for one.
    """
    found: dict[str, Range] = {}
    for name in _lengths(graph):
        if name in _FOLLOW:
            continue
        for pattern, length, rule in _RULES:
            if length == name and fnmatchcase(graph.name, pattern):
                found[name] = rule(budget)
                break
        else:
            raise BuildError(f"budget: expected a rule for {name!r} of {graph.name}; there is none")
    return found


def shapes(graph: Graph, sizes: Sizes) -> dict[str, Shape]:
    """Return every input's shape when the free lengths are so long."""
    whole = dict(sizes)
    for name in _lengths(graph):
        if name in _FOLLOW:
            whole[name] = _FOLLOW[name](graph, sizes)
    return {
        name: tuple(
            whole[graph.dynamic[name][axis]] if axis in graph.dynamic.get(name, {}) else size
            for axis, size in enumerate(example.shape)
        )
        for name, example in graph.inputs.items()
    }


def optimization_profile(graph: Graph, budget: Budget) -> dict[str, tuple[Shape, ...]]:
    """Return by input its smallest, usual and largest shape, one triple a profile.

    The language model has two: TensorRT chooses other kernels for one token than for a prompt. The
    first that holds the shapes is run, so the one for a token comes first.
    """
    found = ranges(graph, budget)
    profiles = [found]
    if graph.name == "llm_extend":
        profiles.insert(0, found | {"tokens": Range(1, 1, 1)})
    arrays = [
        shapes(graph, {name: getattr(each, kind) for name, each in profile.items()})
        for profile in profiles
        for kind in ("least", "usual", "most")
    ]
    return {name: tuple(each[name] for each in arrays) for name in graph.inputs}


def example_size(graph: Graph, length: str) -> int:
    """Return how long a length is in the examples."""
    for name, example in graph.inputs.items():
        for axis, each in graph.dynamic.get(name, {}).items():
            if each == length:
                return int(example.shape[axis])
    raise BuildError(f"budget: {graph.name} has no length {length!r}")


def _lengths(graph: Graph) -> list[str]:
    names = [name for key in graph.inputs for name in graph.dynamic.get(key, {}).values()]
    return list(dict.fromkeys(names))


def _columns(graph: Graph, sizes: Sizes) -> int:
    """So many of the source's columns a frame, and perhaps one more, as in the examples."""
    each, extra = divmod(example_size(graph, "columns"), example_size(graph, "frames"))
    return each * sizes["frames"] + extra


def _lagged(graph: Graph, sizes: Sizes) -> int:
    return sizes["frames"] + example_size(graph, "lagged") - example_size(graph, "frames")


_FOLLOW: Final[Mapping[str, Callable[[Graph, Sizes], int]]] = {
    "frames2": lambda graph, sizes: 2 * sizes["frames"],
    "columns": _columns,
    "lagged": _lagged,
    "total": lambda graph, sizes: sizes["past"] + sizes["tokens"],
}
