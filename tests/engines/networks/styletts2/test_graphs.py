"""Every graph says in onnxruntime what torch says, at lengths it was not traced at.

From one token or frame, the least that any part can be given, to the 512 tokens of PL-BERT.
"""

import numpy as np
import pytest
import torch

from rt_avatar.engines.networks.styletts2.config import NANO
from rt_avatar.engines.networks.styletts2.graphs import graphs
from rt_avatar.engines.styletts2.pulses import PulseSpectra
from rt_avatar.engines.styletts2.source import HarmonicSource
from rt_avatar.engines.styletts2.speaker import CHUNK_FRAMES
from rt_avatar.engines.styletts2.spectrum import source_spectrum
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape
from rt_avatar.engines.styletts2.windows import MOST_SETTLING_FRAMES
from rt_avatar.trt_builders.budget import Budget, ranges
from tests.engines.networks.parity import assert_parity
from tests.engines.networks.styletts2.exported import session
from tests.engines.networks.styletts2.tiny import KOK, LIBRI, LJ, SMALL_NANO, lean, network

pytestmark = pytest.mark.networks

CONFIGS = {config.name: lean(config) for config in (LJ, LIBRI, KOK, SMALL_NANO)}
NETWORKS = {name: network(config) for name, config in CONFIGS.items()}
GRAPHS = {name: {g.name.removeprefix("styletts2_"): g for g in graphs(net)}
          for name, net in NETWORKS.items()}  # fmt: skip
CLAUSE = {"text", "bert", "durations", "curves", "trunk"}
# Operations that neither onnxruntime nor TensorRT must be given: chance, complex numbers, loops.
FORBIDDEN = {"RandomNormal", "RandomNormalLike", "RandomUniform", "Dropout", "STFT", "DFT", "Loop",
             "If", "Scan", "NonZero", "SequenceAt"}  # fmt: skip


def test_each_network_has_the_graphs_of_its_parts():
    found = {name: set(made) - CLAUSE for name, made in GRAPHS.items()}
    assert found == {
        "ljspeech": {"style", "guide", "whole", "window"},
        "libritts": {"style", "guide", "whole", "window"},
        "kokoro": {"whole", "window"},
        "nano": {"style", "step"},
    }
    assert all(set(made) >= CLAUSE for made in GRAPHS.values())


def called(graph, inputs):
    with torch.no_grad():
        out = graph.module(*(inputs[key] for key in graph.inputs))
    return [each.numpy() for each in (out if isinstance(out, tuple) else (out,))]


def case(graph, frames, kind):
    """Inputs of another length; the source as it really is, the state as it may be."""
    torch.manual_seed(frames)
    f0 = np.where(np.arange(frames) % 9 < 6, 120 + 3.0 * np.arange(frames), 0).astype(np.float32)
    sizes = {"tokens": frames, "frames": frames, "frames2": 2 * frames, "lagged": frames + 12}
    made = {}
    for name, example in graph.inputs.items():
        shape = list(example.shape)
        for axis, size in graph.dynamic.get(name, {}).items():
            shape[axis] = sizes.get(size, shape[axis])
        made[name] = torch.randn(shape)
        if name == "tokens":
            made[name] = torch.randint(0, 178, shape)
        elif name == "pitch":
            made[name] = 200 * torch.rand(shape)
        elif name == "valid":
            made[name] = (torch.arange(shape[1])[None] > 3).float()
        elif name == "momentum":
            made[name] = torch.full(shape, 0.25)
        elif name == "moments":
            made[name] = made[name].abs() + 0.1
    if "source" in made and graph.name.endswith("step"):
        made["source"] = torch.from_numpy(PulseSpectra(f0, 1200)(0, frames))
    elif "source" in made:
        source = HarmonicSource(np.linspace(0.1, 1, 9, dtype=np.float32), 0.0)
        sound = np.concatenate([source.push(f0), source.flush()])
        padded = np.pad(sound, 10, mode="reflect")
        given = source_spectrum(padded) if kind == "istftnet" else sound[None]
        made["source"] = torch.from_numpy(given)[None]
    return made


# What two runtimes may be apart, of the largest number: a rounding each; what the last tanh of a
# generator with random weights makes of it.
OF_PEAK = {"whole": 3e-4, "window": 3e-5}


def lengths(graph):
    """Lengths to try: the least, odd ones, and the most that there is a position for."""
    if graph.name.endswith("style"):
        return 65, 66, 79, 101
    has_tokens = any("tokens" in axes.values() for axes in graph.dynamic.values())
    return (1, 2, 5, 17, 32, 512) if has_tokens else (1, 2, 5, 17, 32)


@pytest.mark.parametrize(
    ("name", "part"),
    [("ljspeech", part) for part in sorted(GRAPHS["ljspeech"])]
    + [("libritts", part) for part in ("guide", "whole", "window")]
    + [("nano", part) for part in sorted(set(GRAPHS["nano"]) - {"text", "style"})],
)
def test_parity_from_the_least_length_to_the_greatest(name, part, tmp_path):
    graph = GRAPHS[name][part]
    kind = getattr(CONFIGS[name].generator, "kind", "vocos")
    cases = [case(graph, length, kind) for length in lengths(graph)]
    traced = {key: value.shape for key, value in graph.inputs.items()}
    assert sum({key: made[key].shape for key in made} != traced for made in cases) >= 3
    wanted = [called(graph, made) for made in cases]
    assert all(np.isfinite(each).all() and each.std() > 0 for out in wanted for each in out)
    loudest = max(np.abs(each).max() for out in wanted for each in out)
    share = OF_PEAK.get(part, 1e-5)
    assert not assert_parity(graph, tmp_path, cases, atol=share * loudest) & FORBIDDEN
    run = session(tmp_path / f"{graph.name}.onnx")
    for made, out in zip(cases, wanted, strict=True):
        for got, each in zip(run(made).values(), out, strict=True):
            limit = share * np.abs(each).max()  # of this output, which may be much smaller
            np.testing.assert_allclose(got, each, atol=limit, rtol=0, equal_nan=False)


def test_every_length_is_free_where_it_should_be():
    for made in GRAPHS.values():
        for graph in made.values():
            assert graph.dynamic, graph.name
            assert set(graph.dynamic) <= set(graph.inputs)
            assert not set(graph.outputs) & set(graph.inputs)


def test_plans_take_every_window_that_a_speaker_makes():
    budget = Budget()
    window = ranges(GRAPHS["ljspeech"]["window"], budget)["frames"]
    assert window.least <= 2  # the frames of the shortest token
    assert window.most >= MOST_SETTLING_FRAMES
    step = ranges(GRAPHS["nano"]["step"], budget)["frames"]
    kind = NANO.generator
    shape = VocoderShape(kind.inputs, kind.channels, kind.layers, kind.kernel, kind.fft, kind.hop)
    assert step.least == 1
    assert step.most >= CHUNK_FRAMES + -(-shape.lag_samples // shape.hop)
