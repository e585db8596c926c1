"""A call whose reasoner, voice and face are networks of the official kinds: WebRTC and LiveKit.

Few numbers and random weights: that it is heard, seen and told in its own space counts.
"""

import logging
from dataclasses import replace

import aiohttp
import numpy as np
import pytest

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.server import running_server
from rt_avatar.config.network_settings import NetworkSettings
from rt_avatar.config.settings import AvatarSettings, Settings, TtsSettings
from rt_avatar.engines.motion.space import BFM64
from rt_avatar.services.network import load_network
from tests.calls.test_network_call import words_of
from tests.calls.test_voice_call import audible_after
from tests.conftest import BUSY
from tests.livekit.rooms import Caller as RoomCaller
from tests.livekit.server import LiveKitServer
from tests.livekit.workers import avatar_in, worker_process

pytestmark = pytest.mark.networks


def official(small_export) -> tuple[str, ...]:
    """The flags of the full profile."""
    return (
        *("--llm.kind", "empatheia", "--tts.kind", "empatheia", "--avatar.face", "empatheia"),
        *("--network.folder", str(small_export[0]), "--network.size", "empatheia"),
        *("--avatar.greeting", "false"),
    )


async def test_a_caller_by_webrtc_hears_and_sees_the_official_kinds(small_export):
    with running_server(*BUSY, *official(small_export)) as server:
        async with aiohttp.ClientSession() as http, Caller(server.address, http) as caller:
            await caller.call()
            await caller.until(lambda: caller.picture is not None)
            silent = caller.picture.copy()
            caller.send({"type": "text", "text": "I lost my job."})
            await caller.until(lambda: len(audible_after(caller, 0.0)) * 0.02 > 0.5, timeout_s=60)
            await caller.until(lambda: bool(words_of(caller)), timeout_s=60)
            await caller.until(lambda: bool((caller.picture != silent).any()))
            caller.send({"type": "interrupt"})  # random words may go on for minutes
            trace = await caller.wait_for("trace", turn=1)
        log = server.log.read_text()
    assert trace["interrupted_at_ms"] is not None
    assert "no gaze and no blinks of its own" in log
    assert "Traceback" not in log


async def test_a_room_hears_and_sees_them_and_reads_motion_that_names_its_space(small_export):
    with LiveKitServer() as livekit, worker_process(livekit, *official(small_export)) as worker:
        async with RoomCaller(livekit, "official") as caller:
            await worker.dispatch("official")
            avatar = await avatar_in(caller, timeout_s=60)
            await caller.wait_for_picture(avatar)
            await caller.type("I lost my job.")
            await caller.wait_for_sound(avatar, timeout_s=60)
            from_row = len(caller.rows)
            await caller.until(lambda: len(caller.rows) > from_row + 25)
    assert caller.motion_headers[0]["space"] == "bfm64"
    assert caller.motion_headers[0]["names"].split(",") == list(BFM64.channels)
    rows = np.stack([row for _, row in caller.rows])
    assert np.isfinite(rows).all()
    assert (rows[:, :64].std(axis=0) > 0).all()  # all 64 live: none is ARKit's reserve
    assert (rows[:, 70] == np.float32(0.9370641)).all()  # the crop's scale of the portrait


def test_a_head_that_does_not_fit_the_network_is_refused_when_it_is_loaded(
    small_export, tmp_path, caplog
):
    caplog.set_level(logging.WARNING)
    path = tmp_path / "pose.npy"
    np.save(path, np.ones((30, 9), np.float32))
    network = NetworkSettings(folder=str(small_export[0]), size="empatheia", pose_file=str(path))
    settings = Settings(
        tts=TtsSettings(kind="empatheia"), avatar=AvatarSettings(face="empatheia"), network=network
    )
    loaded = load_network(settings)
    assert loaded.pose_template.shape == (30, 9)
    assert "no gaze and no blinks" in caplog.text
    np.save(path, np.ones((30, 8), np.float32))
    with pytest.raises(Exception, match=r"pose.npy: expected \(frames, 9\) numbers"):
        load_network(replace(settings, network=network))
