"""The released checkpoints fit key for key, shape for shape, and anything else is told."""

import json
from pathlib import Path

import pytest
import torch

from rt_avatar.engines import key_tables
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.styletts2.config import CONFIGS, KOKORO, LIBRITTS, LJSPEECH, NANO
from rt_avatar.engines.networks.styletts2.official import key_table, load_official
from tests.engines.networks.parametrized import parametrized
from tests.engines.networks.styletts2.tiny import KOK, LIBRI, LJ, checkpoint, network

pytestmark = pytest.mark.networks

TABLES = {name: key_table(config) for name, config in CONFIGS.items()}


SPECTRAL_PARTS = ("style_encoder", "predictor_encoder")


def count_parameters(part, keys):
    """Return a part's parameters as its authors count them.

    With the magnitudes of weight norm and the pooler; without the singular vectors of spectral
    norm, which are buffers, and without the denoiser's second copy.
    """
    return sum(
        torch.Size(shape).numel()
        for key, shape in keys.items()
        if not key.startswith("unet.")
        and not (part in SPECTRAL_PARTS and key.endswith(("weight_u", "weight_v")))
    )


def counts(name, inside=""):
    return {
        part: count_parameters(part, {key: keys[key] for key in keys if key.startswith(inside)})
        for part, keys in TABLES[name].items()
    }


@pytest.mark.parametrize("name", ["ljspeech", "libritts"])
def test_every_part_has_the_published_number_of_parameters(name):
    found = counts(name)
    assert found == {
        "bert": 6_292_480,
        "bert_encoder": 393_728,
        "text_encoder": 5_606_400,
        "predictor": 16_194_612,
        "decoder": 53_276_190 if name == "ljspeech" else 54_289_492,
        "style_encoder": 13_845_440,
        "predictor_encoder": 13_845_440,
        "diffusion": 21_918_080 if name == "ljspeech" else 25_326_976,
    }


def test_the_parts_of_predictor_and_decoder_have_theirs():
    predictor = {
        "text_encoder.": 5_913_600, "lstm.": 1_839_104, "duration_proj.": 25_650,
        "shared.": 1_839_104,
    }  # fmt: skip
    for inside, wanted in predictor.items():
        assert counts("ljspeech", inside)["predictor"] == wanted, inside
    curves = sum(counts("ljspeech", inside)["predictor"] for inside in ("F0", "N"))
    assert curves == 6_577_154
    assert counts("ljspeech", "generator.")["decoder"] == 19_667_510
    assert counts("libritts", "generator.")["decoder"] == 20_680_812
    for name in ("ljspeech", "libritts"):
        trunk = counts(name)["decoder"] - counts(name, "generator.")["decoder"]
        assert trunk == 33_608_680


def test_kokoro_is_ljspeech_without_diffusion_and_style_encoders():
    assert sum(counts("kokoro").values()) == 81_763_410
    left = {part: keys for part, keys in TABLES["ljspeech"].items() if part in TABLES["kokoro"]}
    assert left == TABLES["kokoro"]
    assert set(TABLES["ljspeech"]) - set(left) == {
        "style_encoder",
        "predictor_encoder",
        "diffusion",
    }


def test_every_part_has_the_published_number_of_tensors():
    for name, denoiser, decoder in (("ljspeech", 92, 375), ("libritts", 96, 678)):
        tensors = {part: len(keys) for part, keys in TABLES[name].items()}
        assert tensors == {
            "bert": 25, "bert_encoder": 2, "text_encoder": 24, "predictor": 122, "decoder": decoder,
            "style_encoder": 67, "predictor_encoder": 67, "diffusion": denoiser,
        }  # fmt: skip


