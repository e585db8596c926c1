"""The map to a voice's readers: whom it finds, whom it cannot, and that it is kept exactly."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.own_voice.encoder import FILE, describe_spectrum, load_encoder
from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.training.voice.readers import ReaderPieces, learn_encoder

pytestmark = pytest.mark.unit

TILTS = {"dark": 0.999, "plain": 0.9, "bright": 0.2}  # pole of a filter


def sound(tilt: float, seed: int) -> np.ndarray:
    """Two seconds of syllables of noise through a filter of one pole."""
    dice = np.random.default_rng(seed)
    frequencies = np.fft.rfftfreq(48_000)
    gain = 1 / np.abs(1 - tilt * np.exp(-2j * np.pi * frequencies))
    noise = np.fft.irfft(np.fft.rfft(dice.standard_normal(48_000)) * gain)
    syllables = 0.6 + 0.4 * np.sin(2 * np.pi * 4 * np.arange(48_000) / 24_000)
    return (0.1 * syllables * noise / noise.std()).astype(np.float32)


@pytest.fixture(scope="module")
def pieces() -> ReaderPieces:
    made = [(name, sound(tilt, seed)) for name, tilt in TILTS.items() for seed in range(6)]
    spectra = np.stack([describe_spectrum(pcm).ravel() for _, pcm in made])
    return ReaderPieces([name for name, _ in made], spectra)


@pytest.mark.parametrize("name", TILTS)
def test_new_sound_of_a_reader_finds_that_reader(pieces: ReaderPieces, name: str) -> None:
    shares = learn_encoder(pieces).shares(sound(TILTS[name], 99))
    assert max(shares, key=lambda one: shares[one]) == name
    assert sum(shares.values()) == pytest.approx(1.0)


def test_loudness_does_not_matter(pieces: ReaderPieces) -> None:
    encoder = learn_encoder(pieces)
    quiet, loud = (encoder.shares(gain * sound(0.9, 99)) for gain in (0.5, 2.0))
    assert quiet == pytest.approx(loud, abs=0.05)


def test_a_reader_who_is_left_out_has_no_share(pieces: ReaderPieces) -> None:
    shares = learn_encoder(pieces, without=("plain",)).shares(sound(TILTS["plain"], 99))
    assert set(shares) == {"dark", "bright"}


def test_no_sound_leads_farther_from_the_mean_than_a_reader_is(pieces: ReaderPieces) -> None:
    dice = np.random.default_rng(1)
    shares = learn_encoder(pieces).shares(dice.uniform(-1, 1, 48_000).astype(np.float32) ** 9)
    assert np.linalg.norm(np.array(list(shares.values())) - 1 / 3) <= 1.0 + 1e-9
    assert sum(shares.values()) == pytest.approx(1.0)


def test_what_is_kept_gives_the_same_shares(pieces: ReaderPieces, tmp_path: Path) -> None:
    encoder = learn_encoder(pieces)
    encoder.save(tmp_path)
    pcm = sound(0.7, 99)
    assert load_encoder(tmp_path).shares(pcm) == pytest.approx(encoder.shares(pcm), abs=1e-4)


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with pytest.raises(OwnVoiceError, match=r"expected the map to its readers; got .*; make it"):
        load_encoder(tmp_path)
