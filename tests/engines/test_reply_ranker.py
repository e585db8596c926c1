"""Who chooses replies: what it promises whoever tells it something."""

from importlib import resources

import numpy as np
import pytest

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.engines.reply_ranker.network import load_weights
from rt_avatar.engines.text_emotion import TextEmotionClassifier

pytestmark = pytest.mark.unit

FOLDER = resources.files("rt_avatar.engines.reply_ranker")
SAD, HAPPY, AFRAID = (np.eye(len(FINE))[FINE.index(one)] for one in ("sad", "joyful", "afraid"))


@pytest.fixture(scope="module")
def ranker() -> ReplyRanker:
    return ReplyRanker()


@pytest.fixture(scope="module")
def stored() -> dict[str, np.ndarray]:
    with np.load(str(FOLDER / "weights.npz")) as file:
        return {name: file[name] for name in file.files}


def test_the_same_words_get_the_same_reply(ranker):
    said = ["I lost my job last week and I do not know what to do"]
    first, second = (ranker.choose(said, [], SAD) for _ in range(2))
    assert first == second
    assert ReplyRanker().choose(said, [], SAD) == first


def test_no_reply_is_given_twice(ranker):
    said, own = ["my cat is sick and I am so worried about her"], []
    for _ in range(12):
        choice = ranker.choose(said, own, SAD)
        if choice is None:
            break
        assert choice.text not in own
        own.append(choice.text)
    assert len(own) > 3


def test_a_reply_that_was_interrupted_is_not_begun_again(ranker):
    said = ["my cat is sick and I am so worried about her"]
    text = ranker.choose(said, [], SAD).text
    begun = " ".join(text.split()[:3])
    assert not ranker.choose(said, [begun], SAD).text.startswith(begun)


@pytest.mark.parametrize(
    ("said", "emotions", "wrong"),
    [
        ("my grandmother is very ill and I am so sad about it", SAD, 1),
        ("I finally passed my driving test today, I am so happy", HAPPY, -1),
    ],
)
def test_bad_news_gets_no_cheer_and_good_news_no_pity(ranker, said, emotions, wrong):
    own: list[str] = []
    for _ in range(8):
        choice = ranker.choose([said], own, emotions)
        if choice is None:
            break
        assert tone_of(choice.text) != wrong
        own.append(choice.text)
    assert own


def test_where_the_feeling_is_on_neither_side_there_is_neither_cheer_nor_pity(ranker):
    own: list[str] = []
    for _ in range(10):
        choice = ranker.choose(
            ["We went to the usual place with the others on Tuesday"], own, (SAD + HAPPY) / 2
        )
        if choice is None:
            break
        own.append(choice.text)
        assert not tone_of(choice.text)


def test_nobody_is_named_who_was_not_told_of(ranker):
    said = ["I finally finished that big project at work today"]
    own: list[str] = []
    for _ in range(8):
        choice = ranker.choose(said, own, HAPPY)
        if choice is None:
            break
        words = set(choice.text.lower().replace("?", "").replace("!", "").split())
        assert words.isdisjoint({"he", "she", "her", "his", "dog", "cat", "mom", "wedding"})
        own.append(choice.text)
    assert own


@pytest.mark.parametrize(
    "text", ["", "hm", "...", "xyzzy plugh zork frobnicate", "ich bin heute sehr traurig"]
)
def test_what_it_cannot_read_gets_no_reply(ranker, text):
    assert ranker.choose([text], [], SAD) is None


def test_odd_text_harms_nothing(ranker):
    for text in ("so " * 5000, "\u0000\ud800 my dog my dog", "🙂 " * 50, "a" * 100_000):
        ranker.choose([text], [text], SAD)


def test_the_weights_are_small_enough_to_ship():
    assert len((FOLDER / "weights.npz").read_bytes()) <= 10e6


def test_weights_that_are_damaged_say_which(tmp_path, stored):
    path = tmp_path / "weights.npz"
    for change, words in (
        ({"idf": stored["idf"][:-1]}, "idf of float16"),
        ({"scoring": np.full(2, np.nan, np.float32)}, "scoring that are not finite"),
        ({"context_hidden": None}, "no context_hidden"),
    ):
        arrays = {name: value for name, value in (stored | change).items() if value is not None}
        np.savez(path, **arrays)
        with pytest.raises(ValueError, match=words):
            load_weights(path)
    path.write_bytes(b"no archive")
    with pytest.raises(ValueError, match="expected an npz"):
        load_weights(path)


def test_a_story_of_death_gets_only_what_was_written_for_it(ranker):
    said = ["my brother shot somebody with a gun last night"]
    assert ranker.choose(said, [], SAD, is_grave=True) is None
    said = ["my grandmother passed away last week and I am so sad"]
    choice = ranker.choose(said, [], SAD, is_grave=True)
    assert choice.situation == "death of a grandparent"


@pytest.mark.parametrize(
    ("said", "situation"),
    [
        (["I passed the test", "Thank you so much"], "they say thanks"),
        (["I hate the dentist", "yes it is the needles, do you mind them"], "they ask back"),
        (["I hate the dentist", "yes, do you like him"], "asks whether it likes something"),
        (["I was so scared of that noise", "it was just my brother"], "ended well"),
    ],
)
def test_the_place_in_the_call_decides_what_can_be_said(ranker, said, situation):
    every = np.full(len(FINE), 1 / len(FINE))
    choice = ranker.choose(said, ["Oh?"], AFRAID if "scared" in said[0] else every)
    assert situation in choice.situation


def test_a_story_that_begins_with_a_question_is_a_story(ranker):
    told = "have you seen what my dog did he ate the whole birthday cake that i made for my son"
    choice = ranker.choose([told], [], np.eye(len(FINE))[FINE.index("annoyed")])
    assert "ask back" not in choice.situation


def test_the_other_reply_stands_where_the_network_prefers_it(ranker):
    said = [
        "I lost my job last week and I do not know what to do now that the rent is due and"
        " winter is on the way"
    ]
    best = ranker.choose(said, [], SAD)
    assert best.is_sure
    again = ranker.choose(said, [], SAD, best.text)
    # Or another of its heading that the network prefers to both.
    assert again.margin > 0 or (again.text, again.margin) == (best.text, pytest.approx(0, abs=1e-4))
    worse = ranker.choose(said, [], SAD, "Bananas are yellow and monkeys like that.")
    assert worse.margin > 0
    assert worse.text == best.text


def test_it_is_asked_with_the_emotions_of_the_network(ranker):
    said = ["I got the promotion that I worked so hard for all year"]
    choice = ranker.choose(said, [], TextEmotionClassifier().classify(said).probabilities)
    assert choice is not None
    assert tone_of(choice.text) in (0, 1)
