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
from tests.engines.empatheia.torch.test_contract import CASES
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
    (kind,) = (kind for kind in CASES if kind.name == name)
    for chunks in (1, 2):
        assert_lookahead_is_measured(kind.find(engines), kind.items(engines, 1), chunks)


@pytest.mark.parametrize("name", ["voice", "voice of a call"])
def test_a_clause_is_said_at_once_but_for_a_chunk_that_it_does_not_fill(engines, name):
    (kind,) = (kind for kind in CASES if kind.name == name)
    engine = kind.find(engines)
    assert engine.spec.lookahead == 0
    for item in kind.items(engines, 1):
        stream = engine.open()
        assert stream.push(item)
        assert len(stream.flush()) <= 1
