"""HTTP handlers of portraits: a photograph → its points, a preview, a face that is kept.

Nothing is kept before the caller says that they may use the picture. Looking for a face takes up
to a second of one core, so photographs are looked at one after the other, and have limits of their
own on top of those of all requests (``app``).
"""

import asyncio
import base64
import binascii
import json
from collections.abc import Callable
from typing import Final, TypeVar

import cv2
import numpy as np
from aiohttp import web

from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.photo.face_file import FaceFile
from rt_avatar.engines.photo.prepare import make_face
from rt_avatar.engines.photo.sheet import STRIP_FRAMES, draw_strip
from rt_avatar.engines.types import Image
from rt_avatar.errors import AdmissionError, BadInputError
from rt_avatar.signaling.handlers import ACCESS, CONTEXT, bearer, check_is_json, client_of
from rt_avatar.signaling.protocol import (
    MAX_PICTURE_BODY_BYTES,
    MAX_PICTURE_BYTES,
    PictureRequest,
    PortraitRequest,
    parse_picture_request,
)
from rt_avatar.signaling.rate_limit import AddressLimiter

# Someone who tries picture after picture, and looks at the preview each time.
PICTURES_PER_S: Final = 0.5
PICTURE_BURST: Final = 12.0
# Bodies being read or waiting for their turn: 20 MB each at most.
MAX_PICTURES_AT_ONCE: Final = 4
READ_S: Final = 60.0  # 15 MB over a line of 2 Mbit/s
_STRIP_PX: Final = 256
_JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 85)


_PRIVATE: Final = {"Cache-Control": "private, no-store"}

Result = TypeVar("Result")


class PictureDesk:
    """Who may hand in a photograph now; made once by the application."""

    def __init__(self) -> None:
        self.limiter = AddressLimiter(PICTURES_PER_S, PICTURE_BURST)
        self.pictures = 0  # being read or looked at
        self.turn = asyncio.Semaphore(1)


DESK: Final = web.AppKey("desk", PictureDesk)


async def find_points(request: web.Request) -> web.Response:
    """Find the face in a photograph; nothing is kept."""

    def find(body: bytes) -> dict[str, object]:
        data = _decode(parse_picture_request(body, PictureRequest))
        _, picture, landmarks = make_face(data)
        height, width = picture.shape[:2]
        return {"width": width, "height": height, "points": landmarks.as_dict()}

    return web.json_response(await _look_at(request, find), headers=_PRIVATE)


async def preview(request: web.Request) -> web.Response:
    """Return pictures of the face in motion, side by side; nothing is kept."""

    def draw(body: bytes) -> bytes:
        _, strip = _make(parse_picture_request(body, PictureRequest))
        _, data = cv2.imencode(".jpg", cv2.cvtColor(strip, cv2.COLOR_RGB2BGR), _JPEG)
        return data.tobytes()

    headers = {**_PRIVATE, "X-Frames": str(STRIP_FRAMES)}
    body = await _look_at(request, draw)
    return web.Response(body=body, content_type="image/jpeg", headers=headers)


async def keep(request: web.Request) -> web.Response:
    """Keep a face for this caller alone; return its name and the key that opens it."""
    portraits = request.app[CONTEXT].portraits

    def make(body: bytes) -> tuple[str, str]:
        asked = parse_picture_request(body, PortraitRequest)
        if not asked.consent:
            raise BadInputError(
                "consent: expected your word that this is you, or that you may use the picture; "
                "got none, so nothing was kept",
                reason="no_consent",
            )
        face, _ = _make(asked)
        return portraits.keep(face)

    name, key = await _look_at(request, make)
    days = request.app[CONTEXT].settings.avatar.portrait_days
    body = {"name": name, "key": key, "days": days}
    return web.json_response(body, status=201, headers=_PRIVATE)


async def picture(request: web.Request) -> web.Response:
    """Return a portrait's picture to who has its key; a shared one to everybody."""
    draw = request.app[CONTEXT].portraits.picture_png
    png = await asyncio.to_thread(draw, request.match_info["name"], bearer(request))
    return web.Response(body=png, content_type="image/png", headers=_PRIVATE)


async def delete(request: web.Request) -> web.Response:
    """Delete a portrait; its key is needed."""
    request.app[CONTEXT].portraits.delete(request.match_info["name"], bearer(request))
    return web.Response(status=204)


async def _look_at(request: web.Request, work: Callable[[bytes], Result]) -> Result:
    """Read a body and let ``work`` look at it on a thread, when its turn comes.

    Raises:
        AdmissionError: Uploads are off, the caller may not call, or too much at once.
        BadInputError: The body or the photograph cannot be used.
    """
    desk = request.app[DESK]
    if not request.app[CONTEXT].takes_photographs:
        raise AdmissionError("photographs are not taken here", reason="uploads_off")
    request.app[ACCESS].check(bearer(request))
    if desk.limiter.take(client_of(request), asyncio.get_running_loop().time()) > 0:
        raise AdmissionError(
            f"expected at most {PICTURE_BURST:.0f} photographs at once from one address",
            reason="rate",
        )
    if desk.pictures >= MAX_PICTURES_AT_ONCE:
        raise AdmissionError("too many photographs at once", reason="overloaded")
    desk.pictures += 1
    try:
        body = await _read(request)
        async with desk.turn:
            return await asyncio.to_thread(_work_on, work, body)
    finally:
        desk.pictures -= 1


async def _read(request: web.Request) -> bytes:
    """Return the body; it may be much larger than other requests'."""
    check_is_json(request)
    body = bytearray()
    try:
        async with asyncio.timeout(READ_S):
            async for part in request.content.iter_any():
                body += part
                if len(body) > MAX_PICTURE_BODY_BYTES:
                    raise _too_large()
    except TimeoutError:
        raise BadInputError(
            f"picture: expected all of it within {READ_S:.0f} s, got a part; send a smaller copy",
            reason="bad_portrait",
        ) from None
    return bytes(body)


def _work_on(work: Callable[[bytes], Result], body: bytes) -> Result:
    try:
        return work(body)
    except PortraitError as error:
        text = str(error).removesuffix(", or give the points with --points")
        raise BadInputError(text, reason="bad_portrait") from None


def _make(asked: PictureRequest) -> tuple[FaceFile, Image]:
    """Return the face with the caller's points, and it in motion: what cannot move is refused."""
    points = json.dumps(asked.points) if asked.points else None
    face, _, _ = make_face(_decode(asked), points)
    try:
        strip = draw_strip(face, _STRIP_PX)
    except (ValueError, ArithmeticError, IndexError, np.linalg.LinAlgError, cv2.error):
        raise BadInputError(
            "points: expected those of a face, got some on top of each other; drag them apart",
            reason="bad_portrait",
        ) from None
    return face, strip


def _decode(asked: PictureRequest) -> bytes:
    try:
        data = base64.b64decode(asked.picture, validate=True)
    except (binascii.Error, ValueError):
        raise BadInputError(
            "picture: expected a file's bytes in base64, got something else", reason="bad_body"
        ) from None
    if len(data) > MAX_PICTURE_BYTES:
        raise _too_large()
    return data


def _too_large() -> BadInputError:
    return BadInputError(
        f"picture: expected a file of at most {MAX_PICTURE_BYTES // 1_000_000} MB, got more; save "
        "a smaller copy of it",
        reason="too_large",
    )
