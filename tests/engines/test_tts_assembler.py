import numpy as np
import pytest

from rt_avatar.engines.espeak.voices import VOICES
from rt_avatar.engines.tts_assembler import ChunkAssembler
from rt_avatar.engines.tts_tone import TAPS, colour, design, limit
from rt_avatar.engines.types import CHUNK_SAMPLES, SPEECH_RATE_HZ, Phoneme, SpeechChunk, Word

pytestmark = pytest.mark.unit

VOICE = VOICES["young_female"]


def sound(length: int, index: int) -> np.ndarray:
    noise = np.random.default_rng(index).standard_normal(length).astype(np.float32) * 0.1
    return colour(noise, design(VOICE.tone, 0.0, 1.0))


def say(assembler: ChunkAssembler, length: int, index: int, pause_s=0.2) -> list[SpeechChunk]:
    phonemes = (Phoneme("a", 0, length // 2), Phoneme("b", length // 2, length, 2))
    assembler.begin(phonemes, (Word(f"w{index}", 0, length),), pause_s, index)
    return assembler.feed(sound(length, index), length)


@pytest.mark.parametrize("lengths", [(100,), (4_800,), (4_799, 4_801), (30_000, 10, 9_600, 5_000)])
def test_clauses_in_chunks_equal_the_same_sound_made_at_once(lengths: tuple[int, ...]) -> None:
    assembler = ChunkAssembler()
    chunks = [
        chunk for index, length in enumerate(lengths) for chunk in say(assembler, length, index)
    ] + assembler.drain()
    whole = np.zeros(len(chunks) * CHUNK_SAMPLES, np.float32)
    begin = 0
    for index, length in enumerate(lengths):
        pcm = sound(length, index)
        whole[begin : begin + len(pcm)] += pcm
        begin += length + round(0.2 * SPEECH_RATE_HZ)
    np.testing.assert_array_equal(np.concatenate([chunk.pcm for chunk in chunks]), limit(whole))


def test_a_turn_begins_5_ms_before_it_can_be_heard_and_only_the_turn() -> None:
    lead, rest = 1_200, 9_600
    noise = np.random.default_rng(0).standard_normal(lead + rest).astype(np.float32)
    pcm = noise * np.where(np.arange(lead + rest) < lead, 0.001, 0.1).astype(np.float32)
    phonemes = (
        Phoneme("", 0, 600), Phoneme("h", 600, 3_000), Phoneme("a", 3_000, lead + rest),
    )  # fmt: skip
    assembler = ChunkAssembler()
    chunks: list[SpeechChunk] = []
    for index in range(2):
        assembler.begin(phonemes, (Word(f"w{index}", 600, lead + rest),), 0.2, index)
        chunks += assembler.feed(pcm, len(pcm))
    chunks += assembler.drain()
    heard = np.concatenate([chunk.pcm for chunk in chunks])
    np.testing.assert_array_equal(heard[120:rest], pcm[lead : lead + rest - 120])
    assert np.all(np.abs(heard[:120]) <= np.abs(pcm[lead - 120 : lead]))
    second = 120 + rest + round(0.2 * SPEECH_RATE_HZ)
    np.testing.assert_array_equal(heard[second : second + lead + rest], pcm)
    begun = {p for chunk in chunks for p in chunk.phonemes}
    assert {Phoneme("h", 0, 1_920), Phoneme("a", 1_920, 120 + rest)} <= begun
    assert Phoneme("h", second + 600, second + 3_000) in begun
    assert [(w.start, w.end) for chunk in chunks for w in chunk.words] == [
        (0, 120 + rest), (second + 600, second + lead + rest),
    ]  # fmt: skip


def test_a_turn_ends_without_the_last_pause() -> None:
    assembler = ChunkAssembler()
    chunks = say(assembler, 9_600 - TAPS, 0, pause_s=5.0) + assembler.drain()
    assert len(chunks) == 2
    assert all(p.ipa for chunk in chunks for p in chunk.phonemes)


@pytest.mark.parametrize("pause_s", [0.0, 0.2, 0.7])
@pytest.mark.parametrize("length", [100, 4_799, 4_800, 9_600 - TAPS, 9_600, 30_010])
def test_all_that_was_said_is_heard_while_the_next_clause_is_late(
    length: int, pause_s: float
) -> None:
    assembler = ChunkAssembler()
    chunks = say(assembler, length, 0, pause_s) + assembler.settle()
    second = sum(len(chunk.pcm) for chunk in chunks)
    pcm = sound(length, 0)
    assert len(pcm) + CHUNK_SAMPLES <= second
    assert second < max(len(pcm) + CHUNK_SAMPLES, length + pause_s * SPEECH_RATE_HZ) + CHUNK_SAMPLES
    assert assembler.settle() == []
    chunks += say(assembler, 7_000, 1) + assembler.drain()
    wanted = np.zeros(len(chunks) * CHUNK_SAMPLES, np.float32)
    for begin, each in ((0, pcm), (second, sound(7_000, 1))):
        wanted[begin : begin + len(each)] += each
    np.testing.assert_array_equal(np.concatenate([chunk.pcm for chunk in chunks]), limit(wanted))
    assert [chunk.start for chunk in chunks] == [
        CHUNK_SAMPLES * index for index in range(len(chunks))
    ]
    assert [word for chunk in chunks for word in chunk.words] == [
        Word("w0", 0, length), Word("w1", second, second + 7_000),
    ]  # fmt: skip
    sounds = sorted({p for chunk in chunks for p in chunk.phonemes}, key=lambda p: p.start)
    assert [(p.ipa, p.start) for p in sounds] == [
        ("a", 0), ("b", length // 2), ("", length), ("a", second), ("b", second + 3_500),
    ]  # fmt: skip
    assert sounds[2].end == second
    assert [chunk.clause_index for chunk in chunks] == [
        int(chunk.start >= second) for chunk in chunks
    ]


def test_a_turn_settles_only_what_was_said_and_then_ends_with_nothing_more() -> None:
    assembler = ChunkAssembler()
    assert assembler.settle() == []
    assert say(assembler, 7_000, 0) + assembler.settle()
    assert assembler.drain() == []


def test_draining_begins_a_new_time_line() -> None:
    assembler = ChunkAssembler()
    assert assembler.drain() == []
    first = say(assembler, 7_000, 3) + assembler.drain()
    second = say(assembler, 7_000, 3) + assembler.drain()
    assert_equal(first, second)
    say(assembler, 7_000, 4)
    assembler.clear()
    assert_equal(first, say(assembler, 7_000, 3) + assembler.drain())


def assert_equal(one: list[SpeechChunk], other: list[SpeechChunk]) -> None:
    for a, b in zip(one, other, strict=True):
        assert (a.start, a.phonemes, a.words, a.clause_index) == (
            b.start, b.phonemes, b.words, b.clause_index,
        )  # fmt: skip
        np.testing.assert_array_equal(a.pcm, b.pcm)


def test_the_tone_filter_has_no_delay_and_no_sample_reaches_full_scale() -> None:
    for voice in VOICES.values():
        taps = design(voice.tone, 3.0, 1.3)
        assert taps.shape == (TAPS,)
        assert int(np.argmax(np.abs(taps))) < 12  # 0.5 ms: lips and sound stay together
    loud = np.linspace(-40, 40, 1_001, dtype=np.float32)
    assert np.abs(limit(loud)).max() <= 1
    quiet = np.linspace(-0.7, 0.7, 101, dtype=np.float32)
    np.testing.assert_array_equal(limit(quiet), quiet)
