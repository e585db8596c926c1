"""Objections to what the avatar said are noticed, and owned."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.repair import SORRY, find_objection, own_up

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("last", "said", "objection"),
    [
        ("Oh, what a bother. Is it expensive?", "I just said. Eleven hundred.", "told"),
        ("What stayed with you from it?", "The name, like I said.", "told"),
        ("And looking back?", "Looking back at what? She only started on Monday.", "odd"),
        ("What would that mean for you?", "Mean for me? Well, fresh bread, I guess.", "odd"),
        ("Is there another chance?", "What? No. I should have been there.", "wrong"),
        ("Of course you're angry about it.", "I'm not angry at all, I laughed.", "wrong"),
        ("I'm sorry. What bothers you?", "No no, nothing bad! He stole a bun.", "wrong"),
        ("That's lovely! How did it feel?", "It wasn't lovely. It was awful.", "wrong"),
        ("What a shock.", "You've got it the wrong way round.", "wrong"),
        ("What's on your mind?", "You didn't answer my question, you know.", "ignored"),
        ("Thanks for sharing that.", "You sound like a form from HR.", "ignored"),
        ("Then that is clear.", "I'm not finished. There was a woman next to me.", "cut"),
    ],
)
def test_an_objection_is_noticed(last, said, objection):
    assert find_objection(said, last) == objection


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("How do you feel about it?", "I'm not sure. It was strange."),
        ("What is it like?", "It's not easy, but I like it."),  # asked, nothing claimed
        ("Tell me a bit more about that.", "There isn't much to tell, really."),
        ("How are you?", "And you? What do you do all day?"),
        ("That's hard.", "For me? It was the best night in ages."),
        ("Oh no. How is she?", "She said he wasn't listening to her at all yesterday evening."),
        ("How do you like my voice?", "You sound like my grandmother, it's lovely."),
        ("", "That's not what I said."),  # nothing was said before
    ],
)
def test_who_only_tells_or_answers_does_not_object(last, said):
    assert find_objection(said, last) is None


def test_a_mistake_is_owned_in_other_words_each_time_and_safely():
    for objection, sayings in SORRY.items():
        own: list[str] = []
        for _ in sayings:
            own.append(own_up(objection, "It wasn't lovely.", own))
        assert sorted(own) == sorted(sayings)
        assert not [one for one in sayings if find_unsafe(one)]
