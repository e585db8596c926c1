"""The published encoders load key for key; what they carry besides is known by name."""

import pytest
import torch

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.encoders.config import (
    CLIP_LARGE,
    CLIP_NANO,
    HUBERT_BASE,
    HUBERT_LARGE,
    HUBERT_NANO,
    WAV2VEC_LARGE,
)
from rt_avatar.engines.networks.encoders.official import load_clip, load_hubert, load_wav2vec2
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder
from tests.engines.networks.encoders.keys import clip_keys, hubert_keys, wav2vec2_keys
from tests.engines.networks.encoders.tiny import SPEECH, VISION, speech, vision
from tests.engines.networks.parametrized import parametrized

pytestmark = pytest.mark.networks


def state(keys):
    return {key: torch.randn(shape) for key, shape in keys.items()}


def millions(keys):
    return sum(torch.Size(shape).numel() for shape in keys.values()) / 1e6


def test_official_sizes():
    large, base, clip = hubert_keys(HUBERT_LARGE), hubert_keys(HUBERT_BASE), clip_keys(CLIP_LARGE)
    assert millions(large) == pytest.approx(315.4, abs=0.2)
    assert millions(base) == pytest.approx(94.4, abs=0.1)
    assert millions(clip) == pytest.approx(303.5, abs=0.1)
    assert large["encoder.pos_conv_embed.conv.weight_v"] == (1024, 64, 128)
    assert large["feature_extractor.conv_layers.6.layer_norm.weight"] == (512,)
    assert "feature_extractor.conv_layers.6.layer_norm.weight" not in base
    assert clip["vision_model.embeddings.position_embedding.weight"] == (577, 1024)
    assert clip["vision_model.pre_layrnorm.weight"] == (1024,)


def test_nano_sizes():
    with torch.device("meta"):
        found = [
            sum(p.numel() for p in made.parameters())
            for made in (SpeechEncoder(HUBERT_NANO), VisionEncoder(CLIP_NANO))
        ]
    assert found == [3_473_136, 1_940_352]


def test_hubert_loads_with_its_norm_folded():
    wanted = state(hubert_keys(SPEECH))
    encoder = speech()
    load_hubert(encoder, {**wanted, "lm_head.weight": torch.zeros(32, 32)})
    got = encoder.hubert.state_dict()
    name = "encoder.pos_conv_embed.conv.weight"
    v = wanted[f"{name}_v"]
    torch.testing.assert_close(
        got[name], wanted[f"{name}_g"] * v / v.norm(dim=(0, 1), keepdim=True)
    )
    key = "encoder.layers.1.feed_forward.output_dense.weight"
    assert torch.equal(got[key], wanted[key])
    with torch.no_grad():
        assert encoder(torch.randn(1, 2000)).isfinite().all()


@pytest.mark.parametrize(
    ("keys", "load"), [(hubert_keys, load_hubert), (wav2vec2_keys, load_wav2vec2)]
)
def test_files_with_torchs_new_parametrizations_load_to_the_same_weights(keys, load):
    wanted = state(keys(SPEECH))
    usual, encoder = speech(), speech()
    load(usual, wanted)
    given = parametrized(wanted)
    assert given.keys() != wanted.keys()
    load(encoder, given)
    loaded = encoder.state_dict()
    assert all(torch.equal(loaded[key], value) for key, value in usual.state_dict().items())


def test_a_fine_tuned_hubert_loads_too():
    wanted = state(hubert_keys(SPEECH))
    encoder = speech()
    load_hubert(encoder, {f"hubert.{key}": value for key, value in wanted.items()})
    assert torch.equal(encoder.hubert.state_dict()["encoder.layer_norm.weight"],
                       wanted["encoder.layer_norm.weight"])  # fmt: skip


def test_wav2vec_loads_into_the_same_layers():
    wanted = state(wav2vec2_keys(SPEECH))
    encoder = speech()
    load_wav2vec2(encoder, wanted)
    key = "encoder.layers.1.feed_forward.output_dense.weight"
    assert torch.equal(encoder.hubert.state_dict()[key], wanted[f"wav2vec2.{key}"])
    assert millions(wav2vec2_keys(WAV2VEC_LARGE)) == pytest.approx(315.5, abs=0.2)


def test_clip_loads_from_the_whole_files_tower():
    wanted = state(clip_keys(VISION))
    whole = wanted | {"text_model.embeddings.position_ids": torch.zeros(1), "logit_scale":
                      torch.zeros(()), "visual_projection.weight": torch.zeros(4, 4),
                      "vision_model.embeddings.position_ids": torch.zeros(1)}  # fmt: skip
    encoder = vision()
    load_clip(encoder, whole)
    key = "vision_model.encoder.layers.1.self_attn.q_proj.weight"
    got = encoder.clip.state_dict()[key.removeprefix("vision_model.")]
    assert torch.equal(got, wanted[key])


def test_wrong_files_are_told_by_their_keys():
    wanted = state(hubert_keys(SPEECH))
    lost = wanted.pop("encoder.layers.0.attention.q_proj.weight")
    with pytest.raises(CheckpointError, match=r"missing encoder\.layers\.0\.attention\.q_proj"):
        load_hubert(speech(), wanted)
    with pytest.raises(CheckpointError, match=r"expected 32x32, got 32x31"):
        load_hubert(speech(), {**wanted, "encoder.layers.0.attention.q_proj.weight": lost[:, :-1]})
    with pytest.raises(CheckpointError, match="unexpected foreign"):
        load_clip(vision(), state(clip_keys(VISION)) | {"foreign": torch.zeros(1)})
