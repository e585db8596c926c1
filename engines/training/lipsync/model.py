"""The network as torch sees it, with the same weights by the same names as ``engines.lipsync``."""

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rt_avatar.engines.lipsync import network as shape
from rt_avatar.engines.lipsync.channels import OUTPUTS
from rt_avatar.engines.motion.spectrum import BANDS


class MouthNetwork(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """(B, hops, BANDS) → (B, frames, OUTPUTS) before the sigmoid; causal, answers late."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv1d(BANDS, shape.FIRST_SIZE, shape.FIRST_TAPS)
        self.frame = nn.Conv1d(
            shape.FIRST_SIZE, shape.FRAME_SIZE, shape.HOPS_A_FRAME, stride=shape.HOPS_A_FRAME
        )
        self.context = nn.Conv1d(shape.FRAME_SIZE, shape.CONTEXT_SIZE, shape.CONTEXT_TAPS)
        self.memory = nn.GRU(shape.CONTEXT_SIZE, shape.MEMORY_SIZE, batch_first=True)
        self.answer = nn.Linear(shape.MEMORY_SIZE + shape.CONTEXT_SIZE, OUTPUTS)
        self.drop = nn.Dropout(0.1)

    def forward(self, heard: Tensor) -> Tensor:
        """Answer for every frame; the answer for frame n is at n + DELAY_FRAMES."""
        hops = nn.functional.pad(heard.transpose(1, 2), (shape.FIRST_TAPS - 1, 0))
        frames = torch.relu(self.frame(torch.relu(self.first(hops))))  # (B, 96, T)
        frames = nn.functional.pad(frames, (shape.CONTEXT_TAPS - 1, 0))
        context = torch.relu(self.context(frames)).transpose(1, 2)  # (B, T, 128)
        states, _ = self.memory(self.drop(context))
        answer: Tensor = self.answer(self.drop(torch.cat((states, context), dim=2)))
        return answer


def export(model: MouthNetwork) -> dict[str, NDArray[np.float32]]:
    """Return the weights as ``engines.lipsync.network.WEIGHTS`` names and shapes them."""
    state = {name: value.detach().cpu().numpy() for name, value in model.state_dict().items()}
    out = {}
    for name in ("first", "frame", "context"):  # (out, in, taps) → (taps * in, out)
        kernel = state[f"{name}.weight"]
        out[name] = kernel.transpose(2, 1, 0).reshape(-1, kernel.shape[0])
        out[f"{name}_bias"] = state[f"{name}.bias"]
    out["into"], out["into_bias"] = state["memory.weight_ih_l0"].T, state["memory.bias_ih_l0"]
    out["again"], out["again_bias"] = state["memory.weight_hh_l0"].T, state["memory.bias_hh_l0"]
    out["answer"], out["answer_bias"] = state["answer.weight"].T, state["answer.bias"]
    return {name: np.ascontiguousarray(out[name], np.float32) for name in shape.WEIGHTS}


def import_weights(out: Mapping[str, NDArray[np.float32]]) -> MouthNetwork:
    """Return the network with weights as ``export`` names and shapes them."""
    state = {}
    model = MouthNetwork()
    for name in ("first", "frame", "context"):  # (taps * in, out) → (out, in, taps)
        like = model.state_dict()[f"{name}.weight"]
        size, channels, taps = like.shape
        kernel = out[name].reshape(taps, channels, size).transpose(2, 1, 0)
        state[f"{name}.weight"], state[f"{name}.bias"] = kernel, out[f"{name}_bias"]
    state["memory.weight_ih_l0"], state["memory.bias_ih_l0"] = (
        out["into"].T,
        out["into_bias"],
    )
    state["memory.weight_hh_l0"] = out["again"].T
    state["memory.bias_hh_l0"] = out["again_bias"]
    state["answer.weight"], state["answer.bias"] = out["answer"].T, out["answer_bias"]
    model.load_state_dict(
        {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in state.items()}
    )
    return model
