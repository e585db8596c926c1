"""With whom of several people in a room the avatar talks."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from livekit import rtc

from rt_avatar.signaling.livekit.room_call import first_person

pytestmark = pytest.mark.unit


def participant(identity, second, kind=rtc.ParticipantKind.PARTICIPANT_KIND_STANDARD):
    joined_at = None if second is None else datetime.fromtimestamp(second, UTC)
    return SimpleNamespace(identity=identity, joined_at=joined_at, kind=kind)


def test_of_several_people_the_one_who_came_first_is_talked_with_however_they_are_listed():
    people = [participant("carl", 30.2), participant("anna", 30.1), participant("berta", 30.3)]
    assert first_person(people) == "anna"
    assert first_person([participant("nobody knows when", None), *people]) == "anna"


def test_an_agent_that_came_before_is_nobody_to_talk_with():
    agent = participant("robot", 1.0, rtc.ParticipantKind.PARTICIPANT_KIND_AGENT)
    assert first_person([agent]) == ""
    assert first_person([agent, participant("anna", 2.0)]) == "anna"
