"""HuBERT: the published classes' answer, and padding that changes nothing."""

import pytest
import torch
from transformers import HubertModel

from rt_avatar.engines.encoders.waveform import features_of
from rt_avatar.engines.networks.encoders.speech import feature_mask
from tests.engines.networks.encoders.tiny import GROUP, SPEECH, speech

pytestmark = pytest.mark.networks


@pytest.mark.parametrize("config", [SPEECH, GROUP])
def test_it_says_what_transformers_says(config):
    encoder, wave = speech(config), torch.randn(2, 4000)
    with torch.no_grad():
        wanted = encoder.hubert(wave).last_hidden_state
        got = encoder(wave)
    torch.testing.assert_close(got, wanted, atol=1e-5, rtol=0)
    assert isinstance(encoder.hubert, HubertModel)


@pytest.mark.parametrize("samples", [400, 719, 720, 3999, 16_000])
def test_features_come_fifty_a_second(samples):
    with torch.no_grad():
        assert speech()(torch.randn(1, samples)).shape == (1, features_of(samples), SPEECH.width)


def test_a_padded_utterance_gives_what_it_gives_alone():
    encoder = speech()
    lengths = (1500, 4000, 719)
    waves = [torch.randn(length) for length in lengths]
    batch = torch.nn.utils.rnn.pad_sequence(waves, batch_first=True)
    with torch.no_grad():
        together = encoder(batch, torch.tensor(lengths))
        for wave, row in zip(waves, together, strict=True):
            alone = encoder(wave[None])[0]
            torch.testing.assert_close(row[: len(alone)], alone, atol=1e-5, rtol=0)
            assert not row[len(alone) :].any()


def test_what_stands_in_the_padding_does_not_matter():
    encoder, lengths = speech(), torch.tensor([1500])
    wave = torch.randn(1, 4000)
    other = wave.clone()
    other[:, 1500:] = 50 * torch.randn(1, 2500)
    with torch.no_grad():
        assert torch.equal(encoder(wave, lengths), encoder(other, lengths))


def test_the_mask_counts_features_as_the_waveform_does():
    lengths = torch.tensor([0, 399, 400, 719, 720, 5000])
    counted = feature_mask(lengths, 20).sum(1).tolist()
    assert counted == [features_of(int(length)) for length in lengths]


def test_a_norm_over_time_refuses_padding():
    with pytest.raises(ValueError, match="one utterance at a time"):
        speech(GROUP)(torch.randn(2, 4000), torch.tensor([4000, 1500]))
