"""The mouth that follows sound alone: it moves with a voice, at any level, and rests in silence."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.space import MAX_STEP
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_SAMPLES,
    EXPRESSION_SIZE,
    SPEECH_RATE_HZ,
    FaceStyle,
    Motion,
    SpeechChunk,
    VoiceStyle,
)

pytestmark = pytest.mark.unit

ENGINE = LipsyncEngine()


def babble(seed: int, seconds: float = 3.0) -> np.ndarray:
    """Buzzes with formants that wander, and pauses: (samples,), about -20 dBFS."""
    dice = np.random.default_rng(seed)
    time = np.arange(round(seconds * SPEECH_RATE_HZ)) / SPEECH_RATE_HZ
    pitch = 120 + 20 * np.sin(2 * np.pi * 0.7 * time + seed)
    phase = np.cumsum(pitch) / SPEECH_RATE_HZ
    formants = 500 + 250 * np.sin(2 * np.pi * 2.1 * time + seed), 1500 + 500 * np.sin(9 * time)
    tone = sum(
        np.sin(2 * np.pi * n * phase)
        * sum(np.exp(-(((n * pitch - formant) / 150) ** 2)) for formant in formants)
        for n in range(1, 30)
    )
    loudness = np.clip(np.sin(2 * np.pi * 3.3 * time) + 0.6, 0, 1)
    sound = tone * loudness + 0.001 * dice.standard_normal(len(time))
    return (0.1 * sound / np.sqrt(np.mean(sound**2))).astype(np.float32)


def chunks_of(pcm: np.ndarray, style: FaceStyle | None = None) -> Iterator[ArticulationInput]:
    """The chunks of a sound, filled up with silence."""
    whole = np.zeros(-(-len(pcm) // CHUNK_SAMPLES) * CHUNK_SAMPLES, np.float32)
    whole[: len(pcm)] = pcm
    for start in range(0, len(whole), CHUNK_SAMPLES):
        chunk = SpeechChunk(start, whole[start : start + CHUNK_SAMPLES], (), (), 0)
        yield ArticulationInput(chunk, style or FaceStyle(), VoiceStyle())


def speak(pcm: np.ndarray, style: FaceStyle | None = None) -> Motion:
    """The motion of a whole sound: (frames, 73)."""
    stream = ENGINE.open()
    motions = [motion for item in chunks_of(pcm, style) for motion in stream.push(item)]
    return np.concatenate(motions + stream.flush())


def shape(motion: Motion, name: str) -> np.ndarray:
    return motion[:, BLENDSHAPE[name]]


def opening(motion: Motion) -> np.ndarray:
    """How far the jaw's opening shows between the lips."""
    return np.maximum(0.0, shape(motion, "jawOpen") - 0.9 * shape(motion, "mouthClose"))


def test_motion_lags_by_one_chunk_and_flush_gives_the_last():
    stream = ENGINE.open()
    items = list(chunks_of(babble(1)))
    counts = [len(stream.push(item)) for item in items]
    assert counts == [0] + [1] * (len(items) - 1)
    (last,) = stream.flush()
    assert last.shape == (5, 73)
    assert last.dtype == np.float32
    assert ENGINE.spec.lookahead == 1


def test_what_comes_after_the_look_ahead_changes_nothing():
    one, other = babble(1), babble(1)
    other[4 * CHUNK_SAMPLES :] = babble(2)[4 * CHUNK_SAMPLES :]
    # Chunk 3's motion is made when chunk 4 is pushed: it may differ, those before may not.
    np.testing.assert_array_equal(speak(one)[:15], speak(other)[:15])
    assert not np.array_equal(speak(one)[20:], speak(other)[20:])


def test_silence_keeps_the_mouth_shut():
    motion = speak(np.zeros(5 * CHUNK_SAMPLES, np.float32))
    assert motion.shape == (25, 73)
    assert not motion[:, :EXPRESSION_SIZE].any()


def test_a_voice_opens_the_mouth_and_its_end_shuts_it():
    pcm = np.concatenate([babble(1), np.zeros(2 * CHUNK_SAMPLES, np.float32)])
    motion = speak(pcm)
    assert opening(motion).max() > 0.15
    assert opening(motion)[-6:].max() < 0.01


@pytest.mark.parametrize("gain_db", [-20, 20])
def test_level_does_not_matter(gain_db: int):
    pcm = 0.7 * babble(3)
    louder = (pcm * 10 ** (gain_db / 20)).astype(np.float32)
    np.testing.assert_allclose(
        speak(louder)[:, :EXPRESSION_SIZE], speak(pcm)[:, :EXPRESSION_SIZE], atol=0.05
    )


