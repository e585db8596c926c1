"""Hear what follows an alarm: it is no danger after all, all are safe, they are not, or neither.

"Yes" and "no" mean what the listener asked. Who does not answer has not said that they are safe.
"""

from typing import Final, Literal, TypeAlias

from rt_avatar.engines.word_set import any_of, word_set
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.intents import Intent, find_intent
from rt_avatar.reasoner.responses.quiet import find_question

Aftermath: TypeAlias = Literal["mistaken", "safe", "unsafe", "doubts", "asks", "goes_on", "goodbye"]
# After these nothing is dangerous any more.
SETTLED: Final = frozenset[Aftermath]({"mistaken", "safe"})
# What was asked for being unsure is passed over with these, and not asked on.
PASSED_OVER: Final = frozenset[Aftermath]({"goes_on", "goodbye", "asks", "doubts"})

_ASKS: Final = frozenset[Intent]({"advice", "medical", "fact", "do_you_feel"})
_MISTAKEN: Final = any_of(
    r"(?:was|were|im|i am|just|only) (?:just |only )?(?:joking|kidding|exaggerating)\b",
    r"figure of speech\b", r"just a saying\b", r"false alarm\b",
    r"didnt mean (?:it|that|anything)(?: like that| that way| literally| seriously| by it)?$",
    r"nothing like that\b", r"not (?:like that|what i meant|serious)$",
    r"i(?:m| am)? (?:not|never) (?:been )?suicidal\b",
    r"i(?:m| am) not (?:going to|gonna) (?:kill|hurt|harm|do anything|do that)\b",
    r"i (?:wont|would never|will never|wouldnt) (?:kill|hurt|harm|do that)\b",
    r"(?:in|from|about|out of) (?:a|the|my) (?:\w+ )?(?:film|movie|song|game|book|dream|play)$",
    r"(?:no ?body|no one|nobodys)(?: is| was| has been| got| here is)? (?:hurt|hurting|harmed|"
    r"harming|frightening|threatening|hitting|in (?:any )?danger|unsafe)\b",
    r"(?:not|isnt|arent|never|no) (?:really |actually )?(?:in )?(?:any |real )?danger\b",
    r"(?:its|it was|thats|just|only) (?:a|an|my) (?:\w+ )?(?:joke|saying|expression|job)\b",
)  # fmt: skip
# With whom one is safer than alone; of one's partner that is not known.
_CLOSE: Final = (
    r"(?:friend|mate|flatmate|roommate|sister|brother|mum|mom|mother|dad|father|nan|gran|grandma|"
    r"grandmother|grandad|grandpa|aunt|auntie|uncle|cousin|neighbou?r|daughter|son|colleague|"
    r"nurse|doctor|teacher|counsell?or|someone|somebody)s?"
)
_NOT_ALONE: Final = any_of(r"(?:im|i am|were|we are) not (?:on my own|alone)\b")
_SAFE: Final = any_of(
    r"(?:im|i am|were|we are|everyone is|everybody is|everyones|hes|shes|theyre|its) (?:all |now |"
    r"quite |much |perfectly )?(?:safe|fine|ok|okay|all right|alright|breathing|better)"
    r"(?:$| (?:now|again|here|thanks|thank|honestly|really|at|and)\b)",
    rf"{_CLOSE}(?: is| are)? (?:(?:here|staying|sitting|still|now) )?with (?:me|us|him|her|them)\b",
    rf"(?:im|i am|were|we are|i got|hes|shes) (?:\w+ )?(?:at|with|to) (?:(?:my|a|the|her|his) )?"
    rf"(?:\w+ )?(?:{_CLOSE}|hospital|police station|refuge|shelter|a e|er)\b",
    r"(?:i|ive|we|weve|shes|hes) (?:have |just |already )*(?:called|rang|phoned|reached|spoke to|"
    r"spoken to|speaking to|talking to|talked to) (?:the )?(?:police|ambulance|999|911|112|111|"
    rf"crisis|samaritans|helpline|hotline|doctor|gp|emergency|them|(?:my |a )?{_CLOSE})\b",
    rf"(?:told|texted) (?:my |a )?{_CLOSE}(?: (?:about it|everything|what happened|now))?$",
    r"(?<!no )(?:ambulance|police|paramedics|doctor|help)(?: is| are|s)? (?:\w+ )?(?:here|coming|"
    r"on (?:its|the|their) way)\b",
)  # fmt: skip
# With these nothing is settled: it is denied, or not sure.
_HEDGED: Final = any_of(
    r"(?:not|never|nobody|no one|none|hardly|cant|wont|dont|didnt|isnt|arent|hasnt|havent|"
    r"wouldnt|couldnt|but|until|if|maybe|sometimes|promise|think|know|sure|said|says)\b",
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
    r"is (?:it|that|this) (?:even |really )?(?:abuse|violence|normal|that bad)\b",
    r"if i (?:was|were|had been|wasnt|hadnt) (?:\w+ )?(?:calmer|quieter|nicer|kinder|better|"
    r"so|more|less|said|done|argued|answered)\b", r"provoked? (?:him|her|them)\b",
    r"made (?:him|her|them) (?:do it|angry|mad|hit|snap|lose)\b",
    r"(?:hes|shes|he is|she is|he can be|she can be) (?:\w+ )?(?:lovely|sweet|nice|kind|gentle|"
    r"great) (?:\w+ ){0,2}?(?:other|otherwise|most|when|after|afterwards|normally|usually|"
    r"really)\b",
    r"was (?:only|just) (?:the )?once\b", r"only (?:the )?once$",
)  # fmt: skip
# Why things are given away, or not planned here.
_MOVING: Final = any_of(
    r"(?:were|we are|im|i am|ill be|well be) (?:just |only |all )?(?:moving|emigrating|relocating) "
    r"(?:house|abroad|away from here|back to|to (?!a better|another (?:place|world)|heaven|be\b|"
    r"where|join|him|her|them|the other))",
)
_UNSURE: Final = any_of(r"(?:but|maybe|sometimes|promise|know|sure|said|says)\b")
_YES: Final = word_set("yes yeah yep yup")
_NO: Final = word_set("no nope nah")
# Asked whether suicide is meant; also where no more than the beginning was heard.
_REVERSED: Final = any_of(
    r"sounds very heavy", r"understand you right", r"are you thinking of (?:suicide|ending)"
)


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
    begins, _, rest = words.partition(" ")
    is_answer = begins in _YES | _NO
    is_hedged = bool(_HEDGED.search(rest if is_answer else words))
    if intent == "goodbye":
        return "goodbye"
    if is_doubting(text):
        return "doubts"
    if _MISTAKEN.search(words) and not _UNSURE.search(words):
        return "mistaken"
    if is_reversed and _MOVING.search(words) and not _UNSURE.search(rest):
        return "mistaken"
    if _UNSAFE.search(words):
        return "unsafe"
    if _NOT_ALONE.search(words) or (_SAFE.search(words) and not is_hedged):
        return "safe"
    if intent == "no" or begins in _NO:
        return "unsafe" if not is_reversed else "goes_on" if _UNSURE.search(words) else "mistaken"
    is_asked = is_reversed or "?" in asked
    if is_asked and (intent == "yes" or begins in _YES) and not is_hedged:
        return "unsafe" if is_reversed else "safe"
    return "asks" if intent in _ASKS or find_question(text) else "goes_on"
