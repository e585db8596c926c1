"""Any text has ids and comes back; ids of special tokens are fixed; streaming says the same."""

import pytest

from rt_avatar.engines.llm.templates import NANO
from rt_avatar.engines.llm.tokens import SPECIALS, TextStream, Tokens, train
from tests.engines.llm.tiny import TEXTS, tokens

pytestmark = pytest.mark.unit

HARD = ("Größe 🙂 naïve 漢字 \n\t  two  spaces", "", " leading", "👩‍👩‍👧‍👦!", *TEXTS)


@pytest.mark.parametrize("text", HARD)
def test_text_comes_back_to_the_byte(text):
    ids = tokens().encode(text)
    assert tokens().decode(ids) == text
    assert all(token >= len(SPECIALS) for token in ids)


@pytest.mark.parametrize("text", HARD)
def test_streamed_text_is_the_whole_text(text):
    ids = [2, *tokens().encode(text), 12, *tokens().encode(text)]
    stream = TextStream(tokens())
    parts = [stream.push(token) for token in ids]
    assert "".join(parts) + stream.flush() == tokens().decode(ids)
    assert "\ufffd" not in "".join(parts)


def test_half_a_character_is_told_at_the_end_only():
    ids = tokens().encode("🙂")[:-1]
    stream = TextStream(tokens())
    assert [stream.push(token) for token in ids] == [""] * len(ids)
    assert stream.flush() == "\ufffd"


def test_special_tokens_have_their_numbers():
    assert [tokens().id(name) for name in SPECIALS] == list(range(len(SPECIALS)))
    assert tokens().signals.first == 13
    assert tokens().signals.all == tuple(range(13, 45))
    assert NANO.stops == ((tokens().id("<end>"),),)
    assert tokens().encode("<user>a<emo>[AUD0][VID15]") == [
        2, *tokens().encode("a"), 7, 13, 44,
    ]  # fmt: skip
    with pytest.raises(KeyError):
        tokens().id("<nothing>")


def test_learning_shortens():
    assert len(tokens().encode(TEXTS[0])) < 0.4 * len(TEXTS[0])
    assert tokens().size <= 420
    assert train(("a",), 8192).size == len(SPECIALS) + 256


def test_a_saved_tokenizer_is_the_same(tmp_path):
    tokens().save(tmp_path / "tokenizer.json")
    again = Tokens.load(tmp_path / "tokenizer.json")
    assert again.encode(HARD[0]) == tokens().encode(HARD[0])
    assert again.signals == tokens().signals


def test_a_tokenizer_without_signal_tokens_gets_them_behind():
    from tokenizers import Tokenizer, models

    words = {word: index for index, word in enumerate(("<unk>", "a", "b"))}
    plain = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    assert Tokens(plain).signals.first == 3


def test_what_is_no_tokenizer_is_refused(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"expected a tokenizer\.json"):
        Tokens.load(tmp_path / "tokenizer.json")
