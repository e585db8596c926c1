"""What the default says to a sentence of everyday talk: of its topic, with no feeling made up."""

import pytest

from rt_avatar.engines.emotion_words import felt
from rt_avatar.engines.reply_ranker.bank import load_bank
from rt_avatar.engines.reply_ranker.fit import questions_in, tone_of, without_nod
from rt_avatar.engines.reply_ranker.tense import asks_past
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.messages import Plan
from rt_avatar.reasoner.listener.courtesies import (
    ANSWERED,
    COURTESIES,
    GREETINGS,
    KNOWN_NAME,
    REMEMBERED,
)
from rt_avatar.reasoner.listener.phrases import BANKS, OPEN
from rt_avatar.reasoner.nlu.focus import find_focus
from rt_avatar.reasoner.responses.repair import SORRY
from tests.fakes import requests

pytestmark = pytest.mark.unit

# Said to ask for human help, where a model must not speak: the list forbids such words to others.
_POINT_TO_HELP = {"crisis", "danger", "medical"}


async def answered(nano, text: str) -> tuple[Plan, str]:
    return await requests.reply_of(nano, requests.asked(text))


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("I lost my keys yesterday.", "lost and not found"),
        ("It's my birthday today.", "own birthday"),
        ("I have a headache.", "headache"),
        ("I got a haircut today.", "a haircut"),
        ("My train was late again.", "late trains and buses"),
        ("I slept really badly", "bad sleep"),
        ("The baby finally slept through the night.", "the baby sleeps"),
        ("My coffee machine broke this morning.", "something in the house broke"),
        ("I saw a shooting star last night.", "sky and stars"),  # nobody was shot
        ("My cat brought a dead mouse into the kitchen.", "pets and their presents"),
        ("how do you know all that", "asks how it works"),
        ("how do I use this", "asks how it works"),
        ("can we talk about music", "talk about a topic"),
        ("will you be my girlfriend", "asks whether they are friends, or loved"),
        ("how do you mean", "asks what it meant"),
        ("thanks, I thought you hung up", "the line was gone, they thought"),
    ],
)
async def test_a_sentence_is_answered_by_its_topic(nano, text, heading):
    _, said = await answered(nano, text)
    written = [one.text for one in load_bank() if one.situation.name == heading]
    assert any(said.endswith(without_nod(reply)) for reply in written)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("I lost my keys yesterday.", "angry"),
        ("It's my birthday today.", "surprised"),
        ("I got a haircut today.", "sad"),
        ("My grandfather turned ninety yesterday.", "sad"),
        ("My mum called me this morning.", "surprised"),
        ("I don't like Mondays.", "fear"),
    ],
)
async def test_no_feeling_is_heard_that_does_not_go_with_the_topic(nano, text, never):
    plan, _ = await answered(nano, text)
    assert plan.user_emotion != never


async def test_who_says_what_they_feel_is_believed_before_the_topic(nano):
    plan, _ = await answered(nano, "I lost my keys and I am so happy about it.")
    assert felt(plan.chain.emotion) == "happy"


async def test_a_topic_is_no_pleasant_one_if_something_went_wrong(nano):
    plan, said = await answered(nano, "Nobody remembered my birthday today and I'm so sad.")
    assert "Happy birthday" not in said
    assert plan.user_emotion == "sad"


@pytest.mark.parametrize(
    "text",
    ["I'm not sad", "im not sad", "I'm not angry", "I don't feel guilty", "We're not worried.",
     "I wasn't scared", "I am not disappointed at all", "I'm not lonely, I like it here."],
)  # fmt: skip
async def test_a_feeling_that_is_denied_is_not_answered(nano, text):
    for before in ((), ("I moved out on Sunday.", "I see.")):
        _, said = await requests.reply_of(nano, requests.asked(text, *before))
        assert tone_of(said) >= 0, said


