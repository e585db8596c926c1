"""Make the network that judges replies, by calls that were played and judged.

    python -m rt_avatar.benchmarks.empathy.judging [-o engines/reply_judge]

A large language model played callers, and judged for each of their turns what the listener would
say and what else it could: fitting, weak, or beside the point (``judged_calls.jsonl.gz``, written
for this package). What the network learnt from all players but one is measured on that one's calls,
for each in turn; then it learns from all.
"""

import argparse
import gzip
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.quality.replies import request_of
from rt_avatar.config.settings import Settings
from rt_avatar.engines.reply_judge import ReplyJudge
from rt_avatar.engines.reply_judge.network import MEMBERS, SHAPES, WORTH
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.engines.training.reply_judge.train import (
    Judgements,
    JudgeNetwork,
    probabilities,
    train,
)
from rt_avatar.engines.training.text_emotion.packing import save
from rt_avatar.errors import BadInputError
from rt_avatar.reasoner import ChatMessage
from rt_avatar.reasoner.judging import CLEARLY, see
from rt_avatar.reasoner.nano import NanoConversation

_log = logging.getLogger("judging")
_CALLS: Final = Path(__file__).parent / "judged_calls.jsonl.gz"
_LABELS: Final = "MWF"  # beside the point, weak, fitting
_EPOCHS: Final = 10


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """All that was judged.

    Attributes:
        judgements: The replies.
        turns: (replies,) which turn each answers; the first of a turn is what would be said.
        players: (replies,) who played and judged.
    """

    judgements: Judgements
    turns: np.ndarray
    players: np.ndarray


def main() -> None:
    """Read the calls, measure on each player's, learn from all, write the file."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.benchmarks.empathy.judging")
    parser.add_argument("--calls", type=Path, default=_CALLS, help="judged calls, JSON lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/reply_judge"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    seen = _see(options.calls)
    _log.info("%d replies to %d turns", len(seen.turns), len(np.unique(seen.turns)))
    found = np.zeros((len(seen.turns), len(_LABELS)))
    for player in np.unique(seen.players):
        is_kept_out = seen.players == player
        models = _train(seen.judgements.part(~is_kept_out), options.seed)
        kept_out = seen.judgements.part(is_kept_out)
        found[is_kept_out] = np.mean([probabilities(one, kept_out) for one in models], axis=0)
    _tell(seen, found)
    path = options.output / "weights.npz"
    members = [one.export() for one in _train(seen.judgements, options.seed)]
    save(path, {name: np.array([one[name] for one in members], np.float16) for name in SHAPES})
    ReplyJudge(path)  # refuses what is none
    _log.info("%s: %d bytes", path, path.stat().st_size)


def _train(judgements: Judgements, seed: int) -> list[JudgeNetwork]:
    return [train(judgements, _EPOCHS, seed + at) for at in range(MEMBERS)]


def _see(path: Path) -> _Seen:
    classifier, ranker = TextEmotionClassifier(), ReplyRanker()
    persona = Settings().avatar.persona
    rows: list[tuple[np.ndarray, np.ndarray, np.ndarray, int]] = []
    turns: list[int] = []
    players: list[str] = []
    for number, (player, history, said, judged) in enumerate(_read(path)):
        conversation = NanoConversation(classifier, ranker, None, None)
        turn = conversation.understood(request_of(persona, history))
        found = conversation.candidates(turn, said)
        candidates = [one for one in found if one.text in judged]
        if len(candidates) < 2:
            continue
        features, context, replies = see(
            ranker.scorer, turn, candidates, *conversation.taken_as(turn)
        )
        count = len(candidates)
        labels = [_LABELS.index(judged[one.text]) for one in candidates]
        rows += zip(features, [context] * count, replies, labels, strict=True)
        turns += [number] * count
        players += [player] * count
    judgements = Judgements(*(np.array(column) for column in zip(*rows, strict=True)))
    return _Seen(judgements, np.array(turns), np.array(players))


def _read(path: Path) -> Iterator[tuple[str, list[ChatMessage], str, dict[str, str]]]:
    """Yield of each judged turn who judged, the call up to it, what was said, and the labels.

    Raises:
        BadInputError: The file is no such calls; the line is named.
    """
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                number += 1
                call = json.loads(line)
                turns = [ChatMessage(*turn) for turn in call["turns"]]
                for reply in call["replies"]:
                    yield call["player"], turns[: reply["at"] + 1], reply["said"], reply["judged"]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            f'{path}, line {number}: expected {{"player", "turns": [[role, text], …], "replies": '
            f'[{{"at", "said", "judged": {{reply: F, W or M}}}}, …]}}, gzipped; got {error!r}'
        ) from error


def _tell(seen: _Seen, found: np.ndarray) -> None:
    """Log how what would be said was judged, and what the network would say instead."""
    labels = seen.judgements.labels
    right = np.log(found[np.arange(len(labels)), labels]).mean()
    _log.info("log likelihood of a label %.3f", right)
    worth = found @ WORTH
    before, after = [], []
    for turn in np.unique(seen.turns):
        rows = np.flatnonzero(seen.turns == turn)
        best = rows[worth[rows].argmax()]
        is_better = worth[best] > worth[rows[0]] + CLEARLY
        before.append(labels[rows[0]])
        after.append(labels[best if is_better else rows[0]])
    for name, each in (("would be said", before), ("is said", after)):
        shares = 100 * np.bincount(each, minlength=len(_LABELS)) / len(each)
        _log.info(
            "what %s: %.1f %% fitting, %.1f %% weak, %.1f %% beside, of %d turns",
            name, *shares[::-1], len(each),
        )  # fmt: skip


if __name__ == "__main__":
    main()
