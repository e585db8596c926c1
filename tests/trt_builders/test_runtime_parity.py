"""Every engine of the graph gives the same on onnxruntime and in torch, within a tolerance."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.export_manifest import read_export_manifest
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.engines.types import SpeechChunk
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from rt_avatar.trt_builders.weights import Origin
from tests.engines.networks.small_empatheia import SIZES_SMALL
from tests.engines.streamed import whole
from tests.trt_builders.test_empatheia_contract import KINDS

pytestmark = pytest.mark.networks
# A voice's phase is the sum of its pitch, and so are the errors: the wave drifts, not the sound.
VOICE = 0.02


@pytest.fixture(scope="module")
def torch_engines(small_export):
    """All stages, run by torch from the same weights."""
    folder, words = small_export
    told = dict(zip(words[::2], words[1::2], strict=True))
    origin = Origin(Path(told["--models"]), (Path(told["--trained"]),), 0)
    graphs = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIZES, "empatheia", SIZES_SMALL)
        for name in SIZES_SMALL.networks.values():
            graphs |= {graph.name: graph for graph in make_graphs(NETWORKS[name], origin)[0]}
    manifest, constants = read_export_manifest(folder, "empatheia")
    runs = {name: TorchRuntime(graphs[name]).run for name in manifest.graphs}
    tokens = Tokens.load(folder / "empatheia" / "tokenizer.json")
    return EmpatheiaEngines(runs, manifest, constants, tokens)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_an_engine_gives_is_the_runtimes_matter_no_more_than_by_rounding(
    small_engines, torch_engines, kind
):
    one, other = (
        whole(kind.find(engines).open(), kind.items(engines, 1))
        for engines in (small_engines, torch_engines)
    )
    assert len(one) == len(other) > 0
    for here, there in zip(one, other, strict=True):
        if isinstance(here, SpeechChunk):
            assert (here.phonemes, here.words) == (there.phonemes, there.words)
            here, there = here.pcm, there.pcm
        values, difference = here.astype(np.float64), here.astype(np.float64) - there
        limit = (
            1 if here.dtype == np.uint8 else VOICE * rms(values) if kind.name == "voice" else 1e-3
        )
        assert rms(difference) <= limit
        assert rms(values - values.mean()) > 10 * rms(difference)  # not nothing, twice


def rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))
