"""English text as people and language models write it → the words to be said, with their places.

Rules for expressions (addresses, dates, quantities, abbreviations) are applied first, each on what
those before have left; then come ordinary words, and last the marks at which a speaker pauses.
What no one can say (markup, emoji, other scripts) is passed over. Linear in the length of the text.
"""

import logging
import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.text import (
    abbreviations,
    addresses,
    arithmetic,
    dates,
    fractions,
    measures,
    money,
    quantities,
    telephone,
)
from rt_avatar.engines.text.characters import blank_markup, fold_compatible, printable
from rt_avatar.engines.text.numbers import Words, make_plural, say_cardinal, say_digits
from rt_avatar.engines.text.rules import Rule, spell

MARKS: Final = ",;:.?!—…"

_log = logging.getLogger(__name__)
_SAID: Final = ("roman", "digits", "per")  # groups of a rule that are said, the rest being context
_TAKEN: Final = "\0"  # stands for what a rule has said already
_RULES: Final[tuple[Rule, ...]] = (
    *addresses.RULES, *telephone.RULES, *arithmetic.RULES, *dates.RULES, *abbreviations.RULES,
    *money.RULES, *measures.RULES, *fractions.RULES, *quantities.RULES,
)  # fmt: skip
_MAY_HAVE_RULES: Final = re.compile(
    r"[\d@#&/²³⁰⁴-⁹⁻π√≤≥≠±½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|[<>!=]=|\b[A-Za-z]\.|[IVX]{2}|\b[IVX]\b|\.\w"
    rf"|vs\.|\w[-–][A-Z]|\b(?:{dates.SHORT_NAMES})\b"
)
_BULLET: Final = re.compile(r"(?m)^[ \t]*(?:[-*+•‣◦▪●–—]|#{1,6}|>)[ \t]+(?:\[[ xX]\])?")
_ITEM_NUMBER: Final = re.compile(r"(?m)^[ \t]*(\d{1,3})[.)](?=[ \t]+\S)")
_RULER: Final = re.compile(r"(?m)^[ \t]*(?:[-*_=]{3,}|\|?[ \t:|-]{4,}\|)[ \t]*$")
_EMOTICON: Final = re.compile(
    r"(?<![\w)])(?:[:;=]['’]?-?[()DPpOo3*|/\\]{1,5}|<3+|\^_+\^|-_+-|[xX]D)(?!\w)"
)
_LETTER: Final = r"[^\W\d_²³¹⁰-₉]"
_WORD: Final = re.compile(rf"(?:(?<!\w)['’])?{_LETTER}+(?:['’ʼ-]{_LETTER}+)*")
_CODE: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z]{1,20}-?\d|\d{1,20}-?[A-Za-z])[A-Za-z0-9]{0,40}(?![A-Za-z0-9])"
)
_CODE_PART: Final = re.compile(r"[A-Za-z]+|\d+")
_READ_PART: Final = re.compile(r".{6}|(?=.*[aeiouy])(?=.*[a-z]).{4}")  # of no known word
_CASE_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_APOSTROPHES: Final = str.maketrans("’ʼ", "''")
_SHORTENED: Final = frozenset(("'em", "'cause", "'til", "'bout", "'tis", "'twas", "'kay", "'n"))
_MARK: Final = re.compile(r"\.{2,}|\.(?: \.)+|--+|[ \t][-–][ \t]|[—–…,;:.?!()|]|[&+=%@/]|\n\s*")
_SIGNS: Final = {"&": "and", "+": "plus", "=": "equals", "%": "percent", "@": "at"}
_MARK_OF: Final = {"(": ",", ")": ",", "|": ",", "–": "—"}
_OPENING: Final = "\"'“”‘’«»([{*_`~"
_BEFORE: Final = 24  # characters before an abbreviation that tell what it is
_BEHIND: Final = 24  # and behind it
# Said otherwise than without their accents: as the lexicon writes it.
_ACCENTED: Final = {"résumé": "rezumay", "rosé": "rozay", "exposé": "expozay"}
_SHOUTED_SHARE: Final = 0.6
_SHOUTED_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Expression:
    """What is said for ``text[start:end]``.

    Attributes:
        words: In lower case; single capitals, also with an s, are letters that are spelled; a
            mark of ``MARKS`` is a pause.
        start: First character.
        end: Character after the last.
    """

    words: Words
    start: int
    end: int


