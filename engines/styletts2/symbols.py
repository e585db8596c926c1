"""The 178 symbols of StyleTTS 2 and the way of a phoneme string to them: ``str`` → token ids.

One code point is one token: stress and length marks, spaces and combining marks are tokens of
their own, and nothing is put between them. The traps of the published table:

* The ASCII apostrophe stands in it twice, at 174 and 176. A dictionary keeps the later: 176.
* ``ɡ`` is U+0261, not the letter g; β, θ and χ are the Greek letters.
* A symbol that is not in the table is dropped without a word.
* Punctuation stands apart from words by spaces, because the recipe tokenises the phonemes into
  words again. That tokeniser writes a straight quotation mark as two backticks where it opens
  and as two apostrophes where it closes: the backticks are unknown and dropped, the apostrophes
  become two tokens 176.
* Training wraps a sentence in the pad symbol at both ends; the released programs put it only in
  front, Kokoro's at both ends.

Source: the symbol table of the published models, enumerated.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.styletts2.recipe import Quotes, Wrap

PAD: Final = 0
MAX_TOKENS: Final = 512  # positions of PL-BERT, the pad symbols included
_PUNCTUATION: Final = ';:,.!?¡¿—…"«»“” '
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_IPA: Final = (
    "ɑɐɒæɓʙβɔɕçɗɖðʤəɘɚɛɜɝɞɟʄɡɠɢʛɦɧħɥʜɨɪʝɭɬɫɮʟɱɯɰŋɳɲɴøɵɸθœɶʘɹɺɾɻʀʁɽʂʃʈʧʉʊʋⱱʌɣɤʍχʎʏʑʐʒʔʡʕʢ"
    "ǀǁǂǃˈˌːˑʼʴʰʱʲʷˠˤ˞↓↑→↗↘'\u0329'ᵻ"
)
SYMBOLS: Final = ("$", *_PUNCTUATION, *_LETTERS, *_IPA)
SYMBOL_ID: Final[dict[str, int]] = {symbol: index for index, symbol in enumerate(SYMBOLS)}

_SPLIT: Final = (
    (re.compile(r"([«“‘„»”’;?!]|\.{2,})"), r" \1 "),
    (re.compile(r"([:,])(?=\D|$)"), r" \1 "),
    (re.compile(r"(?<!\.)\.(?=\s|$)"), " ."),
    (re.compile(r'(^|[\s(\[{<])"'), r"\1 `` "),
    (re.compile(r'"'), " '' "),
)


def space_punctuation(phonemes: str, quotes: Quotes = "drop") -> str:
    """Return phonemes with punctuation as words of their own, joined by single spaces.

    ``— … ¡ ¿`` stay where they are: the word tokeniser of the recipe does not know them.

    Args:
        phonemes: What the grapheme-to-phoneme step gave, punctuation preserved.
        quotes: ``"delete"`` removes straight quotation marks before (LJSpeech), ``"drop"`` leaves
            what the tokeniser makes of them, ``"keep"`` maps that back to the mark (LibriTTS,
            long form).
    """
    text = phonemes.replace('"', "") if quotes == "delete" else phonemes
    for pattern, spaced in _SPLIT:
        text = pattern.sub(spaced, text)
    text = " ".join(text.split())
    return text.replace("``", '"').replace("''", '"') if quotes == "keep" else text


def encode(phonemes: str, wrap: Wrap = "lead") -> list[int]:
    """Return the tokens of a phoneme string, symbols that are not in the table dropped.

    Raises:
        ValueError: No symbol is known, or there are more than PL-BERT has positions for.
    """
    ids = [SYMBOL_ID[symbol] for symbol in phonemes.strip() if symbol in SYMBOL_ID]
    if not ids:
        raise ValueError(f"phonemes: expected at least one known symbol, got {phonemes!r}")
    tokens = [PAD, *ids, PAD] if wrap == "both" else [PAD, *ids]
    if len(tokens) > MAX_TOKENS:
        raise ValueError(
            f"phonemes: expected at most {MAX_TOKENS} tokens, got {len(tokens)}; "
            "cut the text at a clause"
        )
    return tokens


def decode(tokens: Sequence[int]) -> str:
    """Return the symbols of tokens, without pads."""
    return "".join(SYMBOLS[token] for token in tokens if token != PAD)
