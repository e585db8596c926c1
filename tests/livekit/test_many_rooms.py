"""Room beside room in one worker, each ended in another way: nothing is left behind."""

import asyncio
import gc
import threading

import pytest
from livekit import api
from livekit.rtc._ffi_client import FfiClient, _live_handles

from rt_avatar.session import Session
from rt_avatar.signaling.livekit.names import RPC_HANG_UP
from rt_avatar.signaling.livekit.worker import IDLE_THREADS
from tests.livekit.rooms import Caller
from tests.livekit.workers import RunningWorker, avatar_in, notices, running_worker

pytestmark = pytest.mark.realtime


async def hang_up(_worker: RunningWorker, caller: Caller, avatar: str) -> None:
    await caller.room.local_participant.perform_rpc(
        destination_identity=avatar, method=RPC_HANG_UP, payload=""
    )


async def throw_out(worker: RunningWorker, caller: Caller, avatar: str) -> None:
    await worker.remove(caller.room.name, avatar)


async def call_off(worker: RunningWorker, caller: Caller, _avatar: str) -> None:
    """The dispatch is deleted; some seconds later the server tells the worker, which says bye."""
    (dispatch,) = await worker.dispatches(caller.room.name)
    await worker.delete(caller.room.name, dispatch.id)
    await caller.until(lambda: bool(notices(caller, "bye")))
    assert [one["reason"] for one in notices(caller, "bye")] == ["dismissed"]


async def delete_room(worker: RunningWorker, caller: Caller, _avatar: str) -> None:
    server = worker.livekit
    async with api.LiveKitAPI(server.url, server.api_key, server.api_secret) as client:
        await client.room.delete_room(api.DeleteRoomRequest(room=caller.room.name))


def is_alone(caller: Caller) -> bool:
    return not caller.room.remote_participants or "disconnected" in caller.states


def held() -> dict[str, int]:
    """Return how much of what a call needs there is in this process."""
    gc.collect()
    return {
        "sessions": sum(isinstance(one, Session) for one in gc.get_objects()),
        "native handles": len(_live_handles),
        "subscriptions": len(FfiClient.instance.queue._subscribers),
        "job threads": [one.name for one in threading.enumerate()].count("job_thread_runner"),
    }


async def live_through(worker: RunningWorker, room: str, end) -> None:
    """A call from its beginning to an end that its avatar sees, too."""
    async with Caller(worker.livekit, room) as caller:
        await caller.publish_microphone()
        await worker.dispatch(room)
        avatar = await avatar_in(caller)
        await caller.wait_for_picture(avatar)
        await end(worker, caller, avatar)
        await caller.until(lambda: is_alone(caller))


async def test_rooms_leave_nothing_behind_however_they_end(livekit, room_name):
    async with running_worker(livekit) as worker:
        async with Caller(livekit, room_name) as caller:  # without an avatar
            await caller.publish_microphone()
        del caller
        # Jobs' threads are made ahead, so many wait for the next room.
        wanted = held() | {"job threads": IDLE_THREADS}
        # Callers and avatars share this process, whose library hands every event to every waiter:
        # with eight in it nothing is said for seconds, and the server throws out who is that late.
        for ends in ((hang_up, throw_out), (call_off, delete_room)):
            async with asyncio.TaskGroup() as group:
                for end in ends:
                    group.create_task(live_through(worker, f"{room_name}-{end.__name__}", end))
        await live_through(worker, f"{room_name}-again", hang_up)
        # The last job's thread is putting its things away; nothing tells when it is done.
        async with asyncio.timeout(20):
            while held() != wanted:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
