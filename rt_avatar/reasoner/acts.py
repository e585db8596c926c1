"""What a turn does, by its last clause, and what a listener asks or says to that.

"I miss the evenings" misses something, "he just shrugged" tells how somebody took it, "we move on
Saturday" says when. Each such act has questions and sayings that take the caller's own words, in
the listener's grammar ("What do you miss most about the evenings?"). The acts themselves are told
in tables of their own (``weighing``, ``untold``, ``longings``, ``dealings``, ``portraits``,
``spans``, ``coping``). Knows no feeling and no reply of the bank.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.fit import asks_what_is_known, questions_in
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.people import PERSON, named, with_apostrophes
from rt_avatar.reasoner.spelling import spelled
from rt_avatar.reasoner.swapping import NUMBERS, TOKEN, UNTOLD, swapped
from rt_avatar.reasoner.unsaid import turned

# What a pattern is looked for in: the beginning of the last clause, behind a "well" and the like;
# the last clause anywhere; the last sentence anywhere.
Where: TypeAlias = Literal["clause", "within", "sentence"]

_SENTENCES: Final = re.compile(r"[^.!?;:]*\w[^.!?;:]*[.!?;:]*(?:(?<=\d[.:])\d[^.!?;:]*[.!?;:]*)*")
_SUBJECT: Final = (
    r"(?:i|we|it|this|that|there|he|she|they|someone|somebody|everyone|everybody|nobody|people|"
    r"(?:some|a few|all|most|half|both|neither|none|one) of (?:us|them)|"
    rf"no one|all (?:i|we) (?:want|said)|{PERSON}|(?:my|our|his|her|their|the) \w+)(?:'\w+)?\b"
)
_CLAUSES: Final = re.compile(
    rf",(?!\d)|\s-+\s|\s(?=(?:and|but|so(?! (?:i|we|he|she|they|it)(?:'ll|'d| can| could|"
    rf" would| gets?)\b)|then) (?:then |now |today |so )?{_SUBJECT})",
    re.IGNORECASE,
)
_ADVERBS: Final = (
    r"(?:and|but|so|then|or|well|oh|yes|yeah|no(?! one)|now|anyway|apparently|honestly|actually|"
    r"luckily|"
    r"finally|today|yesterday|afterwards|later|just|even|suddenly|once|instead|again|only|maybe|"
    r"still|really|obviously|at least|at last|in the end|to be honest|i mean|you know|you see|"
    r"of course|out of (?:nowhere|the blue)|this (?:morning|afternoon|evening|week|weekend|year)|"
    r"last time|halfway through|after(?: a while| that)?|(?:last|next) (?:night|week|weekend|month|"
    r"year|spring|"
    r"summer|autumn|winter|\w+day)|"
    r"on (?:the )?\w+day|the other (?:day|night|week)|one (?:day|night|morning)|these days)"
)
_LEADS: Final = re.compile(
    rf"(?:(?:{_ADVERBS}\b|(?:on|in|at|after|during|back|for|"
    rf"by) (?!first\b|the beginning\b)(?:[\w-]+ ){{1,4}}?(?={_SUBJECT} )),? ?)+"
)
_TRAILS: Final = re.compile(
    r"(?:,? (?:you see|you know|i suppose|i guess|i think|really|honestly|anyway|as well|too|"
    r"mind you|to be honest|tbh|that's the (?:\w+ )?(?:trouble|problem|thing|part|bit|worst of it)|"
    rf"(?:he|she|they|i)(?:'s|'re|'m) (?:only |"
    rf"just )?(?:(?:{'|'.join(sorted(NUMBERS))})(?:[ -]\w+)?|\d+)"
    r"(?: now)?|"
    r"i'll (?:give (?:you|him|her) that|admit)|i know(?: that)?|and neither (?:have|did|do|has|"
    r"does) (?:i|he|she|they)|i (?:must|have to) say|"
    r"if i'm honest|"
    r"or something|and all that|though|lol|haha))+$",
    re.IGNORECASE,
)
_BEGINS: Final = re.compile(
    rf"{_SUBJECT}|at first\b|to begin\b|in the \w+ing\b|without\b|{'|'.join(sorted(NUMBERS))}\b|"
    rf"\d+\b|a \w+ \w+|(?:turns|turned) out\b|(?:maybe|perhaps)\b"
)
_NOUNS: Final = ("thing", "scene", "span", "day", "one", "nth")  # slots of the caller's words
_MERELY: Final = re.compile(r"\b(?:just|only|even|also|actually|then) ")
_DAYS: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bchristmas\b|\beaster\b"
)
_FRAGMENT: Final = re.compile(r"(?:that|this|the|my|our|his|her|their|a) \w+")
_ANY_ONE: Final = re.compile(r"^(?:an?|some|this) ")
_FIXED: Final = 3  # words before the first slot by which a saying is known again
_MOST_ASKED: Final = 2  # replies in a row that end with a question


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a turn does.

    Attributes:
        name: Of it.
        pattern: Of the words that do it, lower case, as they are spelled; its groups fill slots:
            "who" as ``people.named``, the others as they are told back.
        asks: Questions, with slots.
        says: What is said where two questions came before, with slots.
        never: Words of the sentence that make it something else.
        where: What the pattern is looked for in.
        is_soft: Whether it goes no further than a nod would, so that only a nod gives way to it.
    """

    name: str
    pattern: re.Pattern[str]
    asks: tuple[str, ...]
    says: tuple[str, ...] = ()
    never: re.Pattern[str] | None = None
    where: Where = "clause"
    is_soft: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """An act of a turn, and what fills its slots."""

    act: Act
    slots: Mapping[str, str]


