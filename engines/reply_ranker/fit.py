"""Whether a reply can be said to what was told: nobody new in it, nothing asked that was just told.

Persons and pets that a reply names must have been mentioned, a pronoun must have somebody to stand
for, and a question must ask for more than was said.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final

from rt_avatar.engines.reply_ranker.answered import known_in, slots_of
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.word_set import word_set

_ENDINGS: Final = ("ingly", "ing", "edly", "ed", "ies", "es", "s", "ly", "er", "e", "y")
_SHORTEST_STEM: Final = 3
_KEPT: Final = 4096  # words; those of a bank's replies are asked for again with each turn

_MALE: Final = word_set(
    "he him his he's himself father dad daddy papa grandfather grandpa granddad son brother "
    "husband boyfriend uncle nephew fiance man guy boy dude stepdad grandson"
)
_FEMALE: Final = word_set(
    "she her hers she's herself mother mom mum mommy mama grandmother grandma granny nana daughter "
    "sister wife girlfriend aunt niece fiancee woman lady girl stepmom granddaughter"
)
# Whom words of unknown sex may stand for.
_EITHER: Final = word_set(
    "friend boss manager coworker colleague roommate neighbor neighbour teacher professor landlord "
    "partner ex cousin dog cat puppy kitten pet baby kid child someone somebody person driver "
    "doctor student thief stranger friend's"
)
_SEVERAL: Final = word_set(
    "they them their theirs they're they've they'd we us our people everyone everybody someone "
    "somebody friends parents kids children family neighbors neighbours coworkers students company "
    "team guys boys girls police school store restaurant both others"
)
PRONOUNS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("he", "him", "his", "he's", "himself", "he'll", "he'd"), _MALE | _EITHER),
    **dict.fromkeys(("she", "her", "hers", "she's", "herself", "she'll", "she'd"),
                    _FEMALE | _EITHER),
    **dict.fromkeys(("they", "them", "their", "theirs", "they're", "they've", "they'll", "they'd",
                     "both"),
                    _SEVERAL | _MALE | _FEMALE | _EITHER),
}  # fmt: skip
# Named by a reply only if the caller named them.
_NAMED: Final = (
    (_MALE | _FEMALE | _EITHER | word_set("parents friends children"))
    - frozenset(PRONOUNS)
    - word_set(
        "guy man boy dude girl woman lady baby kid child someone somebody person driver student "
        "thief stranger partner doctor teacher"
    )
)
_SENTENCES: Final = re.compile(r"[^.?!]+[.?!]?")
_FOR_A_REASON: Final = re.compile(r"\bwhat made you\b|\bwhy\b")  # of what was told
_CREDITS: Final = re.compile(  # the caller with what was done
    r"well done|good for you|\byou(?:'ve)? (?:\w+ )?(?:earned|worked|did|prepared|planned|put in)"
    r"\b|"
    r"you can (?:really )?be proud|you.re in shape|every right to be proud|well earned|your effort|"
    r"hold on to that"
)
_OTHERS: Final = word_set("he she his her him he's she's")
_FUNCTION_WORDS: Final = word_set(
    "a an the and or but so if of to in on at by for with from about up out off over into after "
    "before since then than as is are was were be been being am do did does done have has had "
    "having will would can could should may might must i me my you your yours it its this that "
    "these those there here what how why who where when which whom whose any some more most much "
    "many all else ever still yet now just really very too also not no it's that's what's "
    "who's how's he she they him her them his their get got go going went like feel felt make "
    "made think thing things part day first back way"
)
# Emotions of good and of bad news; the others go with either.
_CHEERFUL: Final = re.compile(
    r"\b(?:congrat\w*|awesome|amazing|great|wonderful|fantastic|fabulous|incredible|excellent|"
    r"lovely|neat|cool|nice|sweet|fun|exciting|excited|thrilled|happy|glad|lucky|proud|perfect|"
    r"yay|woo\w*|enjoy\w*|celebrat\w*|impressive|beautiful|blast|delicious|way to go|well done|"
    r"good (?:for you|job|to hear|news|stuff|times?|feeling|memor\w+)|that's (?:so |very |really "
    r")?good|that is (?:so |very |really )?good|sounds (?:so |very |really |pretty )?good|"
    r"a good (?:thing|time|day|feeling)|love that|best feeling|deserve[ds]?|adorable|cute|"
    r"accomplish\w*|relaxing|pleasant)\b"
)
_DENIED: Final = re.compile(
    r"\b(?:not|isn't|wasn't|aren't|never|no|hardly|doesn't sound|didn't) (?:\w+ ){0,2}?"
    r"(?:cool|fun|nice|great|good|happy|glad|fair|enjoy\w*|exciting|lucky)\b"
)
_SORROWFUL: Final = re.compile(
    r"\b(?:sorry|sad|terrible|awful|horrible|tough|rough|hard|sucks?|stinks|frustrat\w*|scary|"
    r"scared|scare|upset\w*|unfortunate\w*|disappoint\w*|annoy\w*|embarrass\w*|gross|disgusting|"
    r"heartbreak\w*|painful|stress\w*|worr(?:y|ied|ying)|difficult|oh no|ouch|yikes|bummer|aww?"
    r" man|shame|condolences|loss|lonely|devastat\w*|nerve.?wrack\w*|terrif\w*|creepy|rude|"
    r"unfair|not fair|nasty|ruin\w*|hurts?|jealous|guilty|anxious|nervous|angry|mad|miss (?:him|"
    r"her|them|it)|uncomfortable|dreadful|crappy|bad|worse|worst|messed|ugh|eww?|blame|what "
    r"happened|wrong)\b"
)


# What a question is after: how it is or feels, how long, the best, the worst of it, what next.
_AIMS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"^how(?:'s| is| are| was| were| did| do| does| has| have) (?!long|often|many|much|far|old)"
        r"(?!did you (?:come|two)|do you two)|^what(?:'s| is| was| has) .*\blike\b|"
        r"^what (?:does|did) (?:it|that) (?:do to|feel)",
        r"how long|since when|for long",
        r"\b(?:like|enjoy|love|value) (?:\w+ ){0,3}?(?:most|best)\b|\b(?:best|nicest|better) "
        r"(?:of|part|moment|bit)|^what (?:do|did) you (?:like|enjoy|love)|what made it so|"
        r"what makes it so nice",
        r"\b(?:worst|hardest)\b|(?:bothers|worries|weighs on|gets to) you|makes it (?:so )?hard",
        r"^what (?:will you|would you|comes first|now)|^where would you begin|first step",
    )
)
# Of a reply: says no more than that something was heard.
_HEARD: Final = re.compile(r"^(?:(?:Ah|Oh), )?(?:I see|[Oo]kay|Mm+|I hear you)\. (?=\w)")
_WORDS_ONLY: Final = re.compile(r"[a-z]+(?:'[a-z]+)*")


def without_nod(reply: str) -> str:
    """Return a reply without a beginning that says only that something was heard."""
    return _HEARD.sub("", reply)


def questions_in(text: str) -> frozenset[str]:
    """Return the questions of a text, lower case and without what stands before a comma."""
    return frozenset(
        one[0].rpartition(",")[2].strip().removeprefix("and ")
        for one in _SENTENCES.finditer(text.lower())
        if one[0].endswith("?")
    )


def aims_of(questions: Iterable[str]) -> frozenset[int]:
    """Return what questions, lower case, are after: those of one aim ask the same."""
    return frozenset(
        aim for one in questions for aim, pattern in enumerate(_AIMS) if pattern.search(one)
    )


@lru_cache(_KEPT)
def stem_of(word: str) -> str:
    """Return what words of one family share, roughly: "worked", "working" → "work"."""
    word = word.partition("'")[0] or word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of a text's words."""
    return frozenset(map(stem_of, words))


