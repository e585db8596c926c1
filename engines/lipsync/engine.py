"""Lip-sync from sound: ``SpeechChunk`` + styles → (5, 73) ``Motion``, one chunk later.

For voices that tell nothing of their sounds: another process's, a speech service's, a person's.
Only ``chunk.pcm`` is looked at. A frame depends on the sound up to 220 ms after its own middle, so
the motion of a chunk comes out when the next one is pushed. What is done with the mouth (feeling,
gates, bounds of speed) is the same as for known sounds (``engines.motion.speaking_face``).
"""

from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.lipsync.mouth import Mouth
from rt_avatar.engines.lipsync.network import Network
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.emotions import check_style
from rt_avatar.engines.motion.learnt_mouth import FROM_SOUND, LearntMouth
from rt_avatar.engines.motion.speaking_face import Articulation, SpeakingFace, check_chunk
from rt_avatar.engines.motion.spectrum import Spectrum
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    SPEECH_RATE_HZ,
    FaceStyle,
    Motion,
    Pcm,
    SpeechChunk,
    VoiceStyle,
)

_SPEC: Final = EngineSpec(
    name="lipsync",
    input_rate_hz=SPEECH_RATE_HZ // CHUNK_SAMPLES,
    output_rate_hz=SPEECH_RATE_HZ // CHUNK_SAMPLES,
    chunk=1,
    lookahead=1,
)
_SILENCE: Final = np.zeros(CHUNK_SAMPLES, np.float32)


class LipsyncStream:
    """One voice's mouth. Not thread-safe."""

    def __init__(self, network: Network, learnt: LearntMouth) -> None:
        self._network = network
        self._learnt = learnt
        self._is_open = True
        self._forget()

    def _forget(self) -> None:
        self._next_start = 0
        self._spectrum = Spectrum()
        self._mouth = Mouth(self._network, self._learnt)
        self._face = SpeakingFace()
        self._waiting: ArticulationInput | None = None  # heard, but not yet what follows it

    def push(self, item: ArticulationInput) -> list[Motion]:
        """Hear one chunk; move the face to the one before.

        A chunk that does not begin where the last one ended was preceded by silence.

        Args:
            item: The next chunk; its sounds and words are not looked at.

        Returns:
            The (5, 73) motion of the chunk pushed before this; nothing at the first.

        Raises:
            ValueError: As ``ArticulatorStream.push``; the stream is unchanged.
            RuntimeError: The stream is closed.
        """
        if not self._is_open:
            raise RuntimeError("lipsync: expected an open stream, got a closed one")
        check_chunk(item.chunk, self._next_start)
        check_style(item.face)
        follows = item.chunk.start == self._next_start
        moved = [] if follows else self.flush()
        self._next_start = item.chunk.start + CHUNK_SAMPLES
        asked = self._hear(item.chunk.pcm)
        if self._waiting is not None:
            moved.append(self._move(self._waiting, asked))
        self._waiting = item
        return moved

    def flush(self) -> list[Motion]:
        """Return the motion of the last chunk, as if silence followed."""
        if self._waiting is None:
            return []
        motion = self._move(self._waiting, self._hear(_SILENCE))
        self._waiting = None
        return [motion]

    def reset(self) -> None:
        """Forget the voice: the next chunk may begin anywhere."""
        self._forget()

    def close(self) -> None:
        """End the stream."""
        self._is_open = False
        self._waiting = None

    def _hear(self, pcm: Pcm) -> Articulation:
        """Hear 200 ms; return what the 200 ms before them ask of the face."""
        return self._mouth.push(self._spectrum.push(pcm))

    def _move(self, item: ArticulationInput, asked: Articulation) -> Motion:
        return self._face.move(item.chunk.start, asked, item.face)


class LipsyncEngine:
    """The network's weights, shared by all. ``open`` is safe anywhere."""

    def __init__(self, weights: Path | None = None, learnt: Path | None = None) -> None:
        """Load the weights; those of the package where no path is given.

        Args:
            weights: Of the network that many voices taught.
            learnt: Of the one that learnt from a person.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold the weights of this network.
        """
        self._network = Network(weights)
        self._learnt = LearntMouth(FROM_SOUND, learnt)

    @property
    def spec(self) -> EngineSpec:
        """Chunks in, chunks out, one chunk of look-ahead."""
        return _SPEC

    def warmup(self) -> None:
        """Move one silent chunk, so that the first caller does not wait for numpy's first steps."""
        stream = self.open()
        stream.push(
            ArticulationInput(SpeechChunk(0, _SILENCE, (), (), 0), FaceStyle(), VoiceStyle())
        )
        stream.flush()

    def open(self) -> LipsyncStream:
        """Start to follow one voice."""
        return LipsyncStream(self._network, self._learnt)
