"""Make who tells the end of a turn: ``python -m rt_avatar.engines.training.end_of_turn --data D``.

``D`` holds ``speech/cathy``, ``speech/libri`` and ``text/self_dialogue.jsonl.gz``. Examples are
made first and kept in the folder ``--work``, with a checkpoint from which a stopped training goes
on.
"""

import argparse
import logging
import random
import shutil
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.end_of_turn.ngrams import EndOfTurnNgrams
from rt_avatar.engines.training.end_of_turn.combine import combine
from rt_avatar.engines.training.end_of_turn.examples import (
    CHOOSING,
    make_examples,
    training_recordings,
)
from rt_avatar.engines.training.end_of_turn.train import Plan, train
from rt_avatar.engines.training.end_of_turn.words import read_turns, train_ngrams

_log = logging.getLogger("end_of_turn")
_COMBINING: Final = 12  # recordings


def main() -> None:
    """Make examples, train, weigh sound against words, write both files."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.end_of_turn")
    parser.add_argument("--data", type=Path, required=True, help="folder with speech/ and text/")
    parser.add_argument("--recordings", type=int, default=800, help="at most so many to learn from")
    parser.add_argument("--steps", type=int, default=320)
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
    choosing = training_recordings(options.data, CHOOSING)
    work = options.work / "examples"
    learning = training_recordings(options.data)
    random.Random(0).shuffle(learning)
    learning.sort(key=lambda one: one.corpus != "libri")  # those with several pauses teach most
    examples = make_examples(learning[: options.recordings], work, options.seed)
    others = make_examples(choosing, work, options.seed)
    checkpoint = options.work / f"checkpoint-{options.seed}.pt"
    weights = train(examples, others, Plan(options.steps, options.seed, checkpoint))
    step = max(1, len(choosing) // _COMBINING)
    weights["combination"] = combine(choosing[::step], weights, EndOfTurnNgrams(ngrams))
    _log.info("offset, weight of the sound, of the words: %s", weights["combination"])
    _save(options.output / "weights.npz", weights)


def _save(path: Path, arrays: dict[str, np.ndarray]) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    _log.info("%s: %d bytes", path, path.stat().st_size)


if __name__ == "__main__":
    main()
