"""The optimization profiles of a TensorRT plan: which shapes of its inputs it can run."""

from typing import Any, TypeAlias

from rt_avatar.engines.runtimes.runtime import RuntimeInputError, TensorSpec

Shape: TypeAlias = tuple[int, ...]


class Profiles:
    """Of each, the least, the best and the largest shape of every input.

    Args:
        name: Of the plan, for messages.
        inputs: The plan's.
        engine: TensorRT's.
    """

    def __init__(self, name: str, inputs: tuple[TensorSpec, ...], engine: Any) -> None:
        self._name = name
        self._inputs = inputs
        self._profiles = [
            {
                spec.name: tuple(
                    tuple(shape) for shape in engine.get_tensor_profile_shape(spec.name, i)
                )
                for spec in inputs
            }
            for i in range(engine.num_optimization_profiles)
        ]

    def largest(self, name: str) -> Shape:
        """Return the largest shape of an input, in any profile."""
        return max(profile[name][2] for profile in self._profiles)

    def all_largest(self) -> list[tuple[Shape, ...]]:
        """Return the largest shapes of the inputs, by profile."""
        return [tuple(profile[spec.name][2] for spec in self._inputs) for profile in self._profiles]

    def index(self, shapes: tuple[Shape, ...]) -> int:
        """Return the first profile that holds the inputs' shapes.

        Raises:
            RuntimeInputError: None does.
        """
        for index, profile in enumerate(self._profiles):
            limits = [profile[spec.name] for spec in self._inputs]
            if all(
                all(low <= size <= high for low, size, high in zip(least, shape, most, strict=True))
                for (least, _, most), shape in zip(limits, shapes, strict=True)
            ):
                return index
        allowed = "; or ".join(
            ", ".join(f"{name} {least} to {most}" for name, (least, _, most) in profile.items())
            for profile in self._profiles
        )
        got = ", ".join(
            f"{spec.name} {shape}" for spec, shape in zip(self._inputs, shapes, strict=True)
        )
        raise RuntimeInputError(
            f"{self._name}: expected shapes within {allowed}; got {got}. "
            "A plan for longer ones: rt-avatar engines build --seconds, --context"
        )
