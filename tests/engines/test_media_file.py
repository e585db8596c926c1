"""Files of users: only formats that are known are opened, and none takes more than it may."""

import io
import socket
import struct
import subprocess
import sys
import wave
import zlib
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from rt_avatar.engines import media_file
from rt_avatar.engines.media_file import (
    FILMS,
    PICTURES,
    RECORDINGS,
    MediaError,
    open_media,
    pictures_of,
    read_channel,
    read_picture,
    sound_of,
)
from tests.peak_memory import memory_for

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
RATE_HZ = 48_000
SDP = """v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r
m=audio {} RTP/AVP 11\r\n"""


def sound(kind: str, codec: str, seconds: float = 0.5, channels: int = 1) -> bytes:
    """Return silence as a file."""
    data = io.BytesIO()
    with av.open(data, "w", format=kind) as file:
        layout = "mono" if channels == 1 else "stereo"
        stream = file.add_stream(codec, rate=RATE_HZ, layout=layout)
        quiet = np.zeros((1, int(seconds * RATE_HZ) * channels), np.int16)
        frame = av.AudioFrame.from_ndarray(quiet, format="s16", layout=layout)
        frame.sample_rate, frame.time_base = RATE_HZ, Fraction(1, RATE_HZ)
        resampler = av.AudioResampler(stream.format, layout, RATE_HZ, stream.frame_size or None)
        for part in (*resampler.resample(frame), *resampler.resample(None)):
            file.mux(stream.encode(part))
        file.mux(stream.encode(None))
    return data.getvalue()


def wav(
    channels: int,
    seconds: float = 0.5,
    rate_hz: int = RATE_HZ,
    samples: NDArray[np.int16] | None = None,
) -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        quiet = bytes(2 * channels * int(seconds * rate_hz))
        file.writeframes(quiet if samples is None else samples.tobytes())
    return data.getvalue()


def png(width: int, height: int) -> bytes:
    """Return a black picture: some bytes, whatever its size."""
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + 3 * width)) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    )


def with_cover(flac: bytes, picture: bytes) -> bytes:
    """Return a FLAC file with a picture on its cover."""
    words = (3, 9, b"image/png", 0, 0, 0, 0, 0, len(picture), picture)
    body = b"".join(struct.pack(">I", word) if isinstance(word, int) else word for word in words)
    first = 42  # "fLaC" and STREAMINFO
    return flac[:first] + b"\x06" + len(body).to_bytes(3, "big") + body + flac[first:]


def samples_of(source: Path | io.BytesIO) -> int:
    with open_media(source, "sound") as container:
        return sum(frame.samples for frame in sound_of(container))


def open_only(data: bytes, formats: str, name: str = "me") -> None:
    with open_media(io.BytesIO(data), "sound", formats, name):
        pass


# --- formats ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "codec"),
    [
        ("wav", "pcm_s16le"), ("w64", "pcm_s16le"), ("aiff", "pcm_s16be"), ("au", "pcm_s16be"),
        ("caf", "pcm_s16le"), ("flac", "flac"), ("ogg", "libopus"), ("mp3", "libmp3lame"),
        ("adts", "aac"), ("ipod", "aac"), ("mov", "pcm_s16le"), ("matroska", "aac"),
        ("webm", "libopus"), ("avi", "pcm_s16le"),
    ],
)  # fmt: skip
def test_what_people_record_with_is_read(kind: str, codec: str) -> None:
    assert samples_of(io.BytesIO(sound(kind, codec))) == pytest.approx(RATE_HZ / 2, abs=4000)


def test_a_list_of_other_files_opens_none_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.wav").write_bytes(sound("wav", "pcm_s16le"))
    Path("a.ts").write_bytes(sound("mpegts", "aac"))
    for words in (
        "ffconcat version 1.0\nfile a.wav\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n",
        ";FFMETADATA1\ntitle=a\n",
    ):
        with pytest.raises(MediaError, match=r"^me: expected sound; got .*; save it anew"):
            open_only(words.encode(), PICTURES, "me")
        Path("list.wav").write_text(words)
        with pytest.raises(MediaError, match=r"^list\.wav: expected sound"):
            samples_of(Path("list.wav"))


def test_no_file_has_a_socket_opened() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        # Whoever listened there would be told that somebody does already.
        words = SDP.format(taken.getsockname()[1]).encode()
        for formats in (RECORDINGS, FILMS, PICTURES):
            with pytest.raises(MediaError, match="Invalid argument"):
                open_only(words, formats)


