"""A dispatch is a standing order: whoever looks makes it anew when its avatar is missing."""

import asyncio
import logging
from contextlib import asynccontextmanager, nullcontext
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from livekit import api

from rt_avatar.config.server_settings import LiveKitSettings
from rt_avatar.signaling.livekit import dispatches
from rt_avatar.signaling.livekit.dispatches import (
    LOOK_REQUESTS,
    MAKE_S,
    MAX_TAKEOVERS,
    MISSING_LOOKS,
    WATCH_S,
    Dispatches,
    check_keys,
    hand_over,
)
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

PERSON, AGENT = 0, 4
SETTINGS = LiveKitSettings("ws://rooms.example", "key", "secret", "face")


class ScriptedServer:
    """Stands for a LiveKit server with rooms that are all alike."""

    def __init__(self, metadata="", *, agent_name="face", jobs=(), rooms=("room",)):
        self.rooms, self.asked = rooms, []
        self.people = {"caller": SimpleNamespace(identity="caller", kind=PERSON, attributes={})}
        self.dispatch_list = [
            SimpleNamespace(
                id="AD_1",
                agent_name=agent_name,
                metadata=metadata,
                state=SimpleNamespace(jobs=list(jobs)),
            )
        ]
        self.deleted, self.created, self.notices = [], [], []
        self.room = self.agent_dispatch = self
        self.is_late = False
        self.failures = 0  # of the next orders

    def join(self, dispatch_id):
        self.people["avatar"] = SimpleNamespace(
            identity="avatar", kind=AGENT, attributes={"rt_avatar.dispatch": dispatch_id}
        )

    async def list_rooms(self, request):
        self.asked.append("rooms")
        agents = sum(one.kind == AGENT for one in self.people.values())
        counts = {"num_participants": len(self.people) - agents, "num_publishers": agents}
        return SimpleNamespace(
            rooms=[
                SimpleNamespace(name=name, sid=f"RM_{name}", **counts)
                for name in self.rooms
                if not request.names or name in request.names
            ]
        )

    async def list_dispatch(self, room):
        self.asked.append(room)
        return self.dispatch_list

    async def list_participants(self, request):
        self.asked.append(request.room)
        return SimpleNamespace(participants=list(self.people.values()))

    async def delete_dispatch(self, dispatch_id, _room):
        if self.is_late:
            raise api.TwirpError("not_found", "another worker was faster", status=404)
        self.deleted.append(dispatch_id)
        self.dispatch_list = []

    async def create_dispatch(self, request):
        if self.failures:
            self.failures -= 1
            raise aiohttp.ServerDisconnectedError
        self.created.append((request.agent_name, request.room, request.metadata))

    async def send_data(self, request):
        self.notices.append(request.data.decode())


async def look(server, times, serves=lambda _id: False, watch=None):
    watch = watch or Dispatches(SETTINGS)
    for _ in range(times):
        await watch.look(server, serves)
    return watch


@pytest.fixture(autouse=True)
def _every_look_goes_into_all_rooms(request, monkeypatch):
    if "paced" not in request.fixturenames:
        monkeypatch.setattr(dispatches, "WATCH_S", 0.0)


@pytest.fixture
def paced():
    """The pauses of life, in virtual time."""


async def looks(server, seconds, watch=None):
    watch = watch or Dispatches(SETTINGS)
    for _ in range(round(seconds / WATCH_S)):
        await watch.look(server, lambda _id: False)
        await asyncio.sleep(WATCH_S)
    return watch


def test_rooms_in_which_nothing_changes_cost_next_to_nothing(paced):
    async def main(_loop):
        server = ScriptedServer(rooms=[f"room {number}" for number in range(20)])
        server.join("AD_1")
        watch = await looks(server, 300)
        server.asked.clear()
        await looks(server, 600, watch)
        into = [one for one in server.asked if one != "rooms"]
        assert len(into) / 600 < 20 * 2 / 90  # each about every two minutes
        assert set(into) == set(server.rooms)  # but none is forgotten

    run_virtual(main)


def test_a_room_that_changes_is_looked_into_at_the_next_look(paced):
    async def main(_loop):
        server = ScriptedServer()
        server.join("AD_1")
        watch = await looks(server, 600)
        del server.people["avatar"]
        await looks(server, MISSING_LOOKS * WATCH_S, watch)
        assert server.created == [("face", "room", '{"takeovers":1}')]

    run_virtual(main)


