"""Sound over a wire: raw PCM or WAV, however it is cut; what is neither is named."""

import numpy as np
import pytest

from rt_avatar.tts.pcm_reader import PcmReader
from tests.fakes.speech_endpoint import wav_head

pytestmark = pytest.mark.unit

TONE = (0.5 * np.sin(np.arange(12_000) * 2 * np.pi * 440 / 24_000)).astype(np.float32)


def raw(pcm: np.ndarray) -> bytes:
    return (pcm * 32_767).astype("<i2").tobytes()


def read(data: bytes, rate_hz: int = 24_000, chunk: int = 1_001) -> np.ndarray:
    reader = PcmReader(rate_hz)
    parts = [reader.push(data[at : at + chunk]) for at in range(0, len(data), chunk)]
    return np.concatenate([*parts, reader.finish()])


@pytest.mark.parametrize("chunk", [1, 7, 4_096, 100_000])
def test_raw_sound_comes_out_as_it_was_however_it_was_cut(chunk):
    np.testing.assert_allclose(read(raw(TONE), chunk=chunk), TONE, rtol=0, atol=1e-4)


@pytest.mark.parametrize("size", [0, 24_000, 0xFFFFFFFF])
@pytest.mark.parametrize("chunk", [1, 13, 100_000])
def test_a_wav_is_known_by_its_header_whatever_size_it_tells(size, chunk):
    heard = read(wav_head(24_000, size=size) + raw(TONE), chunk=chunk)
    np.testing.assert_allclose(heard, TONE, rtol=0, atol=1e-4)


def test_what_follows_the_sound_of_a_wav_is_not_heard():
    data = wav_head(24_000, size=2 * len(TONE)) + raw(TONE) + b"LIST\x05\0\0\0hello"
    np.testing.assert_allclose(read(data), TONE, rtol=0, atol=1e-4)


def test_stereo_is_mixed():
    both = np.stack([TONE, np.zeros_like(TONE)], axis=1).reshape(-1)
    heard = read(wav_head(24_000, channels=2) + raw(both))
    np.testing.assert_allclose(heard, TONE / 2, rtol=0, atol=1e-4)


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("is_wav", [False, True])
def test_another_rate_is_brought_to_24_khz(rate_hz, is_wav):
    count = rate_hz // 2
    tone = (0.5 * np.sin(np.arange(count) * 2 * np.pi * 440 / rate_hz)).astype(np.float32)
    data = (wav_head(rate_hz) if is_wav else b"") + raw(tone)
    out = read(data, 24_000 if is_wav else rate_hz)
    assert len(out) == pytest.approx(12_000, abs=2)
    np.testing.assert_allclose(out[1_000:11_000], TONE[1_000:11_000], rtol=0, atol=0.01)


@pytest.mark.parametrize("first", [0x3C, -0xC4, 0x3C3C])
def test_sound_that_begins_with_the_byte_of_a_tag_is_sound(first):
    data = np.full(100, first, "<i2").tobytes()
    assert data.startswith(b"<")
    assert len(read(data)) == 100


def test_sound_of_less_than_a_header_is_sound():
    assert len(read(b"\0\1" * 3)) == 3


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "expected sound; got none"),
        (raw(TONE)[:-1], "even number of bytes; got 23999"),
        (b"ID3\4" + bytes(100), "expected 16-bit PCM or WAV; got MP3"),
        (b"OggS" + bytes(100), "got Ogg"),
        (b'{"detail": "no such voice"}', "got JSON"),
        (b"<html><body>Bad gateway", "got HTML"),
        (b"<HTML><BODY>Bad gateway", "got HTML"),
        (b"<!doctype html><title>502", "got HTML"),
        (b'<?xml version="1.0"?><Error>', "got XML"),
        (wav_head(24_000, bits=8) + bytes(100), "16-bit PCM.*8 bits"),
        (wav_head(24_000, channels=6) + bytes(100), "mono or stereo.*6 channels"),
        (wav_head(1_000) + bytes(100), "8 to 192 kHz; got 1000 Hz"),
        (wav_head(24_000)[:30], "only the beginning of its header"),
        (wav_head(24_000)[:12] + b"data" + bytes(40), "its format before its sound"),
        (wav_head(24_000)[:12] + b"JUNK\xff\xff\xff\x7f" + bytes(70_000), "64 KiB without"),
        (wav_head(24_000)[:12] + b"fmt \x04\0\0\0" + bytes(40), "at least 16 bytes"),
    ],
)
def test_what_is_no_such_sound_is_named(data, words):
    with pytest.raises(ValueError, match=words):
        read(data)
