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
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.reply_selector.bank import GeneralReply, load_general
from rt_avatar.engines.reply_selector.selector import GRADES, outputs_of
from rt_avatar.engines.text_encoder import PieceTable
from rt_avatar.engines.training.reply_selector.calls import (
    CALLS,
    DIALOGUES,
    NOT_GRADED,
    LabelledTurn,
    joined,
    read_calls,
    read_dialogues,
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
_GRADE_SHARE: Final = 1.0  # of the loss of grades, to that of replies
_FIRST_EPOCHS: Final = 2  # in which it learns what readers chose, before what they graded
_HEARD: Final = 0.4  # from which harm is, in what is measured
_CANDIDATES: Final = 4  # of a turn that are learnt from, as what would be said
_IMPOSSIBLE: Final = -30.0  # logarithm of a share
_ALL_BUT: Final = 0.999


class _Example:
    """A turn as the network learns it, with one of the replies that it could have had."""

    def __init__(
        self, turn: LabelledTurn, pieces: PieceTable, bank: Sequence[GeneralReply]
    ) -> None:
        self.turn = turn
        self.rows = turn.rows(pieces)
        self.wanted = turn.wanted(len(bank))
        self.unknown = np.zeros(1 + len(bank), bool)
        self.unknown[[1 + at for at in turn.unknown]] = True
        # (GRADES, 1 + replies): which of the bank were given each grade.
        self.graded = np.zeros((len(GRADES), 1 + len(bank)), bool)
        grades = dict(turn.candidates)
        for at, one in enumerate(bank, 1):
            if one.text in grades:
                self.graded[grades[one.text], at] = True
            elif turn.is_harmless and one.when == "harm":
                self.graded[GRADES.index("M"), at] = True

    def __repr__(self) -> str:
        """Return all that is learnt of it."""
        return f"{self.rows} {self.turn}"


def main() -> None:
    """Tune the upper layers, write them, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.reply_selector")
    parser.add_argument("--calls", type=Path, default=CALLS)
    parser.add_argument("--dialogues", type=Path, default=DIALOGUES, help="labels of the corpus'")
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="FILE",
        required=True,
        help="EmpatheticDialogues' train.jsonl.gz, whose turns were labelled, too",
    )
    parser.add_argument("--kept-out", nargs="*", default=[], metavar="WRITER")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--tuned", type=Path, default=Path("build/text_danger.pt"))
    parser.add_argument("--checkpoint", type=Path, default=Path("build/reply_selector.pt"))
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/reply_selector"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(options.seed)
    replies = load_general()
    bank = [one.text for one in replies]
    pieces = PieceTable()
    dialogues = read_dialogues(options.dialogues, options.corpus, bank)
    turns = joined(read_calls(options.calls, bank), dialogues)
    learning = [one for one in turns if one.writer not in options.kept_out]
    kept_out = [one for one in turns if one.writer in options.kept_out]
    model = begin(options.encoder, options.tuned, pieces.pieces, outputs_of(len(bank)))
    _log.info("%d turns, %d kept out", len(learning), len(kept_out))
    first = options.checkpoint.with_suffix(".first.pt")
    loss = _Loss([one.wanted(len(bank)) for one in learning])
    for texts, checkpoint, epochs in (
        (with_fitting(learning, bank, options.seed), first, _FIRST_EPOCHS),
        (with_candidates(learning, options.seed), options.checkpoint, options.epochs),
    ):
        examples = [_Example(one, pieces, replies) for one in texts]
        _log.info("%d examples", len(examples))
        tune(model, examples, loss, Plan(checkpoint, options.seed, epochs, _BATCH,
                                         head_rate=_HEAD_RATE))  # fmt: skip
    _average(model, first)
    model.head.bias.data[: len(loss.usual)] += _GIVEN_BACK * loss.usual
    path = options.output / "upper.onnx"
    export_upper(model, path)
    _log.info("%s: %d bytes", path, path.stat().st_size)
    if kept_out:
        measured = with_candidates(kept_out, options.seed)
        _measure(model, [_Example(one, pieces, replies) for one in measured], replies)


def with_candidates(turns: Sequence[LabelledTurn], seed: int) -> list[LabelledTurn]:
    """Return turns, once with each of some candidates; what nobody graded has another turn's reply.

    There the avatar says the reader's first choice: a network that reads it need not choose.
    """
    chance = random.Random(seed)
    graded = [one.reply for one in turns if one.grade != NOT_GRADED]
    found: list[LabelledTurn] = []
    for one in turns:
        if one.candidates:
            some = chance.sample(one.candidates, min(_CANDIDATES, len(one.candidates)))
            found += [replace(one, reply=text, grade=grade) for text, grade in some]
        elif one.grade == NOT_GRADED:
            found.append(replace(one, reply=chance.choice(graded)))
        else:
            found.append(one)
    return found


def with_fitting(
    turns: Sequence[LabelledTurn], bank: Sequence[str], seed: int
) -> list[LabelledTurn]:
    """Return turns that a reader chose for, and each with a reply that fits, and with any other.

    The grade alone is learnt of these: who sees the reply need not choose it. Harmless turns come
    without.
    """
    chance = random.Random(seed)
    bare = [replace(one, candidates=()) for one in turns]
    found = with_candidates(
        [one for one in bare if one.general is not None or one.is_harmless], seed
    )
    for one in [one for one in bare if one.general is not None]:
        fits = [bank[at] for at in one.general or ()]
        others = [text for text in bank if text not in fits]
        for texts, grade in ((fits, "F"), (others, "M")):
            if texts:
                text = chance.choice(texts)
                found.append(replace(one, reply=text, grade=GRADES.index(grade), general=None))
    return found


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


def _average(model: TextEncoderModel, checkpoint: Path) -> None:
    """Give a model the mean of its weights and those of before it learnt what was graded.

    What was graded are replies that nearly fit: learnt last, they make it forget which are far off
    (M. Wortsman et al., "Robust fine-tuning of zero-shot models", arXiv 2109.01903).
    """
    before = torch.load(checkpoint, weights_only=True)["model"]
    mean = {name: (one + before[name]) / 2 for name, one in model.state_dict().items()}
    model.load_state_dict(mean)


class _Loss:
    """Cross-entropy of the replies that fit, and of the grade of the one that was said.

    Readers lean on a few replies. Scores are learnt beside a part of how often each reply is wanted
    at all, and without it they choose more varied ones (A. K. Menon et al., "Long-tail learning via
    logit adjustment", arXiv 2007.07314).

    Attributes:
        usual: Logarithm of the share of turns (1 + replies,) that each is wanted in.
    """

    def __init__(self, wanted_of: Sequence[NDArray[np.float32] | None]) -> None:
        wanted = np.sum([one for one in wanted_of if one is not None], axis=0)
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
            unknown = torch.from_numpy(np.stack([examples[at].unknown for at in wanted]))
            chosen = chosen.masked_fill(unknown, _IMPOSSIBLE)
            loss = loss + functional.cross_entropy(chosen, shares)
        if (learnt := self._of_graded(scores, examples)) is not None:
            loss = loss + learnt
        if (grades != NOT_GRADED).any():
            graded = functional.cross_entropy(
                scores[:, self._count :], grades, ignore_index=NOT_GRADED
            )
            loss = loss + _GRADE_SHARE * graded
        return loss

    def _of_graded(self, scores: Tensor, examples: Sequence[_Example]) -> Tensor | None:
        """Return the loss of those graded: what fits before the others, and what misses not at all.

        None where no reply of the bank was graded.
        """
        rows = [at for at, one in enumerate(examples) if one.graded.any()]
        if not rows:
            return None
        graded = torch.from_numpy(np.stack([examples[at].graded for at in rows]))
        misses, weak, fits = graded.unbind(1)
        unknown = torch.from_numpy(np.stack([examples[at].unknown for at in rows]))
        known = scores[rows, : self._count].masked_fill(unknown, _IMPOSSIBLE)
        shares = known.log_softmax(1)
        fitting = shares.masked_fill(~fits, _IMPOSSIBLE).logsumexp(1)
        all_graded = shares.masked_fill(~(misses | weak | fits), _IMPOSSIBLE).logsumexp(1)
        missed = shares.masked_fill(~misses, _IMPOSSIBLE).logsumexp(1).exp()
        before_others = torch.where(fits.any(1), all_graded - fitting, 0.0)
        return (before_others - torch.log1p(-missed.clamp(max=_ALL_BUT))).mean()


@torch.no_grad()  # type: ignore[untyped-decorator]
def _measure(
    model: TextEncoderModel, examples: Sequence[_Example], bank: Sequence[GeneralReply]
) -> None:
    """Log how often the reply that is chosen is one of those that fit, and the grades' accuracy.

    And how often harm is told, and heard where none is.
    """
    scores = torch.cat([model(*padded([one.rows]))[0][None] for one in examples])
    replies = len(bank)
    is_harm = torch.tensor([False, *(one.when == "harm" for one in bank)])
    harm = scores[:, : replies + 1].softmax(1)[:, is_harm].sum(1).numpy()
    told = np.array([one.wanted is not None and one.wanted[is_harm].any() for one in examples])
    for name, are_so in (("harm", told), ("no harm", ~told)):
        if are_so.any():
            _log.info("%s: heard in %.1f %% of %d", name, 100 * (harm[are_so] >= _HEARD).mean(),
                      are_so.sum())  # fmt: skip
    scores = scores.numpy()
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
