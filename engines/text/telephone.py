"""Numbers that are called or typed in, such as those of helplines → their digits."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import Words, say_digits
from rt_avatar.engines.text.rules import Rule
from rt_avatar.engines.word_set import word_set

# Numbers of services that are called. Of these nobody counts so many of anything in talk.
_ALWAYS_CALLED: Final = frozenset(("911", "988", "85258", "741741", "116123", "131114"))
_COUNTRY: Final = re.compile(r" (?:\(|in )(?:the )?(?:UK|EU|Europe|Britain|India|Ireland)\b")
_SERVICES: Final = frozenset(
    ("000", "100", "101", "102", "105", "108", "110", "111", "112", "113", "114", "115", "116",
     "117", "118", "119", "122", "123", "144", "190", "192", "211", "311", "411", "511", "611",
     "711", "811", "999")
)  # fmt: skip
_CALLING: Final = word_set(
    "call called calling dial dials dialed dialled dialing dialling ring phone text texting sms "
    "contact contacting"
)
_BEFORE_CALLED: Final = word_set(
    "to on at us me them for free now help a the emergency services crisis line lifeline helpline "
    "hotline number or and either text"
)
# What such a number follows without a verb of calling.
_SERVED: Final = re.compile(
    r"\b(?:(?:helpline|hotline|lifeline|emergenc(?:y|ies)|emergency (?:number|services)|nhs)"
    r"(?: is| on| at|:|,)?|number(?: is|:)|reach(?:ed|ing)?\b[^.!?;]{0,40} (?:on|at)) \(?$",
    re.I,
)
# So long a number in groups is one to call ("116 123"), but for years and thousands.
_SHORTEST_IN_GROUPS: Final = 6  # digits
_NO_GROUPS: Final = re.compile(r"(?!1800)(?:1[5-9]|20)\d\d .*|.* 000")
_CALL_REACH: Final = 60  # characters
_CALL_WORD: Final = re.compile(r"[^\s,/()\"“”\0]+")
_COUNTED: Final = re.compile(
    r" (?:(?!(?:us|this|is|was|has|unless|always)\b)[a-z]+s|people|men|women|children|more|of"
    r"|thousand|million|billion)\b"
)
_COUNTED_MUCH: Final = re.compile(
    r" (?:dollars|euros|pounds|people|miles|pages|times|things|days)\b"
)
_NO_DATE: Final = r"(?![0-3]\d-[0-3]\d-[12]\d{3}\b)"


def _say_phone(found: re.Match[str]) -> Words | None:
    groups = re.findall(r"\d+", found[0])
    if sum(map(len, groups)) > 15:
        return None
    words: Words = ("plus",) if found[0].startswith("+") else ()
    for index, group in enumerate(groups):
        said = ("eight", "hundred") if group == "800" else say_digits(group)
        words = (*words, *((",",) if index else ()), *said)
    return words


def _say_words_number(found: re.Match[str]) -> Words:
    """Return a number of which some digits are written as a word: "1-800-273-TALK"."""
    words: Words = ()
    for index, group in enumerate(found[0].split("-")):
        said = ("eight", "hundred") if group == "800" else say_digits(group)
        words = (*words, *((",",) if index else ()), *(said or (group.lower(),)))
    return words


def _say_called_number(found: re.Match[str]) -> Words | None:
    """Return a short number digit by digit where it is one to call; None where it counts."""
    number = found["digits"]
    if number in _ALWAYS_CALLED or _is_in_groups(found):
        is_called = not _COUNTED_MUCH.match(found.string, found.end())
    else:
        is_count = number.isdigit() and number not in _SERVICES
        is_count = is_count and bool(_COUNTED.match(found.string, found.end()))
        before = found.string[max(0, found.start() - _CALL_REACH) : found.start()]
        is_served = number in _SERVICES or (len(number) > 3 and not number.endswith("00"))
        is_called = not is_count and (
            _is_call_spoken_of(before) or (is_served and bool(_SERVED.search(before)))
        )
    if number in ("999", "112") and _COUNTRY.match(found.string, found.end()):
        is_called = True
    return _say_phone(found) if is_called else None


def _is_in_groups(found: re.Match[str]) -> bool:
    """Whether it is written in groups in which nobody counts, and is no list of numbers."""
    number = found["digits"]
    digits = number.replace(" ", "")
    is_long = digits != number and digits.isdigit() and len(digits) >= _SHORTEST_IN_GROUPS
    beside = found.string[max(0, found.start() - 2) : found.start()]
    beside += found.string[found.end() : found.end() + 2]
    is_list = any(character.isdigit() for character in beside)
    return is_long and not is_list and not _NO_GROUPS.fullmatch(number)


def _is_call_spoken_of(before: str) -> bool:
    """Whether the last verb is one of calling, with nothing behind it but whom and on what."""
    following = ""
    for word in reversed(_CALL_WORD.findall(before)):
        plain = word.casefold()
        if plain in _CALLING:
            return True
        is_name = word[0].isupper() or plain in _BEFORE_CALLED or word in _SERVICES
        if word[-1] in ".!?:;" or not (is_name or following == "to"):
            return False
        following = plain
    return False


def _say_code_number(found: re.Match[str]) -> Words:
    return say_digits(found["digits"])


RULES: Final = (
    Rule(
        re.compile(
            r"(?<![\w.$€£/-])(?:\+\d{1,3}[ .-]?)?(?:1[ .-])?(?:\(\d{2,4}\)[ ]?|\b\d{3}[ .-])"
            r"\d{3}[ .-]\d{4}(?![\w-])"
        ),
        _say_phone,
    ),
    Rule(re.compile(r"(?<![\w.$€£/-])\+\d{1,3}(?:[ .-]?\d{2,4}){2,5}(?![\w-])"), _say_phone),
    Rule(re.compile(r"(?<![\w.$€£/,-])\d{3}-\d{4}(?![\w-])"), _say_phone),
    Rule(re.compile(r"\b1-8\d\d-(?:\d{3}-)?[A-Z]{4,8}\b"), _say_words_number),
    # As most of the world writes: a zero first, in groups.
    Rule(
        re.compile(
            rf"(?<![\w.$€£/,:-]){_NO_DATE}0\d{{1,4}}(?:[ -]\d{{2,8}}){{1,5}}(?![\w-]|[.,:]\d)"
        ),
        _say_phone,
    ),
    Rule(
        re.compile(
            r"\b(?i:zip|code|pin|passcode|password|extension|ext\.?)(?i: code| number| is|:){0,2} "
            r"(?P<digits>\d{3,8})\b(?![.,]\d)"
        ),
        _say_code_number,
    ),
    Rule(
        re.compile(
            rf"(?<![\w.$€£/,:#-]){_NO_DATE}"
            r"(?P<digits>(?!911|988|999|112)\d{2,4}(?:[ -]\d{2,4}){1,3}|\d{3,6})"
            r"(?![\w%°'’\"+-]|[.,:/]\d| ?[€£%°])"
        ),
        _say_called_number,
    ),
)
