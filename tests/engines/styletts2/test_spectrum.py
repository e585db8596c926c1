"""The mel with its quirk, and the source's spectrum."""

import itertools
import math

import numpy as np
import pytest

from rt_avatar.engines.styletts2.spectrum import (
    energy,
    log_mel,
    mel_filters,
    source_spectrum,
    style_mel,
    trim_silence,
)

pytestmark = pytest.mark.unit


def tone(hz, seconds=1.0, amplitude=0.5):
    return (amplitude * np.sin(2 * np.pi * hz * np.arange(int(24000 * seconds)) / 24000)).astype(
        np.float32
    )


def test_the_filters_are_made_for_16_khz_and_heard_at_24():
    """Centres at 33, 67, 103 … 11,600 Hz of the sound: half as high again as their names say."""
    filters = mel_filters()
    assert filters.shape == (1025, 80)
    bin_hz = 24000 / 2048
    edges = 2595 * np.log10(1 + 8000 / 700) * np.arange(82) / 81
    centres = 1.5 * 700 * (10 ** (edges / 2595) - 1)[1:-1]
    assert centres[[0, 1, 2, 79]] == pytest.approx([33, 67, 103, 11600], rel=0.02)
    heights = filters.argmax(axis=0) * bin_hz
    assert np.abs(heights - centres).max() < bin_hz
    assert filters.max() <= 1
    assert filters[:, 1:].sum(axis=0).min() > 0  # the lowest lies between two bins


def test_the_filters_are_triangles_of_height_one_between_the_edges_of_htk_mels():
    def hertz(mel):
        return 700.0 * (math.exp(mel / 1127.0) - 1.0)  # 2595 lg is 1127 ln, nearly

    top = 1127.0 * math.log(1.0 + 8000 / 700)
    edges = [hertz(top * i / 81) for i in range(82)]
    wanted = np.zeros((1025, 80))
    for k, j in itertools.product(range(1025), range(80)):
        low, peak, high = edges[j : j + 3]
        hz = 8000 * k / 1024
        if low < hz < high:
            wanted[k, j] = (hz - low) / (peak - low) if hz <= peak else (high - hz) / (high - peak)
    np.testing.assert_allclose(mel_filters(), wanted, atol=2e-4)


@pytest.mark.parametrize("hz", [300, 1000, 4000])
def test_a_tone_lands_in_the_filter_of_two_thirds_of_its_pitch(hz):
    mel = log_mel(tone(hz))
    edges = 700 * (10 ** (2595 * np.log10(1 + 8000 / 700) * np.arange(82) / 81 / 2595) - 1)
    nearest = np.abs(edges[1:-1] * 1.5 - hz).argmin()
    assert abs(int(mel[:, 40].argmax()) - int(nearest)) <= 1


def test_the_mel_is_a_log_with_a_floor_shifted_by_four_and_divided_by_four():
    mel = log_mel(np.zeros(24000, np.float32))
    assert mel.shape == (80, 81)
    assert mel == pytest.approx((np.log(1e-5) + 4) / 4)
    loud, louder = log_mel(tone(1000)), log_mel(tone(1000, amplitude=1.0))
    assert loud.dtype == np.float32
    assert np.median((louder - loud)[loud > 1]) == pytest.approx(np.log(4) / 4, rel=1e-3)


def test_its_frames_are_windows_of_1200_in_2048_every_300_reflected():
    rng = np.random.default_rng(0)
    pcm = rng.standard_normal(6000).astype(np.float32)
    frame = np.pad(pcm.astype(np.float64), 1024, mode="reflect")[300 * 5 : 300 * 5 + 2048]
    window = np.zeros(2048)
    window[424:1624] = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(1200) / 1200)
    power = np.abs(np.fft.rfft(frame * window)) ** 2
    wanted = (np.log(1e-5 + power @ mel_filters()) + 4) / 4
    np.testing.assert_allclose(log_mel(pcm)[:, 5], wanted, rtol=1e-5, atol=1e-5)


def test_energy_is_the_log_of_the_norm_of_powers():
    mel = log_mel(tone(500))
    power = np.exp(4 * mel[:, 30].astype(np.float64) - 4)
    assert energy(mel)[30] == pytest.approx(np.log(np.sqrt((power**2).sum())), rel=1e-5)