def normalize(text: str, lexicon: Container[str]) -> tuple[Expression, ...]:
    """Return what is said, in order, without overlaps; nothing where nothing can be said.

    Args:
        text: Of any length and content.
        lexicon: Words in lower case that are known; it decides which capitals are an acronym.
    """
    left = blank_markup(fold_compatible(printable(text, "\n")))
    left = _EMOTICON.sub(_blank, _RULER.sub(_blank, left))
    expressions: list[Expression] = []
    left = _take_item_numbers(left, expressions)
    left = _BULLET.sub(_blank_bullet, left)
    if _MAY_HAVE_RULES.search(left):
        for rule in _RULES:
            left = _take(left, rule, expressions)
    written = left
    left = _take_words(left, expressions, lexicon)
    _take_marks(left, written, expressions)
    expressions.sort(key=lambda expression: expression.start)
    unsaid = sum(character.isalnum() for character in left)
    if unsaid:
        _log.info("text: %d characters that English has no sound for are passed over", unsaid)
    return tuple(expressions)


def _blank(found: re.Match[str]) -> str:
    return "".join("\n" if character == "\n" else " " for character in found[0])


def _blank_bullet(found: re.Match[str]) -> str:
    """Return spaces of the same length; an item behind the first line begins anew."""
    return ("\n" if found.start() else " ") + " " * (len(found[0]) - 1)


def _cover(text: str, spans: list[tuple[int, int]]) -> str:
    """Return ``text`` with spans marked as taken."""
    if not spans:
        return text
    pieces, position = [], 0
    for start, end in spans:
        pieces += [text[position:start], _TAKEN * (end - start)]
        position = end
    return "".join((*pieces, text[position:]))


def _take(text: str, rule: Rule, expressions: list[Expression]) -> str:
    spans = []
    names = rule.pattern.groupindex
    for found in rule.pattern.finditer(text):
        words = rule.say(found)
        if words is not None:
            span = found.span(next((name for name in _SAID if name in names), 0))
            expressions.append(Expression(words, *span))
            spans.append(span)
    return _cover(text, spans)


def _take_item_numbers(text: str, expressions: list[Expression]) -> str:
    spans = []
    for found in _ITEM_NUMBER.finditer(text):
        start, end = found.start(1), found.end()
        expressions.append(Expression((*say_cardinal(found[1]), ","), start, end))
        spans.append((start, end))
    return _cover(text, spans)


def _take_words(text: str, expressions: list[Expression], lexicon: Container[str]) -> str:
    spans = []
    for found in _CODE.finditer(text):
        expressions.append(Expression(_say_code(found[0], lexicon), *found.span()))
        spans.append(found.span())
    text = _cover(text, spans)
    is_shouted = _is_shouted(text)
    spans = []
    for found in _WORD.finditer(text):
        start, end = found.span()
        if found[0][0] in "'’" and found[0].translate(_APOSTROPHES).lower() not in _SHORTENED:
            start += 1
        written = text[start:end]
        word = _fold_accents(written).translate(_APOSTROPHES).rstrip("'")
        if not word.isascii() or not word:
            continue
        has_stop = text[end : end + 1] == "."
        short = abbreviations.say_short(
            word,
            has_stop,
            text[end + has_stop : end + has_stop + _BEHIND].lstrip(" \t" + _OPENING),
            text[max(0, start - _BEFORE) : start],
        )
        if short is not None:
            words, is_its_stop = short
            end += is_its_stop
        else:
            following = text[end : end + 2]
            is_loud = is_shouted or abbreviations.is_shouted_pronoun(
                word, text[max(0, start - _BEFORE) : start], text[end : end + _BEFORE], lexicon
            )
            words = _say_word(word, is_loud, lexicon, following)
        expressions.append(Expression(words, start, end))
        spans.append((start, end))
    return _cover(text, spans)


