"""Abbreviations, acronyms, Roman numerals and the short forms of chats → their words."""

import re
from collections.abc import Container
from typing import Final

from rt_avatar.engines.text.numbers import Words, make_ordinal, roman_value, say_cardinal
from rt_avatar.engines.text.rules import Rule, begins_sentence, is_sentence_end, spell

# Behind these a full stop ends no sentence.
_TITLES: Final = {
    "mr": "mister", "mrs": "missus", "ms": "miz", "dr": "doctor", "prof": "professor",
    "st": "saint", "gen": "general", "sen": "senator", "rep": "representative",
    "gov": "governor", "capt": "captain", "lt": "lieutenant", "maj": "major", "col": "colonel",
    "sgt": "sergeant", "rev": "reverend", "hon": "honorable", "pres": "president",
    "mt": "mount", "ft": "fort",
}  # fmt: skip
_WITH_STOP: Final = {
    "jr": "junior", "sr": "senior", "vs": "versus", "etc": "et cetera", "approx": "approximately",
    "dept": "department", "est": "established", "inc": "incorporated", "ltd": "limited",
    "corp": "corporation", "co": "company", "ave": "avenue", "blvd": "boulevard", "rd": "road",
    "st": "street", "dr": "drive", "fig": "figure", "vol": "volume", "ch": "chapter",
    "al": "al",
    "temp": "temperature", "apt": "apartment", "sq": "square",
    "esp": "especially", "incl": "including", "misc": "miscellaneous",
    "univ": "university", "assoc": "association", "bros": "brothers", "tel": "telephone",
    "ext": "extension", "max": "maximum", "min": "minimum", "avg": "average", "jan": "january",
    "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july",
    "aug": "august", "sep": "september", "sept": "september", "oct": "october",
    "nov": "november", "dec": "december", "mon": "monday", "tue": "tuesday", "tues": "tuesday",
    "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday",
    "fri": "friday", "sat": "saturday", "sun": "sunday", "pp": "pages", "p": "page",
}  # fmt: skip
# Said so before no name, too: "Mr. and Mrs. Lee", "my dr. said".
_ALWAYS_TITLES: Final = frozenset(("mr", "mrs", "ms", "dr"))
_STREETS: Final = {
    "st": "street", "dr": "drive", "ave": "avenue", "rd": "road", "blvd": "boulevard",
}  # fmt: skip
_STREET_NAME: Final = re.compile(r"(?:\b[A-Z][a-z]+|\d(?:st|nd|rd|th)|\0) $")
_HOUSE: Final = re.compile(r"(?:\d|\0) (?:[NSEW]\.? )?(?:[A-Z][a-z]+ ){1,2}$")
_NAME_BEFORE: Final = re.compile(r"(?:\b[A-Z][\w'’]*\.?|\0) $")
_INITIAL_NEXT: Final = re.compile(r" [A-Z]\.")
_LETTERED: Final = re.compile(
    r"\b(?:Vitamin|Plan|Grade|Hepatitis|Type|Group|Team|Option|Section|Part|Appendix|Class) $"
)
# In capitals these are something else: a nurse, a newspaper, letters.
_OTHER_IN_CAPITALS: Final = frozenset(("r", "u", "ur", "rn", "np", "ft"))
# Without a full stop.
_SHORT: Final = {
    "vs": "versus", "etc": "et cetera", "mr": "mister", "mrs": "missus", "dr": "doctor",
    "btw": "by the way", "idk": "i don't know", "omg": "oh my god", "imo": "in my opinion",
    "imho": "in my humble opinion", "tbh": "to be honest", "thx": "thanks", "pls": "please",
    "plz": "please", "ppl": "people", "brb": "be right back", "np": "no problem",
    "rn": "right now", "irl": "in real life", "fyi": "F Y I", "aka": "A K A", "diy": "D I Y",
    "faq": "F A Q", "asap": "A S A P", "tv": "T V", "tvs": "T Vs", "ok": "okay",
    "cuz": "cause", "u": "you",
    "ur": "your", "r": "are", "approx": "approximately", "dept": "department",
    "ft": "feet", "usa": "U S A", "uk": "U K", "pc": "P C", "id": "I D",
    "ids": "I Ds", "cd": "C D", "cds": "C Ds", "dvd": "D V D", "dvds": "D V Ds",
    "sq": "square", "qb": "Q B", "nfl": "N F L", "nba": "N B A",
}  # fmt: skip
_DOTTED: Final = {"e.g": "for example", "i.e": "that is", "a.m": "A M", "p.m": "P M",
                  "ph.d": "P H D", "vs": "versus", "a.k.a": "A K A"}  # fmt: skip
