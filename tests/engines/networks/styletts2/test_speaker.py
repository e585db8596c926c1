"""A clause is said by the graphs together, the same whole or in chunks."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.styletts2.alignment import durations
from rt_avatar.engines.styletts2.sampling import noise_levels, split_step
from rt_avatar.engines.styletts2.speaker import Delivery
from rt_avatar.engines.styletts2.spectrum import style_mel
from rt_avatar.engines.styletts2.style import mix, style_from_table
from rt_avatar.engines.styletts2.symbols import encode
from rt_avatar.engines.styletts2.windows import VoiceMoments
from tests.engines.networks.styletts2.spoken import TOKENS, Made, spoken
from tests.engines.networks.styletts2.tiny import KOK, lean

pytestmark = pytest.mark.networks


def test_nano_says_a_clause_in_chunks_and_it_is_the_whole(nano):
    clause = nano.clause()
    pieces = list(nano.speaker.sound(clause, seed=3))
    assert {len(piece) for piece in pieces[:-1]} == {4800}
    sound = np.concatenate(pieces)
    assert len(sound) == clause.samples
    np.testing.assert_allclose(sound, nano.whole(clause, 3)[0], rtol=0, atol=2e-5)


def test_the_first_chunk_of_nano_needs_no_more_than_the_layers_look_ahead(nano):
    calls = []
    step = nano.graphs["step"]

    def counted(inputs):
        calls.append(inputs["x"].shape[2])
        return step(inputs)

    next(nano.speaker_of(step=counted).sound(nano.clause()))
    assert sum(calls) <= 16 + 12 + 2  # a chunk, the layers' lag, the transform's overlap
    assert len(calls) == 1


@pytest.mark.parametrize("tokens", [TOKENS, TOKENS[:6], TOKENS[:2]], ids=len)
def test_with_the_sentence_s_statistics_windows_are_the_whole_sentence(official, tokens):
    clause = official.clause(tokens)
    wanted, moments = official.whole(clause, 3)
    together = spoken(official.speaker, clause, VoiceMoments(moments, renew=False), seed=3)
    assert len(together) == clause.samples
    wanted, scale = wanted[: len(together)], np.abs(wanted).max()
    np.testing.assert_allclose(together / scale, wanted / scale, rtol=0, atol=1e-4)


def test_a_clause_of_a_second_and_a_half_is_the_whole_without_statistics_too(official):
    clause = official.clause(TOKENS[:9])
    assert 50 < len(clause.pitch) <= 120
    together = spoken(official.speaker, clause, seed=3)
    wanted = official.whole(clause, 3)[0][: len(together)]
    scale = np.abs(wanted).max()
    np.testing.assert_allclose(together / scale, wanted / scale, rtol=0, atol=1e-4)


def test_without_statistics_they_run(official):
    clause = official.clause()
    assert len(clause.pitch) > 120
    assert 0.3 < np.mean(clause.pitch > 10) < 1  # voiced and not, as speech is
    sound = spoken(official.speaker, clause)
    assert len(sound) == clause.samples
    assert np.isfinite(sound).all()
    assert sound.std() > 0.01


def test_only_hifigan_s_alignment_is_shifted_and_in_both_halves(official):
    seen = {}

    def watched(name):
        def run(inputs):
            seen[name] = inputs
            return official.graphs[name](inputs)

        return run

    speaker = official.speaker_of(trunk=watched("trunk"), curves=watched("curves"))
    clause = speaker.prepare(TOKENS, official.style, delivery=Delivery(1.7))
    ids = {"tokens": np.array([TOKENS])}
    known = official.graphs["bert"](ids)["text"]
    spoken = official.graphs["durations"]({"text": known, "style": official.style.prosodic})
    text = official.graphs["text"](ids)["text"]
    for made, of_tokens in ((seen["trunk"]["aligned"], text),
                            (seen["curves"]["encoded"], spoken["encoded"])):  # fmt: skip
        plain = np.repeat(of_tokens, clause.frames, axis=2)
        if official.config.name == "libritts":
            plain = np.concatenate([plain[:, :, :1], plain[:, :, :-1]], axis=2)
        np.testing.assert_array_equal(made, plain)


def test_the_predictor_is_given_the_prosodic_half_and_the_decoder_the_acoustic(voice):
    given = {}

    def watched(name):
        def run(inputs):
            if "style" in inputs:
                given.setdefault(name, inputs["style"])
            return voice.graphs[name](inputs)

        return run

    speaker = voice.speaker_of(**{name: watched(name) for name in voice.graphs})
    spoken(speaker, speaker.prepare(TOKENS, voice.style))
    prosodic, acoustic = {"durations", "curves"}, {"trunk", "window", "step"} & set(voice.graphs)
    assert set(given) == prosodic | acoustic
    assert all(np.array_equal(given[name], voice.style.prosodic) for name in prosodic)
    assert all(np.array_equal(given[name], voice.style.acoustic) for name in acoustic)
    assert not np.allclose(voice.style.prosodic, voice.style.acoustic)


def test_ljspeech_lengthens_the_last_token(official):
    ids = {"tokens": np.array([TOKENS])}
    known = official.graphs["bert"](ids)["text"]
    given = {"text": known, "style": official.style.prosodic}
    plain = durations(official.graphs["durations"](given)["logits"][0], 1.0)
    longer = 5 if official.config.name == "ljspeech" else 0
    added = official.clause().frames - plain
    assert added.tolist() == [0] * (len(TOKENS) - 1) + [longer]


def test_libritts_drops_its_last_pulse(official):
    clause = official.clause()
    wanted = 50 if official.config.name == "libritts" else 0
    assert clause.samples == 600 * clause.frames.sum() - wanted


def test_the_denoiser_is_told_the_sentence_the_voice_and_how_much_noise_is_left(official):
    asked, steps = [], 10

    def watched(inputs):
        asked.append(inputs)
        return official.graphs["guide"](inputs)

    reference = official.reference if official.config.name == "libritts" else None
    official.speaker_of(guide=watched).sample_style(TOKENS, official.reference, seed=5, first=2)
    assert len(asked) == 2 * (steps - 1)
    context = official.graphs["bert"]({"tokens": np.array([TOKENS])})["context"]
    levels = noise_levels(steps)
    sigmas = [s for pair in pairwise(levels) for s in (pair[0], split_step(*pair)[2])]
    for inputs, sigma in zip(asked, sigmas, strict=True):
        assert np.array_equal(inputs["context"], context)
        np.testing.assert_allclose(inputs["time"], [np.log(sigma) / 4], rtol=1e-6)
        assert inputs.get("reference") is reference
        assert inputs["scale"] == [1.5]
    start = 3 * keyed_noise(5, 20, 1, 8) / np.hypot(3, official.config.recipe.sigma_data)
    np.testing.assert_allclose(asked[0]["x"][0], start, rtol=1e-5)


def test_a_style_is_sampled_by_the_graphs_and_repeats(official):
    sample, reference = official.speaker.sample_style, official.reference
    first = sample(TOKENS, reference, seed=5)
    assert first.shape == (1, 8)
    assert np.isfinite(first).all()
    assert np.array_equal(first, sample(TOKENS, reference, seed=5))
    assert not np.allclose(first, sample(TOKENS, reference, seed=6))
    assert not np.allclose(first, sample(TOKENS, reference, seed=5, first=1))


def test_kokoro_says_a_clause_in_the_style_that_its_table_has_for_the_length():
    kokoro = Made(lean(KOK))
    table = np.random.default_rng(1).standard_normal((510, 1, 8)).astype(np.float32)
    tokens = encode("həlˈoʊ", kokoro.config.recipe.wrap)
    style = mix(None, style_from_table(table, tokens), None, kokoro.config.recipe.style)
    assert np.array_equal(np.hstack([style.acoustic, style.prosodic]), table[5])
    clause = kokoro.speaker.prepare(tokens, style)
    assert len(clause.frames) == 8  # both ends sound
    assert clause.samples == 600 * clause.frames.sum()
    sound, (wanted, _) = spoken(kokoro.speaker, clause, seed=2), kokoro.whole(clause, 2)
    np.testing.assert_allclose(sound, wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())


def test_a_recording_gives_the_style_of_both_encoders(nano):
    pcm = (0.3 * np.sin(np.arange(30_000) / 20)).astype(np.float32)
    style = nano.speaker.style_of(pcm)
    with torch.no_grad():
        wanted = nano.network.reference_style(torch.from_numpy(style_mel(pcm)))
    np.testing.assert_allclose(style, wanted.numpy(), rtol=1e-5)


def test_content_can_come_from_elsewhere(nano):
    text = nano.graphs["text"]({"tokens": np.array([TOKENS])})["text"]
    assert np.array_equal(nano.clause(text=text).x, nano.clause().x)
    assert not np.allclose(nano.clause(text=2 * text).x, nano.clause().x)


def test_pitch_and_its_range_are_those_asked_for_where_there_is_voice(official):
    plain = official.clause().pitch
    moved = official.clause(delivery=Delivery(pitch=1.2, pitch_range=0.5)).pitch
    voiced = plain > 10
    assert voiced.any()
    assert not voiced.all()
    assert np.array_equal(moved[~voiced], plain[~voiced])
    before, after = np.log2(plain[voiced]), np.log2(moved[voiced])
    assert after.mean() - before.mean() == pytest.approx(np.log2(1.2), abs=1e-4)
    assert after.std() == pytest.approx(0.5 * before.std(), rel=1e-3)


def test_silence_at_the_ends_is_no_longer_than_asked_for(nano):
    frames = nano.clause(delivery=Delivery(most_edge_frames=2)).frames
    assert frames[0] <= 2
    assert frames[-1] <= 2
    assert np.array_equal(frames[1:-1], nano.clause().frames[1:-1])


def test_faster_is_shorter(nano):
    assert nano.clause(delivery=Delivery(2.0)).samples < nano.clause().samples
