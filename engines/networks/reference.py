"""A graph run by torch itself: the reference that every other runtime is compared with."""

import torch

from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.lazy_weights import materialize
from rt_avatar.engines.runtimes.runtime import (
    Array,
    Arrays,
    RuntimeRunError,
    TensorSpec,
    check_inputs,
    first_line,
)


class TorchRuntime:
    """A module as a runtime. One thread at a time.

    Args:
        graph: What to run; its module is put into inference mode and moved to the device, and has
            all its weights from then on, also where they were read one at a time.
        device: Where, as torch names it.
    """

    def __init__(self, graph: Graph, device: str = "cpu") -> None:
        self.name = graph.name
        self._device = torch.device(device)
        materialize(graph.module, graph.weights)
        self._module = graph.module.eval().to(self._device)
        self.inputs = tuple(
            TensorSpec(
                name,
                example.numpy().dtype,
                tuple(
                    graph.dynamic.get(name, {}).get(axis, size)
                    for axis, size in enumerate(example.shape)
                ),
            )
            for name, example in graph.inputs.items()
        )
        self._names = graph.outputs
        self._is_narrow = any(one.dtype is torch.bfloat16 for one in self._module.parameters())
        outputs = self._run({name: example.numpy() for name, example in graph.inputs.items()})
        self.outputs = tuple(
            TensorSpec(
                name,
                value.dtype,
                tuple(
                    graph.dynamic_outputs.get(name, {}).get(axis, f"{name}.{axis}")
                    for axis in range(value.ndim)
                ),
            )
            for name, value in outputs.items()
        )

    def run(self, inputs: Arrays) -> dict[str, Array]:
        """Run the module once.

        Raises:
            RuntimeInputError: A name, a type or a shape is wrong; nothing ran.
            RuntimeRunError: It began to run and failed.
        """
        check_inputs(self.name, self.inputs, inputs)
        try:
            return self._run(inputs)
        except (RuntimeError, IndexError) as error:  # torch's own
            raise RuntimeRunError(
                f"{self.name}: torch could not run it: {first_line(error)}"
            ) from error

    def close(self) -> None:
        """Nothing to give back: the module is its owner's."""

    def _run(self, inputs: Arrays) -> dict[str, Array]:
        # A copy: torch has no arrays that cannot be written, and warns of them.
        given = [torch.tensor(inputs[spec.name], device=self._device) for spec in self.inputs]
        with (
            torch.inference_mode(),
            torch.autocast(self._device.type, torch.bfloat16, enabled=self._is_narrow),
        ):
            outputs = self._module(*given)
        values = outputs if isinstance(outputs, tuple) else (outputs,)
        # Copies as well: an output may be a view of a weight or of another output.
        arrays = (_of_numpy(value).copy() for value in values)
        return dict(zip(self._names, arrays, strict=True))


def _of_numpy(value: torch.Tensor) -> Array:
    """Return a tensor as an array, which knows no bfloat16."""
    is_narrow = value.dtype is torch.bfloat16
    array: Array = (value.float() if is_narrow else value).detach().cpu().numpy()
    return array
