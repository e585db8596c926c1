"""What of the settings is secret, and how it is shown: ``***``, by key and value."""

import re
from collections.abc import Mapping
from typing import Final

SECRETS: Final = frozenset(
    {
        "server.token_secret",
        "auth.jwt_secret",
        "livekit.api_secret",
        "ice.turn_secret",
        "llm.api_key",
        "tts.api_key",
    }
)
_HIDDEN: Final = "***"


def shown(path: str, value: object) -> object:
    """Return the value of a key, right or wrong, as it may be shown."""
    is_further = path.endswith(".extra_body")  # keys of a request: anything
    if isinstance(value, Mapping) and is_further:
        return dict.fromkeys(value, _HIDDEN)
    if path in SECRETS or is_further or isinstance(value, Mapping):
        return _HIDDEN if value else value
    if isinstance(value, list | tuple):
        return type(value)(shown(path, one) for one in value)
    if isinstance(value, str) and path.endswith(("url", "urls")):
        return shown_address(value)
    return value


def shown_name(name: object) -> str:
    """Return the name of a key without what sticks to it: of ``secret:x``, a slip, that is x."""
    return re.sub(r"[^\w.-].*", "", str(name), flags=re.DOTALL)


def shown_address(address: str) -> str:
    """Return an address without what may be secret: user, password, and the query of a URL."""
    scheme, slashes, rest = address.partition("://") if "://" in address else ("", "", address)
    _, user, place = rest.rpartition("@")
    if slashes:
        place = re.sub(r"\?.+", f"?{_HIDDEN}", place)
    return f"{scheme}{slashes}{_HIDDEN if user else ''}{user}{place}"
