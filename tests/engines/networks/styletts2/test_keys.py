"""Every tensor of the released checkpoints, spelled out: name by name and shape by shape.

Written from the published layout and not from our modules, so that a name which both of our sides
have wrong does not pass.
"""

import pytest

from rt_avatar.engines.networks.styletts2.config import KOKORO, LIBRITTS, LJSPEECH
from rt_avatar.engines.networks.styletts2.official import key_table

pytestmark = pytest.mark.networks

STYLE = 128


def under(prefix, keys):
    return {f"{prefix}.{key}": shape for key, shape in keys.items()}


def linear(outputs, inputs, bias=True):
    return {"weight": (outputs, inputs)} | ({"bias": (outputs,)} if bias else {})


def normed(*shape, bias=None):
    """A convolution with weight norm; the bias of a transposed one is not the first side."""
    keys = {"weight_g": (shape[0],) + (1,) * (len(shape) - 1), "weight_v": shape}
    return keys | ({} if bias == 0 else {"bias": (bias or shape[0],)})


def spectral(*shape, bias=True):
    fan = shape[1] * shape[2] * shape[3]
    keys = {"weight_orig": shape, "weight_u": (shape[0],), "weight_v": (fan,)}
    return keys | ({"bias": (shape[0],)} if bias else {})


def lstm(inputs, outputs=512):
    half = outputs // 2
    return {
        f"{name}_l0{way}": shape
        for way in ("", "_reverse")
        for name, shape in (
            ("weight_ih", (4 * half, inputs)),
            ("weight_hh", (4 * half, half)),
            ("bias_ih", (4 * half,)),
            ("bias_hh", (4 * half,)),
        )
    }


def adain_block(inputs, outputs, upsample=False):
    keys = {
        **under("conv1", normed(outputs, inputs, 3)),
        **under("conv2", normed(outputs, outputs, 3)),
        **under("norm1.fc", linear(2 * inputs, STYLE)),
        **under("norm2.fc", linear(2 * outputs, STYLE)),
    }
    if inputs != outputs:
        keys |= under("conv1x1", normed(outputs, inputs, 1, bias=0))
    return keys | (under("pool", normed(inputs, 1, 3)) if upsample else {})


def snake_block(channels, kernel):
    keys = {}
    for j in range(3):
        for half in (1, 2):
            keys |= under(f"convs{half}.{j}", normed(channels, channels, kernel))
            keys |= under(f"adain{half}.{j}.fc", linear(2 * channels, STYLE))
            keys[f"alpha{half}.{j}"] = (1, channels, 1)
    return keys


def bert():
    layer = "encoder.albert_layer_groups.0.albert_layers.0"
    norm = {"weight": (768,), "bias": (768,)}
    keys = {
        "embeddings.word_embeddings.weight": (178, 128),
        "embeddings.position_embeddings.weight": (512, 128),
        "embeddings.token_type_embeddings.weight": (2, 128),
        **under("embeddings.LayerNorm", {"weight": (128,), "bias": (128,)}),
        **under("encoder.embedding_hidden_mapping_in", linear(768, 128)),
        **under(f"{layer}.full_layer_layer_norm", norm),
        **under(f"{layer}.attention.LayerNorm", norm),
        **under(f"{layer}.ffn", linear(2048, 768)),
        **under(f"{layer}.ffn_output", linear(768, 2048)),
        **under("pooler", linear(768, 768)),
    }
    for part in ("query", "key", "value", "dense"):
        keys |= under(f"{layer}.attention.{part}", linear(768, 768))
    return keys


def text_encoder():
    keys = {"embedding.weight": (178, 512), **under("lstm", lstm(512))}
    for i in range(3):
        keys |= under(f"cnn.{i}.0", normed(512, 512, 5))
        keys |= under(f"cnn.{i}.1", {"gamma": (512,), "beta": (512,)})
    return keys


def predictor():
    keys = {
        **under("lstm", lstm(640)),
        **under("shared", lstm(640)),
        **under("duration_proj.linear_layer", linear(50, 512)),
    }
    for i in range(3):
        keys |= under(f"text_encoder.lstms.{2 * i}", lstm(640))
        keys |= under(f"text_encoder.lstms.{2 * i + 1}.fc", linear(1024, STYLE))
    for curve in ("F0", "N"):
        keys |= under(f"{curve}.0", adain_block(512, 512))
        keys |= under(f"{curve}.1", adain_block(512, 256, upsample=True))
        keys |= under(f"{curve}.2", adain_block(256, 256))
        keys |= under(f"{curve}_proj", {"weight": (1, 256, 1), "bias": (1,)})
    return keys


