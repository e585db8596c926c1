"""Whom limits are counted for: behind proxies, with and without lies in headers."""

import asyncio
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError
from rt_avatar.signaling.client_address import client_key, forwarded_for
from rt_avatar.signaling.refusals import METRICS, STATUS, answer_errors
from rt_avatar.telemetry.metrics import Metrics
from tests.fakes.in_process_server import in_process_server

pytestmark = pytest.mark.network

PROXY = ("127.0.0.1",)


async def statuses(context, forwarded: list[str]) -> list[int]:
    """Ask for a session once for each value of X-Forwarded-For."""
    found = []
    for value in forwarded:
        headers = {"X-Forwarded-For": value}
        async with context.http.post(f"{context.url}/api/sessions", headers=headers) as response:
            found.append(response.status)
    return found


async def test_every_visitor_behind_a_trusted_proxy_has_a_budget_of_their_own():
    async with in_process_server(trusted_proxies=PROXY) as context:
        visitors = [f"203.0.113.{number}" for number in range(40)]
        assert await statuses(context, visitors) == [201] * 40
        assert 429 in await statuses(context, ["203.0.113.7"] * 40)


async def test_what_a_visitor_writes_into_the_header_themselves_does_not_help():
    async with in_process_server(trusted_proxies=PROXY) as context:
        lies = [f"9.9.9.{number}, 203.0.113.5" for number in range(40)]
        assert 429 in await statuses(context, lies)


async def test_a_header_of_an_untrusted_peer_does_not_help(caplog):
    async with in_process_server(trusted_proxies=("10.0.0.0/8",)) as context:
        assert 429 in await statuses(context, [f"203.0.113.{number}" for number in range(40)])
    assert caplog.text.count("server.trusted_proxies") == 1  # an operator may have forgotten it


async def test_a_visitor_with_a_whole_ipv6_network_counts_as_one():
    async with in_process_server(trusted_proxies=PROXY) as context:
        assert 429 in await statuses(context, [f"2001:db8:1:2::{n:x}" for n in range(40)])
        assert 429 not in await statuses(context, [f"2001:db8:1:{n:x}::1" for n in range(3, 40)])


async def test_a_header_that_holds_no_address_is_refused():
    async with in_process_server(trusted_proxies=PROXY) as context:
        assert await statuses(context, ["nonsense"]) == [400]


