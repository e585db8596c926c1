"""Who is spoken of in a clause, and how that person is named to the caller.

"my sister" is "your sister" and "she", "a van driver" is "the van driver", of whom nothing tells
whether it is a man or a woman. Knows no act and no reply.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.swapping import swapped

_MALE: Final = word_set(
    "dad father stepdad stepfather brother son stepson grandson husband uncle nephew grandad "
    "fellow waiter fireman policeman grandpa granddad grandfather boyfriend man bloke guy chap "
    "lad boy gentleman landlord postman vicar"
)
_FEMALE: Final = word_set(
    "mum mom mother stepmum stepmom stepmother sister daughter stepdaughter granddaughter wife "
    "aunt auntie niece gran nan nana grandma granny grandmother girlfriend woman lady girl landlady"
)
_SEVERAL: Final = word_set(
    "parents kids children boys girls men women lads people neighbours neighbors friends mates "
    "brothers sisters sons daughters in-laws others grandchildren grandparents grandkids "
    "colleagues coworkers students pupils tenants twins couple "
    "family bank council school company team"
)
_EITHER: Final = word_set(
    "partner fiance fiancee friend mate cousin boss manager supervisor colleague coworker "
    "neighbour examiner drummer singer guitarist keeper goalie captain referee guard porter "
    "barber hairdresser "
    "cleaner caretaker librarian priest minister councillor mayor farmer butcher baker pharmacist "
    "optician physio surgeon consultant paramedic officer guide cook chef journalist reporter "
    "photographer artist actor youngster newcomer volunteer trainee apprentice intern guest host "
    "neighbor flatmate housemate roommate lodger "
    "tenant teacher instructor conductor coach trainer "
    "tutor driver ex doctor nurse vet dentist solicitor plumber builder carer midwife customer "
    "client student pupil patient kid child teenager toddler stranger passenger interviewer head "
    "headteacher foreman chairman secretary receptionist editor director agent buyer"
)
# Close to them: nobody asks how they get on.
CLOSE: Final = (
    _MALE | _FEMALE | word_set("partner fiance fiancee ex parents kids children kid child")
) - word_set("man bloke guy chap lad boy gentleman landlord postman vicar woman lady girl landlady")
_BARE: Final = r"(?:m[ou]m|mummy|dad|daddy|coach|granny|gran|nan|nana|grandma|grandad|grandpa)"
PEOPLE: Final = "|".join(sorted(_MALE | _FEMALE | _SEVERAL | _EITHER, key=len, reverse=True))
# Somebody who is spoken of, lower case; the group "who".
PERSON: Final = (
    rf"(?:(?:my|our|his|her|their|the|an?|this|some|another|one of (?:my|our|the)) "
    rf"(?:(?!on\b|at\b|in\b|of\b|and\b|is\b|was\b)[\w-]+ ){{0,2}}?(?:{PEOPLE})(?:-in-laws?)?"
    r"(?: (?:from|at|in|on|of|next) (?:the |my |our )?(?:(?!and\b)[\w-]+ )??\w+(?: door)?"
    r"(?! me\b))??|one of (?:the|my|our) (?:\w+ )?\w+s|"
    rf"{_BARE})"
)
WHO: Final = rf"(?P<who>he|she|they|someone|somebody|everyone|everybody|one of them|{PERSON})"
# The same, before a word that only people do: "my goalie" asked.
SPEAKER: Final = (
    rf"(?P<who>he|she|they|someone|somebody|everyone|everybody|one of them|{PERSON}|(?:my|our|his|"
    rf"her|the|an?|"
    rf"this) "
    r"(?!(?:sign|phone|watch|computer|scales|doctor'?s?|letter|paper|news|book|label|form|card|"
    r"note|forecast|radio|website|app|email|text|rule|"
    r"message|contract|list|report|map|clock|tin|bible|law|notice|leaflet|poster|magazine|article|"
    r"box|"
    r"story|song|post|headline|instructions|recipe|other|only|last|first|next|way|man|woman)\b)"
    r"[\w-]+(?: (?!never\b|just\b|only\b|even\b|also\b|always\b|still\b|then\b|all\b|"
    r"both\b)[\w-]+)?)"
)
WHOM: Final = rf"(?P<who>him|her(?! \w+ing\b| own\b)|them|{PERSON})(?!'s|-)\b"
# Between who is spoken of and what they did.
JUST: Final = (
    r"(?: (?:just|only|even|also|never|always|nearly|almost|all|both|really|actually|finally|still|"
    r"then))*"
)
# Said by a doctor, of an illness or of harm: left to what is grave.
GRAVE: Final = re.compile(
    r"\b(?:cancer|spread|tumou?r|dying|died|dead|kill\w*|terminal|hospital|scan|biopsy|hit|hurt|"
    r"police|court|threat\w*|sack(?:ed)?|fired)\b"
)
_PERSONS: Final = re.compile(rf"\b{PERSON}\b")
_OBJECTS: Final[Mapping[str, str]] = {"he": "him", "she": "her", "they": "them"}
_SUBJECTS: Final[Mapping[str, str]] = {"him": "he", "her": "she", "them": "they"}
_NOBODY_SURE: Final = word_set("someone somebody everyone everybody nobody")


# "My dads stopped", "mums started": the apostrophe was left out.
_RUN_ON: Final = re.compile(
    r"\b((?:(?:my|our|his|her) (?:\w+ )?(?:m[ou]m|dad|nan|gran|wife|husband|sister|brother|mate|"
    r"girlfriend|"
    r"boyfriend|partner|flatmate|roommate|mother|father|uncle|cousin|son|daughter))|"
    r"(?<!my )(?<!our )"
    r"(?:m[ou]m|dad|nan|gran))s (?=(?:been|got|gone|started|stopped|never|always|not|just|an?|in|"
    r"so|very|"
    r"really|quite|decided|moved|left|taken|given|told|asked|\w{3,}ing)\b)",
    re.IGNORECASE,
)


def with_apostrophes(text: str) -> str:
    """Return a text in which "my dads stopped" is "my dad's stopped"."""
    return _RUN_ON.sub(r"\1's ", text)


def head_of(person: str) -> str:
    """Return the word that says who somebody is: "my old teacher" → "teacher"."""
    words = re.split(r" (?:from|at|in|on|of|next) ", person.removeprefix("one of "))[0].split()
    return words[-1].removesuffix("-in-law").removesuffix("-in-laws") if words else ""


def pronoun_of(person: str) -> str:
    """Return "he", "she" or "they" for who is spoken of, lower case; empty where nothing tells."""
    if person in _OBJECTS or person in _SUBJECTS:
        return _SUBJECTS.get(person, person)
    if person in _NOBODY_SURE or person.startswith("one of"):
        return "they"
    head = head_of(person)
    if head in _SEVERAL:
        return "they"
    return "he" if head in _MALE else "she" if head in _FEMALE else ""


def is_close(person: str, told: Sequence[str]) -> bool:
    """Whether who is spoken of is of the family: by name, or who was last meant by a pronoun.

    Args:
        person: Lower case.
        told: The caller's turns, the oldest first.
    """
    if person not in _OBJECTS and person not in _SUBJECTS:
        return head_of(person) in CLOSE
    pronoun = pronoun_of(person)
    spoken = [one[0] for turn in told for one in _PERSONS.finditer(turn.lower())]
    last = next((one for one in reversed(spoken) if pronoun_of(one) in (pronoun, "")), "")
    return head_of(last) in CLOSE


def named(person: str, told: Sequence[str] = ()) -> dict[str, str]:
    """Return how who is spoken of is named: as "who", "he", "him", and "does".

    "near" or "far" is there, and empty, for who is of the family or is not.

    Args:
        person: Lower case.
        told: The caller's turns, the oldest first.
    """
    words = person.split()
    who = " ".join(swapped(words, words))
    who = re.sub(r"^(?:an?|this|some) ", "the ", who)
    pronoun = pronoun_of(person)
    is_pronoun = person in _OBJECTS or person in _SUBJECTS or person in _NOBODY_SURE
    return {
        "who": pronoun if is_pronoun or person.startswith("one of") else who,
        "he": pronoun or who,
        "him": _OBJECTS.get(pronoun, "") or who,
        "does": "do" if pronoun == "they" else "does",
        "is": "are" if pronoun == "they" else "is",
        "sees": "see" if pronoun == "they" else "sees",
        "was": "were" if pronoun == "they" else "was",
        "has": "have" if pronoun == "they" else "has",
        "near" if is_close(person, told) else "far": "",
    }
