"""Articulation: the face that speaks (``SpeechChunk`` + styles → (5, 73) ``Motion``).

Sounds become visemes, visemes share the mouth (``coarticulation``), jaw and lips move as a
person's did (``learnt_mouth``), and accents move head and brows (``gestures``); ``speaking_face``
lays the feeling under all that. Frame *n* of a chunk shows the middle of its 40 ms, at
``chunk.start + 960 n + 480``.
Gaze, blinks, breath and posture are not made here: they never stop, speech does (``presence``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.motion.coarticulation import Score
from rt_avatar.engines.motion.emotions import check_style
from rt_avatar.engines.motion.gestures import beats
from rt_avatar.engines.motion.learnt_mouth import (
    FROM_PHONES,
    JAW,
    LIP_COLUMNS,
    LIP_OUTPUTS,
    TOUCH,
    LearntMouth,
    PhonemeMouth,
)
from rt_avatar.engines.motion.speaking_face import Articulation, SpeakingFace, check_chunk, middles
from rt_avatar.engines.motion.visemes import JAW_COLUMN
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    SPEECH_RATE_HZ,
    FaceStyle,
    Motion,
    Pcm,
    Phoneme,
    SpeechChunk,
    VoiceStyle,
)

_SPEC: Final = EngineSpec(
    name="articulation",
    input_rate_hz=SPEECH_RATE_HZ // CHUNK_SAMPLES,
    output_rate_hz=SPEECH_RATE_HZ // CHUNK_SAMPLES,
    chunk=1,
)
# Sounds that ended longer ago move nothing: the sinking head at a phrase's end is the longest.
_MEMORY_SAMPLES: Final = 1800 * SPEECH_RATE_HZ // 1000
_AHEAD_SAMPLES: Final = CHUNK_SAMPLES

# Louder speech opens wider (R. Schulman, "Articulatory dynamics of loud and normal speech", JASA
# 85, 1989). The amount was chosen by eye: a syllable 20 dB below the voice's own peaks opens a
# fifth less, and none less than that.
_GAIN_PER_DB, _GAIN_MIN, _GAIN_MAX = 0.012, 0.80, 1.12
_PEAK_FALL_DB: Final = 0.12  # a frame: 3 dB a second
_PEAK_START_DB: Final = -20.0
_USUAL_BELOW_PEAK_DB: Final = 5.0
_SILENT_DB: Final = -50.0
# Lips meet sooner on a raised jaw: with this much of it closures at p, b and m are as sure as with
# the rules' jaw (docs/LOG.md).
_RAISED: Final = 0.1
# Below the first the network's word that lips touch shuts nothing, above the second it shuts them.
_TOUCH_OPEN, _TOUCH_SHUT = 0.5, 0.9
# Of lips, how much is learnt: rules keep apart what the tracked person never said, and diphthongs.
_LEARNT_LIPS: Final = 0.4


@dataclass(frozen=True, slots=True)
class ArticulationInput:
    """200 ms of speech and how it is meant.

    ``few_steps`` asks for less work and a plainer face of whoever finds its motion step by step;
    others do not look at it.
    """

    chunk: SpeechChunk
    face: FaceStyle
    voice: VoiceStyle
    few_steps: bool = False


class Loudness:
    """How wide the voice opens the mouth: level against the speaker's own recent peaks."""

    def __init__(self) -> None:
        self._peak_db = _PEAK_START_DB
        self._gain = 1.0

    def gains(self, pcm: Pcm) -> NDArray[np.float64]:
        """Return a gain for each of the chunk's five frames."""
        power = np.mean(
            np.square(pcm.reshape(CHUNK_FRAMES, FRAME_SAMPLES), dtype=np.float64), axis=1
        )
        gains = np.empty(CHUNK_FRAMES)
        for index, level in enumerate((10 * np.log10(power + 1e-12)).tolist()):
            self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level)
            if level > _SILENT_DB:  # closures and pauses say nothing about effort
                wanted = 1 + _GAIN_PER_DB * (level - self._peak_db + _USUAL_BELOW_PEAK_DB)
                self._gain += 0.5 * (min(_GAIN_MAX, max(_GAIN_MIN, wanted)) - self._gain)
            gains[index] = self._gain
        return gains


