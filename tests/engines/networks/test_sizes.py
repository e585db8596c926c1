"""What one network gives is what the next takes, in both sizes, or it is said."""

from dataclasses import replace

import pytest

from rt_avatar.engines.empatheia.engines import RECIPES
from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.networks.encoders.config import HUBERT_NANO
from rt_avatar.engines.networks.llm.config import NANO as LLM_NANO
from rt_avatar.engines.networks.sizes import EMPATHEIA, NANO, SIZES
from rt_avatar.trt_builders.catalogue import NETWORKS
from tests.engines.networks.small_empatheia import SIZES_SMALL

pytestmark = pytest.mark.networks


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_every_name_is_known_where_it_is_used(sizes):
    assert sizes.template in TEMPLATES
    assert sizes.notation in NOTATIONS
    assert sizes.voice.name in RECIPES
    assert set(sizes.networks.values()) <= set(NETWORKS)
    published = {name for network in NETWORKS.values() for name in network.weights}
    assert set(sizes.weights.values()) <= published


def test_the_official_export_is_made_of_the_official_sizes():
    names = (EMPATHEIA.speech.name, EMPATHEIA.vision.name, EMPATHEIA.llm.name)
    assert names == ("hubert-large-ll60k", "clip-vit-large-patch14-336", "vicuna-7b-v1.5")
    assert EMPATHEIA.lips.name == "wav2vec2-large-xlsr-53-english"
    assert (EMPATHEIA.voice.name, EMPATHEIA.face_px, EMPATHEIA.renderer) == (
        "libritts", 256, "pirender",
    )  # fmt: skip
    assert len(EMPATHEIA.steps) == 10
    assert (EMPATHEIA.synchronizer.speech, EMPATHEIA.synchronizer.video) == (512, 256)


def test_what_is_small_here_has_the_official_kinds():
    for part in ("speech", "lips", "vision", "llm", "voice", "motion", "face"):
        official, small = getattr(EMPATHEIA, part), getattr(SIZES_SMALL, part)
        assert type(official) is type(small)
    assert SIZES_SMALL.voice.generator.kind == EMPATHEIA.voice.generator.kind == "hifigan"
    assert SIZES_SMALL.voice.generator.rates == EMPATHEIA.voice.generator.rates
    assert SIZES_SMALL.voice.norm == EMPATHEIA.voice.norm
    assert SIZES_SMALL.motion.lower_channels == EMPATHEIA.motion.lower_channels
    assert SIZES_SMALL.motion.layers == EMPATHEIA.motion.layers
    assert SIZES_SMALL.speech.norm == EMPATHEIA.speech.norm
    assert SIZES_SMALL.llm.first_signal == SIZES_SMALL.llm.base_vocabulary
    for same in ("template", "notation", "networks", "weights"):
        assert getattr(SIZES_SMALL, same) == getattr(EMPATHEIA, same)
    assert SIZES_SMALL.steps[:1] + SIZES_SMALL.steps[-1:] == (901, 1)
    assert EMPATHEIA.steps == (901, 801, 701, 601, 501, 401, 301, 201, 101, 1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"llm": LLM_NANO}, "states, for contents: expected 4096 numbers; got 256"),
        ({"lips": HUBERT_NANO}, "features of sound, by speech and lips: expected 256"),
        ({"motion": NANO.motion}, "features of sound, for the motion: expected 256"),
        (
            {"synchronizer": replace(EMPATHEIA.synchronizer, window=11)},
            "one content a frame.*windows of 11, which can be trained and not be run",
        ),
        ({"voice": NANO.voice}, "contents of the voice: expected 192 numbers; got 512"),
    ],
)
def test_networks_that_do_not_fit_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        replace(EMPATHEIA, **changed)
