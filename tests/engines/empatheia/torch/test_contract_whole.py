"""No engine of the graph is left out of the contract, and each keeps its look-ahead."""

import pytest

from rt_avatar.engines.empatheia.encoders import (
    FeatureEngine,
    SpeechEncoderEngine,
    VisionEncoderEngine,
)
from rt_avatar.engines.empatheia.face import FaceEngine
from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.empatheia.live_motion import LiveMotion
from rt_avatar.engines.empatheia.live_presence import LivePresence
from rt_avatar.engines.empatheia.live_voice import LiveVoice
from rt_avatar.engines.empatheia.motion import MotionEngine
from rt_avatar.engines.empatheia.voice import VoiceEngine
from tests.engines.empatheia.torch import live
from tests.engines.empatheia.torch.test_contract import CASES, motions, rows, sayings
from tests.engines.streamed import assert_lookahead_is_measured

pytestmark = pytest.mark.networks
ENGINES = {
    FaceEngine, FeatureEngine, SpeechEncoderEngine, LiveFace, LiveMotion, LivePresence, LiveVoice,
    MotionEngine, VisionEncoderEngine, VoiceEngine,
}  # fmt: skip


def test_every_engine_of_the_graph_is_a_case(engines):
    assert {type(kind.find(engines)) for kind in CASES} == ENGINES


@pytest.mark.parametrize("name", ["face", "face of a call", "contents", "sounds",
                                  "presence of a call", "motion of a call by sound"])  # fmt: skip
def test_the_declared_look_ahead_is_the_measured_one(engines, name):
    """Of all that give something before their input ends: the encoders need all of it."""
    (engine,) = (kind.find(engines) for kind in CASES if kind.name == name)
    items = {
        "face": motions,
        "face of a call": motions,
        "presence of a call": live.moments,
        "motion of a call by sound": live.sounding_chunks,
        "contents": rows(23, 192),
        "sounds": rows(46, 256),
    }[name](1)
    for chunks in (1, 2):
        assert_lookahead_is_measured(engine, items, chunks)


@pytest.mark.parametrize(
    ("name", "items"), [("voice", sayings), ("voice of a call", live.requests)]
)
def test_a_clause_is_said_at_once_but_for_a_chunk_that_it_does_not_fill(engines, name, items):
    (engine,) = (kind.find(engines) for kind in CASES if kind.name == name)
    assert engine.spec.lookahead == 0
    for item in items(1):
        stream = engine.open()
        assert stream.push(item)
        assert len(stream.flush()) <= 1
