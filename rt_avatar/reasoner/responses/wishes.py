"""Hear what a caller asks of the avatar itself: to stay, to listen, to be there again, its taste.

"Will you stay on while I ring her?", "did I tell you about the hedgehog?", "do you like honey,
Ava?", "steam or diesel?": who is told "I can't know that" was not listened to. It promises nothing
that it cannot keep, and has no life to tell of. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

# To stay on the line; to be there another time; how long it listens; only to be heard; to say more;
# whether something was told already; what it likes or has done; what it would take of two things.
Wish: TypeAlias = Literal["stay", "again", "long", "listen", "more", "told", "self", "prefer"]

WISHES: Final[Mapping[Wish, tuple[str, ...]]] = {
    "stay": (
        "Yes, I'll stay right here with you.",
        "Of course. I'm staying on.",
        "Yes. I'm here, and I'm not going anywhere.",
    ),
    "again": (
        "Yes, call whenever you like. I won't remember today, but I'll listen again.",
        "Any time, yes. You'd only have to tell me anew, as I keep nothing from call to call.",
        "Yes, I'd be glad. I just won't know any more what we spoke of today.",
    ),
    "long": (
        "As long as you like. I'm in no hurry.",
        "For as long as you want to talk.",
        "There's no clock on it from my side. Take your time.",
    ),
    "listen": (
        "I'm listening.",
        "Of course. I'm all ears.",
        "Yes. You talk, and I listen.",
    ),
    "more": (
        "That was all from me. I'd rather hear how it goes on with you.",
        "I've no more to it than that, as I only listen. What would you add?",
        "There's nothing more behind it. What's on your mind with it?",
    ),
    "told": (
        "I don't think so. Do tell me.",
        "Not that I know. I'd like to hear it.",
        "Even if you have, I'd like to hear it.",
    ),
    "self": (
        "I'm software, so there's nothing of the kind with me. How about you?",
        "Not in the way you would, I'm only a program. And you?",
        "Nothing of my own there, being a program. What about you?",
    ),
    "prefer": (
        "I've no taste of my own, being a program. Which one is it for you?",
        "Neither has ever come my way, I'm software. Which would you take?",
        "You'd know better than a program. Which one are you leaning to?",
    ),
}  # fmt: skip
# All of words as they are heard, without apostrophes.
_LEADS: Final = (
    r"^(?:(?:and|but|so|then|well|oh|ah|okay|ok|now|just|hey|please|sorry|no|yes|yeah|wait|anyway|"
    r"listen|ava|by the way|i mean|tell me) )*"
)
_WILL: Final = r"(?:(?:can|could|will|would|wont|cant) (?:you|u)|you(?:ll| will)|please)"
_STAY: Final = re.compile(
    rf"{_LEADS}(?:{_WILL} )(?:please |just |maybe )*(?:"
    r"stay(?: here| there)?(?: on)?(?: (?:with me|the (?:line|phone)))?"
    r"(?: (?:for|while|till|until|a bit|a little|a moment|longer|tonight|now|please)\b.*)?|"
    r"(?:keep me company|(?:wait|sit|be) with me|(?:hang|hold) on)\b.*|"
    r"not (?:go|leave|hang up)\b.*)$|"
    rf"{_LEADS}(?:please )?(?:dont (?:go|hang up|leave me)|stay with me|stay on the (?:line|phone))"
    r"(?: yet| now| please| ava)*(?:$| i\b)"
)
_AGAIN: Final = re.compile(
    rf"{_LEADS}(?:(?:will|would) you (?:still )?be (?:here|there|around)\b.*|"
    r"are you (?:still )?(?:here|there|around) (?:tomorrow|later|next)\b.*|"
    r"are you (?:here|there|up|awake|on the (?:line|phone)) (?:all (?:night|day)|tonight)\b.*|"
    r"(?:can|could|may) i (?:\w+ )?(?:call|ring|phone|talk to|speak to|come back)"
    r"(?: (?:to|you|back))* (?:again|tomorrow|later|any ?time|another|next|when)\b.*)$"
)
_LONG: Final = re.compile(
    rf"{_LEADS}for how long(?: though)?$|"
    rf"{_LEADS}how long (?:(?:can|could|may|do) (?:i|you|we|one)|have (?:i|we|you) (?:got )?)"
    r"(?: (?:can|to))? ?(?:talk|listen|speak|stay|go on|chat|keep (?:talking|listening))?"
    r"(?: (?:to|with) (?:you|me))?(?: for)?$"
)
_LISTEN: Final = re.compile(
    rf"{_LEADS}(?:{_WILL} )?(?:please |just )*(?:"
    r"(?:would|do) you mind listening(?: to me)?(?: for\b.*)?|"
    r"listen(?: to me)?(?: (?:for (?:a|one) (?:\w+ )?(?:bit|moment|minute|second)|please|"
    r"without\b.*))*|hear me out(?: please)?)$"
)
_ALONE: Final = frozenset({"listen", "please listen"})  # said so before a story, too
_MORE: Final = re.compile(
    r"^(?:(?:ok|okay|well|yes|so|and|but) )*(?:go on|keep going|carry on|keep talking|say more|"
    r"what else|anything else|and then what|is that (?:it|all)|and)(?: then| ava| please)*$"
)
_TOLD: Final = re.compile(
    rf"{_LEADS}(?:did i|have i|i havent|i didnt)(?: ever| already)? (?:tell|told|mention|mentioned)"
    r"(?: to)? you (?:about|what|how|that|who|where)\b"
)
_EVER: Final = r"(?:(?:ever|even|also|still|actually|really|usually|at all) )*"
_SELF: Final = re.compile(
    rf"{_LEADS}(?:"
    rf"(?:do|dont|did) (?:you|u) {_EVER}(?:like|love|enjoy|prefer|eat|drink|cook|bake|sing|dance|"
    r"sleep|dream|read|play|travel|swim|garden|knit|celebrate|have|get|go|watch|own|keep|work|know "
    rf"(?:the )?\w+(?: \w+)?(?: at all)?$|miss|grow|wear|use)\b|"
    rf"have (?:you|u) {_EVER}(?:been|made|had|done|"
    r"seen|tried|heard|read|eaten|met|lived|felt|loved|cooked|worn|owned|played|tasted|known|lost|"
    r"(?:got|kept) an?y?)\b)"
)
_NOT_SELF: Final = re.compile(
    r"\b(?:know (?:any|a|what|my|your|the (?:feeling|answer|way|time|one|sort|type|kind|score))|"
    r"have (?:a|any|some) (?:minute|moment|second|time|advice|idea|ideas|tips?|suggestions?)|"
    r"get (?:it|me|that|what|why|the (?:joke|point|idea))|keep (?:saying|asking|doing|telling|on)|"
    r"(?:have|had|got) to|go on|know what|use (?:my|our)|heard (?:me|what|a word|anything|of "
    r"(?:such|anything))|seen (?:such|anything)|read (?:me|my)|know (?:that|why|how|who|where|if|"
    r"when|this|it|me)|have anything)\b"
)
_WHICH: Final = (
    r"(?:which (?:one )?(?:would|do) you|what (?:would you (?:say|pick|have|take|choose)|do you "
    r"(?:say|think|reckon))|do you (?:think|reckon)|you choose|you pick|ava)"
)
# "Steam or diesel, Ava?": two things and no verb; never numbers or days, which are only guessed at.
_PREFER: Final = re.compile(
    rf"{_LEADS}(?:(?:the|an?) )?(?P<one>\w+(?: \w+)?) or (?:(?:the|an?) )?(?P<two>\w+(?: \w+)?)"
    rf"(?: for (?:the|my|our|an?) \w+(?: \w+)?)?(?P<which> {_WHICH})?$|"
    rf"{_LEADS}(?:which )?(?:do|would) you (?:rather (?:have )?|prefer |like |take |have )"
    r"(?:\w+ ){1,4}or (?:\w+ ?){1,4}$"
)
_NOT_THINGS: Final = re.compile(
    r"\b(?:something|anything|what|whatever|so|not|more|less|two|three|four|five|six|seven|eight|"
    r"nine|ten|twelve|\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|yesterday|"
    r"later|now|never|always|dead|alive|life|death|live|die|is|was|are|were|it|he|she|they|i|we|me|"
    r"him|her|us|them|yes|no|wrong|right|bad|good|true|false|lie|this|that|these|those|sooner|"
    r"either|boy|girl|twice|once|before|after|stay|go|leave|tell|wait|quit)\b"
)


def find_wish(words: str, *, is_marked: bool = False) -> Wish | None:
    """Return what a sentence asks of the avatar itself; None where it asks nothing of the kind.

    Args:
        words: The sentence, as it is heard, without apostrophes.
        is_marked: Whether it is written as a question.
    """
    if _STAY.search(words):
        return "stay"
    if _AGAIN.search(words):
        return "again"
    if _LONG.search(words):
        return "long"
    if _LISTEN.search(words) and words not in _ALONE and not (is_marked and "you" not in words):
        return "listen"
    if _MORE.search(words):
        return "more"
    if _TOLD.search(words):
        return "told"
    if found := _PREFER.search(words):
        things = f"{found['one'] or ''} {found['two'] or ''}"
        is_asked = is_marked or found["which"] or not found["one"]
        return "prefer" if is_asked and not _NOT_THINGS.search(things) else None
    return "self" if _SELF.search(words) and not _NOT_SELF.search(words) else None
