"""The graphs that StyleTTS 2 leaves torch as, cut where lengths come from values.

===========================  =====================================================  ==========
``styletts2_text``           tokens → text                                          a clause
``styletts2_bert``           tokens → context, text (for durations)                 a clause
``styletts2_style``          mel → acoustic and prosodic half of a style            a voice
``styletts2_guide``          one evaluation of the denoiser, with guidance          18 a clause
``styletts2_durations``      text, style → encoded, logits                          a clause
``styletts2_curves``         encoded text on frames → F0, energy                    a clause
``styletts2_trunk``          text on frames, F0, energy → frames for the generator  a clause
``styletts2_whole``          a sentence → sound and the statistics of its norms     a voice
``styletts2_window``         a window and statistics → sound and statistics         a chunk
``styletts2_step``           nano: frames and state → sound and state               a chunk
===========================  =====================================================  ==========

Lengths that vary: ``tokens``; ``frames``, of 25 ms in curves and trunk, of 12.5 ms in what follows;
``frames2`` = 2 frames; ``columns`` = 60 frames + 1 (iSTFTNet) or 300 frames (HiFi-GAN); ``lagged``
= frames + the stream's lag. In ``style``, ``frames`` are the mel's, 65 at least.

Every graph takes one sentence, without padding: LSTMs, norms over time and the denoiser's mean
would all see it. They are exported by tracing: the newer exporter bakes the traced length behind
an LSTM into its graph, and a tracer follows no branch here that depends on a size.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.styletts2.config import (
    StyleTTS2Config,
    UpsamplerConfig,
    VocosConfig,
)
from rt_avatar.engines.networks.styletts2.model import StyleTTS2
from rt_avatar.engines.networks.styletts2.upsampler import moment_channels, source_mix
from rt_avatar.engines.styletts2.speaker import WindowShape
from rt_avatar.engines.styletts2.spectrum import MELS
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape
from rt_avatar.engines.styletts2.windows import FRAME_SAMPLES, SourceLayout

_TOKENS, _FRAMES = 11, 24  # of the examples


class Call(nn.Module):  # type: ignore[misc]
    """A method of a network as a module of its own, for an exporter.

    Args:
        network: Whose parameters the method uses.
        method: Tensors in, a tensor or a tuple of them out.
    """

    def __init__(self, network: nn.Module, method: Callable[..., Any]) -> None:
        super().__init__()
        self.network = network
        self._method = method

    def forward(self, *inputs: Tensor) -> Any:
        """Return what the method returns."""
        return self._method(*inputs)


def generator_shape(network: StyleTTS2) -> VocoderShape | WindowShape:
    """Return what ``engines.styletts2.speaker`` must know of the generator to feed its graph."""
    return shape_of(network.config.generator, network.decoder.generator)


def shape_of(
    kind: UpsamplerConfig | VocosConfig, generator: nn.Module
) -> VocoderShape | WindowShape:
    """Return the same of a generator alone, which ``styletts2_step`` or ``_window`` holds."""
    if isinstance(kind, VocosConfig):
        return VocoderShape(
            inputs=kind.inputs,
            channels=kind.channels,
            layers=kind.layers,
            kernel=kind.kernel,
            fft=kind.fft,
            hop=kind.hop,
        )
    spectral = kind.kind == "istftnet"
    weight, bias = source_mix(generator)
    layout = (
        SourceLayout(FRAME_SAMPLES // kind.hop, 1) if spectral else SourceLayout(FRAME_SAMPLES, 0)
    )
    return WindowShape(layout, moment_channels(kind), weight, bias)


def graphs(network: StyleTTS2) -> tuple[Graph, ...]:
    """Return all graphs of a network; what it has no part for is left out."""
    network.eval()
    return (*_clause(network), *_style(network), *_diffusion(network), *_generator(network))


def _graph(
    name: str,
    call: Call,
    inputs: dict[str, Tensor],
    outputs: tuple[str, ...],
    dynamic: dict[str, dict[int, str]],
) -> Graph:
    return Graph(f"styletts2_{name}", call, inputs, outputs, dynamic, traced=True)


def _clause(network: StyleTTS2) -> tuple[Graph, ...]:
    config = network.config
    tokens = {"tokens": torch.arange(_TOKENS)[None]}
    style = torch.zeros(1, config.style)
    aligned = torch.zeros(1, config.hidden, _FRAMES)
    text, predictor = network.text_encoder, network.predictor
    frames, curve = {2: "frames"}, {1: "frames2"}
    return (
        _graph("text", Call(text, text), tokens, ("text",), {"tokens": {1: "tokens"}}),
        _graph(
            "bert",
            Call(network, network.contextualise),
            tokens,
            ("context", "text"),
            {"tokens": {1: "tokens"}},
        ),
        _graph(
            "durations",
            Call(predictor, predictor.durations),
            {"text": torch.zeros(1, config.hidden, _TOKENS), "style": style},
            ("encoded", "logits"),
            {"text": {2: "tokens"}},
        ),
        _graph(
            "curves",
            Call(predictor, predictor.curves),
            {"encoded": torch.zeros(1, config.hidden + config.style, _FRAMES), "style": style},
            ("pitch", "energy"),
            {"encoded": frames},
        ),
        _graph(
            "trunk",
            Call(network.decoder, network.decoder.trunk),
            {
                "aligned": aligned,
                "pitch": torch.zeros(1, 2 * _FRAMES),
                "energy": torch.zeros(1, 2 * _FRAMES),
                "style": style,
            },
            ("x",),
            {"aligned": frames, "pitch": curve, "energy": curve},
        ),
    )


def _style(network: StyleTTS2) -> tuple[Graph, ...]:
    if network.config.style_encoder is None:
        return ()
    mel = torch.zeros(1, 1, MELS, 80)  # a second
    call = Call(network, network.reference_style)
    return (_graph("style", call, {"mel": mel}, ("style",), {"mel": {3: "frames"}}),)


def _diffusion(network: StyleTTS2) -> tuple[Graph, ...]:
    config, diffusion = network.config, network.config.diffusion
    if diffusion is None:
        return ()
    denoiser = network.diffusion
    common = {
        "x": torch.zeros(1, 1, 2 * config.style),
        "time": torch.zeros(1),
        "context": torch.zeros(1, _TOKENS, config.bert.hidden),
    }
    reference = {"reference": torch.zeros(1, 2 * config.style)} if diffusion.reference else {}
    dynamic = {"context": {1: "tokens"}}
    given = common | {"scale": torch.ones(1)} | reference
    return (_graph("guide", Call(denoiser, denoiser.guided), given, ("inner",), dynamic),)


def _generator(network: StyleTTS2) -> tuple[Graph, ...]:
    kind = network.config.generator
    if isinstance(kind, VocosConfig):
        return (_step(network, kind),)
    return _windows(network, network.config, kind)


def _windows(
    network: StyleTTS2, config: StyleTTS2Config, kind: UpsamplerConfig
) -> tuple[Graph, ...]:
    generator = network.decoder.generator
    shape = generator_shape(network)
    assert isinstance(shape, WindowShape), "only an upsampling generator has windows"
    columns = _FRAMES * shape.layout.columns + shape.layout.extra
    sentence = {
        "x": torch.zeros(1, kind.channels, _FRAMES),
        "style": torch.zeros(1, config.style),
        # Noise: the statistics of silence would be a division by nothing.
        "source": torch.randn(1, kind.source_channels, columns),
    }
    given = {"moments": torch.zeros(1, 2, shape.moment_channels), "momentum": torch.ones(1, 1)}
    dynamic = {"x": {2: "frames"}, "source": {2: "columns"}}
    outputs = ("pcm", "moments")
    return (
        _graph("whole", Call(generator, generator.whole), sentence, outputs, dynamic),
        _graph(
            "window",
            Call(generator, generator.window),
            sentence | given,
            ("pcm", "used"),
            dynamic,
        ),
    )


def _step(network: StyleTTS2, kind: VocosConfig) -> Graph:
    generator = network.decoder.generator
    shape = generator_shape(network)
    assert isinstance(shape, VocoderShape), "only nano's generator streams"
    context = 2 * (kind.kernel // 2)
    return _graph(
        "step",
        Call(generator, generator.step),
        {
            "x": torch.zeros(1, kind.inputs, _FRAMES),
            "style": torch.zeros(1, network.config.style),
            "source": torch.zeros(1, _FRAMES, shape.source_size),
            "valid": torch.ones(1, shape.lag_frames + _FRAMES),
            "heard": torch.zeros(1, kind.inputs, context),
            "layers": torch.zeros(1, kind.layers, kind.channels, context),
            "tail": torch.zeros(1, kind.fft - kind.hop),
        },
        ("pcm", "heard_next", "layers_next", "tail_next"),
        {"x": {2: "frames"}, "source": {1: "frames"}, "valid": {1: "lagged"}},
    )
