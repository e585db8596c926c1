"""Loads the published encoders, key for key: transformers' names for HuBERT, wav2vec 2.0 and CLIP.

What a file carries beyond the encoder is named here and dropped: HuBERT's mask for training and a
fine-tuned model's letters; CLIP's text tower and the projections to its shared space. wav2vec 2.0
has HuBERT's layers under HuBERT's names.
"""

from collections.abc import Mapping
from typing import Final

from torch import Tensor

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder
from rt_avatar.engines.networks.loading import fold_norms, load_strict, strip

_WAV2VEC: Final = "wav2vec2."
_HUBERT_EXTRAS: Final = ("masked_spec_embed", "lm_head.*")
_CLIP_EXTRAS: Final = (
    "text_model.*",
    "text_projection.weight",
    "visual_projection.weight",
    "logit_scale",
    "*embeddings.position_ids",
)


def load_hubert(encoder: SpeechEncoder, state: Mapping[str, Tensor]) -> None:
    """Load ``hubert-large-ll60k`` or ``hubert-base-ls960``, or a fine-tuned one with ``hubert.``.

    Raises:
        CheckpointError: The state does not fit; the encoder is unchanged.
    """
    kept = {key.removeprefix("hubert."): value for key, value in state.items()}
    load_strict(encoder.hubert, fold_norms(kept), allow=_HUBERT_EXTRAS)


def load_wav2vec2(encoder: SpeechEncoder, state: Mapping[str, Tensor]) -> None:
    """Load ``wav2vec2-large-xlsr-53-english``, whose letters are dropped.

    Raises:
        CheckpointError: The state does not fit, or is HuBERT's; the encoder is unchanged.
    """
    foreign = [key for key in state if not key.startswith((_WAV2VEC, "lm_head."))]
    if foreign:
        raise CheckpointError(
            "wav2vec 2.0",
            unexpected=foreign,
            mend="HuBERT has the same layers without that prefix; is it the right file?",
        )
    load_hubert(encoder, {key.removeprefix(_WAV2VEC): value for key, value in state.items()})


def load_clip(encoder: VisionEncoder, state: Mapping[str, Tensor]) -> None:
    """Load the vision tower of CLIP's file, whether the whole or the tower alone is in it.

    Raises:
        CheckpointError: The state does not fit; the encoder is unchanged.
    """
    load_strict(
        encoder.clip,
        strip(state, "clip."),
        allow=_CLIP_EXTRAS,
        rename=lambda key: key.removeprefix("vision_model."),
    )
