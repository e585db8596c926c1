"""What was said in a call → the words and the moment that a heading of the bank asks for."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.reply_ranker.bank import When, grams_of
from rt_avatar.engines.reply_ranker.tense import marks_of
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.word_set import word_set

_BRIEF: Final = 8  # words said first, up to which hardly anything was told
# Stand in headings for small talk, and for a call that somebody told a death or illness in.
SMALL, GRAVE = "@small", "@grave"
SHORT: Final = 18  # words said last, up to which one topic is told of, and no story
_SMALL_TALK: Final = 10  # words of each turn, up to which a call is no story told in parts
_NEAR: Final = 2  # turns before the last one that a turn of small talk goes on with
_LONGEST_ANSWER: Final = 8  # words, up to which a turn after a question is read as its answer
_TELLS: Final = frozenset({"about", "because", "when", "after", "by", "my", "with", "since", "got"})
_ANSWERS: Final = word_set("yes yeah yep yup no nope nah well oh okay ok right sure and but")
# What stands behind it was said by or to somebody else, whoever is meant by "you".
_REPORTED: Final = re.compile(
    r"^(?:[\w']+ ){0,2}?(?:"
    r"(?:he|she|they|we|people|every(?:one|body)|some(?:one|body)|nobody|"
    r"(?:(?:my|his|her|their|our|the|a|an|this|some|another|one of (?:my|the|our))"
    r"(?: [\w']+){1,2}?(?: (?:in|at|from|on|behind|next to|with) (?:the |my |our |a |an )?[\w']+"
    r"(?: stop| desk| door)?)?)) "
    r"(?:just |always |only |then |still |even |once |all |had |has |keeps? |kept )*"
    r"(?:said|says?|saying|told|tells?|telling|asked|asks|asking|texted|wrote|yelled|shouted|claims|"
    r"claimed|(?:wants?|wanted) to know|thinks?|thought|believes?|reckons|(?:was|were|is) like)|"
    r"i(?:'ve)? (?:just |already |only |then |once )*"
    r"(?:(?:told|asked|texted) (?!you\b|me\b)\w+|(?:said|yelled|shouted) (?:so )?(?:to|at) \w+))\b"
)
_LEADS: Final = word_set("and oh ooh so well ah")  # before a question
_SENTENCE: Final = re.compile(r"[^.?!]*\w[^.?!]*[.?!]?")
_TELLER: Final = word_set(
    "i i'm i've i'll i'd we we're we've he he's she she's it it's they they're that that's this "
    "my our the a just only not some somebody nobody and but because maybe"
)
_THANKS: Final = frozenset({"thanks", "thank", "thankyou", "appreciate"})
# Thanks to others, or none.
NO_THANKS: Final = re.compile(
    r"\b(?:no|say|says|said|saying) thank|\bthanks to (?!you\b)|\bthank (?:god|goodness|heavens?)\b"
)
_LONGEST_THANKS: Final = 9  # words; who says more tells something
_ASKS: Final = re.compile(
    r"\b(?:(?:have|do|did|are|would|can|could|were) you|(?:what|how) about you|and you|"
    r"^what(?:'s| is) your)\b(?! know| "
    # A story may begin with "have you seen", and has no question mark.
    r"believe| imagine| see)(?:(?:\s+[^.!?\s]+){0,8}\??|(?:\s+[^.!?\s]+){0,16}\?)$"
)
_ENDED_WELL: Final = re.compile(
    r"\b(?:luckily|fortunately|thankfully|thank god|thank goodness|turned out (?:fine|ok|okay|well|"
    r"good|great|to be)|worked out|all (?:good|better|fine|okay|ok)|(?:is|was|are|were|am|i'm|he's|"
    r"she's|it's|they're|doing|feel|feeling) (?:\w+ ){0,2}?(?:fine|ok|okay|better|alright|safe)|"
    r"(?:it|he|she) was (?:just|only)(?! (?:\d|\w+(?:teen|ty)\b|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|twelve|a baby|a child|a boy|a girl))|"
    r"no (?:turbulen[ct]e|damage|injuries)|got rid of|nobody was hurt|no one was hurt|"
    r"not (?:too|that) bad|relieved|forgave|survived|recovered|over it now|"
    r"won't be (?:so )?(?:scared|afraid|nervous))\b"
)
_NOT_WELL: Final = re.compile(
    r"\b(?:not|isn't|wasn't|aren't|never|no|don't|hope|hopefully|but|until|would be|will be)\b"
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said, as headings ask for it.

    Attributes:
        told: Words of the last turn, without a "yes" or "no" before what is told.
        grams: Of all turns, in small talk of the last one; those of earlier ones behind ``<``, too,
            and of the last one how many words it has (``#3``) and its tense and person (``@past``).
        plain: Of the last turn, with the same; those of earlier ones behind ``<``, and behind ``?``
            those of what the avatar asked just before.
        kinds: Which times of the bank's headings it is now.
    """

    told: Sequence[str]
    grams: Set[str]
    plain: Set[str]
    kinds: Set[When]

    @classmethod
    def of(cls, said: Sequence[str], own: Sequence[str]) -> "Heard":
        """Take the caller's turns and the avatar's own, the oldest first."""
        words = [split_words(text) for text in said]
        told = _without_answer(words[-1])
        last = grams_of(told)
        before = frozenset().union(*(grams_of(text) for text in words[:-1]))
        asked = _asked_last(own)
        is_answer = bool(asked) and 0 < len(words[-1]) <= _LONGEST_ANSWER and len(said) > 1
        near = frozenset().union(*(grams_of(text) for text in words[-1 - _NEAR : -1]))
        earlier = {f"<{gram}" for gram in near}
        kinds = {*_kinds(said, words)}
        if not is_reported(said[-1]):
            kinds.add("ever")
        marks = {f"#{len(words[-1])}", *marks_of(words[-1])}
        if "next" in kinds:
            marks.add(SMALL)
        plain = last | earlier | marks
        if is_answer:
            plain |= {*grams_of(words[-1]), *(f"?{gram}" for gram in grams_of(asked))}
        if is_answer and kinds & {"later", "resolved"}:
            kinds = {*kinds, "answer"}
        # In small talk the last turn counts: what was before is mostly done with.
        grams = last | earlier | marks if "next" in kinds else last | earlier | marks | before
        return cls(told, grams, plain, kinds)


