"""Training: dictionary entries → weights, seeded, with checkpoints from which it goes on."""

import hashlib
import itertools
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.g2p.network import BLANK, LETTERS, MAX_LETTERS, SLOTS, LetterToSound
from rt_avatar.engines.g2p.phones import PHONE_ID, Phones
from rt_avatar.engines.training.g2p.dictionary import Split
from rt_avatar.engines.training.g2p.errors import measure
from rt_avatar.engines.training.g2p.model import PADDING, Speller, export
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint, share_of_rate

_log = logging.getLogger(__name__)
_BATCH: Final = 192
_RATE: Final = 2e-3
_WARMUP_STEPS: Final = 200
_EARLY_SHARE: Final = 0.3  # of the loss, for the answer that the last blocks are told
_AVERAGE: Final = 0.999
_REPORT_STEPS: Final = 200
_VALIDATION_WORDS: Final = 400


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from where: ``steps`` in all, ``seed``, ``checkpoint`` (written and resumed)."""

    steps: int
    seed: int
    checkpoint: Path
    dropout: float = 0.1


def train(split: Split, plan: Plan) -> dict[str, np.ndarray]:
    """Return the weights after ``plan.steps``: their running mean, which is steadier.

    Raises:
        ValueError: The checkpoint is damaged, or of another dictionary.
    """
    torch.manual_seed(plan.seed)
    model = Speller(plan.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=0.01)
    learner = Learner(model, optimizer, _AVERAGE)
    course = hashlib.sha256(repr(sorted(split.training.items())).encode()).hexdigest()
    first = load_checkpoint(plan.checkpoint, learner.parts, course)
    examples = [pair for word, known in split.training.items() if (pair := _example(word, known))]
    _log.info("%d words to learn from, %d weights", len(examples), _count(model))
    validation = dict(list(split.validation.items())[:_VALIDATION_WORDS])
    began_s = time.monotonic()
    batches = _batches(examples, plan.seed, first)
    for step in range(first, plan.steps):
        model.train()
        loss = _loss(model, next(batches))
        learner.step(loss, _RATE * share_of_rate(step, plan.steps, _WARMUP_STEPS))
        done = step + 1
        if done % _REPORT_STEPS == 0 or done == plan.steps:
            minutes = (time.monotonic() - began_s) / 60
            _log.info(
                "step %d of %d: loss %.3f, validation %s; %.1f min, %.1f min to go",
                done, plan.steps, loss.item(),
                measure(LetterToSound(export(learner.mean.module)), validation),
                minutes, minutes / (done - first) * (plan.steps - done),
            )  # fmt: skip
            save_checkpoint(plan.checkpoint, done, learner.parts, course)
    return export(learner.mean.module)


def _count(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


Example = tuple[list[int], list[list[int]]]  # letters, the ids of each pronunciation


def _example(word: str, known: tuple[Phones, ...]) -> Example | None:
    """Return letters and phones as numbers; None where the slots do not hold them (acronyms)."""
    if len(word) > MAX_LETTERS:
        return None
    letters = [LETTERS.index(letter) for letter in word]
    edge = len(LETTERS)
    fitting = []
    for phones in known:
        ids = [PHONE_ID[phone] for phone in phones]
        repeats = sum(a == b for a, b in itertools.pairwise(ids))
        if len(ids) + repeats <= SLOTS * len(letters):
            fitting.append(ids)
    return ([edge, *letters, edge], fitting) if fitting else None


def _batches(examples: list[Example], seed: int, first: int) -> Iterator[list[Example]]:
    """Yield batches of words of about one length, from step ``first`` on, without an end.

    What is over is left out by chance, so that the longest words have their turn.
    """
    per_epoch = len(examples) // _BATCH
    epoch, skipped = divmod(first, max(1, per_epoch))
    lengths = np.array([len(letters) for letters, _ in examples])
    while True:
        dice = np.random.default_rng((seed, epoch))
        drawn = dice.permutation(len(examples))[: max(1, per_epoch) * _BATCH]
        order = drawn[np.argsort(lengths[drawn], kind="stable")]
        starts = dice.permutation(max(1, per_epoch)) * _BATCH
        for start in starts[skipped:]:
            yield [examples[at] for at in order[start : start + _BATCH]]
        epoch, skipped = epoch + 1, 0


def _loss(model: Speller, batch: list[Example]) -> Tensor:
    longest = max(len(letters) for letters, _ in batch)
    letters = torch.full((len(batch), longest), PADDING)
    targets, sizes = [], []
    for row, (word, known) in enumerate(batch):
        letters[row, : len(word)] = torch.tensor(word)
        chosen = known[int(torch.randint(len(known), ()))]
        targets += chosen
        sizes.append(len(chosen))
    slots = torch.tensor([(len(word) - 2) * SLOTS for word, _ in batch])
    final, early = model(letters)
    losses = [
        functional.ctc_loss(
            scores.flatten(1, 2).log_softmax(-1).transpose(0, 1),
            torch.tensor(targets), slots, torch.tensor(sizes), BLANK,
        )
        for scores in (final, early)
    ]  # fmt: skip
    return (1 - _EARLY_SHARE) * losses[0] + _EARLY_SHARE * losses[1]
