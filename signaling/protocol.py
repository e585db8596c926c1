"""Validate what a caller may send: data channel messages and HTTP bodies.

``docs/protocol.md`` is the text of it. Models are strict and closed: a wrong type or an unknown
field is refused with words that say what was expected. What the server sends
is in ``server_messages``.
"""

from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rt_avatar.errors import BadInputError
from rt_avatar.turns.caller_commands import MAX_TEXT_CHARS

PROTOCOL_VERSION: Final = 2
CHANNEL_LABEL: Final = "rt-avatar"
MAX_MESSAGE_BYTES: Final = 16 * 1024  # 2,000 characters of four bytes, escaped, and room
MESSAGES_PER_S: Final = 20  # a page pings once a second and a person types slower than this
MESSAGE_BURST: Final = 40
# Typed: one of so many characters; a longer one counts as several, for the longest takes .4 s of a
# core to understand.
TEXTS_PER_S: Final = 1
TEXT_BURST: Final = 6
TEXT_CHARS: Final = 400
PERSONAS_PER_S: Final = 0.5  # each introduces itself: a clause is spoken, .05 s of a core
PERSONA_BURST: Final = 10  # somebody who looks at all of them
MAX_BODY_BYTES: Final = 64 * 1024
MAX_PICTURE_BYTES: Final = 15_000_000  # a telephone's photograph has 2 to 8
MAX_RECORDING_BYTES: Final = 6_000_000  # 30 s of 48 kHz, 16 bits, two channels
MAX_UPLOAD_BODY_BYTES: Final = MAX_PICTURE_BYTES * 4 // 3 + MAX_BODY_BYTES
MAX_SDP_BYTES: Final = 32 * 1024  # a browser's offer with all its codecs has 6 to 12 KiB


