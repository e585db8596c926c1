import pytest

from rt_avatar.reasoner.nlu.topics import find_topic

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "noun", "event"),
    [
        ("I lost my job", "your job", "you lost your job"),
        (
            "my grandmother passed away on sunday",
            "your grandmother",
            "your grandmother passed away",
        ),
        ("I'm worried about the interview", "the interview", ""),
        ("my best friend is moving", "your best friend", ""),
        ("we broke up and I kept the dog", "", "you two broke up"),
        ("my parents are getting divorced", "your parents", "your parents are getting divorced"),
        ("my parents are getting divorced papers printed", "your parents", ""),
        ("I just bought a house", "the house", "you bought a house"),
        ("I had a fight with my mother-in-law", "your mother-in-law", "you had a fight"),
        ("my mother in law died", "your mother-in-law", "your mother-in-law died"),
        ("my in-laws are coming", "your in-laws", ""),
        ("my co-worker is rude", "your coworker", ""),
        ("I saw my father in law school", "your father", ""),
        ("it was nice", "", ""),
        ("", "", ""),
    ],
)
def test_topics_are_given_back_as_a_listener_would(text, noun, event):
    topic = find_topic(text)
    assert (topic.noun, topic.event) == (noun, event)


def test_unknown_nouns_are_only_echoed_when_surely_heard():
    assert find_topic("I broke my clarinet", 1.0).noun == "your clarinet"
    assert not find_topic("I broke my clarinet", 0.5)


def test_who_is_dead_is_no_topic_to_be_asked_about_in_passing():
    assert find_topic("my late husband built this table", 1.0).noun == ""
