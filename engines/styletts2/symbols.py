"""The symbols of StyleTTS 2 and of Kokoro, and a phoneme string's way to them: ``str`` → token ids.

One code point is one token: stress and length marks, spaces and combining marks are tokens of
their own, and nothing is put between them. The traps of the published table:

* The ASCII apostrophe stands in it twice, at 174 and 176. A dictionary keeps the later: 176.
* ``ɡ`` is U+0261, not the letter g; β, θ and χ are the Greek letters.
* A symbol that is not in the table is dropped without a word.
* Training wraps a sentence in the pad symbol at both ends; the released programs put it only in
  front, Kokoro's at both ends.
* Kokoro has the same 178 rows and another table for them: of the letters A to Z it keeps the eight
  that misaki writes sounds with, at places of their own, and it has ᵊ; other rows stand empty.

Source: the symbol tables of the published models, enumerated; Kokoro's is ``vocab`` in its
``config.json``.
"""

from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.styletts2.recipe import Notation, Wrap

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
# First row, and the symbols from there on.
_KOKORO: Final = (
    (1, ";:,.!?"), (9, '—…"()“” \u0303ʣʥʦʨᵝ\uab67AI'), (31, "O"), (33, "Q"), (35, "ST"), (39, "W"),
    (41, "Yᵊabcdef"), (50, "hijklmnopqrstuvwxyzɑɐɒæ"), (75, "βɔɕç"), (80, "ɖðʤə"), (85, "ɚɛɜ"),
    (90, "ɟ"), (92, "ɡ"), (99, "ɥ"), (101, "ɨɪʝ"), (110, "ɯɰŋɳɲɴø"), (118, "ɸθœ"), (123, "ɹ"),
    (125, "ɾɻ"), (128, "ʁɽʂʃʈʧ"), (135, "ʊʋ"), (138, "ʌɣɤ"), (142, "χʎ"), (147, "ʒʔ"),
    (156, "ˈˌː"), (162, "ʰ"), (164, "ʲ"), (169, "↓"), (171, "→↗↘"), (177, "ᵻ"),
)  # fmt: skip
KOKORO_ID: Final[dict[str, int]] = {
    symbol: first + index for first, symbols in _KOKORO for index, symbol in enumerate(symbols)
}
SYMBOL_IDS: Final[dict[Notation, dict[str, int]]] = {"espeak": SYMBOL_ID, "misaki": KOKORO_ID}


def encode(phonemes: str, wrap: Wrap = "lead", notation: Notation = "espeak") -> list[int]:
    """Return the tokens of a phoneme string, symbols that are not in the notation's table dropped.

    Raises:
        ValueError: No symbol is known, or there are more than PL-BERT has positions for.
    """
    table = SYMBOL_IDS[notation]
    ids = [table[symbol] for symbol in phonemes.strip() if symbol in table]
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
