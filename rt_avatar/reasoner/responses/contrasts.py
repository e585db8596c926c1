"""Hear what a caller sets apart from what it is not: "it's not the money, it's how he asked".

What is denied, borne or long known stands there only to be put aside; the other half is the point,
and is told back where it is short. Texts come as they are spelled. Knows no reply of the bank.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.nlu.feelings import named_in
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.nlu.swapping import REPROACHES, TOKEN, UNTOLD, swapped
from rt_avatar.reasoner.responses.unsaid import unsaid

# Around the point: a thing ("the silence in it"), a clause, and what is told by neither.
_OF_THING: Final = (
    "So it's really {}. What is it about that?",
    "It's {}, then. Can you tell me more about that?",
    "So that's where it lies: {}. I'd like to hear more about it.",
)
_OF_CLAUSE: Final = (
    "So it's really that {}. What is that like for you?",
    "I see, the heart of it is that {}. Can you tell me more about that?",
    "So the point is that {}. How is that for you?",
)
_UNTOLD: Final = (
    "I see, so that's where it really lies. Can you tell me more about that part?",
    "So that's the part that counts. What is it like for you?",
    "Then that's the heart of it, and not the rest. How is it for you?",
)
_OF_GOOD: Final = (
    "Now that's the part worth hearing. How did it come about?",
    "That's something new, and it sounds good. How did it come about?",
    "So that's what counts, and it's a good thing to hear. Tell me more!",
)
_GRAVELY: Final = (
    "I see, so that's the part that's hardest. I'm listening.",
    "So that's where it lies for you. You can say anything about it here.",
    "I hear you. It's that, more than the rest. I'm here, and I'm listening.",
)
_IS: Final = r"(?:it's|it is|that's|this is|it was)"
_IS_NOT: Final = (
    r"(?:it's (?:really |actually |just )?not|it isn't|it is not|it wasn't|it was never|that's not|"
    r"it's never been|it's no longer)(?: (?:really|even|so much|just|only|actually))?"
)
# "It's not that bad", "not the end of the world" set nothing apart.
_NO_DEGREE: Final = (
    r"(?!(?:that (?!(?:i|we|he|she|they|it|my|the|nobody|people)\b)|too|so|as|much|for|always|"
    r"until|if|an?|the (?:end|best|worst|first|same)|my first|like|easy|fun|only)\b)"
)
_BEGINS: Final = (
    r"(?=(?:the|a|an|my|our|his|her|their|this|that|about|how|what|when|who|being|having|not|him|"
    r"her|them|all|never|losing|mum|mom|dad|nobody|everyone|people|(?!getting|going)\w+ing)\b)"
)
_GAP: Final = r"(?:[,.;:!]+ *(?:but |and |no |well )*| +- +| +but +)(?:honestly |really )?"
_MILD: Final = (
    r"(?:can (?:live|cope) with|don't mind|don't care (?:about|what|how|that)|got used to|could "
    r"live with|(?:'m|am) not (?:bothered|worried|upset|sad|scared|angry|cross) (?:about|by|of|"
    r"with|that)|(?:'m|am|'ve got|'ve grown) used to|'ve (?:made peace|come to terms) with|'ve "
    r"accepted)"
)
_BEAR: Final = (
    rf"(?:{_MILD}|can (?:handle|take|manage|put up with|deal with|bear|stand)|(?:'m|am) (?:fine|ok|"
    r"okay) with)"
)
_SOMETHING: Final = r"(?!it\b|that[,.]|them\b|this\b|those\b)"
# What hurts, changed or is new, put first: "what gets me is".
_SAYS_WHAT: Final = (
    r"(?:what (?:i|we) (?:didn't|hadn't|never) (?:expect|expected|reckon with|see coming|know)|"
    r"what(?:'s| is| has)? (?:(?:really|actually) )?(?:new|changed|gets (?:me|to me)|hurts(?: me)?|"
    r"bothers me|worries me|scares me|stings|kills me|hard|harder|worse|different|bugs me|i "
    r"(?:miss|can't (?:stand|bear|take|get over|forget|stop thinking about)|mind|hate|love|"
    r"like)(?: (?:most|about it))?)(?: (?:now|most|though|about it))*|the (?:thing|part|bit) "
    r"(?:that (?:gets|hurts|bothers) me|i (?:can't stand|mind|hate|miss)))"
)
_FINE: Final = (
    r"(?:'s| is| are|'re) (?:fine|good|ok|okay|alright|all right|easy|not the problem|bearable|no "
    r"problem|the easy (?:bit|part))"
)
_ELSE: Final = (
    r"(?:another (?:matter|thing|story)|something else|a different (?:matter|thing|story))"
)
_PATTERNS: Final[Sequence[re.Pattern[str]]] = (
    # "What's new is that I don't want to get up."
    re.compile(rf"(?:^|[.,;!] *|\b(?:but|and) ){_SAYS_WHAT} (?:is|was) "
               rf"(?P<point>(?!not\b)[^.!?]+)[.!]*$", re.I),
    # "It's not the money, it's that he didn't ask."
    re.compile(rf"\b{_IS_NOT} {_NO_DEGREE}(?P<not>[^.!?;]{{2,70}}?)(?:{_GAP}{_IS}| but(?! it)| "
               rf"it's)"
               rf" {_BEGINS}(?P<point>[^.!?]+)[.!]*$", re.I),
    # "It's not the work, I love the work. It's my manager."
    re.compile(rf"\b{_IS_NOT} {_NO_DEGREE}(?P<not>[^.!?;]{{2,60}})[.!;]+ *(?:no |but )?{_IS} "
               rf"{_BEGINS}"
               r"(?P<point>[^.!?]+)[.!]*$", re.I),
    # "It's not that I miss him, I miss somebody to talk to."
    re.compile(rf"\b{_IS_NOT} that (?P<not>(?:i|we|he|she|they|it|my|the|i'm|he's|she's|they're|"
               rf"it's) [^.!?;,]{{4,80}}?)[,.;]+ *"
               r"(?:but )?(?P<point>(?:i|we|he|she|they|it|the|my) [^.!?]+)[.!]*$", re.I),
    # "The pain I can live with, but not knowing what it is I can't."
    re.compile(rf"(?:^|[.!;,] *|\bbut )(?P<not>(?!(?:i|we|it|that|this|who|what)\b)[\w'-]+"
               rf"(?: [\w'-]+){{0,5}}) (?:i|we) ?{_BEAR}{_GAP}(?P<point>[^.!?]+)[.!]*$", re.I),
    # "I don't mind the noise, it's the smell."
    re.compile(rf"(?<!if )\b(?:i|we) ?(?:(?:really|honestly|actually) )?{_BEAR} {_SOMETHING}"
               rf"(?P<not>[^.!?;,]{{2,60}}?),? but (?:{_IS} )?(?P<point>[^.!?]+)[.!]*$", re.I),
    re.compile(rf"(?<!if )\b(?:i|we) ?(?:(?:really|honestly|actually) )?{_MILD} {_SOMETHING}"
               rf"(?P<not>[^.!?;,]{{2,60}}?)[,;.]+ *(?:{_IS} )?(?P<point>[^.!?]+)[.!]*$", re.I),
    # "I get on with my boss, it's the customers."
    re.compile(rf"\b(?:i|we) (?:get on (?:\w+ )?with|can do) (?P<not>[^.!?;]{{2,60}}?)"
               rf"[,;.]+ *(?:but )?it's (?!(?:my|the) (?:best|favou?rite)){_BEGINS}"
               r"(?P<point>[^.!?]+)[.!]*$", re.I),
    # "Getting older doesn't bother me. Being invisible does." "My sister's not the problem, I am."
    re.compile(r"(?:^|[.!] *)(?P<not>[^.!?,;]{2,50}?) (?:doesn't|don't|didn't) (?:really "
               r")?(?:bother|worry|upset|scare|hurt|get to|frighten|annoy) me[,.;]+ *(?:but )?"
               r"(?P<other>[^.!?]{2,60}?) (?:does|do|did)[.!]*$", re.I),
    re.compile(rf"(?:^|[.!] *)(?P<not>[^.!?,;]{{2,50}}?)(?: isn't| aren't| wasn't|'s not| is not| "
               rf"are not)(?: really)? (?:the (?:problem|issue|thing|point|trouble|hard (?:part|"
               rf"bit))|it|what (?:hurts|bothers me|gets me|hurt))[,.;]+ *(?:but )?(?:{_IS} "
               rf"(?P<point>[^.!?]+)|"
               r"(?P<other>[^.!?]{2,60}?) (?:is|are|was|were|does))[.!]*$", re.I),
    # "Not so much the diagnosis as the way they told me." "Not the price, the attitude."
    re.compile(r"\bnot so much (?P<not>[^.!?;]{2,60}?) (?:as|but|it's) "
               r"(?P<point>[^.!?]+)[.!]*$", re.I),
    re.compile(r"^(?:no )?not (?P<not>(?:the|my|his|her|their|our) [^.!?;,]{2,30}), *(?:but )?"
               r"(?P<point>(?:the|my|his|her|their|our) [^.!?,]{2,40})[.!]*$", re.I),
    # "What bothers me isn't the mess, it's that nobody says sorry."
    re.compile(rf"\b{_SAYS_WHAT} (?:isn't|is not|wasn't) (?P<not>[^.!?;]{{2,60}}?){_GAP}{_IS} "
               r"(?P<point>[^.!?]+)[.!]*$", re.I),
    # "We argue about money, but really it's about his mother."
    re.compile(rf"(?:\bbut|[.!,] *) ?(?:really|actually|underneath|deep down|in truth|the truth "
               rf"is) "
               rf"{_IS} (?!not\b){_BEGINS}(?P<point>[^.!?]+)[.!]*$", re.I),
    # "I used to hate Mondays. Now it's Sundays."
    re.compile(r"\b(?:used to (?P<not>[^.!?;,]{2,50}?)[.,;]+ *(?:and |but )?(?:now|these days) "
               r"it's "
               rf"{_BEGINS}"
               r"(?P<point>[^.!?]{2,60}))[.!]*$", re.I),
    # "It's when she goes quiet that I worry."
    re.compile(r"\bit's (?P<point>(?:when|how|what|the [\w'-]+(?: [\w'-]+){0,4}?)(?: "
               r"[^.!?]{3,50}?)??) that (?:i (?:worry|mind|hate|fear|dread|miss|can't)|(?:really "
               r")?(?:gets?|hurts?|worries|bothers|scares|"
               r"stings))\b[^.!?]*[.!]*$", re.I),
    # "Everybody asks about the baby. Nobody asks about me."
    re.compile(r"\b(?:everyone|everybody|people|they all|they) (?:\w+ "
               r")?(?P<not>\w+[^.!?,;]{0,40})[.,;]+ *(?:but |and )?"
               r"(?P<point>(?:nobody|no one) [^.!?]+)[.!]*$", re.I),
    # "The operation was nothing. The waiting is worse."
    re.compile(r"(?:^|[.!] *)(?P<not>[^.!?,;]{3,40}?) (?:was|were|is) (?:nothing|the easy (?:part|"
               r"bit)|a breeze)[,.;]+ *(?:but )?"
               rf"(?:{_IS} )?{_BEGINS}(?P<point>[^.!?]+)[.!]*$", re.I),
    # "The evenings are what I can't do."
    re.compile(r"(?:[.,;!] *|\bbut )(?P<other>[^.!?,;]{3,50}?) (?:is|are) what (?:i|we) can't "
               r"\w+(?: \w+){0,2}[.!]*$", re.I),
    # "People think it's the divorce. It's the weekends."
    re.compile(r"\b(?:people|everyone|everybody|they|he|she) (?:all )?(?:think|thinks|say|says|"
               r"assume|assumes) (?:that )?it's (?P<not>[^.!?;]{2,60}?)[.,;]+ *(?:but )?it's "
               rf"(?:not, it's |really |actually )?{_BEGINS}(?P<point>[^.!?]+)[.!]*$", re.I),
    # "He's kind, he's good with the kids, but he never asks how I am."
    re.compile(r"(?:^|[.!] *)(?P<not>(?:he|she|they|it|work|school|home|(?:my|the|our) "
               r"[\w'-]+)(?:'s| is| are|'re| was| went) (?:\w+ )?(?:fine|okay|ok|good|great|lovely|"
               r"nice|kind|easy|alright|well))\b[^.!?]{0,60}?,? but (?P<point>(?:(?:nobody|no "
               r"one)\b|(?:he|she|they|the way|the \w+ (?:is|was|are))\b(?=[^.!?]*(?:\bnever\b|"
               r"(?:does|do|did|has|wo)n't (?:ask|see|look|listen|come|talk|speak|care|notice|"
               r"help)|nobody|no one|horrible|awful|stared))|i (?:dread|hate|cry|never|still "
               r"(?:feel|miss|cry)))[^.!?]+)[.!]*$", re.I),
    # "The house is fine. The silence in it isn't." "The house is fine, it's the silence."
    re.compile(rf"(?:^|[.!] *)(?P<not>[^.!?,;]{{3,40}}?){_FINE}(?:[.,;]+ *(?:but )?| but )(?:{_IS} "
               rf"(?P<point>(?!not\b|just\b){_BEGINS}[^.!?]{{3,80}})|(?P<other>[^.!?]{{3,60}}?)(?: "
               rf"isn't| aren't| is not|'s (?:the hard part|{_ELSE}|not)| is (?:the (?:hard part|"
               rf"worst|hardest|problem|killer)|{_ELSE}|what (?:gets me|hurts|isn't))| are (?:the "
               rf"(?:worst|hardest|problem)|{_ELSE})))[.!]*$", re.I),
)  # fmt: skip
# Says of the point only how it is: what is before that is the point.
_TAIL: Final = re.compile(
    r",? (?:(?:that|which|what) (?:really |actually )?(?:gets|bothers|hurts|upsets|worries|scares|"
    r"kills|bugs|breaks) (?:to )?me.*|that's (?:hard|the problem|the hard part|new).*|(?:i|we) "
    r"(?:really )?(?:can't|cannot|couldn't)(?: (?:stand|bear|take|cope with|live with|handle|get "
    r"over|forgive))?|(?:i|we) (?:haven't|don't|won't)|(?:is|are) (?:something else|another "
    r"(?:matter|thing|story)|the hard part|what "
    r"(?:gets|hurts|bothers) me)|(?:isn't|aren't)|though|really|honestly)$",
    re.I,
)
_LEADS: Final = re.compile(
    r"^(?:(?:really|just|actually|more|probably|the fact|rather|about) )+", re.I
)
_CLAUSE: Final = re.compile(
    r"(?:i|we|i'm|i've|we're|we've|he|she|they|it|he's|she's|they're|it's|nobody|everyone|(?:my|"
    r"our|his|her|the(?! way| fact)|their) [\w'-]+(?: [\w'-]+)? (?:is|was|are|were|won't|doesn't|"
    r"don't|"
    r"didn't|never|has|have|gets?|makes?|keeps?|hurts?|scares?|\w+s (?:me|us|to))) ?\b",
    re.I,
)
_THING: Final = re.compile(
    r"(?:the|a|an|my|our|his|her|their|this|being|not|having|never|how|what|when|all|having|him|"
    r"her|them|who|where|losing|waking|coming|going|\w+ing|mondays|nights|evenings|mornings|"
    r"sundays|"
    r"people|that)\b",
    re.I,
)  # fmt: skip
_OF_SELF: Final = re.compile(r"(?:i'm|i am|i feel|we're|we are|i was)\b", re.I)
_SAYS: Final = re.compile(r"(?:how|what|when|who|where|not|being|having)\b", re.I)
_COPULA: Final = re.compile(r"\b(?:is|are|was|were)\b", re.I)
_MOST, _LONG = 10, 20  # words of a point that are told back, and of one at all
_GOOD: Final = re.compile(
    r"\b(?<!n't )(?<!not )(?:enjoy\w*|laugh(?:ing|ed)? (?:again|together|more)|looking forward|"
    r"proud|"
    r"fun|like it|love it|happy|happier|better|free|good at it)\b",
    re.I,
)
# Not told back: who is spoken to, vague words, and what hurts to hear again.
_NEVER: Final = (
    UNTOLD
    | REPROACHES
    | word_set(
        "you your yours you're sorry please something anything everything stuff hate hated kill "
        "die "
        "died dead dying stupid idiot ugly fat"
    )
)
# Set apart, but no point: a correction of the listener, a wish for nothing, courtesies.
_NO_POINT: Final = re.compile(
    r"^(?:(?:but )?(?:thanks|thank you|sorry|ok|okay|fine|i suppose|i guess|still|not (?:in|with|"
    r"when|at|on|for)|it's (?:ok|okay|fine|alright|true))\b.{0,12}|because\b.*|not (?:in|with|when|"
    r"at|on|for)\b.*|like\b.*|"
    r"if\b.*)$",
    re.I,
)


def find_contrast(text: str) -> str | None:
    """Return what a turn sets apart as the point, in the caller's words; None where it does not.

    Args:
        text: The turn; one that asks sets nothing apart.
    """
    text = " ".join(text.split())
    if "?" in text:
        return None
    for pattern in _PATTERNS:
        found = pattern.search(text)
        if found is None:
            continue
        halves = found.groupdict()
        point = (halves.get("point") or halves.get("other") or "").strip(" .,;!")
        while shorter := _TAIL.sub("", point):
            if shorter == point:
                break
            point = shorter
        if 1 <= len(TOKEN.findall(point)) <= _LONG and not _NO_POINT.search(point):
            is_felt = _OF_SELF.match(point) and named_in(point)
            return None if is_felt else point
    return None


def meet_contrast(text: str, own: Sequence[str], *, is_grave: bool = False) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
        is_grave: Whether it is told of something grave: then nothing is asked.
    """
    point = find_contrast(text)
    if point is None:
        return ""
    if is_grave:
        return unsaid(_GRAVELY, text, own)
    if mood_of((point,)) in ("pleasant", "proud", "funny") or _GOOD.search(point):
        return unsaid(_OF_GOOD, text, own)
    frames, told = _told(point)
    return unsaid(frames, text, own).format(told)


def _told(point: str) -> tuple[Sequence[str], str]:
    """Return the words around a point, and the point as told back; around what is not: no word."""
    bare = _LEADS.sub("", point)
    is_clause = bare.casefold().startswith("that ")
    bare = bare[5:] if is_clause else bare
    words = TOKEN.findall(bare)
    lower = [word.casefold() for word in words]
    told = " ".join(swapped(words, lower))
    is_fit = (
        1 < len(words) <= _MOST
        and _NEVER.isdisjoint(lower)
        and not find_unsafe(told)
        and "," not in bare
    )
    if not is_fit:
        return _UNTOLD, ""
    if is_clause or _CLAUSE.match(bare):
        return _OF_CLAUSE, told
    is_thing = _THING.match(bare) and (_SAYS.match(bare) or not _COPULA.search(bare))
    return (_OF_THING, told) if is_thing else (_UNTOLD, "")