def _say_word(word: str, is_shouted: bool, lexicon: Container[str], following: str) -> Words:
    if len(word) == 1:
        is_article = word in "aA" and (word == "a" or following[:1] == " ") and following != ""
        return (word.lower(),) if word in "iIoO" or is_article else (word.upper(),)
    bare = word[:-2] if word.endswith("'s") else word
    if re.fullmatch("[A-Z]{2,}s?", bare):
        letters = abbreviations.say_capitals(bare, is_shouted, lexicon)
        if letters is not None:
            return (*letters[:-1], letters[-1] + "s") if bare != word else letters
    lower = word.lower()
    if lower in lexicon or bare.lower() in lexicon:
        return (lower,)
    if "-" in word:
        parts = [_say_word(part, is_shouted, lexicon, "-") for part in word.split("-") if part]
        return tuple(said for part in parts for said in part)
    if re.search("[a-z][A-Z]", word) and not word.startswith(("Mc", "Mac", "O'", "De", "La")):
        parts = [_say_word(part, is_shouted, lexicon, "-") for part in _CASE_PART.findall(word)]
        return tuple(said for part in parts for said in part)
    return (lower,)


def _say_code(code: str, lexicon: Container[str]) -> Words:
    """Return letters mixed with digits: names of things, such as B2B, MP3, covid19."""
    words: list[str] = []
    parts = _CODE_PART.findall(code)
    if len(parts) > 1 and parts[-1] == "s" and parts[-2].isdigit():  # several of it
        return (
            *_say_code(code[: -1 - len(parts[-2])], lexicon),
            *make_plural(_say_digits(parts[-2])),
        )
    for part in parts:
        if part.isdigit():
            words += _say_digits(part)
        elif abbreviations.is_letters(part):
            words += spell(part)
        elif (len(part) > 2 and part.lower() in lexicon) or _READ_PART.match(part):
            words.append(part.lower())
        else:
            words += spell(part)
    return tuple(words)


def _say_digits(digits: str) -> Words:
    is_read = len(digits) <= 2 or (len(digits) == 3 and digits.endswith("00"))
    return say_cardinal(digits) if is_read else say_digits(digits)


def _is_shouted(text: str) -> bool:
    """Whether most words of two and more letters are in capitals."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    capitals: int = sum(word.isupper() for word in words)
    return capitals >= _SHOUTED_WORDS and capitals >= _SHOUTED_SHARE * len(words)


def _fold_accents(word: str) -> str:
    if word.isascii():
        return word
    lower = word.lower()
    accented = next((one for one in _ACCENTED if re.fullmatch(rf"{one}(?:['’]?s)?", lower)), "")
    if accented:
        return lower.replace(accented, _ACCENTED[accented])
    for letter, plain in (("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("ł", "l")):
        word = word.replace(letter, plain)
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _take_marks(text: str, before: str, expressions: list[Expression]) -> None:
    """Note the pauses that punctuation asks for, and signs that are words.

    Args:
        text: What no rule and no word has taken.
        before: The same when words were not taken yet.
        expressions: Where they are noted.
    """
    for found in _MARK.finditer(text):
        written = found[0]
        if written in _SIGNS:
            expressions.append(Expression((_SIGNS[written],), *found.span()))
            continue
        mark = _mark(written, before[found.end() : found.end() + 1])
        if mark:
            expressions.append(Expression((mark,), *found.span()))


def _mark(written: str, following: str) -> str:
    if written[0] == "\n":
        is_new = "\n" in written[1:] or not following.islower()
        return "." if is_new and following else ""
    if written.startswith(".") and len(written) > 1:
        return "…"
    stripped = written.strip()
    if stripped.startswith("-"):
        return "—"
    return _MARK_OF.get(stripped, stripped if stripped in MARKS else "")
