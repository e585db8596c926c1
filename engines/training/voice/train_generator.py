"""Stage ``generator``: recordings' mels and pitch → their sound, by spectral distances alone."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor

from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.generator import NanoGenerator
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.styletts2.spectrum import HOP
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.voice.dataset import Dataset, Utterance
from rt_avatar.engines.training.voice.export import load_exported
from rt_avatar.engines.training.voice.loop import Plan, run
from rt_avatar.engines.training.voice.losses import spectral_distance
from rt_avatar.engines.training.voice.source import source_spectra

_CROP_FRAMES: Final = 64
_BATCH: Final = 8
_HELD_OUT: Final = 32
_MEAN_DECAY: Final = 0.998


@dataclass(frozen=True, slots=True)
class Crops:
    """Mel (B, n, 80), F0 (B, n), speaker (B,), source, sound (B, 300 n), full_band (B,)."""

    mel: Tensor
    pitch: Tensor
    speaker: Tensor
    source: Tensor
    sound: Tensor
    full_band: Tensor


def cut_crops(utterances: list[Utterance], fft: int, dice: np.random.Generator) -> Crops:
    """Return a crop of every utterance at a random place; what is too short is zero behind."""
    frames = _CROP_FRAMES
    mel = np.full((len(utterances), frames, 80), -1.87, np.float32)
    pitch = np.zeros((len(utterances), frames), np.float32)
    sound = np.zeros((len(utterances), frames * HOP), np.float32)
    for index, one in enumerate(utterances):
        first = int(dice.integers(0, max(1, len(one.mel) - frames)))
        count = min(frames, len(one.mel) - first)
        mel[index, :count] = one.mel[first : first + count]
        pitch[index, :count] = one.pitch[first : first + count]
        cut = one.features.pcm[first * HOP : (first + count) * HOP]
        sound[index, : count * HOP] = cut.astype(np.float32) / 32_767
    return Crops(
        torch.from_numpy(mel),
        torch.from_numpy(pitch),
        torch.tensor([one.speaker for one in utterances]),
        source_spectra(pitch, fft, dice),
        torch.from_numpy(sound),
        torch.tensor([float(one.is_full_band) for one in utterances]),
    )


def train_generator(dataset: Dataset, config: NanoTtsConfig, plan: Plan) -> None:
    """Train until ``plan.steps``; the checkpoint's ``mean`` holds the weights' running mean."""
    torch.manual_seed(plan.seed)
    model = NanoGenerator(config)
    if plan.begin is not None and not plan.checkpoint.exists():
        voice = Voice(config)
        load_exported(voice, plan.begin)
        model = voice.generator
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.rate, betas=(0.8, 0.99))
    learner = Learner(model, optimizer, _MEAN_DECAY, 5.0)
    fft = config.generator.fft
    # Long recordings are drawn as often as they have seconds, so that all sound is heard alike.
    lengths = np.array([len(one.mel) for one in dataset.training], np.float64)
    chances = lengths / lengths.sum()

    def train_step(step: int, rate: float) -> dict[str, float]:
        dice = np.random.default_rng((plan.seed, step))
        chosen = dice.choice(len(dataset.training), _BATCH, p=chances)
        crops = cut_crops([dataset.training[index] for index in chosen], fft, dice)
        generated = model(crops.mel, crops.pitch, crops.speaker, crops.source)
        spectra, mel = spectral_distance(generated, crops.sound, crops.full_band, crops.mel)
        learner.step(spectra + mel, rate)
        return {"spectra": spectra.item(), "mel": mel.item()}

    def evaluate() -> dict[str, float]:
        dice = np.random.default_rng(0)
        some = dataset.held_out[:: max(1, len(dataset.held_out) // _HELD_OUT)]
        with torch.inference_mode():
            crops = cut_crops(some, fft, dice)
            generated = learner.mean.module(crops.mel, crops.pitch, crops.speaker, crops.source)
            spectra, mel = spectral_distance(generated, crops.sound, crops.full_band, crops.mel)
        return {"spectra": spectra.item(), "mel": mel.item()}

    run(plan, learner.parts, train_step, evaluate)
