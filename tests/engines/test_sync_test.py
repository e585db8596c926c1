"""The test signal: where it claps and where it flashes, to the sample and to the frame."""

import itertools
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.presence import CallerCue, PresenceInput
from rt_avatar.engines.sync_test import (
    CLAP_SAMPLES,
    MAX_SKEW_MS,
    WORD_SAMPLES,
    SyncTestArticulator,
    SyncTestPresence,
    SyncTestRig,
    SyncTestVoice,
)
from rt_avatar.engines.sync_test_lipsync import SyncTestLipsync
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    MOTION_SIZE,
    FaceStyle,
    SpeechChunk,
    VoiceStyle,
)

pytestmark = pytest.mark.unit

NOBODY = CallerCue(False, False, 0.0, 0.0, False, False)
PER_MS = 24


def said(skew_ms: int = 0, *clauses: str) -> list[SpeechChunk]:
    stream = SyncTestVoice(skew_ms * PER_MS).open()
    return [
        chunk
        for index, clause in enumerate(clauses or ("one two three", "four five six seven"))
        for chunk in stream.push(SpeechRequest(clause, VoiceStyle(), index))
    ]


def clap_starts(chunks: list[SpeechChunk]) -> list[int]:
    """Samples at which silence ends."""
    pcm = np.concatenate([chunk.pcm for chunk in chunks])
    loud = np.flatnonzero(np.abs(pcm) > 0.01)
    return [int(loud[0]), *(int(b) for a, b in itertools.pairwise(loud) if b - a > 999)]


def flashes(chunks: list[SpeechChunk]) -> Iterator[bool]:
    """Whether each picture is bright, through articulation, presence and rig."""
    articulation, presence = SyncTestArticulator().open(), SyncTestPresence().open()
    rig = SyncTestRig(64).open()
    for chunk in chunks:
        for motion in articulation.push(ArticulationInput(chunk, FaceStyle("sad"), VoiceStyle())):
            for frame in motion:
                (alive,) = presence.push(PresenceInput("speaking", frame, FaceStyle(), NOBODY))
                (picture,) = rig.push(alive)
                yield bool(picture[:64].mean() > 128)


def test_every_word_claps_once_and_takes_a_second():
    chunks = said()
    assert [chunk.start for chunk in chunks] == [i * CHUNK_SAMPLES for i in range(7 * 5)]
    assert [start // WORD_SAMPLES for start in clap_starts(chunks)] == list(range(7))
    assert [word.text for chunk in chunks for word in chunk.words][3:] == [
        "four", "five", "six", "seven",
    ]  # fmt: skip


def test_the_picture_is_white_in_exactly_the_frames_that_hold_a_clap():
    chunks = said()
    bright = [index for index, is_bright in enumerate(flashes(chunks)) if is_bright]
    starts = [start // FRAME_SAMPLES for start in clap_starts(chunks)]
    assert bright == starts
    assert [frame % 25 for frame in bright] == [10, 11, 12, 13, 14, 10, 11]


@pytest.mark.parametrize("late_samples", [0, 400, -400])
def test_heard_claps_flash_in_the_frame_that_has_most_of_them(late_samples):
    chunks = said()
    pcm = np.roll(np.concatenate([chunk.pcm for chunk in chunks]), late_samples)
    stream, motions = SyncTestLipsync().open(), []
    for index, part in enumerate(pcm.reshape(-1, CHUNK_SAMPLES)):
        heard = SpeechChunk(index * CHUNK_SAMPLES, part, (), (), 0)
        motions += stream.push(ArticulationInput(heard, FaceStyle(), VoiceStyle()))
        assert len(motions) == index  # a chunk late
    motions += stream.flush()
    jaw = np.concatenate(motions)[:, BLENDSHAPE["jawOpen"]]
    assert np.flatnonzero(jaw).tolist() == [start // FRAME_SAMPLES for start in clap_starts(chunks)]


def test_a_clap_begins_on_the_first_sample_of_its_frame_and_ends_on_its_last():
    pcm = np.concatenate([chunk.pcm for chunk in said()])
    frames = np.abs(pcm.reshape(-1, FRAME_SAMPLES))
    claps = frames[frames.max(axis=1) > 0]
    assert len(claps) == 7
    assert claps[:, 1].min() > 0.1  # the tone's own first step, sin(2π / 24) / 2
    assert claps[:, -1].min() > 0.1
    assert claps[:, 0].max() == 0  # no click: the tone begins at its zero
    assert CLAP_SAMPLES == FRAME_SAMPLES


@pytest.mark.parametrize("skew_ms", [-MAX_SKEW_MS, -80, 1, 80, MAX_SKEW_MS])
def test_a_skew_moves_the_sound_to_the_sample_and_no_picture(skew_ms):
    even, moved = said(0), said(skew_ms)
    by = {b - a for a, b in zip(clap_starts(even), clap_starts(moved), strict=True)}
    assert by == {skew_ms * PER_MS}
    assert list(flashes(even)) == list(flashes(moved))


def test_a_skew_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match="±9600"):
        SyncTestVoice((MAX_SKEW_MS + 1) * PER_MS)


def test_the_picture_is_dark_with_a_label_while_nothing_is_said():
    (still,) = SyncTestPresence().open().push(PresenceInput("idle", None, FaceStyle(), NOBODY))
    assert not still.any()
    for size_px in (256, 512):
        (picture,) = SyncTestRig(size_px).open().push(still)
        luma = picture[:size_px]
        assert picture.shape == (size_px * 3 // 2, size_px)
        assert luma.mean() < 25
        assert 60 < luma.max() < 125  # the label cannot be taken for a flash
        assert np.ptp(luma[:, :8]) == 0  # and is not cut


def test_its_portrait_is_a_png():
    png = np.frombuffer(SyncTestRig(256).portrait_png("ava"), np.uint8)
    assert cv2.imdecode(png, cv2.IMREAD_COLOR).shape == (256, 256, 3)


def test_motion_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="expected \\(73,\\)"):
        SyncTestRig(64).open().push(np.zeros(MOTION_SIZE - 1, np.float32))


def test_only_the_jaw_moves():
    chunk = next(chunk for chunk in said() if chunk.words)
    (motion,) = (
        SyncTestArticulator()
        .open()
        .push(ArticulationInput(chunk, FaceStyle("happy"), VoiceStyle()))
    )
    assert set(np.flatnonzero(motion.any(axis=0))) == {BLENDSHAPE["jawOpen"]}
    assert sorted(motion[:, BLENDSHAPE["jawOpen"]]) == [0, 0, 0, 0, 1]
