"""A voice over HTTP against a real server: order, one ahead, cancellation, and failures told."""

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import numpy as np
import pytest

from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.types import CHUNK_SAMPLES, SPEECH_RATE_HZ, SpeechChunk, VoiceStyle
from rt_avatar.errors import EngineError
from rt_avatar.messages import Clause, TurnId
from rt_avatar.queues import END, End
from rt_avatar.tts.openai_tts import OpenAiTts
from tests.fakes.speech_endpoint import Speech, SpeechServer, speech_server, spoken, wav_head

pytestmark = pytest.mark.unit

HELLO = "Hello there, my friend."
LONG = "That sounds like a hard day, and I can hear how tired you are."
KEY = "sk-secret-0123456789"


@dataclass
class Line:
    """A reply being spoken: clauses in, chunks out, and an end."""

    speech: OpenAiTts
    style: VoiceStyle = field(default_factory=VoiceStyle)
    room: int = 500
    heard: list[SpeechChunk] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clauses: asyncio.Queue = asyncio.Queue(maxsize=50)
        self.chunks: asyncio.Queue = asyncio.Queue(maxsize=self.room)

    def say(self, *texts: str, is_all: bool = True) -> None:
        for index, text in enumerate(texts):
            self.clauses.put_nowait(Clause(TurnId(1), 0, index, text))
        if is_all:
            self.clauses.put_nowait(END)

    async def run(self) -> None:
        await self.speech.speak("young_female", self.style, self.clauses, self.chunks)

    def rest(self) -> list[SpeechChunk]:
        """All chunks that are there; a reply that ended well has an ``END`` behind them."""
        while not self.chunks.empty():
            item = self.chunks.get_nowait()
            if not isinstance(item, End):
                self.heard.append(item)
        return self.heard


@asynccontextmanager
async def speaking(server: SpeechServer, **settings: object):
    options = {"model": "m", "timeout_s": 5.0, **settings}
    speech = OpenAiTts(TtsSettings(kind="openai", base_url=server.url, **options))
    try:
        async with asyncio.timeout(60):
            yield speech
    finally:
        await speech.aclose()


async def said(*texts: str, script: tuple[Speech, ...] = (), **settings: object):
    async with speech_server(*script) as server, speaking(server, **settings) as speech:
        line = Line(speech)
        line.say(*texts)
        await line.run()
        return line.rest(), server


def sound_of(chunks: list[SpeechChunk]) -> np.ndarray:
    return np.concatenate([chunk.pcm for chunk in chunks])


def words_of(chunks: list[SpeechChunk]) -> str:
    return " ".join(word.text for chunk in chunks for word in chunk.words)


def likeness(chunks: list[SpeechChunk], sent: np.ndarray) -> float:
    """Best correlation of the sound with what the server said."""
    heard = np.pad(sound_of(chunks), 3_000)
    size = len(heard) + len(sent)
    match = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(sent, size)), size)
    return float(match.max() / (np.linalg.norm(heard) * np.linalg.norm(sent)))


# --- sound --------------------------------------------------------------------------------------
async def test_clauses_are_spoken_in_order_as_chunks_with_their_words():
    chunks, server = await said(LONG, HELLO)
    assert [chunk.start for chunk in chunks] == [CHUNK_SAMPLES * at for at in range(len(chunks))]
    assert all(chunk.pcm.shape == (CHUNK_SAMPLES,) and chunk.phonemes == () for chunk in chunks)
    assert words_of(chunks) == f"{LONG} {HELLO}"
    assert [chunk.clause_index for chunk in chunks] == sorted(
        chunk.clause_index for chunk in chunks
    )
    first = [chunk for chunk in chunks if chunk.clause_index == 0]
    assert likeness(first, server.spoken[0]) > 0.95
    assert [asked["input"] for asked in server.asked] == [LONG, HELLO]


async def test_the_request_is_openais():
    async with speech_server() as server, speaking(server, api_key=KEY) as speech:
        line = Line(speech, VoiceStyle("sad", 0.9, rate=0.9))
        line.say(HELLO)
        await line.run()
        (asked,) = server.asked
        assert asked["instructions"].startswith("Speak as in a conversation. Sound very sad")
        assert 0.7 < asked["speed"] < 0.9
        assert (asked["model"], asked["voice"], asked["response_format"]) == ("m", "nova", "pcm")
        assert server.keys == [f"Bearer {KEY}"]


async def test_a_voice_of_the_settings_is_for_everybody():
    _, server = await said(HELLO, voice="af_heart")
    assert server.asked[0]["voice"] == "af_heart"


async def test_volume_is_made_here():
    async with speech_server() as server, speaking(server) as speech:
        levels = []
        for volume in (1.0, 0.5):
            line = Line(speech, VoiceStyle(volume=volume))
            line.say(HELLO)
            await line.run()
            levels.append(np.sqrt(np.mean(sound_of(line.rest()) ** 2)))
        assert levels[1] == pytest.approx(levels[0] / 2, rel=0.1)