def style_encoder():
    keys = {
        **under("shared.0", spectral(64, 1, 3, 3)),
        **under("shared.6", spectral(512, 512, 5, 5)),
        **under("unshared", linear(STYLE, 512)),
    }
    for i, (inputs, outputs) in enumerate([(64, 128), (128, 256), (256, 512), (512, 512)], 1):
        keys |= under(f"shared.{i}.conv1", spectral(inputs, inputs, 3, 3))
        keys |= under(f"shared.{i}.conv2", spectral(outputs, inputs, 3, 3))
        keys |= under(f"shared.{i}.downsample_res.conv", spectral(inputs, 1, 3, 3))
        if inputs != outputs:
            keys |= under(f"shared.{i}.conv1x1", spectral(outputs, inputs, 1, 1, bias=False))
    return keys


def diffusion(has_reference):
    keys = {
        "to_time.0.0.weights": (128,),
        "fixed_embedding.embedding.weight": (512, 768),
        **under("to_time.0.1", linear(1024, 257)),
        **under("to_mapping.0", linear(1024, 1024)),
        **under("to_mapping.2", linear(1024, 1024)),
        **under("to_out.1", {"weight": (256, 1024, 1), "bias": (256,)}),
    }
    if has_reference:
        keys |= under("to_features.0", linear(1024, 256))
    for i in range(3):
        part = f"blocks.{i}.attention"
        for norm in ("norm", "norm_context"):
            if has_reference:
                keys |= under(f"{part}.{norm}.fc", linear(2048, 256))
            else:
                keys |= under(f"{part}.{norm}", {"weight": (1024,), "bias": (1024,)})
        keys |= under(f"{part}.to_q", linear(512, 1024, bias=False))
        keys |= under(f"{part}.to_kv", linear(1024, 1024, bias=False))
        keys |= under(f"{part}.attention.to_out", linear(1024, 512))
        keys |= under(f"blocks.{i}.feed_forward.0", linear(2048, 1024))
        keys |= under(f"blocks.{i}.feed_forward.2", linear(1024, 2048))
    return under("diffusion.net", keys) | under("unet", keys)


def decoder(generator):
    keys = {
        **under("encode", adain_block(514, 1024)),
        **under("F0_conv", normed(1, 1, 3)),
        **under("N_conv", normed(1, 1, 3)),
        **under("asr_res.0", normed(64, 512, 1)),
        **under("decode.3", adain_block(1090, 512, upsample=True)),
        **under("generator", generator),
    }
    for i in range(3):
        keys |= under(f"decode.{i}", adain_block(1090, 1024))
    return keys


def generator(stages, source, outputs):
    """``stages``: channels, kernel of the upsampling, of the source's way in, of its block."""
    keys, inputs = under("m_source.l_linear", linear(1, 9)), 512
    for i, (channels, kernel, way_in, block) in enumerate(stages):
        keys |= under(f"ups.{i}", normed(inputs, channels, kernel, bias=channels))
        keys |= {
            f"noise_convs.{i}.weight": (channels, source, way_in),
            f"noise_convs.{i}.bias": (channels,),
        }
        keys |= under(f"noise_res.{i}", snake_block(channels, block))
        for j, width in enumerate((3, 7, 11)):
            keys |= under(f"resblocks.{3 * i + j}", snake_block(channels, width))
        inputs = channels
    return keys | under("conv_post", normed(outputs, inputs, 7))


def istftnet():
    return generator([(256, 20, 12, 7), (128, 12, 1, 11)], source=22, outputs=22)


def hifigan():
    stages = [(256, 20, 60, 7), (128, 10, 12, 7), (64, 6, 4, 7), (32, 4, 1, 11)]
    alphas = {f"alphas.{i}": (1, 512 >> i, 1) for i in range(5)}
    return generator(stages, source=1, outputs=1) | alphas


SPOKEN = {
    "bert": bert(),
    "bert_encoder": linear(512, 768),
    "predictor": predictor(),
    "text_encoder": text_encoder(),
}
ENCODERS = {name: style_encoder() for name in ("style_encoder", "predictor_encoder")}
PUBLISHED = {
    "ljspeech": SPOKEN | ENCODERS | {"decoder": decoder(istftnet()), "diffusion": diffusion(False)},
    "libritts": SPOKEN | ENCODERS | {"decoder": decoder(hifigan()), "diffusion": diffusion(True)},
    "kokoro": SPOKEN | {"decoder": decoder(istftnet())},
}


@pytest.mark.parametrize("config", [LJSPEECH, LIBRITTS, KOKORO], ids=lambda config: config.name)
def test_the_network_wants_every_published_tensor_and_no_other(config):
    ours, published = key_table(config), PUBLISHED[config.name]
    assert set(ours) == set(published)
    for part, keys in published.items():
        assert ours[part] == keys, part
