"""From duration logits to frames: the one step of StyleTTS 2 whose length depends on values.

It stays outside the graphs: a graph whose sizes come from its values can be neither exported nor
planned. What the networks give for tokens is brought to frames by indices, not by the dense 0/1
matrix of the reference, which is the same product. One frame is 25 ms, 600 samples at 24 kHz.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.int64]  # (F,) the token that each frame belongs to

FRAME_SAMPLES: Final = 600


def durations(logits: Floats, speed: float = 1.0, last_token_frames: int = 0) -> Indices:
    """Return the frames of each token.

    The sum of the sigmoids of the 50 bins, divided by ``speed``, rounded half to even as torch
    does, at least one.

    Args:
        logits: (T, bins) of the duration head.
        speed: Speaking rate, 1 is the model's own.
        last_token_frames: Added to the last token (5 in LJSpeech's recipe for one sentence).

    Returns:
        (T,) frames.

    Raises:
        ValueError: A speed of 0, or one that is no number.
        RuntimeError: The network gave logits that are no numbers.
    """
    if not 0.0 < speed < np.inf:
        raise ValueError(f"speed: expected a finite number above 0, got {speed}")
    if not np.isfinite(logits).all():
        raise RuntimeError("durations: expected finite logits of the network, got NaN or infinity")
    sigmoids = 0.5 + 0.5 * np.tanh(0.5 * logits.astype(np.float64))  # overflows nowhere
    expected = sigmoids.sum(axis=-1) / speed
    frames = np.asarray(np.maximum(np.rint(expected), 1.0), np.int64)
    frames[-1] += last_token_frames
    return frames


def frame_tokens(frames: Indices, shifted: int = 0) -> Indices:
    """Return the token of each frame, (F,).

    Args:
        frames: (T,) frames of each token.
        shifted: Frames by which the alignment is shifted right; the first frame is repeated, the
            last is lost. HiFi-GAN was trained with one, iSTFTNet with none.
    """
    tokens = np.repeat(np.arange(len(frames)), frames)
    if shifted == 0:
        return tokens
    return np.concatenate([np.repeat(tokens[:1], shifted), tokens[:-shifted]])


def align(of_tokens: Floats, tokens: Indices) -> Floats:
    """Return what belongs to tokens, (B, C, T), for each frame: (B, C, F)."""
    return np.ascontiguousarray(of_tokens[:, :, tokens])