async def client_told(*lines: tuple[str, str]) -> str:
    """Return whom a request with these headers is from; "400" where it is refused."""

    async def tell(request: web.Request) -> web.Response:
        return web.Response(text=request.remote)

    trusted = forwarded_for((*PROXY, "10.0.0.0/8", "2001:db8:a::/48"))
    app = web.Application(middlewares=[answer_errors, trusted])
    app[METRICS] = Metrics()
    app.router.add_get("/", tell)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        async with aiohttp.ClientSession() as http, http.get(url, headers=lines) as response:
            return await response.text() if response.status == 200 else str(response.status)
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("values", "client"),
    [
        (["203.0.113.9"], "203.0.113.9"),
        (["unknown, 203.0.113.9"], "203.0.113.9"),  # the first is the client's own word
        (["9.9.9.9, 203.0.113.9, 10.0.0.1"], "203.0.113.9"),
        (["203.0.113.9", "10.1.1.1"], "203.0.113.9"),  # HAProxy adds a line
        (["9.9.9.9", "203.0.113.9"], "203.0.113.9"),
        (["203.0.113.9:4711"], "203.0.113.9"),  # Azure adds the port
        (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["[2001:db8::1]"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"),
        (["203.0.113.9, ::ffff:10.0.0.1"], "203.0.113.9"),  # a socket for both versions
        (["203.0.113.9, 2001:db8:a::1, 10.0.0.1:80"], "203.0.113.9"),
        (["::ffff:203.0.113.9"], "203.0.113.9"),
        (["10.0.0.7, 10.0.0.1"], "10.0.0.7"),  # all are proxies
        (["unknown"], "400"),
        (["203.0.113.9, unknown, 10.0.0.1"], "400"),
        (["203.0.113.9,"], "400"),
        ([""], "400"),
    ],
)
async def test_the_last_address_that_is_no_proxy_counts_however_proxies_write_it(values, client):
    assert await client_told(*[("X-Forwarded-For", value) for value in values]) == client


async def test_what_proxies_say_besides_the_address_does_not_matter():
    scheme = ("X-Forwarded-Proto", "https")
    assert await client_told(("X-Forwarded-For", "203.0.113.9"), scheme, scheme) == "203.0.113.9"


async def test_a_visitor_who_never_connects_holds_no_places_of_others():
    async with (
        in_process_server(trusted_proxies=PROXY, max_sessions=8) as context,
        context.caller() as caller,
    ):
        sdp = await caller.make_offer()

        async def offer(address: str) -> int:
            session, token = context.ticket()
            headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": address}
            async with context.http.post(
                f"{context.url}/api/sessions/{session}/offer",
                json={"type": "offer", "sdp": sdp},
                headers=headers,
            ) as response:
                return response.status

        knocker = [await offer("203.0.113.1") for _ in range(3)]
        assert knocker == [200, 200, 429]
        assert await offer("203.0.113.2") == 200


@asynccontextmanager
async def knocking(**server: object):
    """Serve; yield the server, and what offers a new call from an address and returns its id."""
    async with (
        in_process_server(trusted_proxies=PROXY, max_sessions=4, **server) as context,
        context.caller() as caller,
    ):
        sdp = await caller.make_offer()

        async def knock(address: str) -> str:
            session, token = context.ticket()
            headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": address}
            url = f"{context.url}/api/sessions/{session}/offer"
            body = {"type": "offer", "sdp": sdp}
            async with context.http.post(url, json=body, headers=headers) as response:
                told = await response.json()
                return session if response.status == 200 else told["error"]["reason"]

        yield context, knock


@pytest.fixture
def _slow_to_connect(monkeypatch):
    monkeypatch.setattr("rt_avatar.signaling.registry.MAX_HALF_OPEN_PER_ADDRESS", 100)


@pytest.mark.usefixtures("_slow_to_connect")
async def test_one_client_has_no_more_calls_than_the_operator_says():
    async with knocking(max_sessions_per_client=2) as (context, knock):
        first, _ = await knock("192.0.2.1"), await knock("192.0.2.1")
        assert await knock("192.0.2.1") == "too_many_calls"
        headers = {"X-Forwarded-For": "192.0.2.1"}
        async with context.http.post(f"{context.url}/api/sessions", headers=headers) as response:
            body = await response.json()  # who calls is told before the microphone is asked for
            assert (response.status, body["error"]["reason"]) == (429, "too_many_calls")
            assert int(response.headers["Retry-After"]) > 0
        assert await knock("192.0.2.2") not in STATUS
        context.registry.find(first).end("hang_up")
        async with asyncio.timeout(10):
            while context.registry.find(first):
                context.registry._has_changed.clear()
                await context.registry._has_changed.wait()
        assert await knock("192.0.2.1") not in STATUS
        assert await knock("192.0.2.3") not in STATUS
        assert await knock("192.0.2.4") == "full"


@pytest.mark.usefixtures("_slow_to_connect")
async def test_a_network_of_ipv6_is_one_client_for_calls_as_well():
    async with knocking(max_sessions_per_client=1) as (_, knock):
        assert await knock("2001:db8::1") not in STATUS
        assert await knock("2001:db8::2") == "too_many_calls"
        assert await knock("2001:db8:0:1::1") not in STATUS


@pytest.mark.usefixtures("_slow_to_connect")
async def test_callers_behind_one_router_may_take_all_lines_unless_the_operator_says_else():
    async with knocking() as (_, knock):
        for _ in range(4):
            assert await knock("192.0.2.1") not in STATUS
        assert await knock("192.0.2.1") == "full"


@pytest.mark.usefixtures("_slow_to_connect")
async def test_calls_at_other_processes_count_as_well():
    async with knocking(max_sessions_per_client=2) as (context, knock):
        context.registry.count_elsewhere = {"192.0.2.1": 1, "192.0.2.2": 2, "192.0.2.3": 0}.get
        assert await knock("192.0.2.1") not in STATUS
        assert await knock("192.0.2.1") == "too_many_calls"
        assert await knock("192.0.2.2") == "too_many_calls"
        assert await knock("192.0.2.3") not in STATUS


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("203.0.113.1", "203.0.113.1", True),
        ("203.0.113.1", "203.0.113.2", False),
        ("203.0.113.1", "::ffff:203.0.113.1", True),  # a socket for both versions
        ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("", "", True),  # no address: a Unix socket
    ],
)
def test_addresses_that_one_client_has_count_as_one(one, other, is_same):
    assert (client_key(one) == client_key(other)) == is_same


@pytest.mark.parametrize("proxy", ["everybody", "10.0.0.0/33", ""])
def test_a_proxy_that_is_no_address_stops_the_start(proxy):
    with pytest.raises(SetupError, match=r"server\.trusted_proxies: expected .* got"):
        forwarded_for((proxy,))


def test_a_network_may_be_given_by_any_of_its_addresses():
    forwarded_for(("10.1.2.3/8", "::1"))
    assert Settings().server.trusted_proxies == ()
