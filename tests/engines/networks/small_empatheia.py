"""The size ``empatheia`` with few numbers: every network of its official kind, and its weights.

Kinds, not sizes: HiFi-GAN in windows, wav2vec 2.0 for the lips, Vicuna's template and rows, LoRA,
few steps of the face and one of each kind of part of PIRenderer (exports grow with them).
"""

from dataclasses import replace

import numpy as np
import safetensors.torch
import torch

from rt_avatar.engines.checkpoints import ImportRecord, sha256
from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.encoders.config import SpeechConfig, VisionConfig
from rt_avatar.engines.networks.encoders.projection import Projection
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder
from rt_avatar.engines.networks.export_files import makeshift_tokens
from rt_avatar.engines.networks.fusion.config import (
    BlockConfig,
    DisentanglerConfig,
    SynchronizerConfig,
)
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.llm.lora import add_lora, lora_state
from rt_avatar.engines.networks.sizes import EMPATHEIA
from rt_avatar.engines.networks.trained import write_trained
from rt_avatar.engines.types import EMOTIONS
from tests.engines.networks.dreamtalk.networks import network as dreamtalk
from tests.engines.networks.llm.tiny import llama
from tests.engines.networks.pirender.networks import FEWER, SIZE, generator
from tests.engines.networks.styletts2.tiny import LIBRI, lean
from tests.engines.networks.styletts2.tiny import network as styletts2

WORDS = 4096  # rows of the published language model
_BLOCK = BlockConfig(width=16, heads=2, feedforward=24, encoders=2, decoders=2)
_EAR = SpeechConfig("small", 32, 2, 4, 64, convolutions=(16,) * 7, positions=8, position_groups=4)
SIZES_SMALL = replace(
    EMPATHEIA,
    speech=_EAR,
    lips=_EAR,
    vision=VisionConfig("small", 24, 2, 3, 48, 32, 8),
    llm=LlmConfig("small", 24, 2, 4, 4, 48, WORDS + 32, WORDS, 1024),
    synchronizer=SynchronizerConfig(24, speech=LIBRI.hidden, video=16, block=_BLOCK),
    disentangler=DisentanglerConfig(
        24, acoustic=LIBRI.style, prosodic=LIBRI.style, video=16, block=_BLOCK
    ),
    voice=lean(LIBRI),
    motion=replace(
        OFFICIAL, audio_size=32, model_size=16, heads=2, feedforward_size=24, tail_size=8
    ),
    face=FEWER,
    face_px=SIZE,
    steps=(901, 501, 1),
)


def ear(seed: int) -> SpeechEncoder:
    torch.manual_seed(seed)
    return SpeechEncoder(_EAR).eval()


def eye() -> VisionEncoder:
    torch.manual_seed(3)
    return VisionEncoder(SIZES_SMALL.vision).eval()


def face_motion() -> DreamTalk:
    return dreamtalk(SIZES_SMALL.motion)


def base_state() -> dict[str, torch.Tensor]:
    """The language model as it is published: without rows for the signal tokens."""
    state = llama(SIZES_SMALL.llm).model.state_dict()
    tables = ("model.embed_tokens.weight", "lm_head.weight")
    return {key: value[:WORDS] if key in tables else value for key, value in state.items()}


def adapter_state() -> dict[str, torch.Tensor]:
    """An adapter that was trained, the signal tokens' rows as well."""
    wrapped = add_lora(llama(SIZES_SMALL.llm))
    torch.manual_seed(7)
    return {key: torch.randn(value.shape) * 0.2 for key, value in lora_state(wrapped).items()}


def trained_parts() -> dict[str, torch.nn.Module]:
    torch.manual_seed(4)
    sizes = SIZES_SMALL
    parts = {
        "speech_projection": Projection(sizes.speech.width, sizes.llm.width),
        "vision_projection": Projection(sizes.vision.width, sizes.llm.width),
        "synchronizer": ContentSynchronizer(sizes.synchronizer),
        "disentangler": StyleDisentangler(sizes.disentangler),
    }
    with torch.no_grad():  # their own beginning is so even that nothing would be told apart
        for module in parts.values():
            for parameter in module.parameters():
                parameter.add_(0.2 * torch.randn_like(parameter))
    return parts


def imported_states() -> dict[str, dict[str, torch.Tensor]]:
    """What ``rt-avatar models import`` writes, by name."""
    return {
        "hubert-large": ear(1).state_dict(),
        "wav2vec2-large": ear(2).state_dict(),
        "clip-large": eye().state_dict(),
        "vicuna-7b": base_state(),
        "vicuna-7b-lora": adapter_state(),
        "styletts2-libritts": styletts2(SIZES_SMALL.voice).state_dict(),
        "dreamtalk": face_motion().state_dict(),
        "pirenderer": generator(FEWER).state_dict(),
    }


def write_models(folder) -> None:
    """Write imported weights with their records."""
    for name, state in imported_states().items():
        path = folder / f"{name}.safetensors"
        safetensors.torch.save_file({k: v.clone().contiguous() for k, v in state.items()}, path)
        ImportRecord(
            name=name,
            source="made for a test",
            licence="",
            date="2026-01-02T00:00:00+00:00",
            source_sha256={},
            sha256=sha256(path),
            tensors=len(state),
            parameters=sum(tensor.numel() for tensor in state.values()),
            tools={},
        ).write(path)


def write_rest(folder) -> dict[str, str]:
    """Write what is trained here, a tokenizer and a bank; return the options that name them."""
    write_trained(folder / "trained.safetensors", trained_parts())
    makeshift_tokens(SIZES_SMALL.llm).save(folder / "tokenizer.json")
    dice = np.random.default_rng(9)
    np.savez(
        folder / "bank.npz",
        voice=dice.normal(0, 0.5, (len(EMOTIONS), 2 * SIZES_SMALL.voice.style)),
        face=dice.normal(0, 0.5, (len(EMOTIONS), SIZES_SMALL.motion.model_size)),
    )
    return {
        "--trained": str(folder / "trained.safetensors"),
        "--tokenizer": str(folder / "tokenizer.json"),
        "--bank": str(folder / "bank.npz"),
    }
