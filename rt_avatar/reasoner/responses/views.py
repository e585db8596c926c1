"""Hear that a caller wants to be agreed with, or told that what they did is all right.

"Is that so bad?", "does that sound ok to you", "you think I'm mad, don't you", "it's my day as
well, isn't it?": none of these asks for a fact, and who is told "I don't know that" or "go on" is
left alone with it. No verdict on another is given, nothing is promised, and nothing is found all
right that may be an illness or a harm. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

# Asks whether something is all right; the same of what they did and harmed nobody by; whether they
# are thought ill of; to be agreed with; the same in what they hope, or how it seems to them;
# whether they are followed; whether they are the only one.
View: TypeAlias = Literal["fine", "harmless", "worth", "agree", "hope", "seems", "follow", "only"]

VIEWS: Final[Mapping[View, tuple[str, ...]]] = {
    "fine": (
        "I can see why you wonder. How does it feel to you?",
        "I'm no measure for that, but I can see why you ask.",
        "I can see why that leaves you unsure. What does your own sense say?",
        "It makes sense that you ask. Does it feel right to you?",
    ),
    "harmless": (
        "It sounds all right to me.",
        "I see no harm in it.",
        "That sounds fine to me.",
        "To me that sounds quite all right.",
    ),
    "worth": (
        "I don't think that of you. What makes you ask?",
        "No, that's not how you seem to me. Has somebody told you so?",
        "That's a hard word for yourself. I don't see it in you.",
    ),
    "agree": (
        "I can see why you'd say that.",
        "I can see what makes you say so.",
        "You know that better than I do, but I can see why you think so.",
        "I can see why you'd think that.",
    ),
    "hope": (
        "I hope so.",
        "I'd like to think so.",
        "I hope so for you.",
    ),
    "seems": (
        "I can see why it feels that way.",
        "I can see why you see it like that.",
        "I can understand that you see it that way.",
    ),
    "follow": (
        "I think I do, yes.",
        "Yes, I think I follow you.",
        "I believe so, yes. Go on.",
    ),
    "only": (
        "I don't think you're the only one.",
        "I'd be surprised if it were only you.",
        "No, I don't believe it's just you.",
    ),
}
# All of words as they are heard, without apostrophes.
_OK: Final = (
    r"(?:(?:really|just|so|too|such|very|that|even|at all|all that|completely|perfectly|an?|like|"
    r"kind of|any) )*(?:normal|ok|okay|alright|all right|fine|fair|reasonable|understandable|"
    r"acceptable|healthy|rude|stupid|crazy|mad|ridiculous|pathetic|right|bad|wrong|terrible|awful|"
    r"shameful|unreasonable|unusual|"
    r"much(?: to ask)?)"
)
_OF_IT: Final = (
    r"(?: these days| nowadays| (?:to|for) (?:you|me|us|an? \w+(?: \w+)?)| at my age| of me|"
    r" to (?:feel|say|ask|want|"
    r"think|wish|be|do|tell|keep)\b.*| (?:that|if|when) (?:i|im|my)\b.*| do you (?:think|reckon)|"
    r" would you say| in your (?:opinion|view)| or (?:not|what|am i)\b.*|"
    r" (?:isnt|is) (?:it|that))*$"
)
_FINE: Final = re.compile(
    rf"\b(?:(?:is|isnt|was|wasnt|does|doesnt|did) (?:it|that|this|all this|all that)(?: all)?"
    rf"(?: sound| seem| look)? {_OK}{_OF_IT}|"
    rf"(?:do |dont |would )?you (?:think|reckon|say) (?:that )?(?:its|thats|that is|it is|this is|"
    rf"that was|it was) {_OK}{_OF_IT}|"
    rf"(?:its|thats|that is|it is|this is|that was|it was) (?:not )?{_OK} (?:isnt|is|wasnt|was) "
    rf"(?:it|that)$|am i (?:being )?(?:un)?(?:reasonable|fair)$)"
)
# Whose doing it is, and what is not for a listener to find all right.
_ANOTHER: Final = re.compile(
    r"\b(?:he|she|they|hes|shes|theyre|people|everyone|everybody|someone|somebody|nobody)\b|"
    r"(?:^|[.!?] |\b(?:and|but|that|because|so|when|if) )(?:my|his|her|our|their|the) \w+"
)
_NOT_SAID_OF: Final = re.compile(
    r"\b(?:shout|yell|scream|hit|slap|push|threw|throw|kick|lie[ds]?\b|lying|stole|steal|nick|cheat|"
    r"hung up|swore|snap|drink|drunk|drank|wine|beer|vodka|pill|tablet|medic|dose|smok|weed|eat\b|"
    r"eaten|ate\b|starv|hungry|sick|sleep|slept|awake|weigh|blood|bleed|pain|hurt|sore|heart|chest|"
    r"breath|head|fever|lump|rash|body|skip|dizzy|numb|cut\b|cutting|burn|hate|die|dead|dying|kill|"
    r"alone|days|weeks|months|years|never|nothing|gambl|debt|phone|follow|spy|spied|secret)"
)
_HEALTH: Final = re.compile(r"\b(?:normal|healthy|unusual)\b")
_THINKS_ILL: Final = re.compile(
    r"^(?:(?:and|but|so|well|oh|now|i|id|ill|bet|suppose|guess|expect|know|reckon) )*"
    r"you (?:(?:probably|prob|must|all|might|just|also|will|may) )*"
    r"(?:think|reckon|thinking) (?:that )?(?:im|i am|i was) (?!(?:\w+ )?(?:right|sure|fine|ok|okay|"
    r"good|nice|brave|strong|happy|going|gonna|not|lucky)\b)(?!.*\b(?:but|because|and|so) )"
)
_THINKS_ILL_OF_SELF: Final = re.compile(
    r"\b(?:im|i am|i was|ive been) (?:(?:such|really|just|so|being|too|an?|the|\w+ly) )*(?:bad|"
    r"terrible|horrible|awful|rubbish|useless|stupid|pathetic|selfish|hopeless|failure|burden|mean|"
    r"monster|idiot|lousy|rotten|weak|coward)\b"
)
# "…, isn't it?": the tag denies what is told before it, or the other way round.
_TAG: Final = re.compile(
    r"^(?P<told>.*?\w+ \w+) (?:(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|"
    r"should|must)(?P<denies>nt)|is|are|was|were|do|does|did|has|have|had|can|could|will|would|"
    r"should) (?P<who>i|you|he|she|it|they|we|there|that)$"
)
_INNIT: Final = re.compile(r"^(?P<told>.*?\w+ \w+) (?P<denies>inn)(?P<who>it)$")
_DENIES: Final = re.compile(r"\b(?:not|no|never|nobody|nothing|hardly|barely|cannot|\w+nt)\b")
_NO_TAG: Final = re.compile(
    r"\b(?:what|who|whos|where|when|why|how|which|whose|neither|nor|so|wonder)(?: \w+){0,2}$|"
    r"\b(?:i|he|she|they|we|you|who|to|if|whether)$|\bif\b|"
    r"^(?:you|youre|your)\b(?! (?:get|know|can|cant|never|have|need|would))|"
    r"^(?:what|who|where|when|why|how|which|is|are|do|does|did|have|has|can|could|will|would)\b"
)
_SELF: Final = {
    "i": re.compile(r"\b(?:i|im|ive|ill|id)\b"),
    "you": re.compile(r"\b(?:you|youd|youve)\b"),
}
_HOPED: Final = re.compile(r"\b(?:easier|better|pass|passes|work out|worth it|fine|all right|ok)\b")
_SEEMS: Final = re.compile(r"(?:^|\b(?:but|and|so|because) )(?:its|thats|it|that|this is)\b")
_AGREES: Final = re.compile(
    r"^(?:(?:and|but|so|well|oh) )*(?:"
    r"(?:do|dont|wouldnt) you (?:agree|think so)(?: with (?:me|that))?|"
    r"wouldnt you (?:agree|say(?: so)?)|(?:am i|im i) right|you agree(?: dont you)?)$"
)
_FOLLOWS: Final = re.compile(
    r"\b(?:(?:do |can )you (?:see|get|understand|know) "
    r"(?:me|what (?:im (?:getting at|saying)|i mean)|"
    r"where im coming from|my point|why i (?:said|did|think|feel|cant|dont|want|would|was|am)\b.*)|"
    r"(?:does|is) (?:that|this|it|any of (?:that|this|it)|what im saying) (?:make|making) "
    r"(?:any |some )?sense(?: to you)?|(?:if )?you know what i mean|am i making (?:any )?sense)$"
)
_ONLY: Final = re.compile(
    r"\b(?:am i the only one|"
    r"(?:is it|is that|it cant be|its not) (?:just|only) me(?: is it)?(?= or |$)|"
    r"(?:do|does|did|is|has|have) (?:other (?:people|women|men|mums|dads|parents|folk)|"
    r"any(?:one|body) else|every(?:one|body)(?: else)?) (?:ever |also |all )*"
    r"(?:feel|get|do|go through|have|had|felt|find|struggl|think|been|worry|lie|cry)\w*)\b"
)


def find_view(words: str, told: str = "") -> View | None:
    """Return what view a sentence asks for; None where it asks for none.

    Args:
        words: The sentence, as it is heard, without apostrophes.
        told: What was told before it in the same turn, likewise.
    """
    if _THINKS_ILL.search(words):
        return "worth"
    if found := _FINE.search(words):
        told = f"{told} {words[: found.start()]}".strip()
        is_theirs = not told or _ANOTHER.search(told) or _NOT_SAID_OF.search(told)
        return "fine" if is_theirs or _HEALTH.search(found[0]) else "harmless"
    if _AGREES.search(words):
        return "agree"
    if _FOLLOWS.search(words):
        return "follow"
    return "only" if _ONLY.search(words) else _tagged(words)


def _tagged(words: str) -> View | None:
    """Return what is wanted by "…, isn't it?"; None where a sentence does not end so."""
    found = _TAG.search(words) or _INNIT.search(words)
    if not found or _NO_TAG.search(found["told"]):
        return None
    told, who = found["told"], found["who"]
    if who == "i" and _THINKS_ILL_OF_SELF.search(told):
        return "worth"
    is_denied = bool(_DENIES.search(told))
    if bool(found["denies"]) == is_denied or (who in _SELF and not _SELF[who].search(told)):
        return None
    if not is_denied and _HOPED.search(told):
        return "hope"
    return "seems" if who in ("it", "that") and _SEEMS.search(told) else "agree"
