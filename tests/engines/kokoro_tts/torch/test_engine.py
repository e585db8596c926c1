"""The Kokoro voice: streams, times, style tables and mixtures, emotions, odd texts and files."""

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.kokoro_tts import KokoroEngine, KokoroModel, VoiceFolderError
from rt_avatar.engines.kokoro_tts.voices import VOICES
from rt_avatar.engines.styletts2.symbols import encode
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import CHUNK_SAMPLES, SpeechChunk, VoiceStyle

pytestmark = pytest.mark.networks
TEXT = "Thank you, I will be there at half past seven."


@pytest.fixture(scope="module")
def engine(exported: Path) -> KokoroEngine:
    return KokoroEngine(exported, threads=1)


@pytest.fixture(scope="module")
def model(exported: Path) -> KokoroModel:
    return KokoroModel(exported, threads=1)


def say(stream, *texts: str, style: VoiceStyle | None = None) -> list[SpeechChunk]:
    chunks: list[SpeechChunk] = []
    for index, text in enumerate(texts):
        chunks += stream.push(SpeechRequest(text, style or VoiceStyle(), index))
    return chunks + stream.flush()


def sound(chunks):
    return np.concatenate([chunk.pcm for chunk in chunks])


def words(chunks):
    return [word for chunk in chunks for word in chunk.words]


# --- streams -------------------------------------------------------------------------------------
def test_speech_comes_in_chunks_of_200_ms_with_words_and_sounds_in_their_places(engine):
    chunks = say(engine.open(), TEXT, "It costs $5, okay?")
    assert [chunk.start for chunk in chunks] == [i * CHUNK_SAMPLES for i in range(len(chunks))]
    pcm = sound(chunks)
    assert np.isfinite(pcm).all()
    assert 1e-3 < np.abs(pcm).max() < 1
    said = words(chunks)
    assert " ".join(word.text for word in said) == f"{TEXT} It costs $5, okay?"
    assert all(a.end <= b.start for a, b in itertools.pairwise(said))
    heard = sorted({p for chunk in chunks for p in chunk.phonemes}, key=lambda p: p.start)
    assert all(a.end <= b.start for a, b in itertools.pairwise(heard))
    assert heard[-1].end <= len(pcm)
    assert chunks[-1].clause_index == 1


def test_the_first_chunk_is_given_before_the_last_is_made(engine):
    stream = engine.open()
    first = next(stream.say(SpeechRequest(TEXT, VoiceStyle(), 0)))
    stream.reset()  # a caller who interrupts
    assert first.start == 0
    fresh = say(stream, "Take your time.")
    np.testing.assert_array_equal(sound(fresh), sound(say(engine.open(), "Take your time.")))


def test_two_streams_do_not_leak_into_each_other(engine):
    one, other = engine.open(), engine.open("middle_male")
    mine = one.push(SpeechRequest(TEXT, VoiceStyle(), 0))
    other.push(SpeechRequest("Something else, entirely.", VoiceStyle(), 0))
    np.testing.assert_array_equal(sound(mine + one.flush()), sound(say(engine.open(), TEXT)))


# --- styles and persons --------------------------------------------------------------------------
def test_each_persona_has_a_table_that_is_there_and_they_differ(engine):
    spoken = {name: sound(say(engine.open(name), "Hello there.")) for name in VOICES}
    for one, other in itertools.combinations(spoken.values(), 2):
        length = min(len(one), len(other))
        assert not np.allclose(one[:length], other[:length], atol=1e-3)


def test_a_mixture_lies_between_its_tables_at_the_row_of_the_passage(model):
    tokens = encode("həlˈO", "both", "misaki")

    def style(shares, prosodic=None):
        made = model.style(tokens, shares, prosodic or {})
        return np.hstack([made.acoustic, made.prosodic])

    heart, sky = style({"af_heart": 1.0}), style({"af_sky": 1.0})
    mixed = style({"af_heart": 0.25, "af_sky": 0.75})
    np.testing.assert_allclose(mixed, 0.25 * heart + 0.75 * sky, atol=1e-6)
    moved = style({"af_heart": 1.0}, {"af_sky": 0.4})
    half = heart.shape[1] // 2
    np.testing.assert_array_equal(moved[:, :half], heart[:, :half])  # whose voice it is
    np.testing.assert_allclose(moved[:, half:], (0.6 * heart + 0.4 * sky)[:, half:], atol=1e-6)


