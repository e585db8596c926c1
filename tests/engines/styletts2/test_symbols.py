"""The symbol table and its traps."""

import hashlib
import json
import string

import pytest

from rt_avatar.engines.g2p import to_misaki
from rt_avatar.engines.g2p.phones import PHONES
from rt_avatar.engines.styletts2.symbols import (
    KOKORO_ID,
    MAX_TOKENS,
    SYMBOL_ID,
    SYMBOLS,
    decode,
    encode,
)

pytestmark = pytest.mark.unit


def test_the_table_has_178_places_and_the_published_ones():
    assert len(SYMBOLS) == 178
    published = {
        "$": 0, ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "¡": 7, "¿": 8, "—": 9, "…": 10,
        '"': 11, "«": 12, "»": 13, "“": 14, "”": 15, " ": 16, "A": 17, "Z": 42, "a": 43, "z": 68,
        "ɑ": 69, "\u03b2": 75, "ç": 78, "ʤ": 82, "ɚ": 85, "ɟ": 90, "\u0261": 92, "ɦ": 96,
        "ɲ": 114, "\u03b8": 119, "œ": 120, "ɹ": 123, "ʀ": 127, "ʁ": 128, "ʧ": 133, "ⱱ": 137,
        "\u03c7": 142, "ʒ": 147, "ʔ": 148, "ǃ": 155, "ˈ": 156, "ˌ": 157, "ː": 158, "ʼ": 160,
        "˞": 168, "↓": 169, "↘": 173, "\u0329": 175, "ᵻ": 177,
    }  # fmt: skip
    assert {symbol: SYMBOL_ID[symbol] for symbol in published} == published


# Code points of 69 to 177, of which glyphs that look alike could not deceive anyone.
IPA = """
251 250 252 e6 253 299 3b2 254 255 e7 257 256 f0 2a4 259 258 25a 25b 25c 25d 25e 25f 284 261 260 262
29b 266 267 127 265 29c 268 26a 29d 26d 26c 26b 26e 29f 271 26f 270 14b 273 272 274 f8 275 278 3b8
153 276 298 279 27a 27e 27b 280 281 27d 282 283 288 2a7 289 28a 28b 2c71 28c 263 264 28d 3c7 28e 28f
291 290 292 294 2a1 295 2a2 1c0 1c1 1c2 1c3 2c8 2cc 2d0 2d1 2bc 2b4 2b0 2b1 2b2 2b7 2e0 2e4 2de 2193
2191 2192 2197 2198 27 329 27 1d7b
"""


def test_every_place_has_the_published_code_point():
    punctuation = "3b 3a 2c 2e 21 3f a1 bf 2014 2026 22 ab bb 201c 201d 20"
    assert [ord(symbol) for symbol in SYMBOLS[1:17]] == [int(x, 16) for x in punctuation.split()]
    assert "".join(SYMBOLS[17:69]) == string.ascii_uppercase + string.ascii_lowercase
    assert [ord(symbol) for symbol in SYMBOLS[69:]] == [int(x, 16) for x in IPA.split()]
    assert {i: SYMBOL_ID[symbol] for i, symbol in enumerate(SYMBOLS) if SYMBOL_ID[symbol] != i} == {
        174: 176
    }


def test_the_apostrophe_is_176_though_it_stands_at_174_too():
    assert SYMBOLS[174] == SYMBOLS[176] == "'"
    assert encode("'") == [0, 176]
    assert 174 not in SYMBOL_ID.values()


def test_the_released_programs_wrap_in_front_only_and_kokoro_at_both_ends():
    assert encode("hi") == [0, 50, 51]
    assert encode("hi", wrap="both") == [0, 50, 51, 0]


def test_unknown_symbols_are_dropped_and_nothing_is_put_between():
    assert encode("h`日i") == encode("hi")
    assert decode(encode("həlˈoʊ, wˈɜːld!")) == "həlˈoʊ, wˈɜːld!"


def test_too_much_and_nothing_are_told():
    assert MAX_TOKENS == 512
    assert len(encode("a" * 511)) == len(encode("a" * 510, wrap="both")) == 512
    with pytest.raises(ValueError, match="at most 512 tokens, got 513; cut the text at a clause"):
        encode("a" * 511, wrap="both")
    with pytest.raises(ValueError, match="at most 512 tokens, got 513"):
        encode("a" * MAX_TOKENS)
    for nothing in ("日本", "", "  "):
        with pytest.raises(ValueError, match="at least one known symbol"):
            encode(nothing)


def test_kokoros_table_is_that_of_its_published_configuration():
    """Its config.json, written anew from our table, is the published file to the last byte."""
    rows = [(json.dumps(symbol, ensure_ascii=symbol in "\u0303"), KOKORO_ID[symbol])
            for symbol in KOKORO_ID]  # fmt: skip
    vocabulary = ",\n".join(f"    {name}: {row}" for name, row in rows)
    text = CONFIGURATION.replace("VOCABULARY", vocabulary.replace("\uab67", r"\uAB67"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == "5abb01e2403b072bf03d04fde160443e209d7a0dad49a423be15196b9b43c17f"


CONFIGURATION = """{
  "istftnet": {
    "upsample_kernel_sizes": [20, 12],
    "upsample_rates": [10, 6],
    "gen_istft_hop_size": 5,
    "gen_istft_n_fft": 20,
    "resblock_dilation_sizes": [
      [1, 3, 5],
      [1, 3, 5],
      [1, 3, 5]
    ],
    "resblock_kernel_sizes": [3, 7, 11],
    "upsample_initial_channel": 512
  },
  "dim_in": 64,
  "dropout": 0.2,
  "hidden_dim": 512,
  "max_conv_dim": 512,
  "max_dur": 50,
  "multispeaker": true,
  "n_layer": 3,
  "n_mels": 80,
  "n_token": 178,
  "style_dim": 128,
  "text_encoder_kernel_size": 5,
  "plbert": {
    "hidden_size": 768,
    "num_attention_heads": 12,
    "intermediate_size": 2048,
    "max_position_embeddings": 512,
    "num_hidden_layers": 12,
    "dropout": 0.1
  },
  "vocab": {
VOCABULARY
  }
}"""


def test_every_sound_that_is_written_for_kokoro_has_a_place_in_its_table():
    written = {symbol for phone in PHONES for symbol in to_misaki(("B", phone, "D"))}
    assert written <= set(KOKORO_ID)
    assert encode("A", "both", "misaki") == [0, 24, 0]
    assert encode("B", "both", "espeak") == [0, 18, 0]
    with pytest.raises(ValueError, match="at least one known symbol"):
        encode("B", "both", "misaki")
