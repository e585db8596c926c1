"""Commands with a speech endpoint: the doctor asks it, a clip is spoken by it, engines use it."""

import asyncio
import logging
import re
import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.commands.cli import main
from rt_avatar.config.server_settings import LogSettings
from rt_avatar.config.settings import Settings, TtsSettings
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.types import SPEECH_RATE_HZ
from rt_avatar.errors import SetupError
from rt_avatar.services.engine_choice import make_voice
from rt_avatar.services.engines import Engines
from rt_avatar.telemetry.logs import set_up_logging
from rt_avatar.tts.openai_tts import OpenAiTts
from tests.fakes.speech_endpoint import Speech, SpeechServer, speech_server
from tests.rt_avatar.commands.test_say import IDLE_FRAMES, decode

pytestmark = pytest.mark.unit


@contextmanager
def served(*script: Speech):
    """A speech endpoint in a thread of its own: commands run event loops of theirs."""
    servers: list[SpeechServer] = []
    is_up, stop = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with speech_server(*script) as server:
            servers.append(server)
            is_up.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert is_up.wait(10)
    try:
        yield servers[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()


def flags(url: str, model: str = "scripted") -> list[str]:
    return ["--tts.kind", "openai", "--tts.base_url", url, "--tts.model", model]


def doctors_words(capsys, url: str, model: str = "scripted") -> tuple[int, str]:
    status = main(["doctor", "--server.port", "0", "--metrics.port", "0", *flags(url, model)])
    return status, re.sub(r"[\s│]+", " ", capsys.readouterr().out)


def test_the_doctor_says_that_the_endpoint_answers(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with served() as server:
        status, text = doctors_words(capsys, server.url)
        assert server.models_asked == 1
        assert server.asked == []
    assert status == 0
    assert "speech endpoint: scripted, it answers" in text


def test_the_doctor_says_that_the_model_is_not_there(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    with served() as server:
        status, text = doctors_words(capsys, server.url, model="other")
    assert status == 1
    assert "'other' among the models" in text
    assert "Mend tts.model" in text


def test_an_endpoint_that_lists_no_models_is_no_worse(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    with served() as server:
        status, text = doctors_words(capsys, f"{server.url}/none")
    assert status == 0
    assert "it answers, but lists no models" in text


def test_the_doctor_says_that_nobody_is_there(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    with served() as server:
        url = server.url
    status, text = doctors_words(capsys, url)
    assert status == 1
    assert "expected a connection" in text
    assert "mend tts.base_url" in text


def test_a_clip_is_spoken_by_the_endpoint_and_its_mouth_moves(tmp_path: Path):
    path = tmp_path / "clip.mp4"
    with served() as server:
        words = ["say", "Hello there, my friend.", "-o", str(path), "--avatar.size_px", "256"]
        assert main([*words, "--persona", "tom", *flags(server.url)]) == 0
        (asked,) = server.asked
        spoken_s = len(server.spoken[0]) / SPEECH_RATE_HZ
    assert (asked["input"], asked["voice"]) == ("Hello there, my friend.", "onyx")
    decoded = decode(path)
    speech_frames = len(decoded.luma) - 2 * IDLE_FRAMES
    assert speech_frames / 25 == pytest.approx(spoken_s, abs=0.25)
    change = np.abs(np.diff(decoded.luma[:, 160:196, 104:152], axis=0)).mean(axis=(1, 2))
    assert np.percentile(change[IDLE_FRAMES:-IDLE_FRAMES], 75) > 3 * np.median(change[:8])


def test_a_clip_whose_endpoint_is_away_is_one_line_and_status_two(tmp_path: Path, capsys):
    path = tmp_path / "clip.mp4"
    assert main(["say", "Hello.", "-o", str(path), *flags("http://127.0.0.1:9/v1")]) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert "expected a connection to http://127.0.0.1:9/v1" in error
    assert "Traceback" not in error
    assert not path.exists()


def test_engines_of_an_endpoint_move_the_mouth_by_ear_and_need_no_espeak(monkeypatch):
    def missing():
        raise AssertionError("espeak-ng was asked for")

    monkeypatch.setattr("rt_avatar.services.engine_choice.EspeakEngine", missing)
    speech = TtsSettings(kind="openai", base_url="http://127.0.0.1:9/v1", model="m")
    engines = Engines(Settings(tts=speech))
    try:
        assert isinstance(engines.speech, OpenAiTts)
        assert isinstance(engines.articulator, LipsyncEngine)
        assert engines.articulator is engines.lipsync
    finally:
        engines.close()


def test_who_needs_a_voice_of_this_process_is_told_that_an_endpoint_is_none():
    with pytest.raises(SetupError, match="nano, espeak, kokoro or sync_test; got openai"):
        make_voice(TtsSettings(kind="openai", base_url="http://127.0.0.1:9/v1", model="m"))


def test_a_kokoro_that_is_not_there_is_told_by_the_doctor_and_at_the_start(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "1000")  # the table breaks no line
    words = ["--tts.kind", "kokoro", "--tts.model", str(tmp_path)]
    assert main(["doctor", "--server.port", "0", "--metrics.port", "0", *words]) == 1
    told = re.sub(r"[\s│]+", " ", capsys.readouterr().out)
    assert "missing voices.npz" in told
    assert "rt-avatar models fetch kokoro-82m, then rt-avatar engines export kokoro" in told
    with pytest.raises(SetupError, match=r"expected an exported Kokoro; missing voices\.npz"):
        make_voice(TtsSettings(kind="kokoro", model=str(tmp_path)))


def test_addresses_of_requests_are_not_logged():
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        set_up_logging(LogSettings())
        assert not logging.getLogger("httpx2").isEnabledFor(logging.INFO)
    finally:
        root.handlers[:] = before[0]
        root.setLevel(before[1])
