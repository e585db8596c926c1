"""Make lexicon and network: ``python -m rt_avatar.engines.training.g2p --dictionary cmudict.dict``.

``cmudict.dict`` is the file of github.com/cmusphinx/cmudict. The checkpoint in ``--work`` is where
a stopped training goes on. The last line tells the errors on held-out words.
"""

import argparse
import logging
from pathlib import Path

import torch

from rt_avatar.engines.g2p.lexicon import save_lexicon
from rt_avatar.engines.g2p.network import LetterToSound, load_weights, save_weights
from rt_avatar.engines.training.g2p.dictionary import (
    SUPPLEMENT,
    lexicon_entries,
    read_dictionary,
    split,
)
from rt_avatar.engines.training.g2p.errors import measure
from rt_avatar.engines.training.g2p.train import Plan, train

_log = logging.getLogger("g2p")


def main() -> None:
    """Pack the dictionary, train the network, write both, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.g2p")
    parser.add_argument("--dictionary", type=Path, required=True, help="cmudict.dict")
    parser.add_argument("--steps", type=int, default=8000, help="0: only pack and measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("build/g2p"))
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/g2p"), help="a folder")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    options.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # so small a network is slower on two
    entries = read_dictionary(options.dictionary)
    lexicon, weights = options.output / "lexicon.npz", options.output / "weights.npz"
    packed = lexicon_entries(entries, read_dictionary(SUPPLEMENT))
    save_lexicon(lexicon, packed)
    _log.info("%s: %d words, %d bytes", lexicon, len(packed), lexicon.stat().st_size)
    parts = split(entries)
    if options.steps:
        checkpoint = options.work / f"checkpoint-{options.seed}.pt"
        save_weights(weights, train(parts, Plan(options.steps, options.seed, checkpoint)))
        _log.info("%s: %d bytes", weights, weights.stat().st_size)
    _log.info("g2p test %s", measure(LetterToSound(load_weights(weights)), parts.test))


if __name__ == "__main__":
    main()