def acts_in(text: str, acts: Sequence[Act], told: Sequence[str] = ()) -> Iterator[Found]:
    """Yield what a turn does, the surest first; nothing of what is asked.

    Args:
        text: The turn.
        acts: Looked for, in this order.
        told: The caller's turns before it, the oldest first.
    """
    text = with_apostrophes(spelled(text)).strip()
    sentences = [_TRAILS.sub("", one.strip(" ,.!;:")) for one in _SENTENCES.findall(text)]
    if not sentences or text.endswith("?"):
        return
    clause, sentence = _last_clause(sentences)
    for act in acts:
        looked_in = sentence if act.where == "sentence" else clause
        found = _find(act, looked_in.lower())
        if found is not None and not (act.never and act.never.search(sentence.lower())):
            yield Found(act, _slots_of(found, looked_in, told))


def meet_act(text: str, acts: Sequence[Act], own: Sequence[str], *, tells_back: bool = True) -> str:
    """Return what is asked or said to what a turn does; empty where there is nothing new to say.

    Args:
        text: The caller's turn.
        acts: Looked for, in this order.
        own: The avatar's turns, the oldest first; after two questions in a row no third follows.
        tells_back: Whether the caller's own words may be part of it.
    """
    found = acts_in(text, acts)
    return next((said for one in found if (said := say(one, text, own, tells_back=tells_back))), "")


def say(found: Found, text: str, own: Sequence[str], *, tells_back: bool) -> str:
    """Return a saying for one act, as ``meet_act``."""
    asked = [one.rstrip().endswith("?") for one in own[-_MOST_ASKED:]]
    may_ask = not (len(asked) == _MOST_ASKED and all(asked))
    said, questions = " ".join(own), questions_in(" ".join(own))
    asks = turned(found.act.asks, text) if may_ask and found.act.asks else []
    for one in sorted(asks, key=lambda one: not _nouns_in(one)):  # the most particular first
        filled = _filled(one, found.slots, said, tells_back=tells_back)
        is_new = questions.isdisjoint(questions_in(filled))
        if filled and is_new and not asks_what_is_known(filled, (text,), own):
            return filled
    says = turned(found.act.says, text) if found.act.says else []
    for one in sorted(says, key=lambda one: not _nouns_in(one)):
        if filled := _filled(one, found.slots, said, tells_back=tells_back):
            return filled
    return ""


def _last_clause(sentences: Sequence[str]) -> tuple[str, str]:
    """Return the last clause that has a subject, and its sentence, words alone."""
    for sentence in reversed(sentences[-2:]):
        for clause in reversed([one for one in _CLAUSES.split(sentence) if one.strip()]):
            words = " ".join(TOKEN.findall(clause))
            if _FRAGMENT.fullmatch(words.lower()):
                continue
            if _BEGINS.match(words.lower(), _leads(words.lower())):
                return words, " ".join(TOKEN.findall(sentence))
    return "", " ".join(TOKEN.findall(sentences[-1]))


def _leads(words: str) -> int:
    """Return where a clause begins behind its "well" and "but then"."""
    leads = _LEADS.match(words)
    return leads.end() if leads else 0


def _find(act: Act, words: str) -> re.Match[str] | None:
    return (
        act.pattern.match(words, _leads(words))
        if act.where == "clause"
        else act.pattern.search(words)
    )


def _slots_of(found: re.Match[str], written: str, told_before: Sequence[str]) -> dict[str, str]:
    """Return what fills the slots of a saying; ``written`` is what was looked in, as it is."""
    slots: dict[str, str] = {}
    for name, told in found.groupdict().items():
        if not told:
            continue
        if name in ("who", "whom"):
            slots |= named(told.strip(), (*told_before, written[: found.start(name)]))
        elif UNTOLD.isdisjoint(told.split()) and not find_unsafe(told):
            back = " ".join(swapped(written[slice(*found.span(name))].split(), told.split()))
            back = _MERELY.sub("", back)
            if name == "scene":
                back = _ANY_ONE.sub("the ", back)
            back = _DAYS.sub(lambda day: day[0].title(), back)
            slots[name] = back
            slots[name.capitalize()] = back[:1].upper() + back[1:]
    return slots


def _nouns_in(saying: str) -> bool:
    """Whether a saying tells the caller's words back."""
    return any(f"{{{one}" in saying.lower() for one in _NOUNS)


def _filled(saying: str, slots: Mapping[str, str], said: str, *, tells_back: bool) -> str:
    """Return a saying with its slots filled; empty where one is missing, or it was said."""
    names = {name for _, name, _, _ in Formatter().parse(saying) if name}
    if not names <= slots.keys() or (not tells_back and _nouns_in(saying)):
        return ""
    fixed = saying.partition("{")[0].strip()
    filled = saying.format_map(slots)
    filled = filled[:1].upper() + filled[1:]
    is_known = filled in said or (len(fixed.split()) >= _FIXED and fixed in said)
    return "" if is_known else filled