def test_one_voice_or_a_mixture_can_be_chosen_for_all_personas(exported):
    chosen = KokoroEngine(exported, "af_sky(3) + am_adam", threads=1)
    one = sound(say(chosen.open("young_male"), "Hello there."))
    np.testing.assert_array_equal(one, sound(say(chosen.open("child_female"), "Hello there.")))


@pytest.mark.parametrize(
    ("voice", "message"),
    [
        ("af_nobody", r"expected some of af_alloy, .*; got af_nobody"),
        ("af_heart+af_nobody", "got af_nobody"),
        ("Heart!", "expected a name as af_heart, or a mixture"),
        ("af_heart(0)", "expected shares above 0"),
    ],
)
def test_an_unknown_voice_is_told_with_those_that_are_there(exported, voice, message):
    with pytest.raises(ValueError, match=message):
        KokoroEngine(exported, voice, threads=1)


def test_an_unknown_persona_is_told_with_those_that_are_there(engine):
    with pytest.raises(ValueError, match=r"expected one of young_female, .*; got 'robot'"):
        engine.open("robot")


def speech_length(chunks):
    return words(chunks)[-1].end


@pytest.mark.parametrize(("rate", "sign"), [(0.6, 1), (1.6, -1)])
def test_rate_changes_how_long_it_takes(engine, rate, sign):
    plain = speech_length(say(engine.open(), TEXT))
    moved = speech_length(say(engine.open(), TEXT, style=VoiceStyle(rate=rate)))
    assert sign * (moved - plain) > 0.15 * plain


def test_sad_is_slower_and_softer_than_neutral_and_happy_not(engine):
    def said(emotion):
        return say(engine.open(), TEXT, style=VoiceStyle(emotion))

    happy, neutral, sad = said("happy"), said("neutral"), said("sad")
    # A sound has 4.15 frames here: 3.9 of them are four, too, and 4.8 are five.
    assert speech_length(happy) <= speech_length(neutral) < speech_length(sad)
    assert np.abs(sound(sad)).mean() < np.abs(sound(neutral)).mean()


# --- odd texts -----------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "  \n", "…!?", "🙂🙂", "—"])
def test_text_without_words_gives_nothing(engine, text):
    assert say(engine.open(), text) == []


@pytest.mark.parametrize("text", ["好的 Привет नमस्ते", "\x00\x1b[31mRed\u200b", "<b>&amp;</b>"])
def test_other_scripts_control_characters_and_markup_do_no_harm(engine, text):
    stream = engine.open()
    assert np.isfinite(sound([*say(stream, text), *say(stream, "Hello.")])).all()


def test_a_clause_of_ten_thousand_characters_is_said_in_passages_without_loss(engine):
    text = "This is one of many words, and there are more of them; " * 182
    assert len(text) > 10_000
    said = words(say(engine.open(), text, style=VoiceStyle(rate=2.0)))
    spoken = " ".join(word.text for word in said)
    assert 900 < len(spoken) <= 1_000  # what a clause is cut to, for every voice
    assert text.startswith(spoken)
    assert all(a.end <= b.start for a, b in itertools.pairwise(said))


# --- odd files -----------------------------------------------------------------------------------
def test_a_missing_or_foreign_file_is_told_with_the_command_that_makes_it(exported, tmp_path):
    with pytest.raises(VoiceFolderError, match=r"missing voices.npz, .*models fetch kokoro-82m"):
        KokoroEngine(tmp_path)
    folder = tmp_path / "kokoro"
    shutil.copytree(exported, folder)
    for content in (b"not a table", b""):
        (folder / "voices.npz").write_bytes(content)
        with pytest.raises(VoiceFolderError, match=r"expected the style tables of an export"):
            KokoroEngine(folder)
    np.savez(folder / "voices.npz", **{"table.af_heart": np.zeros((3, 1, 8), np.float32)})
    with pytest.raises(VoiceFolderError, match="engines export kokoro"):
        KokoroEngine(folder)
