"""The voice emotion engine: what it says follows from the sound, and only of speech it says any."""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.voice_emotion import (
    VOICE_EMOTIONS,
    SpokenWindow,
    VoiceEmotionEngine,
    VoiceEmotionEstimate,
)
from rt_avatar.engines.voice_emotion.frames import COLUMNS, LEVEL, PERIODICITY, PITCH, VoiceFrames
from rt_avatar.engines.voice_emotion.functionals import FUNCTIONALS, LOUDNESS, functionals
from rt_avatar.engines.voice_emotion.kernel import SHAPES, load_weights, probabilities

pytestmark = pytest.mark.unit

WEIGHTS = resources.files("rt_avatar.engines.voice_emotion") / "weights.npz"


def voice(seconds: float, f0_hz: float = 140.0, seed: int = 0) -> np.ndarray:
    """Syllables of a buzz with a melody, in a faint hiss; whole windows."""
    count = round(seconds * 16_000) // 512 * 512
    time_s = np.arange(count) / 16_000
    tone = f0_hz * 2 ** (0.2 * np.sin(2.1 * time_s) + 0.02 * np.sin(9 * time_s))
    phase = 2 * np.pi * np.cumsum(tone) / 16_000
    buzz = sum(np.sin(n * phase) / n for n in range(1, 20))
    syllables = np.clip(np.sin(2 * np.pi * 3.7 * time_s) + 0.6, 0.02, 1)
    hiss = np.random.default_rng(seed).normal(0, 0.001, count)
    return (0.1 * buzz * syllables + hiss).astype(np.float32)


def windows(pcm: np.ndarray, *, is_speech: bool = True) -> list[SpokenWindow]:
    return [SpokenWindow(part, is_speech) for part in pcm.reshape(-1, 512)]


def silence(count: int) -> list[SpokenWindow]:
    return windows(np.zeros(512 * count, np.float32), is_speech=False)


def estimates(stream, items: list[SpokenWindow]) -> list[VoiceEmotionEstimate]:
    return [one for item in items for one in stream.push(item) if one is not None]


@pytest.fixture(scope="module")
def engine() -> VoiceEmotionEngine:
    return VoiceEmotionEngine()


