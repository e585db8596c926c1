import numpy as np
import pytest

from rt_avatar.emotion_lexicon import FEELINGS
from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.text_emotion import EmotionEstimate
from rt_avatar.messages import Affect, TurnId
from rt_avatar.perception.word_affect import read
from rt_avatar.reasoner.nlu.feelings import detect
from rt_avatar.reasoner.nlu.intents import clean_words

pytestmark = pytest.mark.unit


def affect(**fields) -> Affect:
    return Affect(TurnId(1), 0, **fields)


def test_the_lexicon_covers_all_32_emotions():
    assert tuple(sorted(FEELINGS)) == tuple(sorted(FINE))


def estimate_of(**shares: float) -> EmotionEstimate:
    return EmotionEstimate(np.array([shares.get(fine, 0.0) for fine in FINE], np.float32), True)


@pytest.mark.parametrize(
    ("shares", "fine"),
    [
        ({"proud": 0.9, "sad": 0.1}, "proud"),
        ({"proud": 0.6, "sad": 0.4}, None),  # four of ten would be cheered at for a grief
        ({"sad": 0.6, "proud": 0.4}, None),
        ({"sad": 0.6, "angry": 0.3, "proud": 0.1}, "sad"),  # which of them is unsure, the side not
        ({"surprised": 0.6, "proud": 0.2, "sad": 0.2}, "surprised"),
    ],
)
def test_where_it_may_be_pleasant_or_unpleasant_no_feeling_is_answered_to(shares, fine):
    assert detect("we went there on tuesday", None, estimate_of(**shares)).fine == fine


def test_cues_and_network_on_one_side_need_less():
    shares = estimate_of(angry=0.7, proud=0.3)
    assert detect("we went there on tuesday", None, shares).fine is None
    assert detect("nobody told me", None, shares).fine == "angry"
    assert detect("that was a special evening with my friend", None, shares).fine is None


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("I feel so lonely since everyone moved away", "lonely"),
        ("I'm really angry at my boss", "angry"),
        ("My grandmother passed away", "devastated"),
        ("I can't wait for the concert next week, I'm so excited", "excited"),
        ("I'm nervous about my exam tomorrow", "anxious"),
        ("I'm so proud of my son, he graduated", "proud"),
        ("It was so gross, I almost threw up", "disgusted"),
        ("I feel guilty, I lied to her", "guilty"),
        ("I don't know how I can ever trust her again", "disappointed"),
        ("I trust her with my life", "trusting"),
        ("We went to the place on Tuesday", None),
        ("", None),
    ],
)
def test_words_name_the_feeling(text, fine):
    assert detect(text).fine == fine


@pytest.mark.parametrize(
    "text", ["I'm not happy", "I am not happy at all", "I don't feel happy", "I was never happy"]
)
def test_negation_turns_a_feeling_over(text):
    assert detect(text).coarse != "happy"


def test_intensifiers_and_dampeners_weigh():
    mild, plain, strong = (
        detect(f"I am {word} sad").intensity for word in ("a bit", "", "extremely")
    )
    assert mild < plain < strong


def test_looks_fill_the_silence_of_words():
    sad = affect(emotion="sad", valence=-0.5, confidences={"sad": 0.7, "neutral": 0.3})
    feeling = detect("I went to work", sad)
    assert (feeling.fine, feeling.is_named, feeling.looks) == ("sad", False, "sad")


def test_looks_never_overrule_a_feeling_that_was_named():
    happy = affect(emotion="happy", valence=0.8, confidences={"happy": 0.9, "neutral": 0.1})
    feeling = detect("I am really furious", happy)
    assert feeling.fine == "furious"
    assert feeling.looks == "joyful"


def test_an_unsure_look_is_no_feeling():
    unsure = affect(emotion="sad", confidences={"sad": 0.4, "neutral": 0.6})
    assert detect("I went to work", unsure).fine is None


def test_what_the_caller_feels_counts_more_than_what_another_feels() -> None:
    assert detect("I am afraid that she will be angry with me.").fine == "afraid"
    assert detect("He was so happy but I felt lonely.").fine == "lonely"


@pytest.mark.parametrize(
    ("text", "coarse"),
    [
        ("I have never been so happy", "happy"),
        ("I have never felt so alone", "sad"),
        ("I've never been this sad", "sad"),
        ("I was never so angry", "angry"),
        ("I am not so happy", "sad"),
    ],
)
def test_never_so_much_is_the_most_and_not_so_much_is_none(text, coarse):
    assert detect(clean_words(text)).coarse == coarse
    assert (read(text).valence > 0.3) == (coarse == "happy")


@pytest.mark.filterwarnings("error")
def test_feelings_that_nothing_spoke_for_are_all_alike() -> None:
    """What is laughed at was taken as a grief, and every probability was no number any more."""
    certain = EmotionEstimate(np.eye(len(FINE), dtype=np.float32)[FINE.index("joyful")], True)
    estimate = certain.among({"sad", "lonely"})
    shares = dict(zip(FINE, estimate.probabilities, strict=True))
    assert {fine: share for fine, share in shares.items() if share} == {"sad": 0.5, "lonely": 0.5}
