"""Who goes away, has gone or does not come, told soberly, is met as a parting."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.partings import SAYINGS, find_parting, meet_parting

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("he's moving to Canada in March", ("parting", "him")),
        (
            "My daughter's taking the grandchildren to live in Spain.",
            ("parting", "her"),
        ),
        ("my best friend and her husband are moving to New Zealand", ("parting", "them")),
        ("Our vicar is leaving the parish.", ("parting", "them")),
        ("my sister is going abroad to teach", ("parting", "her")),
        ("the kids are both moving out this summer", ("parting", "them")),
        ("my youngest started university on monday", ("parted", "them")),
        ("My best friend has emigrated.", ("parted", "them")),
        ("My brother moved to Perth last spring", ("parted", "him")),
        ("she's moved away now", ("parted", "her")),
        ("She's not coming for Christmas this year.", ("absent", "her")),
        ("dad won't be coming to the wedding", ("absent", "him")),
        ("my son can't make it home for Easter", ("absent", "him")),
    ],
)
def test_a_parting_is_heard(text, found):
    assert find_parting(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "He's moving the sofa.",
        "She's going to Spain for two weeks.",
        "My boyfriend's moving in next month.",
        "my sister is moving nearer to me",
        "He's leaving work early today.",
        "he left me last night",
        "Thank goodness he's moved out.",
        "It was my day off.",
        "She's off to the shops.",
        "I'm gutted he's moving to Canada.",
        "the show isn't coming back this year",
        "Is he moving to Canada?",
        "my wife is moving to another department",
        "I wish he'd move to Canada.",
        "My dad left in the morning.",
    ],
)
def test_who_comes_back_or_only_moves_is_not(text):
    assert find_parting(text) is None
    assert meet_parting(text, ()) == ""


def test_nothing_that_is_said_is_unsafe():
    assert not any(find_unsafe(one) for sayings in SAYINGS.values() for one in sayings)


async def test_it_is_met_in_a_call(call):
    said = await call("he's moving to Canada in March")
    assert said[0] in [one.format(who="him") for one in SAYINGS["parting"]]
