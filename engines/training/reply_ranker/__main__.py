"""Make ranker and bank: ``python -m rt_avatar.engines.training.reply_ranker --data FOLDER``.

``FOLDER`` holds ``empathetic_dialogues/{train,valid}.jsonl.gz`` and
``text/self_dialogue.jsonl.gz``; ``--vectors`` are those that ``training.text_emotion`` left in its
folder of work. A training that was stopped goes on from ``--work``. ``valid`` is only measured on.
"""

import argparse
import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_ranker.bank import ReplyBank, save_bank
from rt_avatar.engines.reply_ranker.context import places_of
from rt_avatar.engines.reply_ranker.network import load_weights
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.training.reply_ranker import scoring
from rt_avatar.engines.training.reply_ranker.bank import select, without_doubles
from rt_avatar.engines.training.reply_ranker.model import BiEncoder
from rt_avatar.engines.training.reply_ranker.packing import pack
from rt_avatar.engines.training.reply_ranker.pairs import ReplyPair, read_open_pairs, read_pairs
from rt_avatar.engines.training.reply_ranker.train import Course, train
from rt_avatar.engines.training.reply_ranker.words import count_words
from rt_avatar.engines.training.text_emotion.packing import save

_log = logging.getLogger("reply_ranker")
_BATCH: Final = 512
_OPEN_RATE, _LISTENERS_RATE = 2e-3, 1.5e-3
_WELL_KNOWN: Final = 12  # times that a word of the bank is in the dialogues: it is no slip
_ASIDE: Final = 2_000  # open dialogues' turns kept to tell stories from other talk


def main() -> None:
    """Train, weigh, write the network and (to the folder of work) the bank, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.reply_ranker")
    parser.add_argument(
        "--data", type=Path, required=True, help="with empathetic_dialogues/, text/"
    )
    parser.add_argument("--vectors", type=Path, default=Path("build/text_emotion/vectors-1.npz"))
    parser.add_argument("--open-epochs", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("build/reply_ranker"))
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/reply_ranker"))
    parser.add_argument(
        "--bank", type=Path, metavar="FILE", help="only make a bank, by the network that there is"
    )
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)
    options.work.mkdir(parents=True, exist_ok=True)
    folder = options.data / "empathetic_dialogues"
    pairs = read_pairs(folder / "train.jsonl.gz")
    if options.bank is not None:
        learnt = (pair for pair in pairs if not pair.is_for_choosing)
        _make_bank(options.bank, None, [pair for pair in learnt if pair.is_listener])
        return
    valid = read_pairs(folder / "valid.jsonl.gz")
    others = read_open_pairs(options.data / "text" / "self_dialogue.jsonl.gz")
    aside, others = others[:_ASIDE], others[_ASIDE:]
    learning = [pair for pair in pairs if not pair.is_for_choosing]
    choosing = [pair for pair in pairs if pair.is_for_choosing and pair.is_listener]
    listeners = [pair for pair in learning if pair.is_listener]
    statistics = count_words(listeners)
    with np.load(options.vectors, allow_pickle=False) as stored:
        vectors = dict(zip(stored["words"].tolist(), stored["vectors"], strict=True))
    torch.manual_seed(options.seed)
    model = BiEncoder(statistics.words, vectors)
    encoded = model.encode(choosing)
    for name, those, epochs, rate in (
        ("open", others + learning, options.open_epochs, _OPEN_RATE),
        ("listeners", listeners, options.epochs, _LISTENERS_RATE),
    ):
        course = Course(f"{name}-{options.seed}", epochs, _BATCH, rate, options.seed)
        kept = train(model, model.encode(those), encoded, course, options.work)
        model.load_state_dict(torch.load(kept, weights_only=True))
    path = options.output / "weights.npz"
    save(path, pack(model, statistics, (1.0, 0.0, 0.0)))
    weighed = scoring.fit(Scorer(load_weights(path)), choosing)
    save(path, pack(model, statistics, (*weighed, 0.0)))
    bank = options.work / "replies.npz"
    _make_bank(bank, path, listeners)
    threshold = _find_threshold(ReplyRanker(bank, path), choosing, aside)
    save(path, pack(model, statistics, (*weighed, threshold)))
    _log.info("%s: %d bytes; scoring %s, %.2f", path, path.stat().st_size, weighed, threshold)
    measured = [pair for pair in valid if pair.is_listener]
    first, tenth = scoring.recall(Scorer(load_weights(path)), measured, (1, 10))
    _log.info("valid: recall of 100: @1 %.1f %%, @10 %.1f %%", 100 * first, 100 * tenth)


def _make_bank(path: Path, weights: Path | None, listeners: Sequence[ReplyPair]) -> None:
    counts = Counter(word for pair in listeners for word in pair.reply + pair.context.last)
    known = frozenset(word for word, count in counts.items() if count >= _WELL_KNOWN)
    kept, dropped = select(listeners, known)
    _log.info("%d replies of listeners", len(listeners))
    for why, count in dropped.most_common():
        _log.info("  left out %6d: %s", count, why)
    scorer = Scorer(load_weights(weights))
    texts, pairs = list(kept), list(kept.values())
    chosen = without_doubles(scorer.replies.encode([(split_words(text),) for text in texts]))
    _log.info("  left out %6d: said before in other words", len(texts) - len(chosen))
    bank = ReplyBank(
        [texts[at] for at in chosen],
        np.array([pairs[at].emotion for at in chosen], np.uint8),
        scorer.contexts.encode([places_of(pairs[at].context) for at in chosen]),
    )
    save_bank(path, bank)
    _log.info("%s: %d replies, %d bytes", path, len(chosen), path.stat().st_size)


def _find_threshold(
    ranker: ReplyRanker, stories: Sequence[ReplyPair], others: Sequence[ReplyPair]
) -> float:
    """Return the score that best tells what is answered to stories from answers to other talk."""
    classifier = TextEmotionClassifier()

    def best_scores(pairs: Sequence[ReplyPair]) -> np.ndarray:
        found = []
        for pair in pairs[:_ASIDE]:
            context = pair.context
            said = [" ".join(words) for words in (context.before, context.last) if words]
            choice = ranker.choose(said, [], classifier.classify(said).probabilities)
            found.append(choice.score if choice else -np.inf)
        return np.array(found)

    threshold, answered, declined = scoring.find_threshold(
        best_scores(stories), best_scores(others)
    )
    _log.info(
        "at a score of %.2f: answers %.1f %% of %d stories, declines %.1f %% of %d other remarks",
        threshold, 100 * answered, min(_ASIDE, len(stories)), 100 * declined,
        min(_ASIDE, len(others)),
    )  # fmt: skip
    return threshold


if __name__ == "__main__":
    main()
