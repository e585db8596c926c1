"""Hear that a caller asks whether they are odd, silly or bad for what they feel or did; say a word.

"I felt relieved when she died. Am I awful?" wants no verdict and no question back: many people feel
so, and it makes nobody bad. Nothing of this is said of what may be an illness or does harm, nor of
another. Knows no reply of the bank.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import tells_loss
from rt_avatar.reasoner.responses.comforts import COMFORTS, Comfort
from rt_avatar.reasoner.responses.news import find_news
from rt_avatar.reasoner.responses.regrets import find_regret
from rt_avatar.reasoner.responses.unsaid import unsaid

_BEING: Final = (
    r"(?:(?:just|being|really|too|so|a bit|such|going|still|completely|totally|right|"
    r"proper|an?|the) )*"
)
_SILLY_WORD: Final = (
    r"(?:childish|silly|stupid|daft|pathetic|weak|dramatic|ridiculous|(?:over)?sensitive|soft|"
    r"overreacting|over reacting|idiot|baby|coward|wimp|fool|foolish|mad|crazy|insane|losing it|"
    r"losing my mind|mental|bonkers|morbid|thick|dumb)"
)
_BAD_WORD: Final = (
    r"(?:bad|terrible|horrible|awful|dreadful|selfish|cruel|evil|heartless|ungrateful|monster|"
    r"monstrous|wicked|cold)"
)
_SOMEONE: Final = (
    r"(?:person|human|mother|mum|mom|father|dad|parent|son|daughter|friend|wife|husband|brother|"
    r"sister|partner|man|woman)"
)
_DO: Final = (
    r"(?:to (?:feel|be|think|cry|want|miss|still|get|react|grieve|need|worry|have|mind|wish|"
    r"laugh|hope)|that (?:i|im|some)|if i|for me|of me|im|when i)"
)
_ASKS: Final[Sequence[tuple[Comfort, re.Pattern[str]]]] = (
    ("bad", re.compile(
        rf"\bim not (?:an? )?(?:very |really )?(?:nice|good|kind|decent) {_SOMEONE} am i$|"
        rf"^{_BEING}(?:{_BAD_WORD}|wrong) isnt it$|"
        rf"\bhow {_BEING}(?:messed up|{_BAD_WORD}) is that$|"
        rf"\b(?:am|was) i {_BEING}{_BAD_WORD}\b|"
        rf"\bmakes? me {_BEING}(?:\w+ )?{_BAD_WORD}\b|"
        rf"\bwhat (?:kind|sort) of an? {_SOMEONE} (?:am i|(?:does )?(?:that|this|it) makes? me|"
        r"feels|says|does|thinks|would)\b|"
        rf"\bwhat (?:kind|sort) of {_SOMEONE} (?:am i|does (?:that|this|it) make me|is that|feels|"
        r"says|does|thinks|would)\b|\bwho (?:feels|laughs|cries|thinks like|is glad|is relieved) |"
        rf"\bim {_BEING}(?:\w+ )?{_BAD_WORD}(?: \w+)? (?:arent|amnt|am|aint) i$|"
        rf"\b(?:thats|its|that was|it was|that is) {_BEING}{_BAD_WORD}(?: of me)? (?:isnt|wasnt) "
        r"it$|"
        rf"\b(?:is|was|isnt) (?:it|that|this) {_BEING}(?:{_BAD_WORD}|wrong|mean) {_DO}\b|"
        rf"\b(?:do |dont |would |must |probably )?you(?:ll)? (?:must |will |probably |all )?think "
        rf"(?:that )?(?:im|i am|i was) {_BEING}{_BAD_WORD}\b|"
        r"\b(?:thats|its|it is|that is) no excuse is it$|\b(?:is|was) (?:it|that|this) (?:all )?my "
        r"(?:own )?fault\b|\bmy (?:own )?fault (?:isnt|wasnt) it$")),
    ("silly", re.compile(
        rf"^{_BEING}{_SILLY_WORD} isnt it$|\bhow {_BEING}{_SILLY_WORD} is that$|"
        rf"\b(?:am|was) i {_BEING}{_SILLY_WORD}\b|"
        rf"\b(?:is|was|isnt) (?:it|that|this) {_BEING}{_SILLY_WORD} {_DO}\b|"
        rf"\b(?:its|thats|it is|that is) {_BEING}{_SILLY_WORD} {_DO}\b.* isnt it$|"
        rf"\b(?:is|isnt) (?:it|that|this) {_BEING}{_SILLY_WORD}(?: of me| or what| or not)?$|"
        rf"\b(?:do |dont |would )?you(?:ll)? (?:must |will |probably |all )?think "
        rf"(?:that )?(?:im|i am|i was) {_BEING}{_SILLY_WORD}\b")),
    ("normal", re.compile(
        rf"\b(?:is|isnt) (?:it|that|this) (?:all |even |really )?(?:normal|natural|okay|ok|all "
        rf"right|alright)(?:$| {_DO}\b| or\b)|"
        r"\b(?:does|do) (?:everyone|everybody|anyone|anybody|(?:other )?(?:people|mothers|mums|"
        r"moms|dads|fathers|parents|women|men|wives|husbands|carers|widows|kids)|others)(?: else)? "
        r"(?:ever |also |really |all )?(?:get|feel|do|have|go|cry|think|miss)\b|"
        r"\b(?:is it|is that|or is it|or is that) (?:just|only) me\b|"
        r"\b(?:what|whats|something|anything) (?:is )?wrong with me\b|"
        r"\bam i (?:the only one|normal)\b(?! who (?:thinks|likes|noticed)\b)")),
)  # fmt: skip
_FEELS: Final = re.compile(
    r"\b(?:feel\w*|felt|cr(?:y|ied|ies|ying)|tears|weep\w*|wept|miss(?:ed|ing)?|scared|afraid|"
    r"frighten\w*|terrified|nervous|nerves|anxious|panic\w*|worr(?:y|ied|ies|ying)|dread(?:ed|ing|s)?|"
    r"jealous|env(?:y|ious)|angry|anger|furious|cross|mad at|hat(?:e|ed|ing)|resent\w*|relie\w+|"
    r"glad|laugh\w*|sad|hurt(?:s|ing)?|upset|lonely|homesick|love[ds]?|guilty|ashamed|shame|"
    r"embarrass\w*|disappointed|mind(?:ed|ing)|numb|nothing inside|cant (?:stop|sleep|face|think|"
    r"let go|cope|bring myself)|couldnt (?:stop|face)|keep (?:thinking|reading|checking|going|"
    r"looking|dreaming|hearing|seeing|expecting|talking)|(?:dont|didnt) want to|still (?:put|lay|"
    r"set|keep|talk|look|check|wait|sleep|buy|cook|make|lay)|wish(?:ed)?|shak(?:e|es|ing)|sit in|"
    r"to breathe|hid(?:e|ing)? in|howl\w*|sob\w*|every (?:five|ten|few|two) minutes|grie\w+|"
    r"heartbroken|devastated|(?:tired|sick) of|fed up|lucky|hoped|prayed|"
    r"(?:couldnt|cant) (?:even|bear))\b"
)
# May be an illness, or does harm.
_NOT_SAID_OF: Final = re.compile(
    r"\b(?:(?:i|ive|id) (?:\w+ )?(?:hit|slap\w*|smack\w*|push\w*|shov\w*|kick\w*|punch\w*|beat\w*|"
    r"shook|shak(?:e|en) (?:him|her|the)|chok\w+|threw|stole|steal\w*|nicked|followed|spied|"
    r"stalk\w*|gambl\w*|drove (?:drunk|home))|drunk|drink\w*|drank|wine|beer|vodka|whisky|pills?|"
    r"tablets?|medic\w*|dos(?:e|age)|weed|coke|cocaine|smok\w+|eat(?:en|ing)?|ate|starv\w*|"
    r"sick after|throw\w* up|(?:hear (?:\w+ )?)?voices|bleed\w*|blood (?:in my|when i|pressure|"
    r"clots?)|lumps?|rash|fever|heart (?:races|is racing|pounds|beats|skips)|"
    r"temperature|pulse|chest|weigh\w*|dizzy|swollen|pain|cut(?:ting)? (?:myself|my)|burn\w*|"
    r"kill\w*|(?:want\w*|wish\w*) (?:\w+ ){0,3}(?:die|dead)|die|suicid\w*|"
    r"(?:hav|has)(?:e|ent|nt)? (?:not |hardly |barely )?slept|pee|period|poo)\b"
)
_WANTED_DEAD: Final = re.compile(r"\b(?:hurt|harm|touch\w*) (?:him|her|them|my \w+|the \w+)\b")
_HARMED: Final = re.compile(
    r"\b(?:grabbed|groped|touched|hits?|beats?|attacked|assaulted|raped|choked|forced|slapped|"
    r"punched|mugged|abused|molested|cornered) me\b|\bi (?:was|got|have been|'ve been) (?:raped|"
    r"groped|assaulted|attacked|mugged|abused|molested|beaten|spiked)\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(
    r"\b(?:he|she|they|(?:my|the|his|her) \w+) (?:then |just |once )?(?:asked|asks|says|said|"
    r"shouted|wrote|goes|told)\b"
)
_KEPT_FROM: Final = re.compile(
    r"\bi(?:ve| have)? (?:\w+ )?(?:hid|hidden|lied|been lying|kept (?:it|this|that) from|"
    r"pretend\w*|cheated|just take it|take (?:his|her|their) money)\b|"
    r"\bthinks? (?:that )?im (?:still )?(?:at|in|on)\b"
)
# Whether they are bad, and not it: it needs no word of what is felt.
_OF_SELF: Final = re.compile(
    rf"\b(?:(?:am|was) i|makes? me) {_BEING}{_BAD_WORD}\b|\b{_BAD_WORD} of me\b|\bam i$"
)
_MY_FAULT: Final = re.compile(r"\b(?:is|was) (?:it|that|this) (?:all )?my (?:own )?fault\b", re.I)
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_LOOKED_AT: Final = 2  # sentences, the last ones


def find_solace(text: str, told: Sequence[str] = ()) -> Comfort | None:
    """Return what a caller asks of their own feelings or deeds; None where they do not.

    Args:
        text: Their turn.
        told: Their turns before it.
    """
    sentences = _SENTENCES.findall(text)[-_LOOKED_AT:]
    asked = next((one for part in reversed(sentences) if (one := _asked(part))), None)
    both = (*told[-1:], text)
    words = " . ".join(" ".join(words_of(one)) for one in both)
    if asked is None or _NOT_SAID_OF.search(words) or _WANTED_DEAD.search(words):
        return None
    if asked == "bad" and "fault" in words and any(map(_HARMED.search, (*told, text))):
        return "blamed"
    is_felt_now = _FEELS.search(" ".join(words_of(text)))
    if asked == "bad" and any(map(_tells_deed, (*(told[-2:] if is_felt_now else told), text))):
        return "done"
    is_of_self = asked == "bad" and _OF_SELF.search(words)
    is_felt = is_of_self or _FEELS.search(words) or any(map(tells_loss, both))
    return asked if is_felt else None


def meet_solace(text: str, told: Sequence[str], own: Sequence[str]) -> str:
    """Return a true word to it, not one that was said in this call; empty: nothing such is asked.

    Args:
        text: The caller's turn.
        told: Their turns before it.
        own: The avatar's turns, the oldest first.
    """
    comfort = find_solace(text, told)
    return unsaid(COMFORTS[comfort], text, own) if comfort else ""


def _tells_deed(text: str) -> bool:
    """Whether a turn tells of something done to another, or kept from them."""
    told = _MY_FAULT.sub("", text)
    is_own = find_regret(told) is not None or find_news(told) == "guilt"
    return is_own or bool(_KEPT_FROM.search(" ".join(words_of(told))))


def _asked(sentence: str) -> Comfort | None:
    """Return what a sentence asks, by its words alone."""
    words = " ".join(words_of(sentence))
    if _QUOTED.search(words):
        return None
    return next((comfort for comfort, pattern in _ASKS if pattern.search(words)), None)
