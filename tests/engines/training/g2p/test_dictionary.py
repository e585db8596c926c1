"""The dictionary is read whole or refused with the line that is wrong."""

import pytest

from rt_avatar.engines.g2p.lexicon import read_lexicon, save_lexicon
from rt_avatar.engines.training.g2p.dictionary import (
    SUPPLEMENT,
    lexicon_entries,
    read_dictionary,
    split,
)
from rt_avatar.engines.training.g2p.errors import edit_distance

pytestmark = pytest.mark.unit

LINES = "read R EH1 D\nread(2) R IY1 D\nco. K OW1\naachen AA1 K AH0 N # place\n"


def written(tmp_path, text):
    path = tmp_path / "some.dict"
    path.write_text(text)
    return path


def test_variants_are_kept_in_order_and_abbreviations_left_out(tmp_path):
    entries = read_dictionary(written(tmp_path, LINES))
    assert entries == {
        "read": (("R", "EH1", "D"), ("R", "IY1", "D")),
        "aachen": (("AA1", "K", "AH0", "N"),),
    }


@pytest.mark.parametrize("line", ["word W ER D", "word", "word W ə D"])
def test_a_line_without_stress_or_phones_is_named(tmp_path, line):
    with pytest.raises(ValueError, match=r"some.dict:1: expected ARPAbet phones with stress"):
        read_dictionary(written(tmp_path, line))


def test_stress_becomes_regular_and_the_supplement_wins():
    entries = {
        "in": (("IH0", "N"),),
        "fbi": (("EH1", "F", "B", "IY1", "AY1"),),
        "company": (("K", "AH1", "M", "P", "AH0", "N", "IY2"),),
        "of": (("AH0", "V"),),
    }
    made = lexicon_entries(entries, {"of": (("AH1", "V"),)})
    assert made["in"] == (("IH1", "N"),)
    assert made["fbi"] == (("EH2", "F", "B", "IY2", "AY1"),)
    assert made["company"][0][-1] == "IY0"
    assert made["of"] == (("AH1", "V"),)


def test_the_supplement_is_in_the_notation_of_the_dictionary():
    assert read_dictionary(SUPPLEMENT)["selfie"] == (("S", "EH1", "L", "F", "IY0"),)


def test_no_form_of_a_held_out_word_is_trained_on():
    words = [f"{stem}{end}" for stem in ("abandon", "walk", "glorp", "tulip", "mend", "zest")
             for end in ("", "s", "'s", "ed", "ing")]  # fmt: skip
    parts = split({word: (("AH0",),) for word in words})
    for stem in ("abandon", "walk", "glorp", "tulip", "mend", "zest"):
        homes = [
            part
            for part in (parts.training, parts.validation, parts.test)
            if any(word.startswith(stem) for word in part)
        ]
        assert len(homes) == 1, stem


def test_a_packed_lexicon_is_what_was_packed(tmp_path):
    entries = read_dictionary(written(tmp_path, LINES))
    save_lexicon(tmp_path / "packed.npz", entries)
    lexicon = read_lexicon(tmp_path / "packed.npz")
    assert {word: lexicon.find(word) for word in lexicon.words()} == entries
    assert lexicon.find("rea") == lexicon.find("reads") == lexicon.find("réad") == ()


def test_edits_are_counted_once():
    assert edit_distance(("K", "AE1", "T"), ("K", "AH0", "T", "S")) == 2
    assert edit_distance((), ("K",)) == 1
