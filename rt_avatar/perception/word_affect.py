"""Score the emotion of a text by the lexicon: text → ``WordAffect`` (valence, arousal, scores).

Small and quick, since it reads the whole utterance again with every partial transcript. It is the
perception's first impression; which of 32 feelings somebody names is for the reasoner to find out.
Knows nothing of voices, faces or time.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Final

from rt_avatar.emotion_lexicon import CLEAR, FEELING_TONES, FEELINGS, TONES
from rt_avatar.engines.emotion_words import felt
from rt_avatar.engines.types import Emotion
from rt_avatar.engines.word_set import word_set


@dataclass(frozen=True, slots=True)
class _Cue:
    emotion: Emotion
    valence: float
    arousal: float
    weight: float


@dataclass(frozen=True, slots=True)
class WordAffect:
    """What a text tells of a feeling.

    Attributes:
        valence: -1 (unpleasant) to 1 (pleasant); 0 where nothing tells.
        arousal: -1 (calm) to 1 (excited).
        strength: How much the text tells, 0 (nothing) to 1.
        scores: Weight of each emotion found, above 0; empty where nothing tells.
        length: How many words and stops were read.
    """

    valence: float
    arousal: float
    strength: float
    scores: Mapping[Emotion, float]
    length: int = 0


NOTHING: Final = WordAffect(0.0, 0.0, 0.0, {})

_NEGATIONS: Final = word_set(
    "not no never don't doesn't didn't isn't wasn't aren't weren't ain't can't cannot couldn't "
    "wouldn't won't haven't hasn't nothing hardly neither nor without"
)
_INTENSIFIERS: Final = word_set(
    "very so really extremely incredibly totally absolutely completely super truly deeply too "
    "such terribly awfully utterly"
)
_DAMPENERS: Final = word_set("bit little somewhat slightly kinda sorta fairly")
_CLAUSE_ENDS: Final = word_set("but and because although though however . , ; ! ?")
# A recogniser writes no commas: "I don't know I'm sad" begins a clause with its subject, but
# "I don't think I'm sad" does not.
_SUBJECTS: Final = word_set("i i'm i've i'd he he's she she's we we're they they're it's that's")
_OPINIONS: Final = word_set("think believe say said")
_UTMOST: Final = word_set("so this that more such as quite")
# "Couldn't be happier": a negated comparative of something good is the strongest praise.
_COMPARATIVES: Final = word_set("happier prouder better best")
_REACH: Final = 4  # words: "don't feel at all happy", "isn't really very good"
_NEGATED: Final = 0.6  # "not happy" says less than "sad"
_NEGATED_BAD: Final = 0.4  # "not sad" is still less than "happy": much lies between the two
_INTENSIFIED: Final = 1.4
_DAMPENED: Final = 0.6
# What follows "but" is what one wants to say.
_BEFORE_BUT: Final = 0.6
_AFTER_BUT: Final = 1.2
_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)*|[.,;!?]")
_STEM_MIN: Final = 4  # no stem of the table is shorter


def _entries() -> Iterator[tuple[str, _Cue]]:
    """Yield every cue and its tone; of two feelings that a cue names, the first counts."""
    for emotion, valence, arousal, weight, row in TONES:
        for entry in row.split():
            yield entry.replace("_", " "), _Cue(emotion, valence, arousal, weight)
    for fine, (names, *_) in FEELINGS.items():
        for entry in names.split(", "):
            yield entry, _Cue(felt(fine), *FEELING_TONES[fine])


def _tables() -> tuple[dict[str, _Cue], dict[str, _Cue], dict[str, list[tuple[list[str], _Cue]]]]:
    """Return whole words, stems, and phrases (words after the first) by their first word."""
    whole: dict[str, _Cue] = {}
    stems: dict[str, _Cue] = {}
    phrases: dict[str, list[tuple[list[str], _Cue]]] = {}
    for entry, cue in _entries():
        first, *rest = entry.split()
        if rest:
            phrases.setdefault(first, []).append((rest, cue))
        elif first.endswith("*"):
            stems.setdefault(first[:-1], cue)
        else:
            whole.setdefault(first, cue)
    for options in phrases.values():
        options.sort(key=lambda option: -len(option[0]))  # the longest that fits counts
    return whole, stems, phrases


_WHOLE, _STEMS, _PHRASES = _tables()


@lru_cache(maxsize=4096)  # callers' vocabulary; a word costs ~3 µs the first time
def _cue_of(word: str) -> _Cue | None:
    found = _WHOLE.get(word)
    if found is not None:
        return found
    for end in range(len(word), _STEM_MIN - 2, -1):
        found = _STEMS.get(word[:end])
        if found is not None:
            return found
    return None


def _phrase_at(tokens: list[str], at: int) -> tuple[_Cue, int] | None:
    """Return the phrase that begins at a token and its length in tokens."""
    for rest, cue in _PHRASES.get(tokens[at], ()):
        said = tokens[at + 1 : at + 1 + len(rest)]
        last = rest[-1]
        if said == rest or (
            last.endswith("*")
            and len(said) == len(rest)
            and said[:-1] == rest[:-1]
            and said[-1].startswith(last[:-1])
        ):
            return cue, 1 + len(rest)
    return None


def _before(tokens: list[str], at: int) -> list[str]:
    """Return the words before a token, nearest first, within reach and within the clause."""
    words: list[str] = []
    for place in range(at - 1, max(-1, at - 1 - _REACH), -1):
        token = tokens[place]
        if token in _CLAUSE_ENDS:
            break
        if token in _SUBJECTS and (place == 0 or tokens[place - 1] not in _OPINIONS):
            break
        words.append(token)
    return words


def _shift(cue: _Cue, word: str, before: list[str]) -> _Cue:
    """Return a cue as the words before it turn it."""
    weight = cue.weight
    near = before[:2]
    if not _INTENSIFIERS.isdisjoint(near):
        weight *= _INTENSIFIED
    elif not _DAMPENERS.isdisjoint(near):
        weight *= _DAMPENED
    # "Not only happy", "can't stop crying", "never been so happy": nothing is denied.
    is_utmost = "never" in before and near[0] in _UTMOST
    if _NEGATIONS.isdisjoint(before) or near == ["only", "not"] or "stop" in near or is_utmost:
        return _Cue(cue.emotion, cue.valence, cue.arousal, weight)
    if word in _COMPARATIVES:
        return _Cue(cue.emotion, cue.valence, cue.arousal, max(weight, CLEAR))
    # Negation outweighs: "not very happy" is no more than "not happy".
    weight = cue.weight * (_NEGATED if cue.valence > 0.3 else _NEGATED_BAD)
    if cue.valence > 0.3:
        return _Cue("sad", -0.8 * cue.valence, -0.3, weight)
    if cue.emotion == "surprised":
        return _Cue("neutral", 0.0, -0.2, weight)
    return _Cue("happy", 0.3, -0.2, weight)


def read(text: str) -> WordAffect:
    """Return what a text tells of a feeling; recognition errors only lose cues."""
    tokens = _TOKEN.findall(text.casefold().replace("’", "'"))
    plain = [token.replace("'", "") for token in tokens]  # as the lexicon writes them
    found: list[tuple[int, _Cue]] = []
    after_phrase = 0
    for at, token in enumerate(plain):
        if at < after_phrase:
            continue
        phrase = _phrase_at(plain, at) if token in _PHRASES else None
        if phrase is not None:
            cue, length = phrase
            after_phrase = at + length
        elif (single := _cue_of(token)) is not None:
            cue = single
        else:
            continue
        found.append((at, _shift(cue, token, _before(tokens, at))))
    return _sum_up(tokens, found)


def _sum_up(tokens: list[str], found: list[tuple[int, _Cue]]) -> WordAffect:
    """Add up cues and where they stand."""
    if not found:
        return WordAffect(0.0, 0.0, 0.0, {}, len(tokens))
    but = max((at for at, token in enumerate(tokens) if token == "but"), default=None)
    scores: dict[Emotion, float] = {}
    total = valence = arousal = 0.0
    for at, cue in found:
        weight = cue.weight
        if but is not None:
            weight *= _BEFORE_BUT if at < but else _AFTER_BUT
        scores[cue.emotion] = scores.get(cue.emotion, 0.0) + weight
        total += weight
        valence += weight * cue.valence
        arousal += weight * cue.arousal
    # Saturates: one clear word tells 0.63, two 0.86; ten cannot tell more than all.
    return WordAffect(valence / total, arousal / total, 1.0 - exp(-total), scores, len(tokens))
