"""Articulation: the face that speaks (``SpeechAtom`` + styles → (5, 73) ``Motion``), by rules.

Sounds become visemes, visemes share the mouth (``coarticulation``), the feeling lies under them and
accents move head and brows (``gestures``). Frame *n* of an atom shows the middle of its 40 ms, the
time ``atom.start + 960 n + 480``. Gaze, blinks, breath and posture are not made here: they never
stop, speech does (``presence``).
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.contract import EngineSpec
from engines.motion.channels import MOUTH, OPENERS, SHAPES, Weights, rows_of
from engines.motion.coarticulation import Score
from engines.motion.emotions import check_style, expression_of, liveliness_of
from engines.motion.gestures import beats, drift
from engines.motion.visemes import DRIVEN
from engines.types import (
    ATOM_FRAMES,
    ATOM_SAMPLES,
    BLENDSHAPE,
    FRAME_SAMPLES,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SPEECH_RATE_HZ,
    YAW,
    FaceStyle,
    Motion,
    Pcm,
    Phoneme,
    SpeechAtom,
    VoiceStyle,
)

_SPEC: Final = EngineSpec(
    name="articulation",
    input_rate_hz=SPEECH_RATE_HZ // ATOM_SAMPLES,
    output_rate_hz=SPEECH_RATE_HZ // ATOM_SAMPLES,
    chunk=1,
)
# The atom's frames are asked for at their middles.
_MIDDLES: Final = FRAME_SAMPLES * np.arange(ATOM_FRAMES) + FRAME_SAMPLES // 2
# Sounds that ended longer ago move nothing: the sinking head at a phrase's end is the longest.
_MEMORY_SAMPLES: Final = 600 * SPEECH_RATE_HZ // 1000
_AHEAD_SAMPLES: Final = ATOM_SAMPLES

# The jaw opens at 5 and closes at 6 whole openings a second at most: 120-150 mm/s where a wide
# opening is 25 mm (order of D. Ostry, K. Munhall, "Control of rate and duration of speech
# movements", JASA 77, 1985).
_OPEN_STEP, _CLOSE_STEP = 0.20, 0.24
# No shape moves faster than this a frame; below what presence lets through, so that a closure is
# never late there. Whatever parts the lips stays below it by itself.
_MOST_STEP: Final = 0.34
# The least of mouthClose that hides a jaw opened by 1 (see the rig: 90 % of the lip's way).
_CLOSE_PER_JAW: Final = 1.0 / 0.9
# Shut lips may still pout ("moo"), but not so far that they part.
_SHUT_PUCKER: Final = 0.45
# Lower lip at the upper teeth: what stays of the jaw.
_BITE_JAW: Final = 0.08

# The mouth's part of a feeling while words need the mouth, and of that its parted lips.
_EMOTION_WHEN_TALKING: Final = 0.55
_OPENERS_WHEN_TALKING: Final = 0.30
# A feeling breathes by a tenth, at the pace of calm breath: a held expression looks like a mask.
_BREATH_HZ, _BREATH_DEPTH = 0.23, 0.1
_MOOD_SHARE: Final = 0.22  # a frame; a change of style in mid-speech takes about 200 ms

# Louder speech opens wider (R. Schulman, "Articulatory dynamics of loud and normal speech", JASA
# 85, 1989). The amount was chosen by eye: a syllable 20 dB below the voice's own peaks opens a
# fifth less, and none less than that.
_GAIN_PER_DB, _GAIN_MIN, _GAIN_MAX = 0.012, 0.80, 1.12
_PEAK_FALL_DB: Final = 0.12  # a frame: 3 dB a second
_PEAK_START_DB: Final = -20.0
_USUAL_BELOW_PEAK_DB: Final = 5.0
_SILENT_DB: Final = -50.0

_JAW, _CLOSE = BLENDSHAPE["jawOpen"], BLENDSHAPE["mouthClose"]
_FUNNEL, _PUCKER = BLENDSHAPE["mouthFunnel"], BLENDSHAPE["mouthPucker"]
_PARTERS: Final = rows_of(("mouthUpperUp", "mouthLowerDown", "tongueOut", "mouthShrugUpper"))
_SNEER: Final = BLENDSHAPE["noseSneerLeft"]
_LOWER_PARTERS: Final = rows_of(("mouthFunnel", "mouthLowerDown", "tongueOut", "mouthShrugLower"))
_SMILES: Final = rows_of(("mouthSmile", "mouthStretch", "mouthDimple"))
_PRESSES: Final = rows_of(("mouthPress",))
_ROLL_LOWER, _ROLL_UPPER = BLENDSHAPE["mouthRollLower"], BLENDSHAPE["mouthRollUpper"]
_SHUT_PRESS, _SHUT_ROLL = 0.34, 0.26
_BITE_ROLL, _BITE_UPPER = 0.60, 0.30
_UPPER_UP: Final = rows_of(("mouthUpperUp",))
_BROWS: Final = (BLENDSHAPE["browInnerUp"], *rows_of(("browOuterUp",)).tolist())


@dataclass(frozen=True, slots=True)
class ArticulationInput:
    """200 ms of speech and how it is meant."""

    atom: SpeechAtom
    face: FaceStyle
    voice: VoiceStyle


class _Loudness:
    """How wide the voice opens the mouth: level against the speaker's own recent peaks."""

    def __init__(self) -> None:
        self._peak_db = _PEAK_START_DB
        self._gain = 1.0

    def gains(self, pcm: Pcm) -> NDArray[np.float64]:
        """Return a gain for each of the atom's five frames."""
        power = np.mean(
            np.square(pcm.reshape(ATOM_FRAMES, FRAME_SAMPLES), dtype=np.float64), axis=1
        )
        gains = np.empty(ATOM_FRAMES)
        for index, level in enumerate((10 * np.log10(power + 1e-12)).tolist()):
            self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level)
            if level > _SILENT_DB:  # closures and pauses say nothing about effort
                wanted = 1 + _GAIN_PER_DB * (level - self._peak_db + _USUAL_BELOW_PEAK_DB)
                self._gain += 0.5 * (min(_GAIN_MAX, max(_GAIN_MIN, wanted)) - self._gain)
            gains[index] = self._gain
        return gains


