"""Contents have the lengths that the generators ask for, whatever stands in the padding."""

from dataclasses import replace

import pytest
import torch

from rt_avatar.engines.networks.fusion.config import EMPATHEIA_SYNCHRONIZER, NANO_SYNCHRONIZER
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from tests.engines.networks.fusion.tiny import BLOCK, CONTENT, CONTENTS, INPUTS, synchronizer

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def _no_gradients():
    with torch.no_grad():
        yield


def full(length):
    return torch.ones(1, length)


@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize(("tokens", "phonemes", "frames"), [(1, 1, 1), (5, 33, 9), (30, 2, 70)])
def test_lengths_are_the_generators(name, tokens, phonemes, frames):
    config, model = CONTENTS[name], synchronizer(CONTENTS[name])
    reply = torch.randn(1, tokens, INPUTS)
    speech = model.speech_content(reply, full(tokens), full(phonemes))
    video = model.video_content(reply, full(tokens), full(frames))
    assert speech.shape == (1, config.speech, phonemes)
    window = (11,) if config.window == 11 else ()
    assert video.shape == (1, frames, *window, config.video)
    assert speech.isfinite().all()
    assert video.isfinite().all()


@pytest.mark.parametrize("name", CONTENTS)
def test_a_padded_reply_gives_what_it_gives_alone(name):
    model = synchronizer(CONTENTS[name])
    reply = torch.randn(2, 9, INPUTS)
    reply_mask, wanted = torch.ones(2, 9), torch.ones(2, 20)
    reply_mask[1, 4:], wanted[1, 13:] = 0, 0
    together = model.video(reply, reply_mask, wanted).content
    alone = model.video(reply[1:, :4], full(4), full(13)).content
    torch.testing.assert_close(together[1, :13], alone[0], atol=1e-5, rtol=0)
    assert not together[1, 13:].any()
    reply[1, 4:] = 100.0
    assert torch.equal(model.video(reply, reply_mask, wanted).content, together)


def test_the_latent_is_its_mean_when_nothing_is_given():
    model, reply = synchronizer(), torch.randn(1, 5, INPUTS)
    wanted = full(7)
    first, second = (model.speech(reply, full(5), wanted) for _ in range(2))
    assert torch.equal(first.content, second.content)
    still = model.speech(reply, full(5), wanted, torch.zeros(1, 7, BLOCK.width))
    assert torch.equal(still.content, first.content)
    noise = torch.randn(1, 7, BLOCK.width)
    moved = model.speech(reply, full(5), wanted, noise)
    assert not torch.allclose(moved.content, first.content)
    assert torch.equal(moved.latent.mean, first.latent.mean)
    assert first.latent.log_variance.shape == (1, 7, BLOCK.width)


def test_every_token_of_the_reply_counts_and_so_does_its_place():
    model, reply = synchronizer(), torch.randn(1, 5, INPUTS)
    first = model.speech_content(reply, full(5), full(6))
    for token in range(5):
        other = reply.clone()
        other[0, token] += 1.0
        assert not torch.allclose(model.speech_content(other, full(5), full(6)), first)
    turned = model.speech_content(reply.flip(1), full(5), full(6))
    assert not torch.allclose(turned, first, atol=1e-4)
    blind = synchronizer(replace(CONTENT, text_places=False))
    torch.testing.assert_close(
        blind.speech_content(reply.flip(1), full(5), full(6)),
        blind.speech_content(reply, full(5), full(6)), atol=1e-5, rtol=0,
    )  # fmt: skip


def test_branches_share_nothing():
    model, reply = synchronizer(), torch.randn(1, 5, INPUTS)
    before = model.video_content(reply, full(5), full(6))
    for parameter in model.speech.parameters():
        parameter.zero_()
    assert torch.equal(model.video_content(reply, full(5), full(6)), before)


def test_sizes():
    with torch.device("meta"):
        official = ContentSynchronizer(EMPATHEIA_SYNCHRONIZER)
        nano = ContentSynchronizer(NANO_SYNCHRONIZER)
    assert sum(p.numel() for p in official.parameters()) == 69_221_120
    assert sum(p.numel() for p in nano.parameters()) == 641_410
    assert [len(official.video.vae.encoders), len(official.video.vae.decoders)] == [4, 4]
    assert official.video.query.shape == (512,)


def test_sizes_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="window of 1 or 11; got 5"):
        replace(CONTENT, window=5)
    with pytest.raises(ValueError, match="got 18"):
        replace(BLOCK, width=18)


def test_nano_fits_its_generators():
    from rt_avatar.engines.networks.dreamtalk.config import NANO as FACE
    from rt_avatar.engines.networks.llm.config import NANO as LLM
    from rt_avatar.engines.networks.styletts2.config import NANO as VOICE

    config = NANO_SYNCHRONIZER
    assert (config.speech, config.video) == (VOICE.hidden, FACE.model_size)
    assert config.inputs == LLM.width


def test_the_official_one_fits_its_generators():
    from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL as FACE
    from rt_avatar.engines.networks.llm.config import VICUNA_7B
    from rt_avatar.engines.networks.styletts2.config import LIBRITTS as VOICE

    config = EMPATHEIA_SYNCHRONIZER
    assert (config.speech, config.video) == (VOICE.hidden, FACE.model_size)
    assert config.inputs == VICUNA_7B.width


def test_contents_that_begin_from_the_voices_own_keep_it_where_the_gate_is_shut():
    model = synchronizer(replace(CONTENT, begins="own"))
    reply, own = torch.randn(1, 5, INPUTS), torch.randn(1, 7, CONTENT.speech)
    read = model.speech_content(reply, full(5), full(7), own)
    assert not torch.allclose(read, own.transpose(1, 2), atol=1e-2)
    other = model.speech_content(torch.randn(1, 5, INPUTS), full(5), full(7), own)
    assert not torch.allclose(read, other, atol=1e-3)  # the reply's states are read
    model.speech.gate.bias.fill_(-100.0)
    kept = model.speech_content(reply, full(5), full(7), own)
    torch.testing.assert_close(kept, own.transpose(1, 2), atol=1e-6, rtol=0)
