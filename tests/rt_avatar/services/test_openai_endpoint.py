"""Connections to an endpoint: kept, warmed, one set an event loop; keys that cannot be are told."""

import asyncio
import threading
from contextlib import suppress

import pytest

from rt_avatar.errors import ReasonerError, SetupError
from rt_avatar.services import openai_endpoint
from rt_avatar.services.openai_endpoint import Endpoint, EndpointSettings, check_address
from tests.fakes.openai_server import OpenAiServer, Script, openai_server

pytestmark = pytest.mark.unit

KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a first connection takes longer than it is worth waiting for in a call."""
    monkeypatch.setattr(openai_endpoint, "_WARM_UP_S", 60.0)
    monkeypatch.setattr(openai_endpoint, "_FRESH_S", 60.0)


def settings_of(url: str, key: str = "") -> EndpointSettings:
    return EndpointSettings("llm", url, key, "m", 60.0, "words")


def endpoint(url: str, key: str = "") -> Endpoint:
    return Endpoint(settings_of(url, key), lambda message, retryable: ReasonerError(message))


async def ask(client: Endpoint) -> bytes:
    async with client.asking() as asking:
        answer = await asking.chat.completions.with_raw_response.create(model="m", messages=[])
        return answer.content


async def test_a_warm_connection_is_used_and_not_warmed_again():
    async with openai_server(Script(("a",)), Script(("b",))) as server:
        client = endpoint(server.url)
        await client.warm_up()
        for _ in range(2):
            await client.warm_up()
            await ask(client)
        await client.aclose()
        assert server.models_asked == 1
        assert len(server.peers) == 1


async def test_after_an_answer_that_was_left_unread_it_is_warmed_again():
    async with openai_server(Script(("a", "b"), hold=asyncio.Event(), hold_at=1)) as server:
        client = endpoint(server.url)
        await client.warm_up()
        with suppress(LookupError):
            async with client.asking() as asking:
                stream = await asking.chat.completions.create(model="m", messages=[], stream=True)
                async with stream:
                    raise LookupError
        async with asyncio.timeout(60):
            await server.gone.wait()
        await client.warm_up()
        await client.aclose()
        assert server.models_asked == 2


async def test_warming_up_for_nobody_is_no_error():
    async with openai_server() as server:
        url = server.url
    client = endpoint(url)
    await client.warm_up()
    with pytest.raises(ReasonerError, match=r"expected a connection.*llm\.base_url"):
        await ask(client)
    await client.aclose()


async def test_another_event_loop_in_another_thread_gets_its_own_connection():
    async with openai_server(Script(("a",)), Script(("b",)), Script(("c",))) as server:
        client = endpoint(server.url)
        await ask(client)

        def elsewhere(server: OpenAiServer) -> bytes:
            async def main() -> bytes:
                try:
                    return await ask(client)
                finally:
                    await client.aclose()

            assert threading.current_thread() is not threading.main_thread()
            return asyncio.run(main())

        assert b'"b"' in await asyncio.to_thread(elsewhere, server)
        assert b'"c"' in await ask(client)  # of this loop still: the same as at first
        await client.aclose()
        assert len(server.peers) == 2


async def test_a_key_never_shows_even_if_the_server_says_it():
    async with openai_server(Script(status=401, body=f'{{"error": "bad key {KEY}"}}')) as server:
        client = endpoint(server.url, key=f" {KEY}\n")
        with pytest.raises(ReasonerError, match=r"bad key \*\*\*\. Mend llm\.api_key") as caught:
            await ask(client)
        await client.aclose()
        assert KEY not in str(caught.value)
        assert server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-1\nX-Other: 2"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key):
    with pytest.raises(SetupError, match=r"llm\.api_key: expected printable ASCII") as caught:
        endpoint("http://127.0.0.1:1/v1", key)
    assert key not in str(caught.value)


def test_an_address_that_is_none_is_refused_without_showing_it():
    with pytest.raises(SetupError, match=r"llm\.base_url: expected an address") as caught:
        endpoint("http://me:secret@host:port/v1")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("user", "sent"), [("", ""), ("me:secret@", "Basic bWU6c2VjcmV0")])
async def test_without_a_key_only_the_user_of_the_address_is_sent(user, sent):
    async with openai_server(Script(("a",))) as server:
        client = endpoint(server.url.replace("://", f"://{user}"))
        await ask(client)
        await client.aclose()
        assert server.keys == [sent]


@pytest.mark.parametrize("query", ["?", "?key=secret"])
def test_an_address_with_a_query_is_refused_without_showing_it(query):
    with pytest.raises(SetupError, match=r"llm\.base_url: .*without a query.*api_key") as caught:
        endpoint(f"http://127.0.0.1:1/v1{query}")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("all_proxy", "socks://me:secret@127.0.0.1:1080", "HTTPS_PROXY and ALL_PROXY"),
        ("http_proxy", "http://me:secret@127.0.0.1:port", "HTTP_PROXY, HTTPS_PROXY"),
        ("SSL_CERT_FILE", "/nowhere/secret.pem", "SSL_CERT_FILE"),
    ],
)
def test_an_environment_that_no_client_can_use_is_told_at_the_start(
    monkeypatch, name, value, words
):
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv(name, value)
    outside = "http://192.0.2.1/v1"
    for make in (lambda: endpoint(outside), lambda: check_address(settings_of(outside))):
        with pytest.raises(SetupError, match=f"expected .*{words}.*Mend or unset") as caught:
            make()
        assert "secret" not in str(caught.value)
    endpoint("http://127.0.0.1:1/v1")  # which no proxy is asked for