@pytest.mark.parametrize(
    ("speech", "settings"),
    [
        (Speech(rate_hz=48_000), {"rate_hz": 48_000}),
        (Speech(rate_hz=22_050, head=wav_head(22_050), content_type="audio/wav"), {}),
        (Speech(chunk=333), {}),
        (Speech(content_type="application/octet-stream"), {}),
    ],
)
async def test_any_rate_wav_and_chunks_give_the_same_speech(speech, settings):
    chunks, server = await said(LONG, script=(speech,), **settings)
    assert likeness(chunks, server.spoken[0]) > 0.99
    assert words_of(chunks) == LONG


async def test_text_without_words_asks_for_nothing():
    chunks, server = await said("…", HELLO, "—")
    assert [asked["input"] for asked in server.asked] == [HELLO]
    assert words_of(chunks) == HELLO


# --- time ---------------------------------------------------------------------------------------
async def test_chunks_leave_while_the_clause_is_still_being_spoken():
    hold = asyncio.Event()
    script = Speech(hold=hold, hold_at=12)  # 12 × 4 KB are a second, 0.4 s of it silence
    async with speech_server(script) as server, speaking(server) as speech:
        line = Line(speech)
        line.say(LONG)
        running = asyncio.ensure_future(line.run())
        first = await line.chunks.get()
        assert np.abs(first.pcm[:4_000]).max() > 0.01  # the server's silence is not waited for
        assert not running.done()
        hold.set()
        await running
        assert words_of([first, *line.rest()]) == LONG


async def test_one_clause_is_asked_for_ahead_and_not_two():
    async with speech_server() as server, speaking(server) as speech:
        line = Line(speech, room=1)
        line.say(LONG, HELLO, LONG, HELLO)
        running = asyncio.ensure_future(line.run())
        await server.until_asked(2)
        for _ in range(4):
            assert len(server.asked) == 2  # the first is not over: nobody has taken its chunks
            line.heard.append(await line.chunks.get())
        while not isinstance(item := await line.chunks.get(), End):
            line.heard.append(item)
        await running
        assert words_of(line.heard) == f"{LONG} {HELLO} {LONG} {HELLO}"


async def test_the_next_clause_is_asked_for_only_when_this_one_sounds():
    hold = asyncio.Event()
    async with speech_server(Speech(hold=hold)) as server, speaking(server) as speech:
        line = Line(speech)
        line.say(LONG, HELLO)
        running = asyncio.ensure_future(line.run())
        await server.until_asked(1)
        await speech.prepare()  # a whole exchange with the server: time enough for a second request
        assert len(server.asked) == 1
        hold.set()
        await running
        assert [asked["input"] for asked in server.asked] == [LONG, HELLO]


async def test_the_end_of_a_clause_does_not_wait_for_one_that_is_late():
    async with speech_server() as server, speaking(server) as speech:
        line = Line(speech)
        line.say(HELLO, is_all=False)
        running = asyncio.ensure_future(line.run())
        _, truth = spoken(HELLO, "nova")
        while not line.heard or line.heard[-1].start < truth[-1].end:
            line.heard.append(await line.chunks.get())
        assert words_of(line.heard) == HELLO
        line.say(LONG)
        await running
        chunks = line.rest()
        assert words_of(chunks) == f"{HELLO} {LONG}"
        assert [chunk.start for chunk in chunks] == [
            CHUNK_SAMPLES * at for at in range(len(chunks))
        ]


async def test_after_a_stall_of_the_voice_the_next_clause_has_its_time_again():
    hold = asyncio.Event()
    in_time, _ = await said(HELLO, LONG)
    length_s = spoken(HELLO, "nova")[1][-1].end / SPEECH_RATE_HZ
    async with (
        speech_server(Speech(hold=hold, hold_at=12)) as server,
        speaking(server) as speech,
    ):
        line = Line(speech)
        line.say(HELLO, is_all=False)
        running = asyncio.ensure_future(line.run())
        line.heard.append(await line.chunks.get())
        await asyncio.sleep(length_s)  # without the stall, all of it would have been heard now
        hold.set()
        while line.heard[-1].start / SPEECH_RATE_HZ < length_s - 0.4:
            line.heard.append(await line.chunks.get())
        line.say(LONG)
        await running
        assert len(line.rest()) == len(in_time)


async def test_a_prepared_connection_is_used_for_the_first_clause():
    async with speech_server() as server, speaking(server) as speech:
        await speech.prepare()
        line = Line(speech)
        line.say(HELLO)
        await line.run()
        assert server.models_asked == 1
        assert len(server.peers) == 1


async def test_warming_up_blocks_once_and_leaves_nothing_open():
    async with speech_server() as server, speaking(server) as speech:
        await asyncio.to_thread(speech.warmup)
        assert server.models_asked == 1
        line = Line(speech)
        line.say(HELLO)
        await line.run()
        assert words_of(line.rest()) == HELLO


# --- cancellation -------------------------------------------------------------------------------
async def test_a_cancelled_reply_closes_its_request_and_gives_no_more_sound():
    script = Speech(hold=asyncio.Event(), hold_at=20)
    async with speech_server(script) as server, speaking(server) as speech:
        line = Line(speech)
        line.say(LONG, HELLO)
        running = asyncio.ensure_future(line.run())
        await line.chunks.get()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        line.rest()
        await server.gone.wait()
        assert line.chunks.empty()
        again = Line(speech)
        again.say(HELLO)
        await again.run()
        assert words_of(again.rest()) == HELLO


