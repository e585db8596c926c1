"""A clause is said by the graphs together, the same whole or in atoms."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from engines.networks.styletts2.graphs import generator_shape, graphs
from engines.styletts2.pulses import PulseSpectra
from engines.styletts2.source import HarmonicSource
from engines.styletts2.speaker import Speaker
from engines.styletts2.spectrum import source_spectrum, style_mel
from engines.styletts2.style import mix
from engines.styletts2.symbols import encode
from engines.styletts2.windows import VoiceMoments
from tests.engines.networks.styletts2.tiny import LIBRI, LJ, SMALL_NANO, lean, network

pytestmark = pytest.mark.networks

TOKENS = encode("həlˈoʊ , wˈɜːld !")


def runner(graph):
    def run(inputs):
        given = [torch.from_numpy(np.asarray(inputs[name])) for name in graph.inputs]
        with torch.no_grad():
            out = graph.module(*given)
        out = out if isinstance(out, tuple) else (out,)
        return {name: part.numpy() for name, part in zip(graph.outputs, out, strict=True)}

    return run


class Made:
    def __init__(self, config):
        self.config = config
        self.network = network(config)
        self.graphs = {g.name.removeprefix("styletts2_"): runner(g) for g in graphs(self.network)}
        self.speaker = Speaker(
            self.graphs, config.recipe, generator_shape(self.network), 2 * config.style
        )
        self.reference = np.random.default_rng(0).standard_normal((1, 8)).astype(np.float32)

    def clause(self, **options):
        style = mix(self.reference, self.reference, None, self.config.recipe.style)
        return self.speaker.prepare(TOKENS, style, **options)


@pytest.fixture(scope="module")
def nano():
    return Made(SMALL_NANO)


@pytest.fixture(scope="module", params=[lean(LJ), lean(LIBRI)], ids=lambda config: config.name)
def official(request):
    return Made(request.param)


def test_nano_says_a_clause_in_atoms_and_it_is_the_whole(nano):
    clause = nano.clause()
    pieces = list(nano.speaker.sound(clause, seed=3))
    assert {len(piece) for piece in pieces[:-1]} == {4800}
    sound = np.concatenate(pieces)
    assert len(sound) == clause.samples
    source = PulseSpectra(clause.pitch, 1200, seed=3)(0, len(clause.pitch))
    with torch.no_grad():
        whole = nano.network.decoder.generator(
            *(torch.from_numpy(part) for part in (clause.x, clause.style, source))
        )
    np.testing.assert_allclose(sound, whole[0].numpy(), rtol=0, atol=2e-5)
    assert np.isfinite(sound).all()


def test_the_first_atom_of_nano_needs_no_more_than_the_layers_look_ahead(nano):
    calls = []
    step = nano.graphs["step"]

    def counted(inputs):
        calls.append(inputs["x"].shape[2])
        return step(inputs)

    speaker = Speaker(
        {**nano.graphs, "step": counted}, SMALL_NANO.recipe, generator_shape(nano.network)
    )
    clause = nano.clause()
    next(speaker.sound(clause))
    assert sum(calls) <= 16 + 12 + 2  # an atom, the layers' lag, the transform's overlap
    assert len(calls) == 1


def test_with_the_sentence_s_statistics_windows_are_the_whole_sentence(official):
    clause = official.clause()
    shape = generator_shape(official.network)
    source = HarmonicSource(shape.weight, shape.bias, seed=3)
    sound = np.concatenate([source.push(clause.pitch), source.flush()])
    columns = source_spectrum(sound) if shape.layout.extra else sound[None]
    whole = official.graphs["whole"](
        {"x": clause.x, "style": clause.style, "source": columns[None]}
    )
    given = VoiceMoments(whole["moments"], renew=False)
    pieces = list(official.speaker.sound(clause, given, seed=3))
    together = np.concatenate(pieces)
    assert len(together) == clause.samples
    scale = np.abs(whole["pcm"]).max()
    wanted = whole["pcm"][0, 0, : len(together)]
    np.testing.assert_allclose(together / scale, wanted / scale, rtol=0, atol=1e-4)


def test_without_statistics_they_run(official):
    clause = official.clause()
    sound = np.concatenate(list(official.speaker.sound(clause)))
    assert len(sound) == clause.samples
    assert np.isfinite(sound).all()
    assert np.array_equal(sound, np.concatenate(list(official.speaker.sound(clause))))


def test_only_hifigan_s_alignment_is_shifted(official):
    seen = {}
    trunk = official.graphs["trunk"]

    def watched(inputs):
        seen.update(inputs)
        return trunk(inputs)

    speaker = Speaker(
        {**official.graphs, "trunk": watched},
        official.config.recipe,
        generator_shape(official.network),
    )
    style = mix(official.reference, official.reference, None, official.config.recipe.style)
    clause = speaker.prepare(TOKENS, style, speed=1.7)
    text = official.graphs["text"]({"tokens": np.array([TOKENS])})["text"]
    plain = np.repeat(text, clause.frames, axis=2)
    if official.config.name == "libritts":
        plain = np.concatenate([plain[:, :, :1], plain[:, :, :-1]], axis=2)
    np.testing.assert_array_equal(seen["aligned"], plain)


def test_ljspeech_lengthens_the_last_token_of_a_lone_sentence_only(official):
    alone, among = official.clause(), official.clause(is_alone=False)
    longer = 5 if official.config.name == "ljspeech" else 0
    assert (alone.frames - among.frames).tolist() == [0] * (len(TOKENS) - 1) + [longer]


def test_libritts_drops_its_last_pulse_and_more_of_it_in_long_form(official):
    for is_alone, samples in ((True, 50), (False, 100)):
        clause = official.clause(is_alone=is_alone)
        wanted = samples if official.config.name == "libritts" else 0
        assert clause.samples == 600 * clause.frames.sum() - wanted


@pytest.mark.parametrize("guidance", [1.0, 2.0])
def test_a_style_is_sampled_by_the_graphs_and_repeats(official, guidance):
    recipe = replace(official.config.recipe.style, guidance=guidance)
    reference = official.reference if official.config.name == "libritts" else None
    first = official.speaker.sample_style(TOKENS, recipe, reference, seed=5)
    assert first.shape == (1, 8)
    assert np.isfinite(first).all()
    assert np.array_equal(first, official.speaker.sample_style(TOKENS, recipe, reference, seed=5))
    assert not np.allclose(first, official.speaker.sample_style(TOKENS, recipe, reference, seed=6))


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


def test_faster_is_shorter(nano):
    assert nano.clause(speed=2.0).samples < nano.clause().samples
