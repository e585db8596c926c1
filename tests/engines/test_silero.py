import hashlib
import wave
from pathlib import Path

import numpy as np
import pytest

from engines import silero
from engines.silero import WINDOW_SAMPLES, SileroEngine
from engines.types import Pcm

pytestmark = pytest.mark.unit

SPEECH = Path(__file__).resolve().parents[3] / "shared" / "media" / "speech"


@pytest.fixture(scope="module")
def engine() -> SileroEngine:
    engine = SileroEngine()
    engine.warmup()
    return engine


@pytest.fixture(scope="module")
def recording() -> Pcm:
    path = SPEECH / "librivox-0870.wav"
    if not path.is_file():
        pytest.fail(f"expected a recording at {path}")
    with wave.open(str(path)) as file:
        pcm = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    return pcm[: 3 * 16_000].astype(np.float32) / 32768


def test_a_recorded_voice_is_speech_and_the_silence_before_it_is_not(
    engine: SileroEngine, recording: Pcm
) -> None:
    probabilities = [window.probability for window in engine.open().push(recording)]
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
    engine: SileroEngine, recording: Pcm, chunk: int
) -> None:
    sound = recording[:10_000]
    stream = engine.open()
    windows = [w for i in range(0, len(sound), chunk) for w in stream.push(sound[i : i + chunk])]
    assert windows == engine.open().push(sound)
    assert [window.pts for window in windows] == list(range(0, 9_728, WINDOW_SAMPLES))


def test_flush_fills_the_last_window_with_silence_and_begins_anew(
    engine: SileroEngine, recording: Pcm
) -> None:
    sound = recording[8_000 : 8_000 + 1_300]
    padded = np.concatenate((sound, np.zeros(3 * WINDOW_SAMPLES - 1_300, np.float32)))
    stream = engine.open()
    assert stream.push(sound) + stream.flush() == engine.open().push(padded)
    assert stream.flush() == []
    assert stream.push(padded) == engine.open().push(padded)


def test_a_reset_stream_equals_a_fresh_one(engine: SileroEngine, recording: Pcm) -> None:
    stream = engine.open()
    stream.push(recording[:9_999])
    stream.reset()
    assert stream.push(recording) == engine.open().push(recording)


def test_two_streams_do_not_hear_each_other(engine: SileroEngine, recording: Pcm) -> None:
    one, other = engine.open(), engine.open()
    heard, silent = [], []
    for start in range(0, 16_000, 800):
        heard += one.push(recording[start : start + 800])
        silent += other.push(np.zeros(800, np.float32))
    assert heard == engine.open().push(recording[:16_000])
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
