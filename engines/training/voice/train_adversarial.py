"""Stage ``adversarial``: decoder and generator against critics that know the readers.

What the stage ``joint`` began with small critics for an hour of one core, for a GPU: critics of
spectra and of periods, who are told the reader, hear recordings, the same sentences by the
recordings' own durations and pitch, and other sentences as they are said in use, whose prosody is
drawn. Of the second kind distances to the recording are learnt, too, so that words stay words.
Tokens, prosody and the tables of speakers stay as they are. A CPU can do it, slowly.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor

from rt_avatar.engines.nano_tts.clause import Layout
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.discriminator import Critics
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.styletts2.spectrum import HOP, MELS
from rt_avatar.engines.training.course import device
from rt_avatar.engines.training.voice.dataset import Dataset, Utterance
from rt_avatar.engines.training.voice.export import export_voice
from rt_avatar.engines.training.voice.loop import Plan, run
from rt_avatar.engines.training.voice.losses import (
    RESOLUTIONS,
    harmonics_to_noise,
    magnitudes,
    mel_deviations,
    recorded_bins,
    spectral_distance,
)
from rt_avatar.engines.training.voice.source import spectra_of
from rt_avatar.engines.training.voice.store import Crops, Line, Store
from rt_avatar.engines.training.voice.train_spoken import Speech, reader_chances
from rt_avatar.engines.training.voice.train_text import make_sentences
from rt_avatar.engines.training.voice.train_variance import sound_learner
from rt_avatar.engines.types import SPEECH_RATE_HZ

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AdversarialOptions:
    """Sizes and weights of the stage.

    Attributes:
        given: Crops a step by the recordings' prosody.
        spoken: Crops a step as in use.
        frames: Of a crop: 1.2 s, longer than the widest critic sees.
        alone: Steps in which the critics learn alone.
        spectra: Of the distances to the recording.
        guide: Of the decoder's mel and voicing.
        variance: Of the deviations of cepstra.
        noise: Of a decibel of harmonics to noise.
        adversary: Of the critics' scores.
        features: Of the critics' layers.
        mean_decay: A step, of the mean of the weights.
    """

    given: int = 32
    spoken: int = 32
    frames: int = 96
    alone: int = 200
    spectra: float = 1.0
    guide: float = 0.6
    variance: float = 1.0
    noise: float = 0.03
    adversary: float = 1.0
    features: float = 2.0
    mean_decay: float = 0.999


_HELD_OUT: Final = 32
_VOICING_SHARE: Final = 0.1  # of the guide, of voicing
_NARROW_HZ: Final = (7_200, 7_600)  # where sound of 16 kHz fades for critics of periods


def train_adversarial(
    dataset: Dataset,
    config: NanoTtsConfig,
    plan: Plan,
    options: AdversarialOptions | None = None,
) -> None:
    """Train from the stage ``spoken`` until ``plan.steps``, on a GPU if there is one.

    Raises:
        FileNotFoundError: That stage was not run, or the weights that this one began with are gone.
    """
    options = options or AdversarialOptions()
    where = device()
    if where.type == "cuda":
        torch.set_float32_matmul_precision("high")
    learner = sound_learner(config, plan, "spoken", options.mean_decay, where)
    voice = learner.model
    before = plan.begin or plan.work / f"{plan.stage}-before"
    if plan.begin is None and not plan.checkpoint.exists():
        export_voice(voice, dataset.speakers, before)
    critics = Critics(config, len(RESOLUTIONS)).to(where)
    critic_optimizer = torch.optim.AdamW(critics.parameters(), lr=plan.rate, betas=(0.8, 0.99))
    acoustic, size = voice.acoustic, options.frames
    chances = reader_chances(dataset)
    given = Store(_given(dataset, dataset.training, size), acoustic, size, chances)
    spoken = Store(_spoken(dataset, NanoModel(before), size), acoustic, size, chances)
    watched = Store(_given(dataset, dataset.held_out, size), acoustic, size)

    def train_step(step: int, rate: float) -> dict[str, float]:
        for group in critic_optimizer.param_groups:
            group["lr"] = rate
        chance = torch.Generator(where).manual_seed((plan.seed << 32) + step)
        real = given.crops(options.given, chance)
        drawn = spoken.crops(options.spoken, chance)
        ours, found = _given_sound(voice, real, chance)
        other = _spoken_sound(voice, drawn, chance)
        sound = torch.cat([ours, other])
        reader = torch.cat([real.reader, drawn.reader])
        # Critics of sentences as in use hear no band that recordings of their readers lack.
        band = torch.cat([real.full_band, drawn.full_band])
        figures = _teach(critics, critic_optimizer, real, (sound.detach(), reader, band))
        loss = _distance(found, options)
        critics.requires_grad_(False)
        if step >= options.alone:
            scores = _heard(critics, sound, reader, band)
            with torch.no_grad():
                expected = _heard(critics, real.sound, real.reader, real.full_band)
            adversary = sum(-one.float().mean() for one, _ in scores) / len(scores)
            matching = _matching(scores, expected, options.given)
            loss = loss + options.adversary * adversary + options.features * matching
            figures |= {"adversary": adversary.detach(), "matching": matching.detach()}
            learner.step(loss, rate)
        critics.requires_grad_(True)
        figures |= {name: value.detach() for name, value in found.items()}
        none = torch.zeros((), device=where)
        return _numbers({"adversary": none, "matching": none} | figures)

    def evaluate() -> dict[str, float]:
        chance = torch.Generator(where).manual_seed(0)
        with torch.inference_mode():
            _, found = _given_sound(learner.mean.module, watched.some(_HELD_OUT), chance)
        return _numbers(found)

    rival = {"critics": critics, "critic_optimizer": critic_optimizer}
    run(plan, learner.parts | rival, train_step, evaluate)


# --- sentences ----------------------------------------------------------------------------------
def _given(dataset: Dataset, utterances: list[Utterance], size: int) -> list[Line]:
    """Return recordings of ``size`` frames and more with their own prosody."""
    return [
        Line(
            one.tokens,
            one.utterance.speaker,
            {
                "token": one.token,
                "numbers": one.numbers,
                "hz": one.utterance.pitch,
                "mel": one.utterance.mel,
            },
            one.utterance.features.pcm[: len(one.token) * HOP],
            one.utterance.is_full_band,
        )
        for one in make_sentences(dataset, utterances)
        if len(one.token) >= size
    ]


def _spoken(dataset: Dataset, model: NanoModel, size: int) -> list[Line]:
    """Return the same sentences as they are said in use."""
    speech = Speech(model, dataset)
    lines = []
    for utterance in speech.all():
        laid: Layout = speech.lay_out(utterance)
        if len(laid.hz) < size:
            continue
        frames = {
            "token": laid.token,
            "numbers": laid.numbers,
            "hz": laid.hz * laid.sounding,
        }
        lines.append(Line(laid.tokens, utterance.speaker, frames, full_band=utterance.is_full_band))
    _log.info("%d sentences laid out as in use", len(lines))
    return lines


# --- sound --------------------------------------------------------------------------------------
def _given_sound(
    model: Voice, crops: Crops, chance: torch.Generator
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return ours of recordings' prosody (B, 300 n), and how far it is from them, by name."""
    hz, wanted = crops.frames["hz"], crops.frames["mel"]
    mel, logit = _decoded(model, crops)
    sound = _sound(model, mel, hz, crops, chance)
    spectra, distance = spectral_distance(sound, crops.sound, crops.full_band, wanted)
    varied, expected = mel_deviations(sound, crops.sound)
    noise, clear = (harmonics_to_noise(one, hz) for one in (sound, crops.sound))
    voiced = (hz > 0).float()
    return sound, {
        "spectra": spectra, "mel": distance,
        "guide": (mel - wanted).abs().mean(),
        "voicing": F.binary_cross_entropy_with_logits(logit, voiced),
        "variance": (varied / expected).log().abs().mean(),
        "noise": (noise - clear).abs().mean(),
        "varies": (varied / expected).log().mean().exp(), "clearer": (noise - clear).mean(),
        "voicing_errors": ((logit > 0) != (hz > 0)).float().mean(),
    }  # fmt: skip


