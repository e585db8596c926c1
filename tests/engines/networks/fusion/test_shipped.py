"""The modules that come with the package have learnt: what the voice says, and how."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.llm.profile import PROFILES, profile_classes
from rt_avatar.engines.llm.signals import SIGNALS
from rt_avatar.engines.llm.templates import NANO_PROFILE, Turn
from rt_avatar.engines.motion.style_vector import read_vector as read_face
from rt_avatar.engines.nano_tts.clause import clause_tokens
from rt_avatar.engines.nano_tts.style_vector import read_vector, voice_of
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.nano_tts.voices import VOICES
from rt_avatar.engines.networks.fusion.disentangler import Known
from rt_avatar.engines.networks.fusion.shipped import load_fusion
from rt_avatar.engines.networks.llm.shipped import load_shipped
from rt_avatar.engines.training.fusion.targets import contents_of
from rt_avatar.engines.training.voice.export import load_acoustic
from rt_avatar.reasoner.styles import response_style

pytestmark = pytest.mark.networks

TEXT = "I am so sorry to hear that, were you close?"


@pytest.fixture(autouse=True)
def _no_gradients():
    with torch.no_grad():
        yield


def states_of(text):
    """Return states of a text's tokens, as of a reply without anything before it."""
    model, tokens = load_shipped()
    ids = torch.tensor([tokens.encode(f"<avatar>{text}")])
    return model.model.model(ids).last_hidden_state[:, 1:]


def test_contents_are_the_voices_own_and_more():
    synchronizer, acoustic = load_fusion()[0], load_acoustic()
    sounds = clause_tokens(read_clause(TEXT).words)
    wanted = contents_of(acoustic, [sounds])
    reply = states_of(TEXT)
    mask = torch.ones(reply.shape[:2])
    made = synchronizer.speech(reply, mask, wanted.mask, own=wanted.own).content
    table = acoustic.symbol.weight
    nearest = torch.cdist(made[0] - (wanted.target - wanted.own)[0], table).argmin(1)
    assert np.array_equal(nearest.numpy(), sounds.symbol)
    left = (made - wanted.target).square().sum() / (wanted.own - wanted.target).square().sum()
    assert left < 0.6  # places and marks are told by the reply's states, at least in part


@pytest.mark.parametrize("fine", ["joyful", "sad", "surprised"])
def test_styles_are_those_of_who_answers_to_what_is_felt(fine):
    disentangler = load_fusion()[1]
    model, tokens = load_shipped()
    felt = model.embed(torch.tensor(tokens.encode(fine))).mean(0)
    asked = response_style(fine)
    for profile in PROFILES[::5]:
        chain = f"<scene><emo>{fine}</emo><cause><goal><reply>"
        text = NANO_PROFILE.text([Turn("user", "It was such a day.")], profile) + chain
        ids = torch.tensor([tokens.encode(text + "".join(SIGNALS))])
        states = model.model.model(ids).last_hidden_state + model.embed(ids)
        known = Known(torch.tensor([profile_classes(profile)]), felt[None])
        made = disentangler(states[:, -32:-16], states[:, -16:], known=known)
        manner = read_vector(made.speech[0].numpy())
        assert manner.delivery.formant == pytest.approx(VOICES[voice_of(profile)].formant, abs=0.04)
        assert read_face(made.video[0].numpy()).emotion == asked.face.emotion
