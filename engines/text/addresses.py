"""E-mail, web addresses, phone numbers, handles and code names → their words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import Words, say_cardinal, say_digits
from rt_avatar.engines.text.rules import Rule, spell
from rt_avatar.engines.word_set import word_set

_MARKS: Final = {
    ".": "dot", "-": "dash", "_": "underscore", "/": "slash", "+": "plus", "@": "at",
    ":": "colon", "%": "percent", "#": "hash", "=": "equals", "&": "and",
}  # fmt: skip
_ENDINGS: Final = (
    "com|org|net|edu|gov|mil|int|info|biz|io|ai|app|dev|me|tv|co|uk|us|ca|de|fr|eu|au|in|jp|cn|nl"
    "|ch|at|es|it|se|no|nz|ru|xyz|online|site|tech|blog|news|shop"
)
# Endings that are said as words; the others are spelled.
_SAID_ENDINGS: Final = frozenset(
    ("com", "org", "net", "gov", "mil", "info", "biz", "app", "dev", "online", "site", "tech",
     "blog", "news", "shop")
)  # fmt: skip
_FILE_ENDINGS: Final = (
    "js|ts|py|html|css|json|md|txt|pdf|jpg|jpeg|png|gif|svg|csv|xml|exe|zip|mp3|mp4|wav|docx?|xlsx?"
    "|pptx?|cpp|java|sh|ya?ml|toml|ini|log|env|conf|net"
)
_SAID_FILE_ENDINGS: Final = frozenset(("java", "zip", "log", "doc", "gif", "env", "conf", "net"))
_HOST: Final = rf"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{{0,62}})\.){{1,6}}(?:{_ENDINGS})"
_PIECE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[./_+@:%#=&-]")
# Numbers of services that are called. Of these two nobody counts so many of anything in talk.
_ALWAYS_CALLED: Final = frozenset(("911", "988"))
_COUNTRY: Final = re.compile(r" (?:\(|in )(?:the )?(?:UK|EU|Europe|Britain|India|Ireland)\b")
_SERVICES: Final = frozenset(
    ("000", "100", "101", "102", "105", "108", "110", "111", "112", "113", "114", "115", "116",
     "117", "118", "119", "122", "123", "144", "190", "192", "211", "311", "411", "511", "611",
     "711", "811", "999")
)  # fmt: skip
_CALLING: Final = word_set(
    "call called calling dial dials dialed dialled dialing dialling ring phone text texting sms"
)
_BEFORE_CALLED: Final = word_set(
    "to on at us me them for free now help a the emergency services crisis line lifeline helpline "
    "hotline number or and either text"
)
_CALL_REACH: Final = 60  # characters
_CALL_WORD: Final = re.compile(r"[^\s,/()\"“”\0]+")
_COUNTED: Final = re.compile(
    r" (?:(?!(?:us|this|is|was|has|unless|always)\b)[a-z]+s|people|men|women|children|more|of)\b"
)
_COUNTED_MUCH: Final = re.compile(
    r" (?:dollars|euros|pounds|people|miles|pages|times|things|days)\b"
)
_LONGEST_PATH: Final = 40  # characters; what is longer nobody listens to


def _say_address(address: str) -> Words:
    words: list[str] = []
    parts = _PIECE.findall(address)
    for index, part in enumerate(parts):
        if part in _MARKS:
            words.append(_MARKS[part])
        elif part.isdigit():
            words += say_cardinal(part) if len(part) <= 2 else say_digits(part)
        elif index and parts[index - 1] == "." and part in _ENDINGS.split("|"):
            words += (part,) if part in _SAID_ENDINGS else spell(part)
        elif len(part) == 1 or part.lower() in ("www", "http", "https", "html", "php"):
            words += spell(part)
        else:
            words.append(part.lower())
    return tuple(words)


def _say_url(found: re.Match[str]) -> Words:
    path = re.split(r"[?#]", found["path"] or "")[0].rstrip("/")
    host = found["host"].removeprefix("www.")
    return _say_address(host + (path if len(path) <= _LONGEST_PATH else ""))


def _say_email(found: re.Match[str]) -> Words:
    return _say_address(found[0])


def _say_file(found: re.Match[str]) -> Words:
    ending = found["ending"].lower()
    said = (ending,) if ending in _SAID_FILE_ENDINGS else spell(ending)
    name = re.split(r"[_-]+", found["name"] or "")
    return (*(word for part in name for word in _say_address(part)), "dot", *said)


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
    if number in _ALWAYS_CALLED:
        is_called = not _COUNTED_MUCH.match(found.string, found.end())
    else:
        is_count = number.isdigit() and number not in _SERVICES
        is_count = is_count and bool(_COUNTED.match(found.string, found.end()))
        is_called = not is_count and _is_call_spoken_of(
            found.string[max(0, found.start() - _CALL_REACH) : found.start()]
        )
    if number in ("999", "112") and _COUNTRY.match(found.string, found.end()):
        is_called = True
    return _say_phone(found) if is_called else None


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


def _say_handle(found: re.Match[str]) -> Words:
    lead = "at" if found[0][0] == "@" else "hashtag"
    return (lead, *_say_address(found["name"]))


def _say_long_digits(found: re.Match[str]) -> Words:
    return say_digits(found[0])


RULES: Final = (
    Rule(re.compile(r"\d{21,}"), _say_long_digits),
    Rule(re.compile(rf"\b[A-Za-z0-9][\w.+-]{{0,63}}@{_HOST}\b"), _say_email),
    Rule(
        re.compile(
            r"\b(?:(?:https?|ftp)://)(?P<host>[\w.-]{1,253}(?::\d{1,5})?)"
            r"(?P<path>/[^\s<>\"')\]]{0,2000})?(?<![.,;:!?])"
        ),
        _say_url,
    ),
    Rule(
        re.compile(
            rf"(?<![\w@.-])(?P<host>(?:www\.)?{_HOST})\b(?![.\w@-])"
            r"(?P<path>/[^\s<>\"')\]]{0,2000}(?<![.,;:!?]))?"
        ),
        _say_url,
    ),
    Rule(
        re.compile(
            rf"(?<![\w.@/-])(?P<name>[A-Za-z0-9_][\w-]{{0,60}})?\."
            rf"(?P<ending>(?i:{_FILE_ENDINGS}))\b(?![.@-]\w)"
        ),
        _say_file,
    ),
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
    Rule(re.compile(r"(?<![\w.$€£/,:-])0\d{1,4}(?:[ -]\d{2,8}){1,5}(?![\w-]|[.,:]\d)"), _say_phone),
    Rule(
        re.compile(
            r"(?<![\w.$€£/,:#-])(?P<digits>(?!911|988|999|112)\d{2,4}(?:[ -]\d{2,4}){1,3}|\d{3,6})"
            r"(?![\w%°'’\"+-]|[.,:/]\d| ?[€£%°])"
        ),
        _say_called_number,
    ),
    Rule(re.compile(r"(?<![\w@#&])[@#](?P<name>[A-Za-z]\w{1,40})"), _say_handle),
)
