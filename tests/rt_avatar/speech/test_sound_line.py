"""Clauses of sound → atoms: whole, trimmed, with natural pauses; late clauses keep nothing back."""

import numpy as np
import pytest

from engines.types import ATOM_SAMPLES, SPEECH_RATE_HZ, SpeechAtom
from rt_avatar.speech.sound_line import SoundLine
from tests.rt_avatar.speech.test_word_clock import silence, tone

pytestmark = pytest.mark.unit

TEXT = "one two three"


def voice_s(atoms: list[SpeechAtom]) -> list[tuple[float, float]]:
    """Begin and end of each stretch of sound, silences below 50 ms overlooked."""
    pcm = np.concatenate([atom.pcm for atom in atoms])
    loud = np.flatnonzero(np.abs(pcm) > 0.01)
    cuts = np.flatnonzero(np.diff(loud) > 0.05 * SPEECH_RATE_HZ)
    begins, ends = [loud[0], *loud[cuts + 1]], [*loud[cuts], loud[-1]]
    return [(b / SPEECH_RATE_HZ, e / SPEECH_RATE_HZ) for b, e in zip(begins, ends, strict=True)]


def speak(line: SoundLine, pcm: np.ndarray, pause_s: float, index: int = 0, chunk: int = 2_399):
    atoms = []
    line.begin(TEXT, index)
    for at in range(0, len(pcm), chunk):
        line.hear(pcm[at : at + chunk])
        atoms += line.whole()
    line.end_clause(pause_s)
    return atoms + line.whole()


def check_chain(atoms: list[SpeechAtom]) -> None:
    assert [atom.start for atom in atoms] == [ATOM_SAMPLES * at for at in range(len(atoms))]
    assert all(atom.pcm.shape == (ATOM_SAMPLES,) for atom in atoms)
    assert all(atom.pcm.dtype == np.float32 for atom in atoms)
    assert all(atom.phonemes == () for atom in atoms)
    for atom in atoms:
        assert all(atom.start <= w.start < atom.start + ATOM_SAMPLES for w in atom.words)


@pytest.mark.parametrize("chunk", [100, 2_399, 1_000_000])
def test_silence_around_clauses_becomes_the_pause_that_was_asked_for(chunk):
    line = SoundLine()
    padded = np.concatenate([silence(0.7), tone(1.0), silence(0.9)])
    atoms = speak(line, padded, 0.36, 0, chunk) + speak(line, padded, 0.17, 1, chunk)
    atoms += line.drain()
    check_chain(atoms)
    (first, first_end), (second, second_end) = voice_s(atoms)
    assert first <= 0.065
    assert first_end - first == pytest.approx(1.0, abs=0.02)
    assert second - first_end == pytest.approx(0.36, abs=0.03)
    assert second_end - second == pytest.approx(1.0, abs=0.02)
    assert len(atoms) * 0.2 < second_end + 0.3
    assert [w.text for atom in atoms for w in atom.words] == TEXT.split() * 2
    assert {atom.clause_index for atom in atoms} == {0, 1}


def test_a_pause_inside_a_clause_stays():
    line = SoundLine()
    atoms = speak(line, np.concatenate([tone(0.5), silence(0.8), tone(0.5)]), 0.2) + line.drain()
    (_, end), (begin, _) = voice_s(atoms)
    assert begin - end == pytest.approx(0.8, abs=0.02)


def test_an_atom_leaves_as_soon_as_it_is_there():
    line = SoundLine()
    line.begin(TEXT, 0)
    line.hear(tone(0.19))
    assert not line.has_atom
    line.hear(tone(0.02))
    assert line.has_atom


def test_a_late_clause_keeps_nothing_of_the_last_one_back():
    line = SoundLine()
    atoms = speak(line, tone(1.1), 0.36)
    assert voice_s(atoms)[-1][1] < 1.05  # its end waits for what follows
    line.settle()
    settled = atoms + line.whole()
    assert voice_s(settled)[-1][1] == pytest.approx(1.1, abs=0.01)
    assert np.abs(settled[-1].pcm).max() == 0  # a mouth that looks ahead comes to its end
    everything = settled + speak(line, tone(0.5), 0.1, 1) + line.drain()
    check_chain(everything)
    assert [w.text for atom in everything for w in atom.words] == TEXT.split() * 2


def test_what_was_heard_of_a_clause_that_breaks_off_is_drained_with_its_words():
    line = SoundLine()
    line.begin(TEXT, 0)
    line.hear(tone(0.45))
    atoms = line.drain()
    check_chain(atoms)
    assert voice_s(atoms)[-1][1] == pytest.approx(0.45, abs=0.015)
    assert [w.text for atom in atoms for w in atom.words] == ["one", "two"]


def test_a_clause_of_silence_takes_no_time_and_tells_it():
    line = SoundLine()
    line.begin(TEXT, 0)
    line.hear(silence(3))
    assert line.end_clause(0.2) is None
    assert line.drain() == []
