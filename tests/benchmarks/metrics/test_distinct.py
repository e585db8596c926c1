import math

import pytest

from rt_avatar.benchmarks.metrics.distinct import distinct_corpus, distinct_response, tokens_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "tokens"),
    [  # as NLTK 3.10 gives them
        (
            "I don't know, Mr. Smith... can't you?",
            "I do n't know , Mr. Smith ... ca n't you ?",
        ),
        (
            "She said \"it's 3,000 dollars\"; we're gonna go (now)--fine.",
            "She said `` it 's 3,000 dollars '' ; we 're gon na go ( now ) -- fine .",
        ),
        (
            "I cannot: the dogs' owner paid $5 & left!",
            "I can not : the dogs ' owner paid $ 5 & left !",
        ),
    ],
)
def test_tokens_are_those_of_nltk(text, tokens):
    assert tokens_of(text) == tokens.split()


def test_every_sentence_of_a_text_gets_its_full_stop():
    assert tokens_of("I am sorry. Dr. Who left. Why?").count(".") == 2


def test_corpus_counts_grams_over_all_replies_and_keeps_case():
    assert distinct_corpus(["a b a", "a c"], 1) == pytest.approx(60)
    assert distinct_corpus(["a b a", "a c"], 2) == pytest.approx(100)
    assert distinct_corpus(["Oh", "oh"], 1) == pytest.approx(100)


def test_response_is_the_mean_of_each_reply_in_small_letters():
    assert distinct_response(["A b a", "a c"], 1) == pytest.approx((2 / 3 + 1) / 2)
    # The second reply has no pair of words and does not count.
    assert distinct_response(["a a a", "a"], 2) == pytest.approx(0.5)


def test_the_definitions_differ_by_far_on_the_same_replies():
    replies = ["that sounds hard"] * 50
    assert distinct_response(replies, 1) == 1
    assert distinct_corpus(replies, 1) == pytest.approx(2)


def test_nothing_to_count_is_not_a_number():
    assert math.isnan(distinct_corpus([""], 1))
    assert math.isnan(distinct_response(["word"], 2))


@pytest.mark.parametrize("measure", [distinct_corpus, distinct_response])
def test_a_single_string_and_no_length_are_refused(measure):
    with pytest.raises(ValueError, match="a single string"):
        measure("a b", 1)
    with pytest.raises(ValueError, match="1 or more"):
        measure(["a b"], 0)
