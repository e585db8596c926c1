import numpy as np
import pytest
from av import AudioFrame, VideoFrame

from signaling.incoming import MAX_FILL_S, GapFiller, Shrinker, to_mono

pytestmark = pytest.mark.unit


def sound(samples: np.ndarray, layout: str, format: str = "s16", rate: int = 48_000) -> AudioFrame:
    frame = AudioFrame.from_ndarray(np.ascontiguousarray(samples), format=format, layout=layout)
    frame.sample_rate = rate
    return frame


def test_mono_passes_unchanged():
    pcm = np.arange(960, dtype=np.int16)
    np.testing.assert_array_equal(to_mono(sound(pcm[None], "mono")), pcm)


@pytest.mark.parametrize("format", ["s16", "s16p"])
def test_two_loud_channels_do_not_overflow(format):
    left, right = np.full(960, 32_000), np.full(960, 30_000)
    planar = np.stack([left, right]).astype(np.int16)
    samples = planar if format == "s16p" else planar.T.reshape(1, -1)
    np.testing.assert_array_equal(to_mono(sound(samples, "stereo", format)), np.full(960, 31_000))


def test_five_channels_are_mixed():
    pcm = np.tile(np.int16([10, 20, 30, 40, 50, 60]), 480)[None]
    np.testing.assert_array_equal(to_mono(sound(pcm, "5.1")), np.full(480, 35))


def test_other_formats_are_refused():
    with pytest.raises(TypeError, match="16 bits"):
        to_mono(sound(np.zeros((1, 960), np.float32), "mono", "flt"))


def test_sound_without_holes_is_left_alone():
    filler = GapFiller()
    block = np.ones(960, np.int16)
    assert all(filler.fill(n * 960, block, 48_000).size == 0 for n in range(10))


def test_a_hole_becomes_as_long_as_it_was_and_fades_from_the_last_sound():
    filler = GapFiller()
    block = np.full(960, 1000, np.int16)
    filler.fill(0, block, 48_000)
    hole = filler.fill(3 * 960, block, 48_000)
    assert hole.size == 2 * 960
    assert hole[0] == 1000
    assert hole[950] < 20
    assert not hole[960:].any()


def test_a_line_that_was_away_for_long_does_not_flood_the_ears():
    filler = GapFiller()
    block = np.ones(960, np.int16)
    filler.fill(0, block, 48_000)
    assert filler.fill(60 * 48_000, block, 48_000).size == MAX_FILL_S * 48_000


def test_time_that_runs_back_is_no_hole():
    filler = GapFiller()
    block = np.ones(960, np.int16)
    filler.fill(9600, block, 48_000)
    assert filler.fill(0, block, 48_000).size == 0


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        ((1280, 720), (180, 320, 3)),
        ((640, 480), (240, 320, 3)),
        ((160, 120), (120, 160, 3)),
        ((480, 640), (426, 320, 3)),
    ],
)
def test_pictures_shrink_to_320_and_keep_shape_and_colour(size, shape):
    rgb = np.full((size[1], size[0], 3), (200, 60, 20), np.uint8)
    frame = VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format="yuv420p")
    image = Shrinker().shrink(frame)
    assert image.shape == shape
    assert np.abs(image[10, 10].astype(int) - (200, 60, 20)).max() < 8


def test_one_camera_may_change_its_size():
    shrinker = Shrinker()
    for side in (640, 320, 1280):
        frame = VideoFrame.from_ndarray(np.zeros((side, side, 3), np.uint8), format="rgb24")
        assert shrinker.shrink(frame).shape == (320, 320, 3)
