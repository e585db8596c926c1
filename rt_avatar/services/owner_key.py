"""The key to what is kept for a caller: they alone have it, its digest alone is kept."""

import hashlib
import hmac
import secrets


def new_name_and_key() -> tuple[str, str]:
    """Return a name that cannot be guessed, and a key."""
    return secrets.token_hex(16), secrets.token_urlsafe(32)


def digest_of(key: str) -> str:
    """Return what may be kept of a key."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def opens(key: str, owner: str) -> bool:
    """Return whether a key has this digest; none opens what has no owner ("")."""
    return bool(owner) and hmac.compare_digest(digest_of(key), owner)
