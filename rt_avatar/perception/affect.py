"""Estimate the caller's affect: ``ProsodyFrame``, ``FaceCue`` and words → ``Affect``.

Words say what is felt, the voice how excited, a smile tells at once. The voice is measured against
the caller's own: what is loud and high for one is usual for another. Time is the microphone's
sample count, and the call's where no microphone gives one. Between updates nothing moves but the
fading, so asking often or seldom gives the same answer. Knows no history beyond the last utterance,
and no reply.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, pi, tanh
from threading import Lock
from typing import Final, Protocol

from rt_avatar.engines.prosody import WINDOW_SAMPLES, ProsodyFrame
from rt_avatar.engines.types import EMOTIONS, INPUT_RATE_HZ, Emotion
from rt_avatar.engines.voice_emotion import VoiceEmotionEstimate
from rt_avatar.messages import Affect, TurnId
from rt_avatar.perception.voice_arousal import VoiceArousal
from rt_avatar.perception.voice_feeling import VoiceFeeling, read_voice
from rt_avatar.perception.word_affect import NOTHING, WordAffect, read

# --- face ---------------------------------------------------------------------------------------
_SMILE_GAIN: Final = 0.6  # of each cue: a broad smile shows at the first, a slight at the second
_SMILE_ON: Final = 0.5
_SMILE_OFF: Final = 0.3
_EYES_GAIN: Final = 0.15  # 1.5 s at 4 cues a second: blinks are not sleepiness
_BLIND_S: Final = 2.0  # without a cue: the camera is off; the smile fades in its last second

# --- fusion -------------------------------------------------------------------------------------
_HOLD_S: Final = 2.0  # nothing new: so long all stays as it is …
_GONE_S: Final = 10.0  # … and then it has gone
_NEW_UTTERANCE_S: Final = 3.0  # the same words after such a silence are said again
_PAST_WORDS: Final = 5.0  # after so many new words what was said before counts half
# Evidence against 1 for neutral. All together stay below 9, which is a confidence of 0.9:
# 5 × 1.3 + 1.2 + 0.9, or + 2.1 of a voice that words leave open. Arousal alone stays below 1,
# which is 0.5.
_WORD_EVIDENCE: Final = 5.0
_TILT: Final = 0.3
_SMILE_EVIDENCE: Final = 1.2
_VOICE_EVIDENCE: Final = 0.9
# Where a network hears the emotion itself, a clear one (a probability of .8) has 1.5 against 1.
_HEARD_EVIDENCE: Final = 2.1
_HEARD_VALENCE: Final = 0.8
_WORD_VALENCE: Final = 3.0  # weights of valence against each other and against none
_SMILE_VALENCE: Final = 1.0
_NO_VALENCE: Final = 0.6
_SMILE_IS: Final = 0.7  # how pleasant a smile is: some are polite
_AROUSING: Final[Mapping[Emotion, float]] = {
    "happy": 0.5, "surprised": 1.0, "angry": 1.0, "fear": 0.7, "sad": -1.0, "disgusted": 0.3,
}  # fmt: skip


class FaceCue(Protocol):
    """What is used of ``engines.face_cues.FaceCue``; shares are 0 to 1."""

    @property
    def has_face(self) -> bool:
        """Whether there is a face."""

    @property
    def is_smiling(self) -> float:
        """How much it smiles."""

    @property
    def eyes_closed(self) -> float:
        """How closed the eyes are."""


@dataclass(frozen=True, slots=True)
class _Words:
    text: str = ""
    affect: WordAffect = NOTHING
    changed_at: int = 0
    given_at: int = 0


class AffectEstimator:
    """One caller's affect. The audio thread and the event loop may call it at the same time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._now = 0  # latest sample anybody told of, of microphone or call
        self._voice = VoiceArousal()
        self._voice_at = 0
        self._heard: VoiceFeeling | None = None  # by a network, if there is one
        self._heard_at = 0
        self._words = _Words()
        self._past = _Words()  # the utterance before
        self._has_face = False
        self._face_at = 0
        self._smile = 0.0
        self._is_smiling = False
        self._eyes_closed = 0.0

    def update_time(self, now: int) -> None:
        """Take the call's time in samples: without a microphone no other passes."""
        with self._lock:
            self._now = max(self._now, now)

    def update_voice(self, frame: ProsodyFrame, *, is_speech: bool) -> None:
        """Take one window; only the caller's own speech tells anything."""
        with self._lock:
            self._now = max(self._now, frame.pts + WINDOW_SAMPLES)
            if is_speech:
                self._voice.push(frame)
                self._voice_at = self._now

    def update_voice_emotion(self, estimate: VoiceEmotionEstimate) -> None:
        """Take what a network hears in the caller's voice; a newer one replaces it."""
        heard = read_voice(estimate)
        with self._lock:
            self._heard, self._heard_at = heard, self._now

    def update_face(self, cue: FaceCue) -> None:
        """Take one look at the face."""
        with self._lock:
            self._face_at = self._now
            self._has_face = cue.has_face
            smile = cue.is_smiling if cue.has_face else 0.0
            self._smile += _SMILE_GAIN * (smile - self._smile)
            self._is_smiling = self._smile >= (_SMILE_OFF if self._is_smiling else _SMILE_ON)
            closed = cue.eyes_closed if cue.has_face else 0.0
            self._eyes_closed += _EYES_GAIN * (closed - self._eyes_closed)

    def update_words(self, text: str) -> None:
        """Take the words of the utterance so far, or typed ones.

        The same text again counts nothing, a shorter one begins a new utterance.
        """
        affect = read(text)  # outside the lock: the audio thread must not wait
        with self._lock:
            words, now = self._words, self._now
            is_again = text == words.text
            is_late = now - words.given_at > _NEW_UTTERANCE_S * INPUT_RATE_HZ
            if is_again and not is_late:
                self._words = replace(words, given_at=now)
                return
            if is_again or _is_shorter(text, affect, words):
                self._past = max(
                    words, self._past, key=lambda said: said.affect.strength * _fade(said, now)
                )
            self._words = _Words(text, affect, now, now)

    def affect(self, turn: TurnId, pts: int) -> Affect:
        """Return what the caller seems to feel at the microphone's sample ``pts``."""
        with self._lock:
            self._now = now = max(self._now, pts)
            words = _blend(self._words, self._past, now)
            seen_s = _BLIND_S - (now - self._face_at) / INPUT_RATE_HZ  # before we count as blind
            is_seen = self._has_face and seen_s > 0.0
            smile = self._smile * min(1.0, seen_s) if is_seen else 0.0
            voice = self._voice.confidence * _fading(now - self._voice_at) * self._voice.arousal
            heard = self._heard and self._heard.faded(_fading(now - self._heard_at))
            sleepy = max(0.0, self._eyes_closed - 0.5) if is_seen else 0.0
            is_smiling = is_seen and self._is_smiling
        word_weight = _WORD_VALENCE * words.strength
        smile_weight = _SMILE_VALENCE * smile
        open_to_voice = 1.0 - words.strength
        heard_weight = _HEARD_VALENCE * heard.strength * open_to_voice if heard else 0.0
        heard_valence = heard.valence if heard else 0.0
        valence = (
            word_weight * words.valence + smile_weight * _SMILE_IS + heard_weight * heard_valence
        ) / (_NO_VALENCE + word_weight + smile_weight + heard_weight)
        arousal = tanh(voice + 0.5 * words.strength * words.arousal + 0.1 * smile - 0.5 * sleepy)
        confidences = _confidences(words, smile, voice, valence, heard)
        return Affect(
            turn=turn,
            pts=pts,
            valence=valence,
            arousal=arousal,
            emotion=max(EMOTIONS, key=lambda emotion: confidences[emotion]),
            confidences=confidences,
            has_face=is_seen,
            is_smiling=is_smiling,
        )