def test_many_rooms_at_once_are_looked_into_one_after_the_other(paced):
    async def main(_loop):
        server = ScriptedServer(rooms=[f"room {number}" for number in range(100)])
        server.join("AD_1")
        watch = await looks(server, WATCH_S)
        assert len(server.asked) <= LOOK_REQUESTS + 1
        await looks(server, 100, watch)
        assert set(server.asked) == {"rooms", *server.rooms}

    run_virtual(main)


def test_a_worker_with_room_again_looks_into_all_rooms(paced, monkeypatch):
    async def main(_loop):
        server, has_room = ScriptedServer(agent_name="another"), [True]
        monkeypatch.setattr(dispatches, "open_api", lambda _settings: nullcontext(server))
        watch = Dispatches(SETTINGS)
        async with asyncio.TaskGroup() as group:
            running = group.create_task(watch.run(lambda: has_room[0], lambda _id: False))
            await asyncio.sleep(600)
            has_room[0] = False
            await asyncio.sleep(2 * WATCH_S)
            server.asked.clear()
            has_room[0] = True
            await asyncio.sleep(2 * WATCH_S)
            assert "room" in server.asked
            running.cancel()

    run_virtual(main)


async def test_an_order_that_nobody_had_room_for_is_made_anew_unchanged():
    server = ScriptedServer('{"persona": "leo"}')
    await look(server, MISSING_LOOKS)
    assert server.deleted == ["AD_1"]
    assert server.created == [("face", "room", '{"persona":"leo"}')]


async def test_an_avatar_that_is_still_joining_gets_time():
    server = ScriptedServer(jobs=["job"])
    watch = await look(server, MISSING_LOOKS - 1)
    server.join("AD_1")
    await look(server, MISSING_LOOKS, watch=watch)
    assert not server.deleted


async def test_an_avatar_that_was_there_and_is_gone_has_died():
    server = ScriptedServer()
    server.join("AD_1")
    watch = await look(server, 1)
    del server.people["avatar"]
    await look(server, MISSING_LOOKS, watch=watch)
    assert server.created == [("face", "room", '{"takeovers":1}')]


async def test_an_order_that_brings_worker_after_worker_down_is_given_up():
    server = ScriptedServer(f'{{"takeovers": {MAX_TAKEOVERS}}}', jobs=["job"])
    await look(server, MISSING_LOOKS)
    assert server.deleted == ["AD_1"]
    assert not server.created
    assert "internal" in server.notices[0]


async def test_an_order_nobody_can_read_is_made_anew_so_that_a_worker_refuses_it():
    server = ScriptedServer("nonsense", jobs=["job"])
    await look(server, MISSING_LOOKS)
    assert server.created == [("face", "room", "nonsense")]


async def test_only_one_worker_takes_an_order_over():
    server = ScriptedServer()
    server.is_late = True
    await look(server, MISSING_LOOKS)
    assert not server.created


# --- orders that cannot be made anew at once ------------------------------------------------------
ORDER = ("face", "room", '{"persona":"leo"}')


def test_a_room_that_is_handed_over_keeps_its_order_when_making_it_fails_once(monkeypatch):
    async def main(_loop):
        server = ScriptedServer()
        server.failures = 1
        monkeypatch.setattr(dispatches, "open_api", lambda _settings: nullcontext(server))
        await hand_over(SETTINGS, "room", "AD_1", ORDER[2])
        assert server.created == [ORDER]

    run_virtual(main)


def test_an_order_whose_making_was_not_answered_is_not_made_twice(monkeypatch):
    async def main(_loop):
        server = ScriptedServer()

        async def make_unheard(request):
            await ScriptedServer.create_dispatch(server, request)
            server.dispatch_list = [request]
            raise TimeoutError

        server.create_dispatch = make_unheard
        monkeypatch.setattr(dispatches, "open_api", lambda _settings: nullcontext(server))
        await hand_over(SETTINGS, "room", "AD_1", ORDER[2])
        assert server.created == [ORDER]

    run_virtual(main)


@asynccontextmanager
async def watching(server, monkeypatch, has_room=lambda: True):
    monkeypatch.setattr(dispatches, "open_api", lambda _settings: nullcontext(server))
    running = asyncio.ensure_future(Dispatches(SETTINGS).run(has_room, lambda _id: False))
    yield
    running.cancel()
    await asyncio.wait({running})


def test_an_order_that_cannot_be_made_for_long_is_made_when_it_can_also_by_a_full_worker(
    paced, monkeypatch
):
    async def main(_loop):
        server = ScriptedServer(ORDER[2])
        server.failures = 1000
        async with watching(server, monkeypatch, has_room=lambda: not server.deleted):
            await asyncio.sleep(3 * MAKE_S)
            assert server.deleted == ["AD_1"]
            assert not server.created
            server.failures = 0
            await asyncio.sleep(3 * MAKE_S)
        assert server.created == [ORDER]

    run_virtual(main)