# --- failures -----------------------------------------------------------------------------------
SILENCE = bytes(48_000)


@pytest.mark.parametrize(
    ("speech", "words"),
    [
        (Speech(status=401, body=b'{"error": {"message": "bad key"}}'), "401: bad key.*api_key"),
        (Speech(status=404, body=b'{"detail": "no model m"}'), "404: no model m.*tts.model"),
        (Speech(status=429, body=b"{}"), "429.*Wait"),
        (Speech(status=500, body=b"out of memory"), "500: out of memory.*log"),
        (
            Speech(content_type="application/json", body=b'{"error": "voice nova is unknown"}'),
            "got application/json: voice nova is unknown.*tts.base_url",
        ),
        (Speech(content_type="text/html", body=b"<html>hi</html>"), "got text/html"),
        (Speech(content_type="audio/mpeg", body=b"\xff\xfb\x90\x64" * 99), "got audio/mpeg.*pcm"),
        (Speech(body=b"ID3\4" * 99), "got MP3.*response_format=pcm"),
        (Speech(body=b""), "expected sound; got none"),
        (Speech(body=SILENCE), "got 1.0 s of silence.*tts.voice"),
        (Speech(tail=b"\0"), "even number of bytes"),
        (Speech(head=wav_head(24_000, bits=24)), "24 bits"),
        (Speech(hold=asyncio.Event()), "within 0.5 s; got none.*tts.timeout_s"),
        (Speech(cut=True), "the connection was cut"),
        (Speech(repeats=30, chunk=65_536), r"at most \d+ s of sound.*for 23 characters"),
    ],
)
async def test_a_failure_says_what_was_expected_what_came_and_how_to_mend_it(speech, words):
    limit_s = 0.5 if speech.hold else 30.0  # on a busy machine an answer that comes may come late
    with pytest.raises(EngineError, match=f"^voice: .*{words}"):
        await said(HELLO, script=(speech, speech, speech), timeout_s=limit_s)


@pytest.mark.parametrize("first", [Speech(status=503), Speech(cut=True)])
async def test_what_failed_before_any_sound_is_asked_for_again(first):
    chunks, server = await said(HELLO, script=(first,))
    assert words_of(chunks) == HELLO
    assert [asked["input"] for asked in server.asked] == [HELLO, HELLO]


async def test_what_trying_again_cannot_mend_is_not_tried_again():
    async with speech_server(Speech(status=401)) as server, speaking(server) as speech:
        line = Line(speech)
        line.say(HELLO)
        with pytest.raises(EngineError, match="401"):
            await line.run()
        assert len(server.asked) == 1


async def test_further_keys_of_the_settings_are_sent_as_they_are():
    _, server = await said(HELLO, extra_body={"lang_code": "b"})
    assert server.asked[0]["lang_code"] == "b"


async def test_nobody_at_the_address_is_told():
    async with speech_server() as server:
        pass
    async with speaking(server) as speech:
        line = Line(speech)
        line.say(HELLO)
        with pytest.raises(EngineError, match=r"expected a connection.*mend tts\.base_url"):
            await line.run()
        with pytest.raises(EngineError, match="expected a connection"):
            await speech.check()


@pytest.mark.parametrize(
    ("failing", "limit_s"),
    [({"cut": True}, 30.0), ({"hold": asyncio.Event()}, 2.0)],  # longer than a busy machine pauses
)
async def test_what_came_before_a_failure_is_heard_with_its_words(failing, limit_s):
    async with (
        speech_server(Speech(), Speech(hold_at=24, **failing)) as server,
        speaking(server, timeout_s=limit_s) as speech,
    ):
        line = Line(speech)
        line.say(HELLO, LONG, HELLO)
        with pytest.raises(EngineError):
            await line.run()
        chunks = line.rest()
        assert words_of(chunks).startswith(f"{HELLO} That sounds")
        half = [chunk for chunk in chunks if chunk.clause_index == 1]
        assert 1.0 < len(half) * CHUNK_SAMPLES / SPEECH_RATE_HZ < 2.2  # 24 × 4 KB: 2 s, 0.4 silent
        assert len(server.asked) <= 3


async def test_the_key_is_in_no_error():
    body = f'{{"error": "no such key: {KEY}"}}'.encode()
    with pytest.raises(EngineError) as caught:
        await said(HELLO, script=(Speech(status=401, body=body),), api_key=KEY)
    assert KEY not in str(caught.value)


# --- check --------------------------------------------------------------------------------------
async def test_the_check_knows_whether_the_model_is_there():
    async with speech_server() as server:
        async with speaking(server, model="scripted") as speech:
            assert await speech.check()
        async with speaking(server, model="other") as speech:
            with pytest.raises(EngineError, match=r"'other' among.*got scripted.*tts\.model"):
                await speech.check()
        assert server.asked == []
