"""Hear what somebody else asked or said to a caller, and that it is no question of the caller's.

"She asked me how I sleep", "he said what's your name as if we'd never met": what was asked there is
not asked of the listener. What counts is how it was to be asked, and what was answered. Words are
read without apostrophes. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import named_in, words_of
from rt_avatar.reasoner.nlu.pronouns import object_of
from rt_avatar.reasoner.responses.unsaid import unsaid

# A question of which no answer is told; one that is asked again and again; one with what came of
# it; and what else was said to the caller.
Quote: TypeAlias = Literal["asked", "often", "answered", "said"]

SAYINGS: Final[Mapping[Quote, tuple[str, ...]]] = {
    "asked": (
        "And what did you say?",
        "What did you answer?",
        "And what did you tell {who}?",
        "How was it to be asked that?",
    ),
    "often": (
        "What's it like to be asked that again and again?",
        "And what do you say to that?",
        "How is it for you, being asked that so often?",
    ),
    "answered": (
        "How was it to be asked that?",
        "What was it like to be asked?",
        "What did that question do to you?",
    ),
    "said": (
        "How was it to hear that?",
        "How did that land with you?",
        "What was it like to hear that?",
    ),
}
_WHO: Final = (
    r"(?P<who>he|she|they|someone|somebody|everyone|everybody|people|(?:my|our|his|her|"
    r"their|the|an?|this|that|some|another|one of (?:my|our|the|his|her))(?: (?!(?:said|says?|"
    r"ask\w*|i|you|and|but)\b)\w+){1,6}?|m[ou]m|dad|gran|nan|grandma|grandad|granny|grandpa)"
)
_OFTEN: Final = r"(?:keeps?|kept|always|constantly|forever|never stops?)"
_BESIDE: Final = r"(?:just|then|suddenly|once|actually|even|only|had|has|have|all|today|also)"
_VERB: Final = (
    rf"(?:{_BESIDE} )*(?:(?P<often>{_OFTEN} (?:asking|asks?|wanting to know|wants to know)|"
    r"wants? to know|asks?)|"
    r"(?P<asks>asked|wanted to know|wondered)|"
    r"(?P<says>said|says|shouted|whispered|texted|wrote|goes|went|was like|turned round and said))"
)
_TO: Final = r"(?: (?:to me|me|us|to us))?(?: (?:today|yesterday|this morning|last night|once))?"
_CALLED: Final = (
    r"(?: (?:m[ou]m|mummy|mommy|dad|daddy|gran|granny|nan|nana|grandma|grandad|grandpa|love|mate|"
    r"so|well|oh|hey|miss|sir|and))*"
)
_INVERTED: Final = (
    r"(?:do|did|does|are|is|am|was|were|have|has|can|could|would|will|should|may|dont|arent|isnt|"
    r"havent|wont|cant|shouldnt|wouldnt|didnt) (?:i|you|we|he|she|they|it|my|your|that|there)\b"
)
_ASKED: Final = (
    r"(?:(?:when|whether|if|how|what|why|where|who|which|whats|whos|hows|wheres|whens)\b"
    rf"(?! (?:a|an) )|{_INVERTED})"
)
# Behind a "said": "said what I wanted" is none.
_SAID_ASKING: Final = (
    rf"(?:(?:what|why|where|who|how|when) {_INVERTED}|(?:whats|whos|hows|wheres|whens) |"
    rf"how come\b|{_INVERTED})"
)
_OF_THEM: Final = (
    r"(?:that )?(?:(?:i|ill|id) (?:never|always|look|looked|talk|complain|worry)|i (?:dont|cant|"
    r"didnt) (?:care|listen|try|love|understand)|(?:im|i am|i was) (?:(?:getting|being|just|only|"
    r"always) )?(?:too|so|such|not|an?)|i (?:think|feel|work|give|do|eat|spend) (?:too|so|"
    r"nothing))\b"
)
# Said to them: what would be taken for a word to the listener.
_SAID: Final = (
    rf"(?:(?:you|youre|youve|youll|your|thank you|thanks|sorry|goodbye|bye|hello|get|go|"
    r"shut up|leave|dont|stop|calm|cheer up|come|take care|well done|good (?:morning|night|luck)|i "
    rf"love you|i hate you|please)\b|{_OF_THEM})"
)
_TOLD: Final = (
    r"(?P<told> (?:just |actually |once )?told (?:me|us) (?=to (?:get (?:a|lost|over|on with|out)|"
    r"shut|grow up|calm|cheer|smile|go (?:away|home|to hell)|leave|stop|man up|pull|be quiet|"
    r"move on|let it go|snap out|keep (?:quiet|out))\b|"
    rf"{_OF_THEM}))"
)
_LEADS: Final = (
    r"^(?:(?:well|oh|and|so|then|but|yes|no|anyway|today|yesterday|this morning|"
    r"last (?:night|week)|the other day|apparently|honestly|actually|on \w+day) )*"
)
_QUESTION: Final = re.compile(
    rf"{_LEADS}{_WHO} {_VERB}{_TO}(?P<quote>{_CALLED} (?:(?(says){_SAID_ASKING}|{_ASKED})).*)$"
)
_SAYING: Final = re.compile(
    rf"{_LEADS}{_WHO}(?: {_VERB}{_TO}(?P<quote>{_CALLED} {_SAID}.*)|{_TOLD}(?P<rest>.*))$"
)
# What came of it, told in the same breath.
_CAME: Final = re.compile(
    r" (?:and|but|so|then|now|because) (?:i|im|ive|id|we|it|my|then|honestly|now|hes|shes|he|she|"
    r"they|nobody|all|for)\b| (?:i|we) (?:said|told|just|couldnt|didnt|nearly|almost|had to|went|"
    r"laughed|lied|froze|cried)\b| as (?:if|though)\b| and (?:then |just )*(?:\w+ed|left|went|hung|"
    r"ran|shook)\b"
)
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
# The caller's own question about it.
_ASKS: Final = re.compile(
    r"(?<!said), *(?<!asked, )(?<!me, )(?<!us, )(?:and |but |so )?(?:do you|is (?:that|it|this)|"
    r"am i|should i|isn't (?:that|it)|what (?:do|should|would|else)|would you|how (?:do|should|"
    r"would) (?:i|you))\b[^,]*\?\W*$",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(r"\b(?:says|goes|wants|asks)$")  # a view that somebody holds
_MOST_BEHIND: Final = 9  # words told behind it; of more they are the point


@dataclass(frozen=True, slots=True)
class Quoted:
    """What was said to a caller: what it is, who said it ("her"), and the caller's own words."""

    kind: Quote
    who: str
    own: str