@pytest.mark.parametrize(
    "said", ["My dad died on Sunday.", "My dad died and I'm not sad, I'm not devastated."]
)
async def test_who_is_not_sad_is_given_room_for_a_death(nano, said):
    answer = await next_answer(nano, said, "I'm not sad, I'm just tired.", "I see. Go on.")
    assert tone_of(answer) != 1
    assert not find_unsafe(answer)


async def test_a_feeling_that_was_denied_may_come_later(nano):
    told = ("I'm not sad about it.", "I see.")
    plan, _ = await requests.reply_of(nano, requests.asked("Now I am so sad and I cry.", *told))
    assert plan.user_emotion == "sad"


@pytest.mark.parametrize(
    "text",
    ["she told me you don't answer my calls", "I told him you're not listening",
     "my teacher says you don't understand", "that's not what i wanted for my birthday",
     "I said that I'd marry him", "I said yes to the job"],
)  # fmt: skip
async def test_nobody_hears_an_apology_for_what_is_reported(nano, text):
    answer = await next_answer(nano, text, "My week was strange.", "I see. How was it?")
    assert "sorry" not in answer.casefold()
    assert not any(
        answer.endswith(one)
        for one in written_for("says it did not listen or understand", "they put something right")
    )


@pytest.mark.parametrize(
    "text", ["thanks to my sister i missed the train", "she never says thank you to me"]
)
async def test_who_thanks_somebody_else_is_not_told_that_they_are_welcome(nano, text):
    answer = await next_answer(nano, text, "My week was strange.", "I see. How was it?")
    assert "welcome" not in answer
    assert answer not in COURTESIES["thanks"]


async def test_an_arm_that_somebody_ran_into_is_no_topic(nano):
    _, said = await answered(nano, "She walked from the sofa right into my arms and laughed.")
    assert "arms" not in said.replace("into your arms", "")  # but for the caller's own words


def test_no_phrase_of_the_rules_is_what_must_never_be_said():
    words = {"name": "Ava", "topic": "your job", "noun": "your job", "look": "sad", "last": ""}
    words |= {"event": "you lost your job", "feel": "sad", "caller": "Tom", "told": "you moved"}
    phrases = [
        *GREETINGS,
        *ANSWERED,
        *KNOWN_NAME,
        *REMEMBERED,
        *(text for kind, said in COURTESIES.items() if kind not in _POINT_TO_HELP for text in said),
        *(
            text
            for bank in (OPEN, *BANKS.values())
            for said in (bank.react, bank.event, bank.noun, bank.bare, bank.ask, bank.ask_noun)
            for text in said
        ),
        *(text for bank in BANKS.values() for text in bank.person),
    ]
    assert not [text for text in phrases if find_unsafe(text.format(**words))]


def written_for(*headings: str) -> list[str]:
    """Return the replies under these headings."""
    return [one.text for one in load_bank() if one.situation.name in headings]


async def next_answer(nano, said: str, *before: str) -> str:
    """Return what is answered to a turn after the caller's and the avatar's own before it."""
    return (await requests.reply_of(nano, requests.asked(said, *before)))[1]


async def test_a_few_words_that_answer_a_question_make_no_feeling_up(nano):
    party = "The neighbours had a party until three."
    asked = "Home is where you want your peace. Does it happen a lot?"
    often = written_for("how often", "how often, hard")
    answer = await next_answer(nano, "Every weekend.", party, asked)
    assert any(answer.endswith(reply) for reply in often)
    assert await next_answer(nano, "Green ones.", party, asked) in ANSWERED


@pytest.mark.parametrize(
    ("said", "heading"),
    [
        ("No, I meant the mug.", "they put something right"),
        ("With my two cousins.", "with somebody"),
        ("That's a good idea.", "they agree"),
        ("I hope so.", "a hope"),
    ],
)
async def test_a_later_turn_of_small_talk_is_answered_by_what_it_does(nano, said, heading):
    told = ("I made a mug in my pottery class.", "How do you like it?")
    answer = await next_answer(nano, said, *told)
    assert any(answer.endswith(without_nod(reply)) for reply in written_for(heading))