# Capitals that are letters though a word is spelled the same.
_LETTERS: Final = frozenset(
    ("US", "IT", "AI", "TV", "PC", "UK", "EU", "UN", "LA", "DC", "NY", "PR", "HR", "ID", "PM", "CD",
     "VR", "AR", "DJ", "MP", "ER", "AC", "ATM", "APA", "MS", "AA", "AP", "BA", "OCD", "PE", "RN",
     "NP", "FT", "UR", "ABS", "LGBTQI", "LGBTQIA", "EST", "GAD")
)  # fmt: skip
# With a full stop, but not in small letters or at the end of a sentence.
_ALSO_WORDS: Final = frozenset(
    ("mar", "jun", "sun", "sat", "mon", "wed", "fig", "max", "min", "al", "co", "ext", "est", "p",
     "ch", "dec", "bros", "rd", "ave")
)  # fmt: skip
_BEFORE_NAMES: Final = frozenset(("vs", "approx", "esp", "incl", "fig", "vol", "ch", "p", "pp"))
_KINGS: Final = "|".join(
    ("henry", "louis", "george", "edward", "elizabeth", "charles", "james", "william", "richard",
     "pius", "paul", "benedict", "philip", "catherine", "frederick", "napoleon", "gregory",
     "francis", "nicholas", "alexander", "peter", "ivan", "innocent", "leo", "clement", "mary",
     "ramses", "henri", "karl", "carl", "ludwig", "wilhelm", "harald", "olaf", "margrethe")
)  # fmt: skip
_NUMBERED: Final = (
    "Chapter|Part|Act|Volume|Book|War|Section|Article|Title|Phase|Level|Type|Stage|Class|Bowl"
    "|Division|Scene|Episode|Step|Grade|Apollo|Unit|Rocky|Star Wars|Final Fantasy|Mark"
    r"|Vol\.|Ch\.|Pt\."
)


# Said as words, and no shout beside "IT" or "US".
_READ: Final = frozenset(("NASA", "NATO", "FEMA", "OPEC", "OSHA", "SAP", "FIFA", "UNICEF"))
_SHOUT_BEFORE: Final = re.compile(r"\b([A-Z]{2,20}) $")
_SHOUT_BEHIND: Final = re.compile(r" ([A-Z]{2,20})\b")
_NOUN_BEFORE: Final = re.compile(r"\b(?i:the|an?|my|our|your|his|her|their|in|of) $")

_VOWELS: Final = re.compile(r"[AEIOUY]")
_LONGEST_SPELLED: Final = 5  # capitals; longer words in capitals are words


def say_short(
    word: str, has_stop: bool, following: str, before: str = ""
) -> tuple[Words, bool] | None:
    """Return the words of an abbreviation, and whether a full stop behind it belongs to it.

    Args:
        word: As it is written.
        has_stop: Whether a full stop follows.
        following: What is written behind that, from its first letter on; "" at the end.
        before: What is written before it.
    """
    key = word.lower()
    is_name_next = following[:1].isupper()
    is_title = key in _TITLES and is_name_next
    is_street = key in _STREETS and word[0].isupper() and bool(_STREET_NAME.search(before))
    is_certain = not is_title or begins_sentence(following) or bool(_HOUSE.search(before))
    if is_street and is_certain:
        return (_STREETS[key],), has_stop and bool(following) and not is_name_next
    if key in _ALWAYS_TITLES and (is_name_next or (has_stop and word != "ms")):
        return (_TITLES[key],), has_stop and bool(following)
    if is_title and (has_stop or key in ("st", "mt", "ft")):
        return (_TITLES[key],), has_stop
    if has_stop and key in _WITH_STOP:
        is_end = not following or (is_name_next and key not in _BEFORE_NAMES)
        # "sun.", "mar.", "fig." at the end of a sentence are the words themselves.
        if not (key in _ALSO_WORDS and (is_end or word[0].islower())):
            return tuple(_WITH_STOP[key].split()), not is_end
    if key in _SHORT and not (word.isupper() and key in _OTHER_IN_CAPITALS):
        return tuple(_SHORT[key].split()), False
    return None


def is_shouted_pronoun(word: str, before: str, behind: str, lexicon: Container[str]) -> bool:
    """Whether "IT" or "US" is said aloud, as in "please STOP IT": beside a word in capitals.

    Args:
        word: As it is written.
        before: What is written before it.
        behind: What is written behind it.
        lexicon: Words in lower case.
    """
    if word not in ("IT", "US") or _NOUN_BEFORE.search(before):
        return False
    # "US GDP" is no shout.
    beside = (_SHOUT_BEFORE.search(before), _SHOUT_BEHIND.match(behind) if word == "IT" else None)
    return any(
        one not in _LETTERS and one not in _READ and one.lower() in lexicon
        for one in (found[1] for found in beside if found)
    )


