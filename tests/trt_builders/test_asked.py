"""A language model is exported with the template that it was trained with, or not at all."""

from argparse import Namespace

import pytest
from torch import nn

from rt_avatar.engines.networks.export_files import read_tokens
from rt_avatar.engines.networks.sizes import EMPATHEIA, NANO
from rt_avatar.engines.networks.trained import read_parts, read_template, write_trained
from rt_avatar.trt_builders.asked import check_models, origin_of, with_shipped, with_template
from rt_avatar.trt_builders.catalogue import NETWORKS
from rt_avatar.trt_builders.errors import BuildError

pytestmark = pytest.mark.networks


@pytest.fixture
def trained(tmp_path):
    def make(template="", part="llm"):
        write_trained(tmp_path / "ours.safetensors", {part: nn.Linear(2, 3)}, template)
        return tmp_path / "ours.safetensors"

    return make


def chosen(sizes, trained=None, template=None):
    files = () if trained is None else (trained,)
    return with_template(sizes, Namespace(trained=files, template=template)).template


def test_without_weights_of_ours_it_is_the_sizes(trained):
    assert chosen(NANO) == "nano_profile"
    assert chosen(EMPATHEIA) == "vicuna_v1.5_empathy"
    assert chosen(EMPATHEIA, template="vicuna_v1.5") == "vicuna_v1.5"
    assert chosen(NANO, trained(part="synchronizer")) == "nano_profile"


def test_weights_of_ours_are_prompted_as_they_were_trained(trained):
    assert chosen(NANO, trained("nano")) == "nano"
    assert chosen(NANO, trained("nano_profile"), "nano_profile") == "nano_profile"
    assert chosen(NANO, trained(), "nano") == "nano"


@pytest.mark.parametrize(
    ("learnt", "asked", "message"),
    [
        ("", None, "got none. Say it with --template: nano or nano_profile"),
        ("nano", "nano_profile", "trained with, nano; got nano_profile"),
        ("vicuna_v1.5", None, "got vicuna_v1.5"),
        ("later", None, "trained with, nano or nano_profile; got later"),
    ],
)
def test_another_template_is_refused(trained, learnt, asked, message):
    with pytest.raises(BuildError, match=message):
        chosen(NANO, trained(learnt), asked)


def test_a_template_of_another_vocabulary_is_refused():
    with pytest.raises(BuildError, match=r"vicuna_v1\.5 or vicuna_v1.5_empathy; got nano"):
        chosen(EMPATHEIA, template="nano")


def asked_for(*networks, trained=(), **others):
    return Namespace(networks=networks, trained=trained, tokenizer=None, **others)


@pytest.mark.parametrize("network", ["nano", "llm-nano"])
def test_nanos_language_model_is_the_packages_own(network):
    found = with_shipped(asked_for(network, random=False))
    assert read_template(read_parts(found.trained)["llm"].path) == NANO.template
    read_tokens(found.tokenizer, NANO.llm)


def test_nanos_contents_and_styles_are_the_packages_own():
    fusion = {"synchronizer", "disentangler"}
    assert set(read_parts(with_shipped(asked_for("fusion-nano")).trained)) == fusion
    assert set(read_parts(with_shipped(asked_for("nano")).trained)) >= {"llm", *fusion}


@pytest.mark.parametrize("network", ["nano", "pirenderer-nano"])
def test_nanos_renderer_is_the_packages_own(network):
    found = with_shipped(asked_for(network, random=False))
    assert {"pyramid", "face"} <= set(read_parts(found.trained))


def test_an_official_network_beside_nanos_is_not_filled_with_the_packages_weights(tmp_path):
    named = ("pirenderer-nano", "pirenderer")
    words = with_shipped(asked_for(*named, random=False, models=tmp_path, seed=0))
    nano, official = (NETWORKS[name] for name in named)
    assert {"pyramid", "face"} <= set(read_parts(origin_of(nano, words).trained))
    assert origin_of(official, words).trained == ()
    with pytest.raises(BuildError, match="missing pirenderer"):
        check_models([nano, official], words)
    (tmp_path / "pirenderer.safetensors").touch()
    check_models([nano, official], words)


@pytest.mark.parametrize(
    "words",
    [
        asked_for("nano", random=True),
        asked_for("nano", random=False, trained=["ours.safetensors"]),
        asked_for("empatheia", random=False),
        asked_for("dreamtalk-nano"),
    ],
)
def test_other_weights_are_left_as_they_were_asked_for(words):
    assert with_shipped(words) is words
