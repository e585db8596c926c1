"""What a caller puts right is owned and taken over; who answers a question puts nothing right."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.nlu.spelling import spelled
from rt_avatar.reasoner.nlu.topics import find_topic
from rt_avatar.reasoner.nlu.word_emotion import WordEmotion
from rt_avatar.reasoner.responses.corrections import Correction, find_correction, say_right
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("last", "text", "right", "is_felt"),
    [
        ("You sound worried about it.", "im not worried im furious", "furious", True),
        ("That's a lot of worry all at once.", "im not worried im furious", "furious", True),
        ("You must be tired.", "not tired, just sad", "sad", True),
        ("You must be so proud.", "I'm not proud, I'm embarrassed.", "embarrassed", True),
        ("That sounds exciting.", "exciting isnt the word, im terrified", "terrified", True),
        ("I can hear how sad you are.", "i never said i was sad. im angry with him", "angry", True),
        ("You sound upset.", "Upset? No, more disappointed, I think.", "disappointed", True),
        ("You can't hold them back. That's hard.", "what? no. im happy about it", "happy", True),
        ("Nobody shakes off a scare like that.",
         "no there was no scare i mean im scared of being a dad", "scared", True),
        ("That must be lonely.", "It's not lonely, it's peaceful, actually.", "peaceful", False),
        ("Your mum? How is she?", "no its my sister not my mum", "my sister", False),
        ("I can tell that the book matters.", "not about the book. about my dad. he rang",
         "my dad", False),
        ("The kids! You can be proud of that.", "No, not the kids, the promotion.",
         "the promotion", False),
        ("Into your car? I'm sorry.", "not mine, my neighbours", "my neighbours", False),
        ("Poor girl. What's wrong with her?", "He. Biscuit's a he.", "he", False),
        ("Your son? How lovely.", "Grandson.", "my grandson", False),
        ("Your son must be thrilled!", "Daughter. And yes, she is.", "my daughter", False),
        ("Your daughter? How old is she?", "My wife. She's got the flu.", "my wife", False),
        ("That must make you sad.", "sad no, relieved honestly", "relieved", True),
        ("I'm sorry, you sound tired.", "Angry more than tired.", "angry", True),
        ("That's a lot to carry.", "Oh no, the allotment's no burden, it's a joy!", "a joy", False),
        ("Your husband? How nice.", "I'm not married, Ava. Tom's my brother.", "", False),
        ("How lovely! Good news?", "It isn't good news, they let me go.", "", False),
    ],
)  # fmt: skip
def test_what_is_put_right_is_heard(last, text, right, is_felt):
    assert find_correction(spelled(text), last) == Correction(right, is_felt)


@pytest.mark.parametrize(
    ("last", "text"),
    [
        ("Tell me, how was it?", "not bad, just long"),
        ("What speaks for it?", "I'm not worried about money, I've got my pension."),
        ("And how is she?", "not great, not awful"),
        ("What about?", "My sister said it's not my fault, it's hers."),
        ("I see. Go on.", "it's not the money, it's the principle"),
        ("Who is Maria?", "She's not just my neighbour, she's my friend."),
        ("Oh no. What happened?", "no its fine, it was only the battery"),
        ("What colour is it?", "not red, more orange"),
        ("Are you worried?", "no, not worried, just curious"),
        ("Was that lonely?", "Not lonely, no. Quiet."),
        ("You sound sad.", "yeah im sad, not gonna lie"),
        ("That's hard.", "It is hard."),
        ("What happened?", "He thought I was worried but I was furious."),
        ("You sound tired.", "I said to him I'm not tired, I'm bored of you."),
        ("That must be hard.", "It's not that I want one. I just want my friends back."),
        ("Who's with you? Your sister?", "my sister"),
        ("How is he today?", "he's a bit better"),
        ("Who told you that about your son?", "My sister."),
        ("Your son sounds kind. Who does he take after?", "My mother."),
        ("How lovely! Is that your son?", "nephew. but i take him every week"),
        ("That must be hard.", "more than you know"),
        ("You sound sad.", "a bit, no more than usual"),
        ("Is your mum there?", "no"),
    ],
)
def test_who_answers_or_tells_on_puts_nothing_right(last, text):
    assert find_correction(spelled(text), last) is None


@pytest.mark.parametrize(
    ("told", "last", "text", "said_back"),
    [
        ("my neighbour parked across my drive", "That's a lot of worry all at once.",
         "im not worried im furious. i could see the telly", "furious"),
        ("she's having her hip done", "Your mum? How is she?", "no its my sister not my mum",
         "our sister"),
        ("I got the promotion", "The kids! You can be proud of that.",
         "No, not the kids, the promotion.", "he promotion"),
        ("I've had it thirty years", "That's a lot to carry.",
         "Oh no, the allotment's no burden, it's a joy!", "joy"),
    ],
)  # fmt: skip
async def test_it_is_owned_and_told_back(nano, told, last, text, said_back):
    _, said = await reply_of(nano, asked(text, told, last))
    assert "sorry" in said.lower() or "wrong" in said
    assert said_back in said
    assert not find_unsafe(said)


def test_a_feeling_put_right_is_not_taken_for_so_later_in_the_call(classifier):
    before = ("I live by myself", "That must be lonely.", "It's not lonely, it's quiet.")
    rest = (
        "I see.",
        "i get up at five",
        "I see.",
        "the kids come",
        "I see.",
        "we have eggs",
        "Mm.",
    )
    request = asked("and nobody else comes by in the week", *before, *rest)
    estimate = WordEmotion(classifier).estimate(request)
    assert estimate is not None
    assert estimate.fine != "lonely"
    named = asked("now i am so lonely", *before, *rest)
    again = WordEmotion(classifier).estimate(named)
    assert again is not None
    assert again.fine == "lonely"


def test_of_who_was_taken_for_another_nothing_is_told():
    assert find_topic("no it's my sister, not my mum").noun == "your sister"
    assert find_topic("it's not my mum's fault, she tried").noun.startswith("your mum")


def test_what_is_so_is_said_in_other_words_next_time():
    once = say_right(Correction("sad", is_felt=True), "no", [])
    assert say_right(Correction("sad", is_felt=True), "no", [once]) != once
