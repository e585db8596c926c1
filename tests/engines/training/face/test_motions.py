"""Windows of motion to learn from: what a call cannot know is not told, and no clip is shared."""

import numpy as np
import pytest

from rt_avatar.engines.pirender.windows import LOOKAHEADS, RADIUS, WINDOW
from rt_avatar.engines.training.face.motions import Motions, sweep
from rt_avatar.engines.training.lipsync.people import read_shapes
from rt_avatar.engines.types import ARKIT, MOTION_SIZE, YAW
from tests.engines.training.lipsync.test_people import folder

pytestmark = pytest.mark.unit


def test_of_what_is_to_come_the_newest_frame_is_repeated(tmp_path):
    motions = Motions(folder(tmp_path, found=True), "train")
    rng = np.random.default_rng(0)
    ahead = []
    for _ in range(300):
        window = motions.window(rng)
        assert window.shape == (WINDOW, MOTION_SIZE)
        assert np.isfinite(window).all()
        after = [lead for lead in LOOKAHEADS if (window[RADIUS + lead :] == window[-1]).all()]
        ahead.append(min(after))
    assert ahead.count(0) > 200


def test_sweeps_reach_all_shapes_and_turn_the_head():
    rng = np.random.default_rng(0)
    motion = np.concatenate([sweep(rng) for _ in range(200)])
    shapes = motion[:, : len(ARKIT)]
    assert shapes.min() >= 0
    assert shapes.max() <= 1
    assert (shapes.max(axis=0) > 0.8).all()
    assert motion[:, YAW].min() < -0.2
    assert motion[:, YAW].max() > 0.2


def test_neighbouring_frames_of_a_sweep_are_alike():
    rng = np.random.default_rng(1)
    steps = [np.abs(np.diff(sweep(rng), axis=0)).max() for _ in range(100)]
    assert max(steps) <= 0.5


def test_parts_share_no_clip(tmp_path):
    clips = {
        part: len(read_shapes(folder(tmp_path, found=True), part))
        for part in ("train", "validation", "test")
    }
    assert clips == {"train": 9, "validation": 2, "test": 1}


def test_recordings_without_a_face_are_refused(tmp_path):
    with pytest.raises(ValueError, match="expected clips with a face in all frames; got none"):
        Motions(folder(tmp_path), "train")
