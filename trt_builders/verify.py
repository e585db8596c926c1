"""Parity: does a runtime say what torch says, on seeded inputs, at lengths nobody traced?

An error is a tensor's largest difference over torch's largest value in it; the mean difference over
the mean value may not be greater either, since language models have single numbers a thousand times
the rest, beside which noise would look exact. Nonsense fails whatever the tolerance: a number that
is none, silence where torch has a signal, another shape. So does a reference that is itself
nonsense, since it would prove nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.runtimes.runtime import (
    Array,
    Arrays,
    Runtime,
    RuntimeInputError,
    RuntimeRunError,
)
from rt_avatar.trt_builders.budget import Budget, Shape
from rt_avatar.trt_builders.export import FP16_ENDS
from rt_avatar.trt_builders.samples import make_inputs, sample_shapes

# Of the peak. fp32: the order of sums differs, and a generator of random weights amplifies it to
# 1e-3 (measured on HiFi-GAN's); fp16: eleven bits through some tens of layers; int8: eight bits,
# which take 1.2 % of the peak from nano's language model and encoders.
TOLERANCE: Final[Mapping[str, float]] = {"fp32": 2e-3, "fp16": 5e-2, "int8": 5e-2}
_SILENT: Final = 1e-3  # of the reference's spread


@dataclass(frozen=True, slots=True)
class Comparison:
    """One output tensor at one length.

    Attributes:
        graph: Its graph.
        lengths: The shapes of the graph's inputs, in short.
        output: Its name.
        error: Largest difference over the reference's largest value; NaN where there is none.
        wrong: Why it fails; "" where it does not.
    """

    graph: str
    lengths: str
    output: str
    error: float
    wrong: str


def verify(graph: Graph, runtime: Runtime, precision: str, budget: Budget) -> Iterator[Comparison]:
    """Compare a runtime with torch at three lengths.

    Args:
        graph: The reference.
        runtime: What is to say the same.
        precision: Of the runtime; chooses the tolerance.
        budget: What lengths are allowed.
    """
    reference = TorchRuntime(graph)
    for step, shapes in enumerate(sample_shapes(graph, budget)):
        inputs = make_inputs(graph, shapes, step)
        ends = FP16_ENDS.get(graph.name, ()) if precision == "fp16" else ()
        yield from compare_run(graph.name, runtime, reference, inputs, TOLERANCE[precision], ends)


def compare_run(
    name: str,
    runtime: Runtime,
    reference: Runtime,
    inputs: Arrays,
    tolerance: float,
    ends: tuple[str, ...] = (),
) -> list[Comparison]:
    """Run both once; return one comparison an output.

    Args:
        name: Of the graph.
        runtime: What is to say the same.
        reference: What it is compared with.
        inputs: In the reference's types.
        tolerance: Of the peak.
        ends: Beginnings of the names of what the runtime takes and gives in fp16.
    """
    lengths = in_short({key: value.shape for key, value in inputs.items()})
    wanted = _narrowed(reference.run(inputs), ends)
    try:
        found = runtime.run(_narrowed(inputs, ends))
    except (RuntimeRunError, RuntimeInputError) as error:
        why = str(error).strip().splitlines()[0][:200]
        return [Comparison(name, lengths, "all", float("nan"), f"does not run: {why}")]
    compared = []
    for output in dict.fromkeys([*wanted, *found]):
        off, wrong = judge(found.get(output), wanted.get(output), tolerance)
        compared.append(Comparison(name, lengths, output, off, wrong))
    return compared


def _narrowed(arrays: Arrays, ends: tuple[str, ...]) -> dict[str, Array]:
    return {
        name: value.astype(np.float16) if name.startswith(ends) else value
        for name, value in arrays.items()
    }


def judge(found: Array | None, wanted: Array | None, tolerance: float) -> tuple[float, str]:
    """Return the error, and in words what is wrong; "" where nothing is."""
    nothing = float("nan")
    if found is None:
        return nothing, "missing"
    if wanted is None:
        return nothing, "unexpected"
    if found.shape != wanted.shape:
        return nothing, f"shape {found.shape}; torch has {wanted.shape}"
    if found.dtype != wanted.dtype:
        return nothing, f"type {found.dtype}; torch has {wanted.dtype}"
    if not np.isfinite(wanted).all():
        return nothing, "torch's own is not finite: it proves nothing"
    if not np.isfinite(found).all():
        return nothing, f"not finite at {int((~np.isfinite(found)).sum())} of {found.size} places"
    peak = float(np.abs(wanted).max(initial=0.0))
    if peak == 0.0:
        return nothing, "torch's own is silent: it proves nothing"
    if wanted.size > 1 and found.std() < _SILENT * wanted.std():
        return nothing, "silent"
    errors = np.abs(found.astype(np.float64) - wanted)
    error = float(errors.max()) / peak
    if error > tolerance:
        return error, f"error above {tolerance:g}"
    if errors.mean() > tolerance * np.abs(wanted.astype(np.float64)).mean():
        return error, f"mean error above {tolerance:g} of the mean: one large number hides it"
    return error, ""


def in_short(shapes: Mapping[str, Shape]) -> str:
    """Return shapes in a few words: the first two."""
    first: Sequence[str] = [f"{name} {'×'.join(map(str, s))}" for name, s in shapes.items()][:2]
    return ", ".join(first)
