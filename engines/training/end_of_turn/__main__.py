"""Make who tells the end of a turn: ``python -m rt_avatar.engines.training.end_of_turn --data D``.

``D`` holds ``speech/cathy``, ``speech/libri`` and ``text/self_dialogue.jsonl.gz``. Examples are
made first and kept in the folder ``--work``, with a checkpoint from which a stopped training goes
on.
"""

import argparse
import logging
import shutil
from pathlib import Path

import numpy as np
import torch

from rt_avatar.engines.training.end_of_turn.examples import (
    CHOOSING,
    make_examples,
    training_recordings,
)
from rt_avatar.engines.training.end_of_turn.train import Looks, Plan, train
from rt_avatar.engines.training.end_of_turn.words import read_turns, train_ngrams

_log = logging.getLogger("end_of_turn")


def main() -> None:
    """Make examples, train, write both files."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.end_of_turn")
    parser.add_argument("--data", type=Path, required=True, help="folder with speech/ and text/")
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("build/end_of_turn"))
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/end_of_turn"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)  # so small a network is slower on two
    options.work.mkdir(parents=True, exist_ok=True)
    ngrams = options.work / "ngrams.npz"
    if not ngrams.exists():
        keys, logits = train_ngrams(read_turns(options.data / "text" / "self_dialogue.jsonl.gz"))
        _save(ngrams, {"keys": keys, "logits": logits})
    shutil.copy(ngrams, options.output)
    learning = training_recordings(options.data)
    examples = make_examples(learning, options.work / "examples", options.seed)
    choosing = training_recordings(options.data, CHOOSING)
    others = make_examples(choosing, options.work / "others", options.seed, is_harder=False)
    plan = Plan(options.steps, options.seed, options.work / f"checkpoint-{options.seed}.pt")
    weights = train(Looks(examples), Looks(others), plan)
    _save(options.output / "weights.npz", weights)


def _save(path: Path, arrays: dict[str, np.ndarray]) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    _log.info("%s: %d bytes", path, path.stat().st_size)


if __name__ == "__main__":
    main()
