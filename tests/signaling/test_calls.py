"""Whole calls over real sockets: a real server, a real WebRTC peer, scripted engines."""

import asyncio
import platform

import numpy as np
import psutil
import pytest

from rt_avatar.benchmarks.peer.impairment import impair
from rt_avatar.signaling.protocol import TEXT_BURST, TEXT_CHARS
from rt_avatar.signaling.registry import MAX_HALF_OPEN_PER_ADDRESS
from tests.fakes.in_process_server import asked, in_process_server, names_settings

pytestmark = pytest.mark.realtime

LONG = " ".join(["word"] * 40)  # 12 s of speech
LOUD = 0.05  # RMS of the scripted voice is 0.2; of silence 0


def voice(seconds: float) -> np.ndarray:
    return np.random.default_rng(1).normal(0, 6000, int(seconds * 48_000)).astype(np.int16)


async def test_a_caller_speaks_and_is_answered_in_sound_picture_and_words():
    async with in_process_server("I hear you.", heard=("i lost my job",)) as context:
        async with context.caller(has_camera=True) as caller:
            await caller.call("leo")
            hello = caller.messages[0]
            assert hello["type"] == "hello"
            assert hello["persona"] == "leo"
            assert hello["recogniser"]["name"] == "script"
            assert not hello["resumed"]
            await caller.wait_for("state", state="listening")
            await caller.until(lambda: len(caller.sound) > 25 and caller.pictures > 5)
            caller.microphone.play(voice(1.5))
            await caller.wait_for("caption", role="caller", text="i lost my job", final=True)
            await caller.wait_for("state", state="speaking")
            await caller.until(lambda: caller.loudness() > LOUD)
            await caller.wait_for("caption", role="avatar", text="I hear you.", final=True)
            trace = await caller.wait_for("trace")
            assert trace["marks_ms"]["audio_released"] > 0
            assert trace["interrupted_at_ms"] is None
            assert caller.last("plan")["shown_emotion"] == "sad"
            assert caller.picture.shape == (64, 64, 3)
        assert await context.metric("lk_agents_turn_e2e_latency_seconds_count") == 1
        assert await context.metric("rt_avatar_sessions_started_total") == 1


async def test_typed_words_a_new_persona_and_stop_do_what_they_say():
    async with in_process_server(LONG) as context, context.caller() as caller:
        await caller.call()
        caller.send({"type": "text", "text": "Good morning"})
        await caller.wait_for("caption", role="caller", text="Good morning", final=True)
        await caller.until(lambda: caller.loudness() > LOUD)
        caller.send({"type": "interrupt"})
        trace = await caller.wait_for("trace")
        assert 0 < trace["interrupted_at_ms"] < 12_000
        await caller.until(lambda: caller.loudness() < LOUD)
        caller.send({"type": "persona", "name": "rose"})
        await caller.wait_for("persona", name="rose")
        caller.send({"type": "ping", "t": 41.5})
        await caller.wait_for("pong", t=41.5)


async def test_bad_messages_get_a_notice_and_the_call_lives_on():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        bad = ["{", b"\x00\x01", "x" * 20_000, {"type": "fly"}, {"type": "text", "text": "  "}]
        bad += [{"type": "persona", "name": "nobody"}, {"type": "text", "text": "x" * 2001}]
        for number, message in enumerate(bad, start=1):
            caller.send(message)
            await caller.until(lambda number=number: caller.count("notice") == number)
            notice = caller.last("notice")
            assert notice["code"] == "bad_input"
            assert "expected" in notice["text"]
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")


async def test_a_flood_of_messages_is_cut_off_and_the_call_lives_on():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        for number in range(500):
            caller.send({"type": "ping", "t": number})
        await caller.wait_for("notice", code="rate")
        assert caller.count("pong") < 100
        assert caller.count("notice") < 5  # told, but not in a flood of its own
        await asyncio.sleep(1.5)  # the flood is over: the budget fills again
        caller.send({"type": "ping", "t": -1})
        await caller.wait_for("pong", t=-1.0)


async def test_texts_that_are_typed_without_end_are_held_up_and_the_call_lives_on():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        for number in range(30):
            caller.send({"type": "text", "text": f"number {number}"})
        caller.send({"type": "ping", "t": 1.5})
        await caller.wait_for("pong", t=1.5)
        assert caller.count("notice") >= 20
        assert caller.last("notice")["code"] == "rate"
        assert caller.last("notice")["text"] == (
            "that was too much text at once and was not read; please send it again in a few seconds"
        )


