"""The source by windows is the source of the sentence."""

import numpy as np
import pytest

from rt_avatar.engines.styletts2.source import HarmonicSource
from rt_avatar.engines.styletts2.source_columns import SourceColumns
from rt_avatar.engines.styletts2.spectrum import source_spectrum
from rt_avatar.engines.styletts2.windows import plan

pytestmark = pytest.mark.unit

WEIGHT = np.linspace(0.2, 1, 9, dtype=np.float32)


@pytest.mark.parametrize("is_spectral", [False, True])
@pytest.mark.parametrize("frames", [1, 17, 90])
def test_windows_of_the_source_are_slices_of_the_whole(is_spectral, frames):
    pitch = np.where(np.arange(frames) % 20 < 15, 150 + np.arange(frames), 0).astype(np.float32)
    source = HarmonicSource(WEIGHT, 0.1)
    sound = np.concatenate([source.push(pitch), source.flush()])
    columns = source_spectrum(np.pad(sound, 10, mode="reflect")) if is_spectral else sound[None]
    step, extra = (60, 1) if is_spectral else (300, 0)
    made = SourceColumns(HarmonicSource(WEIGHT, 0.1), pitch, is_spectral)
    for window in plan(frames, 16, 12):
        got = made(window.first, window.last)
        wanted = columns[None, :, step * window.first : step * window.last + extra]
        np.testing.assert_array_equal(got, wanted)


def test_no_more_is_made_than_was_asked_for():
    class Counted(HarmonicSource):
        frames = 0

        def push(self, f0):
            Counted.frames += len(f0)
            return super().push(f0)

    made = SourceColumns(Counted(WEIGHT, 0.0), np.full(200, 100, np.float32), True)
    made(0, 28)
    assert Counted.frames == 29
    made(4, 28)
    assert Counted.frames == 29
    made(150, 200)
    assert Counted.frames == 200
