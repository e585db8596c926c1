import pytest

from rt_avatar.reasoner.nlu.echoes import find_answer, find_echo, repeats

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "echo"),
    [
        ("I bought him a new jacket.", "you bought him a new jacket"),
        ("I'm moving to the beach in 6 months!", "you're moving to the beach in 6 months"),
        ("I was driving home with my brother", "you were driving home with your brother"),
        ("Yesterday was odd. Someone stole my lawn mower!", "someone stole your lawn mower"),
        ("We met through a mutual friend, so we talked.", "you met through a mutual friend"),
        ("My son got a promotion at work", "your son got a promotion at work"),
        ("I got an X-ray at the clinic", "you got an X-ray at the clinic"),
        (
            "We went fishing with my 4-year-old a month ago",
            "you went fishing with your 4-year-old a month ago",
        ),
        ("I gave him $100,000 up front", "you gave him $100,000 up front"),
        ("I spent £5.50 on a bun", "you spent £5.50 on a bun"),
        ("My son had his 4th birthday", "your son had his 4th birthday"),
        ("we saw them at a B&B in Wales", "you saw them at a B&B in Wales"),
        (
            "MY kid forgot to turn off the OVEN earlier",
            "your kid forgot to turn off the oven earlier",
        ),
    ],
)
def test_a_clause_is_told_back_in_the_listeners_grammar(said, echo):
    assert find_echo(said) == echo


@pytest.mark.parametrize(
    "said",
    [
        "I never told my mother about the letter",  # denied
        "I bought you a ticket to the opera",  # the listener is meant
        "Did I tell my boss about the plan?",
        "I cheated on my math test on Monday",  # would sound like a reproach
        "I think my neighbor moved to Spain",  # a guess
        "I was so proud of my little sister",  # a feeling: the reply's own matter
        "I had always done",
        "I went to the",
        "It rained in the park all morning",
        "I shot a man in the street yesterday",
        "I had a crappy meal at the diner",
        "My world is turned upside down",
        "before I went to the old station",
        "and the big red house",
        "",
    ],
)
def test_what_says_nothing_or_would_hurt_is_not_told_back(said):
    assert find_echo(said) == ""


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("WW2 veterans", "WW2 veterans"),
        ("My old school.", "Your old school"),
        ("My mother-in-law", "Your mother-in-law"),
        ("the garden i suppose", "The garden"),
        ("my old school, I think.", "Your old school"),
        ("The keys, yes", "The keys"),
        ("what i think", ""),
        ("ngl i'm kinda heated", ""),
        ("wow that's great", ""),
    ],
)
def test_bare_words_that_answer_are_told_back(said, answer):
    assert find_answer(said) == answer


def test_only_what_was_surely_heard_is_told_back():
    assert find_echo("I bought him a new jacket", 0.8) == ""


def test_of_several_clauses_the_one_that_tells_most_is_taken():
    said = "I went home early. I found my old guitar in the attic of my house."
    assert find_echo(said) == "you found your old guitar in the attic of your house"


def test_a_reply_that_says_the_same_repeats_it():
    assert repeats("you got a new puppy", "A new puppy! How sweet.")
    assert not repeats("you got a new puppy", "How lovely for you.")
