"""Hear what follows an alarm: it is no danger after all, all are safe, they are not, or neither.

"Yes" and "no" mean what the listener asked. Who does not answer has not said that they are safe.
"""

from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.intents import Intent, find_intent
from rt_avatar.reasoner.quiet import find_question
from rt_avatar.reasoner.suicide import any_of

Aftermath: TypeAlias = Literal["mistaken", "safe", "unsafe", "doubts", "asks", "goes_on", "goodbye"]
# After these nothing is dangerous any more.
SETTLED: Final = frozenset[Aftermath]({"mistaken", "safe"})

_ASKS: Final = frozenset[Intent]({"advice", "medical", "fact", "do_you_feel"})
_MISTAKEN: Final = any_of(
    r"(?:joking|kidding|figure of speech|exaggerat\w+|just a saying)\b",
    r"didnt mean (?:it|that|anything)\b", r"not (?:like that|what i meant|serious)\b",
    r"nothing like that\b", r"(?:not|never) (?:\w+ )?suicidal\b",
    r"(?:not|never|wont) (?:\w+ ){0,3}?(?:kill|hurt|harm|do anything|do that)\b",
    r"(?:film|movie|song|game|book|dream)\b", r"false alarm\b",
)  # fmt: skip
_SAFE: Final = any_of(
    r"(?:im|i am|were|we are|hes|shes|theyre|everyone is|everybody is|everyones|"
    r"its) (?:\w+ )?(?:safe|fine|ok|okay|all right|alright|breathing|better)\b",
    r"(?:is|are|here|\w+s) (?:\w+ )?with (?:me|us|him|her|them)\b", r"asleep\b",
    r"(?:im|were) not alone\b",
    r"(?:im|were|i am) (?:\w+ )?(?:at|with) (?:my|the|a) (?!house|flat|home)\w+",
    r"(?:told|texted) (?:my \w+|someone|somebody|him|her|them)(?: (?:about it|everything|now))?$",
    r"(?:called|rang|phoned|reached|spoke|talked|speaking|talking) (?:to |"
    r"with )?(?:the|my|a|an|them|him|her|them|someone|somebody|999|911|112)\b",
    r"(?:ambulance|police|paramedics|doctor|help)(?: is| are|s)? (?:\w+ )?(?:here|there|coming|"
    r"on (?:its|the|their) way)\b",
    r"(?:came|went) (?:round|to (?:the )?(?:hospital|police))\b",
)  # fmt: skip
_UNSAFE: Final = any_of(
    r"not (?:safe|okay|ok|all right|alright)\b",
    r"(?:next room|outside|at the door|downstairs|upstairs)\b",
    r"(?:hes|shes|theyre) (?:\w+ )?(?:here|coming|back|awake|angry|drunk|shouting)\b",
    r"cant (?:leave|call|get out|move|go|get away|tell|reach)\b",
    r"(?:no ?body|no one|all alone|by my ?self)\b", r"(?:has|got|have) a (?:knife|gun)\b",
    r"already (?:took|taken|did|done)\b", r"(?:said|did|does|tried) it again\b",
    r"feel(?:ing)? (?:sleepy|sick|dizzy|faint)\b",
)  # fmt: skip
# Who was hurt or frightened takes it on themselves, or excuses it.
_DOUBTS: Final = any_of(
    r"my (?:own )?fault\b",
    r"am i (?:just )?(?:over ?reacting|too sensitive|exaggerating|imagining)\b",
    r"(?:does|if) (?:it|that|this) (?:even |really )?counts?\b", r"deserved? (?:it|that|this)\b",
    r"is (?:it|that|this) (?:even |really )?(?:abuse|violence|normal|okay|ok|that bad)\b",
    r"if i (?:was|were|had been|wasnt|hadnt) \w+", r"(?:provoked?|made) (?:him|her|them)\b",
    r"(?:hes|shes|he is|she is|he can be|she can be) (?:\w+ )?(?:lovely|sweet|nice|kind|gentle|"
    r"great) (?:\w+ ){0,2}?(?:other|otherwise|most|when|after|afterwards|normally|usually)\b",
    r"(?:only|just) (?:the )?once\b",
)  # fmt: skip
_REVERSED: Final = any_of(r"are you thinking of (?:suicide|ending)")


def is_doubting(text: str) -> bool:
    """Whether somebody who was hurt asks if it counts, if it is their fault, or excuses it."""
    return bool(_DOUBTS.search(" ".join(words_of(text))))


def find_aftermath(text: str, asked: str) -> Aftermath:
    """Return what a turn says about an alarm of before it.

    Args:
        text: What was said.
        asked: The listener's turn before it.
    """
    words = " ".join(words_of(text))
    intent = find_intent(text)
    is_reversed = bool(_REVERSED.search(asked.casefold()))
    begins = words.partition(" ")[0]
    if intent == "goodbye":
        return "goodbye"
    if is_doubting(text):
        return "doubts"
    if _MISTAKEN.search(words):
        return "mistaken"
    if _UNSAFE.search(words):
        return "unsafe"
    if _SAFE.search(words):
        return "safe"
    if intent == "no" or begins in ("no", "nope"):
        return "mistaken" if is_reversed else "unsafe"
    if "?" in asked and (intent == "yes" or begins in ("yes", "yeah", "yep", "maybe")):
        return "unsafe" if is_reversed else "safe"
    return "asks" if intent in _ASKS or find_question(text) else "goes_on"
