"""A clause of one phoneme and of 510, two at once, by exported graphs; and what is refused."""

import itertools

import numpy as np
import pytest

from rt_avatar.engines.networks.graph import export_onnx
from rt_avatar.engines.networks.styletts2.graphs import graphs
from rt_avatar.engines.styletts2.speaker import Delivery
from rt_avatar.engines.styletts2.symbols import encode
from tests.engines.networks.styletts2.exported import session
from tests.engines.networks.styletts2.spoken import TOKENS, spoken

pytestmark = pytest.mark.networks


@pytest.mark.parametrize("phonemes", [1, 510])
def test_the_shortest_and_the_longest_clause_are_said_whole(voice, phonemes):
    tokens = encode("ə" * phonemes, "both")
    clause = voice.clause(tokens, delivery=Delivery(100.0 if phonemes > 1 else 1.0))
    assert len(clause.frames) == len(tokens)
    assert clause.frames.min() >= 1
    assert clause.x.shape[2] == len(clause.pitch) == 2 * clause.frames.sum()
    sound = spoken(voice.speaker, clause)
    assert len(sound) == clause.samples > 0
    assert np.isfinite(sound).all()
    assert sound[-300:].std() > 0


def test_the_same_seed_says_the_same_and_another_not(voice):
    clause = voice.clause()
    first = spoken(voice.speaker, clause, seed=3)
    assert np.array_equal(first, spoken(voice.speaker, voice.clause(), seed=3))
    assert not np.allclose(first, spoken(voice.speaker, clause, seed=4), atol=1e-3)


def test_two_clauses_at_once_do_not_meet(voice):
    one, two = voice.clause(), voice.clause(TOKENS[::-1])
    alone = [spoken(voice.speaker, one, seed=1), spoken(voice.speaker, two, seed=2)]
    both = [voice.speaker.sound(one, seed=1), voice.speaker.sound(two, seed=2)]
    pieces = [[], []]
    for turn in itertools.zip_longest(*both):
        for made, piece in zip(pieces, turn, strict=True):
            made.append(np.zeros(0) if piece is None else piece)
    for made, wanted in zip(pieces, alone, strict=True):
        assert np.array_equal(np.concatenate(made), wanted)


@pytest.mark.parametrize("tokens", [[0, 57, 0], TOKENS], ids=len)
def test_the_exported_graphs_say_a_clause_as_torch_does(voice, tokens, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / voice.config.name
    folder.mkdir(exist_ok=True)
    ran = {}
    for graph in graphs(voice.network):
        name, file = graph.name.removeprefix("styletts2_"), folder / f"{graph.name}.onnx"
        if name in {"text", "bert", "durations", "curves", "trunk", "window", "step"}:
            if not file.exists():
                export_onnx(graph, file)
            ran[name] = session(file)
    wanted, speaker = voice.clause(tokens), voice.speaker_of(**ran)
    clause = speaker.prepare(tokens, voice.style)
    assert np.array_equal(clause.frames, wanted.frames)
    np.testing.assert_allclose(clause.pitch, wanted.pitch, rtol=0, atol=1e-2)
    sound, heard = (spoken(each, wanted, seed=3) for each in (speaker, voice.speaker))
    scale = np.abs(heard).max()
    np.testing.assert_allclose(sound / scale, heard / scale, rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [([], "expected 1 to 512, got 0"), ([5] * 513, "expected 1 to 512, got 513"),
     ([0, 178], "expected 0 to 177, got 178"), ([0, -1], "expected 0 to 177, got -1")],
)  # fmt: skip
def test_tokens_that_are_none_are_told(voice, tokens, message):
    with pytest.raises(ValueError, match=f"tokens: {message}"):
        voice.clause(tokens)
    with pytest.raises(ValueError, match=f"tokens: {message}"):
        voice.speaker.sample_style(tokens, voice.reference, 0)


def test_content_of_another_length_is_told(nano):
    text = nano.graphs["text"]({"tokens": np.array([TOKENS])})["text"]
    for other in (text[:, :, :-1], np.concatenate([text, text], axis=2)):
        with pytest.raises(ValueError, match=f"a vector for each of {len(TOKENS)} tokens"):
            nano.clause(text=other)


@pytest.mark.parametrize("part", ["durations", "curves", "trunk", "generator"])
def test_a_network_that_gives_no_numbers_is_told_and_not_heard(voice, part):
    if part == "generator":
        part = "step" if voice.config.name == "nano" else "window"

    def broken(inputs):
        return {
            name: np.full_like(made, np.nan) for name, made in voice.graphs[part](inputs).items()
        }

    speaker = voice.speaker_of(**{part: broken})
    with pytest.raises(RuntimeError, match="NaN or infinity"):
        spoken(speaker, speaker.prepare(TOKENS, voice.style))
