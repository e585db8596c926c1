"""The chain of empathy comes back from its notation, whole, unfinished, or out of order."""

import pytest

from rt_avatar.engines.llm.chain import NOTATIONS, ORDINAL, TAGS, Chain

pytestmark = pytest.mark.unit

CHAIN = Chain("lost a pet", "sad", "the dog died. It was old", "comfort her")
REPLY = "I am so sorry. Tell me about him?"


@pytest.mark.parametrize("name", NOTATIONS)
def test_what_is_written_is_read(name):
    notation = NOTATIONS[name]
    text = notation.write(CHAIN, REPLY)
    assert notation.read(text) == (CHAIN, REPLY)
    assert notation.read(text + "\n###") == (CHAIN, REPLY)
    assert text == notation.write_chain(CHAIN) + notation.gap + REPLY + "</response>"


@pytest.mark.parametrize("name", NOTATIONS)
def test_without_a_chain_there_is_only_the_reply(name):
    notation = NOTATIONS[name]
    assert notation.read(notation.write(None, REPLY)) == (Chain(), REPLY)
    assert notation.read(REPLY) == (Chain(), REPLY)


@pytest.mark.parametrize("name", NOTATIONS)
def test_every_beginning_of_an_answer_can_be_read(name):
    notation = NOTATIONS[name]
    text = notation.write(CHAIN, REPLY)
    for cut in range(len(text) + 1):
        chain, reply = notation.read(text[:cut])
        if text[:cut].startswith(notation.write_chain(CHAIN)):
            assert chain == CHAIN
        if notation.opening in text[:cut]:
            assert REPLY.startswith(reply)
        for field in ("scenario", "emotion", "cause", "goal"):
            assert getattr(CHAIN, field).startswith(getattr(chain, field).rstrip("."))
    emotion_done = text.index("</emo>") + len("</emo>")
    assert notation.read_chain(text[:emotion_done]).emotion == "sad"


def test_a_field_that_is_missing_is_empty():
    text = TAGS.write(CHAIN, REPLY).replace("<cause>the dog died. It was old", "")
    assert TAGS.read(text) == (Chain("lost a pet", "sad", "", "comfort her"), REPLY)


def test_the_published_markers():
    assert "<emo> sad </emo>" in ORDINAL.write(CHAIN, REPLY)
    assert ORDINAL.write(CHAIN, REPLY).endswith("</response>")
    order = [ORDINAL.write(CHAIN, REPLY).index(word) for word in
             ("Firstly", "Secondly", "Thirdly", "Fourthly", "Finally")]  # fmt: skip
    assert order == sorted(order)