def _spoken_sound(model: Voice, crops: Crops, chance: torch.Generator) -> Tensor:
    mel, logit = _decoded(model, crops)
    return _sound(model, mel, crops.frames["hz"] * (logit > 0), crops, chance)


def _decoded(model: Voice, crops: Crops) -> tuple[Tensor, Tensor]:
    """Return mel (B, n, 80) and logit of voice (B, n)."""
    numbers = crops.frames["numbers"]
    style = model.acoustic.speakers(crops.reader)
    out = model.acoustic.decode(crops.encoded, numbers, style, torch.ones_like(numbers[..., 0]))
    return out[..., :MELS], out[..., MELS]


def _sound(model: Voice, mel: Tensor, hz: Tensor, crops: Crops, chance: torch.Generator) -> Tensor:
    batch, frames = hz.shape
    where, fft = hz.device, model.config.generator.fft
    first = torch.rand(batch, 1, generator=chance, device=where)
    noise = torch.randn(batch, frames * HOP, generator=chance, device=where)
    sound: Tensor = model.generator(mel, hz, crops.reader, spectra_of(hz, fft, first, noise))
    return sound


# --- critics ------------------------------------------------------------------------------------
def _heard(
    critics: Critics, sound: Tensor, reader: Tensor, full_band: Tensor
) -> list[tuple[Tensor, list[Tensor]]]:
    """Return what every critic says of sound (B, 300 n), of the band alone that was recorded."""
    spectra = [magnitudes(sound, *one) ** recorded_bins(one[0], full_band) for one in RESOLUTIONS]
    with torch.autocast(sound.device.type, torch.bfloat16, enabled=sound.is_cuda):
        return critics(spectra, _narrowed(sound, full_band), reader)


