"""Write an MP4 file: I420 pictures and 24 kHz sound → H.264 and AAC.

Frame *n* begins at sample *n*·960 of the sound. The file appears under its name only when it is
whole; it does not know who speaks.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import numpy as np
import soxr
from av.video.reformatter import ColorRange, Colorspace

from rt_avatar.engines.types import FPS, I420, SPEECH_RATE_HZ, WIRE_RATE_HZ, Pcm
from rt_avatar.errors import SetupError

_AUDIO_BIT_RATE: Final = 96_000  # transparent for one voice
# About the bit rate of a video call for a drawn face; slower presets take longer than drawing does.
_X264: Final = {"preset": "veryfast", "crf": "19", "profile": "high", "tune": "animation"}
_KEY_FRAMES: Final = 2 * FPS  # a player can seek to every second second


class ClipWriter:
    """One file being written. Use ``open_clip``."""

    def __init__(self, path: Path, size_px: int) -> None:
        self._file = av.open(
            str(path), "w", format="mp4", container_options={"movflags": "+faststart"}
        )
        self._video = self._file.add_stream("libx264", rate=FPS, options=_X264)
        self._video.width = self._video.height = size_px
        self._video.pix_fmt = "yuv420p"
        self._video.codec_context.gop_size = _KEY_FRAMES
        self._video.codec_context.color_range = ColorRange.MPEG
        self._video.codec_context.colorspace = Colorspace.ITU601
        self._audio = self._file.add_stream("aac", rate=WIRE_RATE_HZ, layout="mono")
        self._audio.bit_rate = _AUDIO_BIT_RATE
        # Sample-exact: what comes out late is still numbered from the first sample.
        self._resampler = soxr.ResampleStream(SPEECH_RATE_HZ, WIRE_RATE_HZ, 1, dtype="float32")
        self._frames = 0
        self._samples = 0

    def write(self, pictures: list[I420], pcm: Pcm) -> None:
        """Append pictures and (samples,) of sound of the same duration."""
        for planes in pictures:
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = self._frames, Fraction(1, FPS)
            self._frames += 1
            self._file.mux(self._video.encode(frame))
        self._sound(self._resampler.resample_chunk(pcm))

    def finish(self) -> None:
        """Write what the encoders hold, and the index."""
        self._sound(self._resampler.resample_chunk(np.zeros(0, np.float32), last=True))
        self._file.mux(self._video.encode(None))
        self._file.mux(self._audio.encode(None))
        self._file.close()

    def abandon(self) -> None:
        """Close the file as it is."""
        self._file.close()

    def _sound(self, pcm: Pcm) -> None:
        if not len(pcm):
            return
        frame = av.AudioFrame.from_ndarray(
            np.clip(pcm, -1, 1).reshape(1, -1), format="fltp", layout="mono"
        )
        frame.sample_rate = WIRE_RATE_HZ
        frame.pts, frame.time_base = self._samples, Fraction(1, WIRE_RATE_HZ)
        self._samples += len(pcm)
        self._file.mux(self._audio.encode(frame))


@contextmanager
def open_clip(path: Path, size_px: int) -> Iterator[ClipWriter]:
    """Write to a temporary name beside ``path`` and rename at the end; an error leaves nothing.

    Raises:
        SetupError: The name or folder cannot be written; an older file of that name is untouched.
    """
    check_path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        writer = ClipWriter(temporary, size_px)
        try:
            yield writer
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
        temporary.replace(path)
    except OSError as error:
        raise SetupError(f"output: expected a place to write {path}; got {error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def check_path(path: Path) -> None:
    """Check that a clip can be written there.

    Raises:
        SetupError: The suffix is not .mp4, the folder does not exist, or the name is a folder.
    """
    if path.suffix.lower() != ".mp4":
        raise SetupError(
            f"output: expected a file name ending in .mp4; got {path.name!r}. "
            f"Try {path.with_suffix('.mp4').name if path.name else 'out.mp4'}"
        )
    if not path.parent.is_dir():
        raise SetupError(f"output: expected an existing folder; got {path.parent}. Create it first")
    if path.is_dir():
        raise SetupError(f"output: expected a file; {path} is a folder")
