"""Whom limits are counted for: the address that a request comes from, also through proxies.

``X-Forwarded-For`` is believed of trusted proxies alone, and of it only what they themselves added.
"""

import logging
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from aiohttp import hdrs, web
from aiohttp.typedefs import Middleware

from rt_avatar.errors import BadInputError, SetupError
from rt_avatar.signaling.refusals import Handler

_log = logging.getLogger(__name__)

# What a provider gives one customer at least; each of its addresses can be theirs.
# Source: RFC 6177 §2.
IPV6_PREFIX: Final = 64


def forwarded_for(trusted_proxies: Sequence[str]) -> Middleware:
    """Return the middleware that sets ``request.remote`` to the client's address.

    Raises:
        SetupError: A proxy is neither an address nor a network.
    """
    try:
        networks = [ip_network(proxy, strict=False) for proxy in trusted_proxies]
    except ValueError as error:
        raise SetupError(
            "server.trusted_proxies: expected addresses or networks like 127.0.0.1 or 10.0.0.0/8, "
            f"got {list(trusted_proxies)} ({error})"
        ) from None
    has_warned = False

    def is_trusted(address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in networks)

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        nonlocal has_warned
        if hdrs.X_FORWARDED_FOR not in request.headers:
            return await handler(request)
        peer = _address(request.remote or "")
        if peer is not None and is_trusted(peer):
            return await handler(request.clone(remote=_forwarded(request, is_trusted)))
        if not has_warned:
            has_warned = True
            _log.warning(
                "%s forwards requests for others and counts as one caller; if it is your proxy, "
                "name it in server.trusted_proxies",
                request.remote,
            )
        return await handler(request)

    return middleware


def client_key(remote: str) -> str:
    """Return what limits are counted under: an IPv4 address, or an IPv6 network of a customer."""
    address = _address(remote)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address), IPV6_PREFIX), strict=False))
    return remote if address is None else str(address)


def _forwarded(
    request: web.Request, is_trusted: Callable[[IPv4Address | IPv6Address], bool]
) -> str:
    """Return the last address that is no trusted proxy's; the first where all of them are.

    Raises:
        BadInputError: A trusted proxy added something else; what is before it does not matter.
    """
    for entry in reversed(",".join(request.headers.getall(hdrs.X_FORWARDED_FOR)).split(",")):
        address = _address(_without_port(entry.strip()))
        if address is None:
            raise BadInputError(
                f"X-Forwarded-For: expected the address of a client, got {entry.strip()[:40]!r}",
                reason="bad_body",
            )
        if not is_trusted(address):
            break
    return str(address)


def _without_port(entry: str) -> str:
    """Return the address of ``192.0.2.1:4711``, ``[2001:db8::1]:4711``, or one without a port."""
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    return entry.partition(":")[0] if entry.count(":") == 1 else entry


def _address(remote: str) -> IPv4Address | IPv6Address | None:
    """Return an address; an IPv4 one that a socket for both versions shows as IPv6 is IPv4."""
    try:
        address = ip_address(remote)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
