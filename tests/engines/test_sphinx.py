import subprocess
import sys
import threading
import wave
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import pytest

from engines import sphinx
from engines.recognition import Hypothesis
from engines.sphinx import RecogniserError, SphinxEngine, SphinxStream
from engines.types import Pcm

pytestmark = pytest.mark.unit

SPEECH = Path(__file__).resolve().parents[3] / "shared" / "media" / "speech"
NOISE: Pcm = 0.1 * np.random.default_rng(0).standard_normal(3_200, np.float32)


@pytest.fixture(scope="module")
def engine() -> Iterator[SphinxEngine]:
    engine = SphinxEngine()
    engine.warmup()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def recording() -> Pcm:
    """Return "he was not an ill disposed young man" and a little room after it."""
    path = SPEECH / "librivox-0880.wav"
    if not path.is_file():
        pytest.fail(f"expected a recording at {path}")
    with wave.open(str(path)) as file:
        pcm = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    room = np.random.default_rng(0).integers(-20, 20, 4_000)
    return np.concatenate((pcm, room)).astype(np.float32) / 32768


def push_all(stream: SphinxStream, sound: Pcm, chunk: int = 1_600) -> list[Hypothesis]:
    starts = range(0, len(sound), chunk)
    return [out for start in starts for out in stream.push(sound[start : start + chunk])]


@pytest.fixture(scope="module")
def heard(engine: SphinxEngine, recording: Pcm) -> tuple[list[Hypothesis], Hypothesis]:
    """What a fresh stream hears of the recording: partials, final."""
    stream = engine.open()
    partials = push_all(stream, recording)
    (final,) = stream.flush()
    return partials, final


def test_a_recorded_sentence_is_heard_word_by_word(heard) -> None:
    partials, final = heard
    assert final.is_final
    assert {"he", "was", "not", "young", "man"} <= set(final.text.lower().split())
    assert len(partials) >= 4
    assert not any(partial.is_final for partial in partials)
    assert all(a.text != b.text for a, b in pairwise(partials))
    assert final.text == partials[-1].text


@pytest.mark.parametrize("chunk", [333, 100_000])
def test_any_chunk_size_gives_the_same_words(
    engine: SphinxEngine, recording: Pcm, heard, chunk: int
) -> None:
    stream = engine.open()
    push_all(stream, recording, chunk)
    assert stream.flush() == [heard[1]]


def test_a_reset_stream_equals_a_fresh_one(engine: SphinxEngine, recording: Pcm, heard) -> None:
    stream = engine.open()
    push_all(stream, recording[16_000::-1].copy())
    stream.reset()
    assert (push_all(stream, recording), *stream.flush()) == heard


def test_two_streams_do_not_hear_each_other(engine: SphinxEngine, recording: Pcm, heard) -> None:
    one, other = engine.open(), engine.open()
    partials = []
    for start in range(0, len(recording), 1_600):
        partials += one.push(recording[start : start + 1_600])
        other.push(np.zeros(1_600, np.float32))
    assert (partials, *one.flush()) == heard
    assert other.flush()[0].text == ""


def test_silence_has_no_words(engine: SphinxEngine) -> None:
    stream = engine.open()
    assert stream.push(np.zeros(16_000, np.float32)) == []
    assert stream.flush() == [Hypothesis("", is_final=True, confidence=0.65)]


def test_flush_without_sound_gives_nothing(engine: SphinxEngine) -> None:
    stream = engine.open()
    assert stream.push(np.zeros(0, np.float32)) == []
    assert stream.flush() == []


def test_the_next_utterance_begins_empty(engine: SphinxEngine, recording: Pcm) -> None:
    stream = engine.open()
    push_all(stream, recording[:16_000])
    assert stream.flush()[0].text
    assert stream.push(np.zeros(8_000, np.float32)) == []
    assert stream.flush()[0].text == ""


def test_a_quiet_microphone_is_learned_within_the_first_second(
    engine: SphinxEngine, recording: Pcm
) -> None:
    stream = engine.open()
    push_all(stream, recording * np.float32(0.05))
    assert {"young", "man"} <= set(stream.flush()[0].text.lower().split())


def test_a_crash_in_the_middle_of_an_utterance_loses_no_word(recording: Pcm, heard) -> None:
    engine = SphinxEngine()
    stream = engine.open()
    middle = len(recording) // 2
    push_all(stream, recording[:middle])
    process = psutil.Process(engine.process_id)
    for victim in [*process.children(), process]:
        victim.kill()
    push_all(stream, recording[middle:])
    assert stream.flush() == [heard[1]]
    engine.close()


