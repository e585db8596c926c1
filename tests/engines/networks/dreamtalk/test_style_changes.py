"""A style that changes while somebody speaks: smoothly, at the same frames in any chunks."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.stream import DenoiserStream, ExpressionSampler
from rt_avatar.engines.networks.dreamtalk.folded import ContentFold, StyleFold
from tests.engines.networks.dreamtalk.test_streaming import (
    CONSTANTS,
    FOLDED,
    NET,
    SCHEDULE,
    SIZE,
    WIDTH,
    open_stream,
    pushed,
    run,
    speech,
)

pytestmark = pytest.mark.networks


@pytest.mark.parametrize("chunks", [[1] * 39, [39], [4, 35], [19, 20]])
def test_a_new_style_comes_smoothly_and_at_the_same_frames_in_any_chunks(chunks):
    dice = np.random.default_rng(3)
    old, new = dice.standard_normal((2, WIDTH)).astype(np.float32)
    features = speech(21)  # 8 frames come before the change
    expected = None
    for sizes in ([39], chunks):
        stream = open_stream()
        stream.set_style(old)
        before = stream.push(features)
        assert len(before) == 8
        stream.set_style(new)
        after = pushed(stream, speech(39, seed=4), sizes)
        if expected is None:
            expected = after
    np.testing.assert_allclose(after, expected, atol=1e-5)
    settled = open_stream()
    settled.set_style(new)
    settled.push(features)
    there = pushed(settled, speech(39, seed=4), [39])
    apart = np.abs(after - there).max(1)
    assert apart[0] > 1e-3
    assert apart[8] > 1e-4
    assert apart[9:].max() < 1e-5  # after 10 frames the change is complete


@pytest.mark.parametrize("chunks", [[1] * 30, [30], [7, 0, 23]])
def test_a_change_that_is_interrupted_goes_on_from_where_it_was(chunks):
    """Frame by frame the styles are those of two ramps, the second from the middle of the first."""
    old, half, new = np.random.default_rng(8).standard_normal((3, WIDTH)).astype(np.float32)
    folded = []

    class Telling(ExpressionSampler):
        def expressions(self, windows, noise, styles):
            rows = np.broadcast_to(styles.state, (len(windows), *styles.state.shape[1:]))
            folded.extend(rows)
            return noise

    telling = Telling(
        dict, run(StyleFold(NET), ("state", "query")), dict, schedule=SCHEDULE, **CONSTANTS
    )
    stream = DenoiserStream(telling, audio_size=SIZE, channels=64, seed=0)
    stream.set_style(old)
    stream.push(speech(8))  # frames 0 and 1
    stream.set_style(half)
    stream.push(speech(8))  # 2 .. 5
    stream.set_style(new)
    handed_over = new.copy()
    new[:] = 0  # the stream keeps its own
    pushed(stream, speech(30), chunks)
    turned = old + 4 / 10 * (half - old)
    styles = [old] * 2 + [old + n / 10 * (half - old) for n in range(1, 5)]
    styles += [turned + min(n, 10) / 10 * (handed_over - turned) for n in range(1, 18)]
    expected = telling.fold(np.stack(styles).astype(np.float32)).state
    np.testing.assert_allclose(np.stack(folded), expected, atol=1e-5)


def test_speech_is_encoded_once_a_frame_and_a_style_folded_once_while_it_stays():
    heard, folds = [], []

    def content(inputs):
        heard.append(len(inputs["audio"]))
        return run(ContentFold(NET), ("content",))(inputs)

    def style(inputs):
        folds.append(len(inputs["style"]))
        return run(StyleFold(NET), ("state", "query"))(inputs)

    made = ExpressionSampler(
        content, style, run(FOLDED, ("clean",)), schedule=SCHEDULE, **CONSTANTS
    )
    stream = DenoiserStream(made, audio_size=SIZE, channels=64, seed=0)
    stream.set_style(np.ones(WIDTH, np.float32))
    folds.clear()  # of the null style
    frames = pushed(stream, speech(80), [20] * 4)
    assert heard == [8, 10, 10, 10, 2]  # once, for all steps
    assert sum(heard) == len(frames)
    assert folds == [1]
