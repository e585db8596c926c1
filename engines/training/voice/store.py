"""Sentences side by side on one device, cut into crops there: a GPU need not wait for a CPU."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rt_avatar.engines.nano_tts.tokens import Tokens
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.styletts2.spectrum import HOP

_TOGETHER: Final = 64  # sentences that are encoded at once
Columns: TypeAlias = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A sentence as it goes into a store.

    Attributes:
        tokens: N of them.
        speaker: Index of who says it.
        frames: By name, T rows each; ``token``, the token of each frame, among them.
        pcm: (300 T,) 16-bit samples, if it was recorded.
        full_band: Whether above 8 kHz, too.
    """

    tokens: Tokens
    speaker: int
    frames: Columns
    pcm: NDArray[np.int16] | None = None
    full_band: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Crops of B sentences, n frames each: by name of the columns, (B, n, …), and what follows.

    Attributes:
        frames: Columns.
        encoded: (B, n, C) of each frame's token.
        reader: (B,).
        sound: (B, 300 n); silence where nothing was recorded.
        full_band: (B,) 1 or 0.
    """

    frames: dict[str, Tensor]
    encoded: Tensor
    reader: Tensor
    sound: Tensor
    full_band: Tensor


class Store:
    """Sentences on a device.

    Args:
        lines: At least ``count`` frames long.
        acoustic: Encodes their tokens, once.
        chances: Of each reader's sound, against the others'; None: as much as there is.
        count: Frames of a crop.

    Raises:
        ValueError: There is no line.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        acoustic: NanoAcoustic,
        count: int,
        chances: NDArray[np.float64] | None = None,
    ) -> None:
        if not lines:
            raise ValueError(f"sentences: expected some of {count} frames and more; got none")
        where = acoustic.speakers.weight.device
        self._count = count
        lengths = np.array([len(one.frames["token"]) for one in lines])
        readers = np.array([one.speaker for one in lines])
        weights = lengths.astype(np.float64)
        if chances is not None:
            weights *= (chances / np.bincount(readers, weights, len(chances)).clip(min=1.0))[
                readers
            ]
        self._chances = torch.from_numpy((weights / weights.sum()).cumsum()).to(where)
        self._lengths = torch.from_numpy(lengths).to(where)
        self._starts = self._lengths.cumsum(0) - self._lengths
        self._readers = torch.from_numpy(readers).to(where)
        self._full_band = torch.tensor([float(one.full_band) for one in lines], device=where)
        sizes = [len(one.tokens.symbol) for one in lines]
        firsts = np.cumsum([0, *sizes[:-1]])
        self._frames = {
            name: torch.from_numpy(np.concatenate([one.frames[name] for one in lines])).to(where)
            for name in lines[0].frames
            if name != "token"
        }
        token = [one.frames["token"] + first for one, first in zip(lines, firsts, strict=True)]
        self._token = torch.from_numpy(np.concatenate(token)).to(where)
        sounds = [one.pcm for one in lines if one.pcm is not None]
        self._pcm = torch.from_numpy(np.concatenate(sounds)).to(where) if sounds else None
        self._encoded = torch.cat(
            [
                part
                for first in range(0, len(lines), _TOGETHER)
                for part in _encode(acoustic, lines[first : first + _TOGETHER])
            ]
        )

    @property
    def device(self) -> torch.device:
        """Where the sentences lie."""
        return self._lengths.device

    def crops(self, size: int, chance: torch.Generator) -> Crops:
        """Return crops of ``size`` sentences at places drawn by ``chance``, of the same device."""
        where = self._lengths.device
        place, share = torch.rand(2, size, generator=chance, device=where)
        chosen = torch.searchsorted(self._chances, place.double()).clamp(max=len(self._lengths) - 1)
        first = (share * (self._lengths[chosen] - self._count + 1)).long()
        return self._cut(chosen, self._starts[chosen] + first)

    def some(self, size: int) -> Crops:
        """Return the middles of ``size`` sentences, always the same."""
        chosen = torch.arange(len(self._lengths), device=self._lengths.device)
        chosen = chosen[:: max(1, len(chosen) // size)]
        return self._cut(chosen, self._starts[chosen] + (self._lengths[chosen] - self._count) // 2)

    def _cut(self, chosen: Tensor, first: Tensor) -> Crops:
        where = first.device
        rows = first[:, None] + torch.arange(self._count, device=where)
        samples = self._count * HOP
        if self._pcm is None:
            sound = torch.zeros(len(chosen), samples, device=where)
        else:
            at = first[:, None] * HOP + torch.arange(samples, device=where)
            sound = self._pcm[at].float() / 32_767
        return Crops(
            {name: column[rows].float() for name, column in self._frames.items()},
            self._encoded[self._token[rows]],
            self._readers[chosen],
            sound,
            self._full_band[chosen],
        )


def _encode(acoustic: NanoAcoustic, lines: Sequence[Line]) -> list[Tensor]:
    """Return (N, C) of each line's tokens, encoded side by side."""
    where = acoustic.speakers.weight.device
    sizes = [len(one.tokens.symbol) for one in lines]

    def padded(name: str) -> Tensor:
        rows = [torch.from_numpy(getattr(one.tokens, name)) for one in lines]
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(where)

    mask = (torch.arange(max(sizes)) < torch.tensor(sizes)[:, None]).float().to(where)
    style = acoustic.speakers(torch.tensor([one.speaker for one in lines], device=where))
    with torch.no_grad():
        symbol, place, mark, phrase = map(padded, ("symbol", "place", "mark", "phrase"))
        encoded = acoustic.encode(symbol, place, mark, phrase, style, mask)
    return [row[:size] for row, size in zip(encoded, sizes, strict=True)]