def _narrowed(sound: Tensor, full_band: Tensor) -> Tensor:
    """Return sound without what lies above 7.6 kHz, where readers were recorded at 16 kHz."""
    spectrum = torch.fft.rfft(sound)
    hz = torch.linspace(0.0, SPEECH_RATE_HZ / 2, spectrum.shape[1], device=sound.device)
    low, high = _NARROW_HZ
    kept = ((high - hz) / (high - low)).clamp(0.0, 1.0)
    return torch.fft.irfft(spectrum * torch.maximum(kept, full_band[:, None]), sound.shape[1])


def _teach(
    critics: Critics,
    optimizer: torch.optim.Optimizer,
    real: Crops,
    ours: tuple[Tensor, Tensor, Tensor],
) -> dict[str, Tensor]:
    """Let the critics tell recordings from ours (hinge loss); return their loss."""
    recorded = _heard(critics, real.sound, real.reader, real.full_band)
    generated = _heard(critics, *ours)
    loss = sum(
        torch.relu(1.0 - theirs.float()).mean() + torch.relu(1.0 + own.float()).mean()
        for (theirs, _), (own, _) in zip(recorded, generated, strict=True)
    ) / len(recorded)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {"critic": loss.detach()}


def _matching(
    ours: list[tuple[Tensor, list[Tensor]]], theirs: list[tuple[Tensor, list[Tensor]]], given: int
) -> Tensor:
    """Return how far features of the first rows, of given prosody, are from the recordings'."""
    distances = [
        (one[:given].float() - two.float()).abs().mean() / two.float().abs().mean().clamp(min=1e-3)
        for (_, own), (_, wanted) in zip(ours, theirs, strict=True)
        for one, two in zip(own, wanted, strict=True)
    ]
    return torch.stack(distances).mean()


def _distance(found: Mapping[str, Tensor], options: AdversarialOptions) -> Tensor:
    """Return what is to become small beside the critics' part."""
    loss = options.spectra * (found["spectra"] + found["mel"])
    loss = loss + options.guide * (found["guide"] + _VOICING_SHARE * found["voicing"])
    return loss + options.variance * found["variance"] + options.noise * found["noise"]


def _numbers(figures: Mapping[str, Tensor]) -> dict[str, float]:
    """Return figures from a device, at once."""
    values = torch.stack(list(figures.values())).tolist()
    return dict(zip(figures, values, strict=True))
