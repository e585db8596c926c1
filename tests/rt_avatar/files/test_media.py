"""Files of sound and pictures: read at the rate and size asked for, refused by name."""

import wave

import cv2
import numpy as np
import pytest

from rt_avatar.errors import SetupError
from rt_avatar.files.media import read_portrait, read_sound

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("rate_hz", [16_000, 24_000])
def test_sound_is_read_at_the_rate_asked_for(tmp_path, rate_hz):
    path = tmp_path / "voice.wav"
    tone = (10_000 * np.sin(2 * np.pi * 220 * np.arange(44_100) / 44_100)).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44_100)
        file.writeframes(tone.tobytes())
    read = read_sound(path, rate_hz)
    assert read.dtype == np.float32
    assert len(read) == pytest.approx(rate_hz, abs=200)
    found = np.abs(np.fft.rfft(read)).argmax() * rate_hz / len(read)
    assert found == pytest.approx(220, abs=3)


def test_a_portrait_is_the_middle_square(tmp_path):
    path = tmp_path / "face.png"
    picture = np.zeros((60, 100, 3), np.uint8)
    picture[:, 20:80] = (0, 0, 255)  # OpenCV writes blue first
    assert cv2.imwrite(str(path), picture)
    read = read_portrait(path, 32)
    assert read.shape == (32, 32, 3)
    assert (read[..., 0] > 240).all()
    assert (read[..., 1:] < 15).all()


@pytest.mark.parametrize("name", ["words.json", "nowhere.png"])
def test_what_is_none_is_named(tmp_path, name):
    (tmp_path / "words.json").write_text("{}")
    with pytest.raises(SetupError, match=f"{name}: expected a file with sound; got"):
        read_sound(tmp_path / name, 16_000)
    with pytest.raises(SetupError, match=f"{name}: expected a picture; got"):
        read_portrait(tmp_path / name, 32)
