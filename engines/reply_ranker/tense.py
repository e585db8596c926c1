"""Tense and person of a turn: is it ahead or over, is it about somebody else?

Told by a few words, not by grammar: a turn of both tenses, or of neither, is neither. Headings of
the bank ask for what is found as for words (``@ahead``, ``@past``, ``@other``).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rt_avatar.engines.word_set import word_set

AHEAD, PAST, OTHER = "@ahead", "@past", "@other"
_DAYS: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NUMBER: Final = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of)"
)
_SPAN: Final = rf"in {_NUMBER} (?:minutes?|hours?|days?|weeks?|months?|years?|fortnight)"
_AHEAD: Final = re.compile(
    r"\b(?:will|won't|gonna|tomorrow|tonight|soon|upcoming|\w+'ll|going to|about to|plan(?:ning)? "
    r"to|looking forward|can't wait|later today|this weekend|this evening|"
    r"next (?:week|month|year|weekend|time|spring|summer|fall|winter|\w+day)|"
    r"(?:i'm|we're|he's|she's|they're|(?:are|is|am) (?:\w+ )?)(?:leaving|flying|visiting|meeting|"
    r"starting|getting married|moving|having|coming|traveling)|"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?<!who)(?<!what)'s (?:flying|coming|visiting|getting married|moving|leaving)|"
    r"turns (?:\d+|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|a hundred)|"
    r"(?:i have|we have) (?:an?|my|our|the) (?:\w+ ){1,3}at (?:\d+|noon|one|two|three|four|five|"
    r"six|seven|eight|nine|ten|eleven|twelve)|"
    r"starts? (?:on|in|at)|"
    rf"\w+ \w+ (?:on|until|till) {_DAYS})\b"  # more than a day
)
# Ahead where nothing tells that it is over.
_MAYBE_AHEAD: Final = re.compile(
    rf"\b{_SPAN}\b(?! of)|(?<![\w'])[\w']+ [\w']+ on (?:{_DAYS}|the \d+(?:st|nd|rd|th))\b"
)
# "I haven't seen him in two weeks", "the first holiday in six years".
_WHILE: Final = re.compile(
    r"\b(?:(?:have|has)(?! (?:an?|my|our|the|his|her|to)\b)|haven't|hasn't|hadn't|\w+'ve|'s been|"
    r"first|last|only|best|worst|biggest|not|never)"
    rf" (?:\w+ ){{0,6}}?{_SPAN}\b"
)
_HAVE_GOT: Final = re.compile(r"\b(?:(\w+)'ve|(have|has)|(he|she|it)'s) got\b")  # now
_NOT_AHEAD: Final = re.compile(
    r"\b(?:was|were) (?:\w+ )?(?:going to|gonna|about to|planning|looking forward)\b|"
    r"\bused to\b|\bcouldn't wait\b"
)
# Past tenses that end otherwise than in "ed"; of those that are also present ones ("put") none.
_PAST: Final = word_set(
    "was were wasn't weren't had hadn't did didn't went came got took made found saw met bought "
    "gave told brought ran drove flew rode lost won left said began ate drank slept woke heard "
    "wrote sang fell broke stole caught spent sent kept grew knew thought felt forgot taught paid "
    "sold built held stood sat threw wore tore spoke chose understood became swam hid fought "
    "died lied yesterday ago dreamt burnt learnt spilt spoilt couldn't"
)
_ENDS_IN_ED: Final = re.compile(r"\b\w{2,}(?:[^e\W]ed)\b")
# End in "ed", and tell no past: how somebody is, and others.
_NO_PAST: Final = word_set(
    "need tired bored excited worried scared interested married used disappointed embarrassed "
    "annoyed stressed frustrated exhausted relaxed confused red bed wed shed hundred naked "
    "overwhelmed devastated ashamed terrified supposed engaged divorced retired allowed prepared "
    "depressed satisfied surprised amazed relieved hurried crowded speed feed seed indeed fed"
)
_HEDGES: Final = word_set(
    "and but so well yeah yes no oh then also because now today yesterday honestly actually "
    "apparently luckily unfortunately sadly maybe i think guess hope know just that"
)
_SOMEBODY: Final = word_set(
    "he he's he'll she she's she'll they they're they'll they've his her their everyone everybody "
    "someone somebody nobody people"
)
_KIN: Final = word_set(
    "mom mum mother dad father parents sister brother son daughter kids kid children wife husband "
    "partner boyfriend girlfriend friend friends grandma grandmother grandpa grandfather aunt "
    "uncle cousin niece nephew boss coworker coworkers colleague colleagues neighbor neighbors "
    "neighbour neighbours roommate teacher baby toddler grandson granddaughter family team "
    "landlord ex fiance stepson stepdaughter in-laws"
)
_WITH_ME: Final = re.compile(r"^(?:\w+ )?(?:my|our) (?:\w+ ){1,3}and (?:i|me)\b")
_NEAR: Final = 4  # words from "my" to the person
# Replies that ask how something was, and those that wish well for what is to come.
_ASKS_PAST: Final = re.compile(
    r"\bhow (?:was|were|did (?!(?:it|that|you|this|all that) (?:come|get|start|begin|meet|decide|"
    r"find)|the idea))\b|\blook like now\b|\bdo you miss\b|\bwhat not\b|\blike it there\b|"
    r"\bsettling in\b|"
    r"\bfirst days\b|"
    r"\bwhat (?:was|were|did|happened)\b|\bdid (?:you|it|they|he|she|anyone|"
    r"anybody) (?!have to)\b|\b(?:was|were) (?:it|you|there|that|they|anyone|he|she|anybody)\b"
)
# Ask how something came out, of who may be in the middle of it.
_ASKS_OUTCOME: Final = re.compile(
    r"\bhow did (?:it|that|they|you) (?:come out|turn out|go\b(?! from)|end|taste|feel|get on|take "
    r"it)|"
    r"\bhow was it\b|\bdid it (?:taste|come out|turn out|hit|hold|take|lead)|\bin the end\?|"
    r"\bwhat did it (?:taste|bring)|\bwas it (?:an? |good|worth|all right)|\bdid you get (?:home|"
    r"there)|"
    r"\bwere you very late|\bwhat was the (?:best|nicest|worst|high)|\bhow did the \w+ (?:go|"
    r"react)|"
    r"\bwho was (?:at|there|with)\b"
)
_GOING_ON: Final = re.compile(
    r"\b(?:i'm|i am|we're|we are) (?:just |still |currently |busy |both |all )*"
    r"(?!(?:feeling|thinking|hoping|wondering|telling|calling|ringing|phoning|joking|kidding|"
    r"saying|"
    r"asking|doing|getting|being|having)\b)\w{3,}ing\b|"
    r"\b(?:i'm|we're|i am|we are) (?:still |just )?(?:stuck|sat|on (?:the|my|our|a) (?:way|train|"
    r"bus|plane|road|motorway|ferry))\b|\b(?:as we speak|right now|at the moment)\b"
)
_WISHES_AHEAD: Final = re.compile(
    r"\blooking forward\b|\bgood luck\b|\bhow ready\b|\bare you (?:all )?(?:ready|set|prepared)\b|"
    r"\bhow nervous are\b|\benjoy (?:it|every)\b|\bhope it goes\b|\bgoes well\b|\bcount the days\b"
)


def marks_of(words: Sequence[str]) -> frozenset[str]:
    """Return ``AHEAD`` or ``PAST`` where a turn's words are of one of them, and ``OTHER``.

    Args:
        words: Of the turn, as ``split_words`` gives them.
    """
    text = _NOT_AHEAD.sub("was", " ".join(words))
    now = _WHILE.sub("", _HAVE_GOT.sub(r"\1\2\3 have", text))
    is_ahead = bool(_AHEAD.search(now))
    if not is_ahead and not _tells_past(now):
        is_ahead = bool(_MAYBE_AHEAD.search(now))
    is_past = _tells_past(now if is_ahead else text)
    marks = {AHEAD} if is_ahead and not is_past else {PAST} if is_past and not is_ahead else set()
    return frozenset(marks | ({OTHER} if _is_about_other(words) else set()))


def asks_past(questions: Iterable[str]) -> bool:
    """Whether questions of a reply, lower case, ask how something was."""
    return any(_ASKS_PAST.search(one) for one in questions)


def asks_outcome(questions: Iterable[str]) -> bool:
    """Whether questions of a reply, lower case, ask how something came out."""
    return any(_ASKS_OUTCOME.search(one) for one in questions)


def is_going_on(words: Sequence[str]) -> bool:
    """Whether a turn tells of what somebody is in the middle of ("I'm making jam")."""
    text = " ".join(words)
    return bool(_GOING_ON.search(text)) and not marks_of(words) & {PAST, AHEAD}


def looks_ahead(reply: str) -> bool:
    """Whether a reply wishes well for, or asks about, what has yet to come."""
    return bool(_WISHES_AHEAD.search(reply.lower()))


def _tells_past(text: str) -> bool:
    return any(word in _PAST for word in text.split()) or any(
        word not in _NO_PAST for word in _ENDS_IN_ED.findall(text)
    )


def _is_about_other(words: Sequence[str]) -> bool:
    """Whether a turn's first subject is somebody else: "my little brother …", "she …"."""
    start = next((at for at, word in enumerate(words) if word not in _HEDGES), len(words))
    subject = words[start : start + _NEAR]
    if not subject:
        return False
    if subject[0] in ("my", "our"):
        return not _KIN.isdisjoint(subject[1:]) and not _WITH_ME.search(" ".join(words))
    return subject[0] in _SOMEBODY
