"""Notice that a caller objects to what the avatar said last, and own it.

They were asked what they had told, asked something odd, understood wrongly, or not answered. Who
goes on as if nothing had been said was not listening: "Sorry, I got that wrong." Knows no reply to
the rest of a turn.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.fit import stems_of
from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.swapping import TOKEN, content_of
from rt_avatar.reasoner.unsaid import unsaid

# Was told before; makes no sense to them; is not so; was not answered, or said without heart; they
# had not finished.
Objection: TypeAlias = Literal["told", "odd", "wrong", "ignored", "cut"]

SORRY: Final[Mapping[Objection, tuple[str, ...]]] = {
    "told": ("You did say, sorry.", "You told me, I'm sorry.", "Right, you did. Sorry."),
    "odd": (
        "Sorry, that was an odd question.",
        "Sorry, that came out wrong.",
        "Never mind my question, it was a strange one.",
    ),
    "wrong": (
        "Sorry, I got that wrong.",
        "Ah, then I took it the wrong way. Sorry.",
        "Oh, I misread that. Sorry.",
    ),
    "ignored": (
        "You're right, I'm sorry.",
        "That's fair, and I'm sorry.",
        "You're right. I'll listen better.",
    ),
    "cut": ("Sorry, I was too quick.", "Of course, sorry. Go on."),
}
_LONGEST: Final = 9  # words of a piece that objects
_FEW: Final = 4  # of one that asks back
_SHORT_WORD: Final = 3  # letters of one that any question has
_SENTENCES: Final = re.compile(r"[^.!?]+[.!?]?")
_PIECES: Final = re.compile(r"[^.!?,]+[.!?,]?")
_LOOKED_AT: Final = 3  # pieces; an objection comes first
_OBJECTIONS: Final[tuple[tuple[Objection, re.Pattern[str]], ...]] = (
    ("cut", re.compile(r"\b(?:i(?:'m| am| was) not|i (?:hadn't|haven't|wasn't)) (?:finished|done)"
                       r"(?: yet| talking| speaking)*$|\blet me finish$")),
    ("told", re.compile(r"^(?:\w+ ){0,3}i(?:'ve)? (?:just |already |only )+(?:said|mentioned)"
                        r"(?: that| so| it| this| before| earlier)*$|"
                        r"^(?:no |well |but )*i (?:said|told you) (?:that|so)(?: already)?$|"
                        r"(?:like|as) i said(?: already| before| earlier)*$|^like i said\b|"
                        r"\bi(?:'ve)? (?:just |already )+told you\b|\bi told you$")),
    ("ignored", re.compile(r"\byou(?:'re| are) not (?:really )?listening\b|"
                           r"\byou (?:don't|didn't|never) (?:really )?(?:listen|answer)\b|"
                           r"\byou (?:just )?(?:sound|talk) like an? (?:form|brochure|"
                           r"questionnaire|script|textbook|parrot|robot|machine)\b|"
                           r"\b(?:that|this|it)(?: isn't|'s not| is not| wasn't) (?:an|my) "
                           r"(?:answer|question)\b|"
                           r"\byou keep (?:saying|asking|repeating)\b|"
                           r"\b(?:not|isn't|wasn't) (?:really )?what i asked\b|"
                           r"\byou (?:just )?(?:skipped|dodged|ignored|missed) (?:my|the) "
                           r"question\b|"
                           r"\byou (?:haven't|have not) answered\b|"
                           r"\bdid you (?:even |actually )?(?:hear me|listen)\b")),
    ("odd", re.compile(r"(?:^|\bi )(?:really )?(?:don't|do not) (?:know|understand|get) "
                       r"what you mean\b|^(?:\w+ ){0,2}what do you mean\b")),
    ("wrong", re.compile(r"\byou(?:'ve)? (?:got|have got|have|took|understood) (?:it|that|me) "
                         r"(?:all |completely |totally )?(?:wrong|the wrong way)\b|"
                         r"\byou misunderst\w+\b|"
                         r"\bthat's not what i (?:said|say|told|meant|mean|asked)\b|"
                         r"^(?:no |well |but |what )*(?:that's not (?:how it (?:is|was)|true|"
                         r"right|it)|it(?:'s| is) (?:really )?not (?:(?:like |about )?that))$|"
                         r"^(?:no |oh |it's |it was )*nothing bad$|^(?:no )+not like that\b")),
)  # fmt: skip
# Said once more, if it was said before.
_SAID: Final = re.compile(
    r"^(?:(?:no|but) (?:\w+ )?i|(?:\w+ ){0,2}i(?:'ve)? (?:just|already|only)) "
    r"(?:said|mentioned) (.+)$"
)
# A short question that asks back about the avatar's own.
_ASKS_BACK: Final = re.compile(
    r"^(?:what|huh|sorry|pardon|like what|which one|what thing|(?:what|how) do you mean|"
    r"(?:\w+ ){0,4}(?:at|of|by|on|in|with|about|for|from|did|does|do) what(?: \w+){0,3})$"
)
_NOT: Final = re.compile(
    r"^(?:no |well |but |what )*(?:i'm|i am|i was|it's|it is|it was|he's|she's|they're|there's|"
    r"that's|that was|we're) (?:really |actually |definitely )?(?:not|nothing)\b|"
    r"^(?:no |well |but )*(?:i|it|he|she|they|we|that|there) "
    r"(?:wasn't|isn't|aren't|weren't|don't|didn't)\b"
)
# Behind the avatar's words, asked back: "The high point? When it was over."
_ANSWERS: Final = re.compile(r"(?:when|because|the|that|probably|having|seeing|knowing)\b(?!')")
_NOTHING_SAID: Final = word_set(
    "i'm i am was it's it is he's she's they're there's that's that we're not nothing really "
    "actually no well but what at all the a an in on of to so very wasn't isn't aren't weren't "
    "don't didn't i'd just anything about tell know say sure much"
)


def find_objection(text: str, last: str, told: Sequence[str] = ()) -> Objection | None:
    """Return what a caller objects to in the avatar's last turn; None where they do not.

    Args:
        text: What the caller says; what they report of others is said to them.
        last: The avatar's turn before it; empty: none.
        told: The caller's own turns before it.
    """
    if not last:
        return None
    sentences = _SENTENCES.findall(text)
    own = "".join(itertools.takewhile(lambda one: not is_reported(one), sentences))
    pieces = [one.strip() for one in _PIECES.findall(own) if TOKEN.search(one)][:_LOOKED_AT]
    for at, piece in enumerate(pieces):
        words, joined = _words_of(piece), " ".join(_words_of(" ".join(pieces[: at + 1])))
        for objection, pattern in _OBJECTIONS:
            if len(words) <= _LONGEST and pattern.search(joined):
                return objection
        if _is_said_again(joined, told):
            return "told"
        following = " ".join(_words_of(" ".join(pieces[at + 1 : at + 2])))
        is_answered = bool(_ANSWERS.match(following))
        if piece.endswith("?") and "?" in last and not is_answered and _asks_back(words, last):
            return "wrong" if following.startswith("no") else "odd"
        if _denies(words, last):
            return "wrong"
    return None


def own_up(objection: Objection, text: str, own: Sequence[str]) -> str:
    """Return how a mistake is owned: not twice in the same words as long as there are others.

    Args:
        objection: To what.
        text: What the caller says; the same words always get the same answer.
        own: The avatar's turns, the oldest first.
    """
    return unsaid(SORRY[objection], text, own)


def _is_said_again(joined: str, told: Sequence[str]) -> bool:
    """Whether a piece says what was told before, and that it was."""
    again = content_of(said[1]) if (said := _SAID.search(joined)) else frozenset()
    return bool(again) and again <= content_of(" ".join(told))


def _words_of(text: str) -> list[str]:
    return [word.casefold() for word in TOKEN.findall(text)]


def _asks_back(words: Sequence[str], last: str) -> bool:
    """Whether a short question repeats the avatar's own."""
    if _ASKS_BACK.search(" ".join(words)):
        return True
    asked = stems_of(
        word
        for one in re.findall(r"[^.!?]+\?", last)
        for word in _words_of(one)
        if len(word) > _SHORT_WORD
    )
    own = stems_of(word for word in words if len(word) > _SHORT_WORD)
    return len(words) <= _FEW and bool(own) and own <= asked


def _denies(words: Sequence[str], last: str) -> bool:
    """Whether a short sentence says that something is not so which the avatar just said."""
    if len(words) > _LONGEST or not _NOT.search(" ".join(words)):
        return False
    denied = content_of(" ".join(word for word in words if word not in _NOTHING_SAID))
    claims = re.findall(r"[^.!?]+[.!]", last)  # who was asked denies nothing
    return bool(denied & content_of(" ".join(claims)))
