"""Decode sound from a byte stream: raw 16-bit PCM or WAV → samples at 24 kHz.

``PcmReader.push(bytes) -> Pcm``; how the bytes were cut changes nothing. It knows no protocol; what
cannot be sound of these two kinds is refused with what it seems to be.
"""

import struct
from typing import Final

import numpy as np
import soxr

from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

_SNIFF_BYTES: Final = 12  # "RIFF", size, "WAVE"
_MAX_HEADER_BYTES: Final = 65_536  # chunks before the sound: names, dates, pictures
_RATES_HZ: Final = range(8_000, 192_001)
_OTHERS: Final = {
    b"ID3": "MP3",
    b"OggS": "Ogg",
    b"fLaC": "FLAC",
    b'{"': "JSON",
    b"<!": "HTML",
    b"<html": "HTML",
    b"<HTML": "HTML",
    b"<?xml": "XML",
}
_PCM, _EXTENSIBLE = 1, 0xFFFE  # WAVE_FORMAT_PCM, WAVE_FORMAT_EXTENSIBLE
_NOTHING: Final = np.zeros(0, np.float32)


class PcmReader:
    """One answer's sound. ``push`` what comes, then ``finish``.

    Args:
        rate_hz: Rate of raw PCM (16 bits, little-endian, mono); a WAV header tells its own.
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._channels = 1
        self._left: int | None = None  # bytes of sound that still belong to a WAV; None: all
        self._bytes = 0  # in all
        self._buffer = b""
        self._is_sound = False  # the beginning is known to be sound, or its header is read
        self._resampler: soxr.ResampleStream | None = None

    def push(self, data: bytes) -> Pcm:
        """Return the samples at 24 kHz that are ready; at another rate some 20 ms stay inside.

        Raises:
            ValueError: It is no sound of these kinds; says expected and got.
        """
        self._bytes += len(data)
        self._buffer += data
        if not self._is_sound and not self._read_header():
            return _NOTHING
        return self._take(is_last=False)

    def finish(self) -> Pcm:
        """Return the rest.

        Raises:
            ValueError: There was nothing, only a header, or half of a sample at the end.
        """
        if self._bytes == 0:
            raise ValueError("expected sound; got none")
        if not self._is_sound:
            if self._buffer.startswith(b"RIFF"):
                raise ValueError("expected a WAV file; got only the beginning of its header")
            self._is_sound = True
        rest = self._take(is_last=True)
        if self._buffer and self._left is None:
            raise ValueError(
                f"expected 16-bit samples, so an even number of bytes; got {self._bytes}"
            )
        return rest

    # --- header -------------------------------------------------------------------------------
    def _read_header(self) -> bool:
        """Find out what it is; return whether what is in the buffer now is sound."""
        head = self._buffer
        if len(head) < _SNIFF_BYTES:
            return False
        for mark, name in _OTHERS.items():
            if head.startswith(mark):
                raise ValueError(f"expected 16-bit PCM or WAV; got {name}")
        if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
            return self._read_wav()
        self._is_sound = True
        return True

    def _read_wav(self) -> bool:
        at, has_format = _SNIFF_BYTES, False
        while len(self._buffer) >= at + 8:
            name, size = struct.unpack_from("<4sI", self._buffer, at)
            if name == b"data":
                if not has_format:
                    raise ValueError("expected a WAV with its format before its sound; got none")
                self._buffer = self._buffer[at + 8 :]
                # A server that streams does not know the size: it writes 0 or the largest number.
                self._left = size if 0 < size < 0x7FFF_FFFF else None
                self._is_sound = True
                return True
            if len(self._buffer) < at + 8 + size:
                break
            if name == b"fmt ":
                self._read_format(self._buffer[at + 8 : at + 8 + size])
                has_format = True
            at += 8 + size + size % 2
        if len(self._buffer) > _MAX_HEADER_BYTES:
            raise ValueError("expected a WAV; got 64 KiB without its sound beginning")
        return False

    def _read_format(self, chunk: bytes) -> None:
        if len(chunk) < 16:
            raise ValueError("expected a WAV format of at least 16 bytes; got a shorter one")
        kind, channels, rate_hz, _, _, bits = struct.unpack_from("<HHIIHH", chunk)
        if kind not in (_PCM, _EXTENSIBLE) or bits != 16 or channels not in (1, 2):
            raise ValueError(
                "expected a WAV of 16-bit PCM, mono or stereo; "
                f"got format {kind:#x}, {bits} bits, {channels} channels"
            )
        if rate_hz not in _RATES_HZ:
            raise ValueError(f"expected a WAV of 8 to 192 kHz; got {rate_hz} Hz")
        self._channels, self._rate_hz = channels, rate_hz

    # --- samples ------------------------------------------------------------------------------
    def _take(self, *, is_last: bool) -> Pcm:
        frame = 2 * self._channels
        usable = len(self._buffer) if self._left is None else min(len(self._buffer), self._left)
        usable -= usable % frame
        data, self._buffer = self._buffer[:usable], self._buffer[usable:]
        if self._left is not None:
            self._left -= usable
            if self._left < frame:  # what follows the sound (names, dates) is not for the ear
                self._buffer = b""
        samples: Pcm = np.frombuffer(data, "<i2").astype(np.float32) / np.float32(32_768)
        if self._channels == 2:
            samples = samples.reshape(-1, 2).mean(axis=1, dtype=np.float32)
        return self._resample(samples, is_last=is_last)

    def _resample(self, samples: Pcm, *, is_last: bool) -> Pcm:
        if self._rate_hz == SPEECH_RATE_HZ:
            return samples
        if self._resampler is None:
            self._resampler = soxr.ResampleStream(self._rate_hz, SPEECH_RATE_HZ, 1, "float32", "HQ")
        out: Pcm = self._resampler.resample_chunk(samples, last=is_last)
        return out
