"""STUN and TURN servers of one session, with short-lived credentials.

TURN credentials follow the REST scheme that coturn calls ``use-auth-secret``: the user name is
``expiry:session``, the password its HMAC-SHA1 under the shared secret, in base64.
Source: draft-uberti-behave-turn-rest-00, section 2.2.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass

from rt_avatar.config.server_settings import IceSettings
from rt_avatar.errors import SetupError


@dataclass(frozen=True, slots=True)
class IceServer:
    """One entry of a peer's ``iceServers``; STUN servers have no credentials."""

    urls: tuple[str, ...]
    username: str = ""
    credential: str = ""

    def as_json(self) -> dict[str, object]:
        """Return it as ``RTCPeerConnection`` in a browser wants it."""
        entry: dict[str, object] = {"urls": list(self.urls)}
        if self.username:
            entry |= {"username": self.username, "credential": self.credential}
        return entry


def check_ice_settings(settings: IceSettings) -> None:
    """Refuse what could never work, when the process starts.

    Raises:
        SetupError: A URL of the wrong kind, or TURN without a secret.
    """
    for key, urls, schemes in (
        ("ice.stun_urls", settings.stun_urls, ("stun:", "stuns:")),
        ("ice.turn_urls", settings.turn_urls, ("turn:", "turns:")),
    ):
        for url in urls:
            if not url.startswith(schemes):
                raise SetupError(f"{key}: expected {schemes[0]}HOST[:PORT], got {url!r}")
    if settings.turn_urls and not settings.turn_secret:
        raise SetupError(
            "ice.turn_secret: expected the servers' shared secret (coturn: static-auth-secret), "
            "got none; set it, or empty ice.turn_urls"
        )


def mint_ice_servers(settings: IceSettings, session_id: str, now_s: float) -> tuple[IceServer, ...]:
    """Return the servers for one session; ``now_s`` is wall-clock time, as the TURN server's."""
    servers = []
    if settings.stun_urls:
        servers.append(IceServer(settings.stun_urls))
    if settings.turn_urls:
        username = f"{int(now_s) + settings.turn_ttl_s}:{session_id}"
        digest = hmac.new(settings.turn_secret.encode(), username.encode(), hashlib.sha1).digest()
        servers.append(
            IceServer(settings.turn_urls, username, base64.b64encode(digest).decode()),
        )
    return tuple(servers)
