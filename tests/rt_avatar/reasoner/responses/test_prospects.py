"""What is only feared, hoped or possible is not met as if it had happened."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.prospects import SAYINGS, find_prospect, is_open, meet_prospect

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "prospect"),
    [
        ("I'm scared they'll cut my hours", "fear"),
        ("im really worried hes going to leave me", "fear"),
        ("I'm terrified I'll fail my finals.", "fear"),
        ("I'm afraid my mum won't recognise me next time.", "fear"),
        ("I've got this fear that I'll end up alone", "fear"),
        ("i keep thinking she might be ill", "fear"),
        ("I'm so frightened of losing the flat.", "fear"),
        ("If I lose the house I don't know what I'd do.", "fear"),
        ("I'm worried my son's being bullied", "suspicion"),
        ("I'm worried that something is wrong with the boiler.", "suspicion"),
        ("What if they don't like me", "what_if"),
        ("My wife's worried I'll lose my job.", "theirs"),
        ("I hope they'll give me the flat", "hope"),
        ("hoping to hear from the university this week", "hope"),
        ("I went for the tests on Monday. I just hope everything is okay.", "wish"),
        ("we're hoping it's a girl", "wish"),
        ("I have a feeling she's seeing someone else.", "guess"),
        ("i think they might be going to sack me", "guess"),
        ("They say there might be redundancies", "maybe"),
        ("there's talk of closing the ward", "maybe"),
        ("I'm scared it's cancer.", "grave"),
        ("i dread the day the dog dies", "death"),
        ("I hope she doesn't have cancer.", "hoped"),
    ],
)
def test_what_is_not_so_yet_is_heard_as_that(text, prospect):
    assert find_prospect(text) == prospect


@pytest.mark.parametrize(
    "text",
    [
        "I'm afraid I can't come on Friday.",
        "I'm scared of heights.",
        "I was scared they'd cut my hours, but they didn't.",
        "I'm nervous about going to the dentist tomorrow.",
        "I'm worried about my mum.",
        "they've cut my hours",
        "He left me and I'm scared.",
        "I'm scared because he shouts at me.",
        "I hope so.",
        "hope you're well",
        "I hope that makes sense",
        "I hope he rots.",
        "What if you were me?",
        "I might bake a cake.",
        "It might help.",
        "He said I could go.",
        "My dad died of cancer and I'm scared I'll get it too.",
        "I think you might be right",
    ],
)
def test_what_is_so_is_over_or_said_by_the_way_is_not(text):
    assert find_prospect(text) is None


def test_nothing_that_is_said_takes_it_as_so():
    said = [one for sayings in SAYINGS.values() for one in sayings]
    assert not any(map(find_unsafe, said))
    assert not any("sorry" in one.lower() or "glad" in one.lower() for one in said)
    assert meet_prospect("I hope so.", ()) == ""


def test_a_reply_that_leaves_it_open_is_known():
    assert is_open("I can imagine how that wait feels. When will you hear?", "fear")
    assert not is_open("I'm sorry. How are you feeling right now?", "fear")
    assert is_open("I hope so, too.", "hope")
    assert not is_open("I hope you won't be alone with it.", "fear")


async def test_a_fear_is_no_loss(call):
    for text in ("I'm scared they'll cut my hours", "I'm worried my son's being bullied"):
        assert "sorry" not in (await call(text))[0]
    assert "not knowing" in (await call("I'm scared it's cancer."))[0].lower()
