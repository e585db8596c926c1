"""A trained voice → the files that speaking needs: graphs in ONNX with small weights, speakers."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from rt_avatar.engines.nano_tts.contour import FRAME_NUMBERS, PROSODY, Floats
from rt_avatar.engines.nano_tts.engine import SHIPPED
from rt_avatar.engines.nano_tts.model import GRAPHS
from rt_avatar.engines.nano_tts.tokens import PHRASE_NUMBERS
from rt_avatar.engines.networks.graph import Graph, export_onnx
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.generator import NanoGenerator
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.networks.styletts2.vocos import VocosGenerator
from rt_avatar.engines.training.voice.dataset import Speaker
from rt_avatar.engines.training.voice.widening import widen

_log = logging.getLogger(__name__)
_TOKENS, _FRAMES = 11, 24  # of the examples
_NARROW_FROM: Final = 256  # numbers of a tensor; smaller ones stay as they are
_BYTES_FROM: Final = 16_384
VECTORS: Final = "vectors.npz"
BYTES, SCALE, HALF, TRANSPOSED = "|bytes", "|scale", "|half", ".T"


def export_voice(voice: Voice, speakers: tuple[Speaker, ...], folder: Path) -> None:
    """Write graphs and speakers of a voice into ``folder``.

    Raises:
        OSError: The disk is full.
    """
    folder.mkdir(parents=True, exist_ok=True)
    voice.eval()
    parameters = {name: value.detach().numpy() for name, value in voice.named_parameters()}
    with torch.inference_mode():
        for graph in make_graphs(voice):
            path = folder / f"{graph.name}.onnx"
            export_onnx(graph, path)
            shrink_weights(path, parameters)
            _log.info("%s: %d bytes", path, path.stat().st_size)
    # What training needs to go on, and graphs may have merged or folded: biases, norms, scales.
    np.savez(
        folder / VECTORS,
        **{name: value for name, value in parameters.items() if value.ndim < 2},
    )
    np.savez(
        folder / "speakers.npz",
        names=np.array([one.name for one in speakers]),
        acoustic=voice.acoustic.speakers.weight.detach().numpy(),
        timbre=voice.generator.speakers.weight.detach().numpy(),
        numbers=np.array([[one.pitch, one.spread] for one in speakers]),
    )


class _Encoder(nn.Module):  # type: ignore[misc]
    def __init__(self, acoustic: NanoAcoustic) -> None:
        super().__init__()
        self.acoustic = acoustic

    def forward(
        self, symbol: Tensor, place: Tensor, mark: Tensor, phrase: Tensor, style: Tensor
    ) -> Tensor:
        mask = torch.ones_like(phrase[..., 0])
        return self.acoustic.encode(symbol, place, mark, phrase, style, mask)


class _Flow(_Encoder):
    def forward(  # type: ignore[override]
        self, noisy: Tensor, time: Tensor, encoded: Tensor, style: Tensor
    ) -> Tensor:
        return self.acoustic.velocity(noisy, time, encoded, style, torch.ones_like(noisy[..., 0]))


class _Decoder(_Encoder):
    def forward(  # type: ignore[override]
        self, encoded: Tensor, numbers: Tensor, style: Tensor
    ) -> Tensor:
        return self.acoustic.decode(encoded, numbers, style, torch.ones_like(numbers[..., 0]))


class _Step(nn.Module):  # type: ignore[misc]
    def __init__(self, vocos: VocosGenerator) -> None:
        super().__init__()
        self.vocos = vocos

    def forward(
        self,
        x: Tensor,
        style: Tensor,
        source: Tensor,
        valid: Tensor,
        heard: Tensor,
        layers: Tensor,
        tail: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.vocos.step(x, style, source, valid, heard, layers, tail)


def make_graphs(voice: Voice) -> tuple[Graph, ...]:
    """Return the four graphs; each takes one sentence."""
    config, acoustic = voice.config, voice.acoustic
    tokens, frames = {1: "tokens"}, {1: "frames"}
    encoder = {
        **{name: torch.zeros(1, _TOKENS, dtype=torch.long) for name in ("symbol", "place", "mark")},
        "phrase": torch.zeros(1, _TOKENS, PHRASE_NUMBERS),
        "style": torch.zeros(1, config.speaker_size),
    }
    flow = {
        "noisy": torch.zeros(1, _TOKENS, PROSODY),
        "time": torch.zeros(1),
        "encoded": torch.zeros(1, _TOKENS, config.channels),
        "style": torch.zeros(1, config.speaker_size),
    }
    decoder = {
        "encoded": torch.zeros(1, _FRAMES, config.channels),
        "numbers": torch.zeros(1, _FRAMES, FRAME_NUMBERS),
        "style": torch.zeros(1, config.speaker_size),
    }
    per_token = dict.fromkeys(("symbol", "place", "mark", "phrase"), tokens)
    return (
        Graph("encoder", _Encoder(acoustic), encoder, ("encoded",), per_token, traced=True),
        Graph(
            "flow",
            _Flow(acoustic),
            flow,
            ("velocity",),
            {"noisy": tokens, "encoded": tokens},
            traced=True,
        ),
        Graph(
            "decoder",
            _Decoder(acoustic),
            decoder,
            ("mel",),
            {"encoded": frames, "numbers": frames},
            traced=True,
        ),
        _generator(config, voice.generator),
    )


def _generator(config: NanoTtsConfig, generator: NanoGenerator) -> Graph:
    sizes = config.generator
    context = 2 * (sizes.kernel // 2)
    lag = (sizes.layers + 1) * (sizes.kernel // 2)
    inputs = {
        "x": torch.zeros(1, sizes.inputs, _FRAMES),
        "style": torch.zeros(1, config.speaker_size),
        "source": torch.zeros(1, _FRAMES, 4 * (sizes.fft // 2 + 1)),
        "valid": torch.ones(1, lag + _FRAMES),
        "heard": torch.zeros(1, sizes.inputs, context),
        "layers": torch.zeros(1, sizes.layers, sizes.channels, context),
        "tail": torch.zeros(1, sizes.fft - sizes.hop),
    }
    outputs = ("pcm", "heard_next", "layers_next", "tail_next")
    dynamic = {"x": {2: "frames"}, "source": {1: "frames"}, "valid": {1: "lagged"}}
    return Graph("generator", _Step(generator.vocos), inputs, outputs, dynamic)


def shrink_weights(path: Path, parameters: Mapping[str, Floats]) -> None:
    """Store a graph's matrices as 8-bit rows with a scale each, its other weights as 16-bit floats.

    They are widened once, when the graph is loaded: it computes with 32-bit floats. Each is named
    as the parameter that it is (with ``.T`` where it is transposed), so that training can go on
    from the file.
    """
    model = onnx.load(path)
    graph = model.graph
    nodes: list[onnx.NodeProto] = []
    for tensor in list(graph.initializer):
        if tensor.data_type != TensorProto.FLOAT:
            continue
        values = numpy_helper.to_array(tensor)
        known = _name_of(values, parameters)
        if values.size < _NARROW_FROM and not known:
            continue
        name = known or tensor.name
        graph.initializer.remove(tensor)
        if values.ndim == 2 and values.size >= _BYTES_FROM:
            scale = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-8) / 127.0
            whole = np.round(values / scale).astype(np.int8)
            wide = f"{name}|wide"
            graph.initializer.append(numpy_helper.from_array(whole, f"{name}{BYTES}"))
            graph.initializer.append(
                numpy_helper.from_array(scale.astype(np.float32), f"{name}{SCALE}")
            )
            to_float = helper.make_node("Cast", [f"{name}{BYTES}"], [wide], to=TensorProto.FLOAT)
            nodes.append(to_float)
            nodes.append(helper.make_node("Mul", [wide, f"{name}{SCALE}"], [tensor.name]))
        else:
            half = numpy_helper.from_array(values.astype(np.float16), f"{name}{HALF}")
            graph.initializer.append(half)
            nodes.append(helper.make_node("Cast", [half.name], [tensor.name], to=TensorProto.FLOAT))
    for node in reversed(nodes):
        graph.node.insert(0, node)
    forget_origin(model)
    onnx.save(model, path)


def forget_origin(model: onnx.ModelProto) -> None:
    """Take out where the exporter was called from: paths of a machine, a tenth of the file."""
    graph = model.graph
    for part in (graph, *graph.node, *graph.value_info, *graph.input, *graph.output):
        part.ClearField("metadata_props")
    for tensor in graph.initializer:
        tensor.ClearField("metadata_props")


def _name_of(values: Floats, parameters: Mapping[str, Floats]) -> str:
    """Return which parameter a weight is, with ``.T`` if it is transposed; "" for none."""
    if values.ndim < 2:
        return ""
    for name, value in parameters.items():
        if value.shape == values.shape and np.array_equal(value, values):
            return name
        if value.ndim == 2 and value.T.shape == values.shape and np.array_equal(value.T, values):
            return f"{name}{TRANSPOSED}"
    return ""


def load_exported(voice: Voice, folder: Path) -> None:
    """Load what ``export_voice`` wrote back into a voice, rounded as it was written.

    A generator that is wider within its layers says the same at first.

    Raises:
        FileNotFoundError: A file is missing.
        ValueError: The files are not of a voice of this size.
    """
    state = {}
    for name in GRAPHS:
        stored = {
            tensor.name: numpy_helper.to_array(tensor)
            for tensor in onnx.load(folder / f"{name}.onnx").graph.initializer
        }
        for full, values in stored.items():
            key, _, kind = full.partition("|")
            if f"|{kind}" == HALF:
                wide = values.astype(np.float32)
            elif f"|{kind}" == BYTES:
                wide = values.astype(np.float32) * stored[f"{key}{SCALE}"]
            else:
                continue
            is_turned = key.endswith(TRANSPOSED)
            state[key.removesuffix(TRANSPOSED)] = torch.from_numpy(wide.T if is_turned else wide)
    with np.load(folder / VECTORS) as vectors:
        state |= {name: torch.from_numpy(vectors[name]) for name in vectors.files}
    with np.load(folder / "speakers.npz") as speakers:
        state["acoustic.speakers.weight"] = torch.from_numpy(speakers["acoustic"])
        state["generator.speakers.weight"] = torch.from_numpy(speakers["timbre"])
    own = voice.state_dict()
    widen(state, own)
    wrong = sorted(set(own) - set(state)) + [
        name for name, value in state.items() if name in own and own[name].shape != value.shape
    ]
    if wrong:
        raise ValueError(f"{folder}: expected weights of this voice; missing or of other shape: "
                         f"{', '.join(wrong[:5])}")  # fmt: skip
    voice.load_state_dict({name: state[name] for name in own})


def load_acoustic() -> NanoAcoustic:
    """Return the shipped voice's networks before its sound, not to be taught."""
    voice = Voice(NanoTtsConfig())
    load_exported(voice, SHIPPED)
    voice.eval().requires_grad_(False)
    return voice.acoustic
