"""Stage ``spoken``: the voice as it is used, drawn nearer to its readers by what tells them apart.

Other stages are given the recordings' durations, pitch and pauses. In use all of these are drawn
from text, more evenly than people make them, and the sound that follows varies less. Here sentences
are said as in use. A linear adversary compares what a judge hears of them (``traits``) with
recordings of the same reader, and decoder and generator learn to leave it nothing: Fisher's
discriminant, whose means follow the voice as it changes. Beside it the recordings' own prosody is
given, as in the stage ``variance``, so that words stay words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from rt_avatar.engines.nano_tts.clause import Delivery, Layout, lay_out
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.nano_tts.voices import VOICES
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.styletts2.spectrum import HOP, MELS
from rt_avatar.engines.training.voice.dataset import Dataset, Speaker, Utterance
from rt_avatar.engines.training.voice.export import export_voice
from rt_avatar.engines.training.voice.features import track_pitch
from rt_avatar.engines.training.voice.loop import Plan, run
from rt_avatar.engines.training.voice.source import source_spectra
from rt_avatar.engines.training.voice.train_text import drawer, make_sentences
from rt_avatar.engines.training.voice.train_variance import (
    given_losses,
    given_total,
    held_out_losses,
    sound_learner,
)
from rt_avatar.engines.training.voice.traits import TRAITS, measure_traits

_GIVEN: Final = 4  # sentences a step with the recordings' prosody
_SPOKEN: Final = 4  # sentences a step as in use, each of another reader
_FRAMES: Final = (120, 256)  # of a crop: 1.5 to 3.2 s
_KEPT: Final = 12  # every so many-th sentence is not said here: by these one may choose
_WITHIN: Final = 600  # recordings by which it is told how much traits vary within a reader
_SHRINKAGE: Final = 0.1  # of their covariance towards its diagonal
_ADVERSARY_WEIGHT: Final = 0.03
_DECAY: Final = 0.99, 0.97  # of means over all readers, and of one reader's
_TRUST: Final = 12.0  # crops of a reader after which their own mean counts as much as all
_OFTEN: Final = 3.0  # readers whose voices persons have, against others
_RANGES: Final = {"F": 1.3, "M": 1.8}  # of intonation, as the persons have them


class TraitCritic(nn.Module):  # type: ignore[misc]
    """Fisher's discriminant between recordings of a reader and ours, kept up with as ours change.

    Args:
        readers: How many.
    """

    def __init__(self, readers: int) -> None:
        super().__init__()
        self.register_buffer("inverse", torch.eye(TRAITS))
        self.register_buffer("common", torch.zeros(TRAITS))
        self.register_buffer("weight", torch.zeros(()))
        self.register_buffer("own", torch.zeros(readers, TRAITS))
        self.register_buffer("own_weight", torch.zeros(readers))

    def learn_spread(self, traits: Tensor, reader: Tensor) -> None:
        """Take from recordings (N, TRAITS) how much traits vary within a reader (N,)."""
        rest = traits - torch.stack([traits[reader == one].mean(dim=0) for one in reader])
        within = rest.T @ rest / len(rest)
        diagonal = torch.diag(within.diagonal())
        self.inverse.copy_(torch.linalg.inv(within + _SHRINKAGE * (diagonal - within)))

    def follow(self, apart: Tensor, reader: Tensor) -> None:
        """Learn from ours less recordings, (B, TRAITS), of readers (B,)."""
        common, own = _DECAY
        for row, one in zip(apart, reader.tolist(), strict=True):
            self.common.mul_(common).add_((1 - common) * row)
            self.weight.mul_(common).add_(1 - common)
            self.own[one].mul_(own).add_((1 - own) * row)
            self.own_weight[one].mul_(own).add_(1 - own)

    def score(self, traits: Tensor, reader: Tensor) -> Tensor:
        """Return how much more like ours than like recordings (B, TRAITS) are, in the mean."""
        common = self.common / self.weight
        seen = self.own_weight[reader][:, None]
        # As many crops of the reader as the decay still counts, against what is trusted in all.
        count = seen / (1 - _DECAY[1])
        apart = common + count / (count + _TRUST) * (self.own[reader] / seen - common)
        return (traits * (apart @ self.inverse)).sum(dim=1).mean()

    def distance(self) -> Tensor:
        """Return how far all of ours lie from recordings, in deviations within a reader."""
        common = self.common / self.weight.clamp(min=1e-9)
        return torch.sqrt((common @ self.inverse) @ common)


@dataclass(frozen=True, slots=True, eq=False)
class _Crops:
    """Pieces of ours as the networks take them, and of recordings: B of n frames."""

    encoded: Tensor
    numbers: Tensor
    hz: Tensor
    sounding: Tensor
    reader: Tensor
    real: Tensor
    real_hz: Tensor


class Speech:
    """Sentences of a dataset laid out as in use, each when it is first asked for."""

    def __init__(self, model: NanoModel, dataset: Dataset) -> None:
        self._model, self._speakers = model, dataset.speakers
        self._of: dict[int, list[Utterance]] = {}
        for at, one in enumerate(dataset.training):
            if at % _KEPT and len(one.pitch) >= _FRAMES[0]:
                self._of.setdefault(one.speaker, []).append(one)
        self._readers = sorted(self._of)
        chances = reader_chances(dataset)[self._readers]
        self._chances = chances / chances.sum()
        self._laid: dict[str, Layout] = {}

    def all(self) -> list[Utterance]:
        """Return all that are said."""
        return [one for own in self._of.values() for one in own]

    def utterances(self, count: int, dice: np.random.Generator) -> list[Utterance]:
        """Return some, each of another reader as far as there are so many."""
        size = min(count, len(self._readers))
        chosen = dice.choice(self._readers, size, replace=False, p=self._chances)
        return [self._of[one][int(dice.integers(len(self._of[one])))] for one in chosen.tolist()]

    def crops(self, dice: np.random.Generator) -> _Crops:
        """Return pieces of ours and of the recordings of the same sentences."""
        chosen = self.utterances(_SPOKEN, dice)
        laid = [self.lay_out(one) for one in chosen]
        lengths = [min(len(one.pitch), len(own.hz)) for one, own in zip(chosen, laid, strict=True)]
        count = min(_FRAMES[1], *lengths)
        rows = []
        for one, own in zip(chosen, laid, strict=True):
            first = int(dice.integers(len(own.hz) - count + 1))
            part = slice(first, first + count)
            rows.append(
                (own.encoded[own.token[part]], own.numbers[part], own.hz[part], own.sounding[part],
                 *_cut(one, count, dice))
            )  # fmt: skip
        encoded, numbers, hz, sounding, real, real_hz = (
            torch.from_numpy(np.stack(column)) for column in zip(*rows, strict=True)
        )
        reader = torch.tensor([one.speaker for one in chosen])
        return _Crops(encoded, numbers, hz, sounding, reader, real, real_hz)

    def lay_out(self, one: Utterance) -> Layout:
        """Return a sentence as it is said, the same whenever it is asked for."""
        key = one.recording.key
        if key not in self._laid:
            speaker: Speaker = self._speakers[one.speaker]
            text = one.recording.text
            read = read_clause(text.lower() if text.isupper() else text)
            if read is None:
                raise ValueError(f"{key}: expected words, got {text!r}")
            delivery = Delivery(pitch_range=_RANGES[speaker.sex])
            code = self._model.speaker({speaker.name: 1.0})
            self._laid[key] = lay_out(self._model, read.words, code, delivery)
        return self._laid[key]


def reader_chances(dataset: Dataset) -> NDArray[np.float64]:
    """Return how often each reader is to be heard, against the others."""
    persons = {name for voice in VOICES.values() for name in voice.speakers}
    return np.array([_OFTEN if one.name in persons else 1.0 for one in dataset.speakers])


def train_spoken(dataset: Dataset, config: NanoTtsConfig, plan: Plan) -> None:
    """Train from the stage ``adversarial``, or ``variance`` if that was not run, to ``plan.steps``.

    Raises:
        FileNotFoundError: That stage was not run, or the weights that this one began with are gone.
    """
    stages = ("adversarial", "variance")
    last = next((one for one in stages if (plan.work / f"{one}.pt").exists()), stages[-1])
    learner = sound_learner(config, plan, last)
    voice = learner.model
    # Words, durations and pitch stay as they are: the stage's first weights lay sentences out.
    before = plan.begin or plan.work / f"{plan.stage}-before"
    if plan.begin is None and not plan.checkpoint.exists():
        export_voice(voice, dataset.speakers, before)
    speech = Speech(NanoModel(before), dataset)
    critic = TraitCritic(config.speakers)
    dice = np.random.default_rng(plan.seed)
    critic.learn_spread(*_recorded(speech, dice))
    draw = drawer(make_sentences(dataset, dataset.training), _GIVEN)

    def train_step(step: int, rate: float) -> dict[str, float]:
        dice = np.random.default_rng((plan.seed, step))
        found = given_losses(voice, draw(dice), dice)
        crops = speech.crops(dice)
        sexes = [dataset.speakers[one].sex for one in crops.reader.tolist()]
        ours = measure_traits(*_say(voice, crops, sexes, dice))
        with torch.no_grad():
            theirs = measure_traits(crops.real, crops.real_hz)
        critic.follow(ours.detach() - theirs, crops.reader)
        loss = given_total(found) + _ADVERSARY_WEIGHT * critic.score(ours, crops.reader)
        learner.step(loss, rate)
        return {"apart": critic.distance().item()} | {
            name: value.item() for name, value in found.items()
        }

    run(plan, learner.parts | {"critic": critic}, train_step, held_out_losses(learner, dataset))


def _say(
    model: Voice, crops: _Crops, sexes: Sequence[str], dice: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Return ours of some crops, (B, 300 n), and its F0 (B, n), tracked as the recordings' is."""
    style = model.acoustic.speakers(crops.reader)
    out = model.acoustic.decode(crops.encoded, crops.numbers, style, torch.ones_like(crops.hz))
    pitch = crops.hz * ((out[..., MELS] > 0) & crops.sounding)
    source = source_spectra(pitch.numpy(), model.config.generator.fft, dice)
    sound = model.generator(out[..., :MELS], pitch, crops.reader, source)
    late = F.pad(sound.detach()[:, HOP // 2 :], (0, HOP // 2)).numpy()
    tracked = [
        track_pitch(one, crops.hz.shape[1], sex) for one, sex in zip(late, sexes, strict=True)
    ]
    return sound, torch.from_numpy(np.stack(tracked))


def _recorded(speech: Speech, dice: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return traits of recordings (N, TRAITS) and their readers (N,)."""
    rows: list[Tensor] = []
    readers: list[int] = []
    with torch.no_grad():
        while len(rows) < _WITHIN:
            for one in speech.utterances(_SPOKEN, dice):
                real, hz = _cut(one, min(_FRAMES[1], len(one.pitch)), dice)
                rows.append(
                    measure_traits(torch.from_numpy(real)[None], torch.from_numpy(hz)[None])
                )
                readers.append(one.speaker)
    return torch.cat(rows), torch.tensor(readers)


def _cut(one: Utterance, count: int, dice: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return sound (300 count,) and F0 (count,) of a piece of a recording."""
    first = int(dice.integers(len(one.pitch) - count + 1))
    cut = one.features.pcm[first * HOP : (first + count) * HOP]
    return cut.astype(np.float32) / 32_767, one.pitch[first : first + count]