async def test_a_text_of_four_hundred_characters_is_one_text():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        for _ in range(TEXT_BURST):
            caller.send({"type": "text", "text": "a" * TEXT_CHARS})
        caller.send({"type": "ping", "t": 1.5})
        await caller.wait_for("pong", t=1.5)
        assert caller.count("notice") == 0


async def test_people_who_are_changed_without_end_are_held_up_and_the_call_lives_on():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        for number in range(30):
            caller.send({"type": "persona", "name": ("rose", "leo")[number % 2]})
        caller.send({"type": "ping", "t": 1.5})
        await caller.wait_for("pong", t=1.5)
        assert caller.count("persona") <= 12
        assert caller.last("notice")["text"] == "at most 30 people a minute, please"
        await asyncio.sleep(2.2)  # the next may come
        caller.send({"type": "persona", "name": "rose"})
        await caller.wait_for("persona", name="rose")
        caller.send({"type": "persona", "name": "nobody"})
        caller.send({"type": "persona", "name": "nobody"})
        await caller.until(lambda: caller.last("notice")["code"] == "rate")


async def test_two_callers_do_not_hear_or_read_each_other():
    async with (
        in_process_server(LONG) as context,
        context.caller() as one,
        context.caller() as other,
    ):
        await one.call("tom")
        await other.call("mei")
        one.send({"type": "text", "text": "my secret"})
        await one.until(lambda: one.loudness() > LOUD)
        heard = len(other.sound)
        await other.until(lambda: len(other.sound) > heard + 25)
        assert other.loudness(0.5) < 0.001
        assert "secret" not in str(other.messages)
        assert {m["state"] for m in other.messages if m["type"] == "state"} == {"listening"}
        assert (one.last("hello")["persona"], other.last("hello")["persona"]) == ("tom", "mei")
        one.send({"type": "hang_up"})
        await one.wait_for("bye", reason="hang_up")
        other.send({"type": "ping", "t": 1})
        await other.wait_for("pong")


async def test_what_is_free_goes_back_when_the_last_caller_has_gone_and_not_before(monkeypatch):
    loop, given_back = asyncio.get_running_loop(), asyncio.Event()
    monkeypatch.setattr(
        "rt_avatar.signaling.registry.give_back",
        lambda: loop.call_soon_threadsafe(given_back.set),
    )
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await one.call()
        await other.call()
        one.send({"type": "hang_up"})
        await one.wait_for("bye")
        other.send({"type": "ping", "t": 1})
        await other.wait_for("pong")
        assert not given_back.is_set()
        other.send({"type": "hang_up"})
        await other.wait_for("bye")
        async with asyncio.timeout(10):
            await given_back.wait()
        assert context.registry.sessions == 0


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps what lies between")
async def test_what_is_free_between_blocks_in_use_goes_back_while_a_server_serves(monkeypatch):
    monkeypatch.setattr("rt_avatar.memory.TRIM_EVERY_S", 0.05)
    process = psutil.Process()
    async with in_process_server():
        blocks = [b"x" * 100_000 for _ in range(480)]
        full = process.memory_info().rss
        del blocks[::2]  # 23 MiB, each between two others
        for _ in range(1000):  # nothing tells when
            if full - process.memory_info().rss >= 20 << 20:
                return
            await asyncio.sleep(0.01)
        pytest.fail(f"of {full >> 20} MiB {process.memory_info().rss >> 20} are kept")


async def test_one_caller_too_many_is_told_and_gets_in_when_a_line_is_free():
    async with in_process_server(max_sessions=1) as context:
        async with context.caller() as first, context.caller() as second:
            await first.call()
            async with context.http.post(f"{context.url}/api/sessions") as response:
                assert response.status == 503
                assert int(response.headers["Retry-After"]) > 0
                error = (await response.json())["error"]
                assert error["reason"] == "full"
                assert not names_settings(error["text"])
            first.send({"type": "hang_up"})
            await first.wait_for("bye")
            await context.registry.idle()
            await second.call()
        assert await context.metric('rt_avatar_rejected_total{reason="full"}') == 1


async def test_a_lost_caller_comes_back_to_the_same_conversation():
    async with in_process_server(LONG) as context, context.caller() as caller:
        await caller.call("sam")
        caller.send({"type": "text", "text": "Tell me a story"})
        await caller.until(lambda: caller.loudness() > LOUD)
        await caller.drop()
        sounds = len(caller.sound)
        await caller.connect()
        hello = caller.last("hello")
        assert hello["resumed"]
        assert hello["persona"] == "sam"
        # The reply that was being spoken goes on.
        await caller.until(lambda: len(caller.sound) > sounds + 25 and caller.loudness() > LOUD)
        assert context.registry.sessions == 1
        assert await context.metric("rt_avatar_sessions_started_total") == 1
        assert await context.metric("rt_avatar_reconnects_total") == 1


