"""Hear what a caller puts right, and what is so instead: "I'm not worried, I'm furious".

A feeling or a fact that the avatar took for granted is denied, and the right one said. Who only
answers a question ("Are you worried?" "Not worried, just curious") puts nothing right. Knows no
apology (``repair``).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.emotion_words import PLEASANT, to_fine
from rt_avatar.engines.reply_ranker.fit import stem_of, tone_of
from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.nlu.swapping import TOKEN, content_of
from rt_avatar.reasoner.responses.unsaid import unsaid


@dataclass(frozen=True, slots=True)
class Correction:
    """What is put right.

    Attributes:
        right: What is so instead: a feeling, or "my sister"; empty where they leave it open.
        is_felt: Whether that is what the caller feels.
    """

    right: str
    is_felt: bool


_GLAD: Final = ("You're {}, then. I'm glad.", "So you're {}. I'm glad to hear that.")
_FELT: Final = ("You're {}, then. Go on.", "So you're {}. I hear that now.")
_MEANT: Final = ("{}, then. Go on.", "{}, of course. Go on.", "{}. I'm with you now.")
_LEADS: Final = (
    r"^(?:(?:no+|nah|nope|oh|well|but|what|eh|huh|um|uh|er|haha|lol|actually|sorry|wait|hang on|"
    r"ava|look|dear|love|honey|yes|yeah) (?:, )?)*"
)
_HOW: Final = (
    r"(?:(?:really|so|that|very|even|just|only|all|quite|exactly|more|actually|a bit|a little|"
    r"feeling|mostly|rather|absolutely|bloody|simply) )*"
)
_IS: Final = r"(?:i'm|i am|i was|it's|it is|it was|that's|he's|she's|they're|we're)"
_RIGHT: Final = r"(?P<right>[a-z]+)\b(?! (?:and|or)\b)"
# A denied word, and what is said in its place.
_FELT_FORMS: Final[Sequence[re.Pattern[str]]] = (
    re.compile(
        rf"{_LEADS}(?:{_IS} )?not {_HOW}(?P<wrong>\w+)(?: at all| about it| with him| with her)? "
        rf"(?:, )?(?P<turn>(?:but |just |more |only |{_IS} )+){_HOW}{_RIGHT}"
    ),
    re.compile(
        rf"{_LEADS}(?:i|it|he|she|that) (?:wasn't|isn't|don't feel|didn't feel) {_HOW}"
        rf"(?P<wrong>\w+) (?:, )?(?P<turn>(?:but |just |more |only |{_IS} )+){_HOW}"
        rf"{_RIGHT}"
    ),
    re.compile(
        rf"{_LEADS}(?P<wrong>\w+) (?:isn't|is not|wasn't) (?:quite |really |exactly )?the word "
        rf"(?:, )?(?P<turn>(?:{_IS} )?){_HOW}{_RIGHT}"
    ),
    re.compile(
        rf"{_LEADS}i (?:never|didn't) (?:say|said) (?:that )?i was {_HOW}(?P<wrong>\w+)"
        rf"(?: (?:, )?(?P<turn>(?:but |just |{_IS} )+){_HOW}{_RIGHT})?"
    ),
    re.compile(
        rf"{_LEADS}(?P<wrong>\w+) (?:, )?no (?:, )?(?P<turn>(?:{_IS} )?)(?:more )?{_HOW}"
        rf"{_RIGHT}"
    ),
    re.compile(rf"{_LEADS}(?P<turn>(?:{_IS} )?){_HOW}{_RIGHT} more than (?P<wrong>\w+)\b"),
)  # fmt: skip
_A: Final = r"(?:my|our|the|his|her|their) (?:\w+ ){0,2}?"
_MEANT_FORMS: Final[Sequence[re.Pattern[str]]] = (
    re.compile(
        rf"{_LEADS}(?:it's |it is |it was |that's |about )?(?P<right>{_A}\w+) (?:, )?not "
        rf"(?:about )?(?:my |our |the |his |her )?(?P<wrong>\w+)\b"
    ),
    re.compile(
        rf"{_LEADS}(?:it's |it is |it was |that's |i'm )?not (?:about )?(?:my|our|the|his|her) "
        rf"(?P<wrong>\w+) (?:, )?(?:it's |it is |it was |about |but )*(?P<right>{_A}\w+)\b"
    ),
)
_NOT_MINE: Final = re.compile(
    rf"{_LEADS}(?:it's |it is |it was )?not (?:mine|me) (?:, )?(?:it's |it was )?"
    rf"(?P<right>{_A}\w+)\b"
)
_KIN: Final = (
    r"(?:mum|mom|mother|dad|father|son|daughter|brother|sister|wife|husband|partner|girlfriend|"
    r"boyfriend|gran|nan|grandad|grandma|grandson|granddaughter|uncle|aunt|niece|nephew|cousin|"
    r"friend|neighbour|neighbor|boss|colleague|ex|mate|dog|cat)"
)
_JUST: Final = re.compile(
    rf"{_LEADS}(?:it's |he's |she's )?(?P<right>(?:my )?(?:step|grand)?{_KIN})$"
)
# In an echo, or in what is stated.
_TAKEN: Final = re.compile(
    rf"(?:^|[.!?] )your ({_KIN})\?|\byour ({_KIN})\b[^?]*[.!](?!.*\?)", re.IGNORECASE
)
_HE: Final = re.compile(
    rf"{_LEADS}(?:\w+(?:'s| is) )?an? (he|she|boy|girl)\b|{_LEADS}(he|she)(?: ,|$)"
)
_MEN: Final = ("he", "boy")
_FEMALE: Final = re.compile(r"\b(?:she|her|girl|lady)\b", re.I)
_MALE: Final = re.compile(r"\b(?:he|him|his|boy|lad)\b", re.I)
_UNWED: Final = re.compile(rf"{_LEADS}i'm not married\b")
_GOOD: Final = re.compile(
    r"^(?:(?:no+|what|eh|huh|oh|but|wait) (?:, )?)+(?:\w+ (?:\w+ )?, )?(?:no (?:, )?)?(?:i'm|i am) "
    r"(?:(?:so|really|very|just|actually) )*"
    r"(?P<right>happy|glad|thrilled|delighted|excited|relieved|pleased|chuffed)\b(?! (?:and|or)\b)"
)
_NO_BURDEN: Final = re.compile(
    r"^(?:(?:no|oh|but|well) )*(?:, )?(?:\w+ )?\w+(?:'s| is| was)(?: not an?| no) "
    r"(?:burden|trouble|bother|worry|hardship|chore|loss)\b"
    r"(?: , it's (?P<right>an? (?:joy|pleasure|treat|delight|blessing))\b)?"
)
_NO_SUCH: Final = re.compile(
    rf"{_LEADS}(?:there(?:'s| is| was) no (?:\w+ )?|"
    r"(?:it|that)(?: isn't| wasn't|'s not) (?:an? |good |bad ))(?P<wrong>\w{4,})\b"
)
_NAMES: Final = re.compile(r"\b(?:i'm|i am) (?:(?:just|so|really|only) )*([a-z]+)\b")
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_ECHOES: Final = 3  # words of a question that takes something for granted: "Your mum?"
_ASKS: Final = re.compile(r"^(?:are|is|was|were|do|does|did|have|has|can|could|will|would)\b", re.I)


def find_correction(text: str, last: str) -> Correction | None:
    """Return what a caller puts right in the avatar's last turn; None where they do not.

    Args:
        text: What the caller says, as it is spelled.
        last: The avatar's turn before it; empty: none.
    """
    if not last or is_reported(text):
        return None
    begun = _SENTENCES.findall(text)[:3]
    words = " , ".join(_plain(one) for one in begun)
    claims = _claims(last)
    for pattern in _FELT_FORMS:
        found = pattern.search(words)
        if found and _is_said(found["wrong"], claims):
            return _felt(found["right"] or "", found["turn"] or "")
    for pattern in _MEANT_FORMS:
        found = pattern.search(words)
        if found and _is_said(found["wrong"], last):
            return Correction(found["right"], is_felt=False)
    if (found := _NOT_MINE.search(words)) and re.search(r"\byour?\b", last, re.I):
        return Correction(found["right"], is_felt=False)
    just = _JUST.search(words.partition(" , ")[0])
    if (found := just) and _takes_for_another(found["right"], last):
        return Correction(f"my {found['right'].removeprefix('my ')}", is_felt=False)
    if (found := _HE.search(words)) and _is_other_sex(who := found[1] or found[2], last):
        return Correction("he" if who in _MEN else "she", is_felt=False)
    if _UNWED.search(words) and re.search(r"\byour (?:husband|wife)\b", last, re.I):
        return Correction("", is_felt=False)
    return _put_right_of_mood(words, last)


def say_right(correction: Correction, text: str, own: Sequence[str]) -> str:
    """Return what is so, told back behind an apology; empty where they left it open.

    Args:
        correction: What was put right.
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    right = correction.right
    if not right:
        return ""
    if correction.is_felt:
        ways: Sequence[str] = _GLAD if to_fine(right) in PLEASANT else _FELT
        return unsaid(ways, text, own, _signature).format(right)
    right = re.sub(r"\b(?:my|our)\b", "your", right)
    ways = _MEANT[:2] if right in ("he", "she") else _MEANT
    said = unsaid(ways, text, own, _signature).format(right)
    return said[0].upper() + said[1:]


