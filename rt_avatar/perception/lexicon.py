"""Score the emotion of a text by a lexicon: text → ``WordAffect`` (valence, arousal, scores).

Small and quick, since it reads the whole utterance again with every partial transcript. It is the
perception's first impression; which of 32 feelings somebody names is for the reasoner to find out.
Knows nothing of voices, faces or time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Final

from engines.types import Emotion


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

# Names a feeling; says what only this feeling makes one say; merely fits.
_STRONG: Final = 1.3
_CLEAR: Final = 1.0
_HINT: Final = 0.35
# Rows share a corner of the circumplex; values are rounded to 0.1, finer would be pretence.
# Source of the layout: J. A. Russell, "A circumplex model of affect", JPSP 39 (1980).
# "*" stands for any ending, "_" for a space.
_ROWS: Final[tuple[tuple[Emotion, float, float, float, str], ...]] = (
    ("happy", 0.9, 0.7, _STRONG, "thrill* ecstatic overjoyed elated euphori* delighted "
     "can't_wait over_the_moon best_day dream_come_true blown_away on_top_of_the_world"),
    ("happy", 0.8, 0.5, _CLEAR, "happy happi* joy joyful* joyous excit* cheerful* celebrat* glad "
     "fantastic wonderful* awesome amazing brilliant yay hooray woohoo proud prouder "
     "loved_it love_it i_love engaged won laugh* fun looking_forward so_good good_news "
     "great_news passed_my got_the_job well_done hilarious delight"),
    ("happy", 0.6, -0.3, _CLEAR, "grateful thankful relie* content contented peaceful* satisf* "
     "relaxed calm blessed thank_goodness at_ease comfort* hopeful optimis*"),
    ("happy", 0.5, 0.1, _HINT, "good great nice lovely beautiful enjoy* love loves like_it perfect "
     "cool sweet better best thanks thank smil* glow* success* lucky fine okay_now hope hoping "
     "pleas* congratulat* birthday wedding promoted promotion holiday vacation graduat* "
     "no_problem don't_worry not_bad interesting confident excellent"),
    ("sad", -0.9, -0.2, _STRONG, "devastat* heartbr* grief grieving griev* depress* miserabl* "
     "hopeless* despair* passed_away funeral bereave* suicid* broke_up breakup worthless "
     "can't_go_on died widow*"),
    ("sad", -0.7, -0.4, _CLEAR, "sad sadder sadly sadness unhappy lonely loneli* alone cry crying "
     "cried tears sorrow* gloom* melanchol* hurt hurts hurting heavy_hearted miss_him miss_her "
     "miss_them miss_you disappoint* let_down discourag* ashamed guilt* regret* empty numb "
     "feeling_down feel_down down_lately left_me lost_my lost_him lost_her give_up giving_up "
     "homesick rejected failed failure heartache mourn* i_miss"),
    ("sad", -0.5, -0.6, _CLEAR, "exhausted tired weary worn_out burned_out burnt_out drained "
     "no_energy can't_sleep"),
    ("sad", -0.4, -0.2, _HINT, "sorry unfortunate* alas bad badly worse worst awful rough hard "
     "difficult struggl* fail sick ill hospital cancer divorce* fired laid_off lost trouble* "
     "bored boring embarrass* wish pain painful problem* ache* nobody low poor* dead dies dying "
     "not_great upset"),
    ("angry", -0.8, 0.8, _STRONG, "furious rage raging enraged outrag* livid hate hated hates "
     "fed_up sick_of can't_stand pissed infuriat* fuming how_dare seething"),
    ("angry", -0.6, 0.6, _CLEAR, "angry anger angri* mad annoy* irritat* frustrat* unfair "
     "ridiculous unacceptable unbelievable_that resent* aggravat* hostil* yell* "
     "shout* scream* argu* betray* lied_to cheated ripped_off damn stupid idiot* "
     "shut_up drives_me getting_on_my_nerves bother* unjust insult*"),
    ("fear", -0.8, 0.8, _STRONG, "terrif* panic* petrified horrif* nightmare* scared_to_death "
     "freaking_out freak_out dread*"),
    ("fear", -0.6, 0.5, _CLEAR, "afraid scared scary fear fears fearful* frighten* anxi* worri* "
     "worry* nervous* stress* overwhelm* uneasy tense threat* insecure can't_breathe shaking "
     "on_edge apprehensi* helpless* unsafe"),
    ("fear", -0.3, 0.3, _HINT, "danger* risk* unsure uncertain exam exams surgery operation "
     "interview doubt* what_if deadline* pressure concern*"),
    ("surprised", 0.2, 0.8, _CLEAR, "surpris* shock* astonish* amazed astound* stunned startl* "
     "unbelievable incredible wow whoa oh_my_god omg no_way can't_believe speechless "
     "out_of_nowhere never_expected didn't_expect guess_what"),
    ("surprised", 0.1, 0.4, _HINT, "sudden* unexpected* really_did seriously wait_what weird "
     "strange"),
    ("disgusted", -0.7, 0.3, _CLEAR, "disgust* gross grossed revolt* repuls* nause* vomit* yuck "
     "ew eww filthy vile sickening creepy makes_me_sick nasty rotten throw_up"),
    ("contempt", -0.6, 0.1, _CLEAR, "pathetic contempt* despis* scorn* beneath_me loser* "
     "jealous* envy envious smug arrogant laughable looks_down_on hypocrit* "
     "what_a_joke"),
)  # fmt: skip


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEGATIONS: Final = _set(
    "not no never don't doesn't didn't isn't wasn't aren't weren't ain't can't cannot couldn't "
    "wouldn't won't haven't hasn't nothing hardly neither nor without"
)
_INTENSIFIERS: Final = _set(
    "very so really extremely incredibly totally absolutely completely super truly deeply too "
    "such terribly awfully utterly"
)
_DAMPENERS: Final = _set("bit little somewhat slightly kinda sorta fairly")
_CLAUSE_ENDS: Final = _set("but and because although though however . , ; ! ?")
# A recogniser writes no commas: "I don't know I'm sad" begins a clause with its subject, but
# "I don't think I'm sad" does not.
_SUBJECTS: Final = _set("i i'm i've i'd he he's she she's we we're they they're it's that's")
_OPINIONS: Final = _set("think believe say said")
_UTMOST: Final = _set("so this that more such as quite")
# "Couldn't be happier": a negated comparative of something good is the strongest praise.
_COMPARATIVES: Final = _set("happier prouder better best")
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


def _tables() -> tuple[dict[str, _Cue], dict[str, _Cue], dict[str, list[tuple[list[str], _Cue]]]]:
    """Return whole words, stems, and phrases (words after the first) by their first word."""
    whole: dict[str, _Cue] = {}
    stems: dict[str, _Cue] = {}
    phrases: dict[str, list[tuple[list[str], _Cue]]] = {}
    for emotion, valence, arousal, weight, row in _ROWS:
        cue = _Cue(emotion, valence, arousal, weight)
        for entry in row.split():
            first, *rest = entry.split("_")
            if rest:
                phrases.setdefault(first, []).append((rest, cue))
            elif first.endswith("*"):
                stems[first[:-1]] = cue
            else:
                whole[first] = cue
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
        return _Cue(cue.emotion, cue.valence, cue.arousal, max(weight, _CLEAR))
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
    found: list[tuple[int, _Cue]] = []
    after_phrase = 0
    for at, token in enumerate(tokens):
        if at < after_phrase:
            continue
        phrase = _phrase_at(tokens, at) if token in _PHRASES else None
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