@pytest.fixture
def stuck(engine: SphinxEngine) -> Iterator[tuple[SphinxStream, psutil.Process]]:
    """Return a stream and its child, which does not run."""
    stream = engine.open()
    stream.push(NOISE)
    (child,) = psutil.Process(engine.process_id).children()
    child.suspend()
    yield stream, child
    stream.close()


def test_closing_ends_the_wait_for_a_stuck_child_and_the_child(stuck) -> None:
    stream, child = stuck
    waiting = threading.Event()

    def push() -> None:
        waiting.set()
        stream.push(NOISE)

    with ThreadPoolExecutor(1) as thread:
        pushed = thread.submit(push)
        waiting.wait()
        stream.close()
        with pytest.raises(RecogniserError, match="closed"):
            pushed.result(timeout=5)
    psutil.wait_procs([child], timeout=5)
    assert not child.is_running()


def test_a_closed_stream_takes_no_sound_and_starts_no_child(engine: SphinxEngine) -> None:
    stream = engine.open()
    stream.push(NOISE)
    stream.close()
    with pytest.raises(RecogniserError, match="closed"):
        stream.push(NOISE)
    assert stream.flush() == []
    process = psutil.Process(engine.process_id)
    psutil.wait_procs(process.children(), timeout=5)
    assert not process.children()


def test_a_stuck_child_is_replaced(
    monkeypatch: pytest.MonkeyPatch, engine: SphinxEngine, stuck
) -> None:
    stream, child = stuck
    monkeypatch.setattr(sphinx, "_PATIENCE_S", 2.0)
    stream.push(NOISE)
    psutil.wait_procs([child], timeout=5)
    assert child not in psutil.Process(engine.process_id).children()
    assert len(stream.flush()) == 1


def test_what_an_utterance_cost_can_be_read_from_its_process(
    engine: SphinxEngine, recording: Pcm
) -> None:
    process = psutil.Process(engine.process_id)
    before_s = process.cpu_times().children_user
    stream = engine.open()
    push_all(stream, recording[:16_000])
    (fork,) = process.children()
    used_s = fork.cpu_times().user
    stream.flush()
    psutil.wait_procs([fork], timeout=10)
    assert not process.children(), "an ended fork should be gone"
    # Whole hundredths of a second: their difference is one, too, but for the floats.
    assert round(process.cpu_times().children_user - before_s, 2) >= used_s > 0


def test_an_engine_that_was_closed_starts_anew(recording: Pcm) -> None:
    engine = SphinxEngine()
    engine.warmup()
    engine.close()
    engine.close()
    assert engine.process_id is None
    stream = engine.open()
    push_all(stream, recording[:16_000])
    assert len(stream.flush()) == 1
    engine.close()


def test_a_process_that_does_not_start_is_reported_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit(1)\n")
    monkeypatch.setattr(sphinx, "_PROCESS", broken)
    with pytest.raises(RecogniserError, match="import pocketsphinx"):
        SphinxEngine().warmup()


def test_a_process_that_fails_again_and_again_ends_the_utterance_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recording: Pcm
) -> None:
    deaf = tmp_path / "deaf.py"
    deaf.write_text(
        "import socket, sys\n"
        "control = socket.socket(fileno=int(sys.argv[1]))\n"
        "control.sendall(b'.')\n"
        "while True:\n"
        "    _, fds, _, _ = socket.recv_fds(control, 1, 1)\n"
        "    if not fds:\n"
        "        break\n"
        "    socket.socket(fileno=fds[0]).close()\n"
    )
    engine = SphinxEngine()
    stream = engine.open()
    with monkeypatch.context() as patch:
        patch.setattr(sphinx, "_PROCESS", deaf)
        with pytest.raises(RecogniserError, match="three times"):
            stream.push(recording[:1_600])
    push_all(stream, recording)
    assert "young" in stream.flush()[0].text
    engine.close()


def test_the_process_ends_with_the_server() -> None:
    script = (
        "from engines.sphinx import SphinxEngine\n"
        "engine = SphinxEngine(); engine.warmup(); print(engine.process_id, flush=True)\n"
        "import os; os._exit(1)\n"
    )
    # The process inherits the server's standard error: a pipe that is only at its end when both
    # have ended. A process that lived on would let this wait run into its timeout.
    server = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, timeout=60
    )
    assert server.returncode == 1
    assert int(server.stdout) > 0


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        ("<s> i see(2) [NOISE] i'm fine ++UM++ </s>", "I see I'm fine"),
        ("this is it", "This is it"),
        ("", ""),
    ],
)
def test_fillers_and_variants_are_not_words(heard: str, text: str) -> None:
    assert sphinx._readable(heard) == text