def _fading(samples: int) -> float:
    """Return what is left of something after so many samples: 1, then a half cosine to 0."""
    age = (samples / INPUT_RATE_HZ - _HOLD_S) / (_GONE_S - _HOLD_S)
    return 0.5 + 0.5 * cos(pi * min(1.0, max(0.0, age)))


def _fade(words: _Words, now: int) -> float:
    return _fading(now - words.changed_at)


def _is_shorter(text: str, affect: WordAffect, words: _Words) -> bool:
    """Whether a text begins a new utterance; a recogniser that takes back a few words does not."""
    is_taken_back = words.text.startswith(text) and 2 * affect.length > words.affect.length
    return affect.length < words.affect.length and not is_taken_back


def _blend(words: _Words, past: _Words, now: int) -> WordAffect:
    """Return what the words tell now; every new word lets the utterance before fade."""
    new = words.affect.strength * _fade(words, now)
    old = past.affect.strength * _fade(past, now) / (1.0 + words.affect.length / _PAST_WORDS)
    # The old fills what the new leaves open: repeated partials never add up.
    old *= 1.0 - new
    if new + old <= 0.0:
        return NOTHING
    scores: dict[Emotion, float] = {}
    for share, affect in ((new, words.affect), (old, past.affect)):
        total = sum(affect.scores.values())
        for emotion, score in affect.scores.items():
            scores[emotion] = scores.get(emotion, 0.0) + share * score / total
    return WordAffect(
        (new * words.affect.valence + old * past.affect.valence) / (new + old),
        (new * words.affect.arousal + old * past.affect.arousal) / (new + old),
        new + old,
        scores,
    )


def _confidences(
    words: WordAffect, smile: float, voice: float, valence: float, heard: VoiceFeeling | None
) -> dict[Emotion, float]:
    """Return every emotion's share; they sum to 1."""
    evidence: dict[Emotion, float] = dict.fromkeys(EMOTIONS, 0.0)
    evidence["neutral"] = 1.0
    total = sum(words.scores.values())
    for emotion, score in words.scores.items():
        # Above the first power: a hint ("good") leaves neutral in front, a clear word does not.
        weight = _WORD_EVIDENCE * words.strength**1.5 * score / total
        evidence[emotion] += weight * (1.0 + _TILT * voice * _AROUSING.get(emotion, 0.0))
    evidence["happy"] += _SMILE_EVIDENCE * smile
    open_to_voice = _VOICE_EVIDENCE * abs(voice) * (1.0 - words.strength)
    if heard is not None:
        for emotion, share in heard.shares.items():
            evidence[emotion] += _HEARD_EVIDENCE * share * (1.0 - words.strength)
    elif voice > 0.0:
        # An excited voice may be glad, cross or startled: what else is known decides.
        pleasant = min(1.0, max(0.0, 0.5 + valence))
        evidence["surprised"] += open_to_voice * 0.3
        evidence["happy"] += open_to_voice * 0.7 * pleasant
        evidence["angry"] += open_to_voice * 0.7 * (1.0 - pleasant)
    else:
        evidence["sad"] += open_to_voice * 0.6  # or only tired or private
    whole = sum(evidence.values())
    return {emotion: share / whole for emotion, share in evidence.items()}