def _signature(way: str) -> str:
    return max(way.split("{}"), key=len)


def _put_right_of_mood(words: str, last: str) -> Correction | None:
    """Return that what was pitied is good, or never was so; None where that is not said."""
    is_pity = tone_of(last) == -1 or bool(re.search(r"\bhard\b|\bcarry\b|heavy|rough|loss", last))
    if is_pity and (found := _GOOD.search(words)):
        return Correction(found["right"], is_felt=True)
    if is_pity and (found := _NO_BURDEN.search(words)):
        return Correction(found["right"] or "", is_felt=False)
    found = _NO_SUCH.search(words)
    if found and _is_said(found["wrong"], _claims(last)):
        named = _NAMES.search(words)
        is_felt = named is not None and to_fine(named[1]) is not None
        return Correction(named[1] if named and is_felt else "", is_felt=is_felt)
    return None


def _felt(right: str, turn: str) -> Correction:
    """Return a correction by a feeling; by what is no word for one where it is not."""
    is_own = not re.search(r"\b(?:it|that|he|she|they)('s| is| was)", turn)
    if not right or (to_fine(right) is None and not right.endswith("ed")):
        return Correction("", is_felt=False)
    return Correction(right, is_felt=True) if is_own else Correction(right, is_felt=False)


def _takes_for_another(right: str, last: str) -> bool:
    """Whether the avatar has just taken somebody for another of theirs: "Your son?"."""
    taken = _TAKEN.search(last)
    return taken is not None and (taken[1] or taken[2]).casefold() != right.removeprefix("my ")