_Pixel = Annotated[float, Field(ge=-8192, le=8192, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# --- data channel, page to server ---------------------------------------------------------------
class TextMessage(_Strict):
    """Said by typing."""

    type: Literal["text"]
    text: str = Field(min_length=1, max_length=MAX_TEXT_CHARS)


class PersonaMessage(_Strict):
    """Another avatar, please."""

    type: Literal["persona"]
    name: str = Field(min_length=1, max_length=64)


class FaceMessage(_Strict):
    """The same persona with another face: a portrait, or without one her or his own."""

    type: Literal["face"]
    portrait: str = Field(default="", max_length=64)
    key: str = Field(default="", max_length=128)


class VoiceMessage(_Strict):
    """The same persona in the caller's own voice, or without one in her or his own."""

    type: Literal["voice"]
    voice: str = Field(default="", max_length=64)
    key: str = Field(default="", max_length=128)


class InterruptMessage(_Strict):
    """Stop talking."""

    type: Literal["interrupt"]


class HangUpMessage(_Strict):
    """The call ends."""

    type: Literal["hang_up"]


class PingMessage(_Strict):
    """Answered by a pong with the same ``t``."""

    type: Literal["ping"]
    t: float = Field(allow_inf_nan=False)


ClientMessage = (
    TextMessage | PersonaMessage | FaceMessage | VoiceMessage | InterruptMessage | HangUpMessage
    | PingMessage
)  # fmt: skip
_CLIENT_MESSAGE: Final[TypeAdapter[ClientMessage]] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)


# --- HTTP bodies --------------------------------------------------------------------------------
class SessionRequest(_Strict):
    """``POST /api/sessions``; the empty persona means the one of the settings.

    ``portrait`` and ``key`` name the face that is shown, ``voice`` and ``voice_key`` the voice that
    speaks; empty: the persona's own.
    """

    persona: str = Field(default="", max_length=64)
    portrait: str = Field(default="", max_length=64)
    key: str = Field(default="", max_length=128)
    voice: str = Field(default="", max_length=64)
    voice_key: str = Field(default="", max_length=128)


class OfferRequest(_Strict):
    """``POST /api/sessions/{id}/offer``."""

    type: Literal["offer"]
    sdp: str = Field(min_length=1, max_length=MAX_SDP_BYTES)


class PictureRequest(_Strict):
    """``POST /api/portraits/points`` and ``/preview``: a photograph, and points put right."""

    picture: str = Field(max_length=MAX_PICTURE_BYTES * 4 // 3 + 4)
    points: dict[str, tuple[_Pixel, _Pixel]] = Field(default_factory=dict, max_length=64)


class PortraitRequest(PictureRequest):
    """``POST /api/portraits``: keep it; the caller may use it."""

    consent: bool


class VoiceRequest(_Strict):
    """``POST /api/voices``: a recording; the caller may use it."""

    recording: str = Field(max_length=MAX_RECORDING_BYTES * 4 // 3 + 4)
    consent: bool


def parse_message(data: str | bytes) -> ClientMessage:
    """Return a message of the data channel.

    Raises:
        BadInputError: It is too large, no JSON, or no message of ours.
    """
    if not isinstance(data, str):
        raise BadInputError(f"message: expected text, got {len(data)} bytes; send JSON as text")
    size = len(data.encode())
    if size > MAX_MESSAGE_BYTES:
        raise BadInputError(
            f"message: expected at most {MAX_MESSAGE_BYTES} bytes, got {size}; send less at once"
        )
    try:
        return _CLIENT_MESSAGE.validate_json(data)
    except ValidationError as error:
        raise BadInputError(explain(error, "message")) from None


def parse_session_request(body: bytes) -> SessionRequest:
    """Return the body of ``POST /api/sessions``; nothing at all means the defaults.

    Raises:
        BadInputError: It is no JSON, or holds something else.
    """
    try:
        return SessionRequest.model_validate_json(body or b"{}")
    except ValidationError as error:
        raise BadInputError(explain(error, "body"), reason=_reason(error)) from None


def parse_offer_request(body: bytes) -> OfferRequest:
    """Return the body of an offer; its SDP is not looked at yet.

    Raises:
        BadInputError: It is no JSON, or no offer.
    """
    try:
        return OfferRequest.model_validate_json(body)
    except ValidationError as error:
        raise BadInputError(explain(error, "body"), reason=_reason(error)) from None


Upload = TypeVar("Upload", PictureRequest, PortraitRequest, VoiceRequest)


def parse_upload_request(body: bytes, kind: type[Upload]) -> Upload:
    """Return the body of a request with a file, which is not looked at yet.

    Raises:
        BadInputError: It is no JSON, or holds something else.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise BadInputError(explain(error, "body"), reason=_reason(error)) from None


def explain(error: ValidationError, what: str, guide: str = "docs/protocol.md") -> str:
    """Say in plain words what is wrong, without repeating more than 40 characters of the input."""
    first = error.errors(include_url=False)[0]
    # The discriminator's own tag ("text", "ping") leads the place of an error within a union.
    place = ".".join(str(part) for part in first["loc"][-1:]) or what
    got = first.get("input")
    shown = f"{got!r:.40}" if isinstance(got, str | int | float | bool) else type(got).__name__
    if first["type"] == "missing":
        shown = "none"
    expected = _EXPECTED.get(first["type"]) or _lower(first["msg"])
    return f"{place}: expected {expected}, got {shown}; see {guide}"


_EXPECTED: Final = {
    "missing": "this field",
    "extra_forbidden": "no such field",
    "json_invalid": "JSON",
    "union_tag_not_found": "an object with a type",
    "union_tag_invalid": "type text, persona, face, voice, interrupt, hang_up or ping",
}


def _lower(message: str) -> str:
    """Turn "Input should be a valid string" into "a valid string"."""
    for beginning in ("Input should be ", "Input should ", "String should have ", "Value error, "):
        message = message.removeprefix(beginning)
    return message[0].lower() + message[1:]


def _reason(error: ValidationError) -> str:
    return "bad_json" if error.errors()[0]["type"] == "json_invalid" else "bad_body"
