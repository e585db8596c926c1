"""The files of a profile: read as written, and a missing one names the command that makes it."""

import numpy as np
import pytest

from engines.empatheia.profile import (
    CONSTANTS,
    PROFILE,
    TOKENIZER,
    Constants,
    GraphProfile,
    ProfileError,
    read_profile,
    write_profile,
)

pytestmark = pytest.mark.unit

NETWORKS = {
    name: f"{name}-nano" for name in ("encoders", "llm", "fusion", "styletts2", "dreamtalk")
}
NANO = GraphProfile(
    name="nano",
    weights="random",
    template="nano",
    notation="tags",
    voice="nano",
    renderer="pirender_nano",
    networks=NETWORKS | {"pirender": "pirenderer-nano"},
    feature_size=256,
    content_size=192,
    voice_style_size=256,
    steps=(901, 301),
    face_px=256,
    sight_px=128,
    history_bins=1,
    query_bins=24,
)


@pytest.fixture
def folder(tmp_path):
    zeros = np.zeros((8, 256), np.float32)
    constants = Constants(
        np.ones((2, 5), np.float32), np.zeros(192, np.float32), zeros, zeros, {"hop": 300}
    )
    place = write_profile(tmp_path, NANO, constants)
    for file in (place / TOKENIZER, *(NANO.file(tmp_path, graph) for graph in NANO.graphs)):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"")
    return tmp_path


def test_what_was_written_is_read(folder):
    profile, constants = read_profile(folder)
    assert profile == NANO
    assert not profile.is_trained
    assert constants.times.shape == (2, 5)
    assert dict(constants.vocoder) == {"hop": 300}


def test_a_missing_folder_names_the_command(tmp_path):
    with pytest.raises(ProfileError, match=r"got none\. Make it with: rt-avatar engines export"):
        read_profile(tmp_path / "nowhere")


def test_a_missing_graph_is_named(folder):
    (folder / "llm-nano" / "llm_step.onnx").unlink()
    with pytest.raises(ProfileError, match=r"missing llm-nano/llm_step\.onnx\. Make it with"):
        read_profile(folder)


@pytest.mark.parametrize(
    ("file", "content"),
    [(PROFILE, b"{"), (PROFILE, b"{}"), (PROFILE, b"[]"), (CONSTANTS, b"PK"), (CONSTANTS, b"")],
)
def test_spoilt_files_are_told(folder, file, content):
    (folder / "nano" / file).write_bytes(content)
    with pytest.raises(ProfileError, match="expected a profile; got"):
        read_profile(folder)
