"""Split streamed text into clauses that can be spoken; the first one is short.

``ClauseSplitter.push(delta)`` gives the clauses that are complete. It works character by character
and never looks at where a delta ends, so how the text was cut into deltas cannot change the result.
Marks that cannot be spoken (markdown, emoji) are taken out by ``speakable``; joined with spaces the
clauses are ``speakable`` of the whole text. Knows no language but the English conjunctions of the
first clause; sentence ends are known for Latin, CJK, Arabic, Devanagari, Armenian and Ethiopic.
"""

import re
from typing import Final

from rt_avatar.engines.text.abbreviations import say_short
from rt_avatar.engines.word_set import word_set

# A voice's prosody spans a clause; longer ones delay speech and captions (about 14 s spoken).
MAX_CLAUSE_CHARS: Final = 200
# Later clauses end at a comma only from here on (about 6 s): shorter sentences keep their melody.
LONG_COMMA_CHARS: Final = 90
# A first clause ends at a comma from so many words on: below, lone interjections ("Oh,") are cut
# off. When time is short it may: an "Oh," is 0.4 s in which the rest is made.
FIRST_COMMA_WORDS: Final = 3
SHORT_COMMA_WORDS: Final = 1
# One without any comma ends before a conjunction or preposition, then anywhere.
FIRST_SENSIBLE_WORDS: Final = 10
FIRST_ANYWHERE_WORDS: Final = 16
# When time is short: about a second of speech, by the end of which the next clause is made.
SHORT_ANYWHERE_WORDS: Final = 6
# By how many words a joint may then come earlier: before "and" from three words on.
SHORT_JOINT_WORDS: Final = 2

_WIDE: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_CLOSERS: Final = "\"'”’»)]}*_`」』）】〉》~"
_ENDS: Final = ".!?…؟۔।॥։።‼⁇⁈⁉"
_WIDE_ENDS: Final = "。！？｡"  # no space follows these
_SOFT: Final = ",;:،؛—–"
_WIDE_SOFT: Final = "，、；："

_SENTENCE_END = re.compile(rf"[{_ENDS}]+[{re.escape(_CLOSERS)}]*$")
_SOFT_END = re.compile(rf"(?:[{_SOFT}?!]|\.\.\.|…|\s-+)[{re.escape(_CLOSERS)}]*$")
_WIDE_SENTENCE_END = re.compile(rf"[{_WIDE_ENDS}]+[{re.escape(_CLOSERS)}{_ENDS}]*$")
_WIDE_SOFT_END = re.compile(rf"[{_WIDE_SOFT}][{re.escape(_CLOSERS)}]*$")
_RANGE = re.compile(r"(?:\d|\d ?[ap]m|[ap]\.m\.) [-–]$", re.I)  # "9 a.m. - 5 p.m."
_LAST_TOKEN = re.compile(r"(\S+)$")

# Never the end of a sentence, whatever follows.
_TITLES: Final = word_set(
    "drs mr messrs mrs ms mx prof sr sra mt ft rev hon gen col capt lt maj sgt gov sen rep "
    "pres sq "
    "e.g i.e eg ie vs cf viz approx ca fig vol ch pp ed est dept univ u.s u.k u.n e.u "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri"
)
# The end of a sentence only if a capital follows.
_MAY_END: Final = word_set(
    "a.m p.m am pm etc inc ltd co corp jr bros al ph.d m.d b.a m.a "
    "yr yrs mo hr hrs min mins sec secs lb lbs oz tsp tbsp cm mm km kg ave blvd rd"
)
# "No. 5", but "No. I won't."
_BEFORE_NUMBER: Final = word_set("no nos p art sec eq apt ext tel min max rs")
# Of these the next word tells. Behind a time it may belong to it: "5 p.m. Monday".
_DOUBTFUL: Final = re.compile(r"\b(?:[ap]\.m|st|dr)\.$", re.I)
_OF_TIME: Final = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Mon|Tue|Wed|Thu|Fri|Sat|Sun"
    r"|January|February|March|April|June|July|August|September|October|November|December"
    r"|Eastern|Central|Mountain|Pacific|A?[BCEMP][SD]T|[CEMP]T|CES?T|IST|GMT|UTC)$"
)
# The end of one where it is a street: "Main St. He", not "St. Louis".
_STREETS: Final = word_set("st dr")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # "J.K. Rowling", "A.I. is"

# Words before which a first clause may end, and how many words must stand before them. "so" is not
# among them: it is mostly an adverb ("so lonely").
_JOINTS: Final = (
    (5, word_set("and but or because since although though while")),
    (8, word_set("when where if unless until that which who after before")),
    (FIRST_SENSIBLE_WORDS, word_set("about at by for from in into of on over to with")),
)

