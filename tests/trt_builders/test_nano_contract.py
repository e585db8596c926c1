"""The contract of the graph's engines once more, over nano as it is exported, on onnxruntime."""

import numpy as np
import pytest

from rt_avatar.benchmarks.engines.exported import check, export_nano
from rt_avatar.config.settings import NetworkSettings, Settings, TtsSettings
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.errors import SetupError
from rt_avatar.services.network import load_network
from tests.engines.empatheia.torch.test_contract import *  # noqa: F403

pytestmark = pytest.mark.networks


@pytest.fixture(scope="module")
def engines():
    """All stages, run by onnxruntime."""
    return EmpatheiaEngines.load(export_nano(), "nano")


def test_what_is_made_of_nano_passes_as_a_folder_of_exports():
    folder = export_nano()
    assert check(folder) == folder


def test_poses_of_another_space_are_refused_when_it_is_loaded(tmp_path):
    path = tmp_path / "pose.npy"
    np.save(path, np.ones((30, 9), np.float32))
    network = NetworkSettings(folder=str(export_nano()), pose_file=str(path))
    with pytest.raises(SetupError, match=r"moves by ARKit's blendshapes.*Leave it empty"):
        load_network(Settings(tts=TtsSettings(kind="empatheia"), network=network))


def test_a_voice_that_draws_no_styles_is_told_when_it_is_loaded():
    network = NetworkSettings(folder=str(export_nano()), style_source="diffusion")
    with pytest.raises(SetupError, match="style_source: diffusion expects a voice with"):
        load_network(Settings(tts=TtsSettings(kind="empatheia"), network=network))
