"""Emotion words and what they map to: EmpatheticDialogues' 32, AvaMERG's 7, and people's own words.

A word (``"heavy-hearted"``) → a ``Fine`` label (``"sad"``) → an ``Emotion`` (``"sad"``). Knows no
sentences; the reasoners' ``feelings`` finds emotions in them. Source: AvaMERG-Pipeline's label maps
(specification of the reasoners, ``docs/reasoners.md`` §Emotions).
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from rt_avatar.engines.types import Emotion

Fine: TypeAlias = Literal[
    "surprised", "excited", "angry", "proud", "sad", "annoyed", "grateful", "lonely",
    "afraid", "terrified", "guilty", "impressed", "disgusted", "hopeful", "confident", "furious",
    "anxious", "anticipating", "joyful", "nostalgic", "disappointed", "prepared", "jealous",
    "content", "devastated", "embarrassed", "caring", "sentimental", "trusting", "ashamed",
    "apprehensive", "faithful",
]  # fmt: skip
FINE: Final[tuple[Fine, ...]] = get_args(Fine)

_MEMBERS: Final[Mapping[Emotion, tuple[Fine, ...]]] = {
    "happy": (
        "excited", "grateful", "hopeful", "anticipating", "joyful", "content", "caring", "proud",
        "confident", "trusting", "faithful", "prepared",
    ),
    "sad": (
        "sad", "lonely", "sentimental", "guilty", "ashamed", "nostalgic", "disappointed",
        "embarrassed", "anxious",
    ),
    "surprised": ("devastated", "surprised", "impressed"),
    "angry": ("angry", "annoyed", "furious"),
    "fear": ("afraid", "terrified", "apprehensive"),
    "disgusted": ("disgusted",),
    "contempt": ("jealous",),
}  # fmt: skip
# What AvaMERG counts as the coarse class; use it for labels and metrics.
COARSE: Final[Mapping[Fine, Emotion]] = {
    fine: coarse for coarse, members in _MEMBERS.items() for fine in members
}
# To whom a listener can say how nice that is, and to whom how hard; the others are either.
PLEASANT: Final[frozenset[Fine]] = frozenset({
    "joyful", "excited", "proud", "grateful", "hopeful", "confident", "content", "impressed",
    "prepared", "faithful", "trusting", "caring",
})  # fmt: skip
UNPLEASANT: Final[frozenset[Fine]] = frozenset({
    "sad", "devastated", "lonely", "disappointed", "angry", "furious", "annoyed", "afraid",
    "terrified", "anxious", "apprehensive", "ashamed", "embarrassed", "guilty", "disgusted",
    "jealous",
})  # fmt: skip
# Where the published table would make a listener look wrong (startled at someone's grief, merely
# sad at someone's fear), what is *felt* differs from what is counted.
_FELT: Final[Mapping[Fine, Emotion]] = {"devastated": "sad", "anxious": "fear"}

# Words that models and people use instead of the 32. The first group is AvaMERG-Pipeline's.
_SYNONYMS: Final[Mapping[Fine, str]] = {
    "anxious": "conflicted anxiety worried worry uneasy stressed stress concerned concern burdened "
    "overwhelmed overwhelm nervous confusion tense restless panicked",
    "afraid": "vulnerability vulnerable helpless helplessness fear fearful fragile scared "
    "frightened",
    "sad": "sadness melancholy melancholic heavy-hearted frustrated tired weary fatigue exhaustion "
    "exhausted tiredness unhappy down depressed hurt grieving miserable hopeless gloomy",
    "sentimental": "pensive reflective thoughtful touched moved emotional",
    "annoyed": "frustration irritated irritation bothered impatient",
    "disappointed": "upset disappointment discouraged",
    "jealous": "lost confused envious envy jealousy contempt contemptuous resentful",
    "nostalgic": "nostalgia wistful",
    "lonely": "loneliness isolated alone",
    "ashamed": "inadequacy shame inadequate",
    "guilty": "regret guilt remorse regretful",
    "joyful": "happy happiness joy delighted cheerful glad elated amused",
    "excited": "excitement thrilled enthusiastic eager",
    "content": "contentment calm relaxed relieved relief peaceful satisfied comfortable",
    "grateful": "gratitude thankful appreciative blessed",
    "proud": "pride accomplished",
    "hopeful": "hope optimistic optimism",
    "confident": "confidence determined",
    "anticipating": "anticipation expectant",
    "caring": "love loving affectionate compassionate",
    "impressed": "admiration amazed awe inspired",
    "surprised": "surprise shocked shock astonished astonishment startled",
    "devastated": "devastation heartbroken grief bereaved despair desperate",
    "angry": "anger mad",
    "furious": "fury rage enraged outraged",
    "embarrassed": "embarrassment humiliated awkward",
    "disgusted": "disgust revolted repulsed grossed",
    "apprehensive": "apprehension hesitant unsure uncertain wary",
    "terrified": "terror horror horrified",
}
_WORDS: Final[Mapping[str, Fine]] = {
    word: fine for fine, words in _SYNONYMS.items() for word in words.split()
} | {fine: fine for fine in FINE}


def to_fine(words: str) -> Fine | None:
    """Return the label that emotion words name, or ``None`` ("neutral", "", nonsense).

    Args:
        words: A label in any case, possibly with more around it: ``"Deeply sad, and tired"``.
            The first word that is known counts.
    """
    for word in words.replace("_", " ").replace("/", " ").split():
        fine = _WORDS.get(word.strip(".,;:!?\"'()[]*").casefold())
        if fine is not None:
            return fine
    return None


def felt(fine: Fine | None) -> Emotion:
    """Return what is felt, to answer or to show it; differs from ``COARSE`` for grief and worry."""
    if fine is None:
        return "neutral"
    return _FELT.get(fine, COARSE[fine])
