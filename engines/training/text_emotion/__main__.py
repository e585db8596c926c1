"""Make the network: ``python -m rt_avatar.engines.training.text_emotion --data FOLDER``.

``FOLDER`` holds ``empathetic_dialogues/{train,valid}.jsonl.gz`` and ``text/`` with
``self_dialogue.jsonl.gz`` and ``books.txt.xz``. Vectors and checkpoints are kept in the folder
``--work``, from which a stopped training goes on. ``valid`` is only measured on.
"""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.emotion_words import COARSE, FINE
from rt_avatar.engines.text_emotion.network import load_weights, probabilities
from rt_avatar.engines.training.text_emotion import calibration
from rt_avatar.engines.training.text_emotion.dialogues import LabelledDialogue, read_labelled
from rt_avatar.engines.training.text_emotion.embeddings import make_vectors
from rt_avatar.engines.training.text_emotion.linear import Linear, train_linear
from rt_avatar.engines.training.text_emotion.model import scores_of
from rt_avatar.engines.training.text_emotion.packing import pack, save
from rt_avatar.engines.training.text_emotion.train import Plan, to_ids, train
from rt_avatar.engines.types import EMOTIONS

_log = logging.getLogger("text_emotion")
_WORDS: Final = 16_000  # with a vector
_MIN_COUNT: Final = 3  # texts with a word or a pair
_CLASS: Final = np.array([EMOTIONS.index(COARSE[fine]) for fine in FINE])


def main() -> None:
    """Make vectors, train both parts, weigh them, write the file, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.text_emotion")
    parser.add_argument(
        "--data", type=Path, required=True, help="with empathetic_dialogues/, text/"
    )
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("build/text_emotion"))
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/text_emotion"))
    parser.add_argument("--picture", type=Path, help="reliability diagram to write, a PNG")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)  # so small a network is slower on two
    options.work.mkdir(parents=True, exist_ok=True)
    labelled = read_labelled(options.data / "empathetic_dialogues" / "train.jsonl.gz")
    valid = read_labelled(options.data / "empathetic_dialogues" / "valid.jsonl.gz")
    learning = [one for one in labelled if not one.is_for_choosing]
    choosing = [one for one in labelled if one.is_for_choosing]
    baseline = train_linear([one.said() for one in learning], [one.label for one in learning])
    linear = train_linear(
        [text for one in learning for text in (one.said(), one.situation)],
        [one.label for one in learning for _ in range(2)],
        _MIN_COUNT,
    )
    words, vectors = _vectors(learning, options.data / "text", options.work, options.seed)
    vocabulary = {word: row for row, word in enumerate(words)}
    checkpoint = options.work / f"checkpoint-{options.seed}.pt"
    model = train(
        learning, choosing, vocabulary, vectors, Plan(options.epochs, options.seed, checkpoint)
    )
    labels = _labels(choosing)
    heard = [one.said() for one in choosing]
    parts = [
        linear.scores(heard),
        scores_of(model, [to_ids(text, vocabulary) for text in heard]),
    ]
    weights = calibration.calibrate(parts, labels)
    shares = calibration.shares_of(sum(w * part for w, part in zip(weights, parts, strict=True)))
    threshold = calibration.find_threshold(shares, shares.argmax(1) == labels)
    _log.info("weight of the linear scores, of the others, threshold: %s, %.3f", weights, threshold)
    path = options.output / "weights.npz"
    save(path, pack(linear, model, words, [*weights, threshold]))
    _log.info("%s: %d bytes", path, path.stat().st_size)
    _measure(path, valid, baseline, options.picture)


def _vectors(
    learning: Sequence[LabelledDialogue], folder: Path, work: Path, seed: int
) -> tuple[list[str], np.ndarray]:
    kept = work / f"vectors-{seed}.npz"
    if not kept.exists():
        words, vectors = make_vectors(learning, folder, _WORDS, seed)
        save(kept, {"words": np.array(words), "vectors": vectors})
    with np.load(kept, allow_pickle=False) as stored:
        return stored["words"].tolist(), stored["vectors"]


def _labels(dialogues: Sequence[LabelledDialogue]) -> np.ndarray:
    return np.array([one.label for one in dialogues])


def _measure(
    path: Path, valid: Sequence[LabelledDialogue], baseline: Linear, picture: Path | None
) -> None:
    """Log accuracy and calibration of the file as it ships."""
    weights, labels = load_weights(path), _labels(valid)
    linear = baseline.scores([one.said() for one in valid]).argmax(1) == labels
    _log.info("TF-IDF, linear, of the dialogues alone: %.2f %%", 100 * linear.mean())
    shares = np.array([probabilities(weights, one.said()) for one in valid])
    right = shares.argmax(1) == labels
    found = calibration.reliability(shares, labels)
    sure = shares.max(1) >= weights["calibration"][2]
    coarse = _CLASS[shares.argmax(1)] == _CLASS[labels]
    _log.info(
        "the network: %.2f %% of 32, %.2f %% of 7, %d dialogues",
        100 * right.mean(), 100 * coarse.mean(), len(valid),
    )  # fmt: skip
    _log.info(
        "expected calibration error %.2f %%; named %.1f %%, of these right %.1f %%",
        100 * found.error, 100 * sure.mean(), 100 * right[sure].mean(),
    )  # fmt: skip
    for turns in (1, 2, 3, 4):
        those = [at for at, one in enumerate(valid) if len(one.turns) >= turns]
        if not those:
            break
        heard = np.array([probabilities(weights, valid[at].said(turns)) for at in those])
        share = 100 * (heard.argmax(1) == labels[those]).mean()
        _log.info("%d turns heard: %.2f %% of %d dialogues", turns, share, len(those))
    if picture is not None:
        calibration.draw(picture, found, f"Emotion of 32, {len(valid)} dialogues")
        _log.info("%s", picture)


if __name__ == "__main__":
    main()
