"""Who took something and tells of what it does by the way, and who has a plain ailment."""

import pytest

from rt_avatar.reasoner.danger.alarms import find_alarm
from rt_avatar.reasoner.danger.symptoms import find_symptoms
from rt_avatar.reasoner.nlu.feelings import words_of

pytestmark = pytest.mark.unit


LOOK_ALIKES = [
    "i took two paracetamol and had a lie down",
    "my hay fever tablets make me sleepy",
    "he took something from the fridge and his eyes lit up",
    "the dentist gave me an injection and my mouth is numb",
    "two glasses of wine and the room was spinning, years ago",
    "i had some pills for my back and they help",
    "my son took a penalty and his heart was going like mad",
    "mum takes her tablets with yoghurt",
    "my ears are ringing from the concert",
    "i had a load of washing to do and im shaking with cold",
    "she took her insulin and went to school",
    "the dog is floppy when you pick him up",
    "my leg has gone to sleep, hang on",
    "my arm is numb, i slept on it",
    "i banged my head on the shelf and swore",
    "my boy has a rash from the new washing powder",
    "the elephant sat on his hat in the book",
    "the baby hasnt moved out of newborn clothes yet",
    "the cat has been sick again",
    "one side of the bed is colder",
    "i was sick after the boat, but it passed",
    "these glasses make me see double",
    "his coffee is so strong my heart jumps",
    "my dad had the patches on his jeans sewn",
]  # fmt: skip


def found(text: str) -> str | None:
    return find_symptoms(" ".join(words_of(text)))


@pytest.mark.parametrize(
    "text",
    [
        "i took a few extra of my tablets and now the room is spinning",
        "he's taken something and his pupils are like pins",
        "my son had some pills at the party and he keeps nodding off",
        "i mixed my pills with wine and i cant feel my legs",
        "she took her insulin twice i think and shes shaking and sweating",
        "mum keeps taking her tablets because she forgets and now shes been sick and confused",
        "my gran had three of her patches on and she is hard to wake",
        "had a load of my mates painkillers and my ears wont stop ringing",
        "my girlfriend took a lot of something and she is talking rubbish and burning up",
        "i had eight paracetamol every few hours all week and my eyes have gone yellow",
        "did some lines and my heart is going like mad",
        "the little one got at the tablets and shes gone all floppy",
        "dads had his drops and some of mums sleeping pills and hes snoring really strangely",
    ],
)
def test_what_was_taken_and_what_it_does_is_an_overdose(text):
    assert found(text) == "overdose"
    assert find_alarm(text) in ("overdose", "emergency")


@pytest.mark.parametrize(
    "text",
    [
        "my arm has gone numb and my tongue feels thick, its probably nothing",
        "theres an elephant sat on my chest this morning, must be the curry",
        "his mouth is drooping on one side and hes talking funny",
        "the baby hasnt moved in my belly since yesterday",
        "i banged my head yesterday and i keep being sick",
        "knocked my head on the shelf and now im seeing double",
        "my boy has a rash that doesnt fade when you press a glass on it",
        "ive been passing black stuff for three days",
        "i brought up blood this morning, only a bit",
        "my little one has gone floppy and she wont drink",
        "hes got a stiff neck and the light hurts him and hes all spotty",
        "one side of me has gone weak since lunch",
    ],
)
def test_signs_of_an_emergency_are_heard_that_are_told_as_nothing(text):
    assert found(text) == "emergency"
    assert find_alarm(text) == "emergency"


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_plain_ailments_are_none(text):
    assert found(text) is None


def test_who_has_a_plain_ailment_is_seldom_asked():
    assert len([text for text in LOOK_ALIKES if find_alarm(text)]) <= 0.06 * len(LOOK_ALIKES)
