"""Decode sound and pictures from files of any usual format → arrays."""

from pathlib import Path

import av
import numpy as np

from rt_avatar.engines import media_file
from rt_avatar.engines.media_file import MediaError
from rt_avatar.engines.pirender.crop import crop_portrait
from rt_avatar.engines.types import Image, Pcm
from rt_avatar.errors import SetupError


def read_sound(path: Path, rate_hz: int) -> Pcm:
    """Return all of a file's first sound, (samples,) mono.

    Raises:
        SetupError: It is no file with sound.
    """
    try:
        return media_file.read_sound(path, rate_hz)
    except MediaError as error:
        raise SetupError(str(error)) from error


def read_portrait(path: Path, size_px: int, *, crops_face: bool = False) -> Image:
    """Return a picture's middle square, (size_px, size_px, 3) RGB.

    Args:
        path: The picture's file.
        size_px: Side of the square.
        crops_face: Look for the face, and crop it as the published renderer was trained.

    Raises:
        SetupError: It is no picture, or the face to crop is not found.
    """
    try:
        whole = media_file.read_picture(path)
        if crops_face:
            return crop_portrait(whole, size_px)
        side = min(whole.shape[:2])
        top, left = (whole.shape[0] - side) // 2, (whole.shape[1] - side) // 2
        square = np.ascontiguousarray(whole[top : top + side, left : left + side])
        cut = av.VideoFrame.from_ndarray(square, format="rgb24")
        scaled = cut.reformat(width=size_px, height=size_px, interpolation="AREA")
        picture: Image = scaled.to_ndarray(format="rgb24")
    except MediaError as error:
        raise SetupError(str(error)) from error
    except (av.FFmpegError, ValueError) as error:
        raise SetupError(f"{path}: expected a picture; got {error}") from error
    return picture
