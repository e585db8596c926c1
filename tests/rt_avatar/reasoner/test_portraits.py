"""What somebody or some place is like, and what only looks like it."""

import pytest

from rt_avatar.reasoner.portraits import PORTRAITS
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("She's very particular about the towels.", "person"),
        ("he's a retired postman", "person"),
        ("My new supervisor is half my age.", "person"),
        ("the teacher's a bit of a dragon", "person"),
        ("They're a young couple from Leeds.", "person"),
        ("My lodger is ever so quiet.", "person"),
        ("To be fair, he means well.", "other_side"),
        ("she's a decent woman otherwise", "other_side"),
        ("In fairness he did help with the move.", "other_side"),
        ("There's a bench behind the church where I have my lunch.", "place"),
        ("theres this little cafe by the canal", "place"),
        ("There's still a mark on the wall from his chair.", "still_there"),
        ("ive still got her coat on the hook", "still_there"),
        ("Ive got it pinned up over the sink", "still_there"),
    ],
)
def test_who_or_what_is_described_is_heard(text, act):
    assert find_act(text, PORTRAITS) == act


@pytest.mark.parametrize(
    "text",
    [
        "She's very ill.",
        "He's been away.",
        "She's gone.",
        "He's coming on Sunday.",
        "They're a nuisance, these forms.",
        "It's a nice day.",
        "I'm a postman.",
        "There's still time.",
        "There's a problem with the boiler.",
        "He's a bit drunk again and shouting.",
        "i've still got a headache",
        "She's so sad.",
        "There's a man at the door.",
        "I've got it in the end.",
    ],
)
def test_what_only_looks_like_it_is_left(text):
    assert find_act(text, PORTRAITS) is None
