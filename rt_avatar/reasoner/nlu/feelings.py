"""Classify what the caller feels from words, voice and face: one of 32 emotions, with intensity.

Pure functions of text and ``Affect``. Cues of the lexicon add up; "not happy" turns over, "very"
and "a bit" weigh, what stands after "but" counts more, and the voice and face decide where the
words say little. Knows no history and no reply.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from rt_avatar.emotion_lexicon import FEELINGS, ROW_WEIGHTS
from rt_avatar.engines.emotion_words import COARSE, FINE, PLEASANT, UNPLEASANT, Fine, felt
from rt_avatar.engines.text_emotion import CLEAR, EmotionEstimate
from rt_avatar.engines.types import Emotion
from rt_avatar.engines.word_set import word_set
from rt_avatar.messages import Affect

# Below this the words alone do not name a feeling: a cue that merely fits (0.7) is not
# enough, one that suggests it (1.5) or two that fit are (see the lexicon's rows).
NAMED: Final = 1.4
# How much the voice and face may add, against one cue that names a feeling (4.0): they tip the
# balance between likely words and fill the silence, but never overrule a feeling that was named.
_AFFECT_WEIGHT: Final = 2.0

# As ``CLEAR``, where the words' cues and the network say the same; they are not independent.
_CLEAR_BY_TWO: Final = 0.65

_NEGATIONS: Final = word_set(
    "not no never dont didnt isnt wasnt arent werent aint doesnt cannot cant couldnt wouldnt "
    "nothing without hardly neither nor"
)
_INTENSIFIERS: Final = word_set(
    "very so really extremely incredibly totally absolutely completely super truly terribly "
    "deeply too such"
)
_DAMPENERS: Final = word_set("bit little somewhat slightly kinda sorta maybe fairly")
_MYSELF: Final = word_set("i im ive id me myself")
_OTHERS: Final = word_set(
    "he she they hes shes theyre theyll hell shell who someone everyone people"
)
# "Never been so happy" is as happy as can be.
_UTMOST: Final = word_set("so this that more such as quite")
# Feelings of which "not …" says the other side; the rest of a negated cue merely counts nothing.
_OPPOSITES: Final[Mapping[Fine, Fine]] = {
    "joyful": "sad",
    "content": "disappointed",
    "confident": "anxious",
    "prepared": "anxious",
    "hopeful": "sad",
    "proud": "ashamed",
    "excited": "apprehensive",
    "trusting": "apprehensive",
    "afraid": "confident",
    "anxious": "content",
    "sad": "content",
    "lonely": "content",
}
# What to call a feeling that only the voice and face show.
BY_LOOK: Final[Mapping[Emotion, Fine]] = {
    "happy": "joyful",
    "surprised": "surprised",
    "angry": "annoyed",
    "fear": "anxious",
    "sad": "sad",
    "disgusted": "disgusted",
    "contempt": "annoyed",
}
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)*")


@dataclass(frozen=True, slots=True)
class Feeling:
    """What the caller feels.

    Attributes:
        fine: One of the 32, or ``None`` where neither words nor looks tell.
        coarse: AvaMERG's class of it (``"neutral"`` for none).
        intensity: 0 to 1.
        is_named: Whether the words themselves carry it; else only voice or face do.
        looks: What voice and face show against the words ("I'm fine", said sadly), or ``None``.
    """

    fine: Fine | None
    coarse: Emotion
    intensity: float
    is_named: bool
    looks: Fine | None = None


def words_of(text: str) -> list[str]:
    """Return the words of a text, lower case, without apostrophes (``don't`` → ``dont``)."""
    return [word.replace("'", "").replace("’", "") for word in _WORD.findall(text.casefold())]


@dataclass(frozen=True, slots=True)
class _Cue:
    rest: tuple[str, ...]  # words after the first; the last may be a beginning
    is_stem: bool
    fine: Fine
    weight: float


@cache
def _index() -> tuple[Mapping[str, tuple[_Cue, ...]], Mapping[str, tuple[_Cue, ...]]]:
    """Return cues by their first word, and one-word beginnings by that beginning."""
    whole: dict[str, list[_Cue]] = {}
    stems: dict[str, list[_Cue]] = {}
    for fine, rows in FEELINGS.items():
        for row, weight in zip(rows, ROW_WEIGHTS, strict=True):
            for cue in row.split(", "):
                is_stem = cue.endswith("*")
                first, *rest = words_of(cue)
                table = stems if is_stem and not rest else whole
                table.setdefault(first, []).append(_Cue(tuple(rest), is_stem, fine, weight))
    return (
        {key: tuple(cues) for key, cues in whole.items()},
        {key: tuple(cues) for key, cues in stems.items()},
    )


def _cues_at(words: list[str], at: int) -> Iterator[_Cue]:
    whole, stems = _index()
    for cue in whole.get(words[at], ()):
        rest = words[at + 1 : at + 1 + len(cue.rest)]
        if len(rest) < len(cue.rest) or rest[:-1] != list(cue.rest[:-1]):
            continue
        is_same = not rest or rest[-1] == cue.rest[-1]
        if is_same or (cue.is_stem and rest[-1].startswith(cue.rest[-1])):
            yield cue
    for end in range(3, len(words[at]) + 1):
        yield from stems.get(words[at][:end], ())


def score(text: str) -> dict[Fine, float]:
    """Return how much the words speak for each of the 32; those without a cue are left out."""
    return _score(text)[0]


def named_in(text: str) -> Fine | None:
    """Return the feeling that the words name, or nearly; None where they only suggest one."""
    scores = score(text)
    best = max(scores, key=lambda fine: (scores[fine], -FINE.index(fine)), default=None)
    return best if best is not None and scores[best] >= ROW_WEIGHTS[1] else None


def _score(text: str) -> tuple[dict[Fine, float], set[Fine]]:
    """Return how much the words speak for each emotion, and which ones they deny."""
    scores: dict[Fine, float] = {}
    denied: set[Fine] = set()
    seen: set[tuple[Fine, str, tuple[str, ...]]] = set()
    words = words_of(text)
    after_but = len(words) - words[::-1].index("but") if "but" in words else len(words)
    for at, word in enumerate(words):
        before = words[max(0, at - 3) : at]
        negated = any(w in _NEGATIONS for w in before) and before[-1:] != ["only"]
        if "never" in before and {before[-1], word} & _UTMOST:
            negated = False
        for cue in _cues_at(words, at):
            key = (cue.fine, word, cue.rest)
            if key in seen:
                continue
            seen.add(key)
            weight = cue.weight
            if any(w in _INTENSIFIERS for w in before[-2:]):
                weight *= 1.3
            elif any(w in _DAMPENERS for w in before[-2:]):
                weight *= 0.8
            if at >= after_but:
                weight *= 1.2
            weight *= _whose(before)
            fine: Fine | None = cue.fine
            if negated and cue.weight >= 1.5 and word not in _NEGATIONS:
                denied.add(cue.fine)
                fine, weight = _OPPOSITES.get(cue.fine), weight * 0.6
            if fine is not None:
                scores[fine] = scores.get(fine, 0.0) + weight
    return scores, denied


def _whose(before: list[str]) -> float:
    """Return how much a cue counts by who stands before it: another's feeling counts less."""
    near = [word for word in before if word in _MYSELF or word in _OTHERS]
    return 0.6 if near and near[-1] in _OTHERS else 1.0


def detect(
    text: str, affect: Affect | None = None, estimate: EmotionEstimate | None = None
) -> Feeling:
    """Return what someone feels who says this and looks and sounds like that.

    Args:
        text: What was said; recognition errors only lose cues.
        affect: Voice and face, if known.
        estimate: What a network makes of all that they said so far; it names the feeling where it
            is sure or cues only suggest one, and the words do not deny it. None: the cues alone do.
    """
    scores, denied = _score(text)
    shares = dict(affect.confidences) if affect else {}
    if affect and not shares:
        shares = {affect.emotion: 0.5 + 0.5 * min(1.0, abs(affect.valence))}
    looks = _looks(shares, affect)
    fused = {
        fine: value + _AFFECT_WEIGHT * shares.get(felt(fine), 0.0) for fine, value in scores.items()
    }
    best = max(fused, key=lambda fine: (fused[fine], -FINE.index(fine)), default=None)
    is_named = best is not None and scores[best] >= NAMED
    # A cue that says its name stands: who says "I am so sad" is sad. An unsure network is still
    # right more often than cues that only suggest a feeling and deny none; where no cue does, there
    # may be none.
    is_own_word = best is not None and scores[best] >= ROW_WEIGHTS[0]
    is_suggested = is_named and not is_own_word and not denied
    takes_network = estimate is not None and (estimate.is_sure or is_suggested) and not is_own_word
    if takes_network and estimate is not None and estimate.fine not in denied:
        suggested, best = best if is_named else None, estimate.fine
        is_named = _is_clear(estimate, suggested)
    if best is not None and is_named:
        # As strong as the cues for it say; without any, by how likely it is.
        cues = scores.get(best, 0.0) / 12 or (estimate.confidence / 3 if estimate else 0.0)
        strength = min(1.0, 0.4 + cues + 0.2 * (affect.arousal if affect else 0.0))
        against = looks if looks and _valence(looks) * _valence(best) < 0 else None
        return Feeling(best, COARSE[best], round(max(0.2, strength), 3), True, against)
    if looks is not None:
        if best is not None and felt(best) == felt(looks):
            looks = best
        share = shares.get(felt(looks), 0.5)
        return Feeling(looks, COARSE[looks], round(min(0.8, share), 3), False, looks)
    return Feeling(None, "neutral", 0.3, False)


def _looks(shares: Mapping[Emotion, float], affect: Affect | None) -> Fine | None:
    """Return the feeling that voice and face show clearly, if any."""
    shown = {emotion: share for emotion, share in shares.items() if emotion != "neutral"}
    if affect is None or not shown:
        return None
    emotion = max(shown, key=lambda name: shown[name])
    # Half of all confidence, and more than neutral: below, a tired voice would be called sad.
    if shown[emotion] < 0.5 or shown[emotion] <= shares.get("neutral", 0.0):
        return None
    return BY_LOOK[emotion]


def _is_clear(estimate: EmotionEstimate, suggested: Fine | None) -> bool:
    """Whether it is clear enough that the likeliest feeling is pleasant, or that it is unpleasant.

    Args:
        estimate: The network's.
        suggested: What cues suggest; less is asked for where both are on one side.
    """
    for side, share in ((PLEASANT, estimate.pleasure), (UNPLEASANT, 1 - estimate.pleasure)):
        if estimate.fine in side:
            return share >= (_CLEAR_BY_TWO if suggested in side else CLEAR)
    return True


def _valence(fine: Fine) -> int:
    coarse = felt(fine)
    if coarse == "happy":
        return 1
    return 0 if fine in ("surprised", "impressed") else -1
