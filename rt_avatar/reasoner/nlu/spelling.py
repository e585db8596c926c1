"""Write what was heard as it is spelled: "its about my brother, hes ill" → "it's …, he's ill".

Recognisers and hasty typists leave apostrophes out. All that understands a turn reads it behind
this, so that nothing else must know two forms of a word. A form that is another word, too ("ill",
"well", "its"), is restored only where the words around it leave no doubt. Knows no meaning.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner import ReplyRequest

_KEPT: Final = 512  # turns; those of a call are read again with every request
_MARKS: Final = re.compile(r"(?<=\w)[’ʼ´`](?=\w)")
_APART: Final = re.compile(  # "i ve", "don t"
    r"\b(i|you|we|they|he|she|it|that|there|what|who) (m|ve|re|ll|d|s)\b(?!')|\b(\w+n) (t)\b(?!')",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"(?<=\d)( ?[ap])\.m\b\.?", re.IGNORECASE)  # "3 p.m."
_IN_LAW: Final = re.compile(
    r"\b(mother|father|sister|brother|son|daughter|parents|family) in (laws?)\b"
    r"(?! (?:school|firm))",
    re.IGNORECASE,
)
# Without their apostrophe these are no other word.
_FORMS: Final = word_set(
    "i'm i've you're you've you'd you'll he's he'd she's it'd it'll we've they're they've they'd "
    "they'll that's that'd that'll what's who's who'd where's when's how's here's there's there'd "
    "everyone's everybody's everything's someone's somebody's something's nobody's nothing's "
    "don't doesn't didn't isn't aren't ain't wasn't weren't can't couldn't won't wouldn't "
    "shouldn't haven't hasn't hadn't mustn't needn't could've would've should've might've must've "
    "o'clock y'all"
)
_CERTAIN: Final[Mapping[str, str]] = {form.replace("'", ""): form for form in _FORMS}
# Follows "will" and "would", and nothing that is called "id", is "ill" or is done "well".
_DOES: Final = (
    r"(?:be|have|do|go|get|give|take|make|come|see|say|tell|ask|try|think|know|want|need|keep|let|"
    r"find|call|talk|cope|manage|forgive|forget|remember|understand|miss|stay|leave|die|kill|hate|"
    r"love|rather|bet|wait|show|bring|send|meet|move|marry|start|stop|finish|feel|look|sleep|eat|"
    r"pay|buy|lose|win|pass|fail|live|end|never|always|probably|definitely|just|also|already|even|"
    r"ever|not|still|only)\b"
)
_DID: Final = rf"(?:{_DOES}|(?:been|better|like|prefer|hoped|wanted|planned|said|done|gone)\b)"
_WE_DO: Final = (
    r"(?:be|(?:have|need) to|see (?:how|what|if|when|about|him|her|them)|both|find out|manage|"
    r"cope|miss|get (?:there|through|by|married|over))\b"
)
_WE_ARE: Final = r"(?:\w{2,}ing|gonna|not|both|all|just|still|so|really|finally|about to|in|at)\b"
_IT_IS: Final = (
    r"(?:an?|the|not|none|been|so|such|super|too|just|really|very|quite|only|still|also|always|"
    r"never|all|about|like|my|our|your|his|her|their|me|him|them|us|you|gonna|okay|ok|fine|"
    r"because|what|how|why|where|who|when|that|this|in|on|at|for|to|from|with|no|nothing|over|"
    r"(?!(?:(?:k|sp|st)?ring|wing|king|ceiling|meaning|feeling|building|beginning|thing)\b)"
    r"\w{2,}ing|\w{3,}ly)\b"
)
# "Its tail is broken", "I know its name".
_ITS_OWN: Final = (
    r"(?:\w+ (?:\w+ )?(?:is|was|are|were|has|had|came|fell|broke)|own|names?|friends?|owners?|head|"
    r"face|eyes?|ears?|paws?|legs?|tail|mother|mum|mom|babies|puppies|kittens|place|price|value|"
    r"size|colou?r|taste|smell)\b"
)
_LETS_US: Final = r"(?!(?:me|him|her|us|you|them|my|people|everyone|down|in|out)\b)\w"
# A clause begins behind these.
_LEADS: Final = word_set(
    "and but so if now that well then yeah yes no oh because cause cos cuz maybe though although "
    "when think thinks thought guess know knows hope say says said means honestly okay "
    "ok actually whatever"
)
_ADVANCES: Final = word_set("so because cause cos think guess maybe now then well okay ok")
_OWNERS: Final = word_set("a an the my your his her its our their this that any no fake i we to of")


class _Twin(NamedTuple):
    """A word that may be another one without its apostrophe.

    Attributes:
        form: The other.
        before: What follows where it is the other.
        never_behind: Words that it is none behind.
        behind: Words that it must stand behind, if not where a sentence begins; None: any.
    """

    form: str
    before: re.Pattern[str]
    never_behind: frozenset[str] = frozenset()
    behind: frozenset[str] | None = None


_TWINS: Final[Mapping[str, tuple[_Twin, ...]]] = {
    "its": (
        _Twin("it's", re.compile(_IT_IS, re.IGNORECASE)),
        _Twin("it's", re.compile(rf"(?!{_ITS_OWN})\w", re.IGNORECASE), behind=_LEADS),
    ),
    "ill": (_Twin("i'll", re.compile(_DOES), word_set(
        "be is am i'm im he's she's was were are been feel feeling felt fell fall so too very got "
        "get getting really seriously mentally terminally critically his her the an being quite"
    )),),
    "well": (_Twin("we'll", re.compile(_WE_DO), word_set(
        "as may might can could go goes going went not all too very so do does did doing pretty "
        "really is are was were get getting might'll sleep ate feel oh"
    )),),
    "were": (_Twin("we're", re.compile(_WE_ARE), behind=_ADVANCES),),
    "id": (_Twin("i'd", re.compile(_DID), _OWNERS - {"that", "so"}),),
    "wed": (_Twin("we'd", re.compile(_DID), _OWNERS | word_set("be get were on newly last next")),),
    "hell": (_Twin("he'll", re.compile(_DOES), _OWNERS | word_set(
        "like as in what bloody is go raise from through oh")),),
    "shell": (_Twin("she'll", re.compile(_DOES), _OWNERS | word_set("egg sea nut in out")),),
    "shed": (_Twin("she'd", re.compile(_DID), _OWNERS | word_set(
        "garden old he she they you i've have has had new")),),
    "lets": (_Twin("let's", re.compile(_LETS_US), behind=word_set(
        "so ok okay now then well come on yes yeah")),),
}  # fmt: skip
_WORD: Final = re.compile(
    rf"(?<![\w'])(?:{'|'.join((*_CERTAIN, *_TWINS))})(?![\w'-])", re.IGNORECASE
)
_BEFORE: Final = re.compile(r"([\w'-]+) +$")


@lru_cache(_KEPT)
def spelled(text: str) -> str:
    """Return a text with the apostrophes that were left out, in one form, and "mother-in-law"."""
    text = _APART.sub(r"\1\3'\2\4", _MARKS.sub("'", text))
    text = _CLOCK.sub(r"\1m", _IN_LAW.sub(r"\1-in-\2", text))
    return _WORD.sub(_restored, text)


def as_spelled(request: ReplyRequest) -> ReplyRequest:
    """Return a request with all that the caller said as it is spelled."""
    heard = replace(request.transcript, text=spelled(request.transcript.text))
    told = tuple(
        replace(one, text=spelled(one.text)) if one.role == "caller" else one
        for one in request.history
    )
    return replace(request, transcript=heard, history=told)


def _restored(found: re.Match[str]) -> str:
    word = found[0]
    form = _CERTAIN.get(word.casefold()) or _twin_of(found)
    letters = iter(word)
    return "".join(one if one == "'" else next(letters) for one in form) if form else word


def _twin_of(found: re.Match[str]) -> str:
    """Return the other word that a word is, by those around it; empty where it is itself."""
    before = _BEFORE.search(found.string, 0, found.start())
    last = before[1].casefold() if before else ""
    following = found.string[found.end() :].removeprefix(" ")
    for twin in _TWINS[found[0].casefold()]:
        is_placed = twin.behind is None or not last or last in twin.behind
        if is_placed and last not in twin.never_behind and twin.before.match(following):
            return twin.form
    return ""
