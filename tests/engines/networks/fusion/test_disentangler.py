"""Styles and classes from the signal tokens; the two factors and the two modalities stay apart."""

from dataclasses import replace

import pytest
import torch

from rt_avatar.engines.networks.fusion.config import EMPATHEIA_DISENTANGLER, NANO_DISENTANGLER
from rt_avatar.engines.networks.fusion.disentangler import Known, StyleDisentangler
from tests.engines.networks.fusion.tiny import BLOCK, INPUTS, STYLES, disentangler

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def _no_gradients():
    with torch.no_grad():
        yield


def signals(replies=2):
    return torch.randn(replies, 16, INPUTS), torch.randn(replies, 16, INPUTS)


@pytest.mark.parametrize("name", STYLES)
def test_shapes(name):
    made = disentangler(STYLES[name])(*signals())
    assert made.speech.shape == (2, 7)
    assert made.video.shape == (2, 5)
    assert [tuple(part.shape) for part in made.logits] == [(2, 7), (2, 4), (2, 2), (2, 3)]
    assert made.emotion.mean.shape == made.profile.log_variance.shape == (2, 2, BLOCK.width)


@pytest.mark.parametrize("name", STYLES)
def test_replies_in_a_batch_do_not_see_each_other(name):
    model, (speech, video) = disentangler(STYLES[name]), signals()
    together, alone = model(speech, video), model(speech[1:], video[1:])
    torch.testing.assert_close(together.speech[1:], alone.speech, atol=1e-6, rtol=0)
    torch.testing.assert_close(together.logits.tone[1:], alone.logits.tone, atol=1e-6, rtol=0)


def test_the_latents_are_their_means_when_nothing_is_given():
    model, (speech, video) = disentangler(), signals()
    first, second = model(speech, video), model(speech, video)
    assert torch.equal(first.speech, second.speech)
    noise = (torch.randn(2, 2, BLOCK.width), torch.zeros(2, 2, BLOCK.width))
    moved = model(speech, video, noise=noise)
    assert not torch.allclose(moved.logits.emotion, first.logits.emotion)
    assert torch.equal(moved.logits.age, first.logits.age)  # of the profile, which had none


def test_each_modality_reaches_both_styles_and_is_told_apart():
    model, (speech, video) = disentangler(), signals()
    plain = model(speech, video)
    heard = model(speech + 1.0, video)
    seen = model(speech, video + 1.0)
    turned = model(video, speech)
    for other in (heard, seen, turned):
        assert not torch.allclose(other.speech, plain.speech, atol=1e-4)
        assert not torch.allclose(other.video, plain.video, atol=1e-4)


def test_a_signal_that_is_left_out_touches_nothing():
    model, (speech, video) = disentangler(), signals()
    mask = torch.ones(2, 32)
    mask[:, 16:] = 0
    first = model(speech, video, mask)
    second = model(speech, 50 * torch.randn_like(video), mask)
    assert torch.equal(first.speech, second.speech)
    assert torch.equal(first.video, second.video)
    assert not torch.allclose(first.speech, model(speech, video).speech)


def test_emotion_and_profile_are_made_apart():
    model, (speech, video) = disentangler(), signals()
    before = model(speech, video).logits
    for parameter in model.emotion.parameters():
        parameter.zero_()
    after = model(speech, video).logits
    assert torch.equal(after.age, before.age)
    assert torch.equal(after.gender, before.gender)
    assert torch.equal(after.tone, before.tone)
    assert not torch.allclose(after.emotion, before.emotion)


def test_sizes_fit_the_generators():
    from rt_avatar.engines.networks.dreamtalk.config import NANO as NANO_FACE
    from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL as FACE
    from rt_avatar.engines.networks.styletts2.config import LIBRITTS as VOICE
    from rt_avatar.engines.networks.styletts2.config import NANO as NANO_VOICE

    pairs = [
        (EMPATHEIA_DISENTANGLER, VOICE, FACE),
        (NANO_DISENTANGLER, NANO_VOICE, NANO_FACE),
    ]
    for config, voice, face in pairs:
        assert config.acoustic == config.prosodic == voice.style
        assert config.video == face.model_size
    with torch.device("meta"):
        official = StyleDisentangler(EMPATHEIA_DISENTANGLER)
        nano = StyleDisentangler(NANO_DISENTANGLER)
    assert sum(p.numel() for p in official.parameters()) == 69_370_384
    assert sum(p.numel() for p in nano.parameters()) == 672_912


def test_who_answers_and_what_is_felt_reach_the_styles_where_they_are_known():
    model, (speech, video) = disentangler(replace(STYLES["plain"], sees="known")), signals(1)
    felt = torch.randn(2, 1, INPUTS)
    person, other = torch.tensor([[1, 0, 2]]), torch.tensor([[2, 0, 2]])

    def made(profile, emotion):
        return model(speech, video, known=Known(profile, emotion)).speech

    assert torch.equal(made(person, felt[0]), made(person, felt[0]))
    assert not torch.allclose(made(person, felt[0]), made(other, felt[0]), atol=1e-4)
    assert not torch.allclose(made(person, felt[0]), made(person, felt[1]), atol=1e-4)
