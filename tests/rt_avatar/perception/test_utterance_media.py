"""Sound and pictures of the utterance so far: all of it, of this one only, and bounded."""

import numpy as np
import pytest

from rt_avatar.engines.encoders.pictures import MOST
from rt_avatar.perception.utterance_media import (
    BEFORE,
    LONGEST_SAMPLES,
    UtteranceAudio,
    UtteranceImages,
    join_audio,
)

pytestmark = pytest.mark.unit

SECOND = 16_000


def ramp(first: int, count: int) -> np.ndarray:
    return np.arange(first, first + count, dtype=np.float32)


def picture(level: int) -> np.ndarray:
    return np.full((2, 3, 3), level, np.uint8)


def levels(pictures) -> list[int]:
    return [int(image[0, 0, 0]) for image in pictures]


def test_sound_is_all_that_came_and_grows_at_its_end():
    sound = UtteranceAudio()
    assert sound.all() is None
    sound.push(ramp(0, 10))
    first = sound.all()
    sound.push(ramp(10, 5))
    assert np.array_equal(sound.all(), ramp(0, 15))
    assert np.array_equal(first, ramp(0, 10))
    sound.clear()
    assert sound.all() is None


def test_of_an_endless_utterance_the_newest_is_kept_and_seldom_moved():
    sound, beginnings = UtteranceAudio(), set()
    for second in range(200):
        sound.push(ramp(second * SECOND, SECOND))
        kept = sound.all()
        assert min(second + 1, 30) * SECOND <= len(kept) <= LONGEST_SAMPLES
        assert kept[-1] == (second + 1) * SECOND - 1
        beginnings.add(float(kept[0]))
    assert len(beginnings) <= 6


def test_two_utterances_that_are_one_are_joined_and_bounded():
    assert join_audio(None, None) is None
    assert np.array_equal(join_audio(None, ramp(0, 5)), ramp(0, 5))
    assert np.array_equal(join_audio(ramp(0, 3), ramp(3, 2)), ramp(0, 5))
    before = ramp(0, LONGEST_SAMPLES)
    lengths = range(0, LONGEST_SAMPLES + 1, SECOND)
    grown = [join_audio(before, ramp(LONGEST_SAMPLES, length)) for length in lengths]
    assert max(map(len, grown)) == LONGEST_SAMPLES
    assert [sound[-1] + 1 - LONGEST_SAMPLES for sound in grown[1:]] == list(lengths[1:])
    # Who encodes it while it grows begins anew once.
    assert len({sound[0] for sound in grown}) == 2


def test_pictures_are_those_of_the_newest_utterance_until_then():
    seen = UtteranceImages()
    for number in range(8):
        seen.keep(1000, 1000 + number * SECOND // 4, picture(number))
    assert levels(seen.until(1000 + 2 * SECOND)) == list(range(8))
    assert levels(seen.until(1000 + SECOND // 2)) == [0, 1, 2]
    assert seen.until(1000) == ()
    seen.keep(9 * SECOND, 9 * SECOND + 100, picture(99))
    assert levels(seen.until(10 * SECOND)) == [99]
    assert seen.until(2 * SECOND) == ()


def test_an_utterance_has_the_pictures_from_before_it_was_noticed():
    seen = UtteranceImages()
    for number in range(40):  # ten seconds at four a second, in silence
        seen.keep(None, number * SECOND // 4, picture(number))
    assert len(seen._before) <= BEFORE
    start = 37 * SECOND // 4 + 1
    seen.keep(start, 40 * SECOND // 4, picture(40))
    assert levels(seen.until(11 * SECOND)) == [38, 39, 40]
    seen.keep(None, 41 * SECOND // 4, picture(41))
    assert levels(seen.until(11 * SECOND)) == [38, 39, 40]  # until somebody speaks again
    seen.keep(41 * SECOND // 4, 42 * SECOND // 4, picture(42))
    assert levels(seen.until(11 * SECOND)) == [41, 42]


def test_who_has_switched_the_camera_off_is_not_looked_at_in_old_pictures():
    seen = UtteranceImages()
    seen.keep(1000, 1000 + SECOND // 4, picture(1))
    seen.keep(None, 8 * SECOND, picture(2))
    seen.begin(1000)
    assert levels(seen.until(2 * SECOND)) == [1]
    seen.begin(9 * SECOND)
    assert seen.until(10 * SECOND) == ()


def test_without_a_camera_there_are_none():
    assert UtteranceImages().until(SECOND) == ()


def test_of_a_long_utterance_pictures_are_thinned_out_evenly():
    seen = UtteranceImages()
    for number in range(240):  # a minute at four a second
        seen.keep(0, number * SECOND // 4, picture(number))
        assert len(seen._seen) <= MOST
    looked_at = levels(seen.until(60 * SECOND))
    assert len(looked_at) >= MOST // 2
    assert looked_at == sorted(looked_at)
    assert max(np.diff([0, *looked_at, 240])) <= 16
