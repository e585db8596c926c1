"""One recording → what training reads: mel, pitch, and how many frames each phone lasts.

Frame i is centred on sample 300 i + 150, as the generator's frames are.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyworld
from numpy.typing import NDArray

from rt_avatar.engines.styletts2.spectrum import HOP, log_mel
from rt_avatar.engines.training.alignment import align, count_frames
from rt_avatar.engines.training.voice.corpora import Recording, read_sound
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

_FRAME_S: Final = HOP / SPEECH_RATE_HZ
_PITCH_HZ: Final[dict[str, tuple[float, float]]] = {"F": (90.0, 450.0), "M": (55.0, 350.0)}
_EDGE_S: Final = 0.15  # silence kept before and after the speech


@dataclass(frozen=True, slots=True)
class Features:
    """One utterance as training reads it.

    Attributes:
        pcm: (300 T,) 16-bit samples at 24 kHz.
        mel: (T, 80) normalised log mel.
        pitch: (T,) F0 in Hz, 0 where there is no voice.
        phones: (N,) ARPAbet without stress; "" is silence.
        frames: (N,) frames of each; their sum is T.
        word_of: (N,) index of the phone's word; -1 in silence.
        words: (W,) lower case.
        marks: (W,) the mark behind each word, one of ``,.!?`` or "".
        top_hz: Where the recording's band ends.
    """

    pcm: NDArray[np.int16]
    mel: NDArray[np.float16]
    pitch: NDArray[np.float32]
    phones: NDArray[np.str_]
    frames: NDArray[np.int16]
    word_of: NDArray[np.int16]
    words: NDArray[np.str_]
    marks: NDArray[np.str_]
    top_hz: int

    def save(self, path: Path) -> None:
        """Write it whole or not at all."""
        temporary = path.with_suffix(".part")
        with temporary.open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in self.__slots__})
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Features":
        """Read what ``save`` wrote."""
        with np.load(path) as stored:
            return cls(**{name: stored[name] for name in cls.__slots__})


def extract(recording: Recording) -> Features:
    """Return the features of a recording, cut to its speech.

    Raises:
        AlignmentError: Text and sound do not belong together, as far as can be told.
    """
    pcm, top_hz = read_sound(recording)
    alignment = align(pcm, recording.text)
    sounding = [phone for phone in alignment.phones if phone.name]
    first = max(0.0, sounding[0].start_s - _EDGE_S)
    start = round(first / _FRAME_S)
    last = min(len(pcm) / SPEECH_RATE_HZ, sounding[-1].end_s + _EDGE_S)
    count = int(last / _FRAME_S) - start
    pcm = pcm[start * HOP : (start + count) * HOP]
    counted = count_frames(alignment, _FRAME_S, start, count)
    late = np.concatenate([pcm[HOP // 2 :], np.zeros(HOP // 2, np.float32)])
    return Features(
        pcm=(pcm * 32_767).astype(np.int16),
        mel=log_mel(late)[:, :count].T.astype(np.float16),
        pitch=track_pitch(late, count, recording.sex),
        phones=np.array(counted.names),
        frames=np.array(counted.frames, np.int16),
        word_of=np.array(counted.word_of, np.int16),
        words=np.array(alignment.words),
        marks=np.array(alignment.marks),
        top_hz=top_hz,
    )


def track_pitch(pcm: Pcm, count: int, sex: str) -> NDArray[np.float32]:
    """Return F0 of frames of ``HOP`` samples, (count,) in Hz, 0 without voice (WORLD's dio).

    Args:
        pcm: Half a frame later than the frames, whose middle is told of.
        count: Of frames.
        sex: F or M, for the range in which it is looked for.
    """
    sound = pcm.astype(np.float64)
    floor_hz, ceil_hz = _PITCH_HZ[sex]
    coarse, times = pyworld.dio(
        sound, SPEECH_RATE_HZ, f0_floor=floor_hz, f0_ceil=ceil_hz, frame_period=_FRAME_S * 1000
    )
    fine = pyworld.stonemask(sound, coarse, times, SPEECH_RATE_HZ)
    return np.asarray(fine[:count], np.float32)
