"""Fit what the nano reasoner's choice counts, by what people replied.

    python -m rt_avatar.benchmarks.empathy.weighing --data train.jsonl.gz [--dialogues 600]

For dialogues that the networks were not trained on (those kept for choosing), one reply each: the
numbers of ``Weighing`` are moved one after the other to where the replies that are said, the bank's
or the rules', are nearest on average to what people said there, as the network's reply side hears
both. It prints the numbers; they stand in ``engines/reply_ranker/ranker.py``.
"""

import argparse
import asyncio
import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.quality.replies import Dialogue, answer, read_dialogues
from rt_avatar.config.settings import Settings
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner

_STEPS: Final[dict[str, tuple[float, ...]]] = {
    "least_feeling": (0.3, 0.4, 0.5, 0.6, 0.7),
    "topic": (0.0, 0.5, 1.0, 1.5, 2.0, 3.0),
    "feeling": (0.5, 1.0, 2.0, 3.0, 4.0),
    "breadth": (0.0, 0.3, 0.6, 0.9, 1.2),
    "margin": (-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0),
}
_ROUNDS: Final = 2
_KEPT_ASIDE: Final = 10  # as in training.reply_ranker.pairs


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """One place where somebody replied: what was said, felt, and what the rules would say."""

    said: Sequence[str]
    own: Sequence[str]
    emotions: NDArray[np.float32]
    rules: str
    people: NDArray[np.float32]


def main() -> None:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.benchmarks.empathy.weighing")
    parser.add_argument("--data", type=Path, required=True, help="EmpatheticDialogues' train")
    parser.add_argument("--dialogues", type=int, default=600)
    options = parser.parse_args()
    ranker = ReplyRanker()
    dialogues = _kept_aside(options.data)[: options.dialogues]
    cases = asyncio.run(_cases(dialogues, ranker))
    print(f"{len(cases)} replies; the rules' are at {_rules_alone(cases, ranker):.4f}")
    best = ranker.weighing
    value, said = _nearness(cases, ranker)
    print(f"{best}: {value:.4f}, the bank's in {100 * said:.0f} %")
    for _ in range(_ROUNDS):
        for name, steps in _STEPS.items():
            for step in steps:
                ranker.weighing = replace(best, **{name: step})
                found, said = _nearness(cases, ranker)
                print(f"  {name} {step}: {found:.4f}, the bank's in {100 * said:.0f} %")
                if found > value:
                    value, best = found, ranker.weighing
            ranker.weighing = best
        print(f"{best}: {value:.4f}")


def _kept_aside(path: Path) -> list[Dialogue]:
    """Return the dialogues of the pairs of writers that ``training.reply_ranker`` kept aside."""
    dialogues = read_dialogues(path)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        writers = [str(json.loads(line)["id"]).partition("_")[0] for line in lines]
    return [
        dialogue
        for dialogue, pair in zip(dialogues, writers, strict=True)
        if zlib.crc32(pair.encode()) % _KEPT_ASIDE == 0
    ]


async def _cases(dialogues: Sequence[Dialogue], ranker: ReplyRanker) -> list[_Case]:
    classifier = TextEmotionClassifier()
    rules = ReflectiveReasoner(classifier)
    persona = Settings().avatar.persona
    found = []
    for number, dialogue in enumerate(dialogues):
        turns = dialogue.turns
        answered = [at for at in range(1, len(turns)) if turns[at].role == "avatar"]
        if not answered:
            continue
        at = answered[number % len(answered)]
        words = split_words(turns[at].text)
        said = [turn.text for turn in turns[:at] if turn.role == "caller"]
        if not words or not said:
            continue
        conversation = rules.open()
        found.append(
            _Case(
                said,
                [turn.text for turn in turns[:at] if turn.role == "avatar"],
                classifier.classify(said).probabilities,
                (await answer(conversation, persona, turns[:at])).text,
                ranker.scorer.replies.encode([(words,)])[0],
            )
        )
        await conversation.aclose()
    return found


def _nearness(cases: Sequence[_Case], ranker: ReplyRanker) -> tuple[float, float]:
    """Return the mean cosine of what is said to what people said, and the bank's share of it."""
    texts = []
    own = 0
    for case in cases:
        choice = ranker.choose(case.said, case.own, case.emotions, case.rules)
        is_banked = choice is not None and choice.is_sure
        own += is_banked
        texts.append(choice.text if choice is not None and is_banked else case.rules)
    return _near(texts, cases, ranker), own / len(cases)


def _rules_alone(cases: Sequence[_Case], ranker: ReplyRanker) -> float:
    return _near([case.rules for case in cases], cases, ranker)


def _near(texts: Sequence[str], cases: Sequence[_Case], ranker: ReplyRanker) -> float:
    said = ranker.scorer.replies.encode([(split_words(text),) for text in texts])
    people = np.array([case.people for case in cases])
    return float((said * people).sum(1).mean())


if __name__ == "__main__":
    main()
