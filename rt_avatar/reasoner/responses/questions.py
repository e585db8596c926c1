"""Meet a question that nobody here can answer: it is heard as one, and nothing is made up.

Who doubts themselves ("am I a monster?") is neither judged nor told what to think; who asks for
anything else hears that it is not known, and is asked for their own view. Knows no reply of the
bank, which may know more of a question's topic.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import find_grave
from rt_avatar.reasoner.responses.calls import CALLS, OfCall, find_of_call
from rt_avatar.reasoner.responses.comforts import COMFORTS
from rt_avatar.reasoner.responses.own_life import LIVES, OfSelf, find_of_self
from rt_avatar.reasoner.responses.quiet import ASKED
from rt_avatar.reasoner.responses.quoted import find_quoted
from rt_avatar.reasoner.responses.sighs import SIGHS, Sigh, find_sigh
from rt_avatar.reasoner.responses.unsaid import unsaid
from rt_avatar.reasoner.responses.views import VIEWS, View, find_view
from rt_avatar.reasoner.responses.wishes import WISHES, Wish, find_wish

# Asks whether they are worth less, or did wrong; whether something of theirs is odd; to be heard;
# what another thinks or will do; what the avatar would do; whether they should do something, or
# which of two things; anything else; where somebody died. What is in ``views`` is asked of the
# avatar's view, what is in ``wishes`` and ``own_life`` of the
# avatar itself, what is in ``calls`` is asked about the call, and what is in ``sighs``, of nobody.
Asked: TypeAlias = (
    View
    | Wish
    | OfCall
    | OfSelf
    | Sigh
    | Literal["doubt", "odd", "may", "mind", "you", "should", "choose", "other", "grave"]
)

# To a doubt of which nothing more is known, before all else; where more is, see ``solace``.
_UNJUDGED: Final = (
    "I can't be the judge of that, but I hear how much it weighs on you.",
    "I'm not here to judge you. What makes you ask?",
    "I don't know, and I don't think any less of you for asking.",
    "That's a heavy question to carry around. What would you say yourself?",
    "I can't settle that for you. I'm listening all the same.",
)
MET: Final[Mapping[Asked, tuple[str, ...]]] = {
    **{one: VIEWS[one] for one in get_args(View)},
    **{one: WISHES[one] for one in get_args(Wish)},
    **{one: CALLS[one] for one in get_args(OfCall)},
    **{one: LIVES[one] for one in get_args(OfSelf)},
    **{one: SIGHS[one] for one in get_args(Sigh)},
    "should": (
        "I can't decide that for you. What would you like to do?",
        "That's yours to say, I think. Which way are you leaning?",
        "I'd only be guessing. What speaks for it?",
        "I can't weigh that for you. What does your gut say?",
    ),
    "choose": (
        "That one has to be yours. Which way do you lean?",
        "I can't choose that for you. What speaks for the one, and what for the other?",
        "I'd only be guessing from here. Which of the two sits easier with you?",
        "I don't know which is right there. What pulls you most?",
    ),
    "doubt": (*_UNJUDGED, *COMFORTS["bad"]),
    "odd": (
        "No, not to my ears.",
        "It doesn't sound like that to me.",
        "Not to me, no. I can follow it.",
        "No, I don't find it so.",
    ),
    "may": (
        "Yes, please do.",
        "Yes, I'd like that. Go ahead.",
        "Of course, go on.",
        "Please do, I'm all ears.",
    ),
    "mind": (
        "I can't see into somebody else's head, I'm afraid. What's your own feeling?",
        "I'd only be guessing about somebody I don't know. What do you think?",
        "That's hard to tell from here. What makes you wonder?",
        "I wish I could tell you what goes on in others. What does your own sense say?",
    ),
    "you": (
        "I'd rather hear yours, as you're the one who knows. What comes to mind first?",
        "I'm software, so I've never had to. Which way are you leaning?",
        "I'd be making it up, being a program. What feels right to you?",
    ),
    "other": (
        "I wish I could tell you. What do you think yourself?",
        "I don't know, and I won't make something up. What's your own sense of it?",
        "I can't know that, I'm afraid. What makes you wonder?",
        "I can't tell you that, I'm afraid. What do you think?",
        "I wish I knew that. What would you say?",
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
    rf"{_LEADS}(?:{_BE} {_WHAT}{_TELLS}\b|(?:what|why|where|when|who|which|how)s?\b|"
    r"(?:you )?(?:think|reckon) (?:it|that|this|thats|its|i|im|we|people)\b)"
)
_WRONG: Final = (
    r"(?:(?:really|just|so|too|such|going|being|getting) )*"
    r"(?:an?|the(?! only)|to blame|wrong|right(?! now| here| about)|bad|mad|crazy|insane|selfish|"
    r"stupid|awful|horrible|terrible|cruel|mean|weak|broken|normal|weird|pathetic|ungrateful|unfair|"
    r"overreacting|failing|heartless|evil|lazy|hard on)\b"
)
# Of which nobody is told that it is quite all right.
_ILL: Final = re.compile(
    r"\b(?:(?:havent|hadnt|hardly|barely|not|dont) (?:\w+ )?(?:eat|eaten|slept|sleep)|"
    r"hear\w* (?:\w+ )?voices|bleed\w*|blood in|pills|cut (?:myself|my (?:arm|arms|leg|legs))|"
    r"lump|(?:throw\w*|threw) up|(?:made|make) myself sick)\b"
)
_DOUBTS: Final = re.compile(
    rf"\b(?:(?:am|was) i {_WRONG}|"
    rf"(?:do|dont|would) you (?:think|believe|say|reckon) (?:that )?(?:im|i am|i was) {_WRONG}|"
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
_ODD_WORD: Final = (
    r"(?:(?:really|just|so|too|such|a bit|very|that) )*"
    r"(?:silly|daft|weird|odd|strange|soppy|childish|sentimental)"
)
_ODD: Final = re.compile(
    rf"{_LEADS}(?:"
    rf"(?:am|was) i (?:just |being )*(?!weird|odd|strange){_ODD_WORD}"
    r"(?: (?:to|for|that|about)\b.*)?|"
    rf"(?:(?:is|isnt|was|wasnt|does) (?:it|that|this)|(?:do |would )?you (?:think|reckon) "
    rf"(?:its|thats|that is|it is))"
    rf"(?: all)?(?: sound| seem)? {_ODD_WORD}"
    rf"(?: of me| (?:that|if|how) (?:i|im|my)\b.*| for me.*| to \w+.*)?|"
    rf"(?:do |would )?you (?:think|reckon) (?:im|i am) {_ODD_WORD}\b.*|"
    r"(?:is|does) (?:it|that)(?: sound| seem)? (?:really |a bit |just )*(?:sad|morbid)(?: of me)?|"
    rf"{_ODD_WORD}(?: isnt it| of me| huh| right)?)$"
)
_MAY_TELL: Final = re.compile(
    rf"{_LEADS}(?:"
    r"(?:can|could|may|shall) i (?:just |quickly )?"
    r"(?:tell|read|teach|show|sing|share|play|say|talk|describe|explain)\b|"
    r"(?!would you want to (?:know|hear)$)"
    r"(?:would|do) you (?:like|want|care) (?:me )?to (?:hear|know|tell|read|see)\b|"
    r"(?:do|would) you mind if i (?:just )?"
    r"(?:tell|talk|say|ask|go on|ramble|moan|cry|share|vent)\b|"
    r"is it (?:ok|okay|all right|alright) if i (?:just )?(?:tell|talk|say|ask|go on|ramble|moan)\b)"
)
_MIND: Final = re.compile(
    rf"{_LEADS}(?:(?:do |dyou |would )?you (?:think|reckon|suppose)|reckon) (?:that )?(?:maybe )?"
    r"(?:he|she|they|hes|shes|theyre|hed|shed|theyd|hell|shell|theyll|somebody|"
    r"(?:my|his|her|their|the) (?:\w+ )?(?:mum|mom|mother|dad|father|son|daughter|boss|wife|"
    r"husband|friend|brother|sister|boyfriend|girlfriend|kids?|neighbou?rs?))\b"
)
_WOULD_YOU: Final = re.compile(
    rf"{_LEADS}(?:(?:what|how|which|where|who)(?: \w+)? would you "
    r"(?!like to\b|want me|need|believe)\w+|"
    r"would you (?:want to (?:know|hear)|go(?! on)|wait|leave|forgive|do it|sell|move|risk|"
    r"(?:tell|ask|ring|call|text|take|keep) (?:him|her|it|them))\b)"
)
# "Do I stay or do I go": a choice of theirs; "or what" is none.
_CHOOSE: Final = re.compile(
    rf"{_LEADS}(?:(?:do |would )?you (?:think|reckon|say) (?:that )?(?:i|we) (?:should|ought to)|"
    r"(?:do|should|shall|ought|must) (?:i|we)|is it (?:better|best|worse|wiser|kinder|nicer) to)\b"
    r"(?! (?:look|sound|seem|know)\b).+ or (?!(?:what|whatever|something|anything|so|who|how|is|"
    r"are|am|does|did|has|two|three|four|five|six|\d+)\b)\w"
)
_SHOULD: Final = re.compile(
    rf"{_LEADS}(?:(?:do |dont |would )?you (?:think|reckon|say) (?:that )?(?:maybe )?"
    r"(?:(?:i|we) (?:should|shouldnt|ought to)|id better)|"
    r"(?:should|shouldnt) we|shall i|ought (?:i|we)|do (?:i|we) (?:just )?(?:post|send|tell|call|"
    r"ring|text|forgive|accept|apologi[sz]e|confront|report|sell|say (?:yes|no|something|sorry))"
    r")\b(?! (?:have|you)\b)"
)
# "Do I look like I care, she said": a question that is told of.
_QUOTED: Final = re.compile(
    r", (?:and )?(?:i|he|she|they|we|(?:my|the|his|her) \w+) "
    r"(?:said|says|ask(?:ed|s)?|thought|goes|yelled|shouted|wonder(?:ed)?)\b",
    re.IGNORECASE,
)
_ASKED_OF_THEM: Final = re.compile(r"\b(?:he|she|they|doctor|(?:my|the) \w+) asked\b")
_LAUGHS: Final = re.compile(r"\b(?:lol|lmao|haha(?:ha)*|hehe)\b")
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_TO_AVATAR: Final[tuple[tuple[Asked, re.Pattern[str]], ...]] = (
    ("may", _MAY_TELL), ("mind", _MIND), ("choose", _CHOOSE), ("should", _SHOULD),
    ("you", _WOULD_YOU),
)  # fmt: skip
_BARE: Final = 3  # words that are only a question where they are written as one
_ORDERED: Final = re.compile(r"\b(?:is|isnt|does) (?:it|that|this)\b|\bam i\b")  # or ordered as one
# Answered as ever unless the turn itself is grave.
_OWN_CHOICE: Final = frozenset[Asked]({"should", "choose", "may"})
# Where somebody died a view is given only of the caller's own doing and feeling.
_IN_GRIEF: Final = frozenset[Asked]({"worth", "fine", "only", "hope", "seems"})
# What is asked of the listener, though a few words follow it; and what answers it at once.
_WAITS: Final = frozenset[Asked](
    {"doubt", "odd", "may", "mind", "should", "choose", "you", "worth", "fine", "harmless", "only",
     *get_args(Wish), *get_args(OfCall), *get_args(OfSelf)}
)  # fmt: skip
_OF_THEM: Final = re.compile(r"\b(?:do|dont|would) you (?:think|reckon|suppose|say)\b|\bava\b")
_MOST_BEHIND: Final = 16  # words that may follow
_LOOKED_AT: Final = 3  # sentences, the last ones
_ANSWERED: Final = re.compile(
    r"^(?:(?:well|oh|and|but|so) )*(?:yes|yeah|yep|no|nope|never|not|nothing|nobody|none|because|"
    r"of course|every|maybe|probably|perhaps|you bet|who knows|i (?:think|guess|suppose|bet|reckon|"
    r"know|dont|do|did|didnt|doubt|am|was|have|will|should|hope)\b|(?:it|that|he|she|they) "
    r"(?:is|was|does|did|must|cant|isnt|wasnt|wont)\b(?! (?:so|too|all|just|only)\b))"
)


def find_asked(text: str, *, is_grave: bool = False) -> Asked | None:
    """Return what a turn asks; None where it asks nothing.

    The last sentence asks it, or one shortly before that is asked of the listener.

    Args:
        text: The turn.
        is_grave: Whether something grave was told, in it or lately.
    """
    sentences = _SENTENCES.findall(text)
    if not sentences:
        return None
    if asked := _asked_by(sentences, is_grave=is_grave):
        return asked
    for at in range(len(sentences) - 1, max(0, len(sentences) - _LOOKED_AT), -1):
        behind = words_of(" ".join(sentences[at:]))
        is_marked = "?" in sentences[at - 1]
        if not is_marked or len(behind) > _MOST_BEHIND or _ANSWERED.search(" ".join(behind)):
            return None
        asked = _asked_by(sentences[:at], is_grave=is_grave)
        if asked:
            is_of_them = asked in _WAITS or _OF_THEM.search(" ".join(words_of(sentences[at - 1])))
            return asked if is_of_them else None
    return None


def _asked_by(sentences: Sequence[str], *, is_grave: bool) -> Asked | None:
    """Return what the last of these sentences asks."""
    words = " ".join(words_of(sentences[-1]))
    if _QUOTED.search(sentences[-1]) or find_quoted(sentences[-1]):
        return None
    is_doubted = _DOUBTS.search(words) and not _ODD.search(words)
    if is_doubted and not _ASKED_OF_THEM.search(words):
        is_light = _LAUGHS.search(words)
        return "odd" if is_light else "worth" if _WORTH.search(words) else "doubt"
    is_marked = "?" in sentences[-1]
    is_ill = _ILL.search(" ".join(words_of(" ".join(sentences))))
    if _ODD.search(words) and (is_marked or len(words.split()) > _BARE or _ORDERED.search(words)):
        return "doubt" if is_ill else "odd"
    if of_it := find_of_call(words) or find_of_self(words) or find_sigh(words):
        return of_it
    wish = find_wish(words, is_marked=is_marked)
    if wish and (wish != "more" or len(sentences) == 1):
        return wish
    asked = next((asked for asked, pattern in _TO_AVATAR if pattern.search(words)), None)
    is_own = asked in _OWN_CHOICE and not find_grave(" ".join(sentences))
    if asked and (not is_grave or is_own):
        return asked
    view = find_view(words, " ".join(words_of(" ".join(sentences[:-1]))))
    if view and not is_reported(sentences[-1]):
        view = "fine" if (is_grave or is_ill) and view == "harmless" else view
        if not is_grave or view in _IN_GRIEF:
            return view
    is_cried = sentences[-1].rstrip().endswith("!")  # "Am I glad!"
    if is_cried or not (_ASKS_MARKED if is_marked else _ASKS).search(words):
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
    left = [one for one in _UNJUDGED if one not in " ".join(own)] if asked == "doubt" else []
    return unsaid(left or MET[asked], text, own)
