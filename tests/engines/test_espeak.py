import itertools
from collections.abc import Callable, Iterable

import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.pitch import pitch_track
from rt_avatar.engines.espeak import VOICES, EspeakEngine, EspeakStream
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    EMOTIONS,
    SOUNDS_AHEAD,
    SPEECH_RATE_HZ,
    Pcm,
    Phoneme,
    SpeechChunk,
    VoiceStyle,
    Word,
)

pytestmark = pytest.mark.unit

TEXT = "Oh, that must have been hard for you; would you like to tell me more about it?"
# The library's oscillators run on from call to call: a sound moves by about a pitch period.
TOLERANCE_SAMPLES = 240  # 10 ms


@pytest.fixture(scope="module")
def engine() -> EspeakEngine:
    return EspeakEngine()


def speak(stream: EspeakStream, *texts: str, style: VoiceStyle | None = None) -> list[SpeechChunk]:
    chunks: list[SpeechChunk] = []
    for index, text in enumerate(texts):
        chunks += stream.push(SpeechRequest(text, style or VoiceStyle(), index))
    return chunks + stream.flush()


def sound(chunks: Iterable[SpeechChunk]) -> Pcm:
    return np.concatenate([chunk.pcm for chunk in chunks])


def phonemes(chunks: Iterable[SpeechChunk]) -> list[Phoneme]:
    return sorted({p for chunk in chunks for p in chunk.phonemes}, key=lambda p: p.start)


def words(chunks: Iterable[SpeechChunk]) -> list[Word]:
    return [word for chunk in chunks for word in chunk.words]


def level_db(pcm: Pcm) -> float:
    return float(10 * np.log10(np.mean(pcm.astype(np.float64) ** 2) + 1e-12))


