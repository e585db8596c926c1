"""E-mail, web addresses, names of files and handles → their words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import Words, say_cardinal, say_digits
from rt_avatar.engines.text.rules import Rule, spell

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
    Rule(re.compile(r"(?<![\w@#&])[@#](?P<name>[A-Za-z]\w{1,40})"), _say_handle),
)
