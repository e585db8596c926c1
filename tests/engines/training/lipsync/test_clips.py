"""Examples: sound and face belong together, seeds decide, voices held out stay out."""

import numpy as np
import pytest

from rt_avatar.engines.lipsync.channels import LIPS, NODS, OUTPUTS, SHAPE_NAMES, pack, unpack
from rt_avatar.engines.motion.spectrum import BANDS
from rt_avatar.engines.training.lipsync.clips import (
    HELD_OUT,
    Cast,
    Speech,
    make_examples,
    speak,
    teach,
    training_cast,
)
from rt_avatar.engines.training.lipsync.sentences import random_phrase
from rt_avatar.engines.types import CHUNK_SAMPLES, FRAME_SAMPLES, SPEECH_RATE_HZ, Phoneme

pytestmark = pytest.mark.unit

ESPEAK = Cast(HELD_OUT.espeak, ())  # flite need not be installed


def test_voices_held_out_are_not_trained_on():
    trained = training_cast()
    assert len(trained.espeak) > 50
    assert not set(trained.espeak) & set(HELD_OUT.espeak)
    assert not set(trained.flite) & set(HELD_OUT.flite)


def test_phrases_differ_and_come_again_with_their_seed():
    one, same, other = (random_phrase(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same != other


def test_the_teacher_closes_lips_where_the_sounds_say_so():
    ms = SPEECH_RATE_HZ // 1000
    phonemes = (
        Phoneme("ɑː", 200 * ms, 400 * ms, 2),
        Phoneme("m", 400 * ms, 500 * ms),
        Phoneme("ɑː", 500 * ms, 700 * ms, 2),
    )
    told = teach(Speech(np.full(6 * CHUNK_SAMPLES, 0.1, np.float32), phonemes))
    assert told.shape == (30, OUTPUTS)
    frame = 450 * ms // FRAME_SAMPLES
    assert told[frame, LIPS] == 1.0
    assert told[frame - 4, LIPS] == 0.0
    assert told[frame - 4, SHAPE_NAMES.index("jawOpen")] > 0.4
    assert not told[-2:, : len(SHAPE_NAMES)].any()


def test_speech_is_ten_seconds_of_sound_and_sounds():
    speech = speak(ESPEAK, np.random.default_rng(3))
    assert len(speech.pcm) == 50 * CHUNK_SAMPLES
    assert {p.ipa for p in speech.phonemes} & {"p", "b", "m"}
    assert np.abs(speech.pcm).max() > 0.05


def test_examples_have_the_shapes_that_the_network_takes():
    examples = make_examples(ESPEAK, 2, seed=4)
    assert examples.heard.shape == (2, 1000, BANDS)
    assert examples.asked.shape == (2, 250, OUTPUTS)
    assert np.isfinite(examples.heard).all()
    assert np.isfinite(examples.asked).all()


def test_numbers_and_articulation_are_two_forms_of_one_thing():
    numbers = np.random.default_rng(5).random((5, OUTPUTS), np.float32)
    numbers[:, NODS] -= 0.5
    np.testing.assert_allclose(pack(unpack(numbers)), numbers, atol=1e-6)