@pytest.mark.parametrize("emotion", ["neutral", "happy", "disgusted"])
def test_nothing_jumps_and_everything_stays_in_range(emotion):
    motion = speak(babble(4, 8.0), FaceStyle(emotion, 1.0))
    assert np.isfinite(motion).all()
    face = motion[:, :EXPRESSION_SIZE]
    assert face.min() >= 0.0
    assert face.max() <= 1.0
    assert np.abs(np.diff(face, axis=0)).max() <= MAX_STEP


def test_a_feeling_lies_under_the_words():
    happy = speak(babble(5), FaceStyle("happy", 1.0))
    assert shape(happy, "cheekSquintLeft").min() > 0.4
    resting = speak(np.zeros(10 * CHUNK_SAMPLES, np.float32), FaceStyle("happy", 1.0))
    smiles = [shape(motion, "mouthSmileLeft")[20:45].mean() for motion in (happy, resting)]
    assert smiles[0] < 0.9 * smiles[1]


def test_sounds_apart_are_told_with_silence_between_them():
    stream = ENGINE.open()
    items = list(chunks_of(babble(6)))
    moved = [motion for item in items[:3] for motion in stream.push(item)]
    moved += stream.push(items[9])
    assert len(moved) == 3  # the third chunk's motion came with the silence before the tenth
    np.testing.assert_array_equal(np.concatenate(moved), speak(babble(6)[: 3 * CHUNK_SAMPLES]))
    assert len(stream.flush()) == 1


def test_wrong_input_is_refused_and_changes_nothing():
    stream = ENGINE.open()
    good, second, *_ = chunks_of(babble(7))
    silence = np.zeros(CHUNK_SAMPLES, np.float32)

    def chunk(start: int, pcm: np.ndarray, style: FaceStyle | None = None) -> ArticulationInput:
        return ArticulationInput(
            SpeechChunk(start, pcm, (), (), 0), style or FaceStyle(), VoiceStyle()
        )

    with pytest.raises(ValueError, match="4800"):
        stream.push(chunk(0, silence[:-1]))
    with pytest.raises(ValueError, match="finite"):
        stream.push(chunk(0, silence * np.nan))
    with pytest.raises(ValueError, match="multiple of 4800"):
        stream.push(chunk(7, silence))
    with pytest.raises(ValueError, match="intensity"):
        stream.push(chunk(0, silence, FaceStyle("sad", float("nan"))))
    assert stream.push(good) == []
    with pytest.raises(ValueError, match="from 4800 on"):
        stream.push(good)
    (motion,) = stream.push(second)
    fresh = ENGINE.open()
    fresh.push(good)
    np.testing.assert_array_equal(motion, fresh.push(second)[0])
    stream.close()
    with pytest.raises(RuntimeError, match="closed"):
        stream.push(second)


def test_the_lips_meet_for_bilabials_and_part_for_open_vowels():
    text = "Mama may bake a big apple pie, papa. Hot spa, calm father, my barn."
    stream = EspeakEngine().open("middle_male")
    chunks = stream.push(SpeechRequest(text, VoiceStyle(), 0)) + stream.flush()
    motion = speak(np.concatenate([chunk.pcm for chunk in chunks]))
    phonemes = {p.start: p for chunk in chunks for p in chunk.phonemes}.values()
    met, parted = [], []
    for p in phonemes:
        frames = opening(motion)[max(0, p.start // 960 - 1) : p.end // 960 + 2]
        if p.ipa[:1] in ("p", "b", "m") and p.ipa:
            met.append(frames.min() < 0.02)
        if p.stress == 2 and p.ipa.startswith("ɑ"):
            parted.append(frames.max() > 0.3)
    assert len(met) == 13
    assert np.mean(met) >= 0.8
    assert len(parted) >= 4
    assert np.mean(parted) >= 0.8


def test_the_look_ahead_is_used():
    # The lips close before a pause is heard: what follows within 200 ms decides.
    stopped = babble(8)
    stopped[5 * CHUNK_SAMPLES :] = 0
    before = speak(babble(8))[20:25, :EXPRESSION_SIZE], speak(stopped)[20:25, :EXPRESSION_SIZE]
    assert np.abs(before[0] - before[1]).max() > 0.02


def test_noise_alone_hardly_moves_the_mouth():
    noise = np.random.default_rng(1).normal(0, 0.02, 20 * CHUNK_SAMPLES).astype(np.float32)
    assert opening(speak(noise))[10:].mean() < 0.1


def test_weights_of_something_else_are_refused(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"engines\.training\.lipsync"):
        LipsyncEngine(tmp_path / "none.npz")
    np.savez(tmp_path / "other.npz", first=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="expected finite weights"):
        LipsyncEngine(tmp_path / "other.npz")
    (tmp_path / "text.npz").write_text("no weights")
    with pytest.raises(ValueError, match="expected an npz"):
        LipsyncEngine(tmp_path / "text.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "other.npz").read_bytes()[:60])
    with pytest.raises(ValueError, match="expected an npz"):
        LipsyncEngine(tmp_path / "cut.npz")