# --- frames and functionals ---------------------------------------------------------------------
@pytest.mark.parametrize("size", [1, 3, 20])
def test_frames_do_not_depend_on_how_the_sound_arrives(size: int):
    pcm = voice(2)
    pieces = VoiceFrames()
    parts = [pieces.push(pcm[at : at + 512 * size]) for at in range(0, len(pcm), 512 * size)]
    at_once = VoiceFrames().push(pcm)
    assert at_once.shape == (2 * len(pcm) // 512, COLUMNS)
    assert np.allclose(np.concatenate(parts), at_once, atol=1e-3)


def test_a_voice_is_periodic_and_has_its_pitch_and_noise_has_none():
    heard = VoiceFrames().push(voice(2, 200.0))
    loud = heard[heard[:, LEVEL] > heard[:, LEVEL].max() - 10]
    assert np.median(loud[:, PERIODICITY]) > 0.9
    assert 170 < np.median(loud[loud[:, PITCH] > 0, PITCH]) < 240
    hiss = np.random.default_rng(0).normal(0, 0.1, 512 * 60).astype(np.float32)
    noise = VoiceFrames().push(hiss)
    assert np.median(noise[:, PERIODICITY]) < 0.6
    assert np.mean(noise[:, PITCH] > 0) < 0.2


def test_only_one_functional_knows_how_near_the_microphone_is():
    near = functionals(VoiceFrames().push(voice(2)))
    far = functionals(VoiceFrames().push(voice(2) / 4))
    assert near is not None
    assert far is not None
    assert near.shape == (FUNCTIONALS,)
    assert near[LOUDNESS] - far[LOUDNESS] == pytest.approx(12.04, abs=0.1)
    assert np.allclose(np.delete(near, LOUDNESS), np.delete(far, LOUDNESS), atol=0.5)


def test_silence_around_an_utterance_changes_little():
    alone = functionals(VoiceFrames().push(voice(2)))
    room = np.random.default_rng(1).normal(0, 1e-4, 512 * 30).astype(np.float32)
    within = functionals(VoiceFrames().push(np.concatenate((room, voice(2), room))))
    assert alone is not None
    assert within is not None
    weights = load_weights()
    one, other = (probabilities(weights, row, None) for row in (alone, within))
    assert np.abs(one - other).max() < 0.15


@pytest.mark.parametrize("frames", [0, 5])
def test_too_little_has_no_functionals(frames: int):
    assert functionals(VoiceFrames().push(voice(2))[:frames]) is None


# --- streams ------------------------------------------------------------------------------------
def test_a_stream_says_what_is_said_of_the_whole_sound(engine: VoiceEmotionEngine):
    pcm = voice(3)
    last = estimates(engine.open(), windows(pcm) + silence(30))[-1]
    row = functionals(VoiceFrames().push(pcm))
    assert row is not None
    assert last.is_final
    assert last.probabilities == pytest.approx(probabilities(load_weights(), row, None), abs=1e-3)


def test_probabilities_sum_to_one_and_name_the_likeliest(engine: VoiceEmotionEngine):
    for one in estimates(engine.open(), windows(voice(3)) + silence(30)):
        assert sum(one.probabilities) == pytest.approx(1.0, abs=1e-5)
        assert one.confidence == max(one.probabilities)
        assert one.probabilities[VOICE_EMOTIONS.index(one.emotion)] == one.confidence


def test_it_speaks_every_half_second_and_once_at_the_end(engine: VoiceEmotionEngine):
    given = [engine_out[0] for engine_out in pushes(engine, windows(voice(3)) + silence(60))]
    at = [index for index, one in enumerate(given) if one is not None]
    spoken = len(voice(3)) // 512
    assert at[:-1] == [index for index in range(spoken) if index >= 24 and (index + 1) % 16 == 0]
    assert [given[index].is_final for index in at] == [False] * (len(at) - 1) + [True]


def pushes(engine: VoiceEmotionEngine, items: list[SpokenWindow]) -> Iterator[list]:
    stream = engine.open()
    return (stream.push(item) for item in items)


def test_what_comes_later_changes_nothing_that_was_said(engine: VoiceEmotionEngine):
    one = windows(np.concatenate((voice(2), voice(1, 120.0))))
    other = windows(np.concatenate((voice(2), voice(1, 300.0))))
    first, second = estimates(engine.open(), one), estimates(engine.open(), other)
    assert first[:2] == second[:2]
    assert first[-1] != second[-1]


def test_silence_and_noise_that_nobody_takes_for_speech_say_nothing(engine: VoiceEmotionEngine):
    noise = np.random.default_rng(0).normal(0, 0.2, 512 * 100).astype(np.float32)
    stream = engine.open()
    assert not estimates(stream, silence(100) + windows(noise, is_speech=False))
    assert stream.flush() == []


def test_digital_silence_taken_for_speech_gives_numbers_or_nothing(engine: VoiceEmotionEngine):
    for one in estimates(engine.open(), windows(np.zeros(512 * 100, np.float32))):
        assert np.isfinite(one.probabilities).all()


def test_a_too_short_utterance_says_nothing(engine: VoiceEmotionEngine):
    stream = engine.open()
    assert not estimates(stream, windows(voice(0.6)) + silence(40))
    assert not estimates(stream, windows(voice(0.6)))
    assert stream.flush() == []


def test_a_long_utterance_is_followed_to_its_end(engine: VoiceEmotionEngine):
    stream = engine.open()
    given = estimates(stream, windows(np.concatenate((voice(14), voice(12, 250.0)))) + silence(30))
    only = estimates(engine.open(), windows(voice(12, 250.0)) + silence(30))
    assert given[-1].probabilities == pytest.approx(only[-1].probabilities, abs=0.1)


def test_the_callers_own_neutral_is_known_after_some_utterances(engine: VoiceEmotionEngine):
    stream = engine.open()
    known = [
        one.knows_neutral
        for seed in range(30)
        for one in estimates(stream, windows(voice(2, seed=seed)) + silence(25))
        if one.is_final
    ]
    assert not known[0]
    assert known == sorted(known)
    stream.reset()
    assert not estimates(stream, windows(voice(2)) + silence(25))[-1].knows_neutral


# --- weights ------------------------------------------------------------------------------------
def test_the_weights_are_small():
    with resources.as_file(WEIGHTS) as path:
        assert path.stat().st_size <= 1_000_000


def test_weights_that_are_missing_or_wrong_are_refused_with_what_to_do(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"training\.voice_emotion"):
        VoiceEmotionEngine(tmp_path / "none.npz")
    wrong = tmp_path / "wrong.npz"
    wrong.write_bytes(b"no npz")
    with pytest.raises(ValueError, match=r"voice emotion.*training\.voice_emotion"):
        VoiceEmotionEngine(wrong)
    arrays = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
    arrays["known_calibration"] = np.zeros(3, np.float32)
    np.savez(wrong, **arrays)
    with pytest.raises(ValueError, match="known_calibration"):
        VoiceEmotionEngine(wrong)
    arrays["known_calibration"] = np.full(9, np.nan, np.float32)
    np.savez(wrong, **arrays)
    with pytest.raises(ValueError, match="not finite"):
        VoiceEmotionEngine(wrong)
