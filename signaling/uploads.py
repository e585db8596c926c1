"""Files that callers hand in: read, bounded, and worked on one after the other.

Looking for a face or measuring a voice takes seconds of one core, so files have limits of their own
on top of those of all requests (``app``).
"""

import asyncio
import base64
import binascii
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from aiohttp import web

from rt_avatar.config.settings import Settings
from rt_avatar.errors import AdmissionError, BadInputError
from rt_avatar.signaling.handlers import ACCESS, bearer, check_is_json, client_of
from rt_avatar.signaling.protocol import MAX_UPLOAD_BODY_BYTES
from rt_avatar.signaling.rate_limit import AddressLimiter
from rt_avatar.signaling.shares import Shares

# Someone who tries picture after picture, and looks at the preview each time.
UPLOADS_PER_S: Final = 0.5
UPLOAD_BURST: Final = 12.0
# Bodies being read or waiting for their turn: 20 MB each at most.
MAX_UPLOADS_AT_ONCE: Final = 4
# One whose bodies never come holds these for ``READ_S``, again and again; the rest is for others.
MAX_UPLOADS_PER_CLIENT: Final = 2
READ_S: Final = 60.0  # 15 MB over a line of 2 Mbit/s
# A page asks once for each portrait that is shown in it; one is drawn in 12 ms.
PICTURES_PER_S: Final = 5.0
PICTURE_BURST: Final = 100.0
PRIVATE: Final = {"Cache-Control": "private, no-store"}

Result = TypeVar("Result")


class UploadDesk:
    """Who may hand in a file now, or look at one; made once by the application."""

    def __init__(self, settings: Settings) -> None:
        self.limiter = AddressLimiter(UPLOADS_PER_S, UPLOAD_BURST)
        self.files: Counter[str] = Counter()  # being read or worked on, by client
        self.pictures = AddressLimiter(PICTURES_PER_S, PICTURE_BURST)
        self.turn = asyncio.Semaphore(1)
        self.portraits = Shares(settings.avatar.max_portraits, "portraits_full")
        self.voices = Shares(settings.tts.max_voices, "voices_full")


DESK: Final = web.AppKey("desk", UploadDesk)


async def work_on(request: web.Request, work: Callable[[bytes], Result], *, takes: bool) -> Result:
    """Read a body and let ``work`` have it on a thread, when its turn comes.

    Raises:
        AdmissionError: Such files are not taken (``takes``), the caller may not call, or too much
            at once.
        BadInputError: The body cannot be used.
    """
    desk = request.app[DESK]
    if not takes:
        raise AdmissionError("such files are not taken here", reason="uploads_off")
    request.app[ACCESS].check(bearer(request))
    client = client_of(request)
    if desk.limiter.take(client, asyncio.get_running_loop().time()) > 0:
        raise AdmissionError(
            f"expected at most {UPLOAD_BURST:.0f} files at once from one address", reason="rate"
        )
    if desk.files[client] >= MAX_UPLOADS_PER_CLIENT:
        raise AdmissionError(
            f"expected {MAX_UPLOADS_PER_CLIENT} files of one address at a time, got one more",
            reason="rate",
        )
    if desk.files.total() >= MAX_UPLOADS_AT_ONCE:
        raise AdmissionError("too many files at once", reason="overloaded")
    desk.files[client] += 1
    try:
        body = await _read(request)
        async with desk.turn:
            return await asyncio.to_thread(work, body)
    finally:
        desk.files -= Counter([client])  # who has none is forgotten


async def _read(request: web.Request) -> bytes:
    """Return the body; it may be much larger than other requests'."""
    check_is_json(request)
    body = bytearray()
    try:
        async with asyncio.timeout(READ_S):
            async for part in request.content.iter_any():
                body += part
                if len(body) > MAX_UPLOAD_BODY_BYTES:
                    raise _too_large("body", MAX_UPLOAD_BODY_BYTES)
    except TimeoutError:
        raise BadInputError(
            f"body: expected all of it within {READ_S:.0f} s, got a part; send a smaller copy",
            reason="bad_body",
        ) from None
    return bytes(body)


def decode_file(text: str, what: str, most_bytes: int) -> bytes:
    """Return a file's bytes of their base64; ``what`` is the field's name.

    Raises:
        BadInputError: It is none, or too large.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadInputError(
            f"{what}: expected a file's bytes in base64, got something else", reason="bad_body"
        ) from None
    if len(data) > most_bytes:
        raise _too_large(what, most_bytes)
    return data


def check_consent(consent: bool, what: str) -> None:
    """Raise where nobody said that the file may be used; ``what`` it is, and whose."""
    if not consent:
        raise BadInputError(
            f"consent: expected your word that {what}; got none, so nothing was kept",
            reason="no_consent",
        )


def _too_large(what: str, most_bytes: int) -> BadInputError:
    return BadInputError(
        f"{what}: expected a file of at most {most_bytes // 1_000_000} MB, got more; save a "
        "smaller copy of it",
        reason="too_large",
    )
