"""The protocol of all runtimes: named arrays in, named arrays out, and what a graph takes.

Does not know what a graph computes, nor whose turn it is: one call is one run, on the thread of
the caller.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Arrays: TypeAlias = Mapping[str, Array]


class RuntimeUnavailableError(RuntimeError):
    """What was asked to run a graph is not installed, or cannot run it on this machine."""


class RuntimeRunError(RuntimeError):
    """A graph was given what it takes, and yet it could not run."""


class RuntimeInputError(ValueError):
    """The arrays given are not those that the graph takes."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """One input or output of a graph.

    Attributes:
        name: As the graph has it.
        dtype: Of its numbers.
        shape: Its axes: a size, or the name of a length. Axes of one name have one length.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.dtype} ({', '.join(map(str, self.shape))})"


class Runtime(Protocol):
    """A graph, ready to run. One thread at a time unless the class says otherwise."""

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """What ``run`` takes, all of it."""
        ...

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """What ``run`` returns."""
        ...

    def run(self, inputs: Arrays) -> dict[str, Array]:
        """Run the graph once; the arrays returned are the caller's.

        Raises:
            RuntimeInputError: A name, a type or a shape is wrong; nothing ran.
            RuntimeRunError: It began to run and failed.
        """
        ...

    def close(self) -> None:
        """Give back what the graph holds. Calling it again does nothing."""
        ...


def check_inputs(graph: str, specs: Sequence[TensorSpec], inputs: Arrays) -> None:
    """Raise unless the arrays fit the specs: names, types, ranks, sizes, and equal lengths.

    Raises:
        RuntimeInputError: With what was expected and what came.
    """
    names = [spec.name for spec in specs]
    if set(names) != set(inputs):
        raise RuntimeInputError(
            f"{graph}: expected the inputs {', '.join(names)}; got {', '.join(inputs) or 'none'}"
        )
    lengths: dict[str, tuple[int, str]] = {}
    for spec in specs:
        value = inputs[spec.name]
        got = f"{value.dtype} {value.shape}"
        if value.dtype != spec.dtype or value.ndim != len(spec.shape):
            raise RuntimeInputError(f"{graph}: expected {spec}; got {got}")
        for size, axis in zip(value.shape, spec.shape, strict=True):
            if isinstance(axis, int):
                if size != axis:
                    raise RuntimeInputError(f"{graph}: expected {spec}; got {got}")
            elif lengths.setdefault(axis, (size, spec.name))[0] != size:
                other, name = lengths[axis]
                raise RuntimeInputError(
                    f"{graph}: expected one length {axis!r} in {name} and {spec.name}; "
                    f"got {other} and {size}"
                )
            if size == 0:
                raise RuntimeInputError(f"{graph}: expected no empty axis in {spec}; got {got}")


def first_line(error: Exception) -> str:
    """Return what a library says of its error, without the lines of its own code."""
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else repr(error)