async def test_a_new_offer_replaces_a_connection_that_is_still_up():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        old = caller.pc
        await caller.connect()
        await caller.until(lambda: old.connectionState == "closed")
        sounds = len(caller.sound)
        await caller.until(lambda: len(caller.sound) > sounds + 25)


async def test_nobody_waits_for_ever_for_a_caller_who_is_gone():
    async with in_process_server(reconnect_s=0.3) as context, context.caller() as caller:
        await caller.call()
        await caller.drop()
        async with asyncio.timeout(10):
            await context.registry.idle()
        assert (await caller.offer(await caller.make_offer()))[1]["error"]["reason"] == "ended"
        assert await context.metric('rt_avatar_sessions_ended_total{reason="lost"}') == 1


async def test_delete_ends_a_call_once():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        assert await caller.delete() == 204
        await caller.wait_for("bye", reason="hang_up")
        async with asyncio.timeout(10):
            await context.registry.idle()
        assert await caller.delete() == 404


async def test_a_call_survives_a_line_that_loses_and_reorders():
    async with (
        in_process_server(LONG, heard=("can you hear me",)) as context,
        context.caller() as caller,
    ):
        await caller.call()
        impair(caller, loss=0.1, jitter_s=0.1)
        caller.microphone.play(voice(1.5))
        await caller.wait_for("caption", role="caller", final=True, timeout_s=30)
        await caller.until(lambda: caller.loudness() > LOUD, timeout_s=30)
        sounds, pictures = len(caller.sound), caller.pictures
        await caller.until(
            lambda: len(caller.sound) > sounds + 100 and caller.pictures > pictures + 20, 30
        )
        caller.send({"type": "interrupt"})
        await caller.wait_for("trace", timeout_s=30)
        assert context.registry.sessions == 1
        assert await context.metric("rt_avatar_mic_lost_blocks_total") > 0


async def test_a_busy_machine_takes_the_first_caller_and_no_second():
    async with in_process_server(max_load=0.5) as context, context.caller() as caller:
        for _ in range(50):
            context.registry.load_meter.note_cpu(1.0)
        await caller.call()
        async with context.http.post(f"{context.url}/api/sessions") as response:
            assert response.status == 503
            assert (await response.json())["error"]["reason"] == "overloaded"
        for _ in range(50):
            context.registry.load_meter.note_cpu(0.0)
        async with context.http.post(f"{context.url}/api/sessions") as response:
            assert response.status == 201


async def test_a_busy_machine_takes_no_caller_where_other_workers_have_calls():
    async with in_process_server(max_load=0.5) as context:
        for _ in range(50):
            context.registry.load_meter.note_cpu(1.0)
        context.registry.calls_elsewhere = lambda: 3
        async with context.http.post(f"{context.url}/api/sessions") as response:
            assert response.status == 503
            assert (await response.json())["error"]["reason"] == "overloaded"


async def test_a_hundred_offers_that_never_connect_do_not_disturb_a_call():
    async with (
        in_process_server(LONG, max_sessions=8) as context,
        context.caller() as caller,
        context.caller() as knocker,
    ):
        await caller.call()
        caller.send({"type": "text", "text": "Talk to me"})
        await caller.until(lambda: caller.loudness() > 0.05)
        sdp = await knocker.make_offer()
        signed = [context.ticket() for _ in range(100)]
        begun_at_s, blocks = caller.sound_at_s[-1], len(caller.sound)

        async def knock(session: str, token: str) -> str:
            async with context.http.post(
                f"{context.url}/api/sessions/{session}/offer",
                json={"type": "offer", "sdp": sdp},
                headers={"Authorization": f"Bearer {token}"},
            ) as response:
                return "answer" if response.status == 200 else (await asked(response))[1]

        outcomes = await asyncio.gather(*(knock(*ticket) for ticket in signed))
        assert outcomes.count("answer") == MAX_HALF_OPEN_PER_ADDRESS
        assert set(outcomes) <= {"answer", "too_many_offers", "rate"}
        assert context.registry.sessions == 1 + MAX_HALF_OPEN_PER_ADDRESS
        await caller.until(lambda: len(caller.sound) > blocks + 100)
        pace = (len(caller.sound) - blocks) * 0.02 / (caller.sound_at_s[-1] - begun_at_s)
        assert pace > 0.8  # the sound kept coming while they knocked
