"""Parse the JSON in a dispatch's metadata → ``JobMetadata``.

Nothing at all means the defaults. Models are strict and closed, as everywhere at the edge: a wrong
type or an unknown field is refused with words that say what was expected.
"""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rt_avatar.errors import BadInputError, SetupError
from rt_avatar.personas import Persona, find_persona
from rt_avatar.signaling.protocol import explain

MAX_METADATA_BYTES: Final = 4 * 1024  # five names; LiveKit itself allows 64 KiB
_MAX_NAME_CHARS: Final = 256  # LiveKit's own limit of an identity


class JobMetadata(BaseModel):
    """The metadata of a dispatch.

    Attributes:
        persona: Who answers first; the empty word means the one of the settings.
        portrait: Whose photographed face is shown; empty: the persona's own.
        caller: Identity of the participant to talk with; empty: the first person in the room.
        avatar_of: Identity of an agent whose face the avatar shall be; empty: it talks itself.
        identity: Identity under which the avatar joins; empty: one of LiveKit's making.
        takeovers: How often the order went on to another worker because the last one died.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    persona: str = Field(default="", max_length=64)
    portrait: str = Field(default="", max_length=64)
    caller: str = Field(default="", max_length=_MAX_NAME_CHARS)
    avatar_of: str = Field(default="", max_length=_MAX_NAME_CHARS)
    identity: str = Field(default="", max_length=_MAX_NAME_CHARS)
    takeovers: int = Field(default=0, ge=0)

    def find_persona(self, default: str) -> Persona:
        """Return the persona asked for.

        Raises:
            BadInputError: There is none of that name; the message lists all.
        """
        try:
            return find_persona(self.persona or default)
        except SetupError as error:
            raise BadInputError(
                f"metadata of the dispatch: {error}", reason="unknown_persona"
            ) from error


def parse_metadata(metadata: str) -> JobMetadata:
    """Return what the metadata of a dispatch asks for.

    Raises:
        BadInputError: It is too long, no JSON object, or holds something else than an order.
    """
    size = len(metadata.encode())
    if size > MAX_METADATA_BYTES:
        raise BadInputError(
            f"metadata of the dispatch: expected at most {MAX_METADATA_BYTES} bytes, got {size}; "
            "see docs/livekit.md",
            reason="bad_order",
        )
    try:
        return JobMetadata.model_validate_json(metadata.strip() or "{}")
    except ValidationError as error:
        details = explain(error, "all of it", "docs/livekit.md")
        raise BadInputError(f"metadata of the dispatch: {details}", reason="bad_order") from None
