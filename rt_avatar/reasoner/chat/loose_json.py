"""Values of JSON that may be malformed or still open, as models write it → their text."""

import re
from collections.abc import Mapping
from typing import Final

_ESCAPES: Final[Mapping[str, str]] = {"n": "\n", "t": " ", "r": "", "b": "", "f": ""}
_NEXT_KEY: Final = re.compile(r"\s*+(?:,\s*+)?(?:[\"']?\s*+[\w -]{2,24}[\"']?\s*:|[}\]]|$)")
# What may still become that, while the answer is open.
_KEY_START: Final = re.compile(r"\s*+(?:,\s*+)?[\"']?[\w -]{0,24}[\"']?\s*$")


def json_value(text: str, at: int, is_final: bool) -> tuple[str, int, bool]:
    """Return a value, where it ends, and whether that end was seen."""
    quote = text[at : at + 1]
    if quote not in ('"', "'", "“"):
        end = re.compile(r"\n|,\s*[\"'\n]|[}\]]").search(text, at)
        stop = end.start() if end else len(text)
        return text[at:stop], stop, end is not None or is_final
    quote = "”" if quote == "“" else quote
    out: list[str] = []
    place = at + 1
    while place < len(text):
        char = text[place]
        if char == "\\":
            taken, place = _escaped(text, place)
            if not taken and place >= len(text):
                return "".join(out), place, is_final
            out.append(taken)
            continue
        if char == quote:
            after = _NEXT_KEY.match(text, place + 1)
            if after and (is_final or after.group().strip(" ,\n")):
                return "".join(out), place + 1, True
            if after or (not is_final and _KEY_START.match(text, place + 1)):
                return "".join(out), place, is_final
        out.append(char)
        place += 1
    return "".join(out), place, is_final


def _escaped(text: str, place: int) -> tuple[str, int]:
    """Return the character that an escape at ``place`` stands for and where it ends."""
    code = text[place + 1 : place + 2]
    if code == "":
        return "", len(text)
    if code != "u":
        return _ESCAPES.get(code, code), place + 2
    digits = text[place + 2 : place + 6]
    if len(digits) < 4:
        return "", len(text)
    try:
        value = chr(int(digits, 16))
    except ValueError:
        return "u", place + 2
    return ("" if "\ud800" <= value <= "\udfff" else value), place + 6