async def list_dispatch_nowhere(_room):
    raise api.TwirpError("unavailable", "no response from servers", status=503)


def test_an_order_of_a_room_that_is_there_is_kept_while_the_server_does_not_answer(
    paced, monkeypatch
):
    async def main(_loop):
        server = ScriptedServer(ORDER[2])
        server.failures = 1000
        async with watching(server, monkeypatch):
            await asyncio.sleep(3 * MAKE_S)
            assert server.deleted == ["AD_1"]
            server.list_dispatch = list_dispatch_nowhere
            await asyncio.sleep(MAKE_S)
            server.failures = 0
            del server.list_dispatch
            await asyncio.sleep(3 * MAKE_S)
        assert server.created == [ORDER]

    run_virtual(main)


def test_orders_that_cannot_be_made_for_long_do_not_keep_the_watch_from_the_other_rooms(
    paced, monkeypatch
):
    async def main(_loop):
        server = ScriptedServer(rooms=[f"room {number}" for number in range(5)])
        server.failures = 1_000_000
        orders = dict.fromkeys(server.rooms, server.dispatch_list)

        async def list_dispatch(room):
            return orders[room]

        async def delete_dispatch(_id, room):
            orders[room] = []

        server.list_dispatch, server.delete_dispatch = list_dispatch, delete_dispatch
        async with watching(server, monkeypatch):
            await asyncio.sleep(20 * MAKE_S)
            assert not any(orders.values())
            server.asked.clear()
            await asyncio.sleep(10 * WATCH_S)
        assert server.asked.count("rooms") >= 5

    run_virtual(main)


def test_an_order_of_a_room_that_is_gone_is_given_up(paced, monkeypatch):
    async def main(_loop):
        server = ScriptedServer(ORDER[2])
        server.failures = 1000

        async with watching(server, monkeypatch):
            await asyncio.sleep(3 * MAKE_S)
            assert server.deleted == ["AD_1"]
            server.list_dispatch, server.rooms = list_dispatch_nowhere, ()
            await asyncio.sleep(MAKE_S)
            server.failures = 0
            del server.list_dispatch
            server.rooms = ("room",)
            await asyncio.sleep(3 * MAKE_S)
        assert not server.created

    run_virtual(main)


async def test_a_worker_that_closes_makes_what_it_has_deleted():
    server, deleted, may_make = ScriptedServer(ORDER[2]), asyncio.Event(), asyncio.Event()

    async def make_late(request):
        deleted.set()
        await may_make.wait()
        await ScriptedServer.create_dispatch(server, request)

    server.create_dispatch = make_late
    looking = asyncio.ensure_future(look(server, MISSING_LOOKS))
    await deleted.wait()
    looking.cancel()
    asyncio.get_running_loop().call_soon(may_make.set)
    with pytest.raises(asyncio.CancelledError):
        await looking
    assert server.created == [ORDER]


@pytest.mark.parametrize(
    ("metadata", "agent_name"),
    [
        ("", "another"),
        ('{"caller": "somebody else"}', "face"),
        ('{"avatar_of": "an agent"}', "face"),
    ],
)
async def test_what_is_not_ours_or_not_waited_for_is_left_alone(metadata, agent_name):
    server = ScriptedServer(metadata, agent_name=agent_name)
    await look(server, 2 * MISSING_LOOKS)
    assert not server.deleted


async def test_a_room_without_people_and_our_own_rooms_are_left_alone():
    server = ScriptedServer()
    await look(server, 2 * MISSING_LOOKS, serves=lambda dispatch_id: dispatch_id == "AD_1")
    server.people = {}
    await look(server, 2 * MISSING_LOOKS)
    assert not server.deleted


async def test_a_page_in_the_servers_place_ends_no_worker(caplog):
    """A proxy before a server that is away may answer "back soon" with status 200."""
    asked = asyncio.Semaphore(0)

    async def page(_request):
        asked.release()
        return web.Response(text="<!doctype html><p>Back soon", content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"ws://127.0.0.1:{runner.addresses[0][1]}"
    settings = LiveKitSettings(url, "key", "a secret of 32 bytes or more, of nobody")
    with caplog.at_level(logging.WARNING):
        await check_keys(settings)
    assert f"{url} answers, but not as a LiveKit server does" in caplog.text
    watching = asyncio.ensure_future(Dispatches(settings).run(lambda: True, lambda _id: False))
    async with asyncio.timeout(60):
        for _ in range(3):  # the check's, and two looks
            await asked.acquire()
    assert not watching.done()
    watching.cancel()
    await runner.cleanup()
