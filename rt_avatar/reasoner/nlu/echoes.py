"""Give a piece of a story back in the listener's grammar: "I moved to Oslo" → "you moved to Oslo".

Only a whole clause of what was surely heard, that tells what happened and blames nobody, is given
back: who hears their own words knows that they were listened to, and who hears them bent or a fault
of theirs repeated does not come back. Knows no reply: ``nano`` says where an echo may stand.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.emotion_words import to_fine
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.nlu.swapping import BUT, TOKEN, UNTOLD, content_of, swapped
from rt_avatar.reasoner.nlu.topics import SURE

_SENTENCES: Final = re.compile(r"(?:[.:](?!\d)|[!?;()\"])+|\s-+\s")
# Main clauses begin anew here; what follows other conjunctions says nothing without what is before.
_CLAUSES: Final = re.compile(
    r",(?!\d)|\s(?:and|but|because|cuz|bc)\s|\sso\s(?=(?:i|we|my|our|he|she|they|now|then|that)\b)",
    re.IGNORECASE,
)
_BACKGROUND: Final = re.compile(r"(?:i|we) (?:was|were) ", re.IGNORECASE)  # of what is told next
_DEPENDENT: Final = re.compile(
    r"(?:^|\s)(?:then|when|while|although|though|since|until|unless|which|who|if|or|as|after|before|"
    r"where|that|than|however)\s",
    re.IGNORECASE,
)
_LONGEST_ANSWER: Final = 4  # words of an answer that may be told back
# Behind an answer, how sure it is: "the garden i suppose".
_SUPPOSING: Final = re.compile(
    r"(?<=\w),?\s+(?:i (?:suppose|guess|think|reckon|believe)|yes|yeah)(?=[.!\s]*$)", re.IGNORECASE
)
_YES_OR_NO: Final = re.compile(
    r"^\s*(?:yes|yeah|yep|yup|no|nope|nah)\b[,.!\s]+(?=\w)", re.IGNORECASE
)
_PUNCTUATION: Final = re.compile(r"[.,;:!?]")
# What begins a clause, a "yes" or "no", or a doubt, is no bare answer.
_NO_ANSWER: Final = word_set(
    "yes yeah yep yup lol no nope nah not never maybe perhaps i i'm i've i'll i'd they'd he'd "
    "she'd it'd we'd we we're we've he he's she she's they they're it it's that that's this there "
    "there's you your thanks thank sure okay ok what how why who when where because well oh um so "
    "very good great fine bad nothing nobody none hard just only hello hi please"
)
_NO_ANSWER_AT_ALL: Final = word_set(
    "you your yours know sure idea is was are were not no it him her them i'm i've we're he's "
    "she's they're it's that's there's what's"
)
_FEWEST, _MOST = 4, 11  # words: fewer tell nothing, more are a recital
_LEAST_CONTENT: Final = 2  # words that are not the frame of any clause
_ADVERBS: Final = word_set(
    "just finally recently also actually already once always really still even usually often "
    "sometimes suddenly accidentally almost nearly eventually both all"
)
# What people tell that they did or that befell them. Left out is what would sound like a reproach
# given back (cheated, forgot, yelled), and what they think, feel and wish.
_DID: Final = word_set(
    "went came got took made found saw met had bought gave told brought ran drove flew rode walked "
    "moved lived worked played watched started began finished helped visited called asked tried "
    "won built wrote read sang taught learned studied passed graduated adopted received ordered "
    "planned booked decided joined signed applied invited hosted cooked baked ate planted painted "
    "fixed cleaned opened hired trained saved paid sold rented travelled traveled stayed spent "
    "slept woke heard noticed talked spoke texted emailed waited looked searched picked "
    "dropped put set kept grew raised became stopped switched changed returned camped hiked swam "
    "celebrated practiced volunteered donated interviewed registered packed arrived reached "
    "discovered realized caught turned used needed handed showed sent wore have live "
    "rescued ended"
)
_BEFELL: Final = word_set(
    "was were is are got had has came went left called gave told took made brought bought said "
    "asked moved passed graduated started stopped broke died forgot lost won invited visited "
    "helped surprised decided turned kept let paid stole hit ran canceled cancelled threw "
    "showed wanted promised offered returned married proposed lives works goes keeps comes"
)
_AHEAD: Final = re.compile(
    r"^(?:i'm|i am|we're|we are|i was|we were|i've been|i have been|we've been|we have been) "
    r"(?!feeling|being|having|thinking|wondering|hoping|trying|going|dying|crying|getting|"
    r"looking|in love|in tears)"
    r"(?:[a-z]+ing|in|at|on|with|stuck|hired|invited|accepted|offered|given|selected|chosen)\b|"
    r"^(?:i'm|i am|we're|we are) (?:going|moving|flying|heading) (?:to|on|back|away)\b"
)
# Addressed to the listener, denied, asked, supposed, coarse, or nothing to repeat.
_NEVER: Final = UNTOLD | word_set(
    "you your yours you're u ur yourself not never no nothing nobody none cannot without what why "
    "how whose would could should might may lot something anything everything stuff thing things "
    "it this these those there feel felt feeling like love hate believe guess wish wished hope so"
)
_DANGLING: Final = word_set(
    "to the a an my our of with for in on at by from into about up out off over i we he she "
    "they was were is are am be been has have had his her their its very so too more than just "
    "and how who him them some any one every all each other another really her's go get point "
    "come done back home able down happened fact case sure try see informed told asked help "
    "start drunk days first used find news biggest best worst most healthy okay well "
    "good"
)
_ANOTHER: Final = word_set("someone somebody he she they the a an his her their")
_OWN: Final = word_set("me my us our")


def find_echo(text: str, confidence: float = 1.0) -> str:
    """Return a clause of what a caller told, as told back to them; empty where none can be.

    Args:
        text: What was said.
        confidence: 0 to 1, how surely it was heard; less than ``SURE`` gives nothing.
    """
    if confidence < SURE or "?" in text:
        return ""
    parts = [
        _DEPENDENT.split(clause.strip())[0]
        for sentence in _SENTENCES.split(text)
        for clause in _CLAUSES.split(BUT.split(sentence)[-1])
    ]
    spoken = [words for part in parts if (words := TOKEN.findall(part))]
    found = [
        echo
        for at, words in enumerate(spoken, 1)
        if at == len(spoken) or not _BACKGROUND.match(" ".join(words))
        if (echo := _echo_of(words))
    ]
    return max(reversed(found), key=_substance, default="")


def find_answer(text: str, confidence: float = 1.0) -> str:
    """Return a few words that answer a question, as told back; empty where they are no bare answer.

    "My old school." → "Your old school", "Two weeks" → "Two weeks".

    Args:
        text: What was said.
        confidence: 0 to 1, how surely it was heard; less than ``SURE`` gives nothing.
    """
    text = _SUPPOSING.sub("", text)
    words = TOKEN.findall(text)
    lower = [word.casefold() for word in words]
    is_bare = (
        confidence >= SURE
        and 0 < len(words) <= _LONGEST_ANSWER
        and len(_PUNCTUATION.findall(text.strip().rstrip(".!"))) == 0
        and lower[0] not in _NO_ANSWER
        and _NO_ANSWER_AT_ALL.isdisjoint(lower)
        and not any(word.endswith("n't") for word in lower)
    )
    if not is_bare or find_unsafe(text):
        return ""
    echo = " ".join(swapped(words, lower))
    return echo[:1].upper() + echo[1:]


def behind_yes(text: str) -> str:
    """Return an answer without the "yes" or "no" before what is told: "yes, the will"."""
    return _YES_OR_NO.sub("", text, count=1)


def repeats(echo: str, reply: str) -> bool:
    """Whether the reply says already what the echo does."""
    return bool(content_of(echo) & content_of(reply))


def _echo_of(words: Sequence[str]) -> str:
    lower = [word.casefold() for word in words]
    if not _FEWEST <= len(words) <= _MOST or not _NEVER.isdisjoint(lower):
        return ""
    if any(word.endswith("n't") for word in lower):
        return ""
    if lower[-1] in _DANGLING or lower[-2] == "to":  # "you have to work" is half of a tale
        return ""
    if not _tells(lower):
        return ""
    echo = " ".join(swapped(words, lower))
    if len(content_of(echo)) < _LEAST_CONTENT:
        return ""
    has_side = tone_of(echo) != 0 or any(to_fine(word) for word in lower)
    return "" if has_side or find_unsafe(echo) else echo


def _tells(words: Sequence[str]) -> bool:
    """Whether a clause, lower case, tells what somebody did or what befell them or theirs."""
    if words[0] in ("i", "we"):
        verb = next((word for word in words[1:4] if word not in _ADVERBS), "")
        return verb in _DID or bool(_AHEAD.match(" ".join(words)))
    if words[1] == "world":  # is an oyster
        return False
    if words[0] in ("my", "our"):
        # "My best friend from college called": the verb is near, and a noun stands before it.
        return any(word in _BEFELL for word in words[2:5])
    if words[0] in _ANOTHER:
        return any(word in _BEFELL for word in words[1:5]) and not _OWN.isdisjoint(words)
    return bool(_AHEAD.match(" ".join(words)))


def _substance(echo: str) -> int:
    return len(content_of(echo))
