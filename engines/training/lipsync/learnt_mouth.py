"""Teach the mouth by a person.

    python -m rt_avatar.engines.training.lipsync.learnt_mouth --people FOLDER

FOLDER holds tracked clips (``people``). Phones are found by forced alignment (two minutes for 740
clips of 3 s); then one network learns from sounds and sound, and one from sound alone, at several
speeds and as other voices (five minutes each, one thread).
"""

import argparse
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import soxr
import torch
from numpy.typing import NDArray
from torch import nn

from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.learnt_mouth import (
    FROM_PHONES,
    FROM_SOUND,
    HIDDEN,
    JAW,
    OUTPUTS,
    PHONE_INPUTS,
    SHAPES,
    TAPS,
    Kind,
    Level,
    around,
    steps_of,
    window,
)
from rt_avatar.engines.motion.spectrum import BANDS, Spectrum
from rt_avatar.engines.training.lipsync.augment import disguise
from rt_avatar.engines.training.lipsync.measure import reference
from rt_avatar.engines.training.lipsync.people import TrackedClip, read_people
from rt_avatar.engines.training.lipsync.tracked_examples import touches
from rt_avatar.engines.types import FRAME_SAMPLES, SPEECH_RATE_HZ, Phoneme

_log = logging.getLogger("mouth")
Floats = NDArray[np.float32]
_ROWS: Final = [rows_of((name,)) for name in SHAPES]
_JAW_REST: Final = 0.012  # the tracked score of a shut mouth
_REST_PERCENTILE: Final = 10.0  # of the lips' scores
_SCALED_BY: Final = 60  # clips whose rules say how far each shape of the lips moves
_BATCH: Final = 512
_RATE: Final = 3e-3
_DROPOUT: Final = (0.1, 0.15, 0.15)
_DECAY: Final = 1e-2
_SLOWEST, _FASTEST = 0.8, 1.3
# Chosen by words left out of the training, not only clips (docs/LOG.md).
_LINEAR_SHARE: Final = 0.3
_RIDGE: Final = 1e-3
_LEAST_SPREAD: Final = 0.05  # inputs that hardly vary are not blown up
# Sound that says nothing of the sounds: phones must do alone, too.
_UNHEARD_SHARE: Final = 0.1
_DISGUISED_SHARE: Final = 0.5
_TAKES_A_NOISE: Final = 10
_NOISE_FRAMES: Final = 75
_UNDISGUISED_NOISE: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One clip at one speed: sounds (T, …), bands (4 T, BANDS), levels (2 T, 1), mouth (T, …)."""

    asked: Floats
    bands: Floats
    levels: Floats
    mouth: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """Frames of takes: what is known of each (N, inputs), the mouth (N, OUTPUTS), the take."""

    known: Floats
    mouth: Floats
    take: NDArray[np.int64]


def main() -> None:
    """Read the clips, train, write the weights."""
    name = "rt_avatar.engines.training.lipsync.learnt_mouth"
    parser = argparse.ArgumentParser(prog=f"python -m {name}")
    parser.add_argument("--people", type=Path, required=True, help="folder of tracked clips")
    parser.add_argument("--epochs", type=int, default=8)
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


def scale_of(clips: Sequence[TrackedClip]) -> tuple[Floats, Floats]:
    """Return of each shape the tracked score at rest, and by how much more the rules move it.

    The jaw is as the tracker has it. Its scores of the lips are tiny: they say when, not how far.
    """
    rest = np.full(len(SHAPES), _JAW_REST, np.float32)
    scale = np.ones(len(SHAPES), np.float32)
    some = clips[:: max(1, len(clips) // _SCALED_BY)]
    theirs = np.concatenate([_tracked(clip) for clip in some])
    motions = np.concatenate([reference(clip.speech)[: clip.frames] for clip in some])
    for index in range(JAW + 1, len(SHAPES)):
        rest[index] = np.percentile(theirs[:, index], _REST_PERCENTILE)
        rules = motions[:, _ROWS[index]].mean(axis=1)
        scale[index] = rules.std() / max(1e-6, float(theirs[:, index].std()))
    return rest, scale


def _tracked(clip: TrackedClip) -> Floats:
    return np.column_stack([clip.shapes[:, rows].mean(axis=1) for rows in _ROWS])


def takes_of(
    clips: Sequence[TrackedClip],
    speeds: Sequence[Sequence[float]],
    scale: tuple[Floats, Floats],
    dice: np.random.Generator | None,
) -> Iterator[Take]:
    """Yield clips, each at its speeds (2 is twice as fast); ``dice`` disguise those but the first.

    Args:
        clips: What was said, and how the face moved.
        speeds: Of each clip.
        scale: As ``scale_of`` gives it.
        dice: None: no voice is disguised.
    """
    for clip, own in zip(clips, speeds, strict=True):
        mouth = np.clip((_tracked(clip) - scale[0]) * scale[1], 0, 1)
        mouth = np.column_stack((mouth, touches(clip)))
        for index, speed in enumerate(own):
            count = int(clip.frames / speed)
            middles = np.arange(count) * FRAME_SAMPLES + FRAME_SAMPLES // 2
            phonemes = [
                Phoneme(p.ipa, round(p.start / speed), round(p.end / speed), p.stress)
                for p in clip.speech.phonemes
            ]
            at = (np.arange(count) + 0.5) * speed - 0.5
            pcm = np.zeros(count * FRAME_SAMPLES, np.float32)
            sound = clip.speech.pcm
            if speed != 1.0:
                sound = soxr.resample(sound, speed * SPEECH_RATE_HZ, SPEECH_RATE_HZ, quality="MQ")
            pcm[: len(sound)] = sound[: len(pcm)]
            if dice is not None and index and dice.random() < _DISGUISED_SHARE:
                pcm = disguise(pcm, np.zeros_like(pcm), dice)
            known = np.arange(clip.frames)
            shown = np.column_stack([np.interp(at, known, column) for column in mouth.T])
            yield Take(
                window(phonemes, middles)[0].reshape(count, -1),
                Spectrum().push(pcm).bands,
                Level().push(pcm),
                shown.astype(np.float32),
            )


def noises_of(count: int, dice: np.random.Generator) -> Iterator[Take]:
    """Yield sounds of 3 s without a voice, at which the mouth rests."""
    for _ in range(count):
        noise = dice.standard_normal(_NOISE_FRAMES * FRAME_SAMPLES).astype(np.float32)
        heard = 0.02 * noise if dice.random() < _UNDISGUISED_NOISE else disguise(noise, noise, dice)
        yield Take(
            np.zeros((_NOISE_FRAMES, TAPS * PHONE_INPUTS), np.float32),
            Spectrum().push(heard).bands,
            Level().push(heard),
            np.zeros((_NOISE_FRAMES, OUTPUTS), np.float32),
        )


def frames_of(takes: Sequence[Take], kind: Kind, dice: np.random.Generator | None) -> Frames:
    """Return what a kind of network knows of takes; ``dice`` make other voices of them."""
    rows = []
    for take in takes:
        bands, levels = take.bands, take.levels
        if dice is not None:
            bands = other_voice(bands, dice)
            if kind.has_phones and dice.random() < _UNHEARD_SHARE:
                bands, levels = np.zeros_like(bands), np.zeros_like(levels)
        steps = steps_of(bands)
        if kind.has_phones:
            steps = np.hstack((steps, levels))
        steps = np.pad(steps, ((kind.past - 2, kind.future), (0, 0)))
        heard = around(steps, kind)
        rows.append(np.hstack((take.asked, heard)) if kind.has_phones else heard)
    lengths = [len(take.mouth) for take in takes]
    return Frames(
        np.concatenate(rows),
        np.concatenate([take.mouth for take in takes]),
        np.repeat(np.arange(len(takes)), lengths),
    )


def other_voice(bands: Floats, dice: np.random.Generator) -> Floats:
    """Return bands (hops, BANDS) of another throat, tone and room."""
    at = np.arange(BANDS) * dice.uniform(0.9, 1.1) + dice.uniform(-1, 1)
    low = np.clip(np.floor(at).astype(int), 0, BANDS - 2)
    share = np.clip(at - low, 0, 1).astype(np.float32)
    heard = bands[:, low] * (1 - share) + bands[:, low + 1] * share
    tone = np.interp(np.arange(BANDS), np.linspace(0, BANDS - 1, 5), dice.normal(0, 0.05, 5))
    heard = np.where(heard > 0, heard + tone.astype(np.float32), heard)
    floor = dice.uniform(0, 0.3) if dice.random() < 0.3 else 0.0
    changed: Floats = np.maximum(heard, floor).astype(np.float32)
    return changed


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
    first, second, third = _DROPOUT
    return nn.Sequential(
        nn.Dropout(first),
        nn.Linear(kind.inputs, HIDDEN),
        nn.ReLU(),
        nn.Dropout(second),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Dropout(third),
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
