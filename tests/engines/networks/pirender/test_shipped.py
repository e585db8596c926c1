"""The renderer that comes with the package: it fits, keeps who it is shown, and moves them."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.pirender.config import NANO
from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid
from rt_avatar.engines.networks.pirender.shipped import WEIGHTS
from rt_avatar.engines.networks.trained import read_trained
from rt_avatar.engines.pirender.windows import WINDOW
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.training.face.looks import HELD_OUT
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE, YAW

pytestmark = pytest.mark.networks

SIDE = 256
EYES, MOUTH = slice(100, 145), slice(150, 190)  # rows of a picture, between columns 80 and 176


@pytest.fixture(scope="module")
def networks():
    parts = read_trained(WEIGHTS)
    pyramid, renderer = PortraitPyramid(NANO).eval(), NanoRenderer(NANO).eval()
    load_strict(pyramid, parts["pyramid"])
    load_strict(renderer, parts["face"])
    return pyramid.requires_grad_(False), renderer.requires_grad_(False)


@pytest.fixture(scope="module")
def rig():
    return RigEngine(SIDE).open(HELD_OUT)


def moved(networks, rig, **weights):
    """The drawn frame, the rendered one and the portrait at rest: (256, 256, 3), 0..255 each."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    portrait = rig.rgb(motion).astype(np.float32)
    for name, weight in weights.items():
        motion[YAW if name == "yaw" else BLENDSHAPE[name]] = weight
    pyramid, renderer = networks
    source = torch.from_numpy(portrait.transpose(2, 0, 1)[None] / 127.5 - 1)
    window = torch.from_numpy(np.repeat(motion[None, :, None], WINDOW, 2))
    frame = renderer(*pyramid(source), window)[0].numpy().transpose(1, 2, 0)
    return rig.rgb(motion).astype(np.float32), (frame + 1) * 127.5, portrait


def far(first, second, rows=slice(None)):
    return np.abs(first - second)[rows, 80:176].mean()


def test_it_fits_into_three_megabytes():
    assert WEIGHTS.stat().st_size <= 3_000_000


def test_at_rest_a_face_that_it_never_saw_is_itself(networks, rig):
    drawn, frame, _ = moved(networks, rig)
    assert far(drawn, frame) < 6  # of 255


@pytest.mark.parametrize(
    ("rows", "weights"),
    [
        (MOUTH, {"jawOpen": 0.7}),
        (EYES, {"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0}),
        (slice(None), {"yaw": 0.25}),
    ],
)
def test_a_face_that_it_never_saw_is_moved_as_it_is_drawn(networks, rig, rows, weights):
    drawn, frame, portrait = moved(networks, rig, **weights)
    assert far(drawn, frame, rows) < 0.6 * far(drawn, portrait, rows)
