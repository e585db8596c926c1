"""Stage ``text``: tokens → prosody (flow matching) and mel, by recordings' durations and pitch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from rt_avatar.engines.nano_tts.contour import FRAME_NUMBERS, PROSODY
from rt_avatar.engines.nano_tts.tokens import PHRASE_NUMBERS
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.styletts2.spectrum import MELS
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.voice.dataset import Dataset, Utterance
from rt_avatar.engines.training.voice.export import load_exported
from rt_avatar.engines.training.voice.loop import Plan, run
from rt_avatar.engines.training.voice.sentences import Sentence, make_sentence

_BATCH: Final = 8
_CROP_FRAMES: Final = 128
_HELD_OUT: Final = 48
_MEAN_DECAY: Final = 0.995
_VOICING_WEIGHT: Final = 0.3


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Sentences side by side, (B, N) tokens, and a crop of frames of each, (B, F)."""

    symbol: Tensor
    place: Tensor
    mark: Tensor
    phrase: Tensor
    speaker: Tensor
    mask: Tensor
    prosody: Tensor
    prosody_seen: Tensor
    token: Tensor
    numbers: Tensor
    frame_mask: Tensor
    mel: Tensor
    voiced: Tensor
    first: tuple[int, ...]


def make_sentences(dataset: Dataset, utterances: list[Utterance]) -> list[Sentence]:
    """Return all utterances that have a voice, as sentences."""
    sentences = [make_sentence(one, dataset.speakers[one.speaker]) for one in utterances]
    return [one for one in sentences if one is not None]


def make_batch(
    sentences: Sequence[Sentence], dice: np.random.Generator, crop: int = _CROP_FRAMES
) -> TokenBatch:
    """Return sentences padded to the longest, and ``crop`` frames of each from a random place."""
    size = max(len(one.frames) for one in sentences)
    count = len(sentences)
    whole = {name: np.zeros((count, size), np.int64) for name in ("symbol", "place", "mark")}
    phrase = np.zeros((count, size, PHRASE_NUMBERS), np.float32)
    prosody = np.zeros((count, size, PROSODY), np.float32)
    seen = np.zeros((count, size, PROSODY), np.float32)
    mask = np.zeros((count, size), np.float32)
    token = np.zeros((count, crop), np.int64)
    numbers = np.zeros((count, crop, FRAME_NUMBERS), np.float32)
    frame_mask = np.zeros((count, crop), np.float32)
    mel = np.zeros((count, crop, MELS), np.float32)
    voiced = np.zeros((count, crop), np.float32)
    firsts = []
    for row, one in enumerate(sentences):
        length = len(one.frames)
        for name, table in whole.items():
            table[row, :length] = getattr(one.tokens, name)
        phrase[row, :length] = one.tokens.phrase
        prosody[row, :length] = one.prosody
        seen[row, :length, 0] = 1.0
        seen[row, :length, 1:] = one.prosody_seen[:, None]
        mask[row, :length] = 1.0
        first = int(dice.integers(0, max(1, len(one.token) - crop)))
        taken = min(crop, len(one.token) - first)
        part = slice(first, first + taken)
        token[row, :taken] = one.token[part]
        numbers[row, :taken] = one.numbers[part]
        frame_mask[row, :taken] = 1.0
        mel[row, :taken] = one.utterance.mel[part]
        voiced[row, :taken] = one.utterance.pitch[part] > 0
        firsts.append(first)
    return TokenBatch(
        symbol=torch.from_numpy(whole["symbol"]),
        place=torch.from_numpy(whole["place"]),
        mark=torch.from_numpy(whole["mark"]),
        phrase=torch.from_numpy(phrase),
        speaker=torch.tensor([one.utterance.speaker for one in sentences]),
        mask=torch.from_numpy(mask),
        prosody=torch.from_numpy(prosody),
        prosody_seen=torch.from_numpy(seen),
        token=torch.from_numpy(token),
        numbers=torch.from_numpy(numbers),
        frame_mask=torch.from_numpy(frame_mask),
        mel=torch.from_numpy(mel),
        voiced=torch.from_numpy(voiced),
        first=tuple(firsts),
    )