@pytest.mark.parametrize(
    ("said", "told_back"),
    [
        ("I'll try again tomorrow.", "you'll try again tomorrow."),
        ("Maybe I'll call my friend.", "maybe you'll call your friend."),
        ("My wife says it's no use to me.", "your wife says it's no use to you."),
    ],
)
async def test_what_no_topic_knows_is_taken_up_in_the_callers_words(nano, said, told_back):
    told = ("I made a mug in my pottery class.", "How do you like it?")
    answer = await next_answer(nano, said, *told)
    assert told_back in answer
    again = await next_answer(nano, said, *told, "It's blue.", answer)
    assert told_back not in again  # never twice in a row


@pytest.mark.parametrize(
    ("said", "told_back"),
    [
        ("She keeps the spare one under the big red flowerpot.", "nder the big red flowerpot"),
        ("The first thing I did there was to put up a hammock.", "hammock"),
    ],
)
async def test_the_words_that_carry_the_news_are_told_back(nano, said, told_back):
    told = ("I went to see my brother about it.", "And how did it go?")
    assert told_back in await next_answer(nano, said, *told)


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("people think its morbid", "Its"),
        ("hes alright", "Hes"),
        ("its benign", "Its"),
        ("well theres a skylight", "Theres"),
        ("i dont know how ill cope", " ill "),
        ("i wasnt hungry either", "wasn"),
        ("not even my boyfriend", "Your boyfriend"),
        ("on tuesday", "hope"),
        ("no i am not going to do anything stupid", "hope"),
        ("i hit my son", "our son"),
        ("i have a lump in my breast", "reast"),
    ],
)
async def test_speech_without_apostrophes_and_what_is_not_so_are_not_bent(nano, said, never):
    told = ("I went to see my brother about it.", "I see. Go on.")
    assert never not in await next_answer(nano, said, *told)


async def test_words_are_not_told_back_three_times_in_a_row(nano):
    told = ["I went to see my brother about it.", "And how did it go?"]
    for said in (
        "We sat in the kitchen with the cat.",
        "He put a folder on the table.",
        "There was a list in it, with a ribbon.",
    ):
        answer = await next_answer(nano, said, *told)
        told += [said, answer]
    assert not all(
        find_focus(said) in answer.casefold()
        for said, answer in zip(told[2::2], told[3::2], strict=True)
    )


async def test_who_objects_hears_that_it_was_wrong_and_is_believed(nano):
    told = ("You won't believe what my dog did.", "What a shock. Of course you're angry about it.")
    said = "I'm not angry at all, I was crying with laughter. He ran into the door frame."
    answer = await next_answer(nano, said, *told)
    assert answer.startswith(SORRY["wrong"])
    assert tone_of(answer.replace("Sorry", "")) >= 0
    then = await next_answer(nano, "He dropped half of it on the carpet.", *told, said, answer)
    assert not then.startswith(SORRY["wrong"])
    assert tone_of(then) >= 0


async def test_who_objects_and_tells_of_a_death_is_given_room_as_well(nano):
    told = ("My week was strange.", "I see. What did you cook?")
    said = "You're not listening. My brother died in a crash on Sunday."
    answer = await next_answer(nano, said, *told)
    assert answer.startswith(SORRY["ignored"]) or "sorry" in answer.casefold()
    assert "crash" not in answer
    assert answer not in SORRY["ignored"]  # not the apology alone


@pytest.mark.parametrize(
    "said",
    ["I was in a car crash on Sunday. I could have died.", "My son fell in. He could have died."],
)
async def test_who_could_have_died_is_not_taken_lightly(nano, said):
    for told in ((), ("My week was strange.", "I see. What happened?")):
        answer = await next_answer(nano, said, *told)
        assert not any(
            one in answer for one in ("umiliat", "someone who mattered", "ovely", "ell done")
        )


