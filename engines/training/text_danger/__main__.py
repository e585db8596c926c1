"""Make the network: ``python -m rt_avatar.engines.training.text_danger --data FOLDER``.

The sentences it learns from lie beside this file, and clauses of which turns of everyday life are
composed. ``FOLDER`` holds ``text/self_dialogue.jsonl.gz``:
real talk in which nobody is in danger, and of which those turns are learnt that the network takes
for danger. Where ``empathetic_dialogues/valid.jsonl.gz`` is there too, false alarms in it are told;
nothing is learnt from it.
"""

import argparse
import gzip
import json
import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.text_danger.classifier import CLASSES, DANGERS, HEARD, TextDangerClassifier
from rt_avatar.engines.text_danger.features import danger_grams, split_words
from rt_avatar.engines.training.text_danger.everyday import compose_everyday, read_clauses
from rt_avatar.engines.training.text_danger.sentences import NONE, Sentence, read_sentences
from rt_avatar.engines.training.text_emotion.calibration import shares_of
from rt_avatar.engines.training.text_emotion.linear import Linear, train_linear
from rt_avatar.engines.training.text_emotion.packing import pack_linear, save

_log = logging.getLogger("text_danger")
_HERE: Final = Path(__file__).parent
_MIN_COUNT: Final = 4  # sentences with an n-gram
_PENALTY: Final = 0.2
_EVERYDAY: Final = 14_000  # turns that are composed
_BEGIN: Final = 8_000  # turns of real talk, drawn at random
_MINED: Final = 6_000  # turns more of it in each round, those that sound most like danger
_ROUNDS: Final = 2
_KEPT_OUT: Final = 30_000  # turns of real talk to measure on
_AT_ONCE: Final = 20_000


def main() -> None:
    """Learn, mine real talk for what is wrongly heard, learn again, write the file, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.text_danger")
    parser.add_argument("--data", type=Path, required=True, help="with text/")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", type=Path, help="sentences that are only measured on")
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/text_danger"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    written = read_sentences(_HERE / "sentences.tsv")
    written += _everyday(options.seed)
    talk = list(_real_talk(options.data / "text" / "self_dialogue.jsonl.gz"))
    random.Random(options.seed).shuffle(talk)
    kept_out, talk = talk[:_KEPT_OUT], talk[_KEPT_OUT:]
    linear = _learn(written, talk)
    path = options.output / "weights.npz"
    weights = pack_linear(linear)
    labels, bias = np.array(DANGERS), linear.bias.astype(np.float16)
    save(path, weights | {"labels": labels, "linear_bias": bias})
    _log.info("%s: %d bytes", path, path.stat().st_size)
    _measure(path, options.held_out, kept_out, options.data)


def _everyday(seed: int) -> list[Sentence]:
    """Return composed turns of everyday life, each once."""
    turns = compose_everyday(read_clauses(_HERE / "everyday.txt"), _EVERYDAY, seed)
    return [Sentence(split_words(text), NONE, text) for text in dict.fromkeys(turns)]


def _learn(written: Sequence[Sentence], talk: Sequence[Sentence]) -> Linear:
    real = list(talk[:_BEGIN])
    linear = _train([*written, *real])
    for _ in range(_ROUNDS):
        starts = range(0, len(talk), _AT_ONCE)
        heard = np.concatenate([_dangers(linear, talk[at : at + _AT_ONCE]) for at in starts])
        known = {one.text for one in real}
        mined = [talk[at] for at in np.argsort(-heard, kind="stable")[:_MINED]]
        real += [one for one in mined if one.text not in known]
        _log.info("%d turns of real talk", len(real))
        linear = _train([*written, *real])
    return linear


def _dangers(linear: Linear, talk: Sequence[Sentence]) -> np.ndarray:
    """Return the probability (turns,) of all dangers together."""
    shares = shares_of(linear.scores([one.words for one in talk]))
    found: np.ndarray = 1 - shares[:, NONE]
    return found


def _train(sentences: Sequence[Sentence]) -> Linear:
    return train_linear(
        [one.words for one in sentences],
        [one.kind for one in sentences],
        _MIN_COUNT,
        danger_grams,
        classes=CLASSES,
        penalty=_PENALTY,
    )


def _real_talk(path: Path) -> Iterator[Sentence]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for text in json.loads(line)["turns"]:
                if words := split_words(text):
                    yield Sentence(words, NONE, text)


def _measure(path: Path, held_out: Path | None, talk: Sequence[Sentence], data: Path) -> None:
    """Log what the file as it ships hears."""
    classifier = TextDangerClassifier(path)

    def heard(texts: Sequence[str]) -> float:
        found = [classifier.classify(text).probability >= HEARD for text in texts]
        return 100 * sum(found) / max(len(found), 1)

    told = "%s: %.2f %% of %d"
    _log.info(told, "real talk, nobody in danger", heard([one.text for one in talk]), len(talk))
    stories = data / "empathetic_dialogues" / "valid.jsonl.gz"
    if stories.exists():
        with gzip.open(stories, "rt", encoding="utf-8") as lines:
            said = [
                turn["text"]
                for line in lines
                for turn in json.loads(line)["turns"]
                if turn["role"] == "speaker"
            ]
        _log.info(told, "stories of strong feelings", heard(said), len(said))
    if held_out is not None:
        sentences = read_sentences(held_out)
        for at, kind in enumerate((*DANGERS, "none")):
            texts = [one.text for one in sentences if one.kind == at]
            _log.info(told, f"held out, {kind}", heard(texts), len(texts))


if __name__ == "__main__":
    main()
