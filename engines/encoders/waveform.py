"""Sound for the speech encoder: zero mean, unit variance, and how many features it gives."""

from typing import Final

import numpy as np

from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

FEATURE_SAMPLES: Final = 320  # between two features: 50 a second at 16 kHz
REACH_SAMPLES: Final = 400  # that one feature is made from; less gives none
LONGEST_S: Final = 30.0  # of one utterance: attention over it grows with the square
_TINY: Final = 1e-7  # of the extractor that the published weights were trained behind


def normalise(pcm: Pcm) -> Pcm:
    """Return an utterance with mean 0 and variance 1, as the large HuBERT expects it.

    Args:
        pcm: (samples,) at 16 kHz, all of one utterance: its statistics are taken from it. Longer
            than ``LONGEST_S`` is cut to its newest part.

    Raises:
        ValueError: Not one channel, too short for one feature, or not finite.
    """
    if pcm.ndim != 1:
        raise ValueError(f"speech encoder: expected (samples,) of one channel; got {pcm.shape}")
    if len(pcm) < REACH_SAMPLES:
        raise ValueError(
            f"speech encoder: expected {REACH_SAMPLES} samples or more; got {len(pcm)}; "
            "leave out what is shorter, as a missing modality"
        )
    kept = pcm[-int(LONGEST_S * INPUT_RATE_HZ) :].astype(np.float64)
    if not np.isfinite(kept).all():
        raise ValueError("speech encoder: expected finite samples; got NaN or infinity")
    return np.asarray((kept - kept.mean()) / np.sqrt(kept.var() + _TINY), dtype=np.float32)


def features_of(samples: int) -> int:
    """Return how many features an utterance gives."""
    return max(0, (samples - REACH_SAMPLES) // FEATURE_SAMPLES + 1)
