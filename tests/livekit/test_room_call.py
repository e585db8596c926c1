"""One person and the avatar in a real room: what is heard, seen, read and asked."""

import asyncio
import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.config.settings import AvatarSettings
from rt_avatar.signaling.livekit.names import RPC_HANG_UP, RPC_INTERRUPT, RPC_SET_PERSONA
from rt_avatar.turns.caller_commands import MAX_TEXT_CHARS
from tests.livekit.line import Line
from tests.livekit.rooms import Caller
from tests.livekit.workers import (
    LOUD,
    RunningWorker,
    avatar_in,
    notices,
    running_worker,
    worker_settings,
)

pytestmark = pytest.mark.realtime

LONG = " ".join(f"word{number}" for number in range(60))  # 18 s of the scripted voice


def states(caller: Caller) -> list[str]:
    told = (new["lk.agent.state"] for _, new in caller.attributes if "lk.agent.state" in new)
    return [state for state, _ in itertools.groupby(told)]


async def ask(caller: Caller, avatar: str, method: str, payload: str = "") -> str:
    return await caller.room.local_participant.perform_rpc(
        destination_identity=avatar, method=method, payload=payload
    )


async def test_a_dispatch_brings_the_avatar_which_greets_and_is_shown_by_stock_components(
    livekit, room_name
):
    settings = replace(worker_settings(livekit), avatar=AvatarSettings(persona="leo"))
    async with (
        running_worker(livekit, "I am NAME", settings=settings) as worker,
        Caller(livekit, room_name) as caller,
    ):
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.wait_for_picture(avatar)
        await caller.wait_for_sound(avatar)
        await caller.until(lambda: any(one.is_final for one in caller.captions))
        await caller.until(lambda: states(caller)[-1:] == ["listening"])
        participant = caller.room.remote_participants[avatar]
        tracks = {one.name: one.source for one in participant.track_publications.values()}
        assert participant.kind == rtc.ParticipantKind.PARTICIPANT_KIND_AGENT
        assert participant.name == "Leo"
        assert participant.attributes["rt_avatar.persona"] == "leo"
    assert tracks == {
        "avatar_audio": rtc.TrackSource.SOURCE_MICROPHONE,
        "avatar_video": rtc.TrackSource.SOURCE_CAMERA,
    }
    assert states(caller) == ["listening", "thinking", "speaking", "listening"]
    (caption,) = caller.captions
    assert (caption.identity, caption.text) == (avatar, "I am Leo")
    assert caption.segment.startswith("SG_")
    assert json.loads(caption.attributes["lk.expression"]) == {"expression": "sad", "mood": "sad"}
    sounds = [one.sid for one in participant.track_publications.values() if one.kind == 1]
    assert [caption.attributes["lk.transcribed_track_id"]] == sounds


async def test_what_the_caller_says_is_shown_and_answered(livekit, room_name):
    async with (
        running_worker(livekit, heard=("good morning",)) as worker,
        Caller(livekit, room_name) as caller,
    ):
        microphone = await caller.publish_microphone()
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.until(lambda: states(caller) == ["listening"])
        await caller.speak(LOUD)
        await caller.until(lambda: any(one.is_final for one in caller.captions))
        await caller.wait_for_sound(avatar)
        await caller.until(lambda: caller.said(avatar) == ["Ava hears good morning."])
    assert caller.said("caller") == ["good morning"]
    own = [one for one in caller.captions if one.identity == "caller"]
    assert {one.segment for one in own} == {own[0].segment}
    assert own[-1].is_final
    assert own[-1].attributes["lk.transcribed_track_id"] == microphone.sid


async def test_typed_words_are_answered_but_only_the_callers_and_not_too_many(livekit, room_name):
    async with (
        running_worker(livekit) as worker,
        Caller(livekit, room_name) as caller,
        Caller(livekit, room_name, "neighbour") as neighbour,
    ):
        await worker.dispatch(room_name, caller="caller")
        avatar = await avatar_in(caller)
        await caller.until(lambda: states(caller) == ["listening"])
        await neighbour.type("me too")
        with pytest.raises(rtc.RpcError, match="expected 'caller'"):
            await ask(neighbour, avatar, RPC_INTERRUPT)
        await caller.type("x" * (3 * MAX_TEXT_CHARS))
        await caller.until(lambda: bool(notices(caller, "bad_input")))
        assert str(MAX_TEXT_CHARS) in notices(caller, "bad_input")[0]["text"]
        await caller.type("hello")
        await neighbour.until(lambda: neighbour.said(avatar) == ["Ava hears hello."])
        await neighbour.wait_for_sound(avatar)
    assert caller.said("caller") == ["hello"]


