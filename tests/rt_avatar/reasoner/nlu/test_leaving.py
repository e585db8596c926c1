"""Who takes leave is heard, also at the end of a longer turn; who tells of a farewell is not."""

import pytest

from rt_avatar.reasoner.listener.courtesies import GOOD_NIGHT
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.intents import find_intent
from rt_avatar.reasoner.nlu.leaving import takes_leave
from tests.fakes.requests import asked

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "Right, I'd better get on, the kids will be up in a minute.",
        "anyway thanks for listening to me moan, ill let you go",
        "ok im off to iron my shirt. talk tomorrow",
        "Well, my bus is here. Thank you, this helped.",
        "thats the vet ringing, i have to go",
        "Better than I thought. Listen, I need to run, but thank you for this.",
        "Gotta go, boss is coming!",
        "Right, we're moving at last, I'd best get on. Cheers for the company, Ava.",
        "Just some flowers. I'll leave it there for today, I think. Night.",
        "hes calling me now so ill stop here. bye bye",
        "It was nice to say it out loud. I won't keep you.",
        "Nettles! Anyhow, I've got to get dinner on. Cheers for the chat.",
        "im gonna hang up now, got to study. ciao",
        "sorry i have to hang up my mum is calling",
        "Well, that's the kettle. Same time tomorrow?",
        "Aye, well. That's me for today. Might ring you tomorrow.",
        "ok thats me done",
    ],
)
def test_who_takes_leave_behind_what_they_tell_is_heard(text):
    assert takes_leave(text)
    assert find_intent(text) == "goodbye"


@pytest.mark.parametrize(
    "text",
    [
        "Everyone said talk tomorrow out of habit, it was funny",
        "Right then, I'm going to ask for a raise on Friday.",
        "Right, I'm going to tell him tomorrow that I can't.",
        "I lie there thinking I have to go to work in four hours.",
        "She never says bye when she leaves.",
        "We don't get on, my brother and I.",
        "And then he goes I'd better go, the wife's up. The wife!",
        "I just have to go out more, I think.",
        "Fine, but I didn't want to let her go at the gate",
        "i know i have to let him go but i cant",
        "she says good night to grandpa's picture every evening",
        "I've got to go to the dentist, then the bank, then pick up the kids",
        "And I'd better get used to it, says my mum.",
        "to let me go. just like that",
        "i'm off to lisbon with the girls from work",
        "I should go, but I don't want to.",
        "So I'll go, and stand near the buffet.",
        "my dinner is ready and nobody comes",
        "yes thats me",
        "I told the vet's girl I'll ring you tomorrow",
    ],
)
def test_a_farewell_that_is_told_of_is_none(text):
    assert not takes_leave(text)
    assert find_intent(text) != "goodbye"


def test_a_goodbye_has_a_word_on_what_was_talked_about():
    told = ("my dog is at the vet", "I hope he's all right soon.")
    said = Listening(asked("thats the vet ringing, i have to go", *told)).text
    assert "about your dog" in said
    assert "?" not in said


@pytest.mark.parametrize(
    "told",
    [
        ("He won't mend the boiler.", "I see.", "My daughter says I should write.", "And?"),
        ("My boss took my idea.", "Oh no.", "I only told my sister.", "And?"),
        (
            "We had a row about the list.",
            "Oh.",
            "my mum wants a band",
            "I see.",
            "He's cross.",
            "Oh.",
        ),
        ("I drove past my school.", "Oh!", "Reversing is hard.", "I see.", "My car is red.", "Oh."),
    ],
)
def test_a_goodbye_names_nothing_where_it_is_unsure_what_the_call_was_about(told):
    said = Listening(asked("Well, I must get on now. Goodbye, dear.", *told)).text
    assert "about your" not in said


def test_a_goodbye_names_what_was_spoken_of_most():
    told = (
        "My interview is tomorrow.", "I see.", "My sister will drive me.", "Good.",
        "the interview is at nine", "Oh.",
    )  # fmt: skip
    said = Listening(asked("Well, I must get on now. Goodbye, dear.", *told)).text
    assert "about your interview" in said


def test_who_says_good_night_hears_it():
    told = ("It was a long day.", "I can imagine.")
    said = Listening(asked("Thanks for listening. Night night, Ava.", *told)).text
    assert said.endswith(GOOD_NIGHT)


def test_a_goodbye_after_a_death_is_not_cheerful():
    told = ("My dad died on Monday.", "I'm so sorry.")
    said = Listening(asked("Thank you. I have to go, the kids are up.", *told)).text
    assert "take good care of yourself" in said.lower()
    assert "It was good" not in said
