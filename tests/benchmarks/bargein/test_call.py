"""With a real server: what the meter takes from the protocol is what the server tells."""

import numpy as np
import pytest

from rt_avatar.benchmarks.bargein.events import PROMPTS
from rt_avatar.benchmarks.bargein.talk import Event, talking
from rt_avatar.benchmarks.bargein.verdict import judge, surplus_s
from rt_avatar.benchmarks.sounds import SPEECH_DB, at_level, from_int16, to_int16
from rt_avatar.benchmarks.speech import load_utterances

pytestmark = pytest.mark.realtime

NOTHING = np.zeros(0, np.int16)


async def test_a_reply_is_left_or_stopped_and_its_position_tells_which(quiet_server):
    voice = load_utterances(None)[0].pcm[:72_000]
    over = Event("", "", to_int16(at_level(from_int16(voice), SPEECH_DB)), 1.2, 0.8)
    async with talking(quiet_server.address) as talk:
        left = await talk.play_over(PROMPTS[0], Event("", "", NOTHING, 1.0, 0.0))
        stopped = await talk.play_over(PROMPTS[1], over)
    assert left is not None
    assert left.asked_s is not None
    # What the server says was played is what was heard, but for its ticks and a busy machine.
    assert abs(surplus_s(left)) < 0.5
    assert stopped is not None
    verdict = judge(stopped, 0.0)
    assert verdict.outcome == "stopped"
    assert 0 <= verdict.silence_s < stopped.reported_s - stopped.onset_s + 0.2
    assert stopped.mouth_s is None or stopped.mouth_s > stopped.onset_s
