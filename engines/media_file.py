"""Open sound, films and pictures of users: formats that are known, and sizes that are bounded.

FFmpeg guesses among all formats that it knows. Some listen on a socket (SDP), some open other files
by name (ffconcat, HLS), and a cover of a few kilobytes may be decoded into gigabytes while a file
is opened. Here is what every reader of a file that somebody else made goes through.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Final

import av
import numpy as np
from av.container import InputContainer

from rt_avatar.engines.types import Image, Pcm

MAX_PIXELS: Final = 36_000_000  # of a picture, a film's or a cover's: a telephone's has 12 to 24
MAX_RATE_HZ: Final = 192_000
MAX_SAMPLES: Final = 1_000_000  # of one frame; FLAC's have 65,535 at most
LONGEST_S: Final = 3600.0  # of sound: silence is packed into nothing
# All of one file each; FFmpeg's names. Of these alone the pictures are bounded while it looks which
# streams there are, so that anybody may hand them in.
RECORDINGS: Final = "wav,w64,aiff,au,caf,flac,ogg,mp3,aac,amr,asf,mov,matroska,avi"
FILMS: Final = f"{RECORDINGS},mpeg,mpegts"
PICTURES: Final = f"{FILMS},image2,mjpeg,gif,jpeg_pipe,png_pipe,webp_pipe,bmp_pipe,tiff_pipe"
_BOUNDS: Final = {"max_pixels": str(MAX_PIXELS), "max_samples": str(MAX_SAMPLES)}


class MediaError(ValueError):
    """A file cannot be read: what was expected, what came, how to mend it."""


@contextmanager
def open_media(
    source: Path | BytesIO, what: str, formats: str = RECORDINGS, name: str = ""
) -> Iterator[InputContainer]:
    """Open a file, or its bytes, and close it behind what is done with it.

    Args:
        source: Where it is.
        what: Should be there, as messages say: "a film".
        formats: That it may have.
        name: What messages call it, of bytes; "": its path.

    Raises:
        MediaError: It is not there, has another format, or cannot be read or decoded; also where
            that shows only while it is being decoded.
    """
    url = f"file:{source}" if isinstance(source, Path) else source  # a file may be called "udp:..."
    bounds = {**_BOUNDS, "format_whitelist": formats, "protocol_whitelist": "file"}
    try:
        with av.open(url, options=bounds) as container:
            for stream in container.streams:
                if stream.codec_context is not None:
                    stream.codec_context.options = _BOUNDS
            yield container
    except MediaError as error:
        raise MediaError(f"{name or source}: {error}") from error
    except (av.FFmpegError, EOFError) as error:
        raise MediaError(
            f"{name or source}: expected {what}; got a file that cannot be read as one "
            f"({error}); save it anew, e.g. as WAV, MP4 or PNG"
        ) from error


def sound_of(container: InputContainer) -> Iterator[av.AudioFrame]:
    """Return a file's first sound, all of one kind: each frame is looked at, for headers may lie.

    Whoever wants numpy has it packed first (``flt``): PyAV reads beyond planes of 8 channels.
    """
    if not container.streams.audio:
        raise MediaError("expected a file with sound; got one with none; give the one with it")
    kind, left = None, LONGEST_S
    for frame in container.decode(audio=0):
        if frame.sample_rate > MAX_RATE_HZ:
            raise MediaError(
                f"expected at most {MAX_RATE_HZ:,} samples a second; got {frame.sample_rate:,}; "
                "save it anew at 48,000"
            )
        left -= frame.samples / frame.sample_rate
        if left < 0:
            raise MediaError(f"expected at most {LONGEST_S:.0f} s of sound; got more; cut it")
        kind = kind or (frame.sample_rate, frame.layout.name, frame.format.name)
        if kind != (frame.sample_rate, frame.layout.name, frame.format.name):
            raise MediaError(
                "expected sound of one kind; got another number of channels or samples a second "
                "on the way; save it anew, e.g. as WAV"
            )
        yield frame


def pictures_of(container: InputContainer) -> Iterator[av.VideoFrame]:
    """Return a film's pictures, or the one of a picture's file."""
    if not container.streams.video:
        raise MediaError("expected a file with pictures; got one with none; give the one with them")
    stream = container.streams.video[0]
    if not 0 < stream.width * stream.height <= MAX_PIXELS:
        size = f"{stream.width:,} × {stream.height:,}" if stream.width else "more, or no size"
        raise MediaError(
            f"expected a picture of at most {MAX_PIXELS:,} pixels; got {size}; save a smaller copy"
        )
    yield from container.decode(stream)


def read_picture(source: Path) -> Image:
    """Return a picture, or a film's first one, (height, width, 3) RGB.

    Raises:
        MediaError: There is none.
    """
    with open_media(source, "a picture", PICTURES) as container:
        for frame in pictures_of(container):
            picture: Image = frame.to_ndarray(format="rgb24")
            return picture
    raise MediaError(f"{source}: expected a picture; got a film without one; give another")


def read_sound(source: Path | BytesIO, rate_hz: int, name: str = "") -> Pcm:
    """Return all of a file's first sound, (samples,), its channels mixed.

    Raises:
        MediaError: There is none.
    """
    resampler = av.AudioResampler("flt", "mono", rate_hz)
    parts = [np.zeros((1, 0), np.float32)]
    with open_media(source, "a file with sound", FILMS, name) as container:
        for frame in chain(sound_of(container), (None,)):
            parts += [out.to_ndarray() for out in resampler.resample(frame)]
    pcm: Pcm = np.concatenate(parts, axis=1)[0]
    return pcm


def read_channel(source: Path) -> tuple[Pcm, int]:
    """Return the first channel of a file's first sound, (samples,), and its rate.

    Raises:
        MediaError: There is none.
    """
    resampler = av.AudioResampler("flt")
    parts = []
    with open_media(source, "a file with sound", FILMS) as container:
        for frame in sound_of(container):
            channels = frame.layout.nb_channels
            parts += [
                out.to_ndarray().reshape(-1, channels)[:, 0] for out in resampler.resample(frame)
            ]
    if not parts:
        raise MediaError(f"{source}: expected a file with sound; got an empty one; record it anew")
    return np.concatenate(parts), frame.sample_rate
