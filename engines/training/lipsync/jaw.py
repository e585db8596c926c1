"""Teach the jaw by a person: ``python -m rt_avatar.engines.training.lipsync.jaw --people FOLDER``.

FOLDER holds tracked clips (``people``). Phones are found by forced alignment (two minutes for 740
clips of 3 s), the network learns from them at several speeds (two minutes more, one thread).
"""

import argparse
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import soxr
import torch
from numpy.typing import NDArray
from torch import nn

from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.jaw import BEFORE, HIDDEN, INPUTS, Level, past_levels, window
from rt_avatar.engines.training.lipsync.people import TrackedClip, read_people
from rt_avatar.engines.types import FRAME_SAMPLES, SPEECH_RATE_HZ, Phoneme

_log = logging.getLogger("jaw")
Floats = NDArray[np.float32]
_JAW: Final = rows_of(("jawOpen",))[0]
_REST: Final = 0.012  # the tracked score of a shut mouth
_BATCH: Final = 256
_RATE: Final = 4e-3
_DROPOUT: Final = 0.1
_SLOWEST, _FASTEST = 0.8, 1.3
# Chosen by words left out of the training, not only clips (docs/LOG.md).
_LINEAR_SHARE: Final = 0.3
_RIDGE: Final = 1e-3
_LEAST_SPREAD: Final = 0.05  # inputs that hardly vary are not blown up


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """Frames of clips: what is heard around them (N, INPUTS), how far the jaw is open, the clip."""

    heard: Floats
    opening: Floats
    clip: NDArray[np.int64]


