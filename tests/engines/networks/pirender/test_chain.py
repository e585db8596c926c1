"""From features of speech to frames: what streams is what the whole utterance gives offline."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.dreamtalk.pose import PoseLoop
from rt_avatar.engines.dreamtalk.schedule import FEW_STEPS, Schedule, sample
from rt_avatar.engines.dreamtalk.stream import DenoiserStream, ExpressionSampler
from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.dreamtalk.folded import ContentFold, FoldedDenoiser, StyleFold
from rt_avatar.engines.networks.pirender.folded import FoldedGenerator, PortraitFold
from rt_avatar.engines.pirender.windows import MotionWindows
from tests.engines.networks.dreamtalk.networks import NARROW, network
from tests.engines.networks.dreamtalk.test_streaming import run
from tests.engines.networks.pirender.networks import SIZE, generator, portrait

pytestmark = pytest.mark.networks

SEED = 11
SCHEDULE = Schedule.of(FEW_STEPS[2])
LOOP = PoseLoop(0.1 * np.random.default_rng(1).standard_normal((7, 9)).astype(np.float32))
FACE = generator()
ALL = 13  # frames of look-ahead, as trained


def speech(length: int) -> np.ndarray:
    dice = np.random.default_rng(0)
    return dice.standard_normal((length, NARROW.audio_size)).astype(np.float32)


def offline(
    talk: DreamTalk, features: np.ndarray, source: torch.Tensor, lookahead: int
) -> torch.Tensor:
    """The plain networks on the whole utterance; with all look-ahead, as published."""
    count = len(features) // 2
    padded = torch.from_numpy(np.pad(features, ((5, 5), (0, 0))))
    windows = torch.stack([padded[2 * n : 2 * n + 11] for n in range(count)])
    content, times = talk.net.content_encoder(windows[None]), talk.net.time_table(SCHEDULE.steps)

    def denoise(x, index):
        guess = talk.net(torch.from_numpy(x)[None], content, talk.null_style(), times[index])
        return guess[0].numpy()

    expression = sample(denoise, keyed_noise(SEED, 0, count, 64), SCHEDULE)
    frames = np.arange(count)[:, None]
    asked = frames + np.arange(-13, 14)
    known = np.clip(np.minimum(asked, frames + lookahead), 0, count - 1)
    posed = known if lookahead == ALL else np.maximum(asked, 0)
    pose = LOOP.rows(0, count + 13)
    around = np.concatenate((expression[known], pose[posed]), 2).transpose(0, 2, 1)
    return FACE(source.expand(count, -1, -1, -1), torch.from_numpy(around))[2]


@pytest.mark.parametrize(
    ("chunk", "lookahead", "length"),
    [
        *((chunk, ALL, 40) for chunk in (1, 10, 40)),
        *((10, lookahead, 40) for lookahead in (0, 2, 4, 8)),
        *((3, ALL, length) for length in (2, 3, 11, 61)),
        *((7, 0, length) for length in (2, 3, 11, 61)),
    ],
)
@torch.inference_mode()
def test_streamed_frames_are_the_offline_ones(chunk, lookahead, length):
    talk, source = network(), portrait()
    features = speech(length)
    folded, face = FoldedDenoiser(talk.net), FoldedGenerator(FACE, SIZE)
    fold = PortraitFold(FACE)(source)
    sampler = ExpressionSampler(
        run(ContentFold(talk.net), ("content",)),
        run(StyleFold(talk.net), ("state", "query")),
        run(folded, ("clean",)),
        folded.time_table(SCHEDULE.steps).numpy(),
        SCHEDULE,
        null_style=talk.null_style()[0].numpy(),
    )
    stream = DenoiserStream(sampler, audio_size=NARROW.audio_size, channels=64, seed=SEED)
    cutter = MotionWindows(lookahead, None if lookahead == ALL else LOOP.rows)
    moved, frames = 0, []

    def show(windows: np.ndarray) -> None:
        if len(windows):
            frames.append(face(source, *fold, torch.from_numpy(windows)))

    parts = [stream.push(part) for part in np.split(features, range(chunk, length, chunk))]
    for expression in [*parts, stream.flush()]:
        pose = LOOP.rows(moved, len(expression))
        moved += len(expression)
        show(cutter.push(np.concatenate((expression, pose), 1)))
    show(cutter.flush())
    expected = offline(talk, features, source, lookahead)
    assert len(expected) == length // 2
    assert len(expected) == 1 or expected.std(0).max() > 0.01  # the frames differ
    torch.testing.assert_close(torch.cat(frames), expected, atol=1e-4, rtol=0)
