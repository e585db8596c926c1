import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import pytest
from pocketsphinx import Decoder, get_model_path

from rt_avatar.engines import sphinx
from rt_avatar.engines._sphinx_process import SETTINGS, short_dictionary
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.sphinx import RecogniserError, SphinxEngine, SphinxStream
from rt_avatar.engines.types import Pcm
from tests.media import Speaker, sound_of
from tests.recogniser import recogniser_processes

pytestmark = pytest.mark.unit

NOISE: Pcm = 0.1 * np.random.default_rng(0).standard_normal(3_200, np.float32)
# Words of each sentence that are heard when nothing is between it and the recogniser.
WORDS = {
    "sister": {"my", "sister", "getting", "married", "next", "month"},
    "librivox-0880": {"he", "was", "not", "young", "man"},
}


@pytest.fixture(scope="module")
def engine() -> Iterator[SphinxEngine]:
    engine = SphinxEngine()
    engine.warmup()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def speech(speaker: Speaker) -> Pcm:
    """Return a sentence and a little room after it."""
    room = np.random.default_rng(0).integers(-20, 20, 4_000).astype(np.float32) / 32768
    return np.concatenate((sound_of(speaker.question), room))


def push_all(stream: SphinxStream, sound: Pcm, chunk: int = 1_600) -> list[Hypothesis]:
    starts = range(0, len(sound), chunk)
    return [out for start in starts for out in stream.push(sound[start : start + chunk])]


@pytest.fixture(scope="module")
def heard(engine: SphinxEngine, speech: Pcm) -> tuple[list[Hypothesis], Hypothesis]:
    """What a fresh stream hears of the speech: partials, final."""
    stream = engine.open()
    partials = push_all(stream, speech)
    (final,) = stream.flush()
    return partials, final


def test_a_sentence_is_heard_word_by_word(speaker: Speaker, heard) -> None:
    partials, final = heard
    assert final.is_final
    assert WORDS[speaker.question] <= set(final.text.lower().split())
    assert len(partials) >= 4
    assert not any(partial.is_final for partial in partials)
    assert all(a.text != b.text for a, b in pairwise(partials))
    assert final.text == partials[-1].text


@pytest.mark.parametrize("chunk", [333, 100_000])
def test_any_chunk_size_gives_the_same_words(
    engine: SphinxEngine, speech: Pcm, heard, chunk: int
) -> None:
    stream = engine.open()
    push_all(stream, speech, chunk)
    assert stream.flush() == [heard[1]]


def test_a_reset_stream_equals_a_fresh_one(engine: SphinxEngine, speech: Pcm, heard) -> None:
    stream = engine.open()
    push_all(stream, speech[16_000::-1].copy())
    stream.reset()
    assert (push_all(stream, speech), *stream.flush()) == heard


def test_two_streams_do_not_hear_each_other(engine: SphinxEngine, speech: Pcm, heard) -> None:
    one, other = engine.open(), engine.open()
    partials = []
    for start in range(0, len(speech), 1_600):
        partials += one.push(speech[start : start + 1_600])
        other.push(np.zeros(1_600, np.float32))
    assert (partials, *one.flush()) == heard
    assert other.flush()[0].text == ""


def test_pronunciations_that_are_left_out_change_no_word(speech: Pcm) -> None:
    whole = Path(get_model_path("en-us/cmudict-en-us.dict"))
    heard: list[str] = []
    with short_dictionary() as short:
        assert Path(short).stat().st_size < 0.7 * whole.stat().st_size
        for dictionary in (str(whole), short):
            decoder = Decoder(**SETTINGS, dict=dictionary)
            decoder.start_utt()
            decoder.process_raw((32767 * speech).astype(np.int16).tobytes(), full_utt=True)
            decoder.end_utt()
            heard.append(decoder.hyp().hypstr)
            assert decoder.lookup_word("grandmother"), "what the language model knows stays"
            assert decoder.lookup_word("read(2)"), "with all its pronunciations"
    assert heard[0] == heard[1]


def test_silence_has_no_words(engine: SphinxEngine) -> None:
    stream = engine.open()
    assert stream.push(np.zeros(16_000, np.float32)) == []
    assert stream.flush() == [Hypothesis("", is_final=True, confidence=0.65)]


def test_flush_without_sound_gives_nothing(engine: SphinxEngine) -> None:
    stream = engine.open()
    assert stream.push(np.zeros(0, np.float32)) == []
    assert stream.flush() == []


def test_the_next_utterance_begins_empty(engine: SphinxEngine, speech: Pcm) -> None:
    stream = engine.open()
    push_all(stream, speech[:16_000])
    assert stream.flush()[0].text
    assert stream.push(np.zeros(8_000, np.float32)) == []
    assert stream.flush()[0].text == ""


