"""In any chunks, what streams is what the whole utterance gives; the look-ahead is the declared."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.dreamtalk.schedule import FEW_STEPS, Schedule, sample, spaced_steps
from rt_avatar.engines.dreamtalk.stream import (
    DenoiserStream,
    ExpressionSampler,
)
from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.networks.dreamtalk.folded import ContentFold, FoldedDenoiser, StyleFold
from tests.engines.dreamtalk.test_stream import CHUNKS, offline_windows, pushed, speech
from tests.engines.networks.dreamtalk.networks import NARROW, constants, network

pytestmark = pytest.mark.networks

SIZE, WIDTH = NARROW.audio_size, NARROW.model_size
SCHEDULE = Schedule.of(FEW_STEPS[3])
NET = network().net
FOLDED = FoldedDenoiser(NET)
CONSTANTS = constants(network(), SCHEDULE)
NULL = CONSTANTS["null_style"]


def run(module, outputs):
    """A graph on torch: named arrays in, named arrays out."""

    def ran(inputs):
        made = module(*(torch.tensor(value) for value in inputs.values()))
        made = made if isinstance(made, tuple) else (made,)
        return {name: value.numpy() for name, value in zip(outputs, made, strict=True)}

    return ran


def sampler(guidance: float = 1.0, step=None, schedule=SCHEDULE) -> ExpressionSampler:
    return ExpressionSampler(
        run(ContentFold(NET), ("content",)),
        run(StyleFold(NET), ("state", "query")),
        step or run(FOLDED, ("clean",)),
        schedule=schedule,
        guidance=guidance,
        **(CONSTANTS if schedule is SCHEDULE else constants(network(), schedule)),
    )


def open_stream(guidance: float = 1.0, seed: int = 5, schedule=SCHEDULE) -> DenoiserStream:
    made = sampler(guidance, schedule=schedule)
    return DenoiserStream(made, audio_size=SIZE, channels=64, seed=seed)


def test_reset_forgets():
    stream = open_stream()
    fresh = pushed(open_stream(), speech(20), [20])
    stream.set_style(np.ones(WIDTH, np.float32))
    stream.push(speech(15, seed=1))
    stream.reset()
    assert np.array_equal(pushed(stream, speech(20), [20]), fresh)


def offline(
    features: np.ndarray, style: np.ndarray, guidance: float = 1.0, schedule=SCHEDULE
) -> np.ndarray:
    """The plain network on the whole utterance, guidance as published: null + s (styled - null)."""
    windows = offline_windows(features)
    content = NET.content_encoder(torch.from_numpy(windows)[None])
    times = NET.time_table(schedule.steps)
    styles = [torch.from_numpy(vector)[None] for vector in (style, NULL)]

    def denoise(x, index):
        half = torch.from_numpy(x[: len(windows)])[None]  # both halves are the same x
        guesses = [NET(half, content, vector, times[index])[0].numpy() for vector in styles]
        return np.concatenate(guesses) if guidance != 1 else guesses[0]

    noise = keyed_noise(5, 0, len(windows), 64)
    return sample(denoise, noise, schedule, guidance)


@pytest.mark.parametrize("guidance", [1.0, 2.5])
@pytest.mark.parametrize("chunks", CHUNKS)
def test_streamed_expressions_are_those_of_the_whole_utterance(chunks, guidance):
    features = speech(41)
    style = np.random.default_rng(2).standard_normal(WIDTH).astype(np.float32)
    stream = open_stream(guidance)
    stream.set_style(style)
    expected = offline(features, style, guidance)
    np.testing.assert_allclose(pushed(stream, features, chunks), expected, atol=1e-5)


@pytest.mark.parametrize(
    "steps", [spaced_steps(10), spaced_steps(25), *FEW_STEPS.values()], ids=len
)
def test_with_any_steps_what_streams_is_what_the_whole_utterance_gives(steps):
    features, schedule = speech(25), Schedule.of(steps)
    style = np.random.default_rng(2).standard_normal(WIDTH).astype(np.float32)
    stream = open_stream(schedule=schedule)
    stream.set_style(style)
    expected = offline(features, style, schedule=schedule)
    np.testing.assert_allclose(pushed(stream, features, [9, 16]), expected, atol=1e-5)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 5, 6, 7, 12])
def test_utterances_shorter_than_a_window_are_the_whole_ones(length):
    stream = open_stream()
    if length < 2:  # less than a frame
        assert pushed(stream, speech(length), [length]).shape == (0, 64)
        return
    for utterance in range(2):  # of the second, only the noise is another
        got = pushed(stream, speech(length), [length // 2, length - length // 2])
        assert len(got) == length // 2
        if not utterance:
            np.testing.assert_allclose(got, offline(speech(length), NULL), atol=1e-5)


def test_guidance_of_one_runs_no_second_branch():
    rows = []

    def step(inputs):
        rows.append(len(inputs["x"]))
        return run(FOLDED, ("clean",))(inputs)

    for guidance, expected in ((1.0, {8, 2}), (2.0, {16, 4})):  # pushed, flushed
        stream = DenoiserStream(sampler(guidance, step), audio_size=SIZE, channels=64, seed=0)
        rows.clear()
        pushed(stream, speech(20), [20])
        assert set(rows) == expected


def test_guidance_towards_the_null_style_changes_nothing():
    plain = pushed(open_stream(), speech(20), [20])
    np.testing.assert_allclose(pushed(open_stream(3.0), speech(20), [20]), plain, atol=1e-5)


def test_the_measured_look_ahead_is_the_declared_one():
    """Each frame comes out with the feature that ends 125 ms after the frame's beginning."""
    stream, frame = open_stream(), 0
    for feature, row in enumerate(speech(60)):
        for _ in stream.push(row[None]):
            heard_ms = 20 * feature + 25  # a feature hears 25 ms from its own beginning
            assert heard_ms - 40 * frame == 125
            frame += 1
    assert frame == 28