def is_letters(word: str) -> bool:
    """Whether capitals are spelled although a word is written the same."""
    return word in _LETTERS


def say_capitals(word: str, is_shouted: bool, lexicon: Container[str]) -> Words | None:
    """Return the letters of an acronym; None where capitals are a word like another.

    Args:
        word: At least two capitals, perhaps with a small s.
        is_shouted: Whether most of the text is in capitals.
        lexicon: Words in lower case.
    """
    letters = word[:-1] if word.endswith("s") else word
    is_word = letters.lower() in lexicon
    if is_shouted:
        is_spelled = not is_word and not _VOWELS.search(letters)
    else:
        is_short = len(letters) <= _LONGEST_SPELLED or not _VOWELS.search(letters)
        is_spelled = letters in _LETTERS or (is_short and not is_word)
    if not is_spelled:
        return None
    spelled = spell(letters)
    return (*spelled[:-1], spelled[-1] + "s") if word.endswith("s") else spelled


def _say_dotted(found: re.Match[str]) -> Words:
    letters = found[0].rstrip(".").lower()
    words = tuple(_DOTTED[letters].split()) if letters in _DOTTED else spell(letters)
    if letters in ("e.g", "i.e"):
        return words
    return (*words, ".") if is_sentence_end(found) else words


def _say_roman(found: re.Match[str]) -> Words | None:
    value = roman_value(found["value"])
    if not value:
        return None
    words = say_cardinal(str(value))
    words = ("the", *make_ordinal(words)) if found["king"] else words
    return (*words[:-1], words[-1] + "'s") if found["own"] else words


def _say_initial(found: re.Match[str]) -> Words | None:
    """Return an initial of a name, "John F. Kennedy"; None where a sentence ends behind it."""
    before = found.string[max(0, found.start() - 24) : found.start()]
    is_name = not before.strip(" \"'“‘(") or bool(_NAME_BEFORE.search(before))
    is_name = is_name or bool(_INITIAL_NEXT.match(found.string, found.end()))
    is_name = is_name and not _LETTERED.search(before)
    return (found["letter"],) if is_name and not is_sentence_end(found) else None


def _say_joined(found: re.Match[str]) -> Words:
    """Return letters about an ampersand: "AT&T", "Q&A"."""
    return (*spell(found["left"]), "and", *spell(found["right"]))


def _say_sharp(found: re.Match[str]) -> Words:
    return (found["letter"], "sharp")


def _say_era(_: re.Match[str]) -> Words:
    return ("A", "D")


def _say_with(found: re.Match[str]) -> Words:
    return ("without",) if found["out"] else ("with",)


RULES: Final = (
    Rule(re.compile(r"(?<![\w.])(?P<letter>[A-HJ-Z])\.(?= [A-Z])"), _say_initial),
    Rule(re.compile(r"\bp\.(?= ?\d)"), lambda _: ("page",)),
    Rule(re.compile(r"\bca?\.(?= ?(?:\d{3,4}\b|\0))"), lambda _: ("circa",)),
    Rule(re.compile(r"\b(?P<left>[A-Z]{1,3})&(?P<right>[A-Z]{1,3})\b"), _say_joined),
    Rule(re.compile(r"\b(?P<letter>[A-G])#(?!\w)"), _say_sharp),
    Rule(re.compile(r"\bAD(?= \d{1,4}\b)|(?<=[\d\0] )AD\b"), _say_era),
    Rule(re.compile(r"\b(?:[Pp]h\.[Dd]\.?|(?:[A-Za-z]\.){2,8}(?![A-Za-z])|vs\.)"), _say_dotted),
    Rule(
        re.compile(
            rf"\b(?P<king>(?i:{_KINGS})) (?P<roman>(?P<value>[IVX]{{1,6}})"
            rf"\b(?P<own>['’]s)?)(?!['’.]\w)"
        ),
        _say_roman,
    ),
    Rule(re.compile(r"\bw/(?P<out>o\b)?"), _say_with),
    Rule(
        re.compile(
            rf"\b(?:{_NUMBERED}) (?P<king>(?!))?"
            r"(?P<roman>(?P<value>[IVXL]{1,6})\b(?P<own>['’]s)?)"
        ),
        _say_roman,
    ),
    Rule(
        re.compile(
            r"(?<=[A-Za-z] )(?P<king>(?!))?"
            r"(?P<roman>(?P<value>I{2,3}|IV|VI{1,3}|IX|XI{1,3}|XIV|XVI{0,3}|XX[IVX]{0,4})\b(?P<own>['’]s)?)"
        ),
        _say_roman,
    ),
)
