import numpy as np
import pytest

from rt_avatar.media_io import BLOCK_SAMPLES
from rt_avatar.signaling.opus import OpusDecoder, OpusEncoder

pytestmark = pytest.mark.unit

DELAY_SAMPLES = 120  # 2.5 ms


def voice(blocks: int) -> np.ndarray:
    """A hum with overtones that swells, (blocks, 960)."""
    time_s = np.arange(blocks * BLOCK_SAMPLES) / 48_000
    hum = sum(np.sin(2 * np.pi * 140 * n * time_s) / n for n in range(1, 9))
    swelling = 4000 * hum * (1 - np.cos(2 * np.pi * 3 * time_s))
    return swelling.astype(np.int16).reshape(blocks, BLOCK_SAMPLES)


def through(blocks: np.ndarray, encoder: OpusEncoder) -> np.ndarray:
    decoder = OpusDecoder()
    frames = [
        decoder.decode(encoder.encode(block), index * BLOCK_SAMPLES)[0]
        for index, block in enumerate(blocks)
    ]
    assert {(f.sample_rate, f.layout.name, f.samples) for f in frames} == {(48_000, "mono", 960)}
    return np.concatenate([frame.to_ndarray()[0] for frame in frames]).astype(np.float64)


def noise_db(heard: np.ndarray, said: np.ndarray) -> float:
    said = said.ravel().astype(np.float64)
    error = heard[DELAY_SAMPLES:] - said[: len(heard) - DELAY_SAMPLES]
    return 10 * np.log10(np.mean(error**2) / np.mean(said**2))


def test_a_voice_comes_out_as_it_went_in_two_and_a_half_milliseconds_later():
    said = voice(50)
    assert noise_db(through(said, OpusEncoder()), said) < -15


class EncoderWithoutShortcut(OpusEncoder):
    def encode(self, pcm):
        self._last = b""
        return super().encode(pcm)


def test_silence_that_is_not_encoded_is_what_the_encoder_makes_of_it():
    said = np.concatenate([voice(40), np.zeros((60, BLOCK_SAMPLES), np.int16), voice(40)])
    short, full = OpusEncoder(), EncoderWithoutShortcut()
    assert [short.encode(block) for block in said[:100]] == [full.encode(b) for b in said[:100]]
    assert len(short.encode(said[100])) > 20
    heard = through(said, OpusEncoder())
    assert np.abs(heard[50 * BLOCK_SAMPLES : 100 * BLOCK_SAMPLES]).max() < 10
    assert noise_db(heard, said) < -15


def test_a_broken_packet_is_as_one_that_was_lost():
    decoder = OpusDecoder()
    assert decoder.decode(b"\xff" * 7, 0) == []
    assert len(decoder.decode(OpusEncoder().encode(voice(1)[0]), BLOCK_SAMPLES)) == 1