def test_a_frame_changes_with_the_last_feature_of_its_look_ahead_and_none_later():
    features = speech(30)
    frames = pushed(open_stream(), features, [30])
    for feature in range(30):
        other = features.copy()
        other[feature] += 1
        moved = np.abs(pushed(open_stream(), other, [30]) - frames).max(1) > 1e-6
        assert moved.tolist() == [abs(feature - 2 * n) <= 5 for n in range(15)]


def test_frames_are_counted_through_utterances():
    """The noise of a second utterance is not the first's again."""
    stream, features = open_stream(), speech(20)
    first = pushed(stream, features, [20])
    second = pushed(stream, features, [20])
    assert not np.allclose(first, second, atol=1e-3)
    assert np.array_equal(first, pushed(open_stream(), features, [20]))


def test_streams_do_not_leak_into_each_other():
    one, other = open_stream(), open_stream(seed=6)
    got = []
    for part in np.split(speech(40), 8):
        got.append(one.push(part))
        other.set_style(np.ones(WIDTH, np.float32))
        other.push(-part)
    whole = pushed(open_stream(), speech(40), [40])
    np.testing.assert_allclose(np.concatenate([*got, one.flush()]), whole, atol=1e-5)


def test_other_steps_are_taken_from_the_next_frame_on_and_back():
    quick = sampler(schedule=Schedule.of(FEW_STEPS[1]))
    features, streams = speech(36), [open_stream() for _ in range(3)]
    streams[1].use(quick)
    got = []
    for first, used in ((0, None), (12, quick), (24, sampler())):
        if used:
            streams[2].use(used)
        got.append([stream.push(features[first : first + 12]) for stream in streams])
    for (full, few, mixed), same, other in zip(got, (0, 1, 0), (1, 0, 1), strict=True):
        assert np.array_equal(mixed, (full, few)[same])
        assert not np.allclose(mixed, (full, few)[other], atol=1e-3)


def test_wrong_shapes_are_refused_and_leave_the_stream_as_it_was():
    stream = open_stream()
    stream.push(speech(10))
    with pytest.raises(ValueError, match=r"got \(4, 7\)"):
        stream.push(np.zeros((4, 7), np.float32))
    with pytest.raises(ValueError, match=r"got \(3,\)"):
        stream.set_style(np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="style of finite numbers"):
        stream.set_style(np.full(WIDTH, np.nan, np.float32))
    rest = np.concatenate((stream.push(speech(20)[10:]), stream.flush()))
    whole = pushed(open_stream(), speech(20), [20])
    np.testing.assert_allclose(rest, whole[-len(rest) :], atol=1e-5)
    with pytest.raises(ValueError, match="1 frame or more; got 0"):
        DenoiserStream(sampler(), audio_size=SIZE, channels=64, seed=0, blend_frames=0)
    with pytest.raises(ValueError, match="row of time"):
        ExpressionSampler(dict, dict, dict, np.zeros((2, 4), np.float32), SCHEDULE, null_style=NULL)
