"""What the network heard, saw and read already is not done again, and is bounded."""

import pytest

from rt_avatar.engines.empatheia.dialogue import Dialogue, Utterance
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.templates import NANO_PROFILE
from rt_avatar.messages import TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage
from tests.engines.llm.tiny import tokens
from tests.fakes.network import REPLY, ScriptedNetwork
from tests.fakes.network_conversation import (
    PICTURES,
    SECOND,
    SOUND,
    WORDS,
    reply,
    request,
    talk,
)

pytestmark = pytest.mark.unit


async def test_sound_is_encoded_once_while_it_grows(worker):
    network, conversation = talk(worker)
    for end in range(SECOND, len(SOUND) + 1, SECOND // 2):
        words = WORDS.split()[: end // SECOND + 1]
        await conversation.listen(request(" ".join(words), sound=SOUND[:end]))
    windows = (len(SOUND) - 3_200) // 32_000
    assert len(network.heard) == windows
    said = request(sound=SOUND)
    await reply(conversation, said)
    assert len(network.heard) == windows + 1  # what was left
    await reply(conversation, said)
    assert len(network.heard) == windows + 1


async def test_a_picture_is_looked_at_once(worker):
    network, conversation = talk(worker)
    for count in range(1, 11):
        await conversation.listen(request("well", sound=SOUND, pictures=PICTURES[:count]))
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))
    assert network.seen == len(PICTURES)


async def test_what_was_read_before_is_not_read_again(worker):
    network, conversation = talk(worker)
    said = request(sound=SOUND[: 3 * SECOND])
    await conversation.listen(said)
    await reply(conversation, said)
    history = (
        ChatMessage("caller", WORDS, turn=TurnId(3)),
        ChatMessage("avatar", REPLY, turn=TurnId(3)),
    )
    then = request("yes it was so sudden", turn=4, history=history, sound=SOUND[5 * SECOND :])
    await conversation.listen(then)
    whole = len(network.newest_prompt())
    await reply(conversation, then)
    kept, vectors = network.language.prompts[-1]
    # History and the mark of the caller's turn; then what was heard of it comes, which is new.
    assert kept > len(tokens().encode("<user>" + WORDS + "<avatar>" + REPLY + "<end><user>"))
    assert kept + len(vectors) == whole


async def test_an_earlier_utterance_keeps_what_was_heard_and_seen_of_it(worker):
    network, conversation = talk(worker)
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))
    heard, seen = len(network.heard), network.seen
    history = (
        ChatMessage("caller", WORDS, turn=TurnId(3)),
        ChatMessage("avatar", REPLY, turn=TurnId(3)),
    )
    await reply(conversation, request("yes", turn=4, history=history))
    assert (len(network.heard), network.seen) == (heard, seen)
    prompt = network.newest_prompt()
    assert prompt[:, 1].astype(bool).sum() == prompt[:, 2].astype(bool).sum() == 1
    assert network.newest_text() == f"<user> {WORDS}<avatar>{REPLY}<end><user>yes<avatar>"


async def test_the_model_is_told_who_answers_where_it_learnt_to_read_it(worker):
    network, conversation = talk(worker, ScriptedNetwork(template=NANO_PROFILE))
    await reply(conversation, request(persona=PERSONAS["rose"]))
    assert network.newest_text() == f"elderly, female, gentle<user>{WORDS}<avatar>"
    await reply(conversation, request(persona=PERSONAS["finn"]))
    assert network.newest_text() == f"child, male, emphatic<user>{WORDS}<avatar>"
    mei = PERSONAS["mei"].profile
    network.read(Dialogue((Utterance("user", WORDS),), profile=mei))  # as infer does
    assert network.newest_text() == f"middle-aged, female, gentle<user>{WORDS}<avatar>"
    network, conversation = talk(worker)
    await reply(conversation, request(persona=PERSONAS["rose"]))
    assert network.newest_text() == f"<user>{WORDS}<avatar>"


async def test_what_was_typed_was_not_heard(worker):
    network, conversation = talk(worker)
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))  # a preemptive reply
    await reply(conversation, request("never mind that"))
    assert not network.newest_prompt()[:, 1:].any()


async def test_what_is_kept_of_earlier_utterances_is_bounded(worker):
    _, conversation = talk(worker, ScriptedNetwork(Chain(), "Yes."), chain_tokens=1)
    history: tuple[ChatMessage, ...] = ()
    for turn in range(1, 40):
        said = request("and then it was", turn=turn, history=history, sound=SOUND[:SECOND])
        await reply(conversation, said)
        exchanges = (
            ChatMessage("caller", "and then it was", turn=TurnId(turn)),
            ChatMessage("avatar", "Yes.", turn=TurnId(turn)),
        )
        history = (*history, *exchanges)[-24:]
    assert len(conversation._reader._earlier) <= 13


async def test_a_long_call_never_outgrows_the_models_memory(worker):
    network = ScriptedNetwork(Chain(), "Yes.", positions=400)
    _, conversation = talk(worker, network, chain_tokens=10, reply_tokens=10)
    history: tuple[ChatMessage, ...] = ()
    moved = 0
    for turn in range(1, 40):
        words = f"{chr(97 + turn % 26)} {WORDS}"
        await reply(conversation, request(words, turn=turn, history=history))
        assert len(network.newest_prompt()) < 400 - 10 - 10 - 32
        moved += network.language.prompts[-1][0] == 1  # only the first mark was the same
        exchanges = (
            ChatMessage("caller", words, turn=TurnId(turn)),
            ChatMessage("avatar", REPLY, turn=TurnId(turn)),
        )
        history = (*history, *exchanges)[-24:]
    assert REPLY in network.newest_text()
    assert 0 < moved < 39  # else it would be read anew with every turn


async def test_an_endless_utterance_is_cut_to_its_end(worker):
    network = ScriptedNetwork(positions=300)
    _, conversation = talk(worker, network, chain_tokens=20, reply_tokens=20)
    await reply(conversation, request("so " * 900 + "that is how I lost it"))
    assert network.newest_text().endswith("so that is how I lost it<avatar>")
    assert len(network.newest_prompt()) < 300
