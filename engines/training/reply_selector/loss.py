"""What a reader's labels of a turn ask of the network: the turn as it is learnt, and the loss."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.reply_selector.bank import GeneralReply
from rt_avatar.engines.reply_selector.selector import GRADES
from rt_avatar.engines.text_encoder import PieceTable
from rt_avatar.engines.training.reply_selector.calls import NOT_GRADED, LabelledTurn

_USUAL_SHARE: Final = 0.5  # of how often a reply is wanted that its score need not tell
_GRADE_SHARE: Final = 1.0  # of the loss of grades, to that of replies
_IMPOSSIBLE: Final = -30.0  # logarithm of a share
_ALL_BUT: Final = 0.999


class Example:
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


class Loss:
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

    def __call__(self, scores: Tensor, examples: Sequence[Example]) -> Tensor:
        """Return the loss of scores (examples, outputs): replies, then grades."""
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

    def _of_graded(self, scores: Tensor, examples: Sequence[Example]) -> Tensor | None:
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
