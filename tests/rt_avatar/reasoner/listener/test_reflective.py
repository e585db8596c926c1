import pytest

from rt_avatar.messages import Affect, Plan, TurnId
from rt_avatar.reasoner import ChatMessage
from rt_avatar.reasoner.listener.courtesies import COURTESIES
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner
from tests.fakes.requests import asked, replies_of, reply_of

pytestmark = pytest.mark.unit

LOOKS_SAD = Affect(TurnId(3), 16_000, -0.6, 0.0, "sad", {"sad": 0.7, "neutral": 0.2, "happy": 0.1})


def ask(text: str, *before: str, **more) -> Listening:
    return Listening(asked(text, *before, **more))


async def call(*turns: str) -> list[str]:
    return await replies_of(ReflectiveReasoner(), *turns)


async def test_a_reply_is_one_plan_and_then_clauses_with_rising_index():
    reasoner = ReflectiveReasoner()
    assert all(await reply_of(reasoner, asked("I lost my job")))
    await reasoner.aclose()


def test_it_reflects_asks_and_gives_the_callers_words_back():
    answer = ask("I lost my job last week and I feel terrible")
    assert "ou lost your job" in answer.text
    assert answer.text.endswith("?")
    assert answer.plan.chain.scenario == "they lost their job"
    assert answer.plan.face.emotion == "sad"


async def test_the_same_conversation_always_gets_the_same_reply():
    turns = ("I miss my dog", "yes", "I feel sad")
    assert await call(*turns) == await call(*turns)


async def test_it_does_not_repeat_itself_in_a_call():
    replies = await call(
        *["I feel so sad", "I am sad about my house", "I'm really sad", "it is sad"]
    )
    questions = [reply.rsplit(". ", 1)[-1] for reply in replies]
    assert len(set(questions)) == len(questions)
    assert len({reply.split(".")[0] for reply in replies}) == len(replies)


@pytest.mark.parametrize("again", ["mm hmm", "she raised me"])
def test_it_follows_up_on_what_was_told_before(again):
    history = [ChatMessage("caller", "I saw my grandmother"), ChatMessage("avatar", "I see.")]
    texts = {ask(again, history=(*history, ChatMessage("avatar", "x" * n))).text for n in range(5)}
    assert any("your grandmother" in text for text in texts)


def test_a_feeling_colors_the_face_of_the_next_neutral_turn():
    told = ("my grandmother died", "I'm so sorry.")
    assert ask("on sunday in the morning", *told).style.face.emotion == "sad"
    assert ask("on sunday in the morning").style.face.emotion == "happy"


def test_voice_and_face_speak_where_words_say_little():
    answer = ask("I went to the store", affect=LOOKS_SAD)
    assert answer.plan.user_emotion == "sad"
    assert "a little sad" in answer.text


def test_fine_said_sadly_is_asked_about_as_a_guess():
    answer = ask("I'm fine really", affect=LOOKS_SAD)
    assert "sad" in answer.text
    assert any(hedge in answer.text for hedge in ("may be wrong", "to me", "seems"))


def test_noise_is_never_echoed():
    heard = "my dog and the on eight day where hand a cried"
    answer = ask(heard, confidence=0.6)
    assert "your dog" in answer.text
    assert not {"eight", "where", "hand"} & set(answer.text.split())


@pytest.mark.parametrize("text", ["", "[NOISE]", "<sil> ++BREATH++"])
def test_nothing_heard_is_said_so(text):
    answer = ask(text)
    assert answer.intent == "unheard"
    assert answer.text.endswith("?")


def test_unsure_words_without_any_hold_count_as_not_heard():
    assert ask("the girl man a of doc were in say", confidence=0.3).intent == "unheard"
    assert ask("my dog of doc died in say", confidence=0.3).intent == "telling"


@pytest.mark.parametrize("words", ["are you real", "are you a robot", "who are you"])
def test_it_says_honestly_what_it_is(words):
    text = ask(words).text.casefold()
    assert any(said in text for said in ("synthetic", "software", "computer-made"))


def test_every_way_to_answer_a_crisis_names_human_help():
    for n in range(6):
        before = (ChatMessage("avatar", "x" * n),) * (n % 3)
        text = ask("I want to kill myself", history=before).text
        assert "emergency number" in text
        assert "crisis line" in text
        assert "no professional" in text or "not a professional" in text
    assert ask("I want to kill myself").style.face.emotion == "sad"


def test_every_medical_answer_says_that_asking_a_doctor_is_right():
    for n in range(6):
        before = (ChatMessage("avatar", "x" * n),) * (n % 3)
        text = ask("she has a fever, should I call the doctor", history=before).text
        assert "doctor" in text
        assert "in doubt" in text
        assert "emergency line" in text


def test_a_crisis_stays_the_first_concern_for_some_turns():
    told = ("I want to die", "Please call.")
    assert ask("I guess so", *told).intent == "crisis"
    assert "emergency number" in ask("goodbye", *told).text


