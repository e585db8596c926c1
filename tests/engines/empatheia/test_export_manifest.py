"""The files of an export: read as written, and a missing one names the command that makes it."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.empatheia.export_manifest import (
    CONSTANTS,
    EXPORT_MANIFEST,
    TOKENIZER,
    Constants,
    ExportError,
    ExportManifest,
    read_export_manifest,
    write_export_manifest,
)
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.styletts2.speaker import WindowShape
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape
from rt_avatar.engines.styletts2.windows import SourceLayout

pytestmark = pytest.mark.unit

NETWORKS = {
    name: f"{name}-nano" for name in ("encoders", "llm", "fusion", "styletts2", "dreamtalk")
}
NANO = ExportManifest(
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
    vision_px=128,
    history_bins=1,
    query_bins=24,
    cache=(4, 2, 64),
    positions=1024,
    lips="encoders_speech",
)
VOCODER = VocoderShape(inputs=128, channels=256, layers=8, kernel=7, fft=1200, hop=300)
WINDOWS = WindowShape(SourceLayout(60, 1), 9216, np.linspace(-1, 1, 9, dtype=np.float32), 0.25)


def constants(generator):
    zeros = np.zeros((8, 256), np.float32)
    times, null = np.ones((2, 5), np.float32), np.zeros(192, np.float32)
    return Constants(times, null, zeros, zeros, generator)


def make_folder(folder):
    """Write an export whose graphs and tokenizer are empty files."""
    place = write_export_manifest(folder, NANO, constants(VOCODER))
    for file in (place / TOKENIZER, *(NANO.file(folder, graph) for graph in NANO.graphs)):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"")
    return folder


@pytest.fixture
def folder(tmp_path):
    return make_folder(tmp_path)


def test_what_was_written_is_read(folder):
    manifest, read = read_export_manifest(folder)
    assert manifest == NANO
    assert not manifest.is_trained
    assert read.times.shape == (2, 5)
    assert read.generator == VOCODER


def test_a_generator_of_windows_is_read_as_written(folder):
    write_export_manifest(folder, NANO, constants(WINDOWS))
    read = read_export_manifest(folder)[1].generator
    assert (read.layout, read.moment_channels, read.bias) == (SourceLayout(60, 1), 9216, 0.25)
    assert np.array_equal(read.weight, WINDOWS.weight)
    assert read.weight.dtype == np.float32


def test_what_is_to_be_run_follows_from_the_kinds():
    official = replace(
        NANO, name="empatheia", voice="libritts", renderer="pirender", lips="encoders_lips"
    )
    assert "encoders_lips" in official.graphs
    assert "styletts2_window" in official.graphs
    assert "pirender_frame" in official.graphs
    assert "styletts2_step" in NANO.graphs
    assert NANO.graphs.count("encoders_speech") == 1


def test_a_missing_folder_names_the_command(tmp_path):
    with pytest.raises(ExportError, match=r"got none\. Make it with: rt-avatar engines export"):
        read_export_manifest(tmp_path / "nowhere")


def test_a_missing_graph_is_named(folder):
    (folder / "llm-nano" / "llm_extend.onnx").unlink()
    expected = r"expected all of 'nano'; missing llm-nano/llm_extend\.onnx\. Make it with"
    with pytest.raises(ExportError, match=expected):
        read_export_manifest(folder)


@pytest.mark.parametrize("field", ["template", "notation"])
def test_prompts_that_nobody_can_write_are_told(folder, field):
    write_export_manifest(folder, replace(NANO, **{field: "morse"}), constants(VOCODER))
    with pytest.raises(ExportError, match=r"'morse', where one of .* is known.*Make it with"):
        read_export_manifest(folder)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (EXPORT_MANIFEST, b"{"),
        (EXPORT_MANIFEST, b"{}"),
        (EXPORT_MANIFEST, b"[]"),
        (CONSTANTS, b"PK"),
        (CONSTANTS, b""),
    ],
)
def test_spoilt_files_are_told(folder, file, content):
    (folder / "nano" / file).write_bytes(content)
    with pytest.raises(ExportError, match="expected an export; got"):
        read_export_manifest(folder)


@pytest.mark.parametrize(
    ("weights", "untrained", "senses"),
    [
        ("random", (), ()),
        ("trained here", (), ()),
        ("trained here; random: voice, face", ("face",), ()),  # the package speaks in its place
        ("trained here; random: voice, synchronizer", ("voice", "synchronizer"), ()),
        (
            "trained here; random: speech, vision_projection",
            ("speech", "vision_projection"),
            ("speech", "video"),
        ),
        ("hubert-large; random: vision, llm", ("vision", "llm"), ()),
    ],
)
def test_a_model_that_has_learnt_is_kept_from_random_encodings(weights, untrained, senses):
    manifest = replace(NANO, weights=weights)
    assert (manifest.untrained, manifest.untrained_senses) == (untrained, senses)
    options = EmpatheiaOptions(without=("video",)).without_also(manifest.untrained_senses)
    assert set(options.without) == {"video", *senses}


@pytest.mark.parametrize(
    ("source", "name", "weights", "listens"),
    [
        ("auto", "nano", "trained here", True),
        ("auto", "nano", "random", False),
        ("auto", "empatheia", "vicuna", False),
        ("model", "nano", "trained here", False),
        ("listener", "empatheia", "vicuna", True),
    ],
)
def test_a_listener_writes_for_a_small_model_that_has_learnt(source, name, weights, listens):
    manifest = replace(NANO, name=name, weights=weights)
    assert EmpatheiaOptions(reply_source=source).has_listener(manifest) is listens


def test_styles_of_a_recording_are_refused_where_no_encoder_of_styles_has_learnt():
    with pytest.raises(ValueError, match="style_source: reference expects encoders"):
        EmpatheiaOptions(style_source="reference").check(replace(NANO, weights="trained here"))


def test_only_a_voice_with_a_denoiser_draws_styles():
    options, official = EmpatheiaOptions(style_source="diffusion"), replace(NANO, voice="libritts")
    assert set(official.graphs) - set(NANO.graphs) == {"styletts2_guide", "styletts2_window"}
    options.check(official)
    with pytest.raises(ValueError, match="the voice of nano has none"):
        options.check(NANO)
    replace(options, pipeline=True).check(NANO)  # the baseline's styles are the bank's
