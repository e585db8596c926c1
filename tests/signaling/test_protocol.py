import json

import pytest

from rt_avatar.errors import BadInputError
from rt_avatar.signaling.protocol import (
    MAX_MESSAGE_BYTES,
    HangUpMessage,
    InterruptMessage,
    PersonaMessage,
    PingMessage,
    TextMessage,
    parse_message,
    parse_offer_request,
    parse_session_request,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"text","text":"hello"}', TextMessage(type="text", text="hello")),
        ('{"type":"persona","name":"leo"}', PersonaMessage(type="persona", name="leo")),
        ('{"type":"interrupt"}', InterruptMessage(type="interrupt")),
        ('{"type":"hang_up"}', HangUpMessage(type="hang_up")),
        ('{"type":"ping","t":12}', PingMessage(type="ping", t=12.0)),
    ],
)
def test_every_message_of_the_protocol_is_understood(text, message):
    assert parse_message(text) == message


@pytest.mark.parametrize(
    "data",
    [
        "", "null", "[]", "7", "{", '"text"', "{}", '{"type":null}', '{"type":"shout"}',
        '{"type":"text"}', '{"type":"text","text":7}', '{"type":"text","text":""}',
        '{"type":"text","text":"x","more":1}', '{"type":"ping","t":"1"}', '{"type":"ping","t":NaN}',
        '{"type":"ping","t":Infinity}', b'{"type":"hang_up"}', "[" * 5000,
        json.dumps({"type": "text", "text": "x" * 2001}),
        json.dumps({"type": "text", "text": "x" * MAX_MESSAGE_BYTES}),
        json.dumps({"type": "persona", "name": ["ava"]}),
    ],
)  # fmt: skip
def test_everything_else_is_refused_in_plain_words(data):
    with pytest.raises(BadInputError) as refused:
        parse_message(data)
    text = str(refused.value)
    assert "expected" in text
    assert "got" in text
    assert len(text) < 300  # a caller's input is not sent back in full
    assert "pydantic" not in text


def test_two_thousand_of_the_largest_characters_fit():
    text = "😀" * 2000
    assert parse_message(json.dumps({"type": "text", "text": text}, ensure_ascii=False)) == (
        TextMessage(type="text", text=text)
    )


def test_an_empty_body_means_the_defaults():
    assert parse_session_request(b"") == parse_session_request(b"{}")
    assert parse_session_request(b'{"persona":"leo"}').persona == "leo"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "bad_json"),
        (b"\xff\xfe", "bad_json"),
        (b"", "bad_json"),
        (b"{}", "bad_body"),
        (b'{"type":"answer","sdp":"v=0"}', "bad_body"),
        (b'{"type":"offer","sdp":""}', "bad_body"),
        (b'{"type":"offer","sdp":5}', "bad_body"),
        (b'{"type":"offer","sdp":"' + b"x" * 40_000 + b'"}', "bad_body"),
    ],
)
def test_a_bad_offer_body_says_which_way_it_is_bad(body, reason):
    with pytest.raises(BadInputError) as refused:
        parse_offer_request(body)
    assert refused.value.reason == reason