@pytest.mark.parametrize("name", ["udp:127.0.0.1:9", "concat:a.wav|a.wav", "data:,x", "a.wav?x"])
def test_a_name_is_a_files_and_no_protocol(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.wav").write_bytes(sound("wav", "pcm_s16le"))
    with pytest.raises(MediaError, match="No such file"):
        samples_of(Path(name))
    Path(name).write_bytes(sound("wav", "pcm_s16le", 0.25))
    assert samples_of(Path(name)) == RATE_HZ // 4


# --- sound --------------------------------------------------------------------------------------
def test_sound_that_changes_on_the_way_is_refused() -> None:
    for first, second in ((1, 2), (2, 1)):
        parts = [sound("adts", "aac", channels=count) for count in (first, second)]
        with pytest.raises(MediaError, match="expected sound of one kind; got another number"):
            samples_of(io.BytesIO(b"".join(parts)))


_READ = """
import sys
from pathlib import Path
from rt_avatar.engines.media_file import read_channel, read_sound
for path in map(Path, sys.argv[1:]):
    pcm, rate_hz = read_channel(path)
    print(len(pcm), pcm[-1], rate_hz, len(read_sound(path, 24_000)))
"""


def test_a_film_of_many_channels_ends_nothing(tmp_path: Path) -> None:
    # PyAV reads beyond the planes of eight: in a process of its own.
    counts = (1, 2, 6, 8, 16)
    paths = [tmp_path / f"{count}.wav" for count in counts]
    for path, count in zip(paths, counts, strict=True):
        one_loud = np.zeros((4800, count), np.int16)
        one_loud[:, 0] = 16_384
        path.write_bytes(wav(count, samples=one_loud))
    words = [sys.executable, "-c", _READ, *map(str, paths)]
    read = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert read.splitlines() == ["4800 0.5 48000 2400"] * len(counts)


@pytest.mark.parametrize("codec", ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le"])
@pytest.mark.parametrize("channels", [1, 2])
def test_the_first_channel_is_read_as_it_is(codec: str, channels: int, tmp_path: Path) -> None:
    path = tmp_path / "me.wav"
    layout = ("mono", "stereo")[channels - 1]
    with av.open(str(path), "w") as file:
        stream = file.add_stream(codec, rate=16_000, layout=layout)
        samples = np.zeros((4800, channels), np.float32)
        samples[:, 0] = np.sin(np.arange(4800) / 10) / 2
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="flt", layout=layout)
        frame.sample_rate = 16_000
        for part in av.AudioResampler(stream.format, layout, 16_000).resample(frame):
            file.mux(stream.encode(part))
        file.mux(stream.encode(None))
    pcm, rate_hz = read_channel(path)
    assert rate_hz == 16_000
    assert pcm.dtype == np.float32
    assert np.allclose(pcm, samples[:, 0], atol=0.01)


@pytest.mark.parametrize("rate_hz", [192_001, 384_000, 655_350])
def test_more_samples_a_second_than_anybody_records_are_refused(rate_hz: int) -> None:
    with pytest.raises(MediaError, match=rf"at most 192,000 samples a second; got {rate_hz:,};"):
        samples_of(io.BytesIO(wav(1, rate_hz=rate_hz)))
    assert samples_of(io.BytesIO(wav(2, rate_hz=192_000))) == 96_000


def test_sound_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_file, "LONGEST_S", 2.0)
    assert samples_of(io.BytesIO(wav(1, 2.0))) == 2 * RATE_HZ
    with pytest.raises(MediaError, match="expected at most 2 s of sound; got more; cut it"):
        samples_of(io.BytesIO(sound("flac", "flac", 2.5)))


def test_a_picture_has_no_sound() -> None:
    with (
        pytest.raises(MediaError, match="me: expected a file with sound; got one with none"),
        open_media(io.BytesIO(png(8, 8)), "sound", PICTURES, "me") as container,
    ):
        next(sound_of(container))


# --- sizes --------------------------------------------------------------------------------------
def test_the_cover_of_a_recording_takes_no_memory() -> None:
    data = with_cover(sound("flac", "flac"), png(7500, 7500))  # 161 MiB of pixels
    with memory_for(30):
        assert samples_of(io.BytesIO(data)) == RATE_HZ // 2


@pytest.mark.parametrize("size", [(7500, 7500), (60_000, 601), (601, 60_000)])
def test_a_picture_that_is_too_large_is_never_decoded(size: tuple[int, int]) -> None:
    data = io.BytesIO(png(*size))
    with (
        memory_for(30),
        pytest.raises(MediaError, match="me: expected a picture of at most 36,000,000 pixels; got"),
        open_media(data, "a picture", PICTURES, "me") as container,
    ):
        next(pictures_of(container))


def test_a_picture_is_read_in_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "me.png"
    path.write_bytes(png(40, 20))
    assert np.array_equal(read_picture(path), np.zeros((20, 40, 3), np.uint8))
    path.write_bytes(wav(1))
    with pytest.raises(MediaError, match="a file with pictures; got one with none"):
        read_picture(path)


@pytest.mark.parametrize("kind", ["mp4", "mpg", "avi", "mkv"])
def test_a_film_that_is_too_large_is_never_decoded(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"me.{kind}"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg1video" if kind == "mpg" else "mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 192, 64, "yuv420p"
        frame = av.VideoFrame.from_ndarray(np.zeros((64, 192, 3), np.uint8), format="rgb24")
        file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    assert read_picture(path).shape == (64, 192, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(media_file, "MAX_PIXELS", 64 * 191)
        with pytest.raises(MediaError, match="at most 12,224 pixels; got 192 × 64; save a smaller"):
            read_picture(path)