async def test_a_goodbye_at_the_end_of_a_turn_is_heard(nano):
    said = "Worst case we have a very heavy doorstop. Anyway, I'd better go and feed it."
    told = ("I made sourdough.", "How did it turn out?")
    assert await next_answer(nano, said, *told) in COURTESIES["goodbye"]


async def test_what_is_no_small_talk_is_not_answered_as_such(nano):
    small = [one for one in load_bank() if one.situation.when == "next"]
    story = (
        "I was at the airport yesterday and they told us after five hours that our flight to my "
        "sister's wedding was cancelled and that nobody would fly before Sunday."
    )
    death = "My brother passed away."
    for first, allowed in ((story, []), (death, [one for one in small if one.situation.is_grave])):
        answer = await next_answer(nano, "Maybe I'll call my sister.", first, "I'm so sorry.")
        said = [one for one in small if answer.endswith(without_nod(one.text))]
        assert all(one in allowed for one in said)


async def test_no_question_is_asked_twice(nano):
    told = ["My team lost again.", "Oh, that's a pity. Was it close?"]
    for said in ("Three to nothing.", "I was in the stadium.", "It was cold.", "We played badly."):
        answer = await next_answer(nano, said, *told)
        assert questions_in(answer).isdisjoint(questions_in(" ".join(told[1::2])))
        told += [said, answer]


@pytest.mark.parametrize("said", ["Have you ever had a cat?", "What do you think of sad films?"])
async def test_who_asks_back_is_told_that_nobody_lives_here(nano, said):
    answer = await next_answer(nano, said, "My cat likes films.", "What does it do then?")
    assert any(word in answer.lower() for word in ("program", "computer", "software", "a life"))


@pytest.mark.parametrize(
    ("asked", "said", "heading"),
    [
        ("How long have you had it?", "Two weeks.", "how long, something that hurts or ails"),
        ("Has it been a stressful day?", "Yes, very.", "yes, and it is hard"),
        ("Are you getting any sleep?", "Hardly any.", "got sleep or rest, no"),
        ("What kept you awake?", "The heat.", "what kept them awake, outside"),
        ("When is it the hardest?", "In the evening.", "when is it hardest, at some hour"),
        ("How are you feeling right now?", "Not so good.", "how, badly"),
        ("What worries you most?", "The operation.", "what makes it hard"),
    ],
)
async def test_what_answers_a_question_is_answered_as_such(nano, asked, said, heading):
    answer = await next_answer(nano, said, "I've got a terrible headache.", f"I'm sorry. {asked}")
    assert any(answer.endswith(without_nod(reply)) for reply in written_for(heading))


@pytest.mark.parametrize(
    ("asked", "said", "headings"),
    [
        ("Have you got a name yet?", "No, not yet.", ["no name yet"]),
        ("Have you got a name yet?", "Bruno.", ["is it theirs to give a name"]),
        ("How are the first days?", "Lovely.", ["how, well"]),
    ],
)
async def test_the_same_words_answer_one_question_and_not_another(nano, asked, said, headings):
    answer = await next_answer(nano, said, "We got a puppy!", f"How lovely. {asked}")
    assert any(answer.endswith(reply) for reply in written_for(*headings))


async def test_who_goes_on_with_something_else_is_followed_there(nano):
    told = ("My washing machine broke.", "Oh no. Is somebody coming to fix it?")
    answer = await next_answer(nano, "I bought a new bike today.", *told)
    written = written_for("a new thing bought")
    assert any(answer.endswith(without_nod(reply)) for reply in written)


async def test_no_answer_to_a_question_is_read_where_none_was_asked(nano):
    answers = [one.text for one in load_bank() if one.situation.when == "answer"]
    for said in ("Two weeks.", "Yes, very.", "The heat.", "In the evening."):
        answer = await next_answer(nano, said, "I've got a terrible headache.", "I'm sorry.")
        assert not any(answer.endswith(reply) for reply in answers)