def _is_other_sex(who: str, last: str) -> bool:
    is_man = who in _MEN
    return bool(_FEMALE.search(last)) is is_man and bool(_MALE.search(last)) is not is_man


def _claims(last: str) -> str:
    """Return what the avatar takes for so: what it states, and short echoes that it asks."""
    return " ".join(
        one
        for one in _SENTENCES.findall(last)
        if "?" not in one or (len(one.split()) <= _ECHOES and not _ASKS.search(one.strip()))
    )


def _is_said(word: str, text: str) -> bool:
    return stem_of(word) in content_of(text) or _root(word) in map(_root, _words(text))


def _root(word: str) -> str:
    """Return what "worried" and "worry", "excited" and "exciting" have in common."""
    word = word.casefold()
    for end in ("iness", "ness", "ing", "ied", "ed", "ely", "ly", "y", "e"):
        if word.endswith(end) and len(word) - len(end) > 3:
            return word.removesuffix(end)
    return word


def _words(text: str) -> Iterable[str]:
    return TOKEN.findall(text)


def _plain(text: str) -> str:
    """Return the words, lower case, and " , " where one stands."""
    found = re.findall(r"[^\W_]+(?:['-][^\W_]+)*|[,;:—–]", text.casefold())
    return " ".join("," if len(one) == 1 and not one.isalnum() else one for one in found)
