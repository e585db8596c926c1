"""Muon as torch has it, on a processor without bfloat16 too.

torch's own brings a step near an orthogonal matrix by products in bfloat16. A processor that does
not multiply it takes thirty times as long for them as for the same ones in single precision.
"""

from collections.abc import Sequence
from typing import Any, Final

import torch
from torch import Tensor

from rt_avatar.engines.training.course import uses_bfloat16

_RMS: Final = 0.2  # of a step of AdamW, which a step of a matrix is brought to


class Muon(torch.optim.Muon):  # type: ignore[misc]  # torch is not typed here
    """torch's optimizer with its options and its state, which checkpoints keep.

    Steps are as large as AdamW's (J. Liu et al. 2025, "Muon is scalable for LLM training").

    Args:
        matrices: What it changes.
        weight_decay: How strongly they are drawn to zero.
    """

    def __init__(self, matrices: Sequence[Tensor], weight_decay: float) -> None:
        super().__init__(matrices, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw")

    def step(self) -> None:
        """Change the matrices by their gradients."""
        with torch.no_grad():
            for group in self.param_groups:
                for matrix in group["params"]:
                    if matrix.grad is not None:
                        self._step(matrix, group)

    def _step(self, matrix: Tensor, group: dict[str, Any]) -> None:
        state = self.state[matrix]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(matrix.grad)
        mean = state["momentum_buffer"].lerp_(matrix.grad, 1 - group["momentum"])
        change = _near_orthogonal(matrix.grad.lerp(mean, group["momentum"]), group)
        matrix.mul_(1 - group["lr"] * group["weight_decay"])
        matrix.add_(change, alpha=-group["lr"] * _RMS * max(matrix.shape) ** 0.5)


def _near_orthogonal(step: Tensor, group: dict[str, Any]) -> Tensor:
    """Return a matrix whose singular values are near one, by five steps of Newton and Schulz."""
    is_high = step.shape[0] > step.shape[1]
    made = step.to(torch.bfloat16 if uses_bfloat16(step.device) else torch.float32)
    made = made.T if is_high else made
    made = made / made.norm().clamp(min=group["eps"])
    own, third, fifth = group["ns_coefficients"]
    for _ in range(group["ns_steps"]):
        square = made @ made.T
        change = torch.addmm(square, square, square, beta=third, alpha=fifth)
        made = torch.addmm(made, change, made, beta=own)
    return made.T if is_high else made
