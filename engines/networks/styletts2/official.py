"""The released checkpoints: which tensors they hold, and how they become our parameters.

A checkpoint is a dictionary of state dicts, one a part. What stands between it and the modules:

* parts trained in parallel bear ``module.`` before every key;
* weights are written with weight norm (text encoder, prosody's blocks, decoder) and with spectral
  norm (style encoders), of torch's old or new kind; both are folded, see
  ``engines.networks.loading.fold_norms``;
* the denoiser's tensors are there twice, under ``diffusion.net.`` and ``unet.``;
* PL-BERT has a pooler that nothing uses, and in older files a buffer of positions;
* aligner, pitch extractor and discriminators are training's and left aside.

Everything else must fit, key for key and shape for shape, before any weight is changed.
"""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

import torch
from torch import Tensor, nn

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.loading import (
    State,
    compare,
    fold_norms,
    load_strict,
    old_norm_names,
    strip,
)
from rt_avatar.engines.networks.styletts2.config import StyleTTS2Config
from rt_avatar.engines.networks.styletts2.model import StyleTTS2

KeyTable: TypeAlias = dict[str, dict[str, tuple[int, ...]]]  # part -> key -> shape

TRAINING_PARTS: Final = frozenset({"text_aligner", "pitch_extractor", "mpd", "msd", "wd"})
# Keys that may be there or not; nothing at inference reads them.
UNUSED_KEYS: Final = ("embeddings.position_ids", "pooler.*", "unet.*")

_SPECTRAL_PARTS: Final = frozenset({"style_encoder", "predictor_encoder"})
# Convolutions of the other parts that have no weight norm.
_PLAIN: Final = re.compile(r"^(F0_proj|N_proj|to_out\.1|generator\.noise_convs\.\d+)$")
_DENOISER: Final = "diffusion.net."


def key_table(config: StyleTTS2Config) -> KeyTable:
    """Return every tensor of the checkpoint's inference parts, by the names it has there.

    Made from our own modules without memory, so that it cannot drift from them.
    """
    with torch.device("meta"):
        network = StyleTTS2(config)
    return {part: _official_keys(part, module) for part, module in network.named_children()}


def _official_keys(part: str, module: nn.Module) -> dict[str, tuple[int, ...]]:
    normed = {
        name
        for name, layer in module.named_modules()
        if isinstance(layer, nn.Conv1d | nn.ConvTranspose1d | nn.Conv2d) and not _PLAIN.match(name)
    }
    keys: dict[str, tuple[int, ...]] = {}
    for key, tensor in module.state_dict().items():
        shape, (name, _, last) = tuple(tensor.shape), key.rpartition(".")
        if last != "weight" or name not in normed:
            keys[key] = shape
        elif part in _SPECTRAL_PARTS:
            keys[f"{key}_orig"] = shape
            keys[f"{key}_u"] = shape[:1]
            keys[f"{key}_v"] = (tensor[0].numel(),)
        else:
            keys[f"{key}_g"] = (shape[0],) + (1,) * (len(shape) - 1)
            keys[f"{key}_v"] = shape
    if part == "bert":
        hidden = module.encoder.embedding_hidden_mapping_in.out_features
        keys |= {"pooler.weight": (hidden, hidden), "pooler.bias": (hidden,)}
    if part == "diffusion":
        keys = {prefix + key: keys[key] for prefix in (_DENOISER, "unet.") for key in keys}
    return keys


def load_official(network: StyleTTS2, checkpoint: Mapping[str, Mapping[str, Tensor]]) -> None:
    """Copy a released checkpoint into ``network``.

    Args:
        network: Of the configuration that the checkpoint was made with.
        checkpoint: Part → state dict: what the file has under ``net``, or at its top (Kokoro).

    Raises:
        CheckpointError: A part is missing or unknown, or its tensors do not fit; by the names of
            the file. The network is unchanged.
    """
    table = key_table(network.config)
    what = f"StyleTTS 2 {network.config.name}"
    missing = [part for part in table if part not in checkpoint]
    unexpected = [part for part in checkpoint if part not in table and part not in TRAINING_PARTS]
    if missing or unexpected:
        raise CheckpointError(
            f"{what}: the checkpoint's parts do not fit",
            missing=missing,
            unexpected=unexpected,
            mend="LJSpeech, LibriTTS and Kokoro have different parts; is it the right one?",
        )
    folded: dict[str, State] = {}
    for part, keys in table.items():
        given = _used(old_norm_names(strip(checkpoint[part], "module.")))
        wanted = _used({key: torch.empty(keys[key], device="meta") for key in keys})
        compare(f"{what}, {part}", wanted, given)
        folded[part] = fold_norms({key.removeprefix(_DENOISER): given[key] for key in given})
    for part, state in folded.items():
        load_strict(getattr(network, part), state)


def _used(state: Mapping[str, Tensor]) -> State:
    return {
        key: tensor
        for key, tensor in state.items()
        if not any(fnmatchcase(key, pattern) for pattern in UNUSED_KEYS)
    }
