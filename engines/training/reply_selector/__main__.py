"""Make the network: ``python -m rt_avatar.engines.training.reply_selector``.

Its lower layers are those of the encoder that was tuned to hear danger (the checkpoint of
``engines.training.text_danger``) and stay as they are; its upper ones begin from the published
encoder. Calls of ``--kept-out`` writers are only measured on.
"""

import argparse
import logging
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.reply_selector.bank import load_general
from rt_avatar.engines.reply_selector.selector import GRADES, outputs_of
from rt_avatar.engines.text_encoder import PieceTable
from rt_avatar.engines.training.reply_selector.calls import (
    CALLS,
    NOT_GRADED,
    LabelledTurn,
    read_calls,
)
from rt_avatar.engines.training.text_encoder.export import export_upper
from rt_avatar.engines.training.text_encoder.model import (
    TextEncoderModel,
    begin_from,
    read_checkpoint,
)
from rt_avatar.engines.training.text_encoder.tuning import Plan, padded, tune

_log = logging.getLogger("reply_selector")
_LAYERS: Final = 6
_BATCH: Final = 32
_HEAD_RATE: Final = 10.0  # times that of the layers: it has many scores, and each is wanted seldom
_USUAL_SHARE: Final = 0.5  # of how often a reply is wanted that its score need not tell
_GIVEN_BACK: Final = 0.25  # of it, when all is learnt: it chooses better so, if less varied
_GRADE_SHARE: Final = 0.5  # of the loss of grades, to that of replies


class _Example:
    """A turn as the network learns it."""

    def __init__(self, turn: LabelledTurn, pieces: PieceTable, replies: int) -> None:
        self.turn = turn
        self.rows = turn.rows(pieces)
        self.wanted = turn.wanted(replies)


def main() -> None:
    """Tune the upper layers, write them, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.reply_selector")
    parser.add_argument("--calls", type=Path, default=CALLS)
    parser.add_argument("--kept-out", nargs="*", default=[], metavar="WRITER")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--tuned", type=Path, default=Path("build/text_danger.pt"))
    parser.add_argument("--checkpoint", type=Path, default=Path("build/reply_selector.pt"))
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/reply_selector"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(options.seed)
    bank = [one.text for one in load_general()]
    pieces = PieceTable()
    turns = with_replies(read_calls(options.calls, bank), options.seed)
    examples = [_Example(one, pieces, len(bank)) for one in turns]
    learning = [one for one in examples if one.turn.writer not in options.kept_out]
    kept_out = [one for one in examples if one.turn.writer in options.kept_out]
    model = begin(options.encoder, options.tuned, pieces.pieces, outputs_of(len(bank)))
    _log.info("%d turns, %d kept out", len(learning), len(kept_out))
    plan = Plan(options.checkpoint, options.seed, options.epochs, _BATCH, head_rate=_HEAD_RATE)
    loss = _Loss(learning)
    tune(model, learning, loss, plan)
    model.head.bias.data[: len(loss.usual)] += _GIVEN_BACK * loss.usual
    path = options.output / "upper.onnx"
    export_upper(model, path)
    _log.info("%s: %d bytes", path, path.stat().st_size)
    if kept_out:
        _measure(model, kept_out, len(bank))


def with_replies(turns: Sequence[LabelledTurn], seed: int) -> list[LabelledTurn]:
    """Return turns of which those that nobody graded have another turn's graded reply.

    There the avatar says the reader's first choice: a network that reads it need not choose.
    """
    chance = random.Random(seed)
    graded = [one.reply for one in turns if one.grade != NOT_GRADED]
    return [
        one if one.grade != NOT_GRADED else replace(one, reply=chance.choice(graded))
        for one in turns
    ]


def begin(published: Path, tuned: Path, pieces: Sequence[str], outputs: int) -> TextEncoderModel:
    """Return the published encoder with pieces and lower layers of a tuned one, which stay.

    Raises:
        FileNotFoundError: There is no such folder or checkpoint.
    """
    if not tuned.is_file():
        raise FileNotFoundError(
            f"{tuned}: expected the tuned encoder's checkpoint, got none. Make it with: "
            "python -m rt_avatar.engines.training.text_danger --data FOLDER --encoder FOLDER"
        )
    model = begin_from(read_checkpoint(published), pieces, _LAYERS, outputs)
    stored = torch.load(tuned, weights_only=True)["model"]
    model.keep_shared()
    shared = [name for name, one in model.named_parameters() if not one.requires_grad]
    model.load_state_dict({name: stored[name] for name in shared}, strict=False)
    return model


class _Loss:
    """Cross-entropy of the replies that fit, and of the grade of the one that was said.

    Readers lean on a few replies. Scores are learnt beside a part of how often each reply is wanted
    at all, and without it they choose more varied ones (A. K. Menon et al., "Long-tail learning via
    logit adjustment", arXiv 2007.07314).

    Attributes:
        usual: Logarithm of the share of turns (1 + replies,) that each is wanted in.
    """

    def __init__(self, examples: Sequence[_Example]) -> None:
        wanted = np.sum([one.wanted for one in examples if one.wanted is not None], axis=0)
        shares = np.maximum(wanted, 1) / np.maximum(wanted, 1).sum()
        self._count = len(shares)
        self.usual = torch.from_numpy(np.log(shares)).float()

    def __call__(self, scores: Tensor, examples: Sequence[_Example]) -> Tensor:
        wanted = {at: one.wanted for at, one in enumerate(examples) if one.wanted is not None}
        grades = torch.tensor([one.turn.grade for one in examples])
        loss = scores.sum() * 0.0
        if wanted:
            shares = torch.from_numpy(np.stack([*wanted.values()]))
            chosen = scores[[*wanted], : self._count] + _USUAL_SHARE * self.usual
            loss = loss + functional.cross_entropy(chosen, shares)
        if (grades != NOT_GRADED).any():
            graded = functional.cross_entropy(
                scores[:, self._count :], grades, ignore_index=NOT_GRADED
            )
            loss = loss + _GRADE_SHARE * graded
        return loss


@torch.no_grad()  # type: ignore[untyped-decorator]
def _measure(model: TextEncoderModel, examples: Sequence[_Example], replies: int) -> None:
    """Log how often the reply that is chosen is one of those that fit, and the grades' accuracy."""
    scores = torch.cat([model(*padded([one.rows]))[0][None] for one in examples]).numpy()
    best = scores[:, 1 : replies + 1].argmax(1)
    chosen = [
        at in one.turn.general for at, one in zip(best, examples, strict=True) if one.turn.general
    ]
    _log.info("the best fits in %.1f %% of %d turns", 100 * np.mean(chosen), len(chosen))
    is_graded = np.array([one.turn.grade != NOT_GRADED for one in examples])
    grades = np.array([one.turn.grade for one in examples])[is_graded]
    found = scores[is_graded, replies + 1 :].argmax(1)
    for at, name in enumerate(GRADES):
        is_so = grades == at
        if is_so.any():
            _log.info(
                "%s: %.1f %% of %d known", name, 100 * (found[is_so] == at).mean(), is_so.sum()
            )


if __name__ == "__main__":
    main()
