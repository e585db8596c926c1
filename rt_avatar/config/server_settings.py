"""Settings of the process: where it listens, who may call and how, what it logs and counts."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc
from annotated_types import Interval


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The HTTP edge."""

    host: Annotated[str, Doc("Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Interval(ge=0, le=65535), Doc("Port; 0 picks a free one.")] = 8080
    allowed_origins: Annotated[
        tuple[str, ...], Doc("Origins of other sites that may call, e.g. https://example.org.")
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        Doc(
            "Addresses or networks of the reverse proxies in front, e.g. 127.0.0.1 or 10.0.0.0/8: "
            "who calls is read from their X-Forwarded-For."
        ),
    ] = ()
    max_sessions: Annotated[int, Interval(ge=1), Doc("Callers at once, at most.")] = 4
    max_sessions_per_client: Annotated[
        int,
        Interval(ge=0),
        Doc(
            "Of them from one address, at most; all behind one router (an office, a kiosk's) are "
            "one. 0: no limit."
        ),
    ] = 0
    workers: Annotated[
        int,
        Interval(ge=1, le=64),
        Doc("Processes that share the port, each with engines of its own; one a core or two."),
    ] = 1
    max_load: Annotated[
        float,
        Interval(gt=0, le=1),
        Doc(
            "Share of the cores that callers may need when all talk at once, by what a call was "
            "measured to cost; a caller who would exceed it is told that the server is busy. Two "
            "cores broke the promise at 0.70, no thread being full."
        ),
    ] = 0.65
    token_secret: Annotated[
        str, Doc("Key that signs session tokens; empty makes a new one at every start.")
    ] = ""
    token_ttl_s: Annotated[
        float, Interval(ge=10), Doc("Seconds in which a token must be used to connect.")
    ] = 120.0
    reconnect_s: Annotated[
        float, Interval(ge=0), Doc("Seconds a session waits for a lost caller to come back.")
    ] = 30.0
    max_call_s: Annotated[
        float, Interval(ge=0), Doc("Seconds that a call may last; 0: no limit.")
    ] = 14_400.0
    max_idle_s: Annotated[
        float,
        Interval(ge=0),
        Doc("Seconds after which a call ends whose caller neither speaks nor types; 0: no limit."),
    ] = 1_800.0
    drain_s: Annotated[
        float, Interval(ge=0), Doc("Seconds that running calls get to end on SIGTERM.")
    ] = 20.0


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """Who may call: with a key, callers need an access token (a JWT) that your backend signs."""

    jwt_secret: Annotated[
        str, Doc("Shared secret of HS256 access tokens, 32 bytes or more; empty: no token needed.")
    ] = ""
    jwt_public_key_file: Annotated[
        str, Doc("PEM file with the public key of RS256, ES256 or EdDSA access tokens, instead.")
    ] = ""
    audience: Annotated[str, Doc("What an access token's aud must say.")] = "rt-avatar"


@dataclass(frozen=True, slots=True)
class LiveKitSettings:
    """Rooms of a LiveKit server (`rt-avatar livekit`)."""

    url: Annotated[
        str, Doc("The LiveKit server, e.g. wss://livekit.example.org. Also read from LIVEKIT_URL.")
    ] = ""
    api_key: Annotated[
        str, Doc("Name of a key of that server. Also read from LIVEKIT_API_KEY.")
    ] = ""
    api_secret: Annotated[
        str, Doc("The secret of that key. Also read from LIVEKIT_API_SECRET.")
    ] = ""
    agent_name: Annotated[str, Doc("Name under which dispatches ask for the avatar.")] = "rt-avatar"


@dataclass(frozen=True, slots=True)
class IceSettings:
    """How peers find each other."""

    stun_urls: Annotated[tuple[str, ...], Doc("STUN servers, e.g. stun:stun.example.org.")] = ()
    turn_urls: Annotated[
        tuple[str, ...],
        Doc("TURN servers, e.g. turn:turn.example.org. Callers need an access token to use them."),
    ] = ()
    turn_secret: Annotated[
        str, Doc("Shared secret of the TURN servers (coturn: static-auth-secret).")
    ] = ""
    turn_ttl_s: Annotated[
        int, Interval(ge=60, le=86_400), Doc("Life of a minted TURN credential.")
    ] = 600


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    """What Prometheus reads, at `/metrics`. For the operator: not on the port that callers use."""

    host: Annotated[str, Doc("Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int, Interval(ge=0, le=65535), Doc("Port; 0 picks a free one, which the log tells.")
    ] = 9464


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Logs. Words and images of callers are never logged."""

    level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], Doc("Least level shown.")] = (
        "INFO"
    )
    json: Annotated[bool, Doc("One JSON object a line instead of text.")] = False
