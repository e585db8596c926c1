"""A plan's manifest survives the file, tells differences, and nonsense is refused."""

from dataclasses import replace

import pytest

from rt_avatar.engines.runtimes.manifest import ManifestError, PlanManifest, read_manifest

pytestmark = pytest.mark.unit

MANIFEST = PlanManifest(
    name="styletts2_text",
    gpu="L4",
    tensorrt="10.13.0.35",
    precision="fp16",
    shapes={"tokens": ((1, 1), (1, 60), (1, 510))},
    graph_sha256="ab",
    checkpoint_sha256="",
    tools={"torch": "2.13.0"},
    size_bytes=12,
)


def test_it_comes_back_as_it_was_written(tmp_path):
    plan = tmp_path / "styletts2_text.plan"
    MANIFEST.write(plan)
    assert read_manifest(plan) == MANIFEST


def test_differences_are_told_one_by_one_and_size_is_none():
    assert MANIFEST.differences(replace(MANIFEST, size_bytes=99)) == []
    other = replace(MANIFEST, gpu="H200", tools={"torch": "2.15.0"})
    assert MANIFEST.differences(other) == [
        "gpu: plan has L4, wanted H200",
        "tools: plan has {'torch': '2.13.0'}, wanted {'torch': '2.15.0'}",
    ]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": 3}', None])
def test_nonsense_is_no_manifest(tmp_path, content):
    plan = tmp_path / "x.plan"
    if content is not None:
        plan.with_suffix(".json").write_text(content)
    with pytest.raises(ManifestError, match=r"engines build"):
        read_manifest(plan)