def articulate(
    phonemes: Sequence[Phoneme],
    start: int,
    gains: NDArray[np.float64],
    learnt: NDArray[np.floating] | None = None,
) -> Articulation:
    """Return what the sounds around one chunk ask of the face.

    Args:
        phonemes: Sounds, earliest first; every one that begins before ``SOUNDS_AHEAD`` after the
            chunk's end.
        start: The chunk's first sample.
        gains: (5,) how wide the voice opens the mouth; see ``Loudness``.
        learnt: (5, OUTPUTS) the mouth as a person's was (``learnt_mouth``); None: by rules alone.
    """
    times = middles(start)
    score = Score(phonemes)
    shapes, talks = score.mouth(times)
    lips = score.gate("lips", times)
    shapes *= gains[:, None]
    if learnt is not None:
        touch = (learnt[:, TOUCH] - _TOUCH_OPEN) / (_TOUCH_SHUT - _TOUCH_OPEN)
        lips = np.maximum(lips, np.clip(touch, 0.0, 1.0))
        # The network hears loudness, too: half of the gain is left to do.
        shapes[:, JAW_COLUMN] = learnt[:, JAW] * (1.0 - _RAISED * lips**2) * np.sqrt(gains)
        shapes[:, LIP_COLUMNS] += _LEARNT_LIPS * (learnt[:, LIP_OUTPUTS] - shapes[:, LIP_COLUMNS])
    nods, brows = beats(phonemes, start + CHUNK_SAMPLES + _AHEAD_SAMPLES, times)
    return Articulation(
        shapes=shapes,
        talks=talks,
        lips=lips,
        pout=score.gate("pout", times),
        teeth=score.gate("teeth", times),
        nods=nods,
        brows=brows,
    )


class ArticulatorStream:
    """One reply's articulation. Not thread-safe."""

    def __init__(self, network: LearntMouth | None) -> None:
        self._network = network
        self._is_open = True
        self._forget()

    def _forget(self) -> None:
        self._known: dict[int, Phoneme] = {}  # by start
        self._next_start = 0
        self._loudness = Loudness()
        self._learnt = None if self._network is None else PhonemeMouth(self._network)
        self._face = SpeakingFace()

    def push(self, item: ArticulationInput) -> list[Motion]:
        """Move the face to one chunk.

        Args:
            item: The next chunk. ``chunk.phonemes`` must hold every sound that begins before
                ``SOUNDS_AHEAD`` after its end, as far as it is known; sounds given earlier need not
                be repeated once they have ended.

        Returns:
            Exactly one (5, 73) motion: blendshapes 0..1, pitch, yaw and roll in radians.

        Raises:
            ValueError: The chunk is not the next one or has not 4,800 finite samples, or the style
                is not one; the stream is unchanged.
            RuntimeError: The stream is closed.
        """
        if not self._is_open:
            raise RuntimeError("articulation: expected an open stream, got a closed one")
        chunk = item.chunk
        check_chunk(chunk, self._next_start)
        check_style(item.face)
        self._next_start = chunk.start + CHUNK_SAMPLES
        phonemes = self._remember(chunk)
        gains = self._loudness.gains(chunk.pcm)
        learnt = None
        if self._learnt is not None:
            learnt = self._learnt.move(phonemes, middles(chunk.start), chunk.pcm)
        asked = articulate(phonemes, chunk.start, gains, learnt)
        return [self._face.move(chunk.start, asked, item.face)]

    def flush(self) -> list[Motion]:
        """Return nothing: every chunk's motion came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Forget the reply: the next chunk may begin anywhere."""
        self._forget()

    def close(self) -> None:
        """End the stream."""
        self._is_open = False
        self._known.clear()

    def _remember(self, chunk: SpeechChunk) -> list[Phoneme]:
        """Add the chunk's sounds to those still in reach; a later word about a sound wins."""
        oldest = chunk.start - _MEMORY_SAMPLES
        kept = {start: p for start, p in self._known.items() if p.end >= oldest}
        kept.update((p.start, p) for p in chunk.phonemes if p.end >= oldest)
        self._known = kept
        return [kept[start] for start in sorted(kept)]


class ArticulatorEngine:
    """What articulation needs, shared by all; holds no state. ``open`` is safe anywhere."""

    def __init__(self, *, is_learnt: bool = True, weights: Path | None = None) -> None:
        """Load the mouth's network, that of the package where no path is given.

        Args:
            is_learnt: False: rules alone move the mouth.
            weights: File of another network.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold the weights of this network.
        """
        self._network = LearntMouth(FROM_PHONES, weights) if is_learnt else None

    @property
    def spec(self) -> EngineSpec:
        """Chunks in, chunks out, no look-ahead: the chunk itself knows 400 ms more."""
        return _SPEC

    def warmup(self) -> None:
        """Move one silent chunk, so that the first caller does not wait for numpy's first steps."""
        silence = SpeechChunk(0, np.zeros(CHUNK_SAMPLES, np.float32), (), (), 0)
        self.open().push(ArticulationInput(silence, FaceStyle(), VoiceStyle()))

    def open(self) -> ArticulatorStream:
        """Start the articulation of one reply."""
        return ArticulatorStream(self._network)
