"""Callers' own voices over HTTP and in a call: private, bounded, told what is wrong, deleted."""

import base64
import os
import stat
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.nano_tts import SHIPPED, NanoEngine, NanoVoice
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.own_voice.tuning import SAMPLE, say
from rt_avatar.engines.own_voice.voice_file import load_voice, voice_names
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, VoiceStyle
from rt_avatar.errors import BadInputError
from rt_avatar.services.own_voices import OwnVoices
from rt_avatar.signaling.protocol import MAX_RECORDING_BYTES
from tests.fakes.in_process_server import SETTINGS, InProcessServer, in_process_server
from tests.media import wav_of

pytestmark = pytest.mark.network

MADE = NanoVoice({"lj": 0.4, "cathy": 0.6}, pitch=1.1, timbre_db=(0.0,) * 14)


def encoded(pcm: np.ndarray) -> str:
    """Return sound at 24 kHz as a WAV in base64."""
    return base64.b64encode(wav_of(pcm)).decode()


SILENCE = encoded(np.zeros(8 * SPEECH_RATE_HZ))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "voices"


@pytest.fixture
def quickly_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept, and for whom, does not depend on how a voice is measured."""
    monkeypatch.setattr(OwnVoices, "make", lambda self, recording: MADE)


def settings_of(folder: Path, **tts: object):
    return replace(SETTINGS, tts=TtsSettings(voices_folder=str(folder), **tts))


@pytest.fixture
async def server(folder: Path) -> AsyncIterator[InProcessServer]:
    async with in_process_server(settings=settings_of(folder)) as server:
        yield server


async def ask(
    server: InProcessServer,
    method: str,
    path: str = "",
    key: str = "",
    address: str = "127.0.0.1",
    **body: object,
) -> tuple[int, dict]:
    headers = {"X-Forwarded-For": address}
    headers |= {"Authorization": f"Bearer {key}"} if key else {}
    url = f"{server.url}/api/voices{path}"
    async with server.http.request(method, url, headers=headers, json=body or None) as response:
        is_json = response.content_type == "application/json"
        told = await response.json() if is_json else {}
        return response.status, {**told, "caching": response.headers["Cache-Control"]}


async def kept(server: InProcessServer) -> dict:
    status, told = await ask(server, "POST", recording=SILENCE, consent=True)
    assert (status, told["caching"]) == (201, "private, no-store")
    return told


def reason(answer: tuple[int, dict]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["reason"]


async def session(server: InProcessServer, **body: object) -> tuple[int, dict]:
    async with server.http.post(f"{server.url}/api/sessions", json=body) as response:
        return response.status, await response.json()


async def test_a_recording_becomes_a_voice_of_figures_alone(server, folder):
    reader = NanoVoice({"1898": 1.0})
    spoken = say(NanoModel(SHIPPED), reader, SAMPLE[:3])
    status, mine = await ask(server, "POST", recording=encoded(spoken), consent=True)
    assert (status, mine["days"]) == (201, 30)
    file = folder / f"{mine['name']}.json"
    assert list(folder.iterdir()) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert mine["key"] not in file.read_text()
    assert len(file.read_text()) < 2_000
    shares = load_voice(folder, mine["name"]).voice.speakers
    assert max(shares, key=shares.get) == "1898"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"recording": SILENCE, "consent": True}, (400, "bad_recording")),
        ({"recording": encoded(np.ones(2400)), "consent": True}, (400, "bad_recording")),
        ({"recording": base64.b64encode(b"no sound").decode(), "consent": True},
         (400, "bad_recording")),
        ({"recording": "not base64!", "consent": True}, (400, "bad_body")),
        ({"recording": SILENCE, "consent": False}, (400, "no_consent")),
        ({"recording": SILENCE}, (400, "bad_body")),
        ({"recording": "A" * (MAX_RECORDING_BYTES * 4 // 3 + 8), "consent": True},
         (400, "bad_body")),
    ],
    ids=["silence", "short", "no sound", "no base64", "no consent", "no word of it", "large"],
)  # fmt: skip
async def test_what_cannot_be_a_voice_is_told_in_a_sentence(server, folder, body, expected):
    answer = await ask(server, "POST", **body)
    assert reason(answer) == expected
    assert "expected" in answer[1]["error"]["text"]
    assert not folder.exists()


@pytest.mark.usefixtures("quickly_made")
async def test_a_voice_is_its_callers_alone(server, folder):
    mine, other = await kept(server), await kept(server)
    for key in ("", "guessed", other["key"]):
        assert reason(await ask(server, "DELETE", f"/{mine['name']}", key)) == (404, "no_voice")
        told = await session(server, voice=mine["name"], voice_key=key)
        assert reason(told) == (404, "no_voice")
    status, own = await session(server, voice=mine["name"], voice_key=mine["key"])
    assert (status, own["voice"]) == (201, mine["name"])
    assert (await ask(server, "DELETE", f"/{mine['name']}", mine["key"]))[0] == 204
    assert voice_names(folder) == [other["name"]]
    told = await session(server, voice=mine["name"], voice_key=mine["key"])
    assert reason(told) == (404, "no_voice")


@pytest.mark.usefixtures("quickly_made")
@pytest.mark.parametrize(
    "tts",
    [{"voice_uploads": False}, {"kind": "espeak"}, {"voice": "me"}],
    ids=lambda tts: next(iter(tts)),
)
async def test_a_voice_is_deleted_by_its_owner_whatever_speaks_by_then(folder, tts):
    async with in_process_server(settings=settings_of(folder)) as server:
        mine = await kept(server)
    async with in_process_server(settings=settings_of(folder, **tts)) as server:
        path = f"/{mine['name']}"
        assert reason(await ask(server, "DELETE", path, "guessed")) == (404, "no_voice")
        assert voice_names(folder) == [mine["name"]]
        assert (await ask(server, "DELETE", path, mine["key"]))[0] == 204
        assert voice_names(folder) == []


@pytest.mark.usefixtures("quickly_made")
async def test_a_voice_that_cannot_speak_just_now_is_not_told_as_lost(folder):
    async with in_process_server(settings=settings_of(folder)) as server:
        mine = await kept(server)
    async with in_process_server(settings=settings_of(folder, kind="espeak")) as server:
        told = await session(server, voice=mine["name"], voice_key=mine["key"])
        assert reason(told) == (403, "uploads_off")
        assert "usual voice" in told[1]["error"]["text"]


@pytest.mark.parametrize(
    "tts", [{"voice_uploads": False}, {"kind": "sync_test"}], ids=["switched off", "another voice"]
)
async def test_where_none_are_taken_the_page_is_told(folder, tts):
    async with in_process_server(settings=settings_of(folder, **tts)) as server:
        answer = await ask(server, "POST", recording=SILENCE, consent=True)
        assert reason(answer) == (403, "uploads_off")
        assert (await session(server))[1]["limits"]["recording_bytes"] == 0


@pytest.mark.usefixtures("quickly_made")
async def test_no_more_are_kept_than_there_is_room_for(folder):
    async with in_process_server(settings=settings_of(folder, max_voices=1)) as server:
        await kept(server)
        answer = await ask(server, "POST", recording=SILENCE, consent=True)
        assert reason(answer) == (503, "voices_full")
        assert len(voice_names(folder)) == 1


@pytest.mark.usefixtures("quickly_made")
async def test_one_client_keeps_half_of_them_at_most(folder):
    async with in_process_server(
        settings=settings_of(folder, max_voices=3), trusted_proxies=("127.0.0.1",)
    ) as server:

        async def keep(address: str) -> int:
            body = {"recording": SILENCE, "consent": True}
            return (await ask(server, "POST", address=address, **body))[0]

        assert [await keep("2001:db8::1"), await keep("2001:db8::2")] == [201, 201]
        assert await keep("2001:db8::3") == 503  # one customer's network
        assert await keep("192.0.2.1") == 201
        assert await keep("192.0.2.2") == 503


@pytest.mark.usefixtures("quickly_made")
async def test_old_voices_of_callers_are_deleted_and_the_operators_stay(folder):
    settings = settings_of(folder, voice_days=7)
    async with in_process_server(settings=settings) as server:
        old, new = (await kept(server))["name"], (await kept(server))["name"]
    operators = (folder / f"{old}.json").read_text().replace("owner", "somebody")
    (folder / "me.json").write_text(operators)
    long_ago = time.time() - 8 * 86_400
    for name in (old, "me"):
        os.utime(folder / f"{name}.json", (long_ago, long_ago))
    async with in_process_server(settings=settings):
        assert voice_names(folder) == sorted(["me", new])


def test_who_knows_the_name_of_an_operators_voice_does_not_get_it(folder):
    voices = OwnVoices(TtsSettings(voices_folder=str(folder)))
    name, key = voices.keep(MADE)
    assert voices.find(name, key) == f"own:{name}"
    text = (folder / f"{name}.json").read_text()
    (folder / "me.json").write_text(text.replace("owner", "somebody"))
    for tried in ("", key):
        with pytest.raises(BadInputError, match="expected one of yours"):
            voices.find("me", tried)


def test_a_voice_that_has_gone_does_not_end_a_call(folder):
    voices = OwnVoices(TtsSettings(voices_folder=str(folder)))
    name, key = voices.keep(MADE)
    engine = NanoEngine(find_own=voices.read)
    said = say_hello(engine, voices.find(name, key))
    assert not np.array_equal(said, say_hello(engine, "young_female"))
    voices.delete(name, key)
    assert np.array_equal(say_hello(engine, f"own:{name}"), say_hello(engine, "young_female"))


def say_hello(engine: NanoEngine, voice: str) -> np.ndarray:
    stream = engine.open(voice)
    chunks = stream.push(SpeechRequest("Hello there.", VoiceStyle(), 0)) + stream.flush()
    return np.concatenate([chunk.pcm for chunk in chunks])
