"""Teach the mouth by a person.

    python -m rt_avatar.engines.training.lipsync.learnt_mouth --people FOLDER

FOLDER holds tracked clips (``people``). Phones are found by forced alignment (two minutes for 740
clips of 3 s); then one network learns from sounds and sound, and one from sound alone, at several
speeds and as other voices (five minutes each, one thread).
"""

import argparse
import logging
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from rt_avatar.engines.motion.learnt_mouth import FROM_PHONES, FROM_SOUND, HIDDEN, OUTPUTS, Kind
from rt_avatar.engines.training.lipsync.mouth_examples import (
    Frames,
    frames_of,
    noises_of,
    scale_of,
    takes_of,
)
from rt_avatar.engines.training.lipsync.people import read_people

_log = logging.getLogger("mouth")
Floats = NDArray[np.float32]
_BATCH: Final = 512
_RATE: Final = 3e-3
_DECAY: Final = 0.1
_SLOWEST, _FASTEST = 0.8, 1.3
# Chosen by words left out of the training, not only clips (docs/LOG.md).
_LINEAR_SHARE: Final = 0.3
_RIDGE: Final = 1e-3
_LEAST_SPREAD: Final = 0.05  # inputs that hardly vary are not blown up
_TAKES_A_NOISE: Final = 10


def main() -> None:
    """Read the clips, train, write the weights."""
    name = "rt_avatar.engines.training.lipsync.learnt_mouth"
    parser = argparse.ArgumentParser(prog=f"python -m {name}")
    parser.add_argument("--people", type=Path, required=True, help="folder of tracked clips")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--copies", type=int, default=3, help="at other speeds, of every clip")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("engines"), help="folder")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)
    dice = np.random.default_rng(options.seed)
    clips = list(read_people(options.people, ("train",)))
    watched = list(read_people(options.people, ("validation",)))
    _log.info("%d clips are read", len(clips))
    rest, scale = scale_of(clips)
    speeds = [(1.0, *dice.uniform(_SLOWEST, _FASTEST, options.copies)) for _ in clips]
    takes = list(takes_of(clips, speeds, (rest, scale), dice))
    held_out = list(takes_of(watched, [(1.0,)] * len(watched), (rest, scale), None))
    _log.info("%d takes are made", len(takes))
    noises = list(noises_of(len(takes) // _TAKES_A_NOISE, dice))
    for kind, folder in ((FROM_PHONES, "motion"), (FROM_SOUND, "lipsync")):
        path = options.output / folder / "mouth.npz"
        examples = frames_of(takes if kind.has_phones else takes + noises, kind, dice)
        weights = train(kind, examples, frames_of(held_out, kind, None), options)
        np.savez(path, allow_pickle=False, **weights)
        _log.info("%s: %d bytes", path, path.stat().st_size)


def train(
    kind: Kind, examples: Frames, held_out: Frames, options: argparse.Namespace
) -> dict[str, Floats]:
    """Return weights as ``engines.motion.learnt_mouth`` reads them; tell how they do every epoch.

    Args:
        kind: What the network is told.
        examples: To learn from.
        held_out: Watched; how much they move sets how much the mouth moves.
        options: ``epochs``: times that all examples are seen; ``seed``: of beginning and order.
    """
    torch.manual_seed(options.seed)
    mean = examples.known.mean(axis=0)
    spread = np.maximum(examples.known.std(axis=0), _LEAST_SPREAD)
    unit = np.maximum(examples.mouth.std(axis=0), 1e-6)
    linear, bias = _fit_linear(examples)
    known = torch.from_numpy((examples.known - mean) / spread)
    watched = torch.from_numpy((held_out.known - mean) / spread)
    asked = torch.from_numpy(examples.mouth / unit)
    network = _network(kind)
    steps = options.epochs * (len(asked) // _BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, steps)
    beside = _LINEAR_SHARE * (held_out.known @ linear)
    began = time.monotonic()
    for epoch in range(options.epochs):
        order = torch.randperm(len(asked))[: len(asked) // _BATCH * _BATCH]
        losses = []
        network.train()
        for batch in order.split(_BATCH):
            loss = (network(known[batch]) - asked[batch]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        network.eval()
        with torch.no_grad():
            answer = beside + (1 - _LINEAR_SHARE) * unit * network(watched).numpy()
        left_s = (time.monotonic() - began) / (epoch + 1) * (options.epochs - epoch - 1)
        _log.info(
            "%s: epoch %d of %d: loss %.3f, r on clips held out %s, %d s to go",
            kind.name, epoch + 1, options.epochs, np.mean(losses),
            " ".join(f"{r:.3f}" for r in _correlations(answer, held_out)), left_s,
        )  # fmt: skip
    packed = _packed(network, mean, spread, unit, linear, bias)
    # A regression moves less than who it learnt from.
    more = held_out.mouth.std(axis=0) / np.maximum(answer.std(axis=0), 1e-6)
    for name in ("linear", "answer", "answer_bias"):
        packed[name] = (more * packed[name]).astype(np.float32)
    packed["linear"] = packed["linear"].astype(np.float16)
    return packed


def _network(kind: Kind) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(kind.inputs, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, OUTPUTS),
    )


def _packed(
    network: nn.Sequential, mean: Floats, spread: Floats, unit: Floats, linear: Floats, bias: Floats
) -> dict[str, Floats]:
    """Return the weights with the inputs' mean and spread, and the mouth's units, in them."""
    first, second, answer = (layer for layer in network if isinstance(layer, nn.Linear))
    into = first.weight.detach().numpy().T / spread[:, None]
    share = unit * (1 - _LINEAR_SHARE)
    return {
        "linear": _LINEAR_SHARE * linear,
        "first": into.astype(np.float16),
        "first_bias": first.bias.detach().numpy() - mean @ into,
        "second": second.weight.detach().numpy().T.astype(np.float16),
        "second_bias": second.bias.detach().numpy(),
        "answer": answer.weight.detach().numpy().T * share,
        "answer_bias": answer.bias.detach().numpy() * share + _LINEAR_SHARE * bias,
    }


def _fit_linear(examples: Frames) -> tuple[Floats, Floats]:
    """Return ridge regression's weights (inputs, OUTPUTS) and biases."""
    mean = examples.known.mean(axis=0, dtype=np.float64)
    mouth = examples.mouth.mean(axis=0, dtype=np.float64)
    centred = examples.known - mean.astype(np.float32)
    gram = (centred.T @ centred).astype(np.float64) + _RIDGE * len(centred) * np.eye(len(mean))
    weights = np.linalg.solve(gram, centred.T @ (examples.mouth - mouth.astype(np.float32)))
    return weights.astype(np.float32), (mouth - mean @ weights).astype(np.float32)


def _correlations(answer: Floats, frames: Frames) -> Floats:
    """Return Pearson's r of each output, mean over takes."""
    rows = []
    for take in np.unique(frames.take):
        here = frames.take == take
        mine, theirs = answer[here], frames.mouth[here]
        mine, theirs = mine - mine.mean(axis=0), theirs - theirs.mean(axis=0)
        size = np.sqrt((mine**2).sum(axis=0) * (theirs**2).sum(axis=0))
        rows.append((mine * theirs).sum(axis=0) / np.maximum(size, 1e-9))
    correlations: Floats = np.mean(rows, axis=0)
    return correlations


if __name__ == "__main__":
    main()
