"""What is heard and seen is encoded while it comes: little is left when an utterance ends."""

import numpy as np
import pytest

from rt_avatar.engines.empatheia.encoders import (
    UNDERSTAND,
    SpeechEncoderEngine,
    VisionEncoderEngine,
)
from rt_avatar.engines.encoders.waveform import features_of

pytestmark = pytest.mark.unit

VECTORS = 3


class Encoders:
    """Scripted graphs that note what they were asked for."""

    def __init__(self) -> None:
        self.pictures: list[int] = []  # of each call
        self.samples: list[int] = []  # of each call
        self.projections = 0

    def vision(self, inputs):
        pictures = inputs["pictures"]
        self.pictures.append(len(pictures))
        return {"vectors": pictures.mean(axis=(2, 3))}

    def speech(self, inputs):
        wave = inputs["wave"][0]
        self.samples.append(len(wave))
        return {"features": np.ones((1, features_of(len(wave)), 3), np.float32)}

    def projection(self, inputs):
        self.projections += 1
        rows = inputs["features"][0]
        return {"tokens": np.stack([rows.mean(axis=0), rows[0], rows[-1]])[None]}


def pictures(count: int) -> list[np.ndarray]:
    dice = np.random.default_rng(0)
    return [dice.integers(0, 255, (24, 32, 3), dtype=np.uint8) for _ in range(count)]


def test_a_picture_is_encoded_alone_when_it_comes_and_at_the_end_they_are_only_pooled():
    graphs = Encoders()
    stream = VisionEncoderEngine(graphs.vision, graphs.projection, 16).open()
    for number, picture in enumerate(pictures(10), 1):
        assert stream.push(picture) == []
        assert graphs.pictures == [1] * number
    assert graphs.projections == 0
    (vectors,) = stream.flush()
    assert vectors.shape == (VECTORS, 3)
    assert graphs.pictures == [1] * 10
    assert graphs.projections == 1


def test_at_the_end_of_an_utterance_one_window_of_sound_is_left():
    graphs = Encoders()
    stream = SpeechEncoderEngine(graphs.speech, graphs.projection, 3).open()
    for block in np.split(np.zeros(80_000, np.float32), 250):
        stream.push(block)
    before = len(graphs.samples)
    stream.flush()
    assert before == 2
    assert len(graphs.samples) == before + 1
    assert graphs.samples[-1] <= UNDERSTAND.before + UNDERSTAND.hop
