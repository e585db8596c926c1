"""Clauses of sound → chunks: whole, trimmed, with natural pauses; late clauses delay nothing."""

import numpy as np
import pytest

from rt_avatar.engines.types import CHUNK_SAMPLES, SPEECH_RATE_HZ, SpeechChunk
from rt_avatar.tts.clause_joiner import ClauseJoiner
from tests.rt_avatar.tts.test_word_timer import silence, tone

pytestmark = pytest.mark.unit

TEXT = "one two three"


def voice_s(chunks: list[SpeechChunk]) -> list[tuple[float, float]]:
    """Begin and end of each stretch of sound, silences below 50 ms overlooked."""
    pcm = np.concatenate([chunk.pcm for chunk in chunks])
    loud = np.flatnonzero(np.abs(pcm) > 0.01)
    cuts = np.flatnonzero(np.diff(loud) > 0.05 * SPEECH_RATE_HZ)
    begins, ends = [loud[0], *loud[cuts + 1]], [*loud[cuts], loud[-1]]
    return [(b / SPEECH_RATE_HZ, e / SPEECH_RATE_HZ) for b, e in zip(begins, ends, strict=True)]


def speak(line: ClauseJoiner, pcm: np.ndarray, pause_s: float, index: int = 0, piece: int = 2_399):
    chunks = []
    line.begin(TEXT, index)
    for at in range(0, len(pcm), piece):
        line.hear(pcm[at : at + piece])
        chunks += line.whole()
    line.end_clause(pause_s)
    return chunks + line.whole()


def check_chain(chunks: list[SpeechChunk]) -> None:
    assert [chunk.start for chunk in chunks] == [CHUNK_SAMPLES * at for at in range(len(chunks))]
    assert all(chunk.pcm.shape == (CHUNK_SAMPLES,) for chunk in chunks)
    assert all(chunk.pcm.dtype == np.float32 for chunk in chunks)
    assert all(chunk.phonemes == () for chunk in chunks)
    for chunk in chunks:
        assert all(chunk.start <= w.start < chunk.start + CHUNK_SAMPLES for w in chunk.words)


@pytest.mark.parametrize("piece", [100, 2_399, 1_000_000])
def test_silence_around_clauses_becomes_the_pause_that_was_asked_for(piece):
    line = ClauseJoiner()
    padded = np.concatenate([silence(0.7), tone(1.0), silence(0.9)])
    chunks = speak(line, padded, 0.36, 0, piece) + speak(line, padded, 0.17, 1, piece)
    chunks += line.drain()
    check_chain(chunks)
    (first, first_end), (second, second_end) = voice_s(chunks)
    assert first <= 0.065
    assert first_end - first == pytest.approx(1.0, abs=0.02)
    assert second - first_end == pytest.approx(0.36, abs=0.03)
    assert second_end - second == pytest.approx(1.0, abs=0.02)
    assert len(chunks) * 0.2 < second_end + 0.3
    assert [w.text for chunk in chunks for w in chunk.words] == TEXT.split() * 2
    assert {chunk.clause_index for chunk in chunks} == {0, 1}


def test_a_pause_inside_a_clause_stays():
    line = ClauseJoiner()
    chunks = speak(line, np.concatenate([tone(0.5), silence(0.8), tone(0.5)]), 0.2) + line.drain()
    (_, end), (begin, _) = voice_s(chunks)
    assert begin - end == pytest.approx(0.8, abs=0.02)


def test_a_chunk_leaves_as_soon_as_it_is_there():
    line = ClauseJoiner()
    line.begin(TEXT, 0)
    line.hear(tone(0.19))
    assert not line.has_chunk
    line.hear(tone(0.02))
    assert line.has_chunk


def test_a_late_clause_keeps_nothing_of_the_last_one_back():
    line = ClauseJoiner()
    chunks = speak(line, tone(1.1), 0.36)
    assert voice_s(chunks)[-1][1] < 1.05  # its end waits for what follows
    line.settle()
    settled = chunks + line.whole()
    assert voice_s(settled)[-1][1] == pytest.approx(1.1, abs=0.01)
    assert np.abs(settled[-1].pcm).max() == 0  # a mouth that looks ahead comes to its end
    everything = settled + speak(line, tone(0.5), 0.1, 1) + line.drain()
    check_chain(everything)
    assert [w.text for chunk in everything for w in chunk.words] == TEXT.split() * 2


def test_what_was_heard_of_a_clause_that_breaks_off_is_drained_with_its_words():
    line = ClauseJoiner()
    line.begin(TEXT, 0)
    line.hear(tone(0.45))
    chunks = line.drain()
    check_chain(chunks)
    assert voice_s(chunks)[-1][1] == pytest.approx(0.45, abs=0.015)
    assert [w.text for chunk in chunks for w in chunk.words] == ["one", "two"]


def test_a_clause_of_silence_takes_no_time_and_tells_it():
    line = ClauseJoiner()
    line.begin(TEXT, 0)
    line.hear(silence(3))
    assert line.end_clause(0.2) is None
    assert line.drain() == []