PUBLISHED = {
    ("bert", "embeddings.word_embeddings.weight"): (178, 128),
    ("bert", "encoder.embedding_hidden_mapping_in.weight"): (768, 128),
    ("bert", "encoder.albert_layer_groups.0.albert_layers.0.ffn.weight"): (2048, 768),
    ("bert", "encoder.albert_layer_groups.0.albert_layers.0.attention.LayerNorm.bias"): (768,),
    ("text_encoder", "cnn.2.0.weight_v"): (512, 512, 5),
    ("text_encoder", "cnn.0.1.gamma"): (512,),
    ("text_encoder", "lstm.weight_hh_l0_reverse"): (1024, 256),
    ("predictor", "text_encoder.lstms.4.weight_ih_l0"): (1024, 640),
    ("predictor", "text_encoder.lstms.5.fc.weight"): (1024, 128),
    ("predictor", "duration_proj.linear_layer.weight"): (50, 512),
    ("predictor", "F0.1.pool.weight_g"): (512, 1, 1),
    ("predictor", "F0.1.pool.weight_v"): (512, 1, 3),
    ("predictor", "N.1.conv1x1.weight_v"): (256, 512, 1),
    ("predictor", "F0_proj.weight"): (1, 256, 1),
    ("style_encoder", "shared.0.weight_u"): (64,),
    ("style_encoder", "shared.1.downsample_res.conv.weight_v"): (9,),
    ("style_encoder", "shared.6.weight_orig"): (512, 512, 5, 5),
    ("style_encoder", "unshared.weight"): (128, 512),
    ("diffusion", "diffusion.net.blocks.2.attention.to_kv.weight"): (1024, 1024),
    ("diffusion", "unet.blocks.0.attention.attention.to_out.weight"): (1024, 512),
    ("diffusion", "diffusion.net.to_time.0.0.weights"): (128,),
    ("diffusion", "diffusion.net.to_time.0.1.weight"): (1024, 257),
    ("diffusion", "diffusion.net.to_out.1.weight"): (256, 1024, 1),
    ("diffusion", "unet.fixed_embedding.embedding.weight"): (512, 768),
    ("decoder", "encode.conv1.weight_v"): (1024, 514, 3),
    ("decoder", "decode.3.pool.weight_v"): (1090, 1, 3),
    ("decoder", "F0_conv.weight_g"): (1, 1, 1),
    ("decoder", "asr_res.0.weight_v"): (64, 512, 1),
    ("decoder", "generator.m_source.l_linear.weight"): (1, 9),
    ("decoder", "generator.ups.0.weight_g"): (512, 1, 1),
    ("decoder", "generator.ups.0.weight_v"): (512, 256, 20),
    ("decoder", "generator.resblocks.5.adain2.2.fc.weight"): (256, 128),
    ("decoder", "generator.noise_res.1.alpha1.0"): (1, 128, 1),
}


def test_the_published_keys_have_the_published_shapes():
    for name in ("ljspeech", "libritts"):
        found = {(part, key): TABLES[name][part].get(key) for part, key in PUBLISHED}
        assert found == PUBLISHED
    lj, libri = TABLES["ljspeech"], TABLES["libritts"]
    assert lj["decoder"]["generator.noise_convs.0.weight"] == (256, 22, 12)
    assert lj["decoder"]["generator.conv_post.weight_v"] == (22, 128, 7)
    assert not [key for key in lj["decoder"] if key.startswith("generator.alphas")]
    assert libri["decoder"]["generator.noise_convs.0.weight"] == (256, 1, 60)
    assert libri["decoder"]["generator.alphas.4"] == (1, 32, 1)
    assert lj["diffusion"]["diffusion.net.blocks.0.attention.norm.weight"] == (1024,)
    norm = libri["diffusion"]["diffusion.net.blocks.0.attention.norm.fc.weight"]
    assert norm == (2048, 256)
    assert libri["diffusion"]["diffusion.net.to_features.0.weight"] == (1024, 256)
    assert "shared.4.conv1x1.weight_orig" not in lj["style_encoder"]


@pytest.mark.parametrize("config", [LJSPEECH, LIBRITTS], ids=lambda config: config.name)
def test_the_stored_key_tables_are_those_of_the_modules(config):
    folder = Path(key_tables.__file__).parent
    stored = json.loads((folder / f"styletts2_{config.name}.json").read_text(encoding="utf-8"))
    made = TABLES[config.name]
    assert {p: {k: tuple(s) for k, s in keys.items()} for p, keys in stored.items()} == made


def test_sigma_data_is_the_published_configuration_s_and_not_the_placeholder():
    assert LJSPEECH.recipe.sigma_data == 0.45731624995853165
    assert LIBRITTS.recipe.sigma_data == 0.19926648961191362
    assert KOKORO.diffusion is None


def test_nano_keeps_its_budget():
    found = counts("nano")
    assert found["bert"] + found["bert_encoder"] + found["text_encoder"] + found["predictor"] < 5e6
    assert counts("nano", "generator.")["decoder"] < 4e6
    assert found["decoder"] < 4.6e6
    assert found["style_encoder"] + found["predictor_encoder"] < 1.2e6
    assert NANO.norm == "frame"


