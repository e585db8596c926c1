"""Styles of a recorded voice and face, of whatever length; clauses of more than plans take."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.nano_tts.clause import clause_tokens
from rt_avatar.engines.nano_tts.engine import SHIPPED
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.nano_tts.voices import VOICES
from tests.engines.empatheia.torch.made import sound

pytestmark = pytest.mark.networks


def test_the_style_of_a_longer_clip_is_that_of_its_first_ten_seconds(engines):
    voice = sound(1.0, 5, 24_000)
    style_clip = np.random.default_rng(0).normal(0, 0.3, (300, 64)).astype(np.float32)
    face = engines.referred_to(voice, style_clip).face
    assert np.array_equal(face, engines.referred_to(voice, style_clip[:256]).face)
    assert not np.allclose(face, engines.referred_to(voice, style_clip[:100]).face, atol=1e-3)


@pytest.mark.parametrize("wrong", [np.zeros((0, 64)), np.zeros((5, 73)), np.full((5, 64), np.nan)])
def test_what_shows_no_style_is_refused(engines, wrong):
    with pytest.raises(ValueError, match="style: expected"):
        engines.referred_to(sound(1.0, 5, 24_000), wrong)


def test_a_clause_of_more_symbols_than_plans_take_is_not_guided(engines, monkeypatch):
    monkeypatch.setattr(engines, "manifest", replace(engines.manifest, symbols=68))
    tokens = clause_tokens(read_clause("Call " + "0800 1111 777, " * 4).words)
    assert len(tokens.symbol) > 68
    who = NanoModel(SHIPPED).speaker(VOICES["young_female"].speakers)
    assert engines.guide_nano_voice(np.zeros((9, 256), np.float32), tokens, who) is None
