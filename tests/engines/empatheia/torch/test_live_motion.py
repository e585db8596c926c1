"""The network's motion in a call: by contents or by sound, in step with its chunks."""

from dataclasses import replace

import numpy as np
import pytest
import soxr

from rt_avatar.engines.encoders.waveform import FEATURE_SAMPLES, REACH_SAMPLES
from rt_avatar.engines.types import CHUNK_FRAMES, FaceStyle
from tests.engines.empatheia.torch import live

pytestmark = pytest.mark.networks


def given(engines, items) -> list[int]:
    """How many motions each push gives, and then the flush."""
    stream = live.motion(engines).open()
    return [len(stream.push(item)) for item in items] + [len(stream.flush())]


def moved(engines, items) -> np.ndarray:
    stream = live.motion(engines).open()
    motions = [motion for item in items for motion in stream.push(item)]
    return np.concatenate(motions + stream.flush())


def offline(stage, style, items) -> np.ndarray:
    """All of it in one piece, as a face can show it."""
    stream = stage.open(0)
    stream.set_style(style)
    rows = np.stack(stream.push(items) + stream.flush())
    rows[:, :52] = np.clip(rows[:, :52], 0, 1)
    rows[:, 64:] = 0
    return rows


def test_the_declared_look_ahead_is_the_measured_one(engines):
    assert live.motion(engines).spec.lookahead == 2
    assert given(engines, live.sounding_chunks(1)) == [0, 0, 1, 1, 1, 2]
    # Less where contents tell what is meant, and none where they tell what follows.
    assert given(engines, live.meaning_chunks(1)) == [0, 1, 1, 1, 1, 1]
    assert given(engines, live.meaning_chunks(1, ahead=CHUNK_FRAMES)) == [1, 1, 1, 1, 0, 1]


@pytest.mark.parametrize("ahead", [0, 2, CHUNK_FRAMES])
def test_by_contents_it_is_the_graphs_own_however_much_chunks_tell_of_the_next(engines, ahead):
    style = engines.felt("happy", 0.5).face[0]
    whole = offline(engines.content_motion, style, live.contents(5, 1))
    assert np.array_equal(moved(engines, live.meaning_chunks(1, ahead)), whole)


def test_by_sound_it_is_the_graphs_own(engines):
    items = live.sounding_chunks(1)
    resampler = soxr.ResampleStream(24_000, 16_000, 1, dtype="float32")
    heard = resampler.resample_chunk(np.concatenate([i.chunk.pcm for i in items]), last=True)
    tail = np.zeros(REACH_SAMPLES - FEATURE_SAMPLES, np.float32)
    ear = engines.features.open()
    features = np.concatenate(ear.push(np.concatenate((heard, tail))) + ear.flush())
    style = engines.felt("happy", 0.5).face[0]
    whole = offline(engines.sound_motion, style, features)
    # The resampler rounds by how it is fed.
    np.testing.assert_allclose(moved(engines, items), whole, atol=1e-4)


@pytest.mark.parametrize("make", [live.meaning_chunks, live.sounding_chunks])
def test_every_chunk_gets_its_motion_however_short_the_reply(engines, make):
    for count in (1, 2, 3):
        motion = moved(engines, make(1, chunks=count))
        assert motion.shape == (count * CHUNK_FRAMES, 73)
        assert np.isfinite(motion).all()
        assert motion[:, :52].min() >= 0
        assert motion[:, :52].max() <= 1


@pytest.mark.parametrize("make", [live.meaning_chunks, live.sounding_chunks])
def test_after_a_gap_the_face_begins_anew_and_nothing_of_before_is_lost(engines, make):
    items = make(1)
    stream = live.motion(engines).open()
    before = [motion for item in items[:2] for motion in stream.push(item)]
    after = [motion for item in items[4:] for motion in stream.push(item)] + stream.flush()
    assert len(before) + len(after) == 3
    alone = live.motion(engines).open()
    assert np.array_equal(after[-1], (alone.push(items[4]) + alone.flush())[0])


def test_contents_that_were_told_of_what_never_came_are_forgotten(engines):
    items = live.meaning_chunks(1, ahead=CHUNK_FRAMES)
    stream = live.motion(engines).open()
    stream.push(items[0])  # knows of the second's, too
    (late,) = stream.push(items[3])
    assert np.array_equal(late, live.motion(engines).open().push(items[3])[0])


def test_a_style_moves_the_face_and_a_change_of_it_comes_smoothly(engines):
    items = live.meaning_chunks(1, ahead=CHUNK_FRAMES)
    angry = [replace(item, face=FaceStyle("angry", 1.0)) for item in items]
    happy = moved(engines, items)
    assert not np.array_equal(happy[0], moved(engines, angry)[0])
    turned = moved(engines, [*items[:2], *angry[2:]])
    assert np.array_equal(turned[:10], happy[:10])
    assert not np.array_equal(turned[10:], happy[10:])
    assert not np.array_equal(turned[10], moved(engines, angry)[10])


def test_fewer_steps_are_taken_when_asked_and_all_again_later(engines):
    items = live.meaning_chunks(1, ahead=CHUNK_FRAMES)
    full = moved(engines, items)
    quick = [replace(item, few_steps=True) if index == 1 else item
             for index, item in enumerate(items)]  # fmt: skip
    mixed = moved(engines, quick)
    assert np.array_equal(np.delete(mixed, range(5, 10), 0), np.delete(full, range(5, 10), 0))
    assert not np.array_equal(mixed[5:10], full[5:10])


def test_a_chunk_that_cannot_follow_is_refused_and_the_face_goes_on(engines):
    first, second, *_ = live.meaning_chunks(1)
    stream = live.motion(engines).open()
    stream.push(first)
    with pytest.raises(ValueError, match=r"chunk\.start: expected a multiple"):
        stream.push(first)
    wrong = replace(second, face=FaceStyle(vector=np.zeros((1, 3), np.float32)))
    with pytest.raises(ValueError, match=r"expected a vector \(1, 192\)"):
        stream.push(wrong)
    (motion,) = stream.push(second)
    assert np.array_equal(motion, moved(engines, [first, second])[:5])


def test_a_reply_that_stops_to_tell_its_contents_is_refused(engines):
    first, second, *_ = live.meaning_chunks(1)
    stream = live.motion(engines).open()
    stream.push(first)
    with pytest.raises(ValueError, match="expected a chunk with 5 contents; got none"):
        stream.push(replace(second, chunk=replace(second.chunk, contents=None)))


def test_numbers_that_are_none_end_the_reply_and_not_the_call(engines):
    first, *_ = live.meaning_chunks(1, ahead=CHUNK_FRAMES)
    spoilt = replace(first.chunk, contents=np.full_like(first.chunk.contents, np.nan))
    with pytest.raises(RuntimeError, match="finite numbers of the network"):
        live.motion(engines).open().push(replace(first, chunk=spoilt))