@pytest.mark.parametrize("config", [LJ, LIBRI, KOK], ids=lambda config: config.name)
def test_a_checkpoint_with_all_its_habits_is_loaded(config):
    target = network(config)
    given = checkpoint(config)
    given["bert"]["module.embeddings.position_ids"] = torch.arange(512)[None]
    given |= {"mpd": {"module.x": torch.zeros(1)}, "text_aligner": {}}
    load_official(target, given)
    v = given["decoder"]["module.encode.conv1.weight_v"]
    g = given["decoder"]["module.encode.conv1.weight_g"]
    torch.testing.assert_close(
        target.decoder.encode.conv1.weight.detach(), g * v / v.flatten(1).norm(dim=1)[:, None, None]
    )
    torch.testing.assert_close(
        target.decoder.generator.m_source.l_linear.weight.detach(),
        given["decoder"]["module.generator.m_source.l_linear.weight"],
    )
    if config.style_encoder:
        part = given["style_encoder"]
        weight, u, v = (part[f"module.shared.6.weight_{x}"] for x in ("orig", "u", "v"))
        torch.testing.assert_close(
            target.style_encoder.shared[6].weight.detach(), weight / (u @ weight.flatten(1) @ v)
        )
    if config.diffusion:
        torch.testing.assert_close(
            target.diffusion.to_out["1"].weight.detach(),
            given["diffusion"]["module.diffusion.net.to_out.1.weight"],
        )


@pytest.mark.parametrize("config", [LJ, LIBRI, KOK], ids=lambda config: config.name)
def test_files_with_torchs_new_parametrizations_load_to_the_same_weights(config):
    usual, target = network(config), network(config, seed=1)
    load_official(usual, checkpoint(config))
    given = {part: parametrized(state) for part, state in checkpoint(config).items()}
    assert not any(key.endswith(("_g", "_orig")) for state in given.values() for key in state)
    load_official(target, given)
    loaded = target.state_dict()
    for key, wanted in usual.state_dict().items():
        assert torch.equal(loaded[key], wanted), key


def test_bare_keys_and_a_single_copy_of_the_denoiser_are_loaded_too():
    given = {
        part: {key.removeprefix("module."): value for key, value in state.items()}
        for part, state in checkpoint(LJ).items()
    }
    given["diffusion"] = {k: v for k, v in given["diffusion"].items() if not k.startswith("unet.")}
    del given["bert"]["pooler.weight"], given["bert"]["pooler.bias"]
    target, usual = network(LJ), network(LJ)
    load_official(target, given)
    load_official(usual, checkpoint(LJ))
    loaded = target.state_dict()
    for key, wanted in usual.state_dict().items():
        torch.testing.assert_close(loaded[key], wanted, rtol=0, atol=0, msg=key)


def test_nothing_changes_before_everything_fits():
    target = network(LJ)
    before = {key: value.clone() for key, value in target.state_dict().items()}
    given = checkpoint(LJ)
    del given["diffusion"]["module.diffusion.net.to_out.1.bias"]  # the last part that is loaded
    with pytest.raises(
        CheckpointError, match=r"diffusion.*missing diffusion\.net\.to_out\.1\.bias"
    ):
        load_official(target, given)
    assert all(torch.equal(before[key], value) for key, value in target.state_dict().items())


def test_the_wrong_model_s_checkpoint_is_told_by_its_parts_and_keys():
    with pytest.raises(
        CheckpointError, match="missing style_encoder, predictor_encoder, diffusion"
    ):
        load_official(network(LJ), checkpoint(KOK))
    with pytest.raises(CheckpointError, match="unexpected style_encoder"):
        load_official(network(KOK), checkpoint(LJ))
    with pytest.raises(CheckpointError, match="StyleTTS 2 ljspeech, decoder") as told:
        load_official(network(LJ), checkpoint(LIBRI))
    assert "generator.alphas.0" in told.value.unexpected
    assert any(key == "generator.noise_convs.0.weight" for key, _, _ in told.value.misshapen)


def test_a_misshapen_weight_is_told_by_the_name_it_has_in_the_file():
    given = checkpoint(LJ)
    given["text_encoder"]["module.cnn.1.0.weight_g"] = torch.zeros(9, 1, 1)
    with pytest.raises(CheckpointError, match=r"cnn\.1\.0\.weight_g \(expected 8x1x1, got 9x1x1\)"):
        load_official(network(LJ), given)
