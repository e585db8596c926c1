"""What is known of the generator's norms lasts from clause to clause, as long as a reply."""

from types import SimpleNamespace

import numpy as np
import pytest

from rt_avatar.engines.empatheia.voice import VoiceRequest, VoiceStream
from rt_avatar.engines.styletts2.recipe import LIBRITTS
from rt_avatar.engines.styletts2.windows import VoiceMoments

pytestmark = pytest.mark.unit
SAMPLES = 4_800


class ScriptedSpeaker:
    """Says silence, and keeps which statistics each clause was given."""

    def __init__(self):
        self.given = []

    def new_moments(self):
        return VoiceMoments(channels=1)

    def prepare(self, tokens, style, delivery, text):
        return SimpleNamespace(samples=SAMPLES, frames=np.ones(len(tokens), np.int64))

    def sound(self, clause, moments, seed):
        self.given.append(moments)
        yield np.zeros(clause.samples, np.float32)


def test_clauses_of_a_reply_share_their_statistics_and_replies_do_not():
    speaker = ScriptedSpeaker()
    stream = VoiceStream(speaker, LIBRITTS)
    style = np.zeros((1, 256), np.float32)
    for text in ("I am here.", "Tell me more."):
        stream.push(VoiceRequest(text, style))
    stream.flush()
    stream.push(VoiceRequest("Good morning.", style))
    first, second, third = speaker.given
    assert first is second
    assert third is not first
