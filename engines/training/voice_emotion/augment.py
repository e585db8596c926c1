"""Disguises: a speaker's recordings → as if another throat had spoken them in another room.

All recordings of one speaker get the same disguise, as all of a call have the same microphone, so
that what is relative to the speaker's own neutral stays so.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

_SPEEDS: Final = (0.9, 1.12)
_COLOUR_DB: Final = 2.5  # deviation of the microphone's response, an octave
_OCTAVES: Final = np.arange(4.0, 14.0)  # log2 of Hz
_ROOMS: Final = 0.4  # share of those in a room that answers
_NOISY: Final = 0.7
_NOISE_DBFS: Final = (-75.0, -45.0)


@dataclass(frozen=True, slots=True, eq=False)
class Disguise:
    """Another throat, microphone and room.

    Attributes:
        speed: Of playing: above 1 quicker, higher and smaller.
        colour_db: Response of the microphone at the ``_OCTAVES``.
        echo: What the room answers, its first sample the sound itself.
        noise_db: Level of the noise in dBFS; None: there is none.
        noise_tilt: Exponent of its amplitude over frequency.
    """

    speed: float
    colour_db: NDArray[np.float64]
    echo: NDArray[np.float64]
    noise_db: float | None
    noise_tilt: float

    def apply(self, pcm: Pcm, dice: np.random.Generator) -> Pcm:
        """Return a recording in this disguise, with noise of these dice."""
        at = np.arange(0, len(pcm) - 1, self.speed)
        sound = np.interp(at, np.arange(len(pcm)), pcm)
        power = float(np.mean(sound**2))
        size = 1 << (len(sound) + INPUT_RATE_HZ).bit_length()
        hz = np.maximum(np.fft.rfftfreq(size, 1 / INPUT_RATE_HZ), 20.0)
        shape = 10 ** (np.interp(np.log2(hz), _OCTAVES, self.colour_db) / 20)
        spectrum = np.fft.rfft(sound, size) * shape * np.fft.rfft(self.echo, size)
        heard = np.fft.irfft(spectrum, size)[: len(sound)]
        heard *= np.sqrt(power / (np.mean(heard**2) + 1e-12))
        if self.noise_db is not None:
            phases = np.exp(2j * np.pi * dice.random(len(hz)))
            noise = np.fft.irfft((hz / 1000) ** self.noise_tilt * phases, size)[: len(sound)]
            heard += noise * (10 ** (self.noise_db / 20) / noise.std())
        return np.clip(heard, -1, 1).astype(np.float32)


def draw_disguise(dice: np.random.Generator) -> Disguise:
    """Return any disguise."""
    echo = np.ones(1)
    if dice.random() < _ROOMS:
        length = int(dice.uniform(0.1, 0.45) * INPUT_RATE_HZ)
        echo = dice.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
        echo *= 10 ** (dice.uniform(-22, -7) / 20) / np.sqrt(np.sum(echo**2))
        echo[0] = 1.0
    return Disguise(
        speed=dice.uniform(*_SPEEDS),
        colour_db=dice.normal(0, _COLOUR_DB, len(_OCTAVES)),
        echo=echo,
        noise_db=dice.uniform(*_NOISE_DBFS) if dice.random() < _NOISY else None,
        noise_tilt=dice.uniform(-1.2, 0.2),
    )
