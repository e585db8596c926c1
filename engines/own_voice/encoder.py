"""Sound of somebody → the mixture of the voice's readers that speaks most like them.

A linear map of what the spectrum is like while something sounds: mean and deviation over time of
66 mel bands, the level apart. Words and language do not matter. Learnt from ten-second pieces of
the readers (``engines.training.voice.readers``); shares add up to one and may be negative.
"""

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.styletts2.spectrum import LOG_SCALE, log_mel
from rt_avatar.engines.types import Pcm

Doubles = NDArray[np.float64]

FILE: Final = "readers.npz"  # beside the voice's own weights
BANDS: Final = 66  # of 80 end below 7.6 kHz: what a recording at 16 kHz tells
_ACTIVE_LN: Final = 3 * np.log(10)  # 30 dB below the loudest tenth
_FARTHEST: Final = 1.0  # from the mean of all readers; a reader is .97 from it


def describe_spectrum(pcm: Pcm) -> Doubles:
    """Return mean and deviation of the log mel while it sounds, (2, BANDS); the means' mean is 0.

    Args:
        pcm: (samples,) at 24 kHz.
    """
    mel = log_mel(pcm)[:BANDS].T.astype(np.float64)
    level = np.log(np.exp(LOG_SCALE * mel).sum(axis=1))
    mel = mel[level > np.percentile(level, 90) - _ACTIVE_LN]
    mean = mel.mean(axis=0)
    return np.stack([mean - mean.mean(), mel.std(axis=0)])


@dataclass(frozen=True, slots=True, eq=False)
class ReaderEncoder:
    """The map.

    Attributes:
        readers: R names, as the voice knows them.
        mean: (2 BANDS,) of all pieces.
        deviation: (2 BANDS,) of all pieces.
        matrix: (2 BANDS, R) to shares above those of the mean of all readers.
    """

    readers: tuple[str, ...]
    mean: Doubles
    deviation: Doubles
    matrix: Doubles

    def shares(self, pcm: Pcm) -> dict[str, float]:
        """Return the share of each reader in the mixture that is most like the sound's voice."""
        numbers = (describe_spectrum(pcm).ravel() - self.mean) / self.deviation
        beyond = numbers @ self.matrix
        beyond -= beyond.mean()
        beyond *= min(1.0, _FARTHEST / float(np.linalg.norm(beyond)))
        shares = beyond + 1 / len(self.readers)
        return {name: float(share) for name, share in zip(self.readers, shares, strict=True)}

    def save(self, folder: Path) -> None:
        """Write it beside the voice's weights."""
        np.savez(
            folder / FILE,
            readers=np.array(self.readers),
            mean=self.mean.astype(np.float32),
            deviation=self.deviation.astype(np.float32),
            matrix=self.matrix.astype(np.float32),
        )


def load_encoder(folder: Path) -> ReaderEncoder:
    """Read what ``save`` wrote.

    Raises:
        OwnVoiceError: It is not there, or it is no such file.
    """
    path = folder / FILE
    make = "make it with python -m rt_avatar.engines.training.voice readers (docs/own-voice.md)"
    try:
        with np.load(path) as stored:
            return ReaderEncoder(
                tuple(str(name) for name in stored["readers"]),
                *(stored[name].astype(np.float64) for name in ("mean", "deviation", "matrix")),
            )
    except FileNotFoundError:
        raise OwnVoiceError(f"{path}: expected the map to its readers, got none; {make}") from None
    except (KeyError, OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise OwnVoiceError(
            f"{path}: expected the map to its readers; got {error}; {make}"
        ) from error
