"""The nano voice: exact streams, times of words and sounds, styles, persons, odd texts."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.g2p.phones import PHONES
from rt_avatar.engines.nano_tts import SHIPPED, VOICES, NanoEngine, NanoStream
from rt_avatar.engines.nano_tts.clause import Delivery, plan_clause, speak
from rt_avatar.engines.nano_tts.contour import contour, sample_points
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.nano_tts.tokens import PAUSE, SpokenWord, make_tokens
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    EMOTIONS,
    Pcm,
    Phoneme,
    SpeechChunk,
    VoiceStyle,
    Word,
)

pytestmark = pytest.mark.unit

TEXT = "Thank you, I will be there at half past seven."


@pytest.fixture(scope="module")
def engine() -> NanoEngine:
    return NanoEngine()


@pytest.fixture(scope="module")
def model() -> NanoModel:
    return NanoModel(SHIPPED)


def say(stream: NanoStream, *texts: str, style: VoiceStyle | None = None) -> list[SpeechChunk]:
    chunks: list[SpeechChunk] = []
    for index, text in enumerate(texts):
        chunks += stream.push(SpeechRequest(text, style or VoiceStyle(), index))
    return chunks + stream.flush()


def sound(chunks: list[SpeechChunk]) -> Pcm:
    return np.concatenate([chunk.pcm for chunk in chunks])


def words_of(chunks: list[SpeechChunk]) -> list[Word]:
    return [word for chunk in chunks for word in chunk.words]


def sounds_of(chunks: list[SpeechChunk]) -> list[Phoneme]:
    return sorted({p for chunk in chunks for p in chunk.phonemes}, key=lambda p: p.start)


# --- streams -------------------------------------------------------------------------------------
@pytest.mark.parametrize("graph", sorted(SHIPPED.glob("*.onnx")), ids=lambda path: path.stem)
def test_no_graph_tells_where_it_was_made(graph):
    assert b".py" not in graph.read_bytes()


@pytest.mark.parametrize("voice", ["young_female", "child_male"])  # as recorded, and resampled
@pytest.mark.parametrize("chunk", [1, 5, 16])
def test_any_chunking_gives_the_same_sound_as_one_pass(model, voice, chunk):
    read = read_clause("Half past seven.")
    assert read is not None
    tuned = VOICES[voice]
    delivery = Delivery(formant=tuned.formant, pitch=tuned.pitch, breath_db=2.0)
    clause = plan_clause(model, read.words, model.speaker(tuned.speakers), delivery)
    pieces = np.concatenate(list(speak(model, clause, chunk)))
    whole = np.concatenate(list(speak(model, clause, 10_000)))
    assert len(whole) == clause.samples
    np.testing.assert_allclose(pieces, whole, atol=1e-4)


def test_chunks_are_exactly_200_ms_and_begin_with_sound(engine):
    chunks = say(engine.open(), TEXT, "Take your time.")
    assert [chunk.start for chunk in chunks] == [i * CHUNK_SAMPLES for i in range(len(chunks))]
    assert all(
        chunk.pcm.shape == (CHUNK_SAMPLES,) and chunk.pcm.dtype == np.float32 for chunk in chunks
    )
    pcm = sound(chunks)
    assert np.isfinite(pcm).all()
    assert np.abs(pcm).max() < 1
    assert all(np.abs(chunk.pcm).max() > 1e-4 for chunk in chunks[:5])


def test_the_first_chunk_is_given_before_the_last_is_made(engine):
    stream = engine.open()
    coming = stream.say(SpeechRequest(TEXT, VoiceStyle(), 0))
    first = next(coming)
    stream.reset()  # a caller who interrupts: what is not made yet never is
    assert first.start == 0
    fresh = say(stream, "Take your time.")
    np.testing.assert_array_equal(sound(fresh), sound(say(engine.open(), "Take your time.")))


def test_two_streams_do_not_leak_into_each_other(engine):
    one, other = engine.open(), engine.open("middle_male")
    mine = one.push(SpeechRequest(TEXT, VoiceStyle(), 0))
    other.push(SpeechRequest("Something else, entirely.", VoiceStyle(), 0))
    np.testing.assert_array_equal(sound(mine + one.flush()), sound(say(engine.open(), TEXT)))
    assert one.flush() == []
    one.close()
    one.close()


# --- times ---------------------------------------------------------------------------------------
def test_a_clause_that_is_late_is_spoken_as_it_would_have_been_in_time(engine):
    first, second = (SpeechRequest(text, VoiceStyle(), 0) for text in ("It will heal.", TEXT))
    stream = engine.open()
    early = stream.push(first) + stream.settle()
    late = stream.push(second) + stream.settle() + stream.settle() + stream.flush()
    alone = sound(say(engine.open(), "It will heal."))
    np.testing.assert_array_equal(sound(early)[: len(alone)], alone)
    assert not sound(early)[len(alone) :].any()
    in_time = say(engine.open(), "It will heal.", TEXT)
    shift = late[0].words[0].start - words_of(in_time)[3].start
    assert shift > 0
    begin = late[0].start - shift
    rest = sound(in_time)[begin:]
    np.testing.assert_array_equal(sound(late)[: len(rest)], rest[: len(sound(late))])
    assert [(w.text, w.start - shift) for w in words_of(late)] == [
        (w.text, w.start) for w in words_of(in_time)[3:]
    ]
    sounds = sounds_of(early + late)
    assert all(a.end == b.start for a, b in itertools.pairwise(sounds))


def test_sounds_cover_the_speech_once_without_gaps(engine):
    heard = sounds_of(say(engine.open(), TEXT, "Take your time."))
    assert all(p.end > p.start for p in heard)
    assert all(p.end == q.start for p, q in itertools.pairwise(heard))
    assert any(p.stress == 2 for p in heard)


def test_every_written_word_has_its_time_in_order(engine):
    words = [word for chunk in say(engine.open(), "It costs $5, okay?") for word in chunk.words]
    assert " ".join(word.text for word in words) == "It costs $5, okay?"
    assert all(a.end <= b.start for a, b in itertools.pairwise(words))


# --- styles and persons --------------------------------------------------------------------------
def length(chunks: list[SpeechChunk]) -> int:
    return sounds_of(chunks)[-1].end


@pytest.mark.parametrize("rate", [0.7, 1.4])
def test_rate_changes_how_long_it_takes(engine, rate):
    plain = length(say(engine.open(), TEXT))
    moved = length(say(engine.open(), TEXT, style=VoiceStyle(rate=rate)))
    assert moved == pytest.approx(plain / rate, rel=0.12)


def test_pitch_and_range_do_what_they_say(model):
    read = read_clause(TEXT)
    assert read is not None
    speaker = model.speaker({"cathy": 1.0})

    def octaves(**figures: float) -> np.ndarray:
        pitch = plan_clause(model, read.words, speaker, Delivery(**figures)).pitch
        return np.log2(pitch[pitch > 0])

    plain, high, wide = octaves(), octaves(pitch=1.2), octaves(pitch_range=1.6)
    assert high.mean() - plain.mean() == pytest.approx(np.log2(1.2), abs=0.06)
    assert wide.std() == pytest.approx(1.6 * plain.std(), rel=0.25)
    # A narrow or wide range moves a clause neither up nor down.
    for pitch_range in (0.4, 1.6):
        moved = np.median(octaves(pitch_range=pitch_range)) - np.median(plain)
        assert abs(moved) < 0.03


def test_pitch_trembles_about_its_contour_as_readers_does_and_the_same_each_time(model):
    read = read_clause(TEXT)
    assert read is not None
    speaker = model.speaker({"cathy": 1.0})
    pitch = plan_clause(model, read.words, speaker, Delivery()).pitch
    again = plan_clause(model, read.words, speaker, Delivery()).pitch
    np.testing.assert_array_equal(pitch, again)
    ln_hz = np.log(np.where(pitch > 0, pitch, np.nan))
    bends = ln_hz[:-2] - 2 * ln_hz[1:-1] + ln_hz[2:]
    # White of one deviation bends by the root of six; recordings by 0.009 to 0.023 in the median.
    assert 0.009 < np.nanmedian(np.abs(bends)) < 0.035


def test_more_jitter_trembles_more_about_the_same_contour(model):
    read = read_clause(TEXT)
    assert read is not None
    speaker = model.speaker({"cathy": 1.0})

    def ln_hz(jitter: float) -> np.ndarray:
        pitch = plan_clause(model, read.words, speaker, Delivery(jitter=jitter)).pitch
        return np.log(np.where(pitch > 0, pitch, np.nan))

    still, plain, rough = ln_hz(0.0), ln_hz(1.0), ln_hz(1.7)
    np.testing.assert_allclose(rough - still, 1.7 * (plain - still), atol=1e-4)


@pytest.mark.parametrize("change", [-0.1, -2.0])  # and more than there is
def test_frames_lose_their_voice_as_many_as_asked_and_never_all(model, change):
    read = read_clause(TEXT)
    assert read is not None
    speaker = model.speaker({"cathy": 1.0})
    plain, less = (
        plan_clause(model, read.words, speaker, Delivery(voiced=voiced)).pitch > 0
        for voiced in (0.0, change)
    )
    assert 0 < less.sum() < plain.sum()
    assert not (less & ~plain).any()
    if change > -1:
        assert (less.sum() - plain.sum()) / len(plain) == pytest.approx(change, abs=0.02)


def test_a_range_wider_than_a_voice_has_room_for_widens_upward(model):
    read = read_clause(TEXT)
    assert read is not None
    speaker = model.speaker({"cathy": 1.0})

    def semitones(pitch_range: float) -> np.ndarray:
        delivery = Delivery(pitch_range=pitch_range, jitter=0.0)
        pitch = plan_clause(model, read.words, speaker, delivery).pitch
        return 12 * np.log2(np.percentile(pitch[pitch > 0], (10, 50, 90)))

    plain, wide, wider = semitones(1.0), semitones(2.0), semitones(2.6)
    assert wider[0] == pytest.approx(wide[0], abs=0.3)
    assert wider[1] == pytest.approx(wide[1], abs=0.3)
    assert wider[2] > wide[2] + 1
    assert wider[2] - wider[0] == pytest.approx(2.6 * (plain[2] - plain[0]), rel=0.15)


def test_a_wide_range_does_not_take_a_low_voice_where_it_would_creak(model):
    read = read_clause(TEXT)
    assert read is not None

    def lowest_hz(reader: str) -> float:
        speaker = model.speaker({reader: 1.0})
        pitch = plan_clause(model, read.words, speaker, Delivery(pitch_range=2.6)).pitch
        return float(np.percentile(pitch[pitch > 0], 5))

    assert lowest_hz("460") > 64.0  # 68 but for its trembling
    assert lowest_hz("332") < 64.0  # who speaks at 79 Hz keeps his range


def test_all_persons_speak_every_emotion_and_differ(engine):
    lengths = {}
    for voice in VOICES:
        pcm = sound(say(engine.open(voice), "I see."))
        assert 0.02 < np.abs(pcm).max() < 1
        lengths[voice] = pcm[: 2 * CHUNK_SAMPLES]
    for one, other in itertools.combinations(lengths.values(), 2):
        assert not np.array_equal(one, other)
    said = {e: sound(say(engine.open(), TEXT, style=VoiceStyle(e, 1.0))) for e in EMOTIONS}
    assert len({len(pcm) for pcm in said.values()}) > 3


def test_an_unknown_voice_is_refused_with_those_there_are(engine):
    with pytest.raises(ValueError, match="expected one of young_female"):
        engine.open("nobody")


def test_for_an_own_voice_of_another_models_readers_the_default_speaks(caplog):
    other = replace(VOICES["middle_male"], speakers={"reader of another model": 1.0})
    engine = NanoEngine(find_own=lambda _: other)
    heard = sound(say(engine.open("own:mine"), "I see."))
    np.testing.assert_array_equal(heard, sound(say(engine.open(), "I see.")))
    assert "own:mine: made with another tts.model; young_female speaks" in caplog.text


def test_a_folder_without_a_voice_is_named_with_what_makes_one(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"encoder\.onnx.*engines\.training\.voice export"):
        NanoEngine(tmp_path)


# --- odd texts -----------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "   ", "…", "🙂🙂", "\x00\x01", "<>{}"])
def test_text_without_words_gives_nothing(engine, text):
    assert say(engine.open(), text) == []


@pytest.mark.parametrize("text", ["<speak>Hello</speak>", "Hi \x01 there", "**Bold** and 42 %"])
def test_odd_text_is_spoken_in_bounds(engine, text):
    pcm = sound(say(engine.open(), text))
    assert np.isfinite(pcm).all()
    assert len(pcm) < 24_000 * 10


# --- what both training and speaking use ---------------------------------------------------------
def test_every_phone_has_a_token_and_pauses_part_phrases():
    words = [SpokenWord(PHONES[:4], pause=True), SpokenWord(PHONES[4:])]
    tokens = make_tokens(words)
    assert len(tokens.symbol) == len(PHONES) + 2
    assert sorted(set(tokens.symbol)) == list(range(len(PHONES) + 1))
    assert (tokens.word[tokens.symbol == PAUSE] == -1).all()
    assert tokens.phrase[1, 0] == tokens.phrase[6, 0] == 0  # first phones of both phrases


def test_a_contour_of_points_is_the_pitch_they_were_taken_from():
    frames = np.array([6, 9, 3, 12])
    pitch = np.linspace(5.0, 5.6, int(frames.sum()), dtype=np.float32)
    again = contour(sample_points(pitch, frames), frames)
    np.testing.assert_allclose(again[2:-3], pitch[2:-3], atol=0.02)
