import pytest

from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.chat.agents import find_agent, may_choose

pytestmark = pytest.mark.unit

AVA = PERSONAS["ava"]


@pytest.mark.parametrize("persona", PERSONAS.values(), ids=list(PERSONAS))
def test_every_persona_is_found_by_age_and_gender(persona):
    assert find_agent(f"{persona.age}, {persona.gender}", AVA) == persona


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("Female Young Adults", "ava"),
        ("Male; Teenagers", "leo"),
        ("Male Middle-aged Adults", "tom"),
        ("Elderly Adults, Female", "rose"),
        ("Children Male", "finn"),
        ("a girl", "zuri"),
        ("an old man with a warm voice", "sam"),
    ],
)
def test_names_of_empathyears_own_data_and_of_models_are_read(description, name):
    assert find_agent(description, AVA).name == name


@pytest.mark.parametrize(("description", "name"), [("male", "leo"), ("elderly", "rose")])
def test_what_is_not_told_stays_as_who_was_asked(description, name):
    assert find_agent(description, AVA).name == name


@pytest.mark.parametrize("description", ["", "warm, soft", "none of these"])
def test_who_was_asked_answers_where_nothing_is_told(description):
    assert find_agent(description, PERSONAS["sam"]) == PERSONAS["sam"]


def test_who_answers_is_open_only_until_the_callers_first_words_are_answered():
    turn = TurnId(3)
    hello = ChatMessage("avatar", "Hello, I'm Ava.")
    asked = ReplyRequest(turn, Transcript(turn, 0, "hi", True), Affect(turn, 0), (hello,), AVA)
    assert may_choose(asked)
    told = (hello, ChatMessage("caller", "I lost my job."), ChatMessage("avatar", "Oh no."))
    assert not may_choose(ReplyRequest(turn, asked.transcript, asked.affect, told, AVA))
