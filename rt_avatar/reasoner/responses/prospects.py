"""Hear that something is only feared, hoped or possible, and never meet it as if it had happened.

"I'm scared they'll cut my hours" tells of a fear, and nobody's hours were cut; "I hope they give me
the flat" is no flat yet. What is said leaves it open. A fear that is over, one of heights, and an
"I'm afraid I can't come" are no such thing. Words are read without apostrophes. Knows no reply of
the bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import find_grave
from rt_avatar.reasoner.responses.unsaid import unsaid

# Feared to come, or to be so; asked as "what if"; feared by another; hoped, for the caller or
# for others; taken for possible, by the caller or by others; feared, and grave; a death that is
# dreaded; hoped in what is grave; to come for
# certain, and dreaded.
Prospect: TypeAlias = Literal[
    "fear",
    "suspicion",
    "what_if",
    "theirs",
    "hope",
    "wish",
    "guess",
    "maybe",
    "grave",
    "death",
    "hoped",
    "dread",
]

SAYINGS: Final[Mapping[Prospect, tuple[str, ...]]] = {
    "fear": (
        "I hope it doesn't come to that. What makes you think it might?",
        "That's a worry to carry around with you. What brought it up?",
        "I hope it never happens. What would it mean for you if it did?",
    ),
    "suspicion": (
        "I hope there's nothing in it. What have you noticed?",
        "Not knowing is hard. What gives you that feeling?",
        "That's a worry to carry around with you. What made you think of it?",
    ),
    "what_if": (
        "That's a question that can go round and round. What brought it up?",
        "What do you see happening, when you think of it?",
        "I hope it won't be like that. What makes it feel likely?",
    ),
    "theirs": (
        "And you, do you share that worry?",
        "How does it look to you?",
        "And how likely does it seem to you?",
    ),
    "hope": (
        "I hope so with you. What would it mean to you?",
        "I'll keep my fingers crossed. What would change for you then?",
        "Fingers crossed, then. How are you with the waiting?",
        "I do hope so. How does it feel, with that still open?",
    ),
    "wish": (
        "I hope so with you. What would it be like, if it came true?",
        "I hope so, too. How are you with the waiting?",
        "Let's hope so. I'll keep my fingers crossed.",
    ),
    "guess": (
        "What makes you think so?",
        "What gives you that feeling?",
        "How sure does it feel to you?",
    ),
    "maybe": (
        "So it isn't certain yet. How would that be for you?",
        "And if it came to that, how would it be for you?",
        "That's still open, then. How are you with not knowing?",
    ),
    "grave": (
        "Not knowing is hard to bear. I hope with you that it turns out well.",
        "I hope so much that it isn't so. I'm here with you in the waiting.",
        "I hope with you that it doesn't come to that. I'm listening.",
    ),
    "death": (
        "Even the thought of it is hard. I'm listening.",
        "That's a fear with a lot of weight. I'm here, and I'm listening.",
        "I hear how much that frightens you. You can say anything about it here.",
    ),
    "dread": (
        "What do you dread the most about it?",
        "It isn't here yet, and it's with you already. What is that like?",
        "That's looming, then. What would make it easier to wait for?",
    ),
    "hoped": (
        "I hope so with you, very much.",
        "I hope it with you. I'm here in the meantime.",
        "I do hope so, with all my heart. Waiting is hard.",
    ),
}
# Told by the way as often as not.
SLIGHT: Final = frozenset[Prospect]({"what_if", "hope", "wish", "guess", "maybe"})
_MUCH: Final = (
    r"(?:(?:so|really|very|just|quite|pretty|absolutely|always|still|a bit|a little|only|honestly|"
    r"more|mostly|actually|now|also|terribly) )*"
)
_I: Final = (
    r"(?:im|i am|were|we are|ive been|i have been|weve been|i feel|i get|i keep (?:being|getting))"
)
_SOMEONE: Final = (
    r"(?:he|she|they|it|i|we|there|someone|somebody|nobody|no one|everyone|everybody|people|(?:my|"
    r"our|his|her|their|the|this|that|these)(?: \w+){1,4}?|m[ou]m|dad|gran|nan)"
)
_SHORTENED: Final = r"(?:hes|shes|theyre|its|theres|im|were|ive|theyve|hell|shell|theyll|itll|ill)"
_WILL: Final = (
    r"(?:ll|will|wont|would|wouldnt|might|may|could|can|cant|is|isnt|are|arent|has|have|does|"
    r"doesnt|do|dont|going to|gonna|never)"
)
# What is feared: a clause, or what one may come to.
_CLAUSE: Final = (
    rf"(?:{_SHORTENED}\b|{_SOMEONE} (?:\w+ )??(?:{_WILL}|\w+ll)\b|(?:he|she|it|someone|somebody|"
    rf"nobody|everybody) "
    r"\w+s\b|(?:my|our|his|her|their|the) (?:\w+ )?\w+s (?:\w+ing|got|been|not)\b)"
)
_COMING_TO: Final = (
    r"(?:of|about) (?:(?:him|her|them|my \w+|it|us) )?(?:losing|failing|ending|not|never|messing|"
    r"forgetting|letting|becoming|turning into|missing|being (?:left|alone|late|sacked|found|"
    r"caught|laughed|forgotten|replaced|rejected|fired|sent|made|evicted|deported|dumped|a))\b"
)
_AFRAID: Final = (
    r"(?:scared|frightened|terrified|worried|petrified|anxious|nervous|panicking|paranoid|worrying|"
    r"dreading|fearing|scared stiff|scared to death|worried sick|sick with worry)"
)
_FEAR: Final = re.compile(
    rf"\b(?:{_I} {_MUCH}{_AFRAID}(?: to death| sick)?(?: now| again)? (?:(?:that|in case|if) "
    rf")?(?P<a>{_CLAUSE}.*|{_COMING_TO}.*)|"
    # "I'm afraid I can't come" is no fear.
    rf"{_I} {_MUCH}afraid (?:that )?(?P<b>(?!(?:i|we|ive|weve|im|were|its|theres)\b(?! \w*(?:ll|"
    rf"will|might|may|could|going)\b)){_CLAUSE}.*|of (?:losing|failing|ending up|being (?:left|"
    rf"alone|forgotten|found|a)|getting|what (?:he|she|they|it|ill|the)|not|never)\b.*)|(?:(?:ive "
    rf"got|i have|i had|ive always had|theres|i get|i live with) (?:this|that|an?|the) (?:\w+ )?|"
    rf"my (?:\w+ )?(?:biggest |worst |greatest |real |only )?)(?:fear|dread|worry)(?: in me| "
    rf"inside me)? (?:is )?(?:that )?(?P<c>(?:{_CLAUSE}|(?:of )?\w+ing\b).*)|i (?:\w+ )??fear(?: "
    rf"that)? (?P<d>{_CLAUSE}.*)|i (?:keep|cant stop|cant help|lie awake|lie there) (?:thinking|"
    rf"worrying|imagining|picturing|dreaming)(?: that| about| how)? (?P<e>{_SOMEONE} (?:\w+ "
    rf")??(?:might|may|could|will|wont|ll|\w+ll|going to)\b.*|(?:hell|shell|theyll|itll|ill)\b.*))"
)
_DREAD: Final = re.compile(
    rf"\b(?:i (?:\w+ )??dread|{_I} {_MUCH}dreading) (?P<what>(?:the (?:day|moment|call|phone call|"
    r"time|letter|night|morning|drive|goodbye)|losing|being|having|getting|going|it when|what|when|"
    r"telling|seeing|christmas|my|her|his|next)\b.*)"
)
_WHAT_IF: Final = re.compile(
    r"(?:^|\b(?:but|and|thinking|wondering|like|so|oh|well|god) )what if (?!you\b)(?P<what>\w+ .+)$"
)
_THEIR_FEAR: Final = re.compile(
    r"\b(?:(?:my|our|his|her|the)(?: (?!i\b|we\b|was\b|were\b|im\b)\w+){1,3}?|he|she|they|m[ou]m|"
    r"dad|"
    rf"hes|shes|theyre)(?: is| are)? {_MUCH}(?:scared|frightened|terrified|worried|afraid|"
    rf"convinced|anxious)(?: that| in case)? (?:{_CLAUSE})"
)
_HOPE: Final = re.compile(
    r"(?:^|\b(?:and|but|so|now|oh|well|yes|yeah|no|then|just|still|only|really) )(?:(?:(?:i|we) "
    rf"{_MUCH}(?:do )?{_MUCH}(?:hope|pray|keep hoping)|(?:im|were|ive been|weve been|i am|i keep|"
    rf"just|still)? ?{_MUCH}(?:hoping|praying|keeping my fingers crossed|keeping everything "
    r"crossed)|fingers crossed|hopefully|with (?:any |a bit of )?luck))(?: that| for| to)? "
    r"(?P<what>(?!you\b|so\b|not\b|that makes|makes|this (?:is|isnt)|thats (?:ok|all|not|"
    r"alright))\w+ .+)$"
)
_GUESS: Final = re.compile(
    rf"\b(?:i (?:\w+ )?(?:have|get|got) (?:a|this|the) (?:\w+ )?(?:feeling|suspicion|hunch|"
    rf"inkling)|ive (?:always |\w+ )?(?:(?:got|had) )?(?:a|this|the) (?:\w+ )?(?:feeling|suspicion|"
    rf"hunch|inkling)) (?:that )?(?P<a>(?:{_SOMEONE}|{_SHORTENED})\b.*)|\bi (?:(?:do|really|just|"
    rf"sort of|kind of|also) )?(?:think|reckon|suspect|guess|believe|bet) (?:that )?(?P<b>(?!i\b|"
    rf"we\b|you\b|it\b){_SOMEONE} (?:might|may)\b(?! (?:ve|have) \w+ed\b| be (?:my|the|our)\b).*)"
)
_MAYBE: Final = re.compile(
    rf"\b(?:they|people|he|she|(?:the|my)(?: \w+){{1,2}}?) (?:say|says|said|reckon|reckons|think|"
    rf"thinks|told (?:me|us))(?: that)? (?P<a>{_SOMEONE} (?:might|may)\b(?! (?:as well|not)\b).*)|"
    rf"^(?:(?:well|and|so|now|oh|but|apparently|it looks like|it seems) )*(?P<b>(?:there|he|she|"
    rf"they|(?:my|our|his|her|the)(?: \w+){{1,4}}?|m[ou]m|dad) (?:might|may)(?! (?:as well|have "
    rf"\w+ed|be (?:a|the|to|my|just|only))\b).*|(?:i|we) (?:might|may) (?:have to|lose|be "
    rf"(?:losing|moving|out of|sacked|let go|made redundant|laid off|evicted)|not (?:be able|get|"
    rf"pass|have))\b.*)|"
    r"\b(?:theres|there is|there are) (?:a )?(?:talk|rumou?rs?) (?:that )?(?P<d>(?:he|she|they|"
    r"theyre|the|we|were|my|our)\b.*)|^(?:(?:well|and|or) )?(?:maybe|perhaps) (?P<e>(?:hell|shell|"
    r"theyll|itll|(?:he|she|they|it|my \w+) will)\b.*)|\btalk of (?P<c>redundanc\w+|lay ?offs?|"
    r"closing|closure|a (?:merger|strike|move)|selling).*"
)
_IF: Final = re.compile(
    r"^(?:(?:but|and|because) )?if (?P<a>(?:i|we|he|she|they|it|(?:my|the) \w+) .{4,60}?) (?:i|we) "
    r"(?:\w+ )?(?:dont|wouldnt|wont|cant|couldnt) (?:even )?(?:know|think|imagine|bear|cope|"
    r"manage)(?! (?:how|where|who)\b.*\bnow$)"
)
# Wished upon somebody, said by the way, or over.
_ILL_WISHED: Final = re.compile(
    r"\b(?:rots?|burns?|suffers?|chokes?|crash(?:es)?|pays? for|gets what|deserves?|shoots?|hangs?|"
    r"kills?|regrets?)\b"
)
_OVER: Final = re.compile(
    r"\b(?:but (?:it was|he|she|they|i|luckily|in the end|then)\b.*\b(?:fine|lovely|didnt|wasnt|ok|"
    r"okay|great|anyway)|turned out|at first|when i was|as a (?:child|kid)|back then)\b"
)
_IS_SO: Final = re.compile(
    r"^(?:that |about |of )?(?:(?:hes|shes|theyre|its|ive|im|hed|theres)\b(?! (?:going|gonna|never|"
    r"about) )|\w+(?: \w+){0,2}? (?:is|are|has|have|isnt|doesnt|does|dont)\b(?! (?:going|gonna|"
    r"to)\b)|my \w+s (?:\w+ )??(?:being|got|not|been|in|on|ill|sick|depressed)\b|(?:someone|"
    r"somebody)\b)"
)
_OWN: Final = re.compile(r"\b(?:i|ill|im|we|well|me|us|my|our|hear|get|win|find|pass|give|offer)\b")
_AHEAD: Final = re.compile(
    r"^(?:\w+ ){0,3}?(?:will|wont|might|may|could|would|wouldnt|going to|gonna|ill|hell|shell|"
    r"theyll|itll|\w+ll)\b"
)
_DYING: Final = re.compile(
    r"\b(?:die|dies|dying|death|dead|funeral|pass(?:es)? away|gone)\b|\blos(?:e|ing) (?:him|her|"
    r"them|my (?:m[ou]m|mother|dad|father|wife|husband|son|daughter|brother|sister|partner|nan|"
    r"gran|dog|cat|baby))\b"
)
# That say themselves that it is open.
_OPEN: Final = re.compile(
    r"\b(?:worr\w+|fears?|afraid|scar\w+|frighten\w*|might|wait\w*|not knowing|"
    r"nerv\w+|fingers|dread\w*|likely|looming|uncertain\w*)\b",
    re.IGNORECASE,
)
_HOPES: Final = re.compile(r"\b(?:hop(?:e|es|ing)|fingers)\b", re.IGNORECASE)
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def find_prospect(text: str) -> Prospect | None:
    """Return how a turn tells what is not, or not known to be; None where it tells no such thing.

    Args:
        text: The turn; its last sentence tells it.
    """
    sentences = _SENTENCES.findall(text)
    words = " ".join(words_of(sentences[-1])) if sentences else ""
    found = _found_in(words)
    if found is None or _OVER.search(words):
        return None
    prospect, feared = found
    if find_grave(text) is None:
        return prospect
    if find_grave(text.replace(sentences[-1], "")) or find_grave(words.replace(feared, "")):
        return None  # not only feared
    if prospect in ("hope", "wish"):
        return "hoped"
    if prospect in ("guess", "maybe", "theirs"):
        return None
    return "death" if _DYING.search(feared) else "grave"


def meet_prospect(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    prospect = find_prospect(text)
    return unsaid(SAYINGS[prospect], text, own) if prospect else ""


def is_open(reply: str, prospect: Prospect) -> bool:
    """Whether a reply says itself that what it answers is not so, or not yet."""
    is_hoped = prospect in ("hope", "wish", "hoped")
    return bool(_OPEN.search(reply) or (is_hoped and _HOPES.search(reply)))


def _found_in(words: str) -> tuple[Prospect, str] | None:
    """Return what a sentence does, and the words of what may be."""
    if fear := _FEAR.search(words):
        feared = next(one for one in fear.groups() if one)
        is_ahead = _AHEAD.search(feared) or not _IS_SO.search(feared)
        return ("fear" if is_ahead else "suspicion"), feared
    if dread := _DREAD.search(words):
        return "dread", dread["what"]
    if asked := _WHAT_IF.search(words):
        return "what_if", asked["what"]
    if hope := _HOPE.search(words):
        if _ILL_WISHED.search(hope["what"]):
            return None
        return ("hope" if _OWN.search(hope["what"]) else "wish"), hope["what"]
    if guess := _GUESS.search(words):
        return "guess", next(one for one in guess.groups() if one)
    if theirs := _THEIR_FEAR.search(words):
        return "theirs", words[theirs.start() :]
    if supposed := _IF.search(words):
        return "fear", supposed["a"]
    if maybe := _MAYBE.search(words):
        return "maybe", next(one for one in maybe.groups() if one)
    return None
