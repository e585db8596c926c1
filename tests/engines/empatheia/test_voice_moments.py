"""What a voice keeps from clause to clause, as long as a reply: statistics, a drawn style."""

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
        self.given, self.styles, self.sampled = [], [], []

    def new_moments(self):
        return VoiceMoments(channels=1)

    def prepare(self, tokens, style, delivery, text):
        self.styles.append(np.hstack([style.acoustic, style.prosodic]))
        return SimpleNamespace(samples=SAMPLES, frames=np.ones(len(tokens), np.int64))

    def sample_style(self, tokens, reference, seed, first):
        self.sampled.append((reference, seed, first))
        return np.full((1, 256), first + 1, np.float32)

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


def test_a_sampled_style_is_drawn_a_clause_and_carried_as_long_as_a_reply():
    speaker, style = ScriptedSpeaker(), np.zeros((1, 256), np.float32)
    stream = VoiceStream(speaker, LIBRITTS)
    for text in ("I am here.", "Tell me more."):
        stream.push(VoiceRequest(text, style, seed=7, is_sampled=True))
    stream.flush()
    stream.push(VoiceRequest("Good morning.", style, seed=7, is_sampled=True))
    stream.push(VoiceRequest("And good night.", style, seed=7))
    assert [(seed, first) for _, seed, first in speaker.sampled] == [(7, 0), (7, 1), (7, 0)]
    assert all(reference is style for reference, _, _ in speaker.sampled)
    # LibriTTS: 0.3 and 0.9 of what is drawn, of which 0.7 is what the clause before was given.
    carried = [0.7 * part + 0.3 * 2 for part in (0.3, 0.9)]
    wanted = [(0.3, 0.9), (0.3 * carried[0], 0.9 * carried[1]), (0.3, 0.9), (0, 0)]
    for made, (acoustic, prosodic) in zip(speaker.styles, wanted, strict=True):
        np.testing.assert_allclose(made[0], [acoustic] * 128 + [prosodic] * 128, rtol=1e-5)
