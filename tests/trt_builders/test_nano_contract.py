"""The contract of the graph's engines once more, over nano as it is exported, on onnxruntime."""

import pytest

from rt_avatar.benchmarks.engines.exported import check, export_nano
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from tests.engines.empatheia.torch.test_contract import *  # noqa: F403

pytestmark = pytest.mark.networks


@pytest.fixture(scope="module")
def engines():
    """All stages, run by onnxruntime."""
    return EmpatheiaEngines.load(export_nano(), "nano")


def test_what_is_made_of_nano_passes_as_a_folder_of_exports():
    folder = export_nano()
    assert check(folder) == folder