def test_a_loss_told_of_is_not_a_crisis():
    answer = ask("my brother committed suicide last year")
    assert answer.intent == "telling"
    assert answer.plan.chain.emotion == "devastated"


def test_it_gives_no_advice():
    text = ask("what should I do about my boss").text
    assert not any(word in text.casefold() for word in ("you should", "you could", "try to"))
    assert text.endswith("?")


def test_it_repeats_when_asked_to():
    said = "How are you feeling?"
    assert said in ask("sorry what did you say", "hi", said).text


@pytest.mark.parametrize(
    ("topic", "named"),
    [("sister", "sister"), ("mother-in-law", "mother-in-law"), ("co-worker", "coworker")],
)
async def test_a_farewell_names_what_the_call_was_about(topic, named):
    *_, last = await call(f"I saw my {topic}", f"my {topic} made a soup", "bye, thanks")
    assert f"your {named}" in last


async def test_who_asks_again_and_again_hears_the_same_words():
    first, *again = await call("I lost my job", *["sorry what did you say"] * 4)
    frames = [one.format(last=first) for one in COURTESIES["say_again"]]
    assert all(one in frames for one in again)


def test_the_greeting_names_the_avatar_and_smiles():
    answer = ask("", greet=True)
    assert "Ava" in answer.text
    assert answer.plan.face.emotion == "happy"


def test_every_reply_is_short_and_fully_filled_in():
    texts = (
        "my mother is sick, I passed my exam, I am furious at my boss, I ate a bug, hello, thanks, "
        "I'm jealous of my friend, I can't wait for the wedding, bye, should I take more pills, "
        "you are stupid, what time is it, can you hear me, do you have feelings, how are you, no"
    )
    for text in texts.split(", "):
        answer = ask(text)
        assert "{" not in answer.text
        assert 1 <= len(answer.clauses()) <= 5
        assert len(answer.clauses()[0].text.split()) <= 12


# --- with the network that names emotions ---------------------------------------------------------
@pytest.fixture(scope="module")
def listener(classifier) -> ReflectiveReasoner:
    return ReflectiveReasoner(classifier)


async def plan_of(
    reasoner: ReflectiveReasoner, text: str, *before: str, confidence: float = 1.0
) -> Plan:
    history = tuple(ChatMessage("caller", line) for line in before)
    request = asked(text, confidence=confidence, history=history)
    conversation = reasoner.open()
    await conversation.listen(request)
    (plan, *_) = [part async for part in conversation.reply(request)]
    assert isinstance(plan, Plan)
    return plan


WITHOUT_CUES = "there was a bat in my bedroom"


async def test_the_network_names_what_no_cue_tells(listener):
    assert (await plan_of(ReflectiveReasoner(), WITHOUT_CUES)).chain.emotion == "neutral"
    named = await plan_of(listener, WITHOUT_CUES)
    assert named.user_emotion == "fear"
    assert named.face.emotion != "happy"


@pytest.mark.parametrize(
    "text",
    ["I'm not sad", "I am not afraid anymore", "we're not worried", "i'm not feeling lonely today"],
)
async def test_what_the_words_deny_is_not_named(listener, text):
    assert (await plan_of(listener, text)).user_emotion == "happy"


@pytest.mark.parametrize("text", ["hello how are you", "good morning", "I went to the store"])
async def test_a_remark_about_nothing_gets_no_feeling(listener, text):
    assert (await plan_of(listener, text)).chain.emotion == "neutral"


async def test_the_network_hears_earlier_turns_too(listener):
    alone = await plan_of(listener, "it is next week")
    after = await plan_of(listener, "it is next week", "I am so nervous about my final exam")
    assert after.chain.emotion in ("anxious", "apprehensive", "terrified", "afraid")
    assert alone.chain.emotion != after.chain.emotion


@pytest.mark.parametrize(
    "text", ["I want to kill myself", "I can't go on, I want to end my life", "he is hitting me"]
)
async def test_danger_is_the_rules_business_whatever_the_network_says(listener, text):
    before = "I got the promotion and I am so proud and happy"
    for plan in (await plan_of(listener, text), await plan_of(listener, text, before)):
        assert plan.chain.scenario == "someone may be in danger"
        assert plan.face.emotion != "happy"
        assert plan.user_emotion not in ("neutral", "happy")


async def test_the_network_does_not_make_sense_of_noise(listener):
    noise = "the girl man a of doc were in say"
    plan = await plan_of(listener, noise, "I am so sad about my dog", confidence=0.3)
    assert plan.chain.scenario == "nothing was understood"


async def test_what_is_only_hinted_at_is_the_networks_to_name_and_a_name_stands(listener):
    told = "they gave my desk to the new guy and nobody even told me"
    assert (await plan_of(ReflectiveReasoner(), told)).chain.emotion == "lonely"  # "nobody"
    assert (await plan_of(listener, told)).user_emotion == "angry"
    assert (await plan_of(listener, "so sad")).chain.emotion == "sad"
