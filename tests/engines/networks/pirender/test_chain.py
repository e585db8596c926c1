"""From features of speech to frames: what streams is what the whole utterance gives offline."""

import numpy as np
import pytest
import torch

from engines.dreamtalk.noise import frame_noise
from engines.dreamtalk.pose import PoseLoop
from engines.dreamtalk.schedule import FEW_STEPS, Schedule, sample
from engines.dreamtalk.stream import DenoiserStream, ExpressionSampler
from engines.networks.dreamtalk.denoiser import DreamTalk
from engines.networks.dreamtalk.folded import ContentFold, FoldedDenoiser, StyleFold
from engines.networks.pirender.folded import FoldedGenerator, PortraitFold
from engines.pirender.windows import MotionWindows
from tests.engines.networks.dreamtalk.networks import NARROW, network
from tests.engines.networks.dreamtalk.test_streaming import run
from tests.engines.networks.pirender.networks import SIZE, generator, portrait

pytestmark = pytest.mark.networks

SEED, FRAMES = 11, 20
SCHEDULE = Schedule.of(FEW_STEPS[2])
LOOP = PoseLoop(0.1 * np.random.default_rng(1).standard_normal((7, 9)).astype(np.float32))


def offline(talk: DreamTalk, features: np.ndarray, source: torch.Tensor) -> torch.Tensor:
    """The plain networks on the whole utterance, indices kept within it."""
    padded = torch.from_numpy(np.pad(features, ((5, 5), (0, 0))))
    windows = torch.stack([padded[2 * n : 2 * n + 11] for n in range(FRAMES)])
    content, times = talk.net.content_encoder(windows[None]), talk.net.time_table(SCHEDULE.steps)

    def denoise(x, index):
        guess = talk.net(torch.from_numpy(x)[None], content, talk.null_style(), times[index])
        return guess[0].numpy()

    expression = sample(denoise, frame_noise(SEED, 0, FRAMES, 64), SCHEDULE)
    motion = np.concatenate((expression, LOOP.rows(0, FRAMES)), 1)
    index = np.clip(np.arange(FRAMES)[:, None] + np.arange(-13, 14), 0, FRAMES - 1)
    around = torch.from_numpy(motion[index].transpose(0, 2, 1))
    return generator()(source.expand(FRAMES, -1, -1, -1), around)[2]


@pytest.mark.parametrize("chunk", [1, 10, 40])
def test_streamed_frames_with_all_look_ahead_are_the_offline_ones(chunk):
    talk, source = network(), portrait()
    features = np.random.default_rng(0).standard_normal((2 * FRAMES, NARROW.audio_size))
    features = features.astype(np.float32)
    folded, face = FoldedDenoiser(talk.net), FoldedGenerator(generator(), SIZE)
    fold = PortraitFold(generator())(source)
    sampler = ExpressionSampler(
        run(ContentFold(talk.net), ("content",)),
        run(StyleFold(talk.net), ("state", "query")),
        run(folded, ("clean",)),
        folded.time_table(SCHEDULE.steps).numpy(),
        SCHEDULE,
        null_style=talk.null_style()[0].numpy(),
    )
    stream = DenoiserStream(sampler, audio_size=NARROW.audio_size, channels=64, seed=SEED)
    cutter, moved, frames = MotionWindows(), 0, []

    def show(windows: np.ndarray) -> None:
        if len(windows):
            frames.append(face(source, *fold, torch.from_numpy(windows)))

    parts = [stream.push(part) for part in np.split(features, range(chunk, len(features), chunk))]
    for expression in [*parts, stream.flush()]:
        pose = LOOP.rows(moved, len(expression))
        moved += len(expression)
        show(cutter.push(np.concatenate((expression, pose), 1)))
    show(cutter.flush())
    expected = offline(talk, features, source)
    assert expected.std(0).max() > 0.01  # the frames differ
    torch.testing.assert_close(torch.cat(frames), expected, atol=1e-4, rtol=0)
