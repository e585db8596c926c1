import pytest

from rt_avatar.reasoner.nlu.intents import find_intent

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("hello", "greeting"), ("good morning ava", "greeting"), ("how are you", "how_are_you"),
        ("thank you so much", "thanks"), ("bye bye", "goodbye"), ("I have to go now", "goodbye"),
        ("well it was nice talking to you", "goodbye"),
        ("what do you think about it", "advice"), ("what do you think of cats", "telling"),
        ("who are you", "who_are_you"),
        ("please tell me who you are and what you can do", "who_are_you"),
        ("I'd like to know what you can do", "who_are_you"),
        ("do you know what you are doing to me", "telling"),
        ("are you real", "are_you_real"),
        ("do you have feelings", "do_you_feel"), ("can you hear me", "can_you_hear"),
        ("sorry what did you say", "say_again"), ("what should i do", "advice"),
        ("should i take two pills", "medical"), ("shut up", "insult"),
        ("what time is it", "fact"), ("mm hmm", "backchannel"), ("okay", "backchannel"),
        ("yes", "yes"), ("no not really", "no"), ("i don't know", "dont_know"), ("", "unheard"),
        ("he hits me when he drinks", "danger"),
        ("I took too many pills", "danger"),
        ("I take care of my mother", "telling"), ("I have to go to work tomorrow", "telling"),
        ("he told me to shut up", "telling"), ("she is so annoying", "telling"),
        ("I said hello to my neighbor", "telling"),
        ("I had to say goodbye to my best friend", "telling"),
        ("how much and how long medical school takes worries me", "telling"),
    ],
)  # fmt: skip
def test_what_kind_of_thing_was_said(text, intent):
    assert find_intent(text) == intent


@pytest.mark.parametrize(
    "text",
    [
        "Well, I have to go now, it's nearly three.",
        "Anyway, I should get to bed, thanks for listening.",
        "It was a long day. I'd better go and feed the cat.",
        "I should get going.",
        "I think I'll have a cup of tea and go to bed. Thanks for letting me go on.",
    ],
)
def test_who_takes_leave_in_a_sentence_is_heard(text):
    assert find_intent(text) == "goodbye"


@pytest.mark.parametrize(
    "text",
    [
        "She says I should go, but I'm scared.",
        "I should go, but I don't want to.",
        "I go to bed and lie awake.",
        "I should be going to the gym more often.",
        "I need to get going with my thesis.",
        "When I have to go, I cry.",
        "I said goodbye to him. Then he cried.",
    ],
)
def test_who_tells_of_going_does_not_take_leave(text):
    assert find_intent(text) == "telling"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("we had a good night", "telling"), ("I kissed her good night", "telling"),
        ("good night out with the girls", "telling"), ("did you have a good night", "telling"),
        ("thanks for listening good night", "goodbye"), ("okay so good night", "goodbye"),
        ("Have a good night!", "goodbye"), ("good night ava", "goodbye"),
        ("thanks to my sister i missed the train", "telling"),
        ("she didn't even say thanks", "telling"), ("I appreciate that my mum calls", "telling"),
        ("thanks to you i feel better", "thanks"), ("no thank you", "no"),
        ("i dont", "no"), ("I'm not", "no"), ("No, I didn't.", "no"), ("I'm not really", "no"),
        ("i really don't know", "dont_know"), ("well i have no idea", "dont_know"),
        ("not really sure", "dont_know"), ("I'm not sure about him", "telling"),
        ("can you say something nice", "telling"), ("could you say that again", "say_again"),
        ("how old is my dad now i wonder", "telling"), ("how old is the queen", "fact"),
        ("why do cats purr", "fact"), ("so how do planes stay up", "fact"),
        ("do spiders sleep", "fact"), ("is a hot dog a sandwich", "fact"),
        ("why do people lie", "telling"), ("how does he do that", "telling"),
        ("why do my knees crack", "telling"), ("do the dishes", "telling"),
        ("what are you gonna do", "telling"), ("who are you to judge me", "telling"),
        ("what are you exactly", "who_are_you"), ("can you see me doing that", "telling"),
        ("good", "telling"), ("nice", "telling"), ("good evening", "greeting"),
    ],
)  # fmt: skip
def test_courtesies_are_told_from_talk_in_their_words(text, intent):
    assert find_intent(text) == intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("should I call the doctor", "medical"), ("should we take her to A&E?", "medical"),
        ("he's got a rash, should he go to hospital", "medical"),
            ("he's got chest pain, should he go to hospital", "danger"),
        ("should i ring 111", "medical"), ("do i need to see a gp", "medical"),
        ("do you think I should get her to the ER", "medical"),
        ("is it worth ringing the doctor", "medical"), ("would you call a doctor", "medical"),
        ("should i become a doctor", "advice"), ("should I call my ex", "advice"),
        ("should i go to the hospital to visit my ex", "advice"),
        ("my sister is a doctor at the hospital", "telling"),
    ],
)  # fmt: skip
def test_who_asks_whether_to_ask_a_doctor_asks_a_medical_question(text, intent):
    assert find_intent(text) == intent
