"""What an agent says of its feeling is shown, if it can be understood."""

import json
from typing import get_args

import pytest
from livekit.agents.tts._mood import AgentMood

from rt_avatar.engines.types import EMOTIONS, FaceStyle
from rt_avatar.signaling.livekit.agent_state import MOODS, style_of
from rt_avatar.signaling.livekit.captions import expression

pytestmark = pytest.mark.unit


def test_every_mood_of_livekit_agents_has_a_face():
    assert set(MOODS) == set(get_args(AgentMood))
    for mood in MOODS:
        assert style_of(json.dumps({"expression": "some words", "mood": mood})) == MOODS[mood]


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_an_emotion_of_ours_is_understood_as_we_tell_it(emotion):
    assert style_of(expression(emotion)) == FaceStyle(emotion)


@pytest.mark.parametrize(
    "state",
    [
        "",
        "happy",
        "[]",
        "null",
        "{}",
        '{"mood": 3}',
        '{"mood": "bored"}',
        '{"expression": ["sad"]}',
    ],
)
def test_what_cannot_be_understood_shows_nothing(state):
    assert style_of(state) is None
