"""The sync test signal: calibrated claps and flashes in place of a voice and a face.

Words → claps (``SyncTestVoice``) → flashes (``SyncTestArticulator``, ``SyncTestPresence``,
``SyncTestRig``). Each word takes one second, silent but for a burst of 40 ms, and the one picture
of these 40 ms is white; so whoever records sound and picture at the other end knows their skew.
Only the engines are replaced: buffers, clocks, encoders and the network are those of a real call.

One flash a second is safe to look at: up to three are, with photosensitive epilepsy too (WCAG 2.2,
2.3.1).
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.presence import PresenceInput
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FPS,
    FRAME_SAMPLES,
    I420,
    MOTION_SIZE,
    SPEECH_RATE_HZ,
    Motion,
    MotionFrame,
    Pcm,
    SpeechChunk,
    Word,
)

CLAP_HZ: Final = 1_000  # whole periods in a frame, so it begins and ends at 0
CLAP_SAMPLES: Final = FRAME_SAMPLES
_LEVEL: Final = 0.5  # −6 dBFS: loud, but no encoder clips it
MAX_SKEW_MS: Final = 400
_SKEW_SAMPLES: Final = MAX_SKEW_MS * SPEECH_RATE_HZ // 1000

WORD_SAMPLES: Final = SPEECH_RATE_HZ
# The clap is in frame 10 of its second, in the next word's in frame 11, … 14, 10: so that the
# claps of five words stand to a screen of 60 Hz in all five ways in which 25 fps can. A skew of
# ±400 ms just stays in the second: 10 · 40 − 400 = 0, 14 · 40 + 400 + 40 = 1,000 ms.
_FIRST_FRAME: Final = 10
_FRAMES: Final = 5

_JAW: Final = BLENDSHAPE["jawOpen"]
_BRIGHT, _DARK = 235, 16  # white and black of BT.601's limited range
_GREY: Final = 90  # of the words on the dark picture: far from the middle of bright and dark
_LABEL: Final = "TEST SIGNAL"

_VOICE_SPEC: Final = EngineSpec("sync test voice", 1, SPEECH_RATE_HZ, 1)
_ARTICULATION_SPEC: Final = EngineSpec(
    "sync test articulation",
    SPEECH_RATE_HZ // CHUNK_SAMPLES,
    SPEECH_RATE_HZ // CHUNK_SAMPLES,
    1,
)
_PRESENCE_SPEC: Final = EngineSpec("sync test presence", FPS, FPS, 1)
_RIG_SPEC: Final = EngineSpec("sync test rig", FPS, FPS, 1)


def _second(begin: int) -> Pcm:
    """Return (24000,) of silence with a clap from that sample on."""
    pcm = np.zeros(WORD_SAMPLES, np.float32)
    phase = 2 * np.pi * CLAP_HZ / SPEECH_RATE_HZ * np.arange(CLAP_SAMPLES)
    pcm[begin : begin + CLAP_SAMPLES] = _LEVEL * np.sin(phase)
    return pcm


class SyncTestVoiceStream:
    """One reply: claps once a word."""

    def __init__(self, skew_samples: int) -> None:
        self._skew_samples = skew_samples
        self._words = 0

    def push(self, item: SpeechRequest) -> list[SpeechChunk]:
        """Clap a clause: five chunks a word, its ``Word`` where the *flash* belongs."""
        return [
            chunk for text in item.text.split() for chunk in self._clap(text, item.clause_index)
        ]

    def say(self, item: SpeechRequest) -> Iterator[SpeechChunk]:
        """Yield what ``push`` returns."""
        yield from self.push(item)

    def settle(self) -> list[SpeechChunk]:
        """Return nothing, as ``flush``."""
        return []

    def flush(self) -> list[SpeechChunk]:
        """Return nothing: a word is whole when it was pushed."""
        return []

    def reset(self) -> None:
        """Forget the reply; the next word begins at 0."""
        self._words = 0

    def close(self) -> None:
        """Give back what the stream holds: nothing."""

    def _clap(self, text: str, clause_index: int) -> list[SpeechChunk]:
        start = self._words * WORD_SAMPLES
        offset = (_FIRST_FRAME + self._words % _FRAMES) * FRAME_SAMPLES
        self._words += 1
        flash = Word(text, start + offset, start + offset + FRAME_SAMPLES)
        pcm = _second(offset + self._skew_samples)
        chunks = []
        for begin in range(0, WORD_SAMPLES, CHUNK_SAMPLES):
            own = (flash,) if begin <= offset < begin + CHUNK_SAMPLES else ()
            part = pcm[begin : begin + CHUNK_SAMPLES]
            chunks.append(SpeechChunk(start + begin, part, (), own, clause_index))
        return chunks


class SyncTestVoice:
    """Instead of a voice. Every voice claps alike.

    Args:
        skew_samples: The sound is moved against the flashes by so much, at 24 kHz; + is later.
            To check a meter with.

    Raises:
        ValueError: More than 400 ms.
    """

    def __init__(self, skew_samples: int = 0) -> None:
        if abs(skew_samples) > _SKEW_SAMPLES:
            raise ValueError(f"skew_samples: expected at most ±{_SKEW_SAMPLES}, got {skew_samples}")
        self._skew_samples = skew_samples

    @property
    def spec(self) -> EngineSpec:
        """Clauses in, 24,000 samples a word out, no look-ahead."""
        return _VOICE_SPEC

    def warmup(self) -> None:
        """Do nothing: there is no slow first step."""

    def open(self, voice: str = "") -> SyncTestVoiceStream:
        """Start a reply; ``voice`` changes nothing."""
        return SyncTestVoiceStream(self._skew_samples)


class SyncTestArticulatorStream:
    """One reply's flashes: the jaw is open in the frame in which a word begins, else shut."""

    def push(self, item: ArticulationInput) -> list[Motion]:
        """Return exactly one (5, 73) motion; only ``jawOpen`` moves, 0 or 1."""
        motion = np.zeros((CHUNK_FRAMES, MOTION_SIZE), np.float32)
        for word in item.chunk.words:
            motion[(word.start - item.chunk.start) // FRAME_SAMPLES, _JAW] = 1.0
        return [motion]

    def flush(self) -> list[Motion]:
        """Return nothing: every chunk's motion came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Do nothing: there is no state."""

    def close(self) -> None:
        """Give back what the stream holds: nothing."""


class SyncTestArticulator:
    """Instead of articulation: words open the jaw for one frame."""

    @property
    def spec(self) -> EngineSpec:
        """Chunks in, chunks out, no look-ahead."""
        return _ARTICULATION_SPEC

    def warmup(self) -> None:
        """Do nothing: there is no slow first step."""

    def open(self) -> SyncTestArticulatorStream:
        """Start the flashes of one reply."""
        return SyncTestArticulatorStream()


class SyncTestPresenceStream:
    """Lets speech through as it is; without speech nothing moves."""

    def push(self, item: PresenceInput) -> list[MotionFrame]:
        """Return exactly one (73,) frame."""
        return [np.zeros(MOTION_SIZE, np.float32) if item.speech is None else item.speech]

    def flush(self) -> list[MotionFrame]:
        """Return nothing: every frame came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Do nothing: there is no state."""

    def close(self) -> None:
        """Give back what the stream holds: nothing."""


class SyncTestPresence:
    """Instead of presence, whose smoothing would blur a flash of one frame."""

    @property
    def spec(self) -> EngineSpec:
        """25 moments in, 25 frames out, no look-ahead."""
        return _PRESENCE_SPEC

    def warmup(self) -> None:
        """Do nothing: there is no slow first step."""

    def open(self, seed: int = 0) -> SyncTestPresenceStream:
        """Start; ``seed`` changes nothing."""
        return SyncTestPresenceStream()


class SyncTestRigStream:
    """White while the jaw is more than half open, else dark with a label."""

    def __init__(self, bright: I420, dark: I420) -> None:
        self._bright, self._dark = bright, dark

    def push(self, motion: MotionFrame) -> list[I420]:
        """Return exactly one fresh (size * 3 // 2, size) picture.

        Raises:
            ValueError: The motion is not (73,).
        """
        if motion.shape != (MOTION_SIZE,):
            raise ValueError(f"motion: expected ({MOTION_SIZE},), got {motion.shape}")
        return [(self._bright if motion[_JAW] > 0.5 else self._dark).copy()]

    def flush(self) -> list[I420]:
        """Return nothing: every picture came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Do nothing: there is no state."""

    def close(self) -> None:
        """Give back what the stream holds: nothing."""


class SyncTestRig:
    """Instead of the rig: a white or a dark picture. Every look is alike.

    Args:
        size_px: Side of the square picture, even.
    """

    def __init__(self, size_px: int = 512) -> None:
        self._bright = _picture(size_px, _BRIGHT)
        self._dark = _picture(size_px, _DARK)
        scale = size_px / 400  # the label is then some 60 % of the picture wide
        (width, height), _ = cv2.getTextSize(_LABEL, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
        place = (size_px - width) // 2, (size_px + height) // 2
        luma = self._dark[:size_px]
        cv2.putText(luma, _LABEL, place, cv2.FONT_HERSHEY_SIMPLEX, scale, _GREY, 2, cv2.LINE_AA)

    @property
    def spec(self) -> EngineSpec:
        """25 frames in, 25 pictures out, no look-ahead."""
        return _RIG_SPEC

    def warmup(self) -> None:
        """Do nothing: both pictures are drawn."""

    def open(self, look: str = "") -> SyncTestRigStream:
        """Start; ``look`` changes nothing."""
        return SyncTestRigStream(self._bright, self._dark)

    def portrait_png(self, look: str) -> bytes:
        """Return the dark picture for the picker."""
        size_px = self._dark.shape[1]
        done, data = cv2.imencode(".png", self._dark[:size_px])
        if not done:
            raise RuntimeError("portrait: the PNG encoder refused the picture")
        png: bytes = data.tobytes()
        return png


def _picture(size_px: int, luma: int) -> I420:
    planes = np.full((size_px * 3 // 2, size_px), 128, np.uint8)
    planes[:size_px] = luma
    return planes
