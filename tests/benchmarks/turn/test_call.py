"""A sentence spoken to a real server is answered, and ear, eye and trace all notice it."""

import pytest

from rt_avatar.benchmarks.speech import load_utterances
from rt_avatar.benchmarks.turn.peer import hold

pytestmark = pytest.mark.realtime


async def test_a_real_reply_is_heard_seen_and_traced(quiet_server) -> None:
    sentence = load_utterances(None)[2]
    told = []
    (turn,) = await hold(quiet_server.address, [sentence], told.append)
    assert told == [turn]
    assert turn.verdict == "answered"
    assert turn.eye_ms is not None
    assert turn.line_ms is not None
    marks = turn.marks_ms
    assert 0 < marks["end_of_turn"] <= marks["transcript_final"] <= marks["audio_released"]
