"""Who was left out hears that it stings, and no congratulations on what they were not asked to."""

import pytest

from rt_avatar.reasoner.responses.left_out import SAYINGS, find_left_out, meet_left_out

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my sister's getting married and i havent been asked to be bridesmaid", "own"),
        ("They're all going to Greece and I wasn't invited.", "own"),
        ("I didn't get picked for the team", "own"),
        ("everyone got a promotion and I wasn't even considered", "own"),
        ("I haven't been told about the party", "own"),
        ("They never asked me to the reunion.", "own"),
        ("we weren't invited to the christening", "own"),
        ("I wasn't chosen for the choir solo.", "own"),
        ("nobody thought to ask me", "own"),
        ("she didn't even invite me", "own"),
        ("there's a trip in May. nobody asked us along", "own"),
        ("The whole office went for drinks, everyone but me.", "own"),
        ("I was never introduced to his parents. Two years, and I've never been mentioned.", "own"),
        ("my son hasn't been invited to a single birthday party this year", "theirs"),
        ("She never gets picked at PE.", "theirs"),
        ("I didn't get invited to her birthday party", "own"),
        ("My husband wasn't even considered for it.", "theirs"),
    ],
)
def test_somebody_was_left_out(text, kind):
    found = find_left_out(text)
    assert found is not None
    assert found[0] == kind


@pytest.mark.parametrize(
    "text",
    [
        "I haven't been invited yet but the letters only went out today",
        "I didn't get asked to bring anything so I just brought wine",
        "I've not been asked to work this weekend, for once!",
        "I wasn't told it was fancy dress, it was hilarious",
        "They asked me to the reunion.",
        "She invited me.",
        "I was asked to be bridesmaid",
        "He asked me to join the band last week.",
        "I wasn't asked, thank God",
        "I hope I don't get picked",
        "I'm worried I won't be invited",
        "nobody asked me for a ticket",
        "they never asked me for my passport",
        "My daughter was picked for the county side",
        "I didn't get the bus",
        "We didn't get invited and I'm glad",
        "He wasn't told to come in on Monday",
        "I wasn't invited and I feel so angry",
    ],
)
def test_nobody_was_left_out(text):
    assert find_left_out(text) is None


def test_each_is_said_once_in_a_call_and_of_the_one_who_was_left_out():
    text = "my daughter wasn't picked again"
    own = []
    for _ in SAYINGS["theirs"]:
        said = meet_left_out(text, own)
        assert said
        assert said not in own
        assert "{" not in said
        own.append(said)
    assert any("her" in one for one in own)
