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
from rt_avatar.reasoner.nlu.swapping import TOKEN, content_of
from rt_avatar.reasoner.responses.corrections import find_correction
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.unsaid import unsaid

# Was told before; makes no sense to them; is not so; was not answered, or said without heart; they
# had not finished; nobody died, or it is not so bad.
Objection: TypeAlias = Literal["told", "odd", "wrong", "ignored", "cut", "alive"]

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
    "alive": (
        "Oh, then I misunderstood. Sorry.",
        "Sorry, I got that all wrong.",
        "Ah, then I had that wrong. I'm sorry.",
    ),
}
_LONGEST: Final = 9  # words of a piece that objects
_LONGEST_ASKED: Final = 14  # of a sentence that asks again
_FEW: Final = 4  # of one that asks back
_SHORT_WORD: Final = 3  # letters of one that any question has
_SENTENCES: Final = re.compile(r"[^.!?]+[.!?]?")
_PIECES: Final = re.compile(r"[^.!?,]+[.!?,]?")
_JUST_ASKED: Final = 2  # of the caller's turns, in which a question was asked
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
                           r"\byou still (?:haven't|didn't) (?:said|say|told me|answered?)\b|"
                           r"\bdid you (?:even |actually )?(?:hear me|listen)\b|"
                           r"\bare you (?:even |actually |really )+(?:listening|hearing)\b|"
                           r"\bis that all you(?:(?:'ve| have) got| (?:can|ever)? ?say)\b")),
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
# Asked once more, if something was asked before.
_ASKED_AGAIN: Final = re.compile(
    r"^(?:(?:no|but|and|well|thanks|thank|you|sorry|yes|ok|okay|um) )*"
    r"i(?:'m| am| was)? (?:just |already |actually |only )*ask(?:ed|ing)(?: you)? "
    r"(?:if|whether|about|what|how|why|where|who|which|for (?:how|what|a)|was|were|is|are|do|does|"
    r"did|to say|something|a question|you a)\b"
)
# Said once more, if it was said before.
_SAID: Final = re.compile(
    r"^(?:(?:no|but) (?:\w+ )?i|(?:\w+ ){0,2}i(?:'ve)? (?:just|already|only)) "
    r"(?:said|mentioned) (.+)$"
)
# Wonders at what the avatar said: "Why would that be hard?", "Congratulations for what?"
_WONDERS: Final = re.compile(
    r"^(?:(?:um|uh|er|and|but|so|ok|okay|lol|haha|sorry|well|wait|what) )*(?:"
    r"why (?:are|would|is|do|did|should) (?:you|that|it|this)\b|why'?s (?:that|it)\b|"
    r"why (?:oh no|sorry)\b|"
    r"how(?:'s| is| was| would)(?: that| this| it)\b|what does (?:it|that)\b|"
    r"what(?:'s| is|s)(?: so)? (?:not )?\w+ about\b|"
    r"who said (?:anything|something|it|that)\b|what (?!do |did |are |is |was |about )\w+$)|"
    r"\b(?:for|about|of) what$"
)
# Behind condolences, says that nobody died or that it is not so bad.
_CONDOLES: Final = re.compile(
    r"\bsorry\b|\bloss\b|\bmiss(?:ed)?\b|\bgrie\w+|\bhard\b|\bdeath\b|mattered|deeply loved|"
    r"\bsuffer|\bpoor thing\b|near\.|\bfear\b|not easy|painful|heavy|taken apart",
    re.IGNORECASE,
)
_LIVES: Final = re.compile(
    r"^(?:(?:no|but|oh|well|haha|lol|ok|okay|what|wait|hang on|um) )*(?:"
    r"(?:he|she|they|it|i)(?:'s|'re|'m| is| are| am)? ?(?:not|isn't|aren't|didn't|hasn't)"
    r"(?: even| actually)? (?:dead|die|died|dying|suffering|gone|ill|sick)\b(?! yet)|"
    r"(?:nobody|no one|no-one)(?:'s| has| is)? ?(?:died|dead|is dead|dying|hurt|suffering)\b|"
    r"(?:he|she|they)(?:'s|'re| is| are) (?:still |very much |fine and )*alive\b|"
    r"(?:it|that)(?:'s| is) (?:really |honestly )?not (?:that|so|all that) "
    r"(?:bad|hard|serious|sad|terrible|heavy|deep)\b)"
)
_NO_SORRY: Final = re.compile(
    r"^(?:(?:no|but|oh|well|aw|please) )*"
    r"(?:no need to|don't|you (?:needn't|don't (?:need|have) to)) (?:be|feel|say) sorry\b"
)
_NO: Final = re.compile(r"no\b(?! (?:one|body|doubt|kidding)\b)")
_WONDERING: Final = 8  # words of a question that wonders
_IMAGINES: Final = re.compile(r"^i can (?:imagine|picture|just see)\b")
_PLACES: Final = word_set("from for in on at of with to by")  # "From my side?" only takes it up
_ASKED: Final = word_set(
    "what that this would does about with your you're it's they have been then there here were will"
)
# Denies to have said what the avatar takes for said, or to have what it asks about.
_NEVER_SAID: Final = re.compile(
    r"^(?:(?:no|but|oh|well|um|hang on|wait) )*i (?:never|didn't|did not|haven't) "
    r"(?:actually |even )?(?:say|said|tell you|told you|mention(?:ed)?)\b"
    r"(?! (?:anything|a word|a thing|nothing|no|yes|much|goodbye|hello|sorry|thanks|thank)\b)"
)
_SPEAKS: Final = re.compile(
    r"\b(?:say|said|tell|told|talk\w*|speak|spoke|answer\w*|mention\w*|ask\w*)\b", re.I
)
_HAS_NONE: Final = re.compile(
    r"^(?:(?:no|but|oh|well|um|er) )*(?:i|we) (?:don't|do not|haven't|never)(?: even)? "
    r"(?:have|got|had) (?:a |an |any )?(\w+)$|"
    r"^(?:(?:no|but|oh|well) )*(?:there is|there's) no (\w+)$"
)
_CONFUSES: Final = re.compile(
    r"\byou(?:'re| are)? (?:all |a bit |completely |totally )?(?:mix(?:ing)?|muddled|"
    r"confus(?:ed|ing))\b"
    r"(?! \w+ (?:with|into) (?:the|my))"
)
# A short question that asks back about the avatar's own.
_ASKS_BACK: Final = re.compile(
    r"^(?:what|huh|sorry|pardon|like what|which one|what thing|(?:what|how) do you mean|"
    r"(?:\w+ ){0,4}(?:at|of|by|on|in|with|about|for|from|did|does|do) what(?: \w+){0,3})$"
)
_SAYS_AFTER: Final = re.compile(
    r"(?:and )?(?:what|how|where|who|why) (?:did|do|happened)\b(?!.* mean)(?!.* what$)"
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
    if any(map(asks_again, sentences)) and any(map(find_asked, told[-_JUST_ASKED:])):
        return "ignored"
    own = "".join(itertools.takewhile(lambda one: not is_reported(one), sentences))
    pieces = [one.strip() for one in _PIECES.findall(own) if TOKEN.search(one)][:_LOOKED_AT]
    for at, piece in enumerate(pieces):
        words, joined = _words_of(piece), " ".join(_words_of(" ".join(pieces[: at + 1])))
        for objection, pattern in _OBJECTIONS:
            if len(words) <= _LONGEST and pattern.search(joined):
                return objection
        if _is_said_again(joined, told):
            return "told"
        if _LIVES.search(joined) and _CONDOLES.search(last):
            return "alive"
        if _NO_SORRY.search(joined) and _CONDOLES.search(last) and not _owns_up(last):
            return "wrong"
        following = " ".join(_words_of(" ".join(pieces[at + 1 : at + 2])))
        if _is_wondered_at(words, piece, following, last) or _is_never_said(joined, last):
            return "wrong"
        is_answered = bool(_ANSWERS.match(following)) or _answers_itself(words, following)
        if piece.endswith("?") and "?" in last and not is_answered and _asks_back(words, last):
            return "wrong" if following.startswith("no") else "odd"
        if _denies(words, last):
            return "wrong"
    return "wrong" if find_correction(text, last) else None


def own_up(objection: Objection, text: str, own: Sequence[str]) -> str:
    """Return how a mistake is owned: not twice in the same words as long as there are others.

    Args:
        objection: To what.
        text: What the caller says; the same words always get the same answer.
        own: The avatar's turns, the oldest first.
    """
    return unsaid(SORRY[objection], text, own)


def _owns_up(last: str) -> bool:
    """Whether the avatar's sorry was for a mistake of its own."""
    return any(one in last for ways in SORRY.values() for one in ways)


def asks_again(sentence: str) -> bool:
    """Whether a sentence says what was asked, as one does who had no answer: "I asked if …"."""
    words = _words_of(sentence)
    tells_on = not {"and", "then"}.isdisjoint(words[2:])
    return (
        len(words) <= _LONGEST_ASKED and not tells_on and bool(_ASKED_AGAIN.search(" ".join(words)))
    )


def _is_said_again(joined: str, told: Sequence[str]) -> bool:
    """Whether a piece says what was told before, and that it was."""
    again = content_of(said[1]) if (said := _SAID.search(joined)) else frozenset()
    return bool(again) and again <= content_of(" ".join(told))


def _words_of(text: str) -> list[str]:
    return [word.casefold() for word in TOKEN.findall(text)]


def _answers_itself(words: Sequence[str], following: str) -> bool:
    """Whether the avatar's question is only said once more before it is answered."""
    return bool(
        _SAYS_AFTER.match(" ".join(words))
        and following
        and not re.match(r"(?:no|i don't|i'm not sure|never mind)\b", following)
    )


def _is_wondered_at(words: Sequence[str], piece: str, following: str, last: str) -> bool:
    """Whether a short question wonders at what the avatar said: "Why would that be hard?"."""
    joined, asked = " ".join(words), " ".join(_words_of(last))
    if joined in ("can you", "can you though") and _IMAGINES.search(asked):
        return True
    claims = " ".join(re.findall(r"[^.!?]+[.!]", last))
    if piece.endswith("?") and _NO.match(following) and joined in " ".join(_words_of(claims)):
        return True
    if len(words) > _WONDERING or (joined in asked and len(words) > 1):
        return False
    if _WONDERS.search(joined):
        of_last = last
    elif piece.endswith("?") and len(words) < _FEW and words[0] not in _PLACES:
        of_last = claims
    else:
        return False
    return bool(_substance(words) & _substance(_words_of(of_last)))


def _substance(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stems_of(one for one in words if len(one) > _SHORT_WORD and one not in _ASKED))


def _is_never_said(joined: str, last: str) -> bool:
    """Whether they deny to have said, or to have, what the avatar takes for granted."""
    if _CONFUSES.search(joined):
        return True
    if (none := _HAS_NONE.search(joined)) and f"your {none[1] or none[2]}" in last.casefold():
        return True
    if not (never := _NEVER_SAID.search(joined)) or (last.endswith("?") and _SPEAKS.search(last)):
        return False
    said = joined[never.end() :].split()
    return said in ([], ["that"], ["so"]) or bool(_substance(said) & _substance(_words_of(last)))


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
