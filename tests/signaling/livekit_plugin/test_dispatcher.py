"""The order for an avatar is there as long as somebody wants it, whatever LiveKit answers."""

from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from livekit import api
from livekit.plugins.rt_avatar import dispatcher

from rt_avatar.signaling.livekit.job_metadata import JobMetadata

pytestmark = pytest.mark.unit


class Orders:
    """A LiveKit server's orders of one room.

    ``failing`` are the requests that go wrong once each; ``is_late``: only their answer is lost.
    """

    def __init__(self) -> None:
        self.there: dict[str, api.AgentDispatch] = {}
        self.made = 0
        self.failing: list[str] = []
        self.is_late = False

    async def answer(self, request: web.Request) -> web.Response:
        method, body = request.path.rpartition("/")[2], await request.read()
        is_failing = method in self.failing
        if is_failing:
            self.failing.remove(method)
        if is_failing and not self.is_late:
            return web.json_response({"code": "internal", "msg": "-"}, status=500)
        answer = self._do(method, body)
        if is_failing:
            return web.json_response({"code": "internal", "msg": "-"}, status=500)
        return answer

    def _do(self, method: str, body: bytes) -> web.Response:
        if method == "CreateDispatch":
            asked = api.CreateAgentDispatchRequest.FromString(body)
            self.made += 1
            answer = api.AgentDispatch(
                id=f"AD_{self.made}", agent_name=asked.agent_name, metadata=asked.metadata
            )
            self.there[answer.id] = answer
        elif method == "DeleteDispatch":
            gone = api.DeleteAgentDispatchRequest.FromString(body).dispatch_id
            if gone not in self.there:
                return web.json_response({"code": "not_found", "msg": "-"}, status=404)
            answer = self.there.pop(gone)
        else:
            answer = api.ListAgentDispatchResponse(agent_dispatches=self.there.values())
        return web.Response(body=answer.SerializeToString(), content_type="application/protobuf")


@asynccontextmanager
async def asked():
    """Yield a server's orders, and who has asked for an avatar there."""
    orders, app = Orders(), web.Application()
    app.router.add_post("/{path:.*}", orders.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"ws://127.0.0.1:{runner.addresses[0][1]}"
        one = dispatcher.Dispatcher(
            "room", "face", JobMetadata(avatar_of="agent"), url, "key", "secret" * 6
        )
        await one.ask()
        yield orders, one
    finally:
        await runner.cleanup()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(dispatcher, "AGAIN_S", 0.0)


@pytest.mark.parametrize("is_late", [False, True], ids=["not taken", "answer lost"])
async def test_a_lost_avatar_is_asked_for_until_there_is_one_order_for_it(is_late):
    async with asked() as (orders, one):
        orders.failing, orders.is_late = ["CreateDispatch"] * 3, is_late
        await one.ask_again()
        assert len(orders.there) == 1
        assert "AD_1" not in orders.there
        await one.cancel()
        assert not orders.there


async def test_an_order_that_could_not_be_renewed_is_still_ours_to_delete():
    async with asked() as (orders, one):
        orders.failing = ["DeleteDispatch"]
        await one.ask_again()
        assert list(orders.there) == ["AD_1"]
        await one.cancel()
        assert not orders.there


async def test_an_order_that_a_worker_has_renewed_is_not_made_twice():
    async with asked() as (orders, one):
        orders.there.clear()
        await one.ask_again()
        await one.ask_again()
        assert (orders.made, orders.there) == (1, {})
