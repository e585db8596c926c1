"""What a dispatch may ask for, and what it is told when it asks for something else."""

import pytest

from rt_avatar.errors import BadInputError
from rt_avatar.signaling.livekit.job_metadata import MAX_METADATA_BYTES, JobMetadata, parse_metadata

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("metadata", ["", "  ", "{}"])
def test_no_metadata_means_the_defaults(metadata):
    order = parse_metadata(metadata)
    assert order == JobMetadata()
    assert order.find_persona("leo").name == "leo"


def test_every_field_is_read():
    order = parse_metadata(
        '{"persona": "mei", "caller": "kiosk", "avatar_of": "agent-1", "identity": "face"}'
    )
    assert (order.persona, order.caller) == ("mei", "kiosk")
    assert (order.avatar_of, order.identity) == ("agent-1", "face")
    assert order.find_persona("leo").name == "mei"


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("hello", "expected JSON"),
        ('"ava"', "expected an object"),
        ('{"persona": 7}', "persona: expected a valid string, got 7"),
        ('{"avatar": "ava"}', "avatar: expected no such field"),
        ('{"identity": "%s"}' % ("x" * 300), "at most 256 characters"),
        ("x" * (MAX_METADATA_BYTES + 1), f"at most {MAX_METADATA_BYTES} bytes"),
    ],
)
def test_anything_else_is_refused_with_words_that_help(metadata, message):
    with pytest.raises(BadInputError) as refused:
        parse_metadata(metadata)
    assert refused.value.reason == "bad_order"
    assert message in str(refused.value)
    assert "docs/livekit.md" in str(refused.value)


def test_a_persona_that_does_not_exist_is_answered_with_those_that_do():
    with pytest.raises(BadInputError, match=r"ava.*got 'eve'") as refused:
        parse_metadata('{"persona": "eve"}').find_persona("ava")
    assert refused.value.reason == "unknown_persona"
