"""Judges that learn from people: measures of a voice, actors' changes, emotions, speakers."""

import wave
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.training.voice.actors import (
    ActedUtterance,
    is_followed,
    measure_actors,
    summarise,
)
from rt_avatar.engines.training.voice.discriminant import (
    LinearDiscriminant,
    equal_error_rate,
    held_out_labels,
)
from rt_avatar.engines.training.voice.judges import (
    Confusion,
    EmotionJudge,
    pairs_apart,
    part_pairs,
)
from rt_avatar.engines.training.voice.measures import (
    CEPSTRA,
    VoiceMeasures,
    gains_db,
    measure_voice,
)
from rt_avatar.engines.tts_tone import TIMBRE_HZ

pytestmark = pytest.mark.unit

RATE_HZ = 24_000


def sing(
    hz: float, seconds: float = 1.0, level: float = 0.05, noise: float = 0.001, tilt: float = 1.0
) -> np.ndarray:
    """Harmonics that fall with ``tilt``, a pitch that glides by four semitones, some noise."""
    time = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    octaves = (time / seconds - 0.5) / 3
    phase = 2 * np.pi * np.cumsum(hz * 2**octaves) / RATE_HZ
    sound = sum(np.sin(k * phase + k) / k**tilt for k in range(1, int(9000 / hz)))
    sound = sound * level / np.sqrt((sound**2).mean())
    sound += noise * np.random.default_rng(0).standard_normal(len(sound))
    silence = np.zeros(RATE_HZ // 5)
    return np.concatenate([silence, sound, silence]).astype(np.float32)


# --- measures ------------------------------------------------------------------------------------
def test_measures_are_those_of_the_sound_that_was_made():
    one = measure_voice(sing(200.0, seconds=1.5))
    assert one.pitch == pytest.approx(12 * np.log2(200), abs=0.3)
    assert one.pitch_range == pytest.approx(0.8 * 4, abs=0.5)
    assert one.seconds == pytest.approx(1.5, abs=0.05)
    assert one.level_db == pytest.approx(-26, abs=0.5)
    assert one.voiced > 0.9


def test_louder_brighter_and_breathier_sound_measures_so():
    plain = measure_voice(sing(200.0))
    assert measure_voice(sing(200.0, level=0.1)).level_db == pytest.approx(
        plain.level_db + 6, abs=0.2
    )
    assert measure_voice(sing(200.0, tilt=0.6)).brightness_db > plain.brightness_db + 2
    assert measure_voice(sing(200.0, noise=0.02)).hnr_db < plain.hnr_db - 5


def test_gains_between_two_spectra_are_those_that_were_made():
    dull, bright = (
        measure_voice(sing(200.0, noise=0)),
        measure_voice(sing(200.0, tilt=0.6, noise=0)),
    )
    low, high = gains_db(bright.cepstra[:1] - dull.cepstra[:1], (450, 3700))[0]
    assert high - low == pytest.approx(20 * 0.4 * np.log10(3700 / 450), abs=1)


def test_sound_without_voice_is_refused_in_words():
    noise = 0.01 * np.random.default_rng(1).standard_normal(RATE_HZ).astype(np.float32)
    with pytest.raises(ValueError, match=r"expected 0\.1 s of voice or more"):
        measure_voice(noise)


# --- classifiers ---------------------------------------------------------------------------------
def clouds(count: int = 60) -> tuple[np.ndarray, list[str]]:
    """Three classes that differ in one direction of four; another varies ten times as much."""
    dice = np.random.default_rng(0)
    rows = dice.standard_normal((3 * count, 4)) * (1, 10, 1, 1)
    rows[:, 0] += np.repeat((0, 6, 12), count)
    return rows, [name for name in ("low", "middle", "high") for _ in range(count)]


def test_classes_are_told_apart_on_groups_that_were_left_out():
    rows, labels = clouds()
    told = held_out_labels(rows, labels, [str(index % 5) for index in range(len(labels))])
    assert np.mean(np.array(told) == np.array(labels)) > 0.95


def test_distances_leave_out_what_varies_within_a_class():
    rows, labels = clouds()
    embedded = LinearDiscriminant(rows, labels).embed(rows)
    distances = np.linalg.norm(embedded[:, None] - embedded[None], axis=2)
    error, limit = equal_error_rate(*part_pairs(distances, labels))
    assert error < 0.1
    apart = pairs_apart(distances, labels, limit)
    assert set(apart) == {"low / middle", "low / high", "middle / high"}
    assert min(apart.values()) > 0.8


def test_the_equal_error_of_pairs_that_overlap_by_a_quarter_is_a_quarter():
    same, different = np.array([1.0, 2.0, 3.0, 5.0]), np.array([4.0, 6.0, 7.0, 8.0])
    error, limit = equal_error_rate(same, different)
    assert error == pytest.approx(0.25)
    assert limit in (3.0, 4.0)


def test_one_class_alone_is_refused():
    with pytest.raises(ValueError, match="of two kinds or more"):
        LinearDiscriminant(np.zeros((3, 2)), ["a", "a", "a"])


# --- actors --------------------------------------------------------------------------------------
def write_actors(data: Path) -> None:
    """Three actors; in anger a fifth higher, twice as loud and faster, in strong anger more so."""
    folder = data / "speech" / "ravdess"
    folder.mkdir(parents=True)
    lines = ["file\tactor\tsex\temotion\tintensity\ttext"]
    kinds = [
        ("neutral", "normal", 1.0, 1.0),
        ("neutral", "normal", 1.01, 1.02),
        ("angry", "normal", 1.5, 0.8),
        ("angry", "strong", 1.8, 0.7),
        ("calm", "normal", 1.0, 1.2),
    ]
    for actor, hz in (("01", 110.0), ("02", 190.0), ("03", 150.0)):
        for index, (emotion, intensity, pitch, duration) in enumerate(kinds):
            name = f"{actor}-{index}.wav"
            lines.append(f"{name}\t{actor}\tF\t{emotion}\t{intensity}\tHello.")
            sound = sing(hz * pitch, duration, level=0.1 if emotion == "angry" else 0.05)
            with wave.open(str(folder / name), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE_HZ)
                file.writeframes((sound * 32_767).astype("<i2").tobytes())
    (folder / "manifest.tsv").write_text("\n".join(lines) + "\n")


def test_the_table_tells_what_actors_changed_against_their_own_neutral(tmp_path):
    write_actors(tmp_path)
    utterances = measure_actors(tmp_path)
    assert len(utterances) == 12  # calm has no name here
    table = summarise(utterances)
    assert set(table) == {"angry"}
    normal, strong = table["angry"]["normal"], table["angry"]["strong"]
    assert normal["pitch"][0] == pytest.approx(1.5, rel=0.02)
    assert strong["pitch"][0] == pytest.approx(1.8, rel=0.02)
    assert normal["rate"][0] == pytest.approx(1.25, rel=0.05)
    assert normal["level_db"][0] == pytest.approx(6, abs=0.3)
    assert len(normal["timbre_db"]) == len(TIMBRE_HZ)
    assert normal["pitch"][1] <= normal["pitch"][0] <= normal["pitch"][2]


def acted(actor: str, dice: np.random.Generator, *, is_clear: bool) -> list[ActedUtterance]:
    """Two takes each of neutral, angry (higher) and sad (slower); an unclear actor's are alike."""
    changes = {"neutral": (0.0, 1.0), "angry": (6.0, 1.0), "sad": (0.0, 1.5)}
    return [
        ActedUtterance(
            actor, emotion, "normal", "Hello.",
            VoiceMeasures(
                40 + (pitch if is_clear else 0) + noise[0], 4 + noise[1],
                (slower if is_clear else 1.0) * (1 + noise[2] / 10), noise[3], noise[4],
                10 + noise[5], 1 + noise[6], 0.8, noise[7:].reshape(2, CEPSTRA),
            ),
        )
        for emotion, (pitch, slower) in changes.items()
        for noise in dice.normal(0, 0.1, (2, 7 + 2 * CEPSTRA))
    ]  # fmt: skip


def test_what_nobody_can_tell_is_left_out_of_the_medians():
    dice = np.random.default_rng(0)
    utterances = [
        one
        for number in range(10)
        for one in acted(str(number), dice, is_clear=number < 5)
    ]  # fmt: skip
    pitch = summarise(utterances)["angry"]["normal"]["pitch"]
    assert pitch == pytest.approx([2**0.5] * 3, rel=0.03)  # of all ten the lower quartile were 1


def test_every_actor_is_either_followed_or_judges_and_both_halves_have_both_sexes():
    followed = [number for number in range(1, 25) if is_followed(f"{number:02}")]
    assert len(followed) == 12
    assert sum(number % 2 for number in followed) == 6


def test_a_confusion_tells_shares_of_what_was_meant_and_counts_neutral_apart():
    confusion = Confusion(
        ["neutral", "sad", "sad", "angry", "angry"], ["neutral", "sad", "neutral", "sad", "sad"]
    )
    assert confusion.right("sad") == 0.5
    assert confusion.shares["angry"] == {"sad": 1.0}
    assert confusion.mean_right() == 0.25


def test_a_corpus_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"manifest\.tsv: expected the corpus 'ravdess'"):
        measure_actors(tmp_path)


def test_a_judge_of_some_actors_names_what_another_voice_does(tmp_path):
    write_actors(tmp_path)
    acted = measure_actors(tmp_path, lambda actor: actor != "03")
    assert {one.actor for one in acted} == {"01", "02"}
    judge = EmotionJudge(acted, heard="delivery")
    neutral = measure_voice(sing(150.0))
    assert judge.name(measure_voice(sing(225.0, 0.8, level=0.1)), neutral) == "angry"
    assert judge.name(measure_voice(sing(151.0)), neutral) == "neutral"
