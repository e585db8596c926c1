"""The network that hears danger in a turn: what it promises whoever gives it one."""

from importlib import resources

import numpy as np
import pytest

from rt_avatar.engines.text_danger import DANGERS, HEARD, SURE, TextDangerClassifier
from rt_avatar.engines.text_danger.features import danger_grams, split_words

pytestmark = pytest.mark.unit

FILES = resources.files("rt_avatar.engines.text_danger")
SHARED = resources.files("rt_avatar.engines.text_encoder")


@pytest.fixture(scope="module")
def classifier() -> TextDangerClassifier:
    return TextDangerClassifier()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("i put all my affairs in a folder so nobody has any bother after friday",
         ("suicide", "unclear")),
        ("she keeps the door locked when he comes home", ("fear",)),
        ("he checks my phone every night before bed", ("fear",)),
        ("the little one got into the cupboard and drank the blue stuff",
         ("overdose", "emergency")),
    ],
)  # fmt: skip
def test_danger_is_heard_that_no_list_of_phrases_has(classifier, text, kinds):
    estimate = classifier.classify(text)
    assert estimate.probability >= HEARD
    assert estimate.likeliest in kinds


@pytest.mark.parametrize(
    "text",
    ["i made soup for my sister today", "my old dog died in march and the house is so quiet",
     "the bus was late again and i missed the film", "thank you for listening, bye"],
)  # fmt: skip
def test_none_is_heard_in_everyday_talk_and_grief(classifier, text):
    assert classifier.classify(text).probability < HEARD


def test_spelling_matters_little(classifier):
    texts = ("I can't go on, I'm suicidal", "i cant go on im suicidal", "I cant go on im sucidal")
    written, heard, misspelt = map(classifier.classify, texts)
    assert written == heard
    assert written.probability >= SURE
    assert misspelt.probability >= 0.5


def test_anything_gets_a_probability(classifier):
    for text in ("", "…", "123", "助けて", "x " * 5000, "a\x00b"):
        estimate = classifier.classify(text)
        assert 0 <= estimate.probability <= 1
        assert estimate.likeliest in DANGERS


def test_grams_know_the_ends_and_what_stands_between():
    assert split_words("I can't!") == ["i", "cant"]
    assert {"i", "i cant", "< i", "cant >", "i _ swim"} <= {
        *danger_grams(["i", "cant"]), *danger_grams(["i", "cant", "swim"])
    }  # fmt: skip
    assert "#<suic" in danger_grams(["suicidal"])


def test_a_danger_at_the_end_of_a_long_tale_is_heard(classifier):
    tale = "we went to the market and bought apples and then the bus was late again and " * 6
    assert classifier.classify(tale).probability < HEARD
    assert (
        classifier.classify(f"{tale} and now i have swallowed all my tablets").probability >= HEARD
    )


def test_the_files_are_small_enough_to_ship():
    sizes = {path.name: len(path.read_bytes()) for path in (*FILES.iterdir(), *SHARED.iterdir())
             if path.name.endswith((".npz", ".onnx"))}  # fmt: skip
    assert set(sizes) == {"weights.npz", "upper.onnx", "pieces.npz", "lower.onnx"}
    assert max(sizes.values()) <= 8_000_000
    assert sum(sizes.values()) <= 19_000_000


def test_a_missing_or_foreign_file_says_how_to_make_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"training\.text_danger"):
        TextDangerClassifier(tmp_path)
    with np.load(str(FILES / "weights.npz")) as file:
        stored = {name: file[name] for name in file.files}
    foreign = tmp_path / "weights.npz"
    np.savez(foreign, **(stored | {"labels": np.array([*DANGERS[:-1], "boredom"])}))
    with pytest.raises(ValueError, match="other labels"):
        TextDangerClassifier(tmp_path)
    np.savez(foreign, **(stored | {"linear": stored["linear"][:, :-1]}))
    with pytest.raises(ValueError, match="linear of int8"):
        TextDangerClassifier(tmp_path)
