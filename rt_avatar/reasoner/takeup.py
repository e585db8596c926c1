"""Take up what a caller went on to say: their own clause, told back, and a question to it.

"My wife says I'm obsessed now." → "So your wife says you're obsessed now. And how do you see it?"
For later turns that no topic answers: who hears their own words knows that they were listened to.
Given back is only what was surely heard, blames nobody and names no feeling. Knows no reply of the
bank; ``nano`` says when to ask.
"""

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.emotion_words import to_fine
from rt_avatar.engines.reply_ranker.fit import aims_of, questions_in, tone_of
from rt_avatar.engines.reply_ranker.tense import PAST, marks_of
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.echoes import TOKEN, content_of, swapped
from rt_avatar.reasoner.focus import find_focus
from rt_avatar.reasoner.mood import Mood
from rt_avatar.reasoner.topics import SURE

# What a clause does: says what will, should, must or may be, is not known, is not so, what somebody
# else says, does to the caller, or does, what the caller did or does, how something is.
Act: TypeAlias = Literal[
    "plan", "duty", "must", "guess", "unknown", "not", "says", "to_me", "other", "did", "does", "is"
]

# Around the words that carry the news, "{F}" with a capital.
_FRAMES: Final[Mapping[Mood, tuple[str, ...]]] = {
    "unclear": ("{F}?", "Oh, {f}?", "{F}? Go on.", "{F}? Tell me more."),
    "pleasant": (
        "{F}! How lovely.",
        "{F}! I like that.",
        "Oh, {f}! I can picture that.",
        "{F}! That sounds good.",
    ),
    "proud": ("{F}! Well done.", "Well done! {F}!", "{F}! You can be proud of that."),
    "unpleasant": ("Oh no. {F}?", "Oh dear. {F}?", "I'm sorry. {F}?"),
    "funny": ("Ha! {F}!", "{F}! I have to smile.", "Oh, {f}! And then?", "{F}! I can picture it."),
}
# Around a span of time, something new, and what was said with force.
_LONG_TIME: Final = ("{F}? That's a long time.", "{F}?", "{F}. That's quite a stretch.")
_NEW: Final = ("{F}?", "{F}? Tell me about it.", "Oh, {f}? Go on.")
_EXCLAIMED: Final = ("{F}!", "Oh, {f}!", "{F}! And then?")
_YEARS: Final = re.compile(r"\byears\b")
_THING: Final = re.compile(r"^(?:a|an) ")
# Before a clause that is told back whole.
_ECHOES: Final = ("So {}.", "Oh, {}.", "Ah, {}.")
# To what cannot be told back, or not again.
_REACTIONS: Final[Mapping[Mood, tuple[str, ...]]] = {
    "unclear": (
        "Go on, I'm listening.",
        "Tell me more.",
        "Mm. And then?",
        "Oh. How was that?",
        "I see. Go on.",
        "And what then?",
        "Oh, really?",
        "Mm-hm. Go on.",
        "And how did it go on?",
        "I follow you. Go on.",
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
        "Oh dear. I'm with you.",
        "That can't have been easy.",
    ),
    "funny": (
        "Ha, I can picture it!",
        "I'd have liked to see that!",
        "That makes me smile.",
        "Oh, I can just see it!",
    ),
}
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
    "must": (
        "And how do you like that?",
        "How do you feel about it?",
        "What would you like better?",
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
    "not": (
        "How come?",
        "And what do you do, then?",
        "How do you feel about that?",
        "And what now?",
    ),
    "says": (
        "And how do you see it?",
        "And what do you think?",
        "What did you say to that?",
        "How does that sit with you?",
    ),
    "to_me": (
        "What did you think?",
        "What do you make of it?",
        "What did you say to that?",
        "And how was that for you?",
    ),
    "other": (
        "I'd like to hear more about that.",
        "Tell me a bit more about that.",
        "How did that come about?",
        "And what do you think of it?",
    ),
    "did": (
        "What was that like?",
        "And how did it go?",
        "And what happened then?",
        "How do you feel about it now?",
    ),
    "does": (
        "What's that like?",
        "How did you come to that?",
        "Tell me a bit more about that.",
        "How did that begin?",
    ),
    "is": (
        "What do you make of it?",
        "I'd like to hear more about that.",
        "Tell me more.",
        "What's that like?",
    ),
}
_SENTENCES: Final = re.compile(r"[.!;:()]+|\s-+\s")
_SIGNS: Final = frozenset("?%&@#")  # asked, or not said as it is written
_LONG: Final = 13  # words; of a longer sentence only a part is told back
_FEWEST, _MOST = 3, 14
MOST_ECHOES: Final = 2  # in a row
_TOLD_MOST: Final = 8  # words that are told back whole; more sound like a recital
_PARTS: Final = re.compile(r",(?!\d)")
_LONG_PARTS: Final = re.compile(
    r"\s(?:and|but|because|so)\s(?=(?:i|we|my|our|he|she|they|it|now)\b)", re.I
)
_BEFORE: Final = word_set(
    "yeah yes yep yup no nope well and but so oh also honestly actually haha lol okay ok hmm um "
    "uh like anyway sure right true because then now"
)
_AFTER: Final = word_set("though haha lol honestly actually anyway too tho then hehe okay ok")
_ASIDES: Final = frozenset({"i guess", "i think", "i suppose", "you know", "i mean"})
_SUBJECTS: Final = word_set(
    "i we i'm i've i'll i'd we're we've we'll we'd im ive my our mine he she they he's she's "
    "they're he'll she'll they'll he'd she'd they'd they've it it's it'll the there there's "
    "someone somebody mum mom dad grandma grandpa maybe perhaps today yesterday tomorrow "
    "sometimes"
)
_OWN: Final = word_set("i we i'm i've i'll i'd we're we've we'll we'd im ive mine")
_THINGS: Final = word_set("it it's it'll the there there's")
_SUPPOSED: Final = word_set("could would might i'd")
_ME: Final = word_set("me us my our mine ours")
# Addressed to the listener, coarse, against oneself, or so sweeping that it sounds like a verdict.
_NEVER: Final = word_set(
    "you your yours you're u ur yourself myself never nothing nobody none anything everything "
    "anyone everyone nowhere ever fault failure useless worthless hopeless burden crap shit "
    "shitty fuck fucking damn hell ass bitch pee poop fart vomit naked drunk ugly fat stupid dumb "
    "idiot omg wtf thanks thank sorry please whatever hello hi"
)
# Of the caller's own doing, told back they sound like a reproach.
_REPROACHES: Final = word_set(
    "yelled yell yelling shouted screamed hit secret secrets accident accidentally lied lie lying "
    "cheated cheat stole steal forgot forget ruined broke failed fail failing hurt ignored "
    "insulted blamed snapped slapped pushed kicked quit missed late owe owed spent wasted drank "
    "drink lazy wrong bad worse worst hate hated miss feel felt feeling"
)
_DANGLING: Final = word_set(
    "to the a an my our of with for and but so because than is was are if or"
)
_VAGUE: Final = word_set(
    "know think guess say said says thing things something do did does get got really want going "
    "gonna will would could should have to it so much still just way like kind sort bit lot yet "
    "one"
)
_ENOUGH_WITH_ONE: Final = frozenset[Act]({"plan", "duty", "guess"})
_OF_ITS_OWN: Final = frozenset[Act]({"plan", "duty", "guess", "unknown", "says"})
_ENOUGH, _SHORT = 2, 5  # words that tell something, of a clause of fewer than so many words
_ACTS: Final[tuple[tuple[Act, re.Pattern[str]], ...]] = (
    ("unknown", re.compile(r"\b(?:don't|dont|do not|doesn't) know\b|\bnot sure\b|\bno idea\b")),
    ("says", re.compile(r"^(?!(?:i|we)\b)(?:\w+ ){1,4}?(?:says?|said|thinks?|thought|wants?|"
                        r"hopes?|told|"
                        r"asks?|asked|believes?)\b")),
    ("must", re.compile(r"\b(?:have to|has to|had to|need to|must|got to|gotta|supposed to)\b")),
    ("duty", re.compile(r"\b(?:should|could)\b(?! have)|"
                        r"^(?:maybe|perhaps) (?:i|we)\b|^(?:i|we) might\b")),
    ("guess", re.compile(r"^(?:i|we) (?:think|guess|believe|suppose|bet|figure)\b|"
                         r"^(?:maybe|perhaps)\b")),
    ("plan", re.compile(r"^(?:i|we)(?:'m|'re|'ll|'d)? (?:\w+ )?(?:going to|gonna|will|want to|"
                        r"wanna|"
                        r"would like|like to|love to|plan to|hope to|want \w+ to)\b|^(?:i|we)'ll\b|"
                        r"^(?:i'm|we're|i am|we are) (?:\w+ )?(?!being|feeling|having|living|"
                        r"working|staying|"
                        r"sitting|waiting|doing|looking|thinking|learning|trying|playing|reading|"
                        r"watching|wearing|using|studying)\w{2,}ing\b")),
    ("not", re.compile(r"n't\b|\b(?:not|cant|dont|wont|didnt|isnt|hardly)\b")),
)  # fmt: skip
_PERFECT: Final = re.compile(
    r"^(?:i've|we've|i have|we have) (?:just |already )?(?!planned|decided)\w+(?:ed|en|ne|de|me)\b"
)


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A clause of a turn, as told back, and what it does."""

    told: str
    act: Act

    @property
    def is_told_whole(self) -> bool:
        """Whether it is short enough to be told back as it is."""
        return len(self.told.split()) <= _TOLD_MOST

    @property
    def has_its_question(self) -> bool:
        """Whether its act is one that asks for more than the words that carry its news."""
        return self.is_told_whole and self.act in _OF_ITS_OWN


def find_clause(text: str, confidence: float = 1.0) -> TakenUp | None:
    """Return the last clause of a turn that can be told back; None where there is none.

    Args:
        text: What was said.
        confidence: 0 to 1, how surely it was heard; less than ``SURE`` gives nothing.
    """
    if confidence < SURE or not _SIGNS.isdisjoint(text):
        return None
    for sentence in reversed(_SENTENCES.split(text.replace("’", "'"))):
        parts = _PARTS.split(sentence)
        if len(TOKEN.findall(parts[-1])) > _LONG:
            parts = _LONG_PARTS.split(sentence)
        for part in reversed(parts):
            words = _bare(TOKEN.findall(part))
            if words and words[0].casefold() in _SUBJECTS:  # what is before is not the point
                return _taken(words)
    return None


def take_up(text: str, confidence: float, mood: Mood, own: Sequence[str], echoes: int) -> str:
    """Return a reply to what no topic knows, made of the caller's own words where that can be.

    Args:
        text: The caller's turn.
        confidence: 0 to 1, how surely it was heard.
        mood: How it is taken.
        own: The avatar's turns, the oldest first.
        echoes: How many of the last of them, in a row, told back what was said before.
    """
    if echoes >= MOST_ECHOES:
        return _unsaid(_REACTIONS[mood], text, own)
    found = find_clause(text, confidence)
    is_asked_on = found is not None and found.has_its_question
    if not is_asked_on and (focus := find_focus(text, confidence)):
        return tell_back(focus, mood, text, own)
    if found is None or not found.is_told_whole:
        return _unsaid(_REACTIONS[mood], text, own)
    says = _unsaid(_REACTIONS[mood], text, own)
    if is_asked_on or (mood == "unclear" and not echoes):
        says = follow_up(found.act, found.told, own) if is_asked_on else ""
    if echoes:
        return says
    frame = _ECHOES[zlib.crc32(found.told.encode()) % len(_ECHOES)]
    return f"{frame.format(found.told)} {says}".strip()


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
    frames = _FRAMES[mood]
    if mood == "unclear" and text.rstrip().endswith("!"):
        frames = _EXCLAIMED
    elif mood == "unclear" and _YEARS.search(focus):
        frames = _LONG_TIME
    elif mood == "unclear" and _THING.search(focus):
        frames = _NEW
    frame = _unsaid(frames, focus, own)
    return frame.format(f=focus, F=focus[:1].upper() + focus[1:])


def _unsaid(sayings: Sequence[str], seed: str, own: Sequence[str]) -> str:
    """Return one that was not said in this call, or longest ago; the same seed begins with one."""
    at = zlib.crc32(seed.encode())
    turned = [sayings[(at + step) % len(sayings)] for step in range(len(sayings))]
    said = " ".join(own)
    # A bare "…?" wears out least.
    return min(turned, key=lambda one: said.rfind(_fixed(one)) if one != "{F}?" else -1)


def _fixed(frame: str) -> str:
    """Return what of a frame is the same in every reply."""
    return max(frame.replace("{F}", "{f}").split("{f}"), key=len)


def follow_up(act: Act, told: str, own: Sequence[str]) -> str:
    """Return a question that goes with a clause, and is not the last one in other words.

    Args:
        act: What the clause does.
        told: The clause; the same one always gets the same question.
        own: The avatar's turns, the oldest first.
    """
    asked = questions_in(" ".join(own))
    aims = aims_of(questions_in(own[-1])) if own else frozenset()
    at = zlib.crc32(told.encode())
    questions = _FOLLOW_UPS[act]
    turned = [questions[(at + step) % len(questions)] for step in range(len(questions))]
    new = [one for one in turned if asked.isdisjoint(questions_in(one))]
    fresh = [one for one in new if aims.isdisjoint(aims_of(questions_in(one)))]
    return next(iter((*fresh, *new)), "")


def _bare(words: Sequence[str]) -> Sequence[str]:
    """Return a clause without a "well" before and a "though" behind it."""
    while words and words[0].casefold() in _BEFORE:
        words = words[1:]
    while words:
        if words[-1].casefold() in _AFTER:
            words = words[:-1]
        elif " ".join(words[-2:]).casefold() in _ASIDES:
            words = words[:-2]
        else:
            break
    return words


def _taken(words: Sequence[str]) -> TakenUp | None:
    lower = [word.casefold() for word in words]
    is_whole = _FEWEST <= len(words) <= _MOST and lower[-1] not in _DANGLING
    if not is_whole or not _NEVER.isdisjoint(lower):
        return None
    if lower[0] in _OWN and not _REPROACHES.isdisjoint(lower):
        return None
    act = _act_of(lower)
    told = " ".join(swapped(words, lower))
    content = content_of(told) - content_of(" ".join(_VAGUE))
    is_short = len(words) < _SHORT and act not in _ENOUGH_WITH_ONE
    if len(content) < (_ENOUGH if is_short else 1) or find_unsafe(told):
        return None
    if tone_of(told) == 0 and not any(map(to_fine, lower)):
        return TakenUp(told, act)
    # What others feel may be told back, what the caller feels is the bank's.
    return TakenUp(told, "to_me") if act in ("other", "to_me", "says") else None


def _act_of(lower: Sequence[str]) -> Act:
    clause = " ".join(lower)
    for act, pattern in _ACTS:
        if pattern.search(clause):
            return act
    if lower[0] in _THINGS:
        return "is"
    if not _SUPPOSED.isdisjoint(lower[1:3]):
        return "other"
    if lower[0] not in _OWN and lower[1] not in _OWN:
        return "to_me" if not _ME.isdisjoint(lower[1:]) else "other"
    is_over = PAST in marks_of(lower) or lower[1].endswith("ed") or bool(_PERFECT.search(clause))
    return "did" if is_over and lower[1] != "got" else "does"
