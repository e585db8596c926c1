"""smart-turn: asked once in a pause, of this turn alone; another file than its own is refused."""

import numpy as np
import pytest

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.end_of_turn import EndOfTurnInput
from rt_avatar.engines.smart_turn import SmartTurnEngine
from rt_avatar.errors import SetupError
from rt_avatar.services.engine_choice import make_end_of_turn
from tests.engines.smart_turn_model import write_model

pytestmark = pytest.mark.unit

PAUSE = 12  # windows


class Counting(SmartTurnEngine):
    """Keeps what it was asked about."""

    def __init__(self, model):
        super().__init__(model)
        self.asked = []

    def hear(self, pcm):
        self.asked.append(pcm)
        return super().hear(pcm)


@pytest.fixture
def engine(tmp_path):
    return Counting(write_model(tmp_path / "model.onnx"))


def windows(count: int, *, is_speech: bool, level: float = 0.1) -> list[EndOfTurnInput]:
    dice = np.random.default_rng(count)
    return [
        EndOfTurnInput(dice.normal(0, level, 512).astype(np.float32), float(is_speech), None)
        for _ in range(count)
    ]


def push(stream, *parts) -> list[float]:
    return [logit for part in parts for item in part for logit in stream.push(item)]


def test_it_is_asked_every_192_ms_of_a_pause_and_not_in_speech(engine):
    stream = engine.open()
    silence = windows(40, is_speech=False)
    push(stream, silence, windows(20, is_speech=True), windows(PAUSE, is_speech=False))
    assert len(engine.asked) == 2
    push(stream, windows(9, is_speech=True), windows(5, is_speech=False))
    assert len(engine.asked) == 2


def test_it_hears_the_turn_from_half_a_second_before_the_voice_on(engine):
    stream = engine.open()
    push(stream, windows(60, is_speech=False), windows(20, is_speech=True))
    push(stream, windows(6, is_speech=False))
    assert len(engine.asked[-1]) == pytest.approx(8_000 + 26 * 512, abs=512)
    stream.begin_turn()
    push(stream, windows(30, is_speech=True), windows(6, is_speech=False))
    assert len(engine.asked[-1]) <= 8_000 + 36 * 512
    push(stream, windows(300, is_speech=True), windows(6, is_speech=False))
    assert len(engine.asked[-1]) == 8 * 16_000


def test_its_answer_is_the_probability_and_the_words_are_not_looked_at(engine):
    stream = engine.open()
    logits = push(stream, windows(30, is_speech=True), windows(6, is_speech=False, level=0.2))
    sure, unsure = (engine.probability(logit, "and", 1.0) for logit in (logits[-1], logits[0]))
    assert unsure < 0.02 < 0.3 < sure
    assert engine.probability(logits[-1], "I am done.", 1.0) == sure


def test_a_file_that_is_missing_or_another_network_is_told_with_what_to_do(tmp_path):
    def error_of(path) -> str:
        with pytest.raises(SetupError) as caught:
            make_end_of_turn(TurnDetectionSettings(kind="smart_turn", smart_turn_model=str(path)))
        return str(caught.value)

    assert "rt-avatar models fetch smart-turn" in error_of(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("hello")
    assert "expected an ONNX file" in error_of(tmp_path / "text.onnx")
    assert "(n, 80, 800), got" in error_of(write_model(tmp_path / "short.onnx", frames=400))
