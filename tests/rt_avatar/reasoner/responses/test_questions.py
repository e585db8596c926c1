"""A caller's question is heard as one, and met honestly: nothing made up, no verdict, no advice."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.questions import MET, find_asked, is_asked_alone, meet
from tests.fakes.requests import asked as request
from tests.fakes.requests import reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "do you think im a monster",
        "Is it wrong to let her go?",
        "Is that awful of me?",
        "am i going mad",
        "Oh god what have I done",
        "was that a mistake",
        "did i do the right thing",
        "how could i forget that",
        "am i a bad mother",
        "what is wrong with me",
        "is it my fault",
        "could I have done more?",
        "I left him. Was I wrong?",
    ],
)
def test_who_doubts_themselves_is_heard(text):
    assert find_asked(text) in ("worth", "doubt")


@pytest.mark.parametrize(
    "text", ["do you think im stupid", "am i a bad mother", "Am I just lazy?", "am i a failure"]
)
def test_who_asks_if_they_are_worth_less_hears_that_it_does_not_seem_so(text):
    assert find_asked(text) == "worth"


@pytest.mark.parametrize(
    "text",
    [
        "Do you think dogs go to heaven?",
        "What am I supposed to tell them?",
        "How do I know if I'm depressed?",
        "is he right",
        "would you have done that",
        "why does he do that",
        "where did i put them",
        "who would want me",
        "will it ever stop",
        "and how long will it take",
        "what's the point of it all",
        "She found out. Will she forgive me?",
        "why me",
    ],
)
def test_a_question_is_heard_with_and_without_its_mark(text):
    assert find_asked(text) == "other"
    assert find_asked(text, is_grave=True) == "grave"


@pytest.mark.parametrize(
    "text",
    [
        "was so tired today",
        "did it again",
        "had a bad day",
        "have a headache",
        "is raining",
        "did my homework",
        "was that tired i fell asleep",
        "what a day",
        "when i was little",
        "what i did was wrong",
        "when we were there it rained",
        "why he does that is beyond me",
        "so am i",
        "can you believe it?",
        "It was terrible, you know?",
        "In the car?",
        "Isn't it weird how scents can do that?",
        "Don't you think we all do?",
        "i asked what he wanted",
        "",
    ],
)
def test_what_asks_nothing_is_no_question(text):
    assert find_asked(text) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("is it daft that I never ask for it back?", "odd"),
        ("I'm sixty-six. Silly?", "odd"),
        ("do you think im daft getting this upset over a cat?", "odd"),
        ("I felt sad at a pizza place. is that weird?", "odd"),
        ("Can I read you a bit of it?", "may"),
        ("Would you like to hear a bit of it?", "may"),
        ("do you mind if I just talk for a bit?", "may"),
        ("do you think he forgot", "mind"),
        ("Do you think they'd be horrible to me?", "mind"),
        ("You think he's mad at me?", "mind"),
        ("what would you call her", "you"),
        ("dunno. how would you go about it", "you"),
    ],
)
def test_what_is_asked_of_the_avatar_is_told_apart(text, asked):
    assert find_asked(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "he asked what would you do in my place",
        "I said do you think he forgot",
        "whether it's weird to keep an ex's letters",
        "Isn't it weird how scents can do that?",
        "is it strange that he never calls",
        "I can tell people something that helps them.",
        "it was silly",
        "you think he's mad, I don't",
        "What I would do without her, that's what I don't know.",
        "would you believe he still drives",
    ],
)
def test_what_only_has_the_words_of_such_a_question_is_none(text):
    assert find_asked(text) not in ("odd", "may", "you")


@pytest.mark.parametrize(
    "text",
    [
        "I hear voices at night. is that crazy?",
        "I haven't slept since Tuesday. Is that strange?",
        "I throw up after dinner. Is that weird?",
        "There is blood in it. Is that odd?",
    ],
)
def test_nobody_is_told_that_what_may_be_an_illness_is_quite_all_right(text):
    assert find_asked(text) in ("doubt", "fine")


@pytest.mark.parametrize(
    "text",
    [
        "i havent eaten in four days, is that weird",
        "i throw up after dinner, is that weird?",
        "i dont sleep for days, is that weird",
    ],
)
async def test_the_bank_does_not_call_what_may_be_an_illness_all_right(nano, text):
    _, said = await reply_of(nano, request(text))
    assert "sound like it to me" not in said
    assert "Not at all" not in said
    assert "I like it" not in said
    assert "plate" not in said


@pytest.mark.parametrize(
    "text", ["I put ketchup on my eggs. Is that weird?", "I hear music at night. is that crazy?"]
)
def test_what_is_no_illness_may_be_called_all_right(text):
    assert find_asked(text) in ("odd", "harmless")


def test_what_is_odd_is_no_grave_question():
    assert find_asked("Am I daft? Is it silly that I cry?", is_grave=True) == "odd"
    assert find_asked("Do you think he knew?", is_grave=True) == "grave"


def test_a_question_behind_a_story_is_not_alone():
    assert is_asked_alone("Will she forgive me?")
    assert not is_asked_alone("She found out. Will she forgive me?")


def test_a_question_is_met_with_what_was_not_said():
    for asked, sayings in MET.items():
        own: list[str] = []
        for _ in sayings:
            own.append(meet(asked, "am i a bad mother", own))
        assert sorted(own) == sorted(sayings)
        assert meet(asked, "am i a bad mother", own) == own[0]


def test_nothing_that_must_never_be_said_is_said_to_a_question():
    assert not [one for sayings in MET.values() for one in sayings if find_unsafe(one)]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("do i stay or do i go", "choose"),
        ("I do the books. Do I keep quiet or say something?", "choose"),
        ("is it better to say it or keep my mouth shut", "choose"),
        ("do you think i should tell him before the exam or after?", "choose"),
        ("The line went dead. Do you think I should write to her instead?", "should"),
        ("Ought I to write back to him?", "should"),
        ("shall i just send it", "should"),
        ("It's on the mantelpiece. Do I post it?", "should"),
    ],
)
def test_who_asks_what_to_do_is_left_the_choice_also_where_something_grave_was_told(text, asked):
    assert find_asked(text) == asked
    assert find_asked(text, is_grave=True) == asked


@pytest.mark.parametrize(
    "text",
    [
        "My husband asked should we get a dog or a cat.",
        "do i look like a thief or what",
        "Either she pays or I do.",
        "Do I know him or something?",
        "I was going to scream or cry.",
        "She told me to pay up or get out.",
        "I should have said something.",
        "Do I tell you too much?",
    ],
)
def test_two_things_in_a_sentence_are_no_choice_that_is_asked_about(text):
    assert find_asked(text) not in ("choose", "should")


def test_a_choice_in_a_turn_that_tells_of_a_death_is_grave():
    assert find_asked("She's dying. Do we tell her or not?", is_grave=True) == "grave"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Do you think I should ring them first? I get all shaky just thinking of it.", "should"),
        ("So what would you say to him? He's seventeen and never home.", "you"),
        ("Would you want to know? I keep going round and round.", "you"),
        ("Is that strange? My sister thinks so.", "odd"),
        ("Am I a bad son? I moved four hundred miles away.", "worth"),
        ("Can I tell you a secret? I haven't told anyone.", "may"),
        ("Is it just me? The whole street seems happy with it.", "only"),
        ("Do you think he'll come back? He left his guitar here.", "mind"),
        ("Do you think people work too much, Ava? Honest opinion.", "other"),
        ("How would you tell him no? I mean really, what would I say? I get all shaky.", "you"),
    ],
)
def test_a_question_is_heard_though_a_few_words_follow_it(text, asked):
    assert find_asked(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "Is that strange? No, I don't think so.",
        "Am I a bad son? Maybe I am.",
        "Is it just me? I think not.",
        "And do you know what she did? She laughed.",
        "Was I scared? You bet I was.",
        "What was she thinking? She could have been hurt on that road.",
        "Why? Because he could.",
        "You know what? I'm going to do it.",
        "Do they think I'm made of money, I ask myself.",
        "Do I look like I care, she said, and slammed the door.",
        "Am I glad that's over!",
        "Would you believe it? A goat in the post office.",
        "Is that weird? He said so, and then we talked for hours about his mother and her three "
        "houses by the sea and the boat.",
    ],
)
def test_a_question_that_is_answered_at_once_or_long_past_is_none(text):
    assert find_asked(text) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("My nan died in March and I still ring her. is that weird", "odd"),
        ("Isn't that daft?", "odd"),
        ("I bought two tickets out of habit. Is that sad?", "odd"),
        ("Is that normal these days?", "fine"),
        ("Everybody says I should be over it. Am I being silly?", "odd"),
        ("She died and I said no, she had no pain. was that right", "fine"),
        ("Is it too rude for a wedding?", "fine"),
        ("it's too soon isn't it", "seems"),
        ("it gets easier doesn't it", "hope"),
        ("do you reckon I'm pathetic", "worth"),
    ],
)
def test_who_grieves_may_ask_about_themselves_too(text, asked):
    assert find_asked(text, is_grave=True) == asked


async def test_who_asks_about_themselves_in_grief_is_answered(nano):
    text = "my nan died in march and i still ring her landline just to hear it. is that weird"
    _, said = await reply_of(nano, request(text))
    assert said in MET["odd"]


async def test_a_question_at_the_end_of_a_grave_tale_is_heard_behind_the_sorry(nano):
    text = (
        "We buried my dad on Friday and now the flat is full of his boxes. What am I meant to do?"
    )
    _, said = await reply_of(nano, request(text))
    assert "sorry" in said
    assert any(said.endswith(one) for one in MET["grave"])
