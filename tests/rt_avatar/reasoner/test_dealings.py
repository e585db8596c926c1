"""What others said, did or showed, and what was done to them; and what only looks like it."""

import pytest

from rt_avatar.reasoner.acts import meet_act
from rt_avatar.reasoner.dealings import DEALINGS
from rt_avatar.reasoner.remarks import REMARKS
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit

_ACTS = (*REMARKS, *DEALINGS)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("My brother says I worry too much.", "says"),
        ("and she thinks it's all a waste of money", "says"),
        ("The coach said I run like a duck.", "said"),
        ("my landlord told me the rent's going up", "said"),
        ("Dad reckons he could lend me the van.", "offers"),
        ("my aunt said she'd pay half of it", "offers"),
        ("Then her mother rang me.", "contact"),
        ("out of nowhere my ex texted", "contact"),
        ("A man from the council came round on Monday.", "contact"),
        ("She burst into tears at the table.", "reaction"),
        ("my boss just shrugged", "reaction"),
        ("He hung up.", "reaction"),
        ("the little girl waved at me", "reaction"),
        ("My neighbour brought us a pie.", "gift"),
        ("she knitted me a scarf", "gift"),
        ("He always interrupts me.", "habit"),
        ("my daughter keeps hiding my glasses", "habit"),
        ("she sends me pictures of her lunch", "habit"),
        ("I wrote her a long letter.", "done_to"),
        ("i waved at him from the car", "done_to"),
        ("I bumped into my old teacher at the market.", "met"),
        ("We had a meeting about the roof.", "gathering"),
        ("i had the interview this morning", "gathering"),
        ("They thought I was the cleaner.", "taken_for"),
        ("My son wants to leave school.", "wants"),
        ("My goalie asked me if it was over.", "said"),
        ("the electrician says its the wiring", "says"),
        ("She recognised me by my walk.", "remembered"),
        ("He's a lot calmer these days.", "changed"),
        ("There was a woman there who knew my mother.", "met"),
        ("There's an old lady on my round who gives me mints.", "somebody"),
        ("there was a postcard on the mat", "written"),
        ("My tutor handed me his own pen.", "gift"),
        ("The surveyor called it cramped.", "labelled"),
        ("my teacher gave me a detention", "rebuked"),
        ("She's never been abroad.", "never_did"),
        ("he fell asleep at the table", "reaction"),
        ("my husband has taken to sleeping in the study", "begun"),
        ("She started humming.", "begun"),
        ("My sister rang to ask about the soup.", "contact_for"),
        ("My brother's talking about emigrating.", "plans"),
        ("my foreman is not happy with me", "feels"),
        ("The clerk turned round and said I was late.", "said"),
        ("her cousin suggested a karaoke night", "said"),
        ("He got up and walked out.", "reaction"),
        ("my aunt rang the next evening", "contact"),
        ("The council wants us out.", "wants"),
        ("My boss has been odd with me.", "has_been"),
        ("a man in the front row started clapping", "begun"),
        ("one of them calls me grandad", "habit"),
    ],
)
def test_what_goes_on_between_people_is_heard(text, act):
    assert find_act(text, _ACTS) == act


@pytest.mark.parametrize(
    "text",
    [
        "They said yes.",
        "The doctor says it's spread.",
        "It says on the tin that it keeps for a year.",
        "She called me a liar.",
        "He rang the bell.",
        "He gave me the sack.",
        "She gave me a look.",
        "He left me.",
        "my wife always was a singer",
        "We had a cat.",
        "I had a headache.",
        "I sent her to the shop.",
        "I saw the doctor.",
        "He said nothing.",
        "he hit me",
        "The sun came out.",
        "My knee clicks.",
        "My phone says it's nine.",
        "The letter said we had to pay.",
        "She keeps the spare key under the mat.",
        "It's better today.",
        "There was a storm.",
        "There's a man at the door.",
        "I got a new phone.",
        "They sent us a form.",
        "They called the cat Winston yesterday.",
        "She's never late.",
        "He's looking well.",
        "I'm planning a trip.",
        "She's happy.",
        "He wants it.",
        "He's been to Spain.",
        "One of them is red.",
    ],
)
def test_what_only_looks_like_it_is_left(text):
    assert find_act(text, _ACTS) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My sister hung up on Dad.", "when your sister hung up"),
        (
            "then he put his hand on my shoulder and she burst into tears",
            "when she burst into tears",
        ),
        ("my boss just shrugged at me", "when your boss shrugged"),
    ],
)
def test_a_reaction_is_told_back_in_the_listeners_grammar(text, told):
    assert told in meet_act(text, _ACTS, ())


def test_who_is_asked_about_by_a_pronoun_where_that_is_known_and_else_by_what_they_are():
    asked = [meet_act(f"my {one} rang me", _ACTS, ()) for one in ("aunt", "boss", "parents")]
    assert "she" in asked[0].replace("her", "she")
    assert "your boss" in asked[1]
    assert "they" in asked[2].replace("them", "they")