def voiced_db(pcm: Pcm) -> float:
    """Level of the louder half of its 20 ms windows: pauses do not count."""
    windows = pcm[: len(pcm) // 480 * 480].reshape(-1, 480)
    powers = np.sort(np.mean(windows.astype(np.float64) ** 2, axis=1))
    return float(10 * np.log10(powers[len(powers) // 2 :].mean() + 1e-12))


def pitch_hz(pcm: Pcm) -> np.ndarray:
    """Pitch of every voiced 40 ms by autocorrelation."""
    size = SPEECH_RATE_HZ // 25
    low, high = SPEECH_RATE_HZ // 500, SPEECH_RATE_HZ // 60
    found = []
    for start in range(0, len(pcm) - size, size // 2):
        window = pcm[start : start + size] - pcm[start : start + size].mean()
        if np.sqrt(np.mean(window**2)) < 0.03:
            continue
        spectrum = np.abs(np.fft.rfft(window, 2 * size)) ** 2
        correlation = np.fft.irfft(spectrum)[:size] / np.arange(size, 0, -1)
        lag = low + int(np.argmax(correlation[low:high]))
        # The shortest period that is nearly as good: not its double.
        for shorter in range(low, lag):
            if correlation[shorter] > 0.9 * correlation[lag]:
                lag = shorter + int(np.argmax(correlation[shorter : shorter + 12]))
                break
        if correlation[lag] > 0.6 * correlation[0]:
            found.append(SPEECH_RATE_HZ / lag)
    return np.array(found)


def test_chunks_are_exactly_200_ms_one_behind_the_other(engine: EspeakEngine) -> None:
    chunks = speak(engine.open(), TEXT, "Take your time.")
    assert [chunk.start for chunk in chunks] == [i * CHUNK_SAMPLES for i in range(len(chunks))]
    assert all(
        chunk.pcm.shape == (CHUNK_SAMPLES,) and chunk.pcm.dtype == np.float32 for chunk in chunks
    )
    assert all(np.abs(chunk.pcm).max() < 1 for chunk in chunks)


def test_the_first_chunk_comes_with_the_push_that_asked(engine: EspeakEngine) -> None:
    chunks = engine.open().push(SpeechRequest("Oh, I see.", VoiceStyle(), 0))
    assert chunks
    assert np.abs(chunks[0].pcm[:1_200]).max() > 0.01  # sound within 50 ms, not silence


def test_sounds_cover_the_speech_once_without_gaps(engine: EspeakEngine) -> None:
    heard = phonemes(speak(engine.open(), TEXT, "Take your time."))
    assert all(p.end > p.start for p in heard)
    assert all(p.end == q.start for p, q in itertools.pairwise(heard))


def test_a_chunk_knows_the_sounds_of_the_next_400_ms(engine: EspeakEngine) -> None:
    chunks = speak(engine.open(), TEXT)
    everything = phonemes(chunks)
    for chunk in chunks[:-3]:
        end = chunk.start + CHUNK_SAMPLES
        expected = [p for p in everything if p.end > chunk.start and p.start < end + SOUNDS_AHEAD]
        assert list(chunk.phonemes) == expected


def test_ipa_carries_no_stress_marks_and_stress_is_a_number(engine: EspeakEngine) -> None:
    heard = phonemes(speak(engine.open(), "Understanding animals takes time."))
    assert not any(mark in p.ipa for p in heard for mark in "ˈˌ()")
    assert {p.stress for p in heard} == {0, 1, 2}


def test_every_written_word_is_captioned_in_order_with_its_marks(engine: EspeakEngine) -> None:
    text = 'Oh — "Peter", the U.S. paid $25.50 for 3 apples… 🙂 didn\'t it?'
    captioned = words(speak(engine.open(), text))
    assert " ".join(word.text for word in captioned) == text
    starts = [word.start for word in captioned]
    assert starts == sorted(starts)
    assert all(word.end >= word.start for word in captioned)


def test_words_lie_where_their_sounds_are(engine: EspeakEngine) -> None:
    chunks = speak(engine.open(), "Three happy puppies, and a big map.")
    heard = phonemes(chunks)
    for word, first in (("happy", "h"), ("puppies,", "p"), ("big", "b"), ("map.", "m")):
        start = next(w.start for w in words(chunks) if w.text == word)
        near = min(
            (p for p in heard if p.ipa == first), key=lambda p, start=start: abs(p.start - start)
        )
        assert abs(near.start - start) < 0.06 * SPEECH_RATE_HZ


def test_each_word_is_in_the_chunk_in_which_it_begins(engine: EspeakEngine) -> None:
    for chunk in speak(engine.open(), TEXT, "Take your time."):
        for word in chunk.words:
            assert chunk.start <= word.start < chunk.start + CHUNK_SAMPLES


@pytest.mark.parametrize("voice", VOICES)
def test_lips_that_close_are_heard_to_close(engine: EspeakEngine, voice: str) -> None:
    chunks = speak(engine.open(voice), "A happy puppy, a paper map, a supper.")
    pcm = sound(chunks)
    heard = phonemes(chunks)
    inner = [
        (p, q)
        for p, q in itertools.pairwise(heard)
        if q.ipa == "p" and p.ipa not in ("", "s") and p.end - p.start > 1_200
    ]
    assert len(inner) >= 3
    for vowel, stop in inner:
        middle = (vowel.start + vowel.end) // 2
        before = level_db(pcm[middle - 360 : middle + 360])
        # 20 ms into the closure the sound is gone; 20 ms before it it was there.
        closed = min(level_db(pcm[s : s + 240]) for s in range(stop.start, stop.start + 720, 120))
        edge = level_db(pcm[stop.start - 600 : stop.start - 120])
        assert closed < before - 18
        assert edge > closed + 12


def test_clauses_join_with_the_pause_their_mark_asks_for(engine: EspeakEngine) -> None:
    def gap(first: str) -> int:
        heard = phonemes(speak(engine.open(), first, "nobody knows"))
        begin = next(p.start for p in heard if p.ipa == "n" and p.start > heard[-1].end * 0.4)
        return begin - max(p.end for p in heard if p.ipa and p.end <= begin)

    assert gap("I am alone") < gap("I am alone,") < gap("I am alone.") < SPEECH_RATE_HZ // 2


def test_clauses_pushed_apart_say_what_each_says_alone(engine: EspeakEngine) -> None:
    first, second = "I am sorry to hear that,", "it sounds very hard."
    together = phonemes(speak(engine.open(), first, second))
    alone_1 = phonemes(speak(engine.open(), first))
    alone_2 = phonemes(speak(engine.open(), second))
    assert [p.ipa for p in together if p.ipa] == [p.ipa for p in alone_1 + alone_2 if p.ipa]
    shift = [p for p in together if p.ipa][len([p for p in alone_1 if p.ipa])].start
    later = [p for p in together if p.start >= shift]
    for p, q in zip(later, alone_2, strict=True):
        assert abs(p.start - shift - q.start) <= TOLERANCE_SAMPLES


def test_a_chunk_bears_the_clause_of_its_first_sample(engine: EspeakEngine) -> None:
    stream = engine.open()
    chunks = speak(stream, "I am sorry to hear that.", "It sounds very hard.")
    first_of_second = next(w.start for w in words(chunks) if w.text == "It")
    for chunk in chunks:
        assert chunk.clause_index == int(chunk.start >= first_of_second - 480)


Restart = Callable[[EspeakStream], object]


@pytest.mark.parametrize("restart", [EspeakStream.reset, EspeakStream.flush])
def test_after_reset_or_flush_a_stream_is_as_new(engine: EspeakEngine, restart: Restart) -> None:
    used = engine.open()
    used.push(SpeechRequest("Something that nobody wants to hear.", VoiceStyle(), 7))
    restart(used)
    assert used.flush() == []
    again, fresh = speak(used, TEXT), speak(engine.open(), TEXT)
    assert [a.start for a in again] == [f.start for f in fresh]
    assert again[0].clause_index == 0
    for p, q in zip(phonemes(again), phonemes(fresh), strict=True):
        assert p.ipa == q.ipa
        assert abs(p.start - q.start) <= TOLERANCE_SAMPLES


def test_two_callers_with_two_voices_do_not_leak_into_each_other(engine: EspeakEngine) -> None:
    her, him = engine.open("young_female"), engine.open("middle_male")
    excited = VoiceStyle("happy", 1.0, rate=1.3)
    her_chunks, his_chunks = [], []
    for index in range(3):
        her_chunks += her.push(SpeechRequest("How are you today?", excited, index))
        his_chunks += him.push(SpeechRequest("I am all right.", VoiceStyle(), index))
    her_chunks += her.flush()
    his_chunks += him.flush()
    alone = [
        chunk
        for chunks in [speak(engine.open("middle_male"), *["I am all right."] * 3)]
        for chunk in chunks
    ]
    assert [p.ipa for p in phonemes(his_chunks)] == [p.ipa for p in phonemes(alone)]
    assert abs(phonemes(his_chunks)[-1].end - phonemes(alone)[-1].end) <= 3 * TOLERANCE_SAMPLES
    assert np.median(pitch_hz(sound(her_chunks))) > 1.4 * np.median(pitch_hz(sound(his_chunks)))


def test_a_style_is_heard_in_pitch_range_rate_and_level(engine: EspeakEngine) -> None:
    def measure(**changes: float) -> tuple[float, float, int, float]:
        style = VoiceStyle(**changes)  # type: ignore[arg-type]
        chunks = speak(engine.open("young_male"), TEXT, style=style)
        # By the benchmarks' tracker: the voice flutters, and single windows differ with it.
        track = pitch_track(sound(chunks), SPEECH_RATE_HZ)
        f0 = track[track > 0]
        spread = float(np.log2(np.percentile(f0, 90) / np.percentile(f0, 10)))
        return float(np.median(f0)), spread, phonemes(chunks)[-1].end, voiced_db(sound(chunks))

    plain = measure()
    assert measure(pitch=1.25)[0] / plain[0] == pytest.approx(1.25, rel=0.08)
    assert measure(pitch=0.8)[0] / plain[0] == pytest.approx(0.8, rel=0.08)
    assert measure(pitch_range=0.3)[1] < 0.7 * plain[1]
    assert measure(pitch_range=1.8)[1] > 1.3 * plain[1]
    assert measure(rate=1.3)[2] < 0.87 * plain[2]
    assert measure(rate=0.75)[2] > 1.15 * plain[2]
    assert measure(volume=0.5)[3] == pytest.approx(plain[3] - 6, abs=1)


def test_sadness_is_slow_low_and_flat_and_joy_is_not(engine: EspeakEngine) -> None:
    measured = {}
    for emotion in ("sad", "neutral", "happy"):
        chunks = speak(engine.open(), TEXT, style=VoiceStyle(emotion, 1.0))  # type: ignore[arg-type]
        f0 = pitch_hz(sound(chunks))
        spread = np.percentile(f0, 90) / np.percentile(f0, 10)
        measured[emotion] = (np.median(f0), spread, -phonemes(chunks)[-1].end)
    for sad, neutral, happy in zip(*measured.values(), strict=True):
        assert sad < neutral < happy


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_every_emotion_speaks_without_clipping(engine: EspeakEngine, emotion: str) -> None:
    style = VoiceStyle(emotion, 1.0, volume=1.3)  # type: ignore[arg-type]
    pcm = sound(speak(engine.open(), TEXT, style=style))
    assert 0.1 < np.abs(pcm).max() < 1


def test_all_voices_are_about_equally_loud(engine: EspeakEngine) -> None:
    levels = [voiced_db(sound(speak(engine.open(voice), TEXT))) for voice in VOICES]
    assert max(levels) - min(levels) < 3


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "🙂🙃", "\x00\x01\x02", "…", "<>[]{}", "\ud800", "\u202e"]
)
def test_text_without_words_says_nothing(engine: EspeakEngine, text: str) -> None:
    assert speak(engine.open(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Hello [[h@l'oU]] <speak><break time='99999s'/></speak> \x01 \x00 there",
        "👩‍👩‍👧 family 🇩🇪 1️⃣ time",
        "a" * 10_000,
        "9" * 10_000,
        "the quick brown fox " * 500,
        "é̈̈̈̈̈̈̈̈̈̈" * 200,
        "lone \ud83d surrogate",
        "\u202ebackwards\u202c",
    ],
)
def test_hostile_text_is_spoken_in_bounds(engine: EspeakEngine, text: str) -> None:
    chunks = speak(engine.open(), text)
    assert 0 < len(chunks) < 100 * 5
    assert all(np.isfinite(chunk.pcm).all() for chunk in chunks)
    for word in words(chunks):
        word.text.encode()  # fit for a caption
        assert word.text.isprintable() or "\u200d" in word.text


@pytest.mark.parametrize(
    "text",
    ["Привет, как дела?", "你好，世界", "こんにちは", "مرحبا بالعالم", "नमस्ते दुनिया", "안녕하세요"],
)
def test_other_scripts_are_spoken_in_their_language(engine: EspeakEngine, text: str) -> None:
    chunks = speak(engine.open(), text)
    assert len(chunks) < 15  # spelling it ("Chinese letter …") would take longer
    assert " ".join(word.text for word in words(chunks)) == text


def test_an_unknown_voice_is_refused_with_the_known_ones(engine: EspeakEngine) -> None:
    with pytest.raises(ValueError, match=r"young_female.*got 'nobody'"):
        engine.open("nobody")
