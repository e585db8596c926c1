"""HTTP handlers of portraits: a photograph → its points, a preview, a face that is kept.

Nothing is kept before the caller says that they may use the picture.
"""

import asyncio
import json
from collections.abc import Callable
from functools import partial
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
from rt_avatar.signaling.handlers import CONTEXT, bearer, client_of
from rt_avatar.signaling.protocol import (
    MAX_PICTURE_BYTES,
    PictureRequest,
    PortraitRequest,
    parse_upload_request,
)
from rt_avatar.signaling.uploads import (
    DESK,
    PICTURES_PER_S,
    PRIVATE,
    check_consent,
    decode_file,
    work_on,
)

_STRIP_PX: Final = 256
_JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 85)

Result = TypeVar("Result")


async def find_points(request: web.Request) -> web.Response:
    """Find the face in a photograph; nothing is kept."""

    def find(body: bytes) -> dict[str, object]:
        data = _decode(parse_upload_request(body, PictureRequest))
        _, picture, landmarks = make_face(data)
        height, width = picture.shape[:2]
        return {"width": width, "height": height, "points": landmarks.as_dict()}

    return web.json_response(await _look_at(request, find), headers=PRIVATE)


async def preview(request: web.Request) -> web.Response:
    """Return pictures of the face in motion, side by side; nothing is kept."""

    def draw(body: bytes) -> bytes:
        _, strip = _make(parse_upload_request(body, PictureRequest))
        _, data = cv2.imencode(".jpg", cv2.cvtColor(strip, cv2.COLOR_RGB2BGR), _JPEG)
        return data.tobytes()

    headers = {**PRIVATE, "X-Frames": str(STRIP_FRAMES)}
    body = await _look_at(request, draw)
    return web.Response(body=body, content_type="image/jpeg", headers=headers)


async def keep(request: web.Request) -> web.Response:
    """Keep a face for this caller alone; return its name and the key that opens it."""
    portraits = request.app[CONTEXT].portraits
    shares, client = request.app[DESK].portraits, client_of(request)

    def make(body: bytes) -> tuple[str, str]:
        asked = parse_upload_request(body, PortraitRequest)
        check_consent(asked.consent, "this is you, or that you may use the picture")
        shares.check(client, portraits.kept())
        face, _ = _make(asked)
        name, key = portraits.keep(face)
        shares.note(client, name)
        return name, key

    name, key = await _look_at(request, make)
    days = request.app[CONTEXT].settings.avatar.portrait_days
    body = {"name": name, "key": key, "days": days}
    return web.json_response(body, status=201, headers=PRIVATE)


async def picture(request: web.Request) -> web.Response:
    """Return a portrait's picture to who has its key; a shared one to everybody."""
    wait_s = request.app[DESK].pictures.take(client_of(request), asyncio.get_running_loop().time())
    if wait_s > 0:
        raise AdmissionError(
            f"expected at most {PICTURES_PER_S:.0f} pictures a second from one address, got more; "
            f"wait {wait_s:.1f} s",
            reason="rate",
        )
    draw = request.app[CONTEXT].portraits.picture_png
    png = await asyncio.to_thread(draw, request.match_info["name"], bearer(request))
    return web.Response(body=png, content_type="image/png", headers=PRIVATE)


async def delete(request: web.Request) -> web.Response:
    """Delete a portrait; its key is needed."""
    request.app[CONTEXT].portraits.delete(request.match_info["name"], bearer(request))
    return web.Response(status=204)


async def _look_at(request: web.Request, work: Callable[[bytes], Result]) -> Result:
    """Let ``work`` look at a photograph; raises as ``work_on`` does."""
    return await work_on(
        request, partial(_work_on, work), takes=request.app[CONTEXT].takes_photographs
    )


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
    return decode_file(asked.picture, "picture", MAX_PICTURE_BYTES)
