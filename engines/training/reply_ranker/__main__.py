"""Make the ranker: ``python -m rt_avatar.engines.training.reply_ranker --data FOLDER``.

``FOLDER`` holds ``empathetic_dialogues/{train,valid}.jsonl.gz`` and
``text/self_dialogue.jsonl.gz``; ``--vectors`` are those that ``training.text_emotion`` left in its
folder of work. A training that was stopped goes on from ``--work``. ``valid`` is only measured on.
"""

import argparse
import logging
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.reply_ranker.network import load_weights
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.training.reply_ranker import scoring
from rt_avatar.engines.training.reply_ranker.model import BiEncoder
from rt_avatar.engines.training.reply_ranker.packing import pack
from rt_avatar.engines.training.reply_ranker.pairs import read_open_pairs, read_pairs
from rt_avatar.engines.training.reply_ranker.train import Course, train
from rt_avatar.engines.training.reply_ranker.words import count_words
from rt_avatar.engines.training.text_emotion.packing import save

_log = logging.getLogger("reply_ranker")
_BATCH: Final = 512
_OPEN_RATE, _LISTENERS_RATE = 2e-3, 1.5e-3


def main() -> None:
    """Train, weigh, write the network, measure."""
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
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)
    options.work.mkdir(parents=True, exist_ok=True)
    folder = options.data / "empathetic_dialogues"
    pairs = read_pairs(folder / "train.jsonl.gz")
    valid = read_pairs(folder / "valid.jsonl.gz")
    others = read_open_pairs(options.data / "text" / "self_dialogue.jsonl.gz")
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
    save(path, pack(model, statistics, (1.0, 0.0)))
    weighed = scoring.fit(Scorer(load_weights(path)), choosing)
    save(path, pack(model, statistics, weighed))
    _log.info("%s: %d bytes; scoring %s", path, path.stat().st_size, weighed)
    measured = [pair for pair in valid if pair.is_listener]
    first, tenth = scoring.recall(Scorer(load_weights(path)), measured, (1, 10))
    _log.info("valid: recall of 100: @1 %.1f %%, @10 %.1f %%", 100 * first, 100 * tenth)


if __name__ == "__main__":
    main()