def test_a_reference_is_trimmed_and_needs_65_frames():
    quiet = np.zeros(12000, np.float32)
    pcm = np.concatenate([quiet, tone(200, 1.5), quiet])
    trimmed = trim_silence(pcm)
    assert 1.5 * 24000 <= len(trimmed) <= 1.5 * 24000 + 4 * 2048
    mel = style_mel(pcm)
    assert mel.shape == (1, 1, 80, 1 + len(trimmed) // 300)
    assert style_mel(tone(200, 65 * 300 / 24000)).shape[3] >= 65
    with pytest.raises(ValueError, match="at least 65 frames"):
        style_mel(tone(200, 0.78))


def test_of_a_long_reference_the_first_ten_seconds_count():
    pcm = np.concatenate([tone(200, 10.5), tone(500, 3.0)])
    mel = style_mel(pcm)
    assert mel.shape == (1, 1, 80, 800)
    assert np.array_equal(mel[..., :790], log_mel(pcm)[None, None, :, :790])


@pytest.mark.parametrize("samples", [0, 1, 600, 12_000])
def test_a_reference_of_silence_or_nothing_is_told_as_too_short(samples):
    with pytest.raises(ValueError, match=r"at least 65 frames .* got 0"):
        style_mel(np.zeros(samples, np.float32))


@pytest.mark.parametrize("samples", [1, 600, 1200])
def test_a_click_is_told_as_too_short(samples):
    with pytest.raises(ValueError, match=f"at least 65 frames.*got {1 + samples // 300}"):
        style_mel(np.ones(samples, np.float32))


def test_what_is_no_sound_of_one_channel_is_told():
    for take in (style_mel, log_mel):
        with pytest.raises(ValueError, match=r"one channel, \(samples,\), got shape \(2, 24000\)"):
            take(np.zeros((2, 24_000), np.float32))
        for broken in (np.nan, np.inf):
            pcm = tone(200)
            pcm[100] = broken
            with pytest.raises(ValueError, match="expected finite samples"):
                take(pcm)
    with pytest.raises(ValueError, match="more than 1024 samples, got 1024"):
        log_mel(np.zeros(1024, np.float32))


@pytest.mark.parametrize("samples", [1025, 1199, 1200, 1201, 24_001])
def test_a_mel_has_a_frame_more_than_the_hops_that_fit(samples):
    assert log_mel(tone(200, 2)[:samples]).shape == (80, 1 + samples // 300)


def test_trimming_keeps_frames_of_512_within_30_db_of_the_loudest():
    """A frame is the 2048 samples around its number times 512, zeros beyond the ends."""
    pcm = np.zeros(24_000, np.float32)
    pcm[8000:16_000] = tone(300)[:8000]
    pcm[2000:3000] = 0.5 * 10 ** (-33 / 20)  # below: of a constant, 30 dB under the tone's power
    pcm[20_000:21_500] = 0.5 * 10 ** (-20 / 20)  # above
    padded = np.pad(pcm.astype(np.float64), 1024)
    count = 1 + len(pcm) // 512
    power = np.array([np.square(padded[512 * i : 512 * i + 2048]).mean() for i in range(count)])
    loud = np.flatnonzero(10 * np.log10(power / power.max() + 1e-30) > -30)
    first, last = loud[0] * 512, min(len(pcm), (loud[-1] + 1) * 512)
    assert 6500 < first <= 8000
    assert 21_500 < last < 23_000
    assert np.array_equal(trim_silence(pcm), pcm[first:last])


def test_the_source_s_spectrum_is_magnitudes_over_angles_of_120_frames_an_alignment_frame():
    pcm = np.random.default_rng(1).standard_normal(600).astype(np.float32)
    got = source_spectrum(np.pad(pcm, 10, mode="reflect"))
    assert got.shape == (22, 121)
    padded = np.pad(pcm.astype(np.float64), 10, mode="reflect")
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(20) / 20)
    spectrum = np.fft.rfft(padded[35:55] * window)
    np.testing.assert_allclose(got[:11, 7], np.abs(spectrum), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got[11:, 7], np.angle(spectrum), rtol=1e-4, atol=1e-5)
