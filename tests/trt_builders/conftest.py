"""Graphs are made with torch, which only the extra ``train`` brings."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("torch") and find_spec("onnx") else ["*"]


@pytest.fixture(scope="session")
def small_export(tmp_path_factory):
    """The exported export of the official kinds with few numbers, and the words of its weights."""
    from rt_avatar.commands.cli import main
    from rt_avatar.engines.networks.sizes import SIZES
    from tests.engines.networks import small_empatheia

    weights, folder = tmp_path_factory.mktemp("models"), tmp_path_factory.mktemp("engines")
    small_empatheia.write_models(weights)
    rest = small_empatheia.write_rest(weights)
    of = ["--folder", str(folder), "--models", str(weights), "--trained", rest.pop("--trained")]
    beside = [word for pair in rest.items() for word in pair]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIZES, "empatheia", small_empatheia.SIZES_SMALL)
        patch.setenv("COLUMNS", "200")
        assert main(["engines", "export", "empatheia", *of, *beside]) == 0
    return folder, of


@pytest.fixture(scope="session")
def small_engines(small_export):
    """All stages of it, on onnxruntime."""
    from rt_avatar.engines.empatheia.engines import EmpatheiaEngines

    return EmpatheiaEngines.load(small_export[0], "empatheia")
