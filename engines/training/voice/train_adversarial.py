"""Stage ``adversarial``: decoder and generator against critics, in words that stay understood.

For a GPU: sentences lie on the device, crops are cut there, and the step is recorded. Critics of
spectra, of mels and of periods, who are told the reader, hear recordings, the same sentences by the
recordings' own durations and pitch, and others as they are said in use, whose prosody is drawn.
Critics and distances alone make words worse: what they hear most is not what a listener of words
needs. So two recognizers of phones, trained on the recordings before, must hear in ours what they
hear in them.
Tokens, prosody and the tables of readers stay as they are.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from rt_avatar.engines.nano_tts.clause import Layout
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.critics import Critics
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.styletts2.spectrum import HOP, MELS
from rt_avatar.engines.training.course import device
from rt_avatar.engines.training.learner import set_rate
from rt_avatar.engines.training.recorded import RecordedStep
from rt_avatar.engines.training.voice.adversary import SPECTRA, hear, match_features, teach
from rt_avatar.engines.training.voice.dataset import Dataset, Utterance
from rt_avatar.engines.training.voice.export import export_voice
from rt_avatar.engines.training.voice.loop import Plan, load_voice, run
from rt_avatar.engines.training.voice.losses import (
    harmonics_to_noise,
    mel_deviations,
    spectral_distance,
)
from rt_avatar.engines.training.voice.recognizers import train_recognizers
from rt_avatar.engines.training.voice.source import spectra_of
from rt_avatar.engines.training.voice.store import Columns, Crops, Line, Store
from rt_avatar.engines.training.voice.train_spoken import Speech, reader_chances
from rt_avatar.engines.training.voice.train_text import make_sentences
from rt_avatar.engines.training.voice.train_variance import adam, sound_learner

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AdversarialOptions:
    """Sizes and weights of the stage.

    Attributes:
        given: Crops a step by the recordings' prosody.
        spoken: Crops a step as in use.
        frames: Of a crop.
        judged: Of its middle, which critics hear: what lies before and behind it is context.
        alone: Steps in which the critics learn alone.
        spectra: Of the distances to the recording.
        guide: Of the decoder's mel and voicing.
        variance: Of the deviations of cepstra.
        noise: Of a decibel of harmonics to noise.
        adversary: Of each critic's scores.
        features: Of the critics' layers.
        words: Of the phones that are heard.
        heard: Of what the recognizers' layers hear.
        mean_decay: A step, of the mean of the weights.
    """

    given: int = 24
    spoken: int = 8
    frames: int = 96
    judged: int = 56
    alone: int = 100
    spectra: float = 4.0
    guide: float = 2.4
    variance: float = 2.0
    noise: float = 0.1
    adversary: float = 1.0
    features: float = 8.0
    words: float = 4.0
    heard: float = 4.0
    mean_decay: float = 0.999


_HELD_OUT: Final = 64
_VOICING_SHARE: Final = 0.1  # of the guide, of voicing


def train_adversarial(
    dataset: Dataset,
    config: NanoTtsConfig,
    plan: Plan,
    options: AdversarialOptions | None = None,
) -> None:
    """Train from the stage ``variance`` until ``plan.steps``, on a GPU if there is one.

    Raises:
        FileNotFoundError: That stage was not run, or the weights that this one began with are gone.
    """
    options = options or AdversarialOptions()
    before = plan.begin or plan.work / f"{plan.stage}-before"
    if plan.begin is None and not plan.checkpoint.exists():
        export_voice(load_voice(config, plan.work), dataset.speakers, before)
    lines = Lines(
        _given(dataset, dataset.training, options.frames),
        _spoken(dataset, NanoModel(before), options.frames),
        _given(dataset, dataset.held_out, options.frames),
        reader_chances(dataset),
    )
    learn_sound(lines, config, plan, options)


@dataclass(frozen=True, slots=True)
class Lines:
    """What is learnt from.

    Attributes:
        given: Recordings with their own prosody.
        spoken: The same sentences as in use.
        watched: As ``given``, of sentences that are held out.
        chances: How often each reader is to be heard, against the others.
    """

    given: list[Line]
    spoken: list[Line]
    watched: list[Line]
    chances: NDArray[np.float64]


def learn_sound(
    lines: Lines, config: NanoTtsConfig, plan: Plan, options: AdversarialOptions
) -> None:
    """Train decoder and generator on lines, from ``plan.begin`` or the stage ``variance``."""
    where = device()
    if where.type == "cuda":
        torch.set_float32_matmul_precision("high")
        torch.backends.cudnn.benchmark = True
    learner = sound_learner(config, plan, "variance", options.mean_decay, where)
    voice = learner.model
    critics = Critics(config.speakers, SPECTRA)
    critics = critics.to(where, memory_format=torch.channels_last)
    critic_optimizer = adam(critics.parameters(), plan.rate, where)
    acoustic, size = voice.acoustic, options.frames
    given = Store(lines.given, acoustic, size, lines.chances)
    spoken = Store(lines.spoken, acoustic, size, lines.chances)
    watched = Store(lines.watched, acoustic, size)
    recognizers = train_recognizers(given, watched, plan)

    chance = torch.Generator(where)

    def take() -> dict[str, Tensor]:
        real = given.crops(options.given, chance)
        drawn = spoken.crops(options.spoken, chance)
        ours, found = _given_sound(voice, real, chance)
        sound = torch.cat([ours, _spoken_sound(voice, drawn, chance)])
        reader = torch.cat([real.reader, drawn.reader])
        # Critics of sentences as in use hear no band that recordings of their readers lack.
        band = torch.cat([real.full_band, drawn.full_band])
        middle = _middle(sound, options)
        recorded = _middle(real.sound, options)
        critic_loss = teach(
            critics, critic_optimizer, (recorded, real.reader, real.full_band),
            (middle.detach(), reader, band),
        )  # fmt: skip
        critics.requires_grad_(False)
        scores = hear(critics, middle, reader, band)
        with torch.no_grad():
            expected = hear(critics, recorded, real.reader, real.full_band)
        adversary = torch.stack([((1 - one.float()) ** 2).mean() for one, _ in scores]).sum()
        matching = match_features(scores, expected, options.given)
        symbols = torch.cat([real.frames["symbol"], drawn.frames["symbol"]]).long()
        words, heard = recognizers.compare(sound, real.sound, symbols, chance)
        loss = _distance(found, options) + options.adversary * adversary
        loss = loss + options.features * matching
        loss = loss + options.words * words + options.heard * heard
        critics.requires_grad_(True)
        learner.follow(loss)
        judged = {"critic": critic_loss, "adversary": adversary, "matching": matching}
        figures = judged | {"words": words, "heard": heard} | found
        return {name: value.detach() for name, value in figures.items()}

    recorded_step = RecordedStep(take, chance)

    def train_step(step: int, rate: float) -> dict[str, float]:
        set_rate(critic_optimizer, rate)
        set_rate(learner.optimizer, rate if step >= options.alone else 0.0)
        figures = recorded_step.run((plan.seed << 32) + step)
        learner.keep_mean()
        return _numbers(figures)

    def evaluate() -> dict[str, float]:
        chance = torch.Generator(where).manual_seed(0)
        crops = watched.some(_HELD_OUT)
        with torch.inference_mode():
            sound, found = _given_sound(learner.mean.module, crops, chance)
            words, heard = recognizers.compare(
                sound, crops.sound, crops.frames["symbol"].long(), chance
            )
        return _numbers(found | {"words": words, "heard": heard})

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
                "symbol": one.tokens.symbol[one.token],
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
        frames: Columns = {
            "token": laid.token,
            "symbol": laid.tokens.symbol[laid.token],
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


def _middle(sound: Tensor, options: AdversarialOptions) -> Tensor:
    """Return what critics hear of crops (B, 300 frames): (B, 300 judged)."""
    first = (options.frames - options.judged) // 2 * HOP
    return sound[:, first : first + options.judged * HOP]


def _distance(found: Mapping[str, Tensor], options: AdversarialOptions) -> Tensor:
    """Return what is to become small beside the critics' part."""
    loss = options.spectra * (found["spectra"] + found["mel"])
    loss = loss + options.guide * (found["guide"] + _VOICING_SHARE * found["voicing"])
    return loss + options.variance * found["variance"] + options.noise * found["noise"]


def _numbers(figures: Mapping[str, Tensor]) -> dict[str, float]:
    """Return figures from a device, at once."""
    values = torch.stack([one.detach().float() for one in figures.values()]).tolist()
    return dict(zip(figures, values, strict=True))
