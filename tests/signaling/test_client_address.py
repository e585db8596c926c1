"""Whom limits are counted for: behind proxies, with and without lies in headers."""

import pytest

from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError
from rt_avatar.signaling.client_address import client_key, forwarded_for
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
