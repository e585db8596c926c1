"""Sizes of the encoders: the official ones and ``NANO``, from the same classes.

The papers say "HuBERT" and "CLIP ViT-L/14@336px" and leave the rest open. Our choices, each an
option here: HuBERT's large model without fine-tuning, its last layer; CLIP's pooled vector, one a
picture; one linear map a modality to the language model's width, after averaging over time into
``Projection.bins`` equal parts (1 for utterances of the history, 24 for the one to be answered).
"""

from dataclasses import dataclass
from typing import Final

from transformers import CLIPVisionConfig, HubertConfig

HISTORY_BINS: Final = 1
QUERY_BINS: Final = 24


@dataclass(frozen=True, slots=True)
class SpeechConfig:
    """A HuBERT.

    Attributes:
        name: Of the published checkpoint, or ``nano``.
        width: Of its features.
        convolutions: Channels of the seven layers that go from samples to 50 features a second.
        norm: ``layer`` norms every convolution a frame at a time; ``group`` (the base model) takes
            the first one's statistics over the whole utterance, so padding would change them.
        positions: Width of the convolution that tells positions.
    """

    name: str
    width: int
    layers: int
    heads: int
    intermediate: int
    convolutions: tuple[int, ...] = (512,) * 7
    norm: str = "layer"
    positions: int = 128
    position_groups: int = 16

    def huggingface(self) -> HubertConfig:
        """Return the configuration as transformers has it; nothing random, plain attention."""
        large = self.norm == "layer"
        return HubertConfig(
            hidden_size=self.width,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            intermediate_size=self.intermediate,
            conv_dim=self.convolutions,
            conv_bias=large,
            feat_extract_norm=self.norm,
            do_stable_layer_norm=large,
            num_conv_pos_embeddings=self.positions,
            num_conv_pos_embedding_groups=self.position_groups,
            apply_spec_augment=False,
            mask_time_prob=0.0,
            layerdrop=0.0,
            attn_implementation="eager",
        )


@dataclass(frozen=True, slots=True)
class VisionConfig:
    """A CLIP vision tower; ``size`` and ``patch`` are pixels."""

    name: str
    width: int
    layers: int
    heads: int
    intermediate: int
    size: int
    patch: int

    def huggingface(self) -> CLIPVisionConfig:
        """Return the configuration as transformers has it."""
        return CLIPVisionConfig(
            hidden_size=self.width,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            intermediate_size=self.intermediate,
            image_size=self.size,
            patch_size=self.patch,
            projection_dim=768,
            hidden_act="quick_gelu",
            attn_implementation="eager",
        )


HUBERT_LARGE: Final = SpeechConfig("hubert-large-ll60k", 1024, 24, 16, 4096)
# The same layers, otherwise trained: DreamTalk's lips were taught on its features.
WAV2VEC_LARGE: Final = SpeechConfig("wav2vec2-large-xlsr-53-english", 1024, 24, 16, 4096)
HUBERT_BASE: Final = SpeechConfig("hubert-base-ls960", 768, 12, 12, 3072, norm="group")
# The first convolutions work at 3,200, 1,600 and 800 positions a second, the last at 50: narrow
# ones there save most of the time.
HUBERT_NANO: Final = SpeechConfig(
    "nano", 256, 4, 4, 1024, convolutions=(16, 32, 64) + (128,) * 4, positions=32
)
CLIP_LARGE: Final = VisionConfig("clip-vit-large-patch14-336", 1024, 24, 16, 4096, 336, 14)
CLIP_NANO: Final = VisionConfig("nano", 192, 4, 3, 768, 128, 16)
SPEECH: Final = {
    config.name: config for config in (HUBERT_LARGE, WAV2VEC_LARGE, HUBERT_BASE, HUBERT_NANO)
}
