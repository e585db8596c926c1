"""What the microphone plays: silence and utterances in a WAV file, and where each one stands."""

import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import WIRE_RATE_HZ

# −70 dBFS: a quiet room. Digital zero would be no microphone's, and noise suppression, voice
# activity and gain control behave differently on it.
ROOM_LSB: Final = 10.0
ROOM_S: Final = 10  # so much noise is made, and repeated


@dataclass(frozen=True, slots=True)
class Spoken:
    """One utterance on a tape, in seconds from its beginning."""

    name: str
    start_s: float
    end_s: float


class MicTape:
    """A microphone's recording in the making, 48 kHz mono.

    Attributes:
        spoken: The utterances so far, in order.
    """

    def __init__(self) -> None:
        self.spoken: list[Spoken] = []
        self._parts: list[NDArray[np.int16]] = []
        self._samples = 0
        noise = np.random.default_rng(0).normal(0, ROOM_LSB, ROOM_S * WIRE_RATE_HZ)
        self._room = noise.astype(np.int16)

    @property
    def length_s(self) -> float:
        """How long it plays."""
        return self._samples / WIRE_RATE_HZ

    @property
    def pcm(self) -> NDArray[np.int16]:
        """The whole tape, (samples,) at 48 kHz."""
        return np.concatenate([np.zeros(0, np.int16), *self._parts])

    def silence(self, seconds: float) -> "MicTape":
        """Go on with a quiet room."""
        return self._add(np.resize(self._room, round(seconds * WIRE_RATE_HZ)))

    def speak(self, pcm: NDArray[np.int16], name: str) -> "MicTape":
        """Go on with an utterance.

        Args:
            pcm: (samples,) at 48 kHz; should begin and end with voice
                (``benchmarks.speech.load_utterances``), as its ends are the marks.
            name: To be told by.
        """
        start_s = self.length_s
        self._add(pcm)
        self.spoken.append(Spoken(name, start_s, self.length_s))
        return self

    def write(self, path: Path) -> Path:
        """Write it as a WAV file and return the path."""
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(WIRE_RATE_HZ)
            for part in self._parts:
                file.writeframes(part.tobytes())
        return path

    def _add(self, pcm: NDArray[np.int16]) -> "MicTape":
        self._parts.append(pcm)
        self._samples += len(pcm)
        return self
