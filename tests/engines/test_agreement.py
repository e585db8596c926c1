import pytest

from rt_avatar.engines.agreement import LocalAgreement

pytestmark = pytest.mark.unit


def agreed(*hypotheses: str) -> list[str]:
    agreement = LocalAgreement()
    return [" ".join(agreement.update(text.split())) for text in hypotheses]


def test_a_word_is_agreed_once_two_hypotheses_in_a_row_have_it() -> None:
    assert agreed("I", "I feel", "I feel tyre", "I feel tired") == ["", "I", "I feel", "I feel"]


def test_hypotheses_that_differ_from_the_first_word_on_agree_on_nothing() -> None:
    assert agreed("thank you", "I feel") == ["", ""]


def test_stops_and_capitals_are_no_disagreement_and_the_newest_spelling_counts() -> None:
    assert agreed("Hello. There", "hello, there my")[-1] == "hello, there"


def test_a_mark_alone_is_still_a_word() -> None:
    assert agreed("- yes", "... yes")[-1] == ""


def test_what_was_agreed_outlives_one_hypothesis_that_loses_it() -> None:
    assert agreed("we go home", "we go home", "", "we")[1:] == ["we go home"] * 3


def test_two_hypotheses_may_correct_what_was_agreed_but_never_shorten_it() -> None:
    assert agreed("ice cream", "ice cream", "I scream now", "I scream now") == [
        "",
        "ice cream",
        "ice cream",
        "I scream now",
    ]


def test_after_reset_the_rest_of_a_hypothesis_is_what_the_next_is_compared_with() -> None:
    agreement = LocalAgreement()
    agreement.update(["one", "two", "three"])
    agreement.reset(["three"])
    assert agreement.words == ()
    assert agreement.update(["three", "four"]) == ("three",)