def is_reported(text: str) -> bool:
    """Whether what a turn ends with is told as another's words, or as said to another.

    Args:
        text: A turn or a sentence.
    """
    sentences = _SENTENCE.findall(text)
    return bool(sentences and _REPORTED.search(" ".join(split_words(sentences[-1]))))


def _asked_last(own: Sequence[str]) -> Sequence[str]:
    """Return the words of the question that the avatar ended with; none where it asked nothing."""
    sentences = _SENTENCE.findall(own[-1]) if own else []
    if not sentences or not sentences[-1].endswith("?"):
        return []
    words = split_words(sentences[-1])
    return words[1:] if words[:1] and words[0] in _LEADS else words


def _without_answer(words: Sequence[str]) -> Sequence[str]:
    """Return what is told after a "yes" or "no", where something is ("no, I already ate")."""
    if words[:1] and words[0] in _ANSWERS and not _TELLER.isdisjoint(words[1:2]):
        return words[1:]
    return words


def is_small_talk(sizes: Sequence[int]) -> bool:
    """Whether turns of so many words are no story told in parts."""
    return len(sizes) > 1 and all(size <= _SMALL_TALK for size in sizes)


def _kinds(said: Sequence[str], words: Sequence[Sequence[str]]) -> Set[When]:
    """Return which times of the bank's headings it is now."""
    last = words[-1]
    is_thanks = bool(_THANKS & set(last)) and not NO_THANKS.search(" ".join(last))
    if is_thanks and len(last) <= _LONGEST_THANKS:
        return {"thanks"}
    if _ASKS.search(said[-1].lower().rstrip(". !")) and not is_reported(said[-1]):
        return {"asks"}
    if len(words) > 1:
        ended = _ENDED_WELL.search(said[-1].lower())
        if ended and not _NOT_WELL.search(said[-1].lower().replace(ended[0], " ")):
            return {"resolved"}
        is_small = is_small_talk([len(one) for one in words])
        return {"later", "any", "next"} if is_small else {"later", "any"}
    kinds: set[When] = {"first", "any"}
    kinds.add("short" if len(last) <= SHORT else "long")
    if len(last) <= _BRIEF and _TELLS.isdisjoint(last):
        kinds.add("brief")
    return kinds
