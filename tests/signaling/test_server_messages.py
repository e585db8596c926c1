import json
from dataclasses import asdict

import pytest

from rt_avatar.engines.types import FaceStyle, VoiceStyle
from rt_avatar.messages import (
    Affect,
    Caption,
    Chain,
    Notice,
    Plan,
    StateChanged,
    Trace,
    TurnId,
)
from rt_avatar.signaling.server_messages import Bye, Pong, message_of

pytestmark = pytest.mark.unit

TURN = TurnId(7)
CHAIN = Chain(scenario="s", emotion="e", cause="c", goal="g", rationale="r")


def sent(event) -> dict:
    return json.loads(message_of(event).model_dump_json())


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (
            StateChanged(TURN, 0, "thinking"),
            {"type": "state", "turn": 7, "state": "thinking"},
        ),
        (
            Caption(TURN, 5, "avatar", "Hello", is_final=True),
            {"type": "caption", "turn": 7, "role": "avatar", "text": "Hello", "final": True},
        ),
        (
            Plan(TURN, 0, CHAIN, "sad", VoiceStyle(), FaceStyle("fear", 0.51239)),
            {
                "type": "plan", "turn": 7, "user_emotion": "sad", "shown_emotion": "fear",
                "intensity": 0.512,
                "chain": asdict(CHAIN),
            },
        ),
        (
            Affect(TURN, 0, -0.50001, 0.25, "sad", {"sad": 0.75, "happy": 0.25}, True, False),
            {
                "type": "affect", "valence": -0.5, "arousal": 0.25, "emotion": "sad",
                "confidences": {"sad": 0.75, "happy": 0.25}, "face": True, "smiling": False,
            },
        ),
        (
            Trace(TURN, 0, {"plan": 0.1234, "end_of_turn": -0.01}, True, 1.5, ("shorter clause",)),
            {
                "type": "trace", "turn": 7, "marks_ms": {"plan": 123.4, "end_of_turn": -10.0},
                "preemptive_used": True, "interrupted_at_ms": 1500.0,
                "degradation_steps": ["shorter clause"],
            },
        ),
        (Notice(TURN, 0, "mic", "x"), {"type": "notice", "code": "mic", "text": "x"}),
    ],
)  # fmt: skip
def test_every_event_becomes_the_message_that_the_protocol_describes(event, message):
    assert sent(event) == message


def test_a_reply_that_was_not_interrupted_says_null():
    assert sent(Trace(TURN, 0, {}, False, None))["interrupted_at_ms"] is None


def test_our_own_messages_bear_their_type():
    assert json.loads(Pong(t=1.5).model_dump_json()) == {"type": "pong", "t": 1.5}
    assert json.loads(Bye(reason="lost", text="x").model_dump_json())["type"] == "bye"
