"""Meet a question that nobody here can answer: it is heard as one, and nothing is made up.

Who doubts themselves ("am I a monster?") is neither judged nor told what to think; who asks for
anything else hears that it is not known, and is asked for their own view. Knows no reply of the
bank, which may know more of a question's topic.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.quiet import ASKED
from rt_avatar.reasoner.unsaid import unsaid

# Asks whether they are worth less, or did wrong; asks for anything else; where somebody died.
Asked: TypeAlias = Literal["worth", "doubt", "other", "grave"]

MET: Final[Mapping[Asked, tuple[str, ...]]] = {
    "worth": (
        "I don't think that of you. What makes you ask?",
        "No, that's not how you seem to me. Has somebody told you so?",
        "That's a hard word for yourself. I don't see it in you.",
    ),
    "doubt": (
        "I can't be the judge of that, but I hear how much it weighs on you.",
        "I'm not here to judge you. What makes you ask?",
        "I don't know, and I don't think any less of you for asking.",
        "That's a heavy question to carry around. What would you say yourself?",
        "I can't settle that for you. I'm listening all the same.",
    ),
    "other": (
        "I wish I could tell you. What do you think yourself?",
        "I don't know, and I won't make something up. What's your own sense of it?",
        "I can't know that, I'm afraid. What makes you wonder?",
        "I've no answer to that, but I'd like to hear yours.",
        "I wish I knew that. What brings it up for you?",
    ),
    "grave": ASKED,
}
# All of words as they are heard, without apostrophes.
_LEADS: Final = (
    r"^(?:(?:and|but|so|then|well|oh|ah|okay|ok|now|just|like|god|honestly|actually|hey|please|"
    r"sorry|no|yes|yeah|wait|my god|i mean|tell me) )*"
)
_BE: Final = r"(?:am|is|are|was|were|do|does|did|has|have|can|could|will|would|should)"
_ISNT: Final = r"(?:(?:is|are|was|were|do|does|did|has|have|ca|could|wo|would|should)nt)"
_WHO: Final = (
    r"(?:i|you|he|she|we|they|there|anyone|anybody|someone|somebody|people|everyone|everybody)"
)
_MY: Final = r"(?:my|your|his|her|our|their)"
_WHAT: Final = rf"(?:{_WHO}|{_MY}|it|this|that|these|those|the|an?)"
_WH: Final = (
    r"(?:what|why|where|when|who|how|which \w+|what (?:kind|sort) of \w+|"
    r"how (?:long|often|many|much|far|old|bad|soon|come)(?: \w+)?)"
)
_TELLS: Final = r"(?! (?:believe|guess|imagine)\b)"
# Recognisers write no question marks: asked is what has the order of words of a question, is not
# told without its "I" ("did it again", "was that tired"), and wants no mere assent ("isn't it …").
_ASKS: Final = re.compile(
    rf"{_LEADS}(?:"
    rf"{_BE} {_WHO}{_TELLS} \w|"
    rf"(?:is|are|does|will|would|should|could) (?:{_MY}|it|this|that|these|those)\b|"
    rf"can (?:it|this|that|these|those)\b|"
    rf"was (?:it|that (?:an?|the|my|his|her|really|what|why|how|you|him))\b|"
    rf"{_WH} (?:{_BE}|{_ISNT}) {_WHAT}\b|"
    rf"(?:what|where|who|how)(?:s| is) "
    rf"(?:wrong|right|going|happening|left|next|{_MY}|it|this|that|the)\b|"
    rf"who (?:would|could|does|did|will|can|else)\b|"
    rf"what (?:if|happens)\b|(?:what|how) about\b|how come\b|why (?:me|us|now|bother|not)\b)"
)  # fmt: skip
_ASKS_MARKED: Final = re.compile(
    rf"{_LEADS}(?:{_BE} {_WHAT}{_TELLS}\b|(?:what|why|where|when|who|which|how)s?\b)"
)
_WRONG: Final = (
    r"(?:(?:really|just|so|too|such|going|being|getting) )*"
    r"(?:an?|the|to blame|wrong|right(?! now| here| about)|bad|mad|crazy|insane|selfish|stupid|"
    r"awful|horrible|terrible|cruel|mean|weak|broken|normal|weird|pathetic|ungrateful|unfair|"
    r"overreacting|failing|heartless|evil|lazy|hard on)\b"
)
_DOUBTS: Final = re.compile(
    rf"\b(?:(?:am|was) i {_WRONG}|"
    rf"(?:do|dont|would) you (?:think|believe|say) (?:that )?(?:im|i am|i was) {_WRONG}|"
    rf"(?:is|isnt|was|wasnt) (?:it|that|this|it all|all this) (?:\w+ )?"
    rf"(?:wrong|selfish|cruel|unfair|my fault|because of me|a mistake|a sin|"
    rf"(?:awful|bad|terrible|horrible|mean|weird|strange|normal|okay|ok|silly|crazy|stupid) "
    rf"(?:of me|that i|to|if i|for me))|"
    rf"what have i (?:done|become)|"
    rf"what(?:s| is) (?:wrong|the matter) with me|"
    rf"how could i (?:be|do|have|let|forget|say|not)|(?:could|should) i have (?:\w+ )?done|"
    rf"did i (?:deserve|overreact|mess|fail|let|go too|"
    rf"do (?:something|anything|enough|it (?:right|wrong)|the (?:right|wrong)|wrong|right)|"
    rf"make (?:a|the) (?:\w+ )?(?:mistake|choice|decision)))\b"
)  # fmt: skip
_WORTH: Final = re.compile(
    r"\b(?:stupid|dumb|weird|pathetic|weak|broken|lazy|failing|heartless|"
    r"(?:a|an) (?:\w+ )?(?:failure|burden|loser|monster|idiot|coward|(?:bad|terrible|horrible|"
    r"awful) (?:person|mother|mum|mom|father|dad|friend|parent|daughter|son|wife|husband)))\b"
)
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def find_asked(text: str, *, is_grave: bool = False) -> Asked | None:
    """Return what the last sentence of a turn asks; None where it asks nothing.

    Args:
        text: The turn.
        is_grave: Whether something grave was told, in it or lately.
    """
    sentences = _SENTENCES.findall(text)
    words = " ".join(words_of(sentences[-1])) if sentences else ""
    if _DOUBTS.search(words):
        return "worth" if _WORTH.search(words) else "doubt"
    is_marked = bool(sentences) and "?" in sentences[-1]
    if not (_ASKS_MARKED if is_marked else _ASKS).search(words):
        return None
    return "grave" if is_grave else "other"


def is_asked_alone(text: str) -> bool:
    """Whether a turn is a question and nothing was told before it."""
    return len(_SENTENCES.findall(text)) <= 1


def meet(asked: Asked, text: str, own: Sequence[str]) -> str:
    """Return what is said to a question: what was not said in this call, or longest ago.

    Args:
        asked: What it asks.
        text: The turn; the same one begins with the same saying.
        own: The avatar's turns, the oldest first.
    """
    return unsaid(MET[asked], text, own)
