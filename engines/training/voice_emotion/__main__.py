"""Make the network: ``python -m rt_avatar.engines.training.voice_emotion --data FOLDER``.

``FOLDER`` holds ``speech/ravdess`` and the readers ``speech/{cathy,lj,libri}``. Frames and folds
are kept in the folder ``--work``, from which a stopped run goes on.
"""

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from rt_avatar.engines.training.voice_emotion.folds import (
    Corpus,
    Mask,
    corpus_of,
    cross_validate,
    learn,
)
from rt_avatar.engines.training.voice_emotion.recordings import (
    HELD_OUT_READERS,
    make_rows,
    read_recordings,
)
from rt_avatar.engines.training.voice_emotion.report import (
    find_exponent,
    judge_readers,
    write_card,
)
from rt_avatar.engines.voice_emotion.network import load_weights

_log = logging.getLogger("voice_emotion")


def main() -> None:
    """Make functionals, judge by folds, learn from all, write the weights and their card."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.voice_emotion")
    parser.add_argument("--data", type=Path, required=True, help="folder with speech/")
    parser.add_argument("--steps", type=int, default=700, help="of each training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by-text", action="store_true", help="also leave a sentence out")
    parser.add_argument("--work", type=Path, default=Path("build/voice_emotion"))
    parser.add_argument("-o", "--out", type=Path, default=Path("engines/voice_emotion"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)  # so small a network is slower on two
    recordings = read_recordings(options.data)
    whole = corpus_of(recordings, make_rows(recordings, options.work / "frames"))
    is_other = np.isin(whole.speakers, sorted(HELD_OUT_READERS))
    corpus, readers = _part(whole, ~is_other), _part(whole, is_other)
    folds = options.work / "folds"
    said = cross_validate(corpus, options.steps, options.seed, folds)
    by_text = None
    if options.by_text:
        by_text = cross_validate(corpus, options.steps, options.seed, folds, by_text=True)
    labels = corpus.labels[corpus.acted]
    exponents = [find_exponent(one[corpus.acted], labels) for one in said]
    _log.info("exponents of the probabilities, neutral unknown and known: %s", exponents)
    every = np.ones(len(corpus.labels), bool)
    absolute, relative = learn(corpus, every, options.steps, options.seed)
    path = options.out / "weights.npz"
    arrays = absolute.arrays() | relative.arrays()
    arrays["calibration"] = np.array(exponents, np.float32)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    weights = load_weights(path)
    figures = {
        "own neutral unknown": judge_readers(weights, readers, knows_neutral=False),
        "own neutral known": judge_readers(weights, readers, knows_neutral=True),
        "known, then 10 dB quieter": judge_readers(
            weights, readers, knows_neutral=True, quieter=True
        ),
    }
    command = "python -m rt_avatar.engines.training.voice_emotion --data FOLDER"
    command += f" --steps {options.steps} --seed {options.seed}"
    command += " --by-text" if options.by_text else ""
    card = options.out / "MODEL_CARD.md"
    text = write_card(card, command, corpus, said, by_text, figures, path.stat().st_size)
    _log.info("%s: %d bytes\n%s", path, path.stat().st_size, text)


def _part(corpus: Corpus, chosen: Mask) -> Corpus:
    """Return some recordings of a corpus."""
    return replace(
        corpus,
        rows=corpus.rows[chosen], labels=corpus.labels[chosen], speakers=corpus.speakers[chosen],
        texts=corpus.texts[chosen], acted=corpus.acted[chosen],
    )  # fmt: skip


if __name__ == "__main__":
    main()
