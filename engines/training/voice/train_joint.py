"""Stage ``joint``: tokens → sound with an adversary, both networks together.

The generator learns the mels that the decoder really makes, which are smoother than recordings';
durations, pitch and voicing are the recordings', so that ours and theirs can be compared.
"""

from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.discriminator import SpectrumDiscriminator
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.styletts2.spectrum import HOP
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.voice.dataset import Dataset
from rt_avatar.engines.training.voice.export import load_exported
from rt_avatar.engines.training.voice.loop import Plan, run, stage_weights
from rt_avatar.engines.training.voice.losses import (
    RESOLUTIONS,
    magnitudes,
    recorded_bins,
    spectral_distance,
)
from rt_avatar.engines.training.voice.sentences import Sentence
from rt_avatar.engines.training.voice.source import source_spectra
from rt_avatar.engines.training.voice.train_text import (
    TokenBatch,
    drawer,
    make_batch,
    make_sentences,
    text_losses,
    total,
)

_BATCH: Final = 8
_CROP_FRAMES: Final = 64
_HELD_OUT: Final = 32
_MEAN_DECAY: Final = 0.998
_MEL_GUIDE: Final = 0.3  # of the text stage's losses
_ADVERSARY_WEIGHT: Final = 0.3
_FEATURES_WEIGHT: Final = 2.0
_ADVERSARY_FROM: Final = 200  # steps; before, both parts learn each other's mels


def train_joint(dataset: Dataset, config: NanoTtsConfig, plan: Plan) -> None:
    """Train from the stages ``generator`` and ``text`` until ``plan.steps``.

    Raises:
        FileNotFoundError: One of those stages was not run.
    """
    torch.manual_seed(plan.seed)
    voice = Voice(config)
    if not plan.checkpoint.exists() and plan.begin is not None:
        load_exported(voice, plan.begin)
    elif not plan.checkpoint.exists():
        voice.acoustic.load_state_dict(stage_weights(plan.work, "text"))
        voice.generator.load_state_dict(stage_weights(plan.work, "generator"))
    critics = nn.ModuleList(SpectrumDiscriminator() for _ in RESOLUTIONS)
    optimizer = torch.optim.AdamW(voice.parameters(), lr=plan.rate, betas=(0.8, 0.99))
    learner = Learner(voice, optimizer, _MEAN_DECAY, 5.0)
    critic_optimizer = torch.optim.AdamW(critics.parameters(), lr=plan.rate, betas=(0.8, 0.99))
    sentences = make_sentences(dataset, dataset.training)
    held_out = make_sentences(dataset, dataset.held_out)
    draw = drawer(sentences, _BATCH)
    fft = config.generator.fft

    def train_step(step: int, rate: float) -> dict[str, float]:
        for group in critic_optimizer.param_groups:
            group["lr"] = rate
        dice = np.random.default_rng((plan.seed, step))
        chosen = draw(dice)
        batch = make_batch(chosen, dice, _CROP_FRAMES)
        pitch, real, full_band = cut_sounds(chosen, batch)
        text, mel = text_losses(voice.acoustic, batch, step)
        generated = voice.generator(
            mel, torch.from_numpy(pitch), batch.speaker, source_spectra(pitch, fft, dice)
        )
        spectra, mel_distance = spectral_distance(generated, real, full_band, batch.mel)
        loss = spectra + mel_distance + _MEL_GUIDE * total(text)
        figures = {"spectra": spectra.item(), "mel": mel_distance.item()}
        figures |= {name: text[name].item() for name in ("pitch", "duration", "voicing_errors")}
        if step >= _ADVERSARY_FROM:
            critic = critics[step % len(RESOLUTIONS)]
            resolution = RESOLUTIONS[step % len(RESOLUTIONS)]
            mask = recorded_bins(resolution[0], full_band)
            theirs = magnitudes(real, *resolution) ** mask
            ours = magnitudes(generated, *resolution) ** mask
            critic_loss = _teach(critic, critic_optimizer, theirs, ours.detach())
            critic.requires_grad_(False)
            scores, features = critic(ours)
            with torch.no_grad():
                _, expected = critic(theirs)
            matching = sum(
                ((one - two).abs().mean() / two.abs().mean().clamp(min=1e-3))
                for one, two in zip(features, expected, strict=True)
            ) / len(features)
            adversary = torch.relu(1.0 - scores).mean()
            loss = loss + _ADVERSARY_WEIGHT * adversary + _FEATURES_WEIGHT * matching
            figures |= {"critic": critic_loss, "adversary": adversary.item()}
        learner.step(loss, rate)
        critics.requires_grad_(True)
        return {"critic": 0.0, "adversary": 0.0} | figures

    def evaluate() -> dict[str, float]:
        some = held_out[:: max(1, len(held_out) // _HELD_OUT)]
        dice = np.random.default_rng(0)
        batch = make_batch(some, dice, _CROP_FRAMES)
        pitch, real, full_band = cut_sounds(some, batch)
        steady = learner.mean.module
        with torch.inference_mode():
            text, mel = text_losses(steady.acoustic, batch, 0)
            source = source_spectra(pitch, fft, dice)
            generated = steady.generator(mel, torch.from_numpy(pitch), batch.speaker, source)
            spectra, distance = spectral_distance(generated, real, full_band, batch.mel)
        figures = {"spectra": spectra.item(), "mel": distance.item()}
        return figures | {name: value.item() for name, value in text.items() if name != "mel"}

    rival = {"critics": critics, "critic_optimizer": critic_optimizer}
    run(plan, learner.parts | rival, train_step, evaluate)


def _teach(
    critic: nn.Module, optimizer: torch.optim.Optimizer, theirs: Tensor, ours: Tensor
) -> float:
    """Let the adversary tell recordings from ours (hinge loss); return its loss."""
    real, _ = critic(theirs)
    generated, _ = critic(ours)
    loss = torch.relu(1.0 - real).mean() + torch.relu(1.0 + generated).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.item())


def cut_sounds(sentences: list[Sentence], batch: TokenBatch) -> tuple[np.ndarray, Tensor, Tensor]:
    """Return F0 (B, F), sound (B, 300 F) and full_band (B,) of a batch's crops."""
    frames = batch.token.shape[1]
    pitch = np.zeros((len(sentences), frames), np.float32)
    sound = np.zeros((len(sentences), frames * HOP), np.float32)
    for row, (one, first) in enumerate(zip(sentences, batch.first, strict=True)):
        count = min(frames, len(one.token) - first)
        pitch[row, :count] = one.utterance.pitch[first : first + count]
        cut = one.utterance.features.pcm[first * HOP : (first + count) * HOP]
        sound[row, : count * HOP] = cut.astype(np.float32) / 32_767
    full_band = torch.tensor([float(one.utterance.is_full_band) for one in sentences])
    return pitch, torch.from_numpy(sound), full_band
