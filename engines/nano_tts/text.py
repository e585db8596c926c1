"""Written clauses → words as the voice reads them."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.g2p import load_phonemizer
from rt_avatar.engines.nano_tts.tokens import MARKS, SpokenWord
from rt_avatar.engines.text.tokens import pause_after, shorten

# The phonemizer's marks, as the recordings' texts have them.
_MARK_OF: Final = {
    ",": ",", ";": ",", ":": ",", "—": ",", "…": ".", ".": ".", "!": "!", "?": "?",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadClause:
    """A clause as it is read aloud.

    Attributes:
        words: As they are said.
        written: For each, what the caption shows; "" where it belongs to the word before.
        pause_s: The silence behind the clause.
    """

    words: tuple[SpokenWord, ...]
    written: tuple[str, ...]
    pause_s: float


def read_clause(text: str) -> ReadClause | None:
    """Return a clause as it is read; None when there is nothing in it that can be said."""
    short = shorten(text)
    words: list[SpokenWord] = []
    written: list[str] = []
    for word in load_phonemizer().phonemize(short):
        for index, spoken in enumerate(word.spoken):
            mark = _MARK_OF.get(spoken.mark, "")
            words.append(SpokenWord(spoken.phones, MARKS.index(mark), pause=bool(mark)))
            written.append(word.text if index == 0 else "")
    if not words:
        return None
    return ReadClause(tuple(words), tuple(written), pause_after(short))
