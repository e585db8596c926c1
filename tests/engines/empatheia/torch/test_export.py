"""What is written beside the graphs is what the stages need, and all of it is asked for."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.schedule import Schedule
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.export_manifest import ExportError, read_export_manifest
from rt_avatar.engines.networks.export_files import Beside, export_with_manifest
from rt_avatar.engines.networks.graph import export_onnx
from rt_avatar.engines.networks.sizes import NANO
from rt_avatar.engines.types import EMOTIONS
from tests.engines.empatheia.torch.made import dialogue

pytestmark = pytest.mark.networks


def test_the_export_names_graphs_that_there_are_and_their_numbers_fit(parts, tmp_path):
    place = export_with_manifest(tmp_path, NANO, parts, Beside())
    with pytest.raises(ExportError, match=r"missing encoders-nano/encoders_speech\.onnx"):
        EmpatheiaEngines.load(tmp_path)
    kept = {file.name: file.read_bytes() for file in place.iterdir()}
    names = {graph.name for graph in parts.values()}
    for name in names:
        file = tmp_path / f"{name.partition('_')[0]}-nano" / f"{name}.onnx"
        file = tmp_path / "pirenderer-nano" / file.name if name.startswith("pirender") else file
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"")
    manifest, constants = read_export_manifest(tmp_path)
    assert set(manifest.graphs) <= names
    assert len(constants.times) == len(Schedule.of(manifest.steps).steps)
    assert constants.bank_voice.shape == (len(EMOTIONS), manifest.voice_style_size)
    assert constants.null_style.shape == (manifest.content_size,)
    export_with_manifest(tmp_path, NANO, parts, Beside())
    assert {file.name: file.read_bytes() for file in place.iterdir()} == kept


def test_the_exported_language_model_reads_what_torch_reads(parts, engines, tmp_path):
    from rt_avatar.engines.llm.cache import HostCachedGraph
    from rt_avatar.engines.llm.model import GraphModel
    from rt_avatar.engines.runtimes import OnnxRuntime

    runs = []
    for name in ("llm_embed", "llm_extend"):
        export_onnx(parts[name], tmp_path / f"{name}.onnx")
        runs.append(OnnxRuntime(tmp_path / f"{name}.onnx").run)
    embed, extend = runs
    cached = HostCachedGraph(extend, *engines.manifest.cache)
    model, asked = GraphModel(embed, cached), dialogue()
    here = engines.read(asked, without=("speech", "video"))
    ids = engines.answerer.tokens.encode("<user>My dog ran away.")
    there, again = model.read(model.embed(ids)), engines.language.read(engines.language.embed(ids))
    np.testing.assert_allclose(there.logits, again.logits, atol=1e-4)
    stepped = model.step([20, 21], there).logits
    np.testing.assert_allclose(stepped, engines.language.step([20, 21], again).logits, atol=1e-4)
    assert np.isfinite(here.logits).all()
