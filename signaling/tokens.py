"""Session tokens: who may open, resume or end which call. ``Ticket → str → Ticket``.

``id.persona.expiry.authenticated.portrait.voice.signature``, signed by HMAC-SHA256; nothing in it
opens anything else, nobody but the server can make one. A token says nothing of whether its session
exists: that is the registry's.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from rt_avatar.errors import AdmissionError

_DOMAIN: Final = b"rt-avatar session token v1\0"  # the key may be shared with other uses
MAX_TOKEN_CHARS: Final = 512  # ours are about 170; longer ones are not looked at


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a token says.

    Attributes:
        session_id: The call it is for.
        persona: Who answers first.
        expires_at_s: Wall-clock second after which it does not open a call any more.
        is_authenticated: Whether it was given for an access token.
        portrait: Name of the portrait that is shown; empty: the persona's own face.
        voice: Name of the caller's own voice that speaks; empty: the persona's own.
    """

    session_id: str
    persona: str
    expires_at_s: int
    is_authenticated: bool = False
    portrait: str = ""
    voice: str = ""


def new_session_id(prefix: str = "") -> str:
    """Return an id that cannot be guessed (128 bits), of letters, digits, ``-`` and ``_``."""
    return prefix + secrets.token_urlsafe(16)


class TokenSigner:
    """Signs and checks. Without a secret it makes one, so old tokens end with the process."""

    def __init__(self, secret: str) -> None:
        self._key = secret.encode() or secrets.token_bytes(32)

    def sign(self, ticket: Ticket) -> str:
        """Return the token of a ticket."""
        is_known = int(ticket.is_authenticated)
        payload = (
            f"{ticket.session_id}.{ticket.persona}.{ticket.expires_at_s}.{is_known}."
            f"{ticket.portrait}.{ticket.voice}"
        )
        return f"{payload}.{self._signature(payload)}"

    def check(self, token: str) -> Ticket:
        """Return what a token says, expired or not: whether that matters depends on the call.

        Raises:
            AdmissionError: It was not made here, or was changed.
        """
        payload, _, signature = token.rpartition(".")
        parts = payload.split(".")
        # Compared whole and in constant time before anything inside is believed. Headers may hold
        # bytes that are no text ("replace"): then it is not ours anyway.
        is_ours = hmac.compare_digest(
            self._signature(payload[:MAX_TOKEN_CHARS]).encode(), signature.encode(errors="replace")
        )
        if not is_ours or len(parts) != 6 or not parts[2].isdecimal():
            raise AdmissionError(
                "token: expected the one that POST /api/sessions gave, got another or a changed "
                "one; ask for a new session",
                reason="token_invalid",
            )
        return Ticket(parts[0], parts[1], int(parts[2]), parts[3] == "1", *parts[4:])

    def _signature(self, payload: str) -> str:
        message = _DOMAIN + payload.encode(errors="replace")
        digest = hmac.digest(self._key, message, hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
