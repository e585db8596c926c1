"""A face of a 3D face model lives: it idles, feels, nods and lets speech through, unclipped."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.pose import STILL
from rt_avatar.engines.empatheia.dialogue import Styles
from rt_avatar.engines.empatheia.live_presence import LivePresence, LivePresenceStream
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.motion.presence import CallerCue, PresenceInput
from rt_avatar.engines.types import EMOTIONS, MOTION_SIZE, PITCH, FaceStyle
from tests.engines.empatheia.torch import live

pytestmark = pytest.mark.networks

QUIET = CallerCue(False, False, 0.0, 0.0, False, False)
CALM = PresenceInput("listening", None, FaceStyle(intensity=0.0), QUIET)
SPEECH = np.concatenate((np.full(64, 3.0), np.zeros(9))).astype(np.float32)  # far beyond ARKit's 1


@pytest.fixture(scope="module")
def presence(engines) -> LivePresence:
    return live.presence(engines)


def lived(stream: LivePresenceStream, moment: PresenceInput, frames: int) -> np.ndarray:
    return np.stack([frame for _ in range(frames) for frame in stream.push(moment)])


def test_silence_stirs_without_end_and_without_a_jump(presence):
    rows = lived(presence.open(), CALM, 200)[:, :64]
    steps = np.abs(np.diff(rows, axis=0)).max(axis=1)
    assert (rows.std(axis=0) > 0).all()
    # Its loop is 20 frames long and turned round eight times: no step is greater than in the first.
    assert steps.max() <= steps[:40].max() * 1.01


def test_a_feeling_comes_over_some_frames_and_stays(presence):
    stream = presence.open()
    calm = lived(stream, CALM, 40)[:, :64]
    happy = lived(stream, replace(CALM, state="speaking", face=FaceStyle("happy", 1.0)), 60)[:, :64]
    away = np.abs(happy - calm.mean(axis=0)).mean(axis=1)
    assert away[0] < 0.3 * away[-1]
    assert away[-1] > 3 * np.abs(calm - calm.mean(axis=0)).mean()


def test_speech_is_shown_in_raw_coefficients_and_faded_within_200_ms(presence):
    stream = presence.open()
    lived(stream, CALM, 10)
    speaking = lived(stream, replace(CALM, state="speaking", speech=SPEECH), 8)[:, :64]
    silent = lived(stream, CALM, 6)[:, :64]
    np.testing.assert_allclose(speaking[5:], 3.0, atol=1e-5)
    level = np.concatenate((speaking, silent)).mean(axis=1)
    assert (np.diff(level[:5]) > 0).all()
    assert np.abs(np.diff(level)).max() < 0.5 * (level.max() - level[-1])  # no cut
    assert np.abs(silent[5]).mean() < 1.5


def test_it_nods_on_the_row_of_pitch_at_a_pause_and_keeps_the_crop(presence):
    nodding, still = presence.open(), presence.open()
    asked = lived(nodding, replace(CALM, caller=replace(QUIET, has_paused=True)), 20)
    calm = lived(still, CALM, 20)
    moved = np.abs(asked - calm).max(axis=0)
    assert moved[PITCH] > 0.02
    assert (moved[PITCH + 1 : PITCH + 5] == 0).all()
    np.testing.assert_allclose(asked[:, 69:], np.tile(STILL[:, 5:], (20, 1)), rtol=1e-6)


def test_a_recorded_head_is_moved_to_the_portraits_place_and_size(engines):
    dice = np.random.default_rng(2)
    walk = dice.normal(0, 0.004, (40, 9)).cumsum(axis=0)
    template = (walk + np.array([0.1, -0.1, 0.1, 0.02, 0, 0, 1.03, 127, 119])).astype(np.float32)
    presence = LivePresence(engines, LiveStyles(engines), template, frames=10)
    rows = lived(presence.open(), CALM, 78)
    mean = rows[:, 64:].mean(axis=0)
    np.testing.assert_allclose(mean[6], STILL[0, 6], rtol=0.01)
    np.testing.assert_allclose(mean[7:], STILL[0, 7:], atol=0.2)
    assert np.abs(mean[1:3]).max() < 0.05
    ratio = rows[:, 70].max() / rows[:, 70].min()
    assert ratio == pytest.approx(template[:, 6].max() / template[:, 6].min(), rel=1e-4)


def test_recorded_styles_are_one_face_for_all_feelings(engines):
    styles = LiveStyles(engines, Styles(np.zeros((1, 256)), np.ones((1, 192), np.float32), {}))
    stream = LivePresence(engines, styles, frames=10).open()
    rows = [lived(stream, replace(CALM, face=FaceStyle(name, 1.0)), 18) for name in EMOTIONS[:3]]
    for other in rows[1:]:
        np.testing.assert_allclose(other[:, :64], rows[0][:, :64], atol=1e-5)


def test_what_is_no_speech_is_refused_and_the_face_lives_on(presence):
    stream, other = presence.open(), presence.open()
    with pytest.raises(ValueError, match=rf"expected \({MOTION_SIZE},\) finite numbers"):
        stream.push(replace(CALM, speech=np.full(MOTION_SIZE, np.nan, np.float32)))
    np.testing.assert_array_equal(lived(stream, CALM, 3), lived(other, CALM, 3))
