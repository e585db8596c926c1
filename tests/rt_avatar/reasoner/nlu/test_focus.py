"""Which words of a turn are told back as its news."""

import pytest

from rt_avatar.reasoner.nlu.focus import find_focus

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
        ("carry on only", ""),  # nothing is left of it; such a turn had no reply at all
        ("He forgot to switch it off when he went to the toilet.", ""),
        ("It hadn't ticked in thirty years, and now it does.", "thirty years"),
        ("I haven't slept for two days", "for two days"),
        ("it happened at 3am", "at 3am"),
        ("i caught the 7:15 train home", "the 7:15 train"),
        ("we got stuck on the M25", "on the M25"),
        ("he ended up in A&E", "in A&E"),
        ("my daughter was betrayed in the back by her best friend", "by her best friend"),
        ("we sat in the back of the car", "in the back of the car"),
        ("i went back to my village", "back to your village"),
        ("he shouted in front of my mother-in-law", "in front of your mother-in-law"),
        ("i was out of the house for a week", "out of the house"),
        ("it cost me an arm and a leg", "an arm and a leg"),
        ("i bought a hat and a scarf", "a hat and a scarf"),
        ("I sat there with my mum and the dog", "with your mum and the dog"),
        ("it's one of my favourite places", "one of your favourite places"),
        ("i go to the allotment sometimes", "to the allotment"),
        ("no my brother", "your brother"),
        ("He hit my brother.", "your brother"),
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
        "not even my boyfriend",
        "Not even my brother.",
        "no sick pay",
        "no more questions",
        "it's not even about the food tbh",
        "i have never been to the sea",
        "nobody came to my party",
        "I couldn't find my keys in the garden",
        "i haven't been out of the house for a week",
        "I feel like an idiot.",  # against oneself
        "She is so sad about the dog being sad.",
        "i have a lump in my breast",
        "my bra hurts around the chest",
        "I look in the mirror",
        "I told her she was a bad mum",
        "she called me a bad mother",
        "he said 'you're a waste of space'",
        "I hit my son",
        "i want to hit my kids sometimes",
        "I got mad and shouted at the baby",
        "I cheated on my wife",
        "I stole from my mother",
        "I lied to the police about my boss",
        "",
    ],
)
def test_persons_times_questions_verdicts_and_feelings_are_not_told_back(text):
    assert find_focus(text) == ""


def test_an_assent_behind_the_news_is_not_told_back_with_it():
    assert find_focus("about the bill yes") == "about the bill"
    assert find_focus("staying in with the dog yes") == "with the dog"


def test_of_a_clause_that_goes_on_without_end_only_the_last_words_are_looked_at():
    clause = f"He did not stop {'really ' * 80}in front of my kids"
    assert find_focus(clause) == "in front of your kids"


def test_what_was_hardly_heard_is_not_told_back():
    assert find_focus("They gave the team lead job to Marcus.", 0.7) == ""
