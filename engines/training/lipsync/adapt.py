"""Teach the network of the mouth by people.

    python -m rt_avatar.engines.training.lipsync.adapt --people FOLDER --data DATA

FOLDER holds tracked clips (``people``), DATA ``speech/cathy``, ``speech/lj`` and ``speech/libri``.
It begins with weights that ``python -m rt_avatar.engines.training.lipsync`` made; these also teach
the mouth of voices that nobody tracked. Needs no flite.
"""

import argparse
import logging
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.lipsync.network import Network
from rt_avatar.engines.training.lipsync.clips import Cast, Examples
from rt_avatar.engines.training.lipsync.people import read_people
from rt_avatar.engines.training.lipsync.speakers import HELD_OUT_ESPEAK, espeak_variants
from rt_avatar.engines.training.lipsync.tracked_examples import (
    draw_examples,
    reader_source,
    synthetic_source,
    tracked_source,
)
from rt_avatar.engines.training.lipsync.train import Plan, train
from rt_avatar.engines.training.voice.corpora import Recording, read_corpora, read_sound
from rt_avatar.engines.types import Pcm

_log = logging.getLogger("lipsync")
# Readers who are measured only.
HELD_OUT_READERS: Final = ("7367", "118", "1867", "332")
# Clips of 10 s of each kind, and of each for watching the training.
_TRACKED, _READERS, _SYNTHETIC = 320, 120, 80
_HELD_OUT_CLIPS: Final = 16


def main() -> None:
    """Make examples, train, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.lipsync.adapt")
    parser.add_argument("--people", type=Path, required=True, help="folder of tracked clips")
    parser.add_argument("--data", type=Path, required=True, help="holds speech/…")
    parser.add_argument("--initial", type=Path, required=True, help="weights to begin with")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=0.65, help="of what was learnt, 0 to 1")
    parser.add_argument("--work", type=Path, default=Path("build/lipsync"))
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/lipsync/weights.npz"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    options.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    network = Network(options.initial)
    examples, held_out = _examples(options, network)
    checkpoint = options.work / f"adapted-{options.seed}.pt"
    plan = Plan(options.steps, options.seed, checkpoint, rate=1.5e-3, initial=network.weights)
    learnt = train(examples, held_out, plan)
    # Between both ends other voices lose less, and the mouth leads a little, as viewers prefer
    # (M. Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022).
    weights = {
        name: ((1 - options.share) * before + options.share * learnt[name]).astype(np.float32)
        for name, before in network.weights.items()
    }
    with options.output.open("wb") as file:
        np.savez(file, allow_pickle=False, **weights)
    _log.info("%s: %d bytes", options.output, options.output.stat().st_size)


def _examples(options: argparse.Namespace, network: Network) -> tuple[Examples, Examples]:
    tracked = tracked_source(list(read_people(options.people, ("train",))))
    watched = tracked_source(list(read_people(options.people, ("validation",))))
    _log.info("tracked clips are read")
    readers = reader_source(
        [
            partial(_sound, recording)
            for recording in read_corpora(options.data)
            if recording.speaker not in HELD_OUT_READERS
        ],
        network,
    )
    variants = [name for name in espeak_variants() if name not in HELD_OUT_ESPEAK]
    synthetic = synthetic_source(Cast(tuple(variants), ()))
    parts = [
        draw_examples(source, count, options.seed + 1000 * index)
        for index, (source, count) in enumerate(
            ((tracked, _TRACKED), (readers, _READERS), (synthetic, _SYNTHETIC))
        )
    ]
    _log.info("examples are made")
    joined = Examples(
        np.concatenate([part.heard for part in parts]),
        np.concatenate([part.asked for part in parts]),
    )
    return joined, draw_examples(watched, _HELD_OUT_CLIPS, options.seed + 9000)


def _sound(recording: Recording) -> Pcm:
    return read_sound(recording)[0]


if __name__ == "__main__":
    main()