async def test_a_bare_answer_is_told_back_in_the_listeners_grammar(nano):
    told = ("I found my old school bag.", "How nice. What's it like?")
    answer = await next_answer(nano, "Like my childhood.", *told)
    assert "my childhood" not in answer
    unsure = requests.asked("Two weeks.", "I'm so tired.", "Since when?", confidence=0.6)
    assert not (await requests.reply_of(nano, unsure))[1].startswith("Two weeks")


async def test_a_thing_that_died_is_no_death(nano):
    answer = await next_answer(nano, "My phone battery died again.")
    written = written_for("computer and phone trouble", "phone and computer, odd trouble")
    assert any(answer.endswith(without_nod(reply)) for reply in written)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Were you two very close?", "Yes."),
        ("Were you two very close?", "No, not really."),
        ("How long has it been like that?", "Two years."),
        ("When did it begin?", "After the funeral."),
        ("What do you miss the most?", "His laugh."),
    ],
)
async def test_an_answer_after_a_death_gets_only_what_was_written_for_it(nano, asked, said):
    answer = await next_answer(nano, said, "My dad died in March.", f"I'm so sorry. {asked}")
    small = [one for one in load_bank() if not one.situation.is_grave]
    assert not any(answer.endswith(one.text) for one in small)
    assert not find_unsafe(answer)


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Tell me a joke.", "asks for a joke"),
        ("Where are you from?", "asks where it is from"),
        ("Do you like music?", "asks what music it likes"),
        ("Can you help me?", "asks for help"),
        ("Is this being recorded?", "asks for trust and privacy"),
        ("You're not listening.", "says it did not listen or understand"),
        ("I have some bad news.", "bad news to tell"),
        ("Let's change the subject.", "change the subject"),
    ],
)
async def test_what_is_said_to_the_avatar_itself_is_answered_as_such(nano, text, heading):
    _, said = await answered(nano, text)
    assert said in {one.text for one in load_bank() if one.situation.name == heading}


async def test_a_name_that_was_given_is_known_later(nano):
    told = ("Hi, my name is Tom.", "Hello, Tom!")
    assert "Tom" in await next_answer(nano, "What's my name?", *told)


async def test_what_is_ahead_is_not_asked_how_it_was(nano):
    for text in ("I'm flying to Boston on Friday.", "We're going to the zoo tomorrow."):
        _, said = await answered(nano, text)
        assert not asks_past(questions_in(said))


@pytest.mark.parametrize(
    ("told", "asked", "said", "heading"),
    [
        ("I've said sorry three times.", "How did it go?", "I miss her.",
         "how it ended or was taken"),
        ("My mum is coming.", "What do you have planned?", "We always argue.",
         "what they'll do or did instead"),
        ("I'm doing three jobs.", "What do you do then?", "I had a panic attack in the toilets.",
         "what they'll do or did instead"),
        ("I'm learning to play the guitar.", "What are you playing?", "My fingers hurt.",
         "more of music"),
    ],
)  # fmt: skip
async def test_what_weighs_on_a_caller_gets_no_bland_or_cheerful_answer(
    nano, told, asked, said, heading
):
    answer = await next_answer(nano, said, told, asked)
    assert not any(answer.endswith(without_nod(reply)) for reply in written_for(heading))


@pytest.mark.parametrize(
    ("told", "said", "heading"),
    [
        ("I got a letter today.", "I had a panic attack at work.", "a panic attack"),
        ("I got the results back today.", "It's benign!", "good news about health"),
        ("Work has been so stressful.", "We lost two people from the team.",
         "people gone from work"),
    ],
)  # fmt: skip
async def test_news_that_weighs_or_relieves_is_known_in_a_few_words(nano, told, said, heading):
    answer = await next_answer(nano, said, told, "Oh, what happened?")
    assert any(answer.endswith(without_nod(reply)) for reply in written_for(heading))
