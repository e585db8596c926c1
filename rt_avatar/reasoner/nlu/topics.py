"""Find a topic worth reflecting in a text: "your grandmother", "you lost your job".

The recogniser errs in every third word, so nothing is echoed that is not built from known pieces: a
life event (a known verb and its object), a person, a thing of a closed list. Typed or surely heard
words may be echoed a little longer. Knows no feelings.
"""

import re
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.nlu.feelings import words_of

SURE: Final = 0.85  # confidence from which unknown nouns after "my" may be echoed
_MAX_OBJECT_WORDS: Final = 3

_PEOPLE: Final = word_set(
    "mother mom mum mama father dad papa parents grandmother grandma nana granny "
    "grandfather grandpa granddad wife husband partner boyfriend girlfriend fiance "
    "fiancee son daughter kids children child baby brother sister siblings twin "
    "aunt uncle cousin niece nephew friend friends boss manager coworker colleague "
    "colleagues roommate neighbor neighbour neighbors teacher professor doctor "
    "therapist landlord team family ex stepmother stepfather grandson granddaughter "
    "motherinlaw fatherinlaw sisterinlaw brotherinlaw soninlaw daughterinlaw inlaws"
)
# As words of a transcript are joined here → as they are given back.
_IN_LAWS: Final = {
    f"{one}inlaw": f"{one}-in-law"
    for one in ("mother", "father", "sister", "brother", "son", "daughter")
} | {"inlaws": "in-laws"}
_PETS: Final = word_set("dog cat puppy kitten pet horse rabbit hamster bird")
_THINGS: Final = word_set(
    "job work interview promotion raise business career project presentation speech "
    "exam exams test tests school college university class grades thesis homework "
    "wedding marriage divorce birthday funeral anniversary graduation pregnancy "
    "house home apartment flat car truck bike phone laptop wallet keys money rent "
    "bills debt surgery operation cancer illness diagnosis pain back health weight "
    "sleep anxiety depression trip vacation holiday flight move party game concert "
    "race marathon garden book song music painting childhood life future past "
    "appointment results application letter storm accident fire lottery degree"
)
_KNOWN: Final = _PEOPLE | _PETS | _THINGS
# Nouns that "the" or "a" may introduce; the rest must be the caller's own ("my back").
_OWN_ONLY: Final = word_set("back life home work weight money future past move")
# A heard "my …" that is no noun to give back.
_NOT_NOUNS: Final = word_set(
    "own self god gosh goodness bad fault way mind heart head hand hands eyes best old new whole "
    "first last next favorite little big late so very to and the a i it"
)
# What stands behind these is where or how, and not what is told of ("right into my arms").
_BEFORE_PLACES: Final = word_set(
    "in into on onto at to from by with of over under behind for through against around out off"
)
_QUALIFIERS: Final = word_set(
    "old new best first last little big younger older job final dream own"
)
# Verbs whose object makes a life event: past tense, as people tell it.
_EVENTS: Final = word_set(
    "lost got failed passed bought sold broke missed won finished started left "
    "found crashed forgot met saw had quit made adopted aced visited cancelled moved"
)
_BAD_FOR_BARE: Final = word_set("had got saw made")
# What happens to others: "my X died" → "your X died"; these end the clause by themselves.
_FATES: Final = word_set(
    "died left moved graduated married quit lied cheated forgot called visited cried"
)
# The same in more words, to the end of the clause.
_LONG_FATES: Final = word_set(
    "are_getting_divorced got_divorced are_splitting_up split_up is_in_hospital is_in_the_hospital "
    "was_in_an_accident had_an_accident is_very_sick is_very_ill is_ill is_sick has_cancer"
)
_WHOLE_EVENTS: Final[tuple[tuple[str, str], ...]] = (
    ("i got fired", "you got fired"),
    ("i got laid off", "you got laid off"),
    ("i was laid off", "you were laid off"),
    ("i was fired", "you were fired"),
    ("i got promoted", "you got promoted"),
    ("i got engaged", "you got engaged"),
    ("i got married", "you got married"),
    ("we broke up", "you two broke up"),
    ("broke up with me", "they broke up with you"),
    ("i live alone", "you live alone"),
    ("i cant sleep", "you can't sleep"),
    ("i had a fight", "you had a fight"),
    ("we had a fight", "you had a fight"),
    ("i moved here", "you moved here"),
    ("i just moved", "you've just moved"),
    ("nobody listens", "nobody listens"),
)
# Events that no one tells with joy; next to a happy word they were told in passing.
HARD_EVENTS: Final = frozenset(
    {"you can't sleep", "you live alone", "nobody listens", "you had a fight", "you got fired"}
)
# Words that are one, however a recogniser or a keyboard writes them.
_JOINED: Final = (
    (
        re.compile(
            r"\b(mother|father|sister|brother|son|daughter)[- ]in[- ]law\b"
            r"(?!['’]| (?:school|firm))",
            re.IGNORECASE,
        ),
        r"\1inlaw",
    ),
    (re.compile(r"\bin-(?=laws\b)", re.IGNORECASE), "in"),
    (re.compile(r"\bco-(?=worker)", re.IGNORECASE), "co"),
)
_CLAUSE = re.compile(r"[.!?,;:]+|\b(?:and|but|because|so|then|when|while|or)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Topic:
    """What the caller talks about, in the words a listener would give back.

    Attributes:
        noun: ``"your grandmother"``, ``"the interview"``; empty if nothing was surely heard.
        event: ``"you lost your job"``; empty if none.
        is_person: Whether the noun is a person or a pet.
    """

    noun: str = ""
    event: str = ""
    is_person: bool = False

    def __bool__(self) -> bool:
        return bool(self.noun or self.event)


# "It's my sister, not my mum": of her nothing is told.
_PUT_RIGHT: Final = re.compile(
    r"((?:^|[ ,])(?:my|our) (?:\w+ )?\w+,? )not (?:my|our) (?:\w+ )?\w+(?=$|[.,!?])", re.IGNORECASE
)


def find_topic(text: str, confidence: float = 1.0) -> Topic:
    """Return what the text is about.

    Args:
        text: What was said, as heard.
        confidence: 0 to 1; below ``SURE`` only nouns of the closed lists are used.
    """
    noun, is_person = _find_noun(text, confidence)
    return Topic(noun, _find_event(text), is_person)


def clauses_in(text: str) -> list[list[str]]:
    """Return the words of each clause; those that mean one thing together are joined."""
    text = _PUT_RIGHT.sub(r"\1", text)
    for pattern, one in _JOINED:
        text = pattern.sub(one, text)
    return [words for part in _CLAUSE.split(text) if (words := words_of(part))]


def _spelled(phrase: list[str]) -> str:
    return " ".join(_IN_LAWS.get(word, word) for word in phrase)


def _find_noun(text: str, confidence: float) -> tuple[str, bool]:
    """Return the weightiest noun phrase: people first, then things, then any "my …"."""
    found: list[tuple[int, int, str, bool]] = []
    for words in clauses_in(text):
        for at, word in enumerate(words):
            if word not in ("my", "our", "the", "a", "an", "this"):
                continue
            phrase = _phrase_after(words, at)
            if not phrase:
                continue
            head, own = phrase[-1], word in ("my", "our")
            is_person = head in _PEOPLE or head in _PETS
            if head in _KNOWN and (own or (not is_person and head not in _OWN_ONLY)):
                rank = 3 if is_person and own else 2 if own else 1
            elif (
                own
                and confidence >= SURE
                and head not in _NOT_NOUNS
                and len(head) > 2
                and (not at or words[at - 1] not in _BEFORE_PLACES)
            ):
                rank = 0
            else:
                continue
            article = "your" if own else "the"
            found.append((rank, -len(found), f"{article} {_spelled(phrase)}", is_person))
    if not found:
        return "", False
    _, _, noun, is_person = max(found)
    return noun, is_person


def _phrase_after(words: list[str], at: int) -> list[str]:
    """Return qualifiers and the noun after a determiner: ``["best", "friend"]``."""
    phrase: list[str] = []
    for word in words[at + 1 : at + 1 + _MAX_OBJECT_WORDS]:
        phrase.append(word)
        if word not in _QUALIFIERS:
            break
        if len(words) > at + 1 + len(phrase) and word in _KNOWN:
            follower = words[at + 1 + len(phrase)]
            if follower not in _KNOWN:
                break
    while phrase and phrase[-1] in _QUALIFIERS and phrase[-1] not in _KNOWN:
        phrase.pop()
    return phrase


def _find_event(text: str) -> str:
    joined = " ".join(words_of(text))
    for words in clauses_in(text):
        for at, word in enumerate(words[:-1]):
            event = _event_at(words, at) if word in ("i", "we", "my", "our") else ""
            if event:
                return event
    for heard, named in _WHOLE_EVENTS:
        if re.search(rf"\b{heard}\b", joined):
            return named
    return ""


def _event_at(words: list[str], at: int) -> str:
    """Return the event that begins at ``words[at]``, or nothing."""
    if words[at] in ("i", "we"):
        rest = [word for word in words[at + 1 : at + 7] if word not in ("just", "finally", "have")]
        if (
            len(rest) < 2
            or rest[0] not in _EVENTS
            or rest[1] not in ("my", "our", "the", "a", "an")
        ):
            return ""
        if rest[0] in _BAD_FOR_BARE and rest[1] not in ("a", "an", "the"):
            return ""
        phrase = _phrase_after(rest, 1)
        if not phrase or phrase[-1] not in _KNOWN:
            return ""
        whose = "your" if rest[1] in ("my", "our") else rest[1]
        return f"you {rest[0]} {whose} {_spelled(phrase)}"
    phrase = _phrase_after(words, at)
    after = words[at + 1 + len(phrase) : at + 3 + len(phrase)]
    if not phrase or phrase[-1] not in _PEOPLE | _PETS or not after:
        return ""
    who = f"your {_spelled(phrase)}"
    if after == ["passed", "away"] or after == ["ran", "away"]:
        return f"{who} {after[0]} away"
    if after[0] == "died":
        return f"{who} died"
    if after[0] in _FATES and len(words) == at + 2 + len(phrase):
        return f"{who} {after[0]}"
    fate = words[at + 1 + len(phrase) :]
    return f"{who} {' '.join(fate)}" if "_".join(fate) in _LONG_FATES else ""
