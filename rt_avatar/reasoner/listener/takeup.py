"""Take up what a caller went on to say, where no topic answers: in their own words, or with a nod.

The words that carry the news ("In front of your kids?"), a short clause and a question that goes
with it ("So your wife says you're obsessed now. And how do you see it?"), or no more than that it
was heard: glad, sorry, amused or neither, by what the turn says itself. Knows no reply of the bank;
``nano`` says when to ask.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from rt_avatar.engines.reply_ranker.fit import aims_of, asks_what_is_known, questions_in
from rt_avatar.engines.reply_ranker.tense import AHEAD, PAST, marks_of
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.reasoner.listener.asking import ASKED_ON, ask_on
from rt_avatar.reasoner.nlu.clauses import Act, find_clause
from rt_avatar.reasoner.nlu.focus import find_focus
from rt_avatar.reasoner.nlu.mood import Mood
from rt_avatar.reasoner.responses.unsaid import turned, unsaid

# Around the words that carry the news, "{F}" with a capital.
_FOCUS_FRAMES: Final[Mapping[Mood, tuple[str, ...]]] = {
    "unclear": ("{F}?", "Oh, {f}?", "{F}? Go on.", "{F}? Tell me more."),
    "pleasant": (
        "{F}! How lovely.",
        "{F}! I like that.",
        "Oh, {f}! I can picture that.",
        "{F}! That sounds good.",
    ),
    "proud": ("{F}! Well done.", "Well done! {F}!", "{F}! You can be proud of that."),
    "unpleasant": ("{F}?", "Oh. {F}?", "{F}? Go on."),
    "cheerful": ("{F}!", "Oh, {f}! Go on.", "{F}? How nice.", "{F}! And then?"),
    "downcast": ("{F}?", "Oh. {F}?", "{F}? Go on."),
    "funny": ("Ha! {F}!", "{F}! I have to smile.", "Oh, {f}! And then?", "{F}! I can picture it."),
}
# Around a span of time, something new, and what was said with force.
_LONG_TIME: Final = ("{F}? That's a long time.", "{F}?", "{F}. That's quite a stretch.")
_NEW: Final = ("{F}?", "{F}? Tell me about it.", "Oh, {f}? Go on.")
_EXCLAIMED: Final = ("{F}!", "Oh, {f}!", "{F}! And then?")
_YEARS: Final = re.compile(r"\byears\b(?! old)")
_THING: Final = re.compile(r"^(?:a|an) ")
# Around a clause that is told back whole; what only may be is never said as the avatar's own.
_CLAUSE_FRAMES: Final = ("So {}.", "Oh, {}.")
_THOUGHT_FRAMES: Final = ("So you think {}.", "You're thinking {}.")
_THOUGHT: Final = re.compile(r"(?:maybe|perhaps|you (?:\w+ )?(?:should|might))\b")
# To what cannot be told back, or not again.
_REACTIONS: Final[Mapping[Mood, tuple[str, ...]]] = {
    "unclear": (
        "I see what you mean.",
        "Tell me a little more about that.",
        "I'd like to hear more about that.",
        "Tell me more about it.",
        "Tell me more.",
        "Tell me a little more.",
    ),
    "pleasant": (
        "How lovely!",
        "That sounds wonderful.",
        "I'm glad to hear that.",
        "How nice!",
        "That's good to hear.",
    ),
    "proud": ("Well done!", "You can be proud of that.", "That's quite something!"),
    "unpleasant": (
        "Oh no. I'm sorry.",
        "I can see why that stays on your mind.",
        "That's hard.",
        "I'm sorry. It makes sense that it bothers you.",
        "That can't have been easy.",
        "That's not easy.",
    ),
    "cheerful": (
        "Oh, nice. Go on!",
        "I like hearing that.",
        "How nice. And then?",
        "That sounds good. Go on.",
        "Oh, tell me more!",
    ),
    "downcast": (
        "I hear you.",
        "I'd like to hear more about that.",
        "I can imagine.",
        "I'm with you.",
    ),
    "funny": (
        "Ha, I can picture it!",
        "I'd have liked to see that!",
        "That makes me smile.",
        "Oh, I can just see it!",
    ),
}
# To who does not know how to go on, said at such length that it is not told back.
_LOST: Final = (
    "That's a hard place to be.",
    "That's hard, not to see a way yet.",
    "I can hear how much there is to it.",
)
# To what happened, and to what is still to come, where it is neither sad nor merry.
_TOLD_OF_PAST: Final = (
    "And what then?",
    "Mm. And then?",
    "Oh. How was that?",
)
_TOLD_OF_AHEAD: Final = (
    "I hope it goes well.",
    "Fingers crossed for that.",
    "I'll be curious how it goes.",
    "I hope it goes as you'd like.",
)
_TO_LOOK_FORWARD_TO: Final = (
    "Something to look forward to!",
    "That sounds good.",
    "How nice that will be.",
)
# What happened one after the other, and no state that lasts.
_STORY: Final = re.compile(
    r"\b(?:then|yesterday|last night|this morning|ago|when (?:i|we|he|she|they))\b", re.I
)
# What is to come and not wished for; and whose it is.
_DREADED: Final = re.compile(
    r"n't\b|\b(?:no|not|never|nobody|nothing|kill|die|lose|leave|leaving|hate|fire|miss|cry)\b",
    re.I,
)
_OWN: Final = re.compile(r"\b(?:i|i'm|i'll|i've|we|we're|we'll|we've|my|our)\b", re.I)
_LASTS: Final = re.compile(r"\b(?:now|still|always|every|keep|keeps|anymore|any more)\b", re.I)
_WEPT: Final = re.compile(
    r"\bi (?:\w+ )?(?:cried|wept|bawled|sobbed)\b(?! (?:with|of) )[^.!?]*[.!?]*$", re.I
)
_QUIET: Final = frozenset[Mood]({"unclear", "cheerful", "downcast"})
_FELT: Final = frozenset[Mood]({"unpleasant", "pleasant"})  # said by their own words
# What is known between the two, or only a likeness, is not what is new in a turn.
_KNOWN: Final = re.compile(r"(?:\w+ )?your |like ", re.I)
# Nor is a thing of which no more is said than that it is this one ("The telly?", "In the room?"),
# but where it was told with a laugh; said with more words, it is little news.
_THIS_ONE: Final = re.compile(r"(?:\w+ )?(?:the|his|her|their) \S+$", re.I)
_DEFINITE: Final = re.compile(r"(?:\w+ )?(?:the|his|her|their) ", re.I)
_BEHIND: Final = 2  # words that may stand behind what is told back: else the turn goes on with more
# To clauses that ask for more than the words that carry their news.
_FOLLOW_UPS: Final[Mapping[Act, tuple[str, ...]]] = {
    "plan": (
        "How do you feel about it?",
        "I hope it goes the way you'd like.",
        "What are you hoping for?",
        "How did you come to that?",
    ),
    "duty": (
        "What speaks for it?",
        "What speaks against it?",
        "What would you like best?",
        "What would change then?",
    ),
    "guess": (
        "How sure are you of that?",
        "What makes you think so?",
        "Could well be.",
        "What else could it be?",
    ),
    "unknown": (
        "What's your hunch?",
        "What would you wish for?",
        "Is it hard not to know?",
        "What does your gut say?",
    ),
    "lost": (
        "You don't have to know that yet.",
        "It's all right not to know.",
        "What makes it so hard?",
        "That's a hard place to be.",
    ),
    "says": (
        "And how do you see it?",
        "And what do you think?",
        "What did you say to that?",
        "How does that sit with you?",
    ),
}
MOST_RETOLD: Final = 2  # in a row


def take_up(text: str, confidence: float, mood: Mood, own: Sequence[str], retold: int) -> str:
    """Return a reply to what no topic knows, made of the caller's own words where that can be.

    Args:
        text: The caller's turn.
        confidence: 0 to 1, how surely it was heard.
        mood: How it is taken.
        own: The avatar's turns, the oldest first.
        retold: How many of the last of them, in a row, told back what was said before.
    """
    if mood in ASKED_ON and _WEPT.search(text):
        mood = "unpleasant"
    # Who tells of something bad, or lovely, wants no word of it back: "Oh no. To your mother?"
    if retold >= MOST_RETOLD or mood in _FELT:
        return _reaction(mood, text, own)
    found = find_clause(text, confidence)
    is_short = found is not None and found.is_told_whole
    is_asked_on = found is not None and is_short and found.act in _FOLLOW_UPS
    focus = "" if is_asked_on else find_focus(text, confidence)
    asked = ask_on(text, own) if mood in ASKED_ON and not is_asked_on else ""
    is_news = bool(focus) and not _is_beside(focus, text, mood)
    if is_news and not (asked and _DEFINITE.match(focus)):
        return tell_back(focus, mood, text, own)
    if asked:
        return asked
    if found is None or not is_short:
        is_lost = found is not None and found.act == "lost" and mood in _QUIET
        return unsaid(_LOST, text, own) if is_lost else _reaction(mood, text, own)
    says = ""
    if is_asked_on:
        says = follow_up(found.act, found.told, own, text)
    elif mood not in _QUIET or retold:
        says = _reaction(mood, text, own)
    if retold:
        return says or _reaction(mood, text, own)
    frames = _THOUGHT_FRAMES if _THOUGHT.match(found.told) else _CLAUSE_FRAMES
    return f"{turned(frames, found.told)[0].format(found.told)} {says}".strip()


def told_back(reply: str, text: str) -> bool:
    """Whether a reply tells back what was said in the turn before it."""
    focus, found = find_focus(text), find_clause(text)
    lower = reply.casefold()
    return bool(focus and focus.casefold() in lower) or bool(
        found and found.told.casefold() in lower
    )


def tell_back(focus: str, mood: Mood, text: str, own: Sequence[str]) -> str:
    """Return a reply made of the words that carry a turn's news (``focus.find_focus``).

    Frames that the avatar's turns have come last.
    """
    frames = _FOCUS_FRAMES[mood]
    if mood in ("unclear", "cheerful") and text.rstrip().endswith("!"):
        frames = _EXCLAIMED
    elif mood == "unclear" and _YEARS.search(focus):
        frames = _LONG_TIME
    elif mood == "unclear" and _THING.search(focus):
        frames = _NEW
    frame = unsaid(frames, focus, own, _fixed)
    return frame.format(f=focus, F=focus[:1].upper() + focus[1:])


def _is_beside(focus: str, text: str, mood: Mood) -> bool:
    """Whether words that could be told back are seldom what a turn is about."""
    words, last = split_words(text), split_words(focus)[-1]
    behind = words[::-1].index(last) if last in words else 0
    is_merry = mood in ("funny", "cheerful") or text.rstrip().endswith("!")
    is_this_one = not is_merry and bool(_THIS_ONE.match(focus))
    return is_this_one or bool(_KNOWN.match(focus)) or behind > _BEHIND


def _reaction(mood: Mood, text: str, own: Sequence[str]) -> str:
    """Return that a turn was heard, and how it is taken."""
    if mood in ASKED_ON and (asked := ask_on(text, own)):
        return asked
    marks = marks_of(split_words(text)) if mood in _QUIET else frozenset()
    sayings = _REACTIONS[mood]
    if AHEAD in marks and _is_wished(mood, text):
        sayings = _TO_LOOK_FORWARD_TO if mood == "cheerful" else _TOLD_OF_AHEAD
    elif mood == "unclear" and PAST in marks and _STORY.search(text) and not _LASTS.search(text):
        sayings = (*sayings, *_TOLD_OF_PAST)
    return unsaid(sayings, text, own)


def _is_wished(mood: Mood, text: str) -> bool:
    """Whether what is ahead may be wished well: in a sad call, only what is the caller's own."""
    return not _DREADED.search(text) and (mood != "downcast" or bool(_OWN.search(text)))


def _fixed(frame: str) -> str:
    """Return what of a frame is the same in every reply; a bare "…?" wears out least: itself."""
    return frame if frame == "{F}?" else max(frame.replace("{F}", "{f}").split("{f}"), key=len)


def follow_up(act: Act, told: str, own: Sequence[str], text: str = "") -> str:
    """Return a question that goes with a clause, and is not the last one in other words.

    Args:
        act: What the clause does.
        told: The clause; the same one always gets the same question.
        own: The avatar's turns, the oldest first.
        text: The turn with the clause: what it tells is not asked.
    """
    asked = questions_in(" ".join(own))
    aims = aims_of(questions_in(own[-1])) if own else frozenset()
    new = [
        one
        for one in turned(_FOLLOW_UPS[act], told)
        if asked.isdisjoint(questions_in(one)) and not asks_what_is_known(one, (text,), ())
    ]
    fresh = [one for one in new if aims.isdisjoint(aims_of(questions_in(one)))]
    return next(iter((*fresh, *new)), "")
