"""An utterance while it is spoken: encoded once, and the same vectors as all of it at once."""

import numpy as np
import pytest

from rt_avatar.engines.empatheia.encoders import (
    UNDERSTAND,
    SpeechEncoderEngine,
    VisionEncoderEngine,
)
from rt_avatar.engines.empatheia.utterance_encoder import UtteranceEncoder
from rt_avatar.engines.encoders.pictures import MOST

pytestmark = pytest.mark.unit

SECOND = 16_000
WINDOW = UNDERSTAND.hop + UNDERSTAND.after
SOUND = np.random.default_rng(0).normal(0, 0.1, 6 * SECOND).astype(np.float32)
PICTURES = [np.full((8, 8, 3), level, np.uint8) for level in range(3 * MOST)]


class Counted:
    """Encoders that count, and projections that keep the beginning."""

    def __init__(self):
        self.heard = []  # samples of each call
        self.seen = 0

    def speech(self, inputs):
        wave = inputs["wave"][0]
        self.heard.append(len(wave))
        count = (len(wave) - 400) // 320 + 1
        rows = [wave[320 * n : 320 * n + 400] for n in range(count)]
        return {"features": np.array([[row.mean(), row.std()] for row in rows], np.float32)[None]}

    def vision(self, inputs):
        self.seen += 1
        return {"vectors": inputs["pictures"].mean(axis=(2, 3))[:, :2]}

    @staticmethod
    def pooled(count):
        def project(inputs):
            parts = np.array_split(inputs["features"][0], count)
            rows = [part.mean(axis=0) if len(part) else np.zeros(2) for part in parts]
            return {"tokens": np.array(rows, np.float32)[None]}

        return project

    def engines(self):
        speech_encoders = {n: SpeechEncoderEngine(self.speech, self.pooled(n), 2) for n in (1, 4)}
        vision_encoders = {n: VisionEncoderEngine(self.vision, self.pooled(n), 8) for n in (1, 4)}
        return speech_encoders, vision_encoders


@pytest.fixture
def counted():
    return Counted()


def at_once(count, sound=None, pictures=()):
    speech_encoders, vision_encoders = Counted().engines()
    made = {}
    for name, stream, items in (
        ("speech", speech_encoders[count].open(), [] if sound is None else [sound]),
        ("video", vision_encoders[count].open(), pictures),
    ):
        for item in items:
            stream.push(item)
        if vectors := stream.flush():
            made[name] = vectors[0]
    return made


def same(one, other):
    return one.keys() == other.keys() and all(
        np.array_equal(one[name], other[name]) for name in one
    )


@pytest.mark.parametrize("count", [1, 4])
def test_what_came_bit_by_bit_is_what_comes_at_once(counted, count):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    for end in (100, 9_000, 40_000, len(SOUND)):
        utterance_encoder.take(SOUND[:end], PICTURES[: end // 9_000])
    wanted = at_once(count, SOUND, PICTURES[: len(SOUND) // 9_000])
    assert same(utterance_encoder.vectors(count), wanted)


def test_sound_is_encoded_once_and_at_the_end_only_what_is_left(counted):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    for end in range(SECOND, len(SOUND) + 1, SECOND // 4):
        utterance_encoder.take(SOUND[:end])
        utterance_encoder.vectors(4, is_over=False)
    windows = (len(SOUND) - UNDERSTAND.after) // UNDERSTAND.hop
    assert len(counted.heard) == windows
    for _ in range(2):  # asked again, by the preemptive reply and by both numbers of vectors
        utterance_encoder.vectors(4)
        utterance_encoder.vectors(1)
    assert len(counted.heard) == windows + 1


def test_before_the_first_window_nothing_is_heard_unless_it_is_over(counted):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    utterance_encoder.take(SOUND[: WINDOW - 1])
    assert utterance_encoder.vectors(4, is_over=False) == {}
    assert counted.heard == []
    utterance_encoder.take(SOUND[:WINDOW])
    assert list(utterance_encoder.vectors(4, is_over=False)) == ["speech"]


def test_what_goes_on_after_it_seemed_over_is_as_if_it_had_not(counted):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    utterance_encoder.take(SOUND[:50_000])
    utterance_encoder.vectors(4)
    utterance_encoder.take(SOUND)
    assert same(utterance_encoder.vectors(4), at_once(4, SOUND))


@pytest.mark.parametrize("other", [-SOUND, SOUND[:1000], None])
def test_another_utterance_begins_anew(counted, other):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    utterance_encoder.take(SOUND, PICTURES[:3])
    utterance_encoder.vectors(4)
    utterance_encoder.take(other, PICTURES[5:7])
    assert same(utterance_encoder.vectors(4), at_once(4, other, PICTURES[5:7]))


def test_a_picture_is_looked_at_once_even_if_it_is_left_out_for_a_while(counted):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    for pictures in (PICTURES[:2], PICTURES[:4:2], PICTURES[1:4]):
        utterance_encoder.take(None, pictures)
    assert counted.seen == 4
    assert same(utterance_encoder.vectors(4), at_once(4, None, PICTURES[1:4]))


def test_pictures_that_were_looked_at_are_not_kept_for_ever(counted):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    for first in range(2 * MOST):
        utterance_encoder.take(None, PICTURES[first : first + MOST])
        assert len(utterance_encoder._seen) <= 2 * MOST
    assert same(
        utterance_encoder.vectors(1), at_once(1, None, PICTURES[2 * MOST - 1 : 3 * MOST - 1])
    )


def test_of_nothing_there_is_nothing(counted):
    utterance_encoder = UtteranceEncoder(*counted.engines())
    utterance_encoder.take(None)
    assert utterance_encoder.vectors(1) == {}
    utterance_encoder.take(SOUND[:399])  # less than one feature
    assert utterance_encoder.vectors(1) == {}


def test_a_graph_that_fails_once_leaves_no_hole(counted):
    speech_encoders, vision_encoders = counted.engines()
    utterance_encoder = UtteranceEncoder(speech_encoders, vision_encoders)
    utterance_encoder.take(SOUND[:40_000], PICTURES[:1])

    def failing(inputs):
        raise RuntimeError(f"no {', '.join(inputs)} today")

    run, utterance_encoder._stream._run = utterance_encoder._stream._run, failing
    with pytest.raises(RuntimeError, match="no wave today"):
        utterance_encoder.take(SOUND)
    utterance_encoder._stream._run = run
    utterance_encoder.take(SOUND, PICTURES[:2])
    assert same(utterance_encoder.vectors(4), at_once(4, SOUND, PICTURES[:2]))
