"""A dispatch is a standing order: whoever looks makes it anew when its avatar is missing."""

from types import SimpleNamespace

import pytest
from livekit import api

from rt_avatar.config.settings import LiveKitSettings
from signaling.livekit.dispatches import MAX_TAKEOVERS, MISSING_LOOKS, Dispatches

pytestmark = pytest.mark.unit

PERSON, AGENT = 0, 4
SETTINGS = LiveKitSettings("ws://rooms.example", "key", "secret", "face")


class ScriptedServer:
    """Stands for a LiveKit server with one room."""

    def __init__(self, metadata="", *, agent_name="face", jobs=()):
        self.people = {"caller": SimpleNamespace(identity="caller", kind=PERSON, attributes={})}
        self.dispatch_list = [
            SimpleNamespace(
                id="AD_1",
                agent_name=agent_name,
                metadata=metadata,
                state=SimpleNamespace(jobs=list(jobs)),
            )
        ]
        self.deleted, self.created, self.told = [], [], []
        self.room = self.agent_dispatch = self
        self.is_late = False

    def join(self, dispatch_id):
        self.people["avatar"] = SimpleNamespace(
            identity="avatar", kind=AGENT, attributes={"rt_avatar.dispatch": dispatch_id}
        )

    async def list_rooms(self, _request):
        room = SimpleNamespace(name="room", num_participants=len(self.people))
        return SimpleNamespace(rooms=[room])

    async def list_dispatch(self, _room):
        return self.dispatch_list

    async def list_participants(self, _request):
        return SimpleNamespace(participants=list(self.people.values()))

    async def delete_dispatch(self, dispatch_id, _room):
        if self.is_late:
            raise api.TwirpError("not_found", "another worker was faster", status=404)
        self.deleted.append(dispatch_id)
        self.dispatch_list = []

    async def create_dispatch(self, request):
        self.created.append((request.agent_name, request.room, request.metadata))

    async def send_data(self, request):
        self.told.append(request.data.decode())


async def look(server, times, serves=lambda _id: False, watch=None):
    watch = watch or Dispatches(SETTINGS)
    for _ in range(times):
        await watch.look(server, serves)
    return watch


async def test_an_order_that_nobody_had_room_for_is_made_anew_unchanged():
    server = ScriptedServer('{"profile": "leo"}')
    await look(server, MISSING_LOOKS)
    assert server.deleted == ["AD_1"]
    assert server.created == [("face", "room", '{"profile":"leo"}')]


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
    assert "internal" in server.told[0]


async def test_an_order_nobody_can_read_is_made_anew_so_that_a_worker_refuses_it():
    server = ScriptedServer("nonsense", jobs=["job"])
    await look(server, MISSING_LOOKS)
    assert server.created == [("face", "room", "nonsense")]


async def test_only_one_worker_takes_an_order_over():
    server = ScriptedServer()
    server.is_late = True
    await look(server, MISSING_LOOKS)
    assert not server.created


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