def drawer(sentences: list[Sentence], size: int) -> Callable[[np.random.Generator], list[Sentence]]:
    """Return what draws sentences of like length, so that little of a batch is padding.

    Long ones are drawn as often as they have seconds, so that all speech is heard alike.
    """
    ordered = sorted(sentences, key=lambda one: len(one.frames))
    lengths = np.array([len(one.token) for one in ordered], np.float64)
    chances = lengths / lengths.sum()
    reach = max(size, len(ordered) // 12)

    def draw(dice: np.random.Generator) -> list[Sentence]:
        centre = int(dice.choice(len(ordered), p=chances))
        first = min(max(centre - reach, 0), max(0, len(ordered) - 2 * reach))
        near = slice(first, first + 2 * reach)
        part = chances[near] / chances[near].sum()
        return [ordered[first + index] for index in dice.choice(len(part), size, p=part)]

    return draw


def text_losses(
    model: NanoAcoustic, batch: TokenBatch, seed: int
) -> tuple[dict[str, Tensor], Tensor]:
    """Return the losses by name, and the mels (B, F, 80) that were decoded."""
    style = model.speakers(batch.speaker)
    encoded = model.encode(batch.symbol, batch.place, batch.mark, batch.phrase, style, batch.mask)
    generator = torch.Generator().manual_seed(seed)
    noise = torch.randn(batch.prosody.shape, generator=generator)
    time = torch.rand(len(batch.prosody), generator=generator)
    share = time[:, None, None]
    noisy = (1 - share) * noise + share * batch.prosody
    moved = model.velocity(noisy, time, encoded, style, batch.mask)
    wrong = (moved - (batch.prosody - noise)) ** 2 * batch.prosody_seen
    flow = wrong.sum(dim=(0, 1)) / batch.prosody_seen.sum(dim=(0, 1))
    frames, mel = frame_losses(model, batch, encoded, style)
    losses = {
        "duration": flow[0],
        "pitch": flow[1:4].mean(),
        "energy": flow[4],
    }
    return losses | frames, mel


def frame_losses(
    model: NanoAcoustic, batch: TokenBatch, encoded: Tensor, style: Tensor
) -> tuple[dict[str, Tensor], Tensor]:
    """Return the decoder's losses by name, of encoded tokens (B, N, C), and its mels (B, F, 80)."""
    index = batch.token[..., None].expand(-1, -1, encoded.shape[2])
    out = model.decode(encoded.gather(1, index), batch.numbers, style, batch.frame_mask)
    mel, logit = out[..., :MELS], out[..., MELS]
    weight = batch.frame_mask / batch.frame_mask.sum()
    mel_loss = ((mel - batch.mel).abs().mean(dim=2) * weight).sum()
    voicing = F.binary_cross_entropy_with_logits(logit, batch.voiced, reduction="none")
    wrong_voice = (((logit > 0) != (batch.voiced > 0)) * weight).sum()
    losses = {
        "mel": mel_loss,
        "voicing": (voicing * weight).sum(),
        "voicing_errors": wrong_voice,
    }
    return losses, mel


def total(losses: dict[str, Tensor]) -> Tensor:
    """Return what is to become small."""
    flow = (losses["duration"] + 3 * losses["pitch"] + losses["energy"]) / 5
    return flow + 4 * losses["mel"] + _VOICING_WEIGHT * losses["voicing"]


def train_text(dataset: Dataset, config: NanoTtsConfig, plan: Plan) -> None:
    """Train until ``plan.steps``; the checkpoint's ``mean`` holds the weights' running mean."""
    torch.manual_seed(plan.seed)
    model = NanoAcoustic(config)
    if plan.begin is not None and not plan.checkpoint.exists():
        voice = Voice(config)
        load_exported(voice, plan.begin)
        model = voice.acoustic
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.rate, betas=(0.9, 0.99))
    learner = Learner(model, optimizer, _MEAN_DECAY)
    sentences = make_sentences(dataset, dataset.training)
    held_out = make_sentences(dataset, dataset.held_out)
    draw = drawer(sentences, _BATCH)

    def train_step(step: int, rate: float) -> dict[str, float]:
        dice = np.random.default_rng((plan.seed, step))
        batch = make_batch(draw(dice), dice)
        losses, _ = text_losses(model, batch, step)
        learner.step(total(losses), rate)
        return {name: value.item() for name, value in losses.items()}

    def evaluate() -> dict[str, float]:
        some = held_out[:: max(1, len(held_out) // _HELD_OUT)]
        batch = make_batch(some, np.random.default_rng(0), 400)
        with torch.inference_mode():
            losses, _ = text_losses(learner.mean.module, batch, 0)
        return {name: value.item() for name, value in losses.items()}

    run(plan, learner.parts, train_step, evaluate)
