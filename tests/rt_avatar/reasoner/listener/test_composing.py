"""What voice or face show is said as a guess, and never turns news around."""

import pytest

from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.listener.composing import compose
from rt_avatar.reasoner.nlu.understanding import Understanding

pytestmark = pytest.mark.unit

TURN = TurnId(1)
LOOKS_SAD = Affect(TURN, 800, -0.6, 0.0, "sad", {"sad": 0.7, "neutral": 0.2, "happy": 0.1})


@pytest.mark.parametrize(
    "text", ["I got the job", "I passed my exam", "we bought a house", "I won the race"]
)
def test_good_news_told_sadly_are_no_bad_news(text):
    heard = Transcript(TURN, 800, text, True, 1.0)
    said = compose(Understanding(ReplyRequest(TURN, heard, LOOKS_SAD, (), PERSONAS["ava"])))
    assert not any(one in said for one in ("hurts", "sorry", "weighs"))
    assert any(hedge in said for hedge in ("may be wrong", "to me", "seems"))
