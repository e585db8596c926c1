"""Estimated words: against a voice that tells its own times, and where nothing can be known."""

import numpy as np
import pytest

from rt_avatar.engines.types import SPEECH_RATE_HZ, Word
from rt_avatar.tts.word_timer import USUAL_PACE_S, Pace, WordTimer, letters
from tests.fakes.speech_endpoint import spoken

pytestmark = pytest.mark.unit

TEXTS = (
    "That sounds like a hard day, and I can hear how tired you are.",
    "What was the part of it that stayed with you the longest?",
    "I'm sorry, I lost my train of thought. Could you say that once more?",
    "You lost your job three weeks ago, and nobody has asked you since; that must feel lonely.",
)


def tone(seconds: float) -> np.ndarray:
    time = np.arange(round(seconds * SPEECH_RATE_HZ)) / SPEECH_RATE_HZ
    return (0.3 * np.sin(2 * np.pi * 200 * time)).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * SPEECH_RATE_HZ), np.float32)


def said(text: str, *parts: np.ndarray) -> list[Word]:
    clock = WordTimer(text)
    for part in parts:
        clock.hear(part)
    clock.finish()
    return clock.take(None)


def errors_s(words: list[Word], truth: list[Word]) -> list[float]:
    """How much later words begin than they are said; espeak-ng tells of some only as pairs."""
    errors, at = [], 0
    for told in truth:
        errors.append((words[at].start - told.start) / SPEECH_RATE_HZ)
        at += len(told.text.split())
    return errors


@pytest.mark.parametrize("voice", ["nova", "onyx", "shimmer"])
def test_words_of_a_whole_clause_are_where_the_voice_says_them(voice):
    errors = []
    for text in TEXTS:
        pcm, truth = spoken(text, voice)
        words = said(text, pcm)
        assert " ".join(word.text for word in words) == text
        errors += errors_s(words, truth)
    assert np.mean(np.abs(errors)) < 0.12
    assert np.max(np.abs(errors)) < 0.6


def told_live(text: str, pcm: np.ndarray, pace_s: float) -> list[Word]:
    """Words as they are told chunk by chunk, with nothing known of what comes."""
    clock = WordTimer(text, pace_s)
    words: list[Word] = []
    for at in range(0, len(pcm), 4_800):
        clock.hear(pcm[at : at + 4_800])
        told = clock.take(at + 4_800)
        assert all(word.start < at + 4_800 for word in told)
        words += told
    clock.finish()
    return words + clock.take(None)


def test_words_told_while_they_are_spoken_are_in_order_all_told_and_better_with_a_known_pace():
    means = []
    for is_known in (False, True):
        errors = []
        for text in TEXTS:
            pcm, truth = spoken(text, "nova")
            whole = WordTimer(text)
            whole.hear(pcm)
            words = told_live(text, pcm, whole.pace_s if is_known else USUAL_PACE_S)
            assert " ".join(word.text for word in words) == text
            assert [word.start for word in words] == sorted(word.start for word in words)
            assert all(word.end >= word.start for word in words)
            errors += errors_s(words, truth)
        means.append(np.mean(np.abs(errors)))
    assert means[1] < 0.15
    assert means[1] < means[0] < 0.25


def test_a_pause_belongs_to_the_mark_and_no_word_is_told_before_it_ends():
    before, pause, after = tone(0.5), silence(0.6), tone(0.5)
    words = said("Well then, go ahead", before, pause, after)
    assert words[2].start == pytest.approx(1.1 * SPEECH_RATE_HZ, abs=300)
    assert words[1].end == pytest.approx(0.5 * SPEECH_RATE_HZ, abs=300)
    clock = WordTimer("Well then, go ahead")
    clock.hear(np.concatenate([before, pause]))
    assert [word.text for word in clock.take(30_000)] == ["Well", "then,"]


def test_a_slow_voice_is_followed_when_the_end_is_known():
    words = said("one two three four", tone(8.0))
    assert words[2].start == pytest.approx(8.0 * 6 / 15 * SPEECH_RATE_HZ, rel=0.02)


def test_the_pace_is_seconds_of_voice_a_letter():
    clock = WordTimer("abcde fghij")
    clock.hear(np.concatenate([silence(0.3), tone(1.0), silence(0.5), tone(1.0), silence(1)]))
    clock.finish()
    assert clock.pace_s == pytest.approx(0.2, rel=0.02)


def test_a_pace_is_learnt_and_one_short_slow_clause_hardly_changes_it():
    pace = Pace()
    assert pace.letter_s == pytest.approx(USUAL_PACE_S)
    pace.learn(6, 2 * USUAL_PACE_S)
    assert pace.letter_s < 1.12 * USUAL_PACE_S
    for _ in range(10):
        pace.learn(50, 0.06)
    assert pace.letter_s == pytest.approx(0.06, rel=0.02)


def test_of_silence_no_word_is_heard():
    clock = WordTimer("Hello there")
    clock.hear(silence(2))
    clock.finish()
    assert not clock.is_voiced
    assert clock.take(None) == []


@pytest.mark.parametrize(
    ("text", "expected"), [("hello", 5), ("It's.", 3), ("42", 8), ("—", 1), ("你好", 4)]
)
def test_letters_are_counted_as_they_are_said(text, expected):
    assert letters(text) == expected
