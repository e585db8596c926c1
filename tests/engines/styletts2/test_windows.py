"""Which statistics a window is given, and which of them are kept."""

import itertools

import numpy as np
import pytest

from rt_avatar.engines.styletts2.windows import (
    VoiceMoments,
    WindowedGenerator,
    settling_frames,
)

pytestmark = pytest.mark.unit


class Generator:
    """A scripted graph: its sound is the frame's number, its statistics the window's mean."""

    def __init__(self):
        self.momenta = []
        self.spans = []

    def __call__(self, inputs):
        x, momentum = inputs["x"], float(inputs["momentum"][0, 0])
        self.momenta.append(momentum)
        self.spans.append((int(x[0, 0, 0]), int(x[0, 0, -1]) + 1))
        own = np.full((1, 2, 3), x.mean(), np.float32)
        used = inputs["moments"] + momentum * (own - inputs["moments"])
        return {"pcm": np.repeat(x[:, :1], 300, axis=2), "used": used.astype(np.float32)}


def silence(first, last):
    return np.zeros((1, 1, 300 * (last - first)), np.float32)


def run(generator, moments, frames=80, voiced=None, emit=16):
    x = np.arange(frames, dtype=np.float32)[None, None]
    windows = WindowedGenerator(generator, emit=emit, margin=12)
    gate = np.ones(frames, bool) if voiced is None else voiced
    return list(windows.sound(x, np.zeros((1, 4), np.float32), silence, gate, moments))


def test_every_window_gives_its_own_frames_once_and_in_order():
    sound = np.concatenate(run(Generator(), VoiceMoments(channels=3)))
    assert np.array_equal(sound, np.repeat(np.arange(80), 300))


def test_given_statistics_are_never_changed():
    generator, given = Generator(), np.ones((1, 2, 3), np.float32)
    moments = VoiceMoments(given, renew=False)
    run(generator, moments)
    assert set(generator.momenta) == {0.0}
    assert np.array_equal(moments.value, given)
    assert generator.spans[0] == (0, 16 + 12)


def test_without_any_the_first_window_is_long_and_gives_them():
    generator = Generator()
    run(generator, VoiceMoments(channels=3), frames=200)
    # It keeps six times sixteen, for which it has margin: nothing is run again.
    assert generator.spans == [(0, 120), (84, 124), (100, 140), (116, 156), (132, 172), (148, 188),
                               (164, 200)]  # fmt: skip


def test_every_frame_counts_once_in_the_statistics():
    generator = Generator()
    run(generator, VoiceMoments(channels=3), frames=200)
    ends = [last for _, last in generator.spans]
    shares = [(end - before) / end for before, end in itertools.pairwise([0, *ends])]
    assert generator.momenta == pytest.approx(shares, rel=1e-6)


@pytest.mark.parametrize("frames", [1, 15, 16, 17, 28, 29, 119, 120])
def test_a_short_sentence_is_one_window_with_its_own_statistics(frames):
    generator = Generator()
    pieces = run(generator, VoiceMoments(channels=3), frames=frames)
    assert generator.spans == [(0, frames)]
    assert generator.momenta == [1.0]
    chunks, rest = divmod(frames, 16)
    assert [len(piece) for piece in pieces] == [4800] * chunks + [300 * rest] * (rest > 0)
    assert np.array_equal(np.concatenate(pieces), np.repeat(np.arange(frames), 300))


def test_a_pause_at_the_beginning_makes_the_first_window_longer():
    voiced = np.arange(400) >= 140
    generator = Generator()
    run(generator, VoiceMoments(channels=3), frames=400, voiced=voiced)
    assert generator.spans[0] == (0, 200)  # 60 of 200 are voiced
    assert settling_frames(np.zeros(50, bool)) == 50
    assert settling_frames(np.ones(500, bool)) == 120


def test_the_first_window_is_never_longer_than_five_seconds():
    """As long as plans for windows take, whatever is whispered or silent in it."""
    late, never = np.arange(1000) >= 300, np.zeros(1000, bool)
    assert settling_frames(late) == settling_frames(never) == 400
    generator = Generator()
    sound = np.concatenate(run(generator, VoiceMoments(channels=3), frames=1000, voiced=never))
    assert max(last - first for first, last in generator.spans) == 400
    assert np.array_equal(sound, np.repeat(np.arange(1000), 300))


def test_a_window_that_is_mostly_pause_does_not_count():
    generator, voiced = Generator(), np.ones(200, bool)
    voiced[130:180] = False
    run(generator, VoiceMoments(channels=3), frames=200, voiced=voiced)
    shares = [voiced[first:last].mean() for first, last in generator.spans]
    assert min(shares) < 0.3 < max(shares[1:])
    for momentum, share in zip(generator.momenta[1:], shares[1:], strict=True):
        assert (momentum == 0.0) == (share < 0.3)


def test_a_voice_s_statistics_outweigh_the_first_windows():
    generator = Generator()
    run(generator, VoiceMoments(np.ones((1, 2, 3), np.float32), weight_frames=400))
    assert generator.momenta[0] == pytest.approx(28 / 428, rel=1e-6)


def test_frozen_statistics_must_be_given():
    with pytest.raises(ValueError, match="expected statistics"):
        VoiceMoments(renew=False, channels=3)