class ArticulatorStream:
    """One reply's articulation. Not thread-safe."""

    def __init__(self) -> None:
        self._is_open = True
        self._forget()

    def _forget(self) -> None:
        self._known: dict[int, Phoneme] = {}  # by start
        self._next_start = 0
        self._loudness = _Loudness()
        self._jaw, self._close = 0.0, 0.0
        self._last: Weights | None = None
        self._mood: Weights | None = None

    def push(self, item: ArticulationInput) -> list[Motion]:
        """Move the face to one atom.

        Args:
            item: The next atom. ``atom.phonemes`` must hold every sound that begins before 200 ms
                after its end; sounds given earlier need not be repeated once they have ended.

        Returns:
            Exactly one (5, 73) motion: blendshapes 0..1, pitch, yaw and roll in radians.

        Raises:
            ValueError: The atom is not the next one or has not 4,800 finite samples, or the style
                is not one; the stream is unchanged.
            RuntimeError: The stream is closed.
        """
        if not self._is_open:
            raise RuntimeError("articulation: expected an open stream, got a closed one")
        atom = item.atom
        self._check(atom)
        check_style(item.face)
        self._next_start = atom.start + ATOM_SAMPLES
        phonemes = self._remember(atom)
        times = atom.start + _MIDDLES
        score = Score(phonemes)
        speech, talks = score.mouth(times)
        liveliness = liveliness_of(item.face)
        speech *= (liveliness * self._loudness.gains(atom.pcm))[:, None]
        faces = np.zeros((ATOM_FRAMES, SHAPES))
        faces[:, DRIVEN] = speech
        self._feel(faces, item.face, talks, times)
        lips, teeth = score.gate("lips", times), score.gate("teeth", times)
        self._move_jaw(faces, lips, teeth)
        _bite(faces, teeth)
        _draw_in(faces, score.gate("pout", times))
        _shut(faces, lips)
        nods, brows = beats(phonemes, self._next_start + _AHEAD_SAMPLES, times)
        faces[:, _BROWS] += (liveliness * brows)[:, None]
        self._restrain(faces)
        motion = np.zeros((ATOM_FRAMES, MOTION_SIZE), np.float32)
        motion[:, :SHAPES] = np.clip(faces, 0.0, 1.0)
        motion[:, [PITCH, YAW, ROLL]] = drift(times) * talks[:, None] * liveliness
        motion[:, PITCH] += liveliness * nods
        return [motion]

    def flush(self) -> list[Motion]:
        """Return nothing: every atom's motion came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Forget the reply: the next atom may begin anywhere."""
        self._forget()

    def close(self) -> None:
        """End the stream."""
        self._is_open = False
        self._known.clear()

    def _check(self, atom: SpeechAtom) -> None:
        if atom.pcm.shape != (ATOM_SAMPLES,) or not np.isfinite(atom.pcm).all():
            raise ValueError(
                f"pcm: expected ({ATOM_SAMPLES},) finite samples, got {atom.pcm.shape}"
            )
        if atom.start < self._next_start or atom.start % ATOM_SAMPLES:
            raise ValueError(
                f"atom.start: expected a multiple of {ATOM_SAMPLES} from {self._next_start} on, "
                f"got {atom.start}"
            )

    def _remember(self, atom: SpeechAtom) -> list[Phoneme]:
        """Add the atom's sounds to those still in reach; a later word about a sound wins."""
        oldest = atom.start - _MEMORY_SAMPLES
        kept = {start: p for start, p in self._known.items() if p.end >= oldest}
        kept.update((p.start, p) for p in atom.phonemes if p.end >= oldest)
        self._known = kept
        return [kept[start] for start in sorted(kept)]

    def _feel(
        self,
        faces: NDArray[np.float64],
        style: FaceStyle,
        talks: NDArray[np.float64],
        times: NDArray[np.int64],
    ) -> None:
        """Lay the feeling under the words, in place."""
        wanted = expression_of(style)
        mood = wanted if self._mood is None else self._mood
        for face, talk, time in zip(faces, talks.tolist(), times.tolist(), strict=True):
            mood = mood + _MOOD_SHARE * (wanted - mood)
            turn = math.tau * _BREATH_HZ * time / SPEECH_RATE_HZ
            felt = mood * (1.0 - _BREATH_DEPTH * (0.5 + 0.5 * math.sin(turn)))
            felt[MOUTH] *= 1.0 - (1.0 - _EMOTION_WHEN_TALKING) * talk
            felt[OPENERS] *= _OPENERS_WHEN_TALKING * talk
            felt[_PRESSES] *= max(0.0, 1.0 - 2.5 * face[_JAW])
            face += felt * (1.0 - np.minimum(face, 1.0))
            # Rounded lips cannot be spread: the smile waits for the vowel to end.
            face[_SMILES] *= 1.0 - 0.8 * min(1.0, face[_FUNNEL] + face[_PUCKER])
        self._mood = mood

    def _move_jaw(
        self, faces: NDArray[np.float64], lips: NDArray[np.float64], teeth: NDArray[np.float64]
    ) -> None:
        """Bound the jaw's speed and hide it behind shut lips, in place.

        The lips can close only so fast, so the jaw does not open further than they can hide.
        """
        jaw, close = self._jaw, self._close
        for index, (wanted, shut, bite) in enumerate(
            zip(faces[:, _JAW].tolist(), lips.tolist(), teeth.tolist(), strict=True)
        ):
            jaw = min(jaw + _OPEN_STEP, max(jaw - _CLOSE_STEP, min(1.0, wanted)))
            if shut:
                jaw = min(jaw, (close + _MOST_STEP) / (_CLOSE_PER_JAW * shut))
            hidden = max(shut * jaw, bite * max(0.0, jaw - _BITE_JAW))
            close = min(1.0, max(close - _MOST_STEP, _CLOSE_PER_JAW * hidden))
            faces[index, _JAW], faces[index, _CLOSE] = jaw, close
        self._jaw, self._close = jaw, close

    def _restrain(self, faces: NDArray[np.float64]) -> None:
        """Bound the speed of all shapes, in place."""
        last = self._last
        for face in faces:
            if last is not None:
                np.clip(face, last - _MOST_STEP, last + _MOST_STEP, out=face)
            last = face
        self._last = last