def find_quoted(text: str) -> Quoted | None:
    """Return what a turn ends with as another's words to the caller; None where it does not.

    Args:
        text: The turn; what stands behind the quoted sentence must tell what came of it.
    """
    sentences = _SENTENCES.findall(text)
    for at, sentence in list(enumerate(sentences))[-2:]:
        words = " ".join(words_of(sentence))
        found = _QUESTION.search(words) or _SAYING.search(words)
        if found is None or _ASKS.search(sentence):
            continue
        own = " ".join((_behind(found), *words_of(" ".join(sentences[at + 1 :])))).strip()
        who = object_of(found["who"])
        if found.re is not _QUESTION:
            is_held = _PRESENT.search(found["says"] or "") or "asked" in (found["asks"] or "")
            return None if is_held else Quoted("said", who, own)
        kind: Quote = "answered" if own else "often" if found["often"] else "asked"
        return Quoted(kind, who, own)
    return None


def is_said(text: str) -> bool:
    """Whether a turn ends with what somebody said to the caller, and asked nothing."""
    quoted = find_quoted(text)
    return quoted is not None and quoted.kind == "said"


def without_quote(words: str) -> str:
    """Return a turn's words, without apostrophes, less what is quoted; the same where none is."""
    found = _QUESTION.search(words) or _SAYING.search(words)
    if found is None:
        return words
    at = found.start("quote")
    return words[: at if at >= 0 else found.end("told")] + _behind(found)


def meet_quoted(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    quoted = find_quoted(text)
    if quoted is None or len(quoted.own.split()) > _MOST_BEHIND or named_in(quoted.own):
        return ""
    return unsaid(SAYINGS[quoted.kind], text, own).format(who=quoted.who)


def _behind(found: re.Match[str]) -> str:
    """Return what a sentence tells behind the words of another."""
    groups = found.groupdict()
    quote = groups["quote"] or groups.get("rest") or ""
    came = _CAME.search(quote)
    return quote[came.start() :] if came else ""
