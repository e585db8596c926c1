"""Batches: a few portraits with some frames each, made on the fly; the same for the same step."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import torch
from torch import Tensor

from rt_avatar.engines.pirender.windows import RADIUS
from rt_avatar.engines.training.face.looks import LEARNT, random_look
from rt_avatar.engines.training.face.motions import Motions
from rt_avatar.engines.training.face.pictures import Photograph
from rt_avatar.engines.training.face.portraits import (
    DrawnPortrait,
    PhotographedPortrait,
    Portrait,
)
from rt_avatar.engines.types import Image

SIDE_PX: Final = 256
FRAMES: Final = 4  # of a portrait in a batch
_SLOTS: Final = 24  # portraits at hand beside the looks: half drawn, half photographed
_STAYS: Final = 240  # steps that one of them is at hand
_LOOKS, _OTHERS = (
    0.25,
    0.4,
)  # shares of portraits: the rig's looks, drawn at random; then photographs


@dataclass(frozen=True, slots=True)
class Batch:
    """P portraits and P x ``FRAMES`` frames.

    Attributes:
        sources: (P, 3, S, S) in -1..1.
        windows: (B, 73, 27).
        frames: (B, 3, S, S) in -1..1, as they should be.
        attention: (B, 1, S, S), how much each place counts.
        flows: (B, 2, 32, 32), 1 being half the side.
        known: (B, 1, 32, 32), 1 where the flow is known, else 0.
    """

    sources: Tensor
    windows: Tensor
    frames: Tensor
    attention: Tensor
    flows: Tensor
    known: Tensor

    def scaled(self, side: int) -> "Batch":
        """Return the batch with smaller pictures."""

        def small(pictures: Tensor) -> Tensor:
            return torch.nn.functional.interpolate(pictures, (side, side), mode="area")

        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        pictures = ("sources", "frames", "attention")
        return Batch(**parts | {name: small(parts[name]) for name in pictures})


class Batches:
    """Makes batches.

    Args:
        motions: What moves them.
        photographs: Who is moved beside the drawn.
        portraits: Of a batch.
        seed: The same seed and step give the same batch.
    """

    def __init__(
        self, motions: Motions, photographs: Sequence[Photograph], portraits: int, seed: int
    ) -> None:
        self._motions, self._photographs = motions, photographs
        self._portraits, self._seed = portraits, seed
        self._looks = [DrawnPortrait(look, SIDE_PX) for look in LEARNT]
        self._slots: dict[int, tuple[int, Portrait]] = {}

    def at(self, step: int) -> Batch:
        """Return the batch of a step."""
        rng = np.random.default_rng((self._seed, 0, step))
        portraits = [self._portrait(rng, step) for _ in range(self._portraits)]
        return batch_of(portraits, self._motions, rng, FRAMES)

    def _portrait(self, rng: np.random.Generator, step: int) -> Portrait:
        chance = rng.random()
        if chance < _LOOKS:
            return self._looks[rng.integers(len(self._looks))]
        half = _SLOTS // 2
        is_drawn = chance < _LOOKS + _OTHERS
        slot = int(rng.integers(half)) + (0 if is_drawn else half)
        generation = (step + slot * _STAYS // _SLOTS) // _STAYS
        held = self._slots.get(slot)
        if held is None or held[0] != generation:
            held = generation, self._somebody(slot, generation, is_drawn=is_drawn)
            self._slots[slot] = held
        return held[1]

    def _somebody(self, slot: int, generation: int, *, is_drawn: bool) -> Portrait:
        rng = np.random.default_rng((self._seed, 1, slot, generation))
        if is_drawn:
            return DrawnPortrait(random_look(rng), SIDE_PX)
        photograph = self._photographs[int(rng.integers(len(self._photographs)))]
        return PhotographedPortrait(*photograph.varied(SIDE_PX, rng))


def batch_of(
    portraits: Sequence[Portrait], motions: Motions, rng: np.random.Generator, frames: int
) -> Batch:
    """Return so many frames of each portrait."""
    pictures, windows, flows, known = [], [], [], []
    for portrait in portraits:
        for _ in range(frames):
            window = motions.window(rng)
            flow, where = portrait.flow(window[RADIUS])
            pictures.append(portrait.draw(window[RADIUS]))
            windows.append(window.T)
            flows.append(flow.transpose(2, 0, 1))
            known.append(where[None].astype(np.float32))
    attention = np.stack([portrait.attention for portrait in portraits])[:, None]
    return Batch(
        sources=_pictures([portrait.source for portrait in portraits]),
        windows=_tensor(np.stack(windows)),
        frames=_pictures(pictures),
        attention=_tensor(attention.repeat(frames, 0)),
        flows=_tensor(np.stack(flows)),
        known=_tensor(np.stack(known)),
    )


def _pictures(pictures: Sequence[Image]) -> Tensor:
    levels = np.stack(pictures).astype(np.float32).transpose(0, 3, 1, 2)
    return _tensor(levels / 127.5 - 1).contiguous(memory_format=torch.channels_last)


def _tensor(values: np.ndarray) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, np.float32))
