import numpy as np
import pytest
from livekit import rtc

from rt_avatar.signaling.incoming import Shrinker
from rt_avatar.signaling.livekit.incoming import quality_for, to_av, upright

pytestmark = pytest.mark.unit

KIND = rtc.VideoBufferType.I420


def picture(width: int, height: int) -> rtc.VideoFrame:
    """Bright at the top, dark at the bottom; red at the left, blue at the right."""
    luma = np.repeat(np.linspace(200, 60, height).astype(np.uint8)[:, None], width, 1)
    shape = ((height + 1) // 2, (width + 1) // 2)
    blue = np.repeat(np.linspace(90, 170, shape[1]).astype(np.uint8)[None], shape[0], 0)
    red = blue[:, ::-1]
    return rtc.VideoFrame(width, height, KIND, luma.tobytes() + blue.tobytes() + red.tobytes())


@pytest.mark.parametrize("size", [(640, 480), (641, 361), (180, 320), (2, 2)])
def test_a_picture_of_any_size_becomes_one_that_can_be_scaled(size):
    frame = to_av(picture(*size))
    assert (frame.width, frame.height) == size
    luma = np.frombuffer(frame.planes[0], np.uint8).reshape(size[1], frame.planes[0].line_size)
    np.testing.assert_array_equal(
        luma[:, : size[0]][:, 0], np.linspace(200, 60, size[1]).astype(np.uint8)
    )


@pytest.mark.parametrize(
    ("rotation", "bright_edge"),
    [
        (rtc.VideoRotation.VIDEO_ROTATION_0, "top"),
        (rtc.VideoRotation.VIDEO_ROTATION_90, "right"),
        (rtc.VideoRotation.VIDEO_ROTATION_180, "bottom"),
        (rtc.VideoRotation.VIDEO_ROTATION_270, "left"),
    ],
)
def test_a_turned_telephones_picture_is_turned_clockwise(rotation, bright_edge):
    image = upright(Shrinker(), picture(320, 240), rotation).astype(int).sum(2)
    edges = {
        "top": image[:10].mean(), "bottom": image[-10:].mean(),
        "left": image[:, :10].mean(), "right": image[:, -10:].mean(),
    }  # fmt: skip
    assert max(edges, key=edges.__getitem__) == bright_edge


@pytest.mark.parametrize(
    ("width_px", "least_px"), [(1920, 480), (1280, 320), (960, 480), (640, 320), (320, 320)]
)
def test_of_a_layered_camera_the_smallest_layer_that_is_wide_enough_is_taken(width_px, least_px):
    divided_by = {
        rtc.VideoQuality.VIDEO_QUALITY_LOW: 4,
        rtc.VideoQuality.VIDEO_QUALITY_MEDIUM: 2,
        rtc.VideoQuality.VIDEO_QUALITY_HIGH: 1,
    }
    assert width_px // divided_by[quality_for(width_px)] == least_px