def main() -> None:
    """Read the clips, train, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.lipsync.jaw")
    parser.add_argument("--people", type=Path, required=True, help="folder of tracked clips")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--copies", type=int, default=3, help="at other speeds, of every clip")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/motion/jaw.npz"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(1)
    dice = np.random.default_rng(options.seed)
    clips = list(read_people(options.people, ("train",)))
    _log.info("%d clips are read", len(clips))
    speeds = [(1.0, *dice.uniform(_SLOWEST, _FASTEST, options.copies)) for _ in clips]
    examples = frames_of(clips, speeds)
    watched = list(read_people(options.people, ("validation",)))
    held_out = frames_of(watched, [(1.0,)] * len(watched))
    weights = train(examples, held_out, epochs=options.epochs, seed=options.seed)
    np.savez(options.output, allow_pickle=False, **weights)
    _log.info("%s: %d bytes", options.output, options.output.stat().st_size)


def frames_of(clips: Sequence[TrackedClip], speeds: Sequence[Sequence[float]]) -> Frames:
    """Return the frames of clips, each at its speeds (2 is twice as fast)."""
    heard: list[Floats] = []
    opening: list[Floats] = []
    index: list[NDArray[np.int64]] = []
    for clip, own in zip(clips, speeds, strict=True):
        jaw = np.clip(clip.shapes[:, _JAW] - _REST, 0, 1)
        for speed in own:
            count = int(clip.frames / speed)
            middles = np.arange(count) * FRAME_SAMPLES + FRAME_SAMPLES // 2
            phonemes = [
                Phoneme(p.ipa, round(p.start / speed), round(p.end / speed), p.stress)
                for p in clip.speech.phonemes
            ]
            at = (np.arange(count) + 0.5) * speed - 0.5
            asked = window(phonemes, middles)[0].reshape(count, -1)
            levels = np.concatenate((np.zeros(BEFORE, np.float32), _levels(clip, speed, count)))
            heard.append(np.hstack((asked, past_levels(levels)[::2])))
            opening.append(np.interp(at, np.arange(clip.frames), jaw).astype(np.float32))
            index.append(np.full(count, len(index)))
    return Frames(np.concatenate(heard), np.concatenate(opening), np.concatenate(index))


def _levels(clip: TrackedClip, speed: float, count: int) -> Floats:
    """Return two levels a frame of a clip that is played at another speed."""
    pcm = clip.speech.pcm
    if speed != 1.0:
        pcm = soxr.resample(pcm, speed * SPEECH_RATE_HZ, SPEECH_RATE_HZ, quality="MQ")
    whole = np.zeros(count * FRAME_SAMPLES, np.float32)
    whole[: len(pcm)] = pcm[: len(whole)]
    return Level().push(whole)


def train(examples: Frames, held_out: Frames, *, epochs: int, seed: int) -> dict[str, Floats]:
    """Return weights as ``engines.motion.jaw`` reads them; tell how they do every epoch.

    Args:
        examples: To learn from.
        held_out: Watched; how much they move sets how much the jaw moves.
        epochs: Times that all examples are seen.
        seed: Of beginning and order.
    """
    torch.manual_seed(seed)
    mean = examples.heard.mean(axis=0)
    spread = np.maximum(examples.heard.std(axis=0), _LEAST_SPREAD)
    unit = float(examples.opening.std())
    linear, bias = _fit_linear(examples)
    heard = torch.from_numpy((examples.heard - mean) / spread)
    watched = torch.from_numpy((held_out.heard - mean) / spread)
    asked = torch.from_numpy(examples.opening / unit)
    network = nn.Sequential(
        nn.Dropout(_DROPOUT),
        nn.Linear(INPUTS, HIDDEN),
        nn.ReLU(),
        nn.Dropout(_DROPOUT),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, 1),
    )
    steps = epochs * (len(asked) // _BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, steps)
    beside = _LINEAR_SHARE * (held_out.heard @ linear)
    began = time.monotonic()
    for epoch in range(epochs):
        order = torch.randperm(len(asked))[: len(asked) // _BATCH * _BATCH]
        losses = []
        network.train()
        for batch in order.split(_BATCH):
            loss = (network(heard[batch])[:, 0] - asked[batch]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        network.eval()
        with torch.no_grad():
            answer = beside + (1 - _LINEAR_SHARE) * unit * network(watched)[:, 0].numpy()
        left_s = (time.monotonic() - began) / (epoch + 1) * (epochs - epoch - 1)
        _log.info(
            "epoch %d of %d: loss %.3f, r on clips held out %.3f, %d s to go",
            epoch + 1, epochs, np.mean(losses), _correlation(answer, held_out), left_s,
        )  # fmt: skip
    packed = _packed(network, mean, spread, unit, linear, bias)
    # A regression moves less than who it learnt from.
    more = float(held_out.opening.std() / answer.std())
    for name in ("linear", "answer", "answer_bias"):
        packed[name] = (more * packed[name]).astype(np.float32)
    return packed


def _packed(
    network: nn.Sequential, mean: Floats, spread: Floats, unit: float, linear: Floats, bias: float
) -> dict[str, Floats]:
    """Return the weights with the inputs' mean and spread, and the jaw's unit, in them."""
    first, second, answer = (layer for layer in network if isinstance(layer, nn.Linear))
    into = first.weight.detach().numpy().T / spread[:, None]
    share = unit * (1 - _LINEAR_SHARE)
    return {
        "linear": (_LINEAR_SHARE * linear).astype(np.float32),
        "first": into.astype(np.float16),
        "first_bias": first.bias.detach().numpy() - mean @ into,
        "second": second.weight.detach().numpy().T.astype(np.float16),
        "second_bias": second.bias.detach().numpy(),
        "answer": answer.weight.detach().numpy()[0] * share,
        "answer_bias": np.float32(answer.bias.detach().numpy()[0] * share + _LINEAR_SHARE * bias),
    }


def _fit_linear(examples: Frames) -> tuple[Floats, float]:
    """Return ridge regression's weights (INPUTS,) and bias."""
    mean = examples.heard.mean(axis=0, dtype=np.float64)
    centred = examples.heard - mean
    opening = examples.opening.mean()
    gram = centred.T @ centred + _RIDGE * len(centred) * np.eye(INPUTS)
    weights = np.linalg.solve(gram, centred.T @ (examples.opening - opening))
    return weights.astype(np.float32), float(opening - mean @ weights)


def _correlation(answer: Floats, frames: Frames) -> float:
    """Return Pearson's r, mean over clips."""
    return float(
        np.mean(
            [
                np.corrcoef(answer[frames.clip == clip], frames.opening[frames.clip == clip])[0, 1]
                for clip in np.unique(frames.clip)
            ]
        )
    )


if __name__ == "__main__":
    main()
