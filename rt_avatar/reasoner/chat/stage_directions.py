"""Take stage directions out of a model's reply as it is decoded.

"*smiles warmly* I hear you": models write so although they are asked not to, and the voice would
read it out. A direction stands at the beginning of a sentence, where nothing else begins with a
small letter, and another sentence or nothing follows it: "*so* sorry" is spoken. How the text was
cut into deltas changes nothing.
"""

import re
from typing import Final

from rt_avatar.engines.word_set import word_set

_CLOSING: Final = {"*": "*", "(": ")", "[": "]"}
_ENDS: Final = ".!?…\n"
_CLOSERS: Final = "\"'”’)]*"
_OPENING_QUOTES: Final = '"“¿¡'
_LONGEST: Final = 80  # characters; what is longer is something said
# Those that models also write with a capital: "*Smiles*".
_ACTS: Final = word_set(
    "chuckles exhales gently grins laughs leans listens looks nods pauses sighs smiles smiling "
    "softly takes tilts warmly whispers winks"
)
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")


class StageDirections:
    """Reads one reply. Make a new one for each."""

    def __init__(self) -> None:
        self._held = ""  # what may turn out to be a direction, with the blanks behind it
        self._is_closed = False
        self._opens_sentence = True

    def push(self, text: str) -> str:
        """Take the next piece; return what of the reply is to be spoken."""
        return "".join(map(self._take, text))

    def flush(self) -> str:
        """Take the end of the reply; return the rest."""
        return self._let_go(is_direction=self._is_closed)

    def _take(self, char: str) -> str:
        if not self._held:
            if self._opens_sentence and char in _CLOSING:
                self._held = char
                return ""
            self._note(char)
            return char
        if self._is_closed and char not in " \t":
            is_link = char == "(" and self._held[-1] == "]"
            begins = char.isupper() or char in "\n" + _OPENING_QUOTES or char in _CLOSING
            return self._let_go(is_direction=begins and not is_link) + self._take(char)
        self._held += char
        if not self._is_closed:
            if not _may_be_direction(self._held):
                return self._let_go(is_direction=False)
            self._is_closed = char == _CLOSING[self._held[0]]
        return ""

    def _let_go(self, *, is_direction: bool) -> str:
        held, self._held, self._is_closed = self._held, "", False
        if is_direction:
            return ""
        for char in held:
            self._note(char)
        return held

    def _note(self, char: str) -> None:
        if char in _ENDS:
            self._opens_sentence = True
        elif not char.isspace() and char not in _CLOSERS:
            self._opens_sentence = False


def _may_be_direction(text: str) -> bool:
    """Whether text from an opening mark on is a direction, as far as it is known."""
    word = _FIRST_WORD.match(text, 1)
    if word is None or "\n" in text or len(text) > _LONGEST:
        return False
    is_whole = word.end() < len(text)
    first = word.group()
    return first[0].islower() or not is_whole or first.casefold() in _ACTS
