"""Names and shapes of the published encoders and language model, written out.

What we expect of a file is made from a library's classes, and a library may change its names; files
do not. Written from what is known of the published models, not read from their files.
"""

import pytest

from rt_avatar.engines.networks.encoders.config import (
    CLIP_LARGE,
    HUBERT_BASE,
    HUBERT_LARGE,
    WAV2VEC_LARGE,
)
from rt_avatar.engines.networks.llm.published import lora_keys, vicuna_keys
from tests.engines.networks.encoders.keys import clip_keys, hubert_keys, wav2vec2_keys

pytestmark = pytest.mark.networks
Table = dict[str, tuple[int, ...]]


def linear(name: str, outputs: int, inputs: int) -> Table:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def norm(name: str, width: int) -> Table:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def hubert(width: int, layers: int, inner: int, *, large: bool) -> Table:
    table: Table = {"masked_spec_embed": (width,)}
    for index, kernel in enumerate((10, 3, 3, 3, 3, 2, 2)):
        name = f"feature_extractor.conv_layers.{index}"
        table[f"{name}.conv.weight"] = (512, 512 if index else 1, kernel)
        if large:
            table[f"{name}.conv.bias"] = (512,)
        if large or index == 0:
            table |= norm(f"{name}.layer_norm", 512)
    table |= norm("feature_projection.layer_norm", 512)
    table |= linear("feature_projection.projection", width, 512)
    positions = "encoder.pos_conv_embed.conv"
    table |= {f"{positions}.bias": (width,), f"{positions}.weight_g": (1, 1, 128)}
    table[f"{positions}.weight_v"] = (width, width // 16, 128)
    table |= norm("encoder.layer_norm", width)
    for index in range(layers):
        name = f"encoder.layers.{index}"
        for part in ("k", "v", "q", "out"):
            table |= linear(f"{name}.attention.{part}_proj", width, width)
        table |= norm(f"{name}.layer_norm", width) | norm(f"{name}.final_layer_norm", width)
        table |= linear(f"{name}.feed_forward.intermediate_dense", inner, width)
        table |= linear(f"{name}.feed_forward.output_dense", width, inner)
    return table


def clip() -> Table:
    table: Table = {
        "vision_model.embeddings.class_embedding": (1024,),
        "vision_model.embeddings.patch_embedding.weight": (1024, 3, 14, 14),
        "vision_model.embeddings.position_embedding.weight": (577, 1024),
    }
    table |= norm("vision_model.pre_layrnorm", 1024) | norm("vision_model.post_layernorm", 1024)
    for index in range(24):
        name = f"vision_model.encoder.layers.{index}"
        for part in ("k", "v", "q", "out"):
            table |= linear(f"{name}.self_attn.{part}_proj", 1024, 1024)
        table |= norm(f"{name}.layer_norm1", 1024) | norm(f"{name}.layer_norm2", 1024)
        table |= linear(f"{name}.mlp.fc1", 4096, 1024) | linear(f"{name}.mlp.fc2", 1024, 4096)
    return table


def vicuna() -> Table:
    table: Table = {
        "model.embed_tokens.weight": (32_000, 4096),
        "model.norm.weight": (4096,),
        "lm_head.weight": (32_000, 4096),
    }
    for index in range(32):
        name = f"model.layers.{index}"
        for part in "qkvo":
            table[f"{name}.self_attn.{part}_proj.weight"] = (4096, 4096)
        table |= {f"{name}.mlp.{part}_proj.weight": (11_008, 4096) for part in ("gate", "up")}
        table[f"{name}.mlp.down_proj.weight"] = (4096, 11_008)
        for part in ("input", "post_attention"):
            table[f"{name}.{part}_layernorm.weight"] = (4096,)
    return table


def lora() -> Table:
    return {
        f"base_model.model.model.layers.{index}.self_attn.{part}_proj.lora_{half}.weight": shape
        for index in range(32)
        for part in "qkvo"
        for half, shape in (("A", (8, 4096)), ("B", (4096, 8)))
    }


def wav2vec2() -> Table:
    inner = {f"wav2vec2.{key}": shape for key, shape in hubert(1024, 24, 4096, large=True).items()}
    return inner | linear("lm_head", 33, 1024)


@pytest.mark.parametrize(
    ("expected", "published"),
    [
        (hubert_keys(HUBERT_LARGE), hubert(1024, 24, 4096, large=True)),
        (hubert_keys(HUBERT_BASE), hubert(768, 12, 3072, large=False)),
        (wav2vec2_keys(WAV2VEC_LARGE), wav2vec2()),
        (clip_keys(CLIP_LARGE), clip()),
        (vicuna_keys(), vicuna()),
        (lora_keys(), lora()),
    ],
    ids=["hubert-large", "hubert-base", "wav2vec2-large", "clip-large", "vicuna-7b", "lora"],
)
def test_what_is_expected_of_a_file_is_what_was_published(expected, published):
    assert {key: tuple(shape) for key, shape in expected.items()} == published
