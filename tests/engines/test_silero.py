import hashlib
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines import silero
from rt_avatar.engines.silero import WINDOW_SAMPLES, SileroEngine
from rt_avatar.engines.types import Pcm
from tests.media import recorded, sound_of

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def engine() -> SileroEngine:
    engine = SileroEngine()
    engine.warmup()
    return engine


@pytest.fixture(scope="module")
def voice() -> Pcm:
    return sound_of("reply")[: 3 * 16_000]


@pytest.mark.parametrize("name", ["reply", "sister", "mother", *recorded("librivox-0870")])
def test_a_voice_is_speech_and_the_silence_before_it_is_not(
    engine: SileroEngine, name: str
) -> None:
    windows = engine.open().push(sound_of(name)[: 3 * 16_000])
    probabilities = [window.probability for window in windows]
    assert max(probabilities[:6]) < 0.2
    assert np.mean(np.array(probabilities[16:]) > 0.8) > 0.9


@pytest.mark.parametrize(
    "sound",
    [
        np.zeros(16_000, np.float32),
        0.05 * np.random.default_rng(1).standard_normal(16_000).astype(np.float32),
        0.3 * np.sin(np.arange(16_000) * 0.25, dtype=np.float32),
    ],
    ids=["silence", "noise", "tone"],
)
def test_what_is_not_a_voice_is_not_speech(engine: SileroEngine, sound: Pcm) -> None:
    assert max(window.probability for window in engine.open().push(sound)) < 0.35


@pytest.mark.parametrize("chunk", [1, 160, 320, 511, 512, 513, 4_000])
def test_any_chunk_size_gives_the_same_windows(
    engine: SileroEngine, voice: Pcm, chunk: int
) -> None:
    sound = voice[:10_000]
    stream = engine.open()
    windows = [w for i in range(0, len(sound), chunk) for w in stream.push(sound[i : i + chunk])]
    assert windows == engine.open().push(sound)
    assert [window.pts for window in windows] == list(range(0, 9_728, WINDOW_SAMPLES))


def test_flush_fills_the_last_window_with_silence_and_begins_anew(
    engine: SileroEngine, voice: Pcm
) -> None:
    sound = voice[8_000 : 8_000 + 1_300]
    padded = np.concatenate((sound, np.zeros(3 * WINDOW_SAMPLES - 1_300, np.float32)))
    stream = engine.open()
    assert stream.push(sound) + stream.flush() == engine.open().push(padded)
    assert stream.flush() == []
    assert stream.push(padded) == engine.open().push(padded)


def test_a_reset_stream_equals_a_fresh_one(engine: SileroEngine, voice: Pcm) -> None:
    stream = engine.open()
    stream.push(voice[:9_999])
    stream.reset()
    assert stream.push(voice) == engine.open().push(voice)


@pytest.mark.parametrize("name", ["reply", "sister", *recorded("librivox-0870", "jfk-1961")])
def test_a_voice_is_heard_the_second_time_as_soon_as_the_first(
    engine: SileroEngine, name: str
) -> None:
    """In a call everybody is heard again and again: what was said before deafens nobody."""
    voice = sound_of(name)[: 2 * 16_000 // WINDOW_SAMPLES * WINDOW_SAMPLES]
    room = 3e-4 * np.random.default_rng(0).standard_normal(100 * WINDOW_SAMPLES)
    stream = engine.open()

    def windows_until_speech() -> int:
        stream.push(room.astype(np.float32))
        heard = [window.probability >= 0.5 for window in stream.push(voice)]
        return heard.index(True) if any(heard) else len(heard)

    first = windows_until_speech()
    assert max(windows_until_speech() for _ in range(3)) <= first + 1


def test_two_streams_do_not_hear_each_other(engine: SileroEngine, voice: Pcm) -> None:
    one, other = engine.open(), engine.open()
    heard, silent = [], []
    for start in range(0, 16_000, 800):
        heard += one.push(voice[start : start + 800])
        silent += other.push(np.zeros(800, np.float32))
    assert heard == engine.open().push(voice[:16_000])
    assert silent == engine.open().push(np.zeros(16_000, np.float32))


def test_closing_twice_does_no_harm(engine: SileroEngine) -> None:
    stream = engine.open()
    stream.close()
    stream.close()


def test_the_weights_are_those_of_the_release_that_the_decision_names() -> None:
    decision = Path(__file__).parents[2] / "docs" / "decisions" / "0003-silero-without-torch.md"
    digest = hashlib.sha256(silero.find_model().read_bytes()).hexdigest()
    assert digest in decision.read_text(encoding="utf-8")
    assert (silero.find_model().parent / "LICENSE").is_file()


def test_missing_weights_are_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silero, "_WEIGHTS", Path("gone.onnx"))
    with pytest.raises(FileNotFoundError, match="pip install"):
        silero.find_model()


def test_the_spec_tells_the_window(engine: SileroEngine) -> None:
    assert (engine.spec.name, engine.spec.chunk, engine.spec.lookahead) == ("silero", 512, 0)


def test_who_unmutes_a_microphone_is_heard_as_in_a_new_call(
    engine: SileroEngine, voice: Pcm
) -> None:
    muted = np.random.default_rng(2).integers(-2, 3, 96 * WINDOW_SAMPLES).astype(np.float32) / 32768
    stream = engine.open()
    assert max(window.probability for window in stream.push(muted)) < 0.35
    begun = [window.probability for window in stream.push(voice)]
    fresh = [window.probability for window in engine.open().push(voice)]
    np.testing.assert_allclose(begun, fresh, atol=0.02)
