"""SyncNet's two networks: faces and sound → embeddings, with the authors' weights and PyTorch.

Neither is part of this product: the weights (``syncnet_v2.model``) are their authors', and PyTorch
is no part of the runtime. Without them ``sync_confidence.envelope_embeddings`` is what remains.

Source: J. S. Chung, A. Zisserman, "Out of time: automated lip sync in the wild", ACCV workshops
2016, and the authors' release (MIT): layers, names of the weights, inputs.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.metrics.sync_confidence import COLUMNS, FPS, WINDOW, Embeddings
from rt_avatar.engines.types import INPUT_RATE_HZ, Image, Pcm
from rt_avatar.errors import SetupError

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

FACE_PX: Final = 224  # side of the face that the network sees
_SIZE: Final = 1024  # of the embeddings
_HIDDEN: Final = 512

# (channels, kernel, stride, padding, pool: kernel, stride, padding). The names of the weights are
# the places of the layers, so the pool of one pixel counts.
_Pool = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
_Layer = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], _Pool | None]
_SOUND: Final[tuple[_Layer, ...]] = (
    (64, (3, 3), (1, 1), (1, 1), ((1, 1), (1, 1), (0, 0))),
    (192, (3, 3), (1, 1), (1, 1), ((3, 3), (1, 2), (0, 0))),
    (384, (3, 3), (1, 1), (1, 1), None),
    (256, (3, 3), (1, 1), (1, 1), None),
    (256, (3, 3), (1, 1), (1, 1), ((3, 3), (2, 2), (0, 0))),
    (512, (5, 4), (1, 1), (0, 0), None),
)
_LIPS: Final[tuple[_Layer, ...]] = (
    (96, (5, 7, 7), (1, 2, 2), (0, 0, 0), ((1, 3, 3), (1, 2, 2), (0, 0, 0))),
    (256, (1, 5, 5), (1, 2, 2), (0, 1, 1), ((1, 3, 3), (1, 2, 2), (0, 1, 1))),
    (256, (1, 3, 3), (1, 1, 1), (0, 1, 1), None),
    (256, (1, 3, 3), (1, 1, 1), (0, 1, 1), None),
    (256, (1, 3, 3), (1, 1, 1), (0, 1, 1), ((1, 3, 3), (1, 2, 2), (0, 0, 0))),
    (512, (1, 6, 6), (1, 1, 1), (0, 0, 0), None),
)

# MFCC as the release takes them: `python_speech_features` with its own settings.
_PRE_EMPHASIS: Final = 0.97
_FRAME: Final = 400  # 25 ms
_HOP: Final = 160
_FFT: Final = 512
_FILTERS: Final = 26
_CEPSTRA: Final = 13
_LIFTER: Final = 22


def mfcc(pcm: Pcm) -> NDArray[np.float64]:
    """Return MFCC as SyncNet hears them: (columns, 13) at 100 Hz.

    Source: J. Lyons's ``python_speech_features``, ``mfcc`` with its own settings: pre-emphasis
    .97, windows of 25 ms without taper, 26 mel filters, energy in place of the first coefficient,
    lifter 22.

    Args:
        pcm: (samples,) at 16 kHz, -1..1; the release's 16-bit scale is made here.

    Raises:
        ValueError: It is no row or shorter than a window.
    """
    if pcm.ndim != 1 or len(pcm) < _FRAME:
        raise ValueError(f"pcm: expected (samples,) of {_FRAME} or more, got {pcm.shape}")
    sound = pcm.astype(np.float64) * 32768
    sound[1:] -= _PRE_EMPHASIS * sound[:-1].copy()
    count = 1 + -(-(len(sound) - _FRAME) // _HOP)
    sound = np.pad(sound, (0, (count - 1) * _HOP + _FRAME - len(sound)))
    frames = np.lib.stride_tricks.sliding_window_view(sound, _FRAME)[::_HOP]
    power = np.abs(np.fft.rfft(frames, _FFT)) ** 2 / _FFT
    floor = np.finfo(np.float64).eps
    mel = np.log(np.maximum(power @ _filters().T, floor))
    at = np.arange(_CEPSTRA)
    basis = np.cos(np.pi / _FILTERS * np.outer(at, np.arange(_FILTERS) + 0.5))
    basis *= np.where(at == 0, 1 / _FILTERS, 2 / _FILTERS)[:, None] ** 0.5
    cepstra: NDArray[np.float64] = mel @ basis.T
    cepstra *= 1 + _LIFTER / 2 * np.sin(np.pi * at / _LIFTER)
    cepstra[:, 0] = np.log(np.maximum(power.sum(1), floor))
    return cepstra


# What reading a file of another kind raises.
_NOT_WEIGHTS: Final = (
    OSError, RuntimeError, EOFError, ValueError, AttributeError, TypeError, KeyError,
    pickle.UnpicklingError,
)  # fmt: skip


class SyncNet:
    """The published networks. One thread at a time.

    Args:
        weights: ``syncnet_v2.model`` as the authors released it.

    Raises:
        SetupError: PyTorch is not installed, or the file holds something else.
    """

    def __init__(self, weights: Path) -> None:
        try:
            import torch
        except ModuleNotFoundError as error:
            raise SetupError(
                "SyncNet: expected the package torch, which reads and runs its weights, found "
                "none; it is no part of rt-avatar: pip install torch. Without it the offset and "
                "the correlation of loudness and mouth are measured all the same"
            ) from error
        self._torch = torch
        self._nets = _networks()
        try:
            state = torch.load(weights, map_location="cpu", weights_only=True)
            self._nets.load_state_dict(state)
        except FileNotFoundError as error:
            raise SetupError(f"SyncNet: expected its weights in {weights}, found none") from error
        except _NOT_WEIGHTS as error:
            raise SetupError(
                f"SyncNet: expected the authors' syncnet_v2.model in {weights}, "
                f"got something else ({str(error)[:200]})"
            ) from error
        self._nets.eval()

    def embeddings(self, faces: list[Image], pcm: Pcm) -> tuple[Embeddings, Embeddings]:
        """Return the embeddings of lips and sound.

        Args:
            faces: (224, 224, 3) RGB crops of the face at 25 fps, as the release crops them.
            pcm: (samples,) at 16 kHz, -1..1, from the first picture on.

        Raises:
            ValueError: A crop has another shape, or there are fewer than six.
        """
        if any(face.shape != (FACE_PX, FACE_PX, 3) for face in faces):
            raise ValueError(f"faces: expected ({FACE_PX}, {FACE_PX}, 3) each")
        count = min(len(faces), len(pcm) * FPS // INPUT_RATE_HZ) - WINDOW
        if count < 1:
            raise ValueError(f"faces: expected {WINDOW + 1} pictures with sound or more")
        torch, heard = self._torch, mfcc(pcm).T.astype(np.float32)
        lips, sounds = [], []
        with torch.no_grad():
            for at in range(count):
                window = np.stack([face[:, :, ::-1] for face in faces[at : at + WINDOW]])
                pictures = np.ascontiguousarray(window.transpose(3, 0, 1, 2), np.float32)
                begin = at * COLUMNS // WINDOW
                columns = np.ascontiguousarray(heard[:, begin : begin + COLUMNS])
                lips.append(self._run("lip", torch.from_numpy(pictures)[None]))
                sounds.append(self._run("aud", torch.from_numpy(columns)[None, None]))
        return np.concatenate(lips), np.concatenate(sounds)

    def _run(self, which: str, item: Tensor) -> Embeddings:
        seen = self._nets[f"netcnn{which}"](item).flatten(1)
        found: Embeddings = self._nets[f"netfc{which}"](seen).numpy().astype(np.float64)
        return found


def _networks() -> Module:
    """Return both networks, untrained, with the release's names."""
    from torch import nn

    def trunk(layers: tuple[_Layer, ...], channels: int) -> Module:
        is_flat = len(layers[0][1]) == 2
        conv, norm, pool = (
            (nn.Conv2d, nn.BatchNorm2d, nn.MaxPool2d)
            if is_flat
            else (nn.Conv3d, nn.BatchNorm3d, nn.MaxPool3d)
        )
        parts: list[Module] = []
        for wide, kernel, stride, padding, pooled in layers:
            parts += [conv(channels, wide, kernel, stride, padding), norm(wide), nn.ReLU()]
            parts += [pool(*pooled)] if pooled else []
            channels = wide
        return nn.Sequential(*parts)

    def head() -> Module:
        return nn.Sequential(
            nn.Linear(_HIDDEN, _HIDDEN), nn.BatchNorm1d(_HIDDEN), nn.ReLU(),
            nn.Linear(_HIDDEN, _SIZE),
        )  # fmt: skip

    return nn.ModuleDict(
        {"netcnnaud": trunk(_SOUND, 1), "netfcaud": head(), "netcnnlip": trunk(_LIPS, 3),
         "netfclip": head()}
    )  # fmt: skip


def _filters() -> NDArray[np.float64]:
    """Return the mel filters (26, 257): triangles between whole bins."""
    mel = np.linspace(0, 2595 * np.log10(1 + INPUT_RATE_HZ / 2 / 700), _FILTERS + 2)
    bins = np.floor((_FFT + 1) * 700 * (10 ** (mel / 2595) - 1) / INPUT_RATE_HZ)
    at = np.arange(_FFT // 2 + 1)
    low, middle, high = bins[:-2, None], bins[1:-1, None], bins[2:, None]
    rise = np.where((at >= low) & (at < middle), (at - low) / np.maximum(middle - low, 1), 0)
    fall = np.where((at >= middle) & (at < high), (high - at) / np.maximum(high - middle, 1), 0)
    return rise + fall
