import shutil
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.engines.whisper import LIMIT_SAMPLES, PARTIAL_SAMPLES, WhisperEngine, WhisperStream
from tests.fakes.tiny_whisper import WORDS, write_model

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def engine(folder: Path) -> WhisperEngine:
    engine = WhisperEngine(str(folder))
    engine.warmup()
    return engine


def noise(seconds: float) -> Pcm:
    samples = round(seconds * INPUT_RATE_HZ)
    return 0.1 * np.random.default_rng(1).standard_normal(samples, np.float32)


def tone(seconds: float) -> Pcm:
    return 0.1 * np.sin(0.25 * np.arange(round(seconds * INPUT_RATE_HZ)), dtype=np.float32)


def words_of(hypothesis: Hypothesis) -> int:
    return len(hypothesis.text.split())


def push_in(stream: WhisperStream, sound: Pcm, chunk: int) -> list[Hypothesis]:
    return [
        hypothesis
        for start in range(0, len(sound), chunk)
        for hypothesis in stream.push(sound[start : start + chunk])
    ]


def final(stream: WhisperStream, sound: Pcm) -> Hypothesis:
    stream.push(sound)
    (hypothesis,) = stream.flush()
    return hypothesis


# --- utterances -----------------------------------------------------------------------------------
def test_partials_come_while_the_utterance_grows_and_never_get_shorter(
    engine: WhisperEngine,
) -> None:
    partials = push_in(engine.open(), noise(16), 320)
    counts = [words_of(partial) for partial in partials]
    assert len(partials) >= 2
    assert counts == sorted(counts)
    assert not any(partial.is_final for partial in partials)
    assert set(" ".join(partial.text for partial in partials).split()) <= set(WORDS)


def test_one_decoding_alone_is_not_told(engine: WhisperEngine) -> None:
    assert engine.open().push(noise(1)) == []


def test_the_final_is_one_decoding_of_the_whole_utterance(engine: WhisperEngine) -> None:
    sound = noise(2)
    hypothesis = final(engine.open(), sound)
    assert hypothesis.is_final
    assert hypothesis.text.split() == list(engine.decode(sound).words)
    assert 0 < hypothesis.confidence <= 1


@pytest.mark.parametrize("chunk", [160, 320, 4_801, 48_000])
def test_any_chunk_size_gives_the_same_final(engine: WhisperEngine, chunk: int) -> None:
    stream = engine.open()
    push_in(stream, noise(2), chunk)
    assert stream.flush() == [final(engine.open(), noise(2))]


def test_nothing_new_since_the_last_decoding_gives_the_same_final(engine: WhisperEngine) -> None:
    sound = noise(1)
    stream = engine.open()
    stream.push(sound)  # decoded here
    assert stream.flush()[0].text.split() == list(engine.decode(sound).words)


def test_flush_begins_the_next_utterance(engine: WhisperEngine) -> None:
    stream = engine.open()
    final(stream, noise(2))
    assert final(stream, tone(2)) == final(engine.open(), tone(2))


def test_reset_forgets_the_utterance(engine: WhisperEngine) -> None:
    stream = engine.open()
    push_in(stream, noise(3), 1_600)
    stream.reset()
    assert stream.flush() == [Hypothesis("", is_final=True, confidence=0.0)]
    assert final(stream, tone(2)) == final(engine.open(), tone(2))


def test_two_streams_do_not_leak_into_each_other(engine: WhisperEngine) -> None:
    sounds = (noise(2), tone(2))
    alone = [final(engine.open(), sound) for sound in sounds]
    streams = (engine.open(), engine.open())
    for start in range(0, len(sounds[0]), 3_200):
        for stream, sound in zip(streams, sounds, strict=True):
            stream.push(sound[start : start + 3_200])
    assert [stream.flush()[0] for stream in streams] == alone
    assert alone[0] != alone[1]


def test_two_threads_may_decode_at_once(engine: WhisperEngine) -> None:
    sounds = (noise(2), tone(2))
    alone = [final(engine.open(), sound) for sound in sounds]
    together: dict[int, Hypothesis] = {}

    def hear(index: int) -> None:
        together[index] = final(engine.open(), sounds[index])

    threads = [threading.Thread(target=hear, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[0], together[1]] == alone


@pytest.mark.parametrize(
    "sound",
    [
        np.zeros(0, np.float32),
        noise(0.19),
        np.zeros(3 * INPUT_RATE_HZ, np.float32),
        0.005 * noise(3),
    ],
    ids=["nothing", "too short", "digital silence", "hiss at -66 dBFS"],
)
def test_what_cannot_be_speech_is_no_words(engine: WhisperEngine, sound: Pcm) -> None:
    stream = engine.open()
    assert push_in(stream, sound, 1_600) == []
    assert stream.flush() == [Hypothesis("", is_final=True, confidence=0.0)]


def test_sound_need_not_be_as_long_as_a_step(engine: WhisperEngine) -> None:
    assert final(engine.open(), noise(0.25)).text
    assert engine.spec.chunk == PARTIAL_SAMPLES


# --- long utterances ------------------------------------------------------------------------------
def test_at_28_seconds_the_agreed_words_stay_and_only_their_sound_goes(
    engine: WhisperEngine,
) -> None:
    stream = engine.open()
    partials = push_in(stream, noise(28), 2 * INPUT_RATE_HZ)
    before = partials[-1]
    partials += push_in(stream, tone(3), INPUT_RATE_HZ)
    counts = [words_of(partial) for partial in partials]
    assert counts == sorted(counts)
    (last,) = stream.flush()
    assert last.text.startswith(before.text)
    assert words_of(last) > words_of(before)


def test_a_minute_pushed_at_once_is_heard_to_its_end(engine: WhisperEngine) -> None:
    first = noise(28)
    end = tone(2)
    stream = engine.open()
    stream.push(np.concatenate((first, first, end)))
    words = stream.flush()[0].text.split()
    once = engine.decode(first, is_timed=True).words
    # Pushed at once nothing was ever agreed, so each 28 s are settled as they are.
    assert len(first) == LIMIT_SAMPLES
    assert words == [*once, *once, *engine.decode(end).words]


# --- what can be missing --------------------------------------------------------------------------
def test_without_the_extra_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(ModuleNotFoundError, match="make install EXTRAS=whisper"):
        WhisperEngine(str(folder))


@pytest.mark.parametrize(
    "model",
    ["small.en", "someone/some-model", "no such name", "./nowhere", "~no-such-user/x"],
)
def test_a_model_that_is_not_here_is_not_fetched_but_explained(
    model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"model\.bin.*: hf download") as error:
        WhisperEngine(model)
    assert model in str(error.value)


def test_an_empty_folder_names_every_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"no model\.bin, no config\.json, no tokenizer\.json, no voc"
    ):
        WhisperEngine(str(tmp_path))


@pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json", "vocabulary.json"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_broken_file_is_a_broken_model(
    folder: Path, tmp_path: Path, name: str, share: float
) -> None:
    broken = shutil.copytree(folder, tmp_path / "broken")
    whole = (broken / name).read_bytes()
    (broken / name).write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(FileNotFoundError, match=r"whisper: expected .*: hf download"):
        WhisperEngine(str(broken))


def test_an_english_model_is_not_asked_to_hear_german(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"knows stt\.language 'de'.* knows en\."):
        WhisperEngine(str(folder), "de")


def test_closing_twice_does_nothing(folder: Path) -> None:
    engine = WhisperEngine(str(folder))
    stream = engine.open()
    stream.close()
    stream.close()
    engine.close()
    engine.close()