def tone_of(text: str) -> int | None:
    """Return what news a reply goes with: 1 good, -1 bad, 0 any; None: it says both."""
    lower = text.lower()
    bare = _DENIED.sub(" ", lower)
    is_cheerful = bool(_CHEERFUL.search(bare))
    is_sorrowful = bool(_SORROWFUL.search(bare)) or bare != lower
    if is_cheerful and is_sorrowful:
        return None
    return int(is_cheerful) - int(is_sorrowful)


def credits_another(reply: str, said: Set[str]) -> bool:
    """Whether the reply praises the caller for what may be another's doing."""
    return not said.isdisjoint(_OTHERS) and bool(_CREDITS.search(reply.lower()))


def names_nobody_new(reply: Sequence[str], said: Set[str], text: str) -> bool:
    """Whether everybody that a reply names or stands for was mentioned; "your dog" after "my dog".

    Args:
        reply: Its words.
        said: The caller's words, those before an apostrophe ("mom's") among them.
        text: All that the caller said, lower case.
    """
    stems = stems_of(said)
    for before, word in itertools.pairwise(("", *reply)):
        bare = word.partition("'")[0]
        if before == "your" and bare in _NAMED:
            own = re.compile(rf"\b(?:my|our)(?: \w+){{0,2}} {re.escape(stem_of(bare))}")
            if not own.search(text):
                return False
        stands_for = PRONOUNS.get(word) or PRONOUNS.get(bare)
        if stands_for is not None and said.isdisjoint(stands_for):
            return False
        if bare in _NAMED and stem_of(bare) not in stems:
            return False
    return True


def asked_by(own: Sequence[str]) -> frozenset[int]:
    """Return what the avatar, by its turns, asked just now (``answered``)."""
    return frozenset().union(*map(slots_of, questions_in(own[-1]))) if own else frozenset()


def asks_what_is_known(reply: str, said: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a question in the reply asks for what was told, or what was asked just now.

    Args:
        reply: As it is spoken.
        said: The caller's turns, the oldest first; one or more.
        own: The avatar's.
    """
    words = [" ".join(split_words(one)) for one in said]
    known = known_in(" ".join(words), words[-1]) | asked_by(own)
    return any(not known.isdisjoint(slots_of(one)) for one in questions_in(reply))


def asks_what_was_said(
    reply: str,
    said: str,
    topic: Set[str] = frozenset(),
    last: str | None = None,
    answered: Set[int] = frozenset(),
) -> bool:
    """Whether a question in the reply asks for what was said.

    Args:
        reply: As it is spoken.
        said: The words of all that the caller said, lower case.
        topic: Words that the reply was chosen by; a question may be about them.
        last: Those of the caller's last turn; None: all are of it.
        answered: What the avatar asked just now, and the caller told then (``answered``).
    """
    stems = stems_of(said.split())
    known = known_in(said, said if last is None else last)
    for match in _SENTENCES.finditer(reply.lower()):
        question = match[0]
        if not question.endswith("?") and not question.lstrip().startswith("tell me"):
            continue
        asked = slots_of(question)
        if not known.isdisjoint(asked) or (question.endswith("?") and answered & asked):
            return True
        words = {word for word in _WORDS_ONLY.findall(question) if word not in _FUNCTION_WORDS}
        content = stems_of(words) - stems_of(topic)
        if content and content <= stems and not _FOR_A_REASON.search(question):
            return True
    return False