_EMOJI = re.compile(
    "(?:[\U0001f000-\U0001faff\U0001f1e6-\U0001f1ff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff"
    "\u2300-\u23ff\u3030\u303d\u3297\u3299]|[0-9#*]\ufe0f?\u20e3"
    "|[\ufe0f\ufe0e\u200d\u20e3]|[\U000e0020-\U000e007f])+"
)
_EMOTICON = re.compile(r"(?:(?<=\s)|^)[:;=]['’]?-?[()DPpOo/|*3](?=[\s.,!?]|$)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_LINK_END = re.compile(r"\](?:\([^()\s]*\)|[^(])")
_LINE_MARK = re.compile(r"^\s*(?:```\w*|#{1,6}\s|>+\s|[-*+•‣]\s+(?=\S)|\d{1,2}[.)]\s+(?=\S))+\s*")
_ANSWER = re.compile(r"\s*(?!1[.)])\d{1,2}[.)]\s")
# But one between two numbers is a sign: "2*3", "2 * (3 + 4)".
_STARS = re.compile(r"(?!(?<=[\d)])\*{1,2}[\d(]|(?<=[\d)] )\* [\d(])\*+")
_UNDERSCORES = re.compile(r"(?<!\w)_+|_+(?!\w)")
_TICKS = re.compile(r"`+|~~+")
_SPEECH = re.compile(r"[^\W_]")


def speakable(text: str) -> str:
    """Return text without markdown, emoji and emoticons, blanks made single.

    Words inside the marks are kept (of a link, its words; of code, its text). Empty when nothing
    that can be spoken is left.
    """
    lines: list[str] = []
    for written in text.splitlines():
        line = _speakable_line(written, opens_line=True, opens_text=not lines)
        if line:
            lines.append(line)
    return " ".join(lines)


def ends_sentence(clause: str) -> bool:
    """Whether a clause that nothing follows ends like a sentence."""
    return bool(_SENTENCE_END.search(clause) or _WIDE_SENTENCE_END.search(clause))


def _speakable_line(line: str, *, opens_line: bool, opens_text: bool) -> str:
    line = _LINK.sub(r"\1", line)
    # A list begins with 1: "42. Anything else?" is an answer.
    if opens_line and not (opens_text and _ANSWER.match(line)):
        line = _LINE_MARK.sub("", line)
    line = _EMOTICON.sub("", _EMOJI.sub(" ", line))
    line = _UNDERSCORES.sub("", _STARS.sub("", _TICKS.sub("", line)))
    line = re.sub(r"\s+([,!?;:…]|\.(?!\w))", r"\1", " ".join(line.split()))
    return line if _SPEECH.search(line) else ""


class ClauseSplitter:
    """Splits one reply. Make a new one for each.

    Args:
        is_first_short: End the first clause as early as it can be spoken by itself.
    """

    def __init__(self, is_first_short: bool = False) -> None:
        self._comma_words = SHORT_COMMA_WORDS if is_first_short else FIRST_COMMA_WORDS
        self._anywhere_words = SHORT_ANYWHERE_WORDS if is_first_short else FIRST_ANYWHERE_WORDS
        self._earlier = SHORT_JOINT_WORDS if is_first_short else 0
        self._buffer = ""
        self._is_first = True
        self._opens_line = True
        self._doubtful = 0  # where a sentence ends if the word that follows is no part of it

    def push(self, text_delta: str) -> list[str]:
        """Take the next piece of text; return the clauses that are complete with it."""
        clauses: list[str] = []
        for char in text_delta:
            while cut := self._find_cut(char):
                self._take(cut, clauses)
            self._buffer += char
        return clauses

    def flush(self) -> list[str]:
        """Return what is left; the splitter then begins anew."""
        clauses: list[str] = []
        if cut := self._settle_doubt():
            self._take(cut, clauses)
        self._take(len(self._buffer), clauses)
        self._is_first = True
        return clauses

    def _take(self, cut: int, clauses: list[str]) -> None:
        opens_line = self._opens_line or self._buffer.startswith("\n")
        clause = _speakable_line(
            self._buffer[:cut].strip(), opens_line=opens_line, opens_text=self._is_first
        )
        self._buffer = self._buffer[cut:].lstrip()
        self._opens_line = False
        if clause:
            clauses.append(clause)
            self._is_first = False

    def _find_cut(self, char: str) -> int:
        """Return how much of the buffer is a clause, now that ``char`` is known to follow it."""
        buffer = self._buffer
        if not buffer:
            return 0
        is_word_whole = not char.isalpha() or len(buffer) >= MAX_CLAUSE_CHARS - 1
        if self._doubtful and is_word_whole and (cut := self._settle_doubt()):
            return cut
        if char == "\n":
            return len(buffer)
        if len(buffer) >= MAX_CLAUSE_CHARS - 1:
            return self._hard_cut()
        if self._is_inside_link():
            return 0
        if char.isspace():
            return self._joint_cut() if self._is_first and not buffer[-1].isspace() else 0
        if buffer[-1].isspace():
            return len(buffer) if self._ends_here(buffer.rstrip(), char) else 0
        if char not in _CLOSERS + _ENDS + _WIDE_ENDS + _WIDE_SOFT:
            if _WIDE_SENTENCE_END.search(buffer):
                return len(buffer)
            if _WIDE_SOFT_END.search(buffer) and self._wants_soft(buffer):
                return len(buffer)
        return 0

    def _is_inside_link(self) -> bool:
        opened = self._buffer.rfind("[")
        return opened >= 0 and not _LINK_END.search(self._buffer[opened:] + " ")

    def _settle_doubt(self) -> int:
        """Return where a sentence ends behind "p.m." or "St.", now that the next word is whole."""
        cut, self._doubtful = self._doubtful, 0
        head, following = self._buffer[:cut].rstrip(), self._buffer[cut:]
        before, last = head[:-3], head[-3:-1]
        if last.casefold() in _STREETS:
            said = say_short(last, True, following, before)
            is_end = said is not None and not said[1]
        else:
            is_end = not _OF_TIME.match(following)
        return cut if is_end else 0

    def _ends_here(self, head: str, char: str) -> bool:
        """Whether a clause ends between ``head`` (no trailing blanks) and the word of ``char``."""
        head = _EMOJI.sub("", head).rstrip()
        if _SENTENCE_END.search(head) and self._is_sentence_end(head, char):
            if not _DOUBTFUL.search(head):
                return True
            self._doubtful = len(self._buffer)
            return False
        is_in_number = char.isdigit() and (head[-2:-1].isdigit() or _RANGE.search(head))
        if _SOFT_END.search(head) and not is_in_number:
            return self._wants_soft(head)
        return self._is_first and _count_words(head) >= self._anywhere_words

    @staticmethod
    def _is_sentence_end(head: str, char: str) -> bool:
        token = _LAST_TOKEN.search(head)
        word = token.group(1).lstrip("\"'“‘«([{*_") if token else ""
        bare = word.rstrip(_CLOSERS)
        if not bare.endswith("."):  # "?", "!", "…" and other scripts
            return not char.islower()
        stem = bare[:-1].casefold()
        if bare.endswith(".."):
            return not char.islower()
        if stem in _STREETS:
            return char.isupper()
        if stem in _TITLES or (len(stem) == 1 and stem.isalpha() and stem != "i"):
            return False
        if stem in _BEFORE_NUMBER and char.isdigit():
            return False
        if stem.isdigit() and head.strip() == word:  # "1." opens a line of a list
            return False
        if stem in _MAY_END:
            return char.isupper()
        return not _INITIALS.fullmatch(stem)

    def _wants_soft(self, head: str) -> bool:
        if self._is_first:
            return _count_words(head) >= self._comma_words
        return len(head) >= LONG_COMMA_CHARS

    def _joint_cut(self) -> int:
        """Return where a long first clause ends before the word just completed, or 0."""
        head, _, word = self._buffer.rpartition(" ")
        for words, joints in _JOINTS:
            if word.casefold() in joints and _count_words(head) >= words - self._earlier:
                return len(head) + 1
        return 0

    def _hard_cut(self) -> int:
        """Return the best place in a clause that got too long: comma, joint, blank, anywhere."""
        buffer = self._buffer
        for pattern in (rf"[{_SOFT}]\s+|[{_WIDE_SOFT}]", r"\s+(?=(?:and|but|or|so|because)\s)"):
            places = [match.end() for match in re.finditer(pattern, buffer)]
            if places and places[-1] >= MAX_CLAUSE_CHARS // 3:
                return places[-1]
        blank = buffer.rstrip().rfind(" ")
        return blank + 1 if blank > 0 else len(buffer)


def _count_words(text: str) -> int:
    wide = len(re.findall(rf"[{_WIDE}]", text))
    rest = re.sub(rf"[{_WIDE}]", " ", text)
    # Two ideographs or syllables are spoken in about the time of an English word.
    return sum(bool(_SPEECH.search(word)) for word in rest.split()) + wide // 2
