"""The mel of a reference recording, against torch's transform and another library's filters."""

import numpy as np
import pytest
import torch
from transformers.audio_utils import mel_filter_bank

from rt_avatar.engines.styletts2.spectrum import log_mel, mel_filters, source_spectrum

pytestmark = pytest.mark.networks


@pytest.fixture(scope="module")
def filters():
    """Without norm, by HTK's mels, for 16 kHz though the sound has 24."""
    return mel_filter_bank(1025, 80, 0.0, 8000.0, 16_000, norm=None, mel_scale="htk")


def test_the_filters_are_the_library_s(filters):
    np.testing.assert_allclose(mel_filters(), filters, rtol=0, atol=1e-5)


@pytest.mark.parametrize("samples", [1025, 6001, 24_000])
def test_the_mel_is_the_one_made_with_torch(filters, samples):
    pcm = torch.randn(samples, generator=torch.Generator().manual_seed(0)) * 0.1
    spectrum = torch.stft(
        pcm.double(), 2048, 300, 1200, torch.hann_window(1200, dtype=torch.float64),
        center=True, pad_mode="reflect", return_complex=True,
    )  # fmt: skip
    power = spectrum.abs().square().numpy()
    wanted = (np.log(1e-5 + filters.T @ power) + 4) / 4
    got = log_mel(pcm.numpy())
    assert got.shape == (80, 1 + samples // 300)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-4)


@pytest.mark.parametrize("samples", [300, 600, 6000])
def test_the_source_s_spectrum_is_the_one_made_with_torch(samples):
    sound = torch.randn(samples, generator=torch.Generator().manual_seed(0)).double()
    window = torch.hann_window(20, dtype=torch.float64)
    wanted = torch.stft(sound, 20, 5, window=window, return_complex=True)
    got = source_spectrum(np.pad(sound.numpy(), 10, mode="reflect"))
    assert got.shape == (22, samples // 5 + 1)
    np.testing.assert_allclose(got[:11], wanted.abs().numpy(), rtol=0, atol=1e-5)
    # Where a spectrum is real, a negative number's angle is +pi, as a network that learnt from
    # torch's knows it; other backends say -pi.
    ends = wanted.angle()[[0, 10]].numpy()
    np.testing.assert_allclose(got[[11, 21]], ends, rtol=0, atol=1e-6)
    assert {round(float(angle), 4) for angle in ends.flat} == {0.0, 3.1416}
    # Elsewhere as points of a circle: at a sentence's ends, which are reflected, rounding decides.
    turned = np.exp(1j * got[11:].astype(np.float64)) - np.exp(1j * wanted.angle().numpy())
    assert np.abs(turned * wanted.abs().numpy()).max() < 1e-5