def _draw_in(faces: NDArray[np.float64], gate: NDArray[np.float64]) -> None:
    """Take back the pout where ``gate`` says so, in place: shut lips may pout only a little."""
    faces[:, _FUNNEL] *= 1.0 - gate
    most = _SHUT_PUCKER * (1.0 - np.minimum(1.0, faces[:, _SNEER]))  # a sneer lifts the lip
    pucker = faces[:, _PUCKER]
    faces[:, _PUCKER] = pucker - gate * np.maximum(0.0, pucker - most)


def _bite(faces: NDArray[np.float64], gate: NDArray[np.float64]) -> None:
    """Put the lower lip to the upper teeth where ``gate`` says so, in place."""
    free = 1.0 - gate
    faces[:, _LOWER_PARTERS] *= free[:, None]
    faces[:, _ROLL_LOWER] = np.maximum(faces[:, _ROLL_LOWER], _BITE_ROLL * gate)
    faces[:, _UPPER_UP] = np.maximum(faces[:, _UPPER_UP], (_BITE_UPPER * gate)[:, None])


def _shut(faces: NDArray[np.float64], gate: NDArray[np.float64]) -> None:
    """Close the lips where ``gate`` says so, in place: at 1 no gap is left in any emotion."""
    faces[:, _PARTERS] *= (1.0 - gate)[:, None]
    faces[:, _PRESSES] = np.maximum(faces[:, _PRESSES], (_SHUT_PRESS * gate)[:, None])
    for row in (_ROLL_LOWER, _ROLL_UPPER):
        faces[:, row] = np.maximum(faces[:, row], _SHUT_ROLL * gate)


class ArticulatorEngine:
    """The rules of articulation, shared by all; holds no state. ``open`` is safe anywhere."""

    @property
    def spec(self) -> EngineSpec:
        """Atoms in, atoms out, no look-ahead: the atom itself knows 200 ms more."""
        return _SPEC

    def warmup(self) -> None:
        """Move one silent atom, so that the first caller does not wait for numpy's first steps."""
        silence = SpeechAtom(0, np.zeros(ATOM_SAMPLES, np.float32), (), (), 0)
        self.open().push(ArticulationInput(silence, FaceStyle(), VoiceStyle()))

    def open(self) -> ArticulatorStream:
        """Start the articulation of one reply."""
        return ArticulatorStream()
