"""Stage ``variance``: tokens → sound that moves as recordings do, and is as rough.

What is learnt by distances alone is the mean of all that a sound could be: its spectrum varies too
little from sound to sound, its harmonics stand too clear of noise. Here the decoder and the
generator learn, crop by crop, the recording's deviations of the mel-cepstra over time (T. Toda,
K. Tokuda, "A speech parameter generation algorithm considering global variance", IEICE E90-D,
2007) and its harmonics to noise. Tokens, prosody and the tables of speakers stay as they are.
"""

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.voice.dataset import Dataset
from rt_avatar.engines.training.voice.export import load_exported
from rt_avatar.engines.training.voice.loop import Plan, run, stage_weights
from rt_avatar.engines.training.voice.losses import (
    harmonics_to_noise,
    mel_deviations,
    spectral_distance,
)
from rt_avatar.engines.training.voice.sentences import Sentence
from rt_avatar.engines.training.voice.source import source_spectra
from rt_avatar.engines.training.voice.train_joint import cut_sounds
from rt_avatar.engines.training.voice.train_text import (
    drawer,
    frame_losses,
    make_batch,
    make_sentences,
)

_BATCH: Final = 6
_CROP_FRAMES: Final = 96
_HELD_OUT: Final = 32
_MEAN_DECAY: Final = 0.99
_MEL_GUIDE: Final = 1.2
_VOICING_GUIDE: Final = 0.1
_VARIANCE_WEIGHT: Final = 3.0
_NOISE_WEIGHT: Final = 0.1  # a decibel
_LEARN: Final = ("acoustic.decoder", "generator.vocos")


def train_variance(dataset: Dataset, config: NanoTtsConfig, plan: Plan) -> None:
    """Train from the stage ``joint`` until ``plan.steps``.

    Raises:
        FileNotFoundError: That stage was not run.
    """
    learner = sound_learner(config, plan, "joint")
    voice = learner.model
    draw = drawer(make_sentences(dataset, dataset.training), _BATCH)

    def train_step(step: int, rate: float) -> dict[str, float]:
        dice = np.random.default_rng((plan.seed, step))
        found = given_losses(voice, draw(dice), dice)
        learner.step(given_total(found), rate)
        return {name: value.item() for name, value in found.items()}

    run(plan, learner.parts, train_step, held_out_losses(learner, dataset))


def sound_learner(
    config: NanoTtsConfig,
    plan: Plan,
    before: str,
    mean_decay: float = _MEAN_DECAY,
    where: torch.device | str = "cpu",
) -> Learner:
    """Return a voice of which the sound alone learns, from the stage before or as ``plan`` says.

    Raises:
        FileNotFoundError: That stage was not run.
    """
    torch.manual_seed(plan.seed)
    voice = Voice(config)
    if not plan.checkpoint.exists() and plan.begin is not None:
        load_exported(voice, plan.begin)
    elif not plan.checkpoint.exists():
        voice.load_state_dict(stage_weights(plan.work, before))
    voice.to(where)
    for name, parameter in voice.named_parameters():
        parameter.requires_grad_(name.startswith(_LEARN))
    learnt = [one for one in voice.parameters() if one.requires_grad]
    return Learner(voice, adam(learnt, plan.rate, where), mean_decay, 5.0)


def adam(
    learnt: Iterable[nn.Parameter], rate: float, where: torch.device | str
) -> torch.optim.Optimizer:
    """Return the optimizer of sound, of which a GPU can record steps."""
    if torch.device(where).type == "cpu":
        return torch.optim.AdamW(learnt, lr=rate, betas=(0.8, 0.99))
    held = torch.tensor(rate, device=where)
    return torch.optim.AdamW(learnt, lr=held, betas=(0.8, 0.99), capturable=True)


def given_losses(
    model: Voice, chosen: list[Sentence], dice: np.random.Generator
) -> dict[str, Tensor]:
    """Return the losses by name where sentences have the recordings' own durations and pitch."""
    batch = make_batch(chosen, dice, _CROP_FRAMES)
    pitch, real, full_band = cut_sounds(chosen, batch)
    with torch.no_grad():
        style = model.acoustic.speakers(batch.speaker)
        tokens = (batch.symbol, batch.place, batch.mark, batch.phrase)
        encoded = model.acoustic.encode(*tokens, style, batch.mask)
    text, mel = frame_losses(model.acoustic, batch, encoded, style)
    hz = torch.from_numpy(pitch)
    source = source_spectra(pitch, model.config.generator.fft, dice)
    generated = model.generator(mel, hz, batch.speaker, source)
    spectra, distance = spectral_distance(generated, real, full_band, batch.mel)
    varied, expected = mel_deviations(generated, real)
    noise, clear = (harmonics_to_noise(sound, hz) for sound in (generated, real))
    return {
        "spectra": spectra, "mel": distance, "guide": text["mel"], "voicing": text["voicing"],
        "variance": (varied / expected).log().abs().mean(),
        "noise": (noise - clear).abs().mean(),
        "varies": (varied / expected).log().mean().exp(), "clearer": (noise - clear).mean(),
    }  # fmt: skip


def held_out_losses(learner: Learner, dataset: Dataset) -> Callable[[], dict[str, float]]:
    """Return what measures ``given_losses`` of the mean weights on sentences that are held out."""
    held_out = make_sentences(dataset, dataset.held_out)
    some = held_out[:: max(1, len(held_out) // _HELD_OUT)]

    def evaluate() -> dict[str, float]:
        with torch.inference_mode():
            found = given_losses(learner.mean.module, some, np.random.default_rng(0))
        return {name: value.item() for name, value in found.items()}

    return evaluate


def given_total(found: dict[str, Tensor]) -> Tensor:
    """Return what is to become small of ``given_losses``."""
    loss = found["spectra"] + found["mel"]
    loss = loss + _MEL_GUIDE * found["guide"] + _VOICING_GUIDE * found["voicing"]
    return loss + _VARIANCE_WEIGHT * found["variance"] + _NOISE_WEIGHT * found["noise"]
