"""A reference → shares of the voice's readers that speak most like it.

The voice stays as it is: its decoder makes the mel of the recording's own words, with the
recording's own durations, pitch and energy, in a mixture of readers; the mixture is moved until
the two mels are nearest (Gauss-Newton, by differences: each direction is one run of the decoder).
Shares add up to one and may be negative. A ridge keeps them near the mean of all readers.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.own_voice.reference import BANDS, Reference

Doubles = NDArray[np.float64]

_RIDGE: Final = 0.01
_STEPS: Final = 4
_DIFFERENCE: Final = 0.1  # of a share
_CAREFUL: Final = 0.15  # residuals above it count by their size, below by their square
_HALVINGS: Final = 3
_ENOUGH: Final = 1e-4  # of the distance: no step that gains less is worth its time


def fit_readers(model: NanoModel, reference: Reference, readers: Sequence[str]) -> dict[str, float]:
    """Return each reader's share in the mixture that comes nearest."""
    count = len(readers)
    # Orthonormal directions in which the sum of shares does not change.
    turn = np.linalg.qr(np.eye(count)[:, :-1] - 1 / count)[0]

    def differences(place: Doubles) -> Doubles:
        return _differences(model, reference, _shares(readers, 1 / count + turn @ place))

    place = np.zeros(count - 1)
    base = differences(place)
    for _ in range(_STEPS):
        columns = [
            (differences(place + _DIFFERENCE * direction) - base) / _DIFFERENCE
            for direction in np.eye(count - 1)
        ]
        slopes = np.stack(columns, axis=1)
        weights = 1 / np.maximum(np.abs(base), _CAREFUL) / len(base)
        bend = slopes.T @ (slopes * weights[:, None]) + _RIDGE * np.eye(count - 1)
        step = np.linalg.solve(bend, -(slopes.T @ (base * weights) + _RIDGE * place))
        before = _cost(base, place)
        for _ in range(_HALVINGS):
            tried = differences(place + step)
            if _cost(tried, place + step) < before:
                break
            step = step / 2
        else:
            break
        place, base = place + step, tried
        if before - _cost(base, place) < _ENOUGH:
            break
    return _shares(readers, 1 / count + turn @ place)


def distance_of(model: NanoModel, reference: Reference, shares: dict[str, float]) -> float:
    """Return the mean distance of the recording's mel from that of a mixture."""
    return float(np.abs(_differences(model, reference, shares)).mean())


def _cost(differences: Doubles, place: Doubles) -> float:
    return float(np.abs(differences).mean() + _RIDGE / 2 * (place @ place))


def _shares(readers: Sequence[str], shares: Doubles) -> dict[str, float]:
    return {name: float(share) for name, share in zip(readers, shares, strict=True)}


def _differences(model: NanoModel, reference: Reference, shares: dict[str, float]) -> Doubles:
    """Return what is missing in the mel of that mixture while something is said, level apart."""
    speaker = model.speaker(shares)
    encoded = model.encode(reference.tokens, speaker)
    mel, _ = model.decode(encoded[0, reference.token], reference.numbers, speaker)
    missing = (reference.mel - mel[:, :BANDS])[reference.sounding].astype(np.float64).ravel()
    return np.asarray(missing - missing.mean())
