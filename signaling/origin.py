"""Which pages may talk to this server: same origin, or named in the settings. Headers → verdict.

A browser tells the truth in ``Origin``, ``Host`` and ``Sec-Fetch-Site``; a program that is no
browser can say anything, but it also cannot misuse a person's browser, which is what this is about.
"""

import ipaddress
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from rt_avatar.config.server_settings import ServerSettings
from rt_avatar.errors import AdmissionError, SetupError

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob: mediastream:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Permissions-Policy": "camera=(self), microphone=(self), autoplay=(self), geolocation=()",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_USUAL_PORTS: Final = {"http": ":80", "https": ":443"}


class OriginPolicy:
    """Decides; made once from the settings.

    Raises:
        SetupError: What is to be allowed is no origin.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._allowed = frozenset(map(_as_sent, settings.allowed_origins))
        self._own_names = frozenset(urlsplit(origin).hostname for origin in self._allowed)
        self._is_private = is_loopback(settings.host)

    def check(self, headers: Mapping[str, str]) -> None:
        """Refuse a request that a foreign page has made a browser send.

        Raises:
            AdmissionError: It comes from a page that is not allowed, or by a name that is not ours.
        """
        host = headers.get("Host", "").lower()
        origin = headers.get("Origin", "").lower()
        if self.allows_foreign(origin):
            return
        try:
            name, place = urlsplit(f"//{host}").hostname or "", urlsplit(origin).netloc
        except ValueError:
            raise AdmissionError(
                f"Host and Origin: expected addresses, got {host!r} and {origin!r}; to let a page "
                "in, name its origin in server.allowed_origins",
                reason="foreign_origin",
            ) from None
        # A program behind the operator's proxy: it says by which name it came and of no page.
        is_told = not origin and name in self._own_names
        # DNS rebinding: a foreign name that resolves to this machine makes Origin and Host agree.
        if self._is_private and not is_loopback(name) and not is_told:
            raise AdmissionError(
                f"Host: expected a loopback name as the server listens on one, got {host!r}; "
                "behind a proxy, name its origin in server.allowed_origins",
                reason="foreign_origin",
            )
        is_foreign = headers.get("Sec-Fetch-Site", "") in ("cross-site", "same-site")
        # The scheme may differ behind a proxy that ends TLS, so only the place is compared.
        if is_foreign or (origin and place != host):
            raise AdmissionError(
                f"Origin: expected the page of this server, got {origin or 'another site'!r}; "
                "to let it in, name it in server.allowed_origins",
                reason="foreign_origin",
            )

    def allows_foreign(self, origin: str) -> bool:
        """Whether that other origin is named in the settings."""
        return origin.lower() in self._allowed

    def cors_headers(self, origin: str) -> dict[str, str]:
        """Return what lets an allowed foreign page read the answer; nothing for all others."""
        if not self.allows_foreign(origin):
            return {}
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "POST, DELETE",
            "Access-Control-Allow-Headers": "Authorization, Content-Type",
            "Access-Control-Expose-Headers": "Retry-After",
            "Access-Control-Max-Age": "600",
            "Vary": "Origin",
        }


def _as_sent(origin: str) -> str:
    """Return an origin as browsers send it: in small letters, without its scheme's own port.

    Raises:
        SetupError: It is none: another part is there or one is missing.
    """
    sent = origin.rstrip("/").lower()
    try:
        scheme, place, *_ = urlsplit(sent)
    except ValueError:
        scheme = place = ""
    if not scheme or not place or sent != f"{scheme}://{place}":
        raise SetupError(
            f"server.allowed_origins: expected origins like https://example.org; got {origin!r}"
        )
    return sent.removesuffix(_USUAL_PORTS.get(scheme, ""))


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine only."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