def test_a_quiet_microphone_is_learned_within_the_first_second(
    engine: SphinxEngine, speaker: Speaker, speech: Pcm
) -> None:
    stream = engine.open()
    push_all(stream, speech * np.float32(0.05))
    assert speaker.question_words in stream.flush()[0].text.lower()


def test_a_crash_in_the_middle_of_an_utterance_loses_no_word(speech: Pcm, heard) -> None:
    engine = SphinxEngine()
    stream = engine.open()
    middle = len(speech) // 2
    push_all(stream, speech[:middle])
    process = recogniser_processes()[-1]
    for victim in [*process.children(), process]:
        victim.kill()
    push_all(stream, speech[middle:])
    assert stream.flush() == [heard[1]]
    engine.close()


@pytest.fixture
def stuck(engine: SphinxEngine) -> Iterator[tuple[SphinxStream, psutil.Process]]:
    """Return a stream and its child, which does not run."""
    stream = engine.open()
    stream.push(NOISE)
    (child,) = recogniser_processes()[-1].children()
    child.suspend()
    yield stream, child
    stream.close()


def test_closing_ends_the_wait_for_a_stuck_child_and_the_child(
    monkeypatch: pytest.MonkeyPatch, stuck
) -> None:
    stream, child = stuck
    monkeypatch.setattr(sphinx, "_PATIENCE_S", 600.0)  # nothing else ends it
    waiting = threading.Event()

    def push() -> None:
        waiting.set()
        stream.push(NOISE)

    with ThreadPoolExecutor(1) as thread:
        pushed = thread.submit(push)
        waiting.wait()
        stream.close()
        with pytest.raises(RecogniserError, match="closed"):
            pushed.result(timeout=60)
    psutil.wait_procs([child], timeout=60)
    assert not child.is_running()


def test_a_closed_stream_takes_no_sound_and_starts_no_child(engine: SphinxEngine) -> None:
    stream = engine.open()
    stream.push(NOISE)
    stream.close()
    with pytest.raises(RecogniserError, match="closed"):
        stream.push(NOISE)
    assert stream.flush() == []
    process = recogniser_processes()[-1]
    psutil.wait_procs(process.children(), timeout=60)
    assert not process.children()


def test_a_stuck_child_is_replaced(
    monkeypatch: pytest.MonkeyPatch, engine: SphinxEngine, stuck
) -> None:
    stream, child = stuck
    monkeypatch.setattr(sphinx, "_PATIENCE_S", 2.0)
    stream.push(NOISE)
    psutil.wait_procs([child], timeout=60)
    assert child not in recogniser_processes()[-1].children()
    assert len(stream.flush()) == 1


def test_what_an_utterance_cost_can_be_read_from_its_process(
    engine: SphinxEngine, speech: Pcm
) -> None:
    process = recogniser_processes()[-1]
    before_s = process.cpu_times().children_user
    stream = engine.open()
    push_all(stream, speech[:16_000])
    (fork,) = process.children()
    used_s = fork.cpu_times().user
    stream.flush()
    psutil.wait_procs([fork], timeout=60)
    assert not process.children(), "an ended fork should be gone"
    # Whole hundredths of a second: their difference is one, too, but for the floats.
    assert round(process.cpu_times().children_user - before_s, 2) >= used_s > 0


def test_an_engine_that_was_closed_starts_anew(speech: Pcm) -> None:
    before = recogniser_processes()
    engine = SphinxEngine()
    engine.warmup()
    engine.close()
    engine.close()
    assert recogniser_processes() == before
    stream = engine.open()
    push_all(stream, speech[:16_000])
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
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, speaker: Speaker, speech: Pcm
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
            stream.push(speech[:1_600])
    push_all(stream, speech)
    assert speaker.question_words in stream.flush()[0].text.lower()
    engine.close()


def test_the_process_ends_with_the_server() -> None:
    script = (
        "from rt_avatar.engines.sphinx import SphinxEngine\n"
        "engine = SphinxEngine(); engine.warmup()\n"
        "import psutil; print(psutil.Process().children()[0].pid, flush=True)\n"
        "import os; os._exit(1)\n"
    )
    # The process inherits the server's standard error: a pipe that is only at its end when both
    # have ended. A process that lived on would let this wait run into its timeout.
    server = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, timeout=60
    )
    assert server.returncode == 1
    assert int(server.stdout) > 0


@pytest.mark.parametrize("is_loaded", [False, True])
def test_the_process_ends_without_a_word_when_the_server_dies_while_it_loads(
    is_loaded: bool,
) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", str(sphinx._PROCESS), str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            stderr=subprocess.PIPE,
        )
    with ours:
        if is_loaded:  # but nobody has read that it is
            select.select([ours], [], [], 60)
    assert process.communicate(timeout=60) == (None, b"")
    assert process.returncode == 0


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