async def test_who_speaks_over_the_reply_stops_it_and_it_is_cut_where_it_was_heard(
    livekit, room_name
):
    async with (
        running_worker(livekit, LONG, "Sorry", heard=("stop please now",)) as worker,
        Caller(livekit, room_name) as caller,
    ):
        await caller.publish_microphone()
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.until(lambda: states(caller) == ["listening"])
        await caller.type("tell me")
        await caller.until(lambda: any("word5" in text for text in caller.said(avatar)))
        await caller.speak(LOUD)
        await caller.until(lambda: "Sorry" in caller.said(avatar)[-1])
    told = caller.said(avatar)[0]
    assert LONG.startswith(told)
    assert len(told) < len(LONG) / 2
    ends = [one for one in caller.captions if one.identity == avatar and one.is_final]
    assert ends[0].text == told


async def test_the_caller_can_interrupt_change_the_avatar_and_hang_up(livekit, room_name):
    async with (
        running_worker(livekit, LONG, "NAME here") as worker,
        Caller(livekit, room_name) as caller,
    ):
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.until(lambda: states(caller) == ["listening"])
        await caller.type("tell me")
        await caller.wait_for_sound(avatar)
        assert await ask(caller, avatar, RPC_INTERRUPT) == "ok"
        await caller.until(lambda: states(caller)[-1] == "listening")
        with pytest.raises(rtc.RpcError, match="expected one of ava"):
            await ask(caller, avatar, RPC_SET_PERSONA, "eve")
        assert await ask(caller, avatar, RPC_SET_PERSONA, "leo") == "ok"
        await caller.until(lambda: caller.said(avatar)[-1] == "Leo here")
        # The name comes by another way than the words.
        await caller.until(lambda: caller.room.remote_participants[avatar].name == "Leo")
        assert await ask(caller, avatar, RPC_HANG_UP) == "ok"
        await caller.until(lambda: not caller.room.remote_participants)
        await worker.until_dispatches(room_name, 0)
    assert [one["reason"] for one in notices(caller, "bye")] == ["hang_up"]


async def test_two_rooms_in_one_process_do_not_mix(livekit, room_name):
    other_name = f"{room_name}-other"
    async with (
        running_worker(livekit) as worker,
        Caller(livekit, room_name, "one") as one,
        Caller(livekit, other_name, "two") as two,
    ):
        await asyncio.gather(
            worker.dispatch(room_name, persona="ava"), worker.dispatch(other_name, persona="leo")
        )
        ava, leo = await avatar_in(one), await avatar_in(two)
        for caller in (one, two):
            await caller.until(lambda caller=caller: states(caller) == ["listening"])
        await asyncio.gather(one.type("I am one"), two.type("I am two"))
        await one.until(lambda: one.said(ava) == ["Ava hears I am one."])
        await two.until(lambda: two.said(leo) == ["Leo hears I am two."])
        assert set(one.room.remote_participants) == {ava}
        assert set(two.room.remote_participants) == {leo}
    assert {caption.identity for caption in one.captions} == {"one", ava}
    assert {caption.identity for caption in two.captions} == {"two", leo}
    own, foreign = loudness(one.sound(ava), 500), loudness(one.sound(ava), 1500)
    assert own > 1000 * foreign
    own, foreign = loudness(two.sound(leo), 1500), loudness(two.sound(leo), 500)
    assert own > 1000 * foreign


def loudness(pcm: np.ndarray, tone_hz: int) -> float:
    """Return the power of a tone in (samples,) at 48 kHz; 40 Hz of a spectrum around it."""
    power = np.abs(np.fft.rfft(pcm * np.hanning(pcm.size))) ** 2
    bin_hz = 48_000 / pcm.size
    return float(power[round((tone_hz - 20) / bin_hz) : round((tone_hz + 20) / bin_hz)].sum())


