"""Which words of a turn are told back as its news."""

import pytest

from rt_avatar.reasoner.focus import find_focus

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Last time he counted it out on the table in front of my kids.", "in front of your kids"),
        ("He cried, and then he sat down on the kitchen floor.", "down on the kitchen floor"),
        ("I started sleeping in the bath with a pillow over my head.", "with a pillow over your "
         "head"),
        ("They gave the team lead job to Marcus.", "to Marcus"),
        ("The keeper came up for the corner and headed it in. The keeper!", "the keeper"),
        ("I'm building a massive roller coaster at the moment.", "a massive roller coaster"),
        ("He tried to order fish and got a bag of ice.", "a bag of ice"),
        ("She gave me the starter. We call it Kevin.", "Kevin"),
        ("I sat up there for two hours and forgot why.", "for two hours"),
        ("He ate three of them right there on the doorstep.", "right there on the doorstep"),
        ("He cried in the car all the way home.", "all the way home"),
        ("She put the other ring on her own toe.", "on her own toe"),
        ("Halfway there he sat down and took his shoes off.", "his shoes"),
        ("He lifted me off the ground. He's sixty-three!", "sixty-three"),
        ("It took eleven hundred to fix it.", "eleven hundred"),
        ("It broke into a hundred small pieces.", "into a hundred small pieces"),
        ("We walked home, because the bus was late.", ""),
        ("He forgot to switch it off when he went to the toilet.", ""),
        ("It hadn't ticked in thirty years, and now it does.", "thirty years"),
    ],
)  # fmt: skip
def test_the_words_that_carry_the_news_are_found(text, told):
    assert find_focus(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "I trained him!",  # nothing but persons
        "I don't know what to do with it.",
        "It will be fine, I think.",
        "He turns it up again on Friday.",  # a time alone
        "I gave her flowers.",  # "her" is a person here
        "My brother never lets me forget it.",
        "What did you do in the garden?",  # asked
        "It really wasn't a pleasant experience.",  # denied
        "I love it here, except for the tornadoes.",
        "I feel like an idiot.",  # against oneself
        "She is so sad about the dog being sad.",
        "",
    ],
)
def test_persons_times_questions_verdicts_and_feelings_are_not_told_back(text):
    assert find_focus(text) == ""


def test_what_was_hardly_heard_is_not_told_back():
    assert find_focus("They gave the team lead job to Marcus.", 0.7) == ""