async def test_a_caller_who_vanishes_ends_the_call_with_a_clear_reason(livekit, room_name):
    async with (
        running_worker(livekit, reconnect_s=1.0) as worker,
        Caller(livekit, room_name, "witness") as witness,
    ):
        async with Caller(livekit, room_name) as caller:
            await worker.dispatch(room_name, caller="caller")
            await avatar_in(caller)
            await caller.until(lambda: states(caller) == ["listening"])
        await witness.until(lambda: bool(notices(witness, "bye")))
        await witness.until(lambda: not witness.room.remote_participants)
        await worker.until_dispatches(room_name, 0)
    (bye,) = notices(witness, "bye")
    assert bye["reason"] == "lost"
    assert "nobody came back" in bye["text"]


async def test_a_caller_who_comes_back_in_time_goes_on_with_the_same_conversation(
    livekit, room_name
):
    async with (
        running_worker(livekit, "NAME hears HEARD.", "Again HEARD.", reconnect_s=30.0) as worker,
        Caller(livekit, room_name, "witness") as witness,
    ):
        async with Caller(livekit, room_name) as caller:
            await worker.dispatch(room_name, caller="caller")
            avatar = await avatar_in(caller)
            await caller.until(lambda: states(caller) == ["listening"])
            await caller.type("first")
            await caller.until(lambda: caller.said(avatar) == ["Ava hears first."])
            await caller.until(lambda: states(caller).count("listening") == 2)  # it is all said
        await witness.until(lambda: "caller" not in witness.room.remote_participants)
        async with Caller(livekit, room_name) as caller:
            await caller.type("second")
            await caller.until(lambda: caller.said(avatar) == ["Again second."])
            await caller.wait_for_sound(avatar)
    assert not notices(witness, "bye")


async def test_a_network_that_is_away_for_three_seconds_does_not_end_the_conversation(
    livekit, room_name
):
    async with (
        running_worker(livekit, "NAME hears HEARD.", "Again HEARD.") as worker,
        asyncio.TaskGroup() as group,
    ):
        for how, resets in (("broken", True), ("silent", False)):
            group.create_task(go_on_after_a_cut(worker, f"{room_name}-{how}", resets=resets))


async def go_on_after_a_cut(worker: RunningWorker, room: str, *, resets: bool) -> None:
    async with Line(worker.livekit) as line, Caller(worker.livekit, room, url=line.url) as caller:
        await worker.dispatch(room)
        avatar = await avatar_in(caller)
        await caller.until(lambda: states(caller) == ["listening"])
        await caller.type("first")
        await caller.until(lambda: caller.said(avatar) == ["Ava hears first."])
        await line.cut_for(3.0, resets=resets)
        back_s = asyncio.get_running_loop().time()
        await caller.wait_for_picture(avatar, after_s=back_s)
        await caller.type("second")
        await caller.until(lambda: caller.said(avatar)[-1] == "Again second.", 30)
        await caller.wait_for_sound(avatar, after_s=back_s)
    assert not notices(caller, "bye")


async def test_a_caller_whose_network_was_away_sees_all_of_the_line_that_is_being_said(
    livekit, room_name
):
    said = " ".join(f"word{number}" for number in range(35))  # 10 s
    async with (
        running_worker(livekit, said) as worker,
        Line(livekit) as line,
        Caller(livekit, room_name, url=line.url) as caller,
    ):
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.until(lambda: states(caller) == ["listening"])
        await caller.type("first")
        await caller.until(lambda: "word2" in " ".join(caller.said(avatar)))
        await line.cut_for(2.0)
        await caller.until(lambda: caller.said(avatar) == [said], 30)
        await caller.until(lambda: caller.captions[-1].is_final)


async def test_the_avatar_waits_for_the_caller_whom_the_order_names(livekit, room_name):
    async with (
        running_worker(livekit) as worker,
        Caller(livekit, room_name, "neighbour") as neighbour,
    ):
        await worker.dispatch(room_name, caller="caller", identity="agent-face")
        await neighbour.wait_for_participant("agent-face")
        await neighbour.type("hello")
        async with Caller(livekit, room_name) as caller:
            assert not neighbour.room.remote_participants["agent-face"].track_publications
            await caller.until(lambda: states(caller) == ["listening"])
            await caller.type("good evening")
            await caller.until(lambda: bool(caller.said("agent-face")))
            await neighbour.wait_for_sound("agent-face")
            await neighbour.until(
                lambda: neighbour.said("agent-face") == ["Ava hears good evening."]
            )
