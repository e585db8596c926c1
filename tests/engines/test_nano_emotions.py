"""Emotions of the nano voice: what actors do is what the network is asked for."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.nano_tts import SHIPPED, VOICES
from rt_avatar.engines.nano_tts.clause import Clause, Delivery, plan_clause, speak
from rt_avatar.engines.nano_tts.emotions import actors_prosody
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.tts_prosody import Prosody, prosody_of
from rt_avatar.engines.tts_tone import TIMBRE_HZ, design
from rt_avatar.engines.types import EMOTIONS, VoiceStyle

pytestmark = pytest.mark.unit

ENGINES = Path(__file__).parents[2] / "engines"
ACTED = json.loads((ENGINES / "nano_tts" / "emotions.json").read_text())["emotions"]
NORMAL = 0.35  # the intensity at which a style asks for the actors' normal one
STRENGTHS = (NORMAL / 2, NORMAL, 1.0)
CONTRASTED = ("pitch", "pitch_range", "rate", "brightness_db", "hnr_db")
TEXT = "Thank you, I will be there at half past seven."


@pytest.fixture(scope="module")
def model() -> NanoModel:
    return NanoModel(SHIPPED)


def asked_for(emotion: str, kind: str, name: str) -> float:
    """Return a figure half way to the quartile that is farther from the mean of all emotions."""
    told = {one: ACTED[one][kind][name] for one in ACTED}
    if name not in CONTRASTED:
        return told[emotion][0]
    is_ratio = not name.endswith("_db")
    logs = {one: np.log(three) if is_ratio else np.array(three) for one, three in told.items()}
    median, lower, upper = logs[emotion]
    is_above = median > np.mean([three[0] for three in logs.values()])
    half_way = (median + (upper if is_above else lower)) / 2
    return float(np.exp(half_way) if is_ratio else half_way)


def plan(model: NanoModel, prosody: Prosody) -> Clause:
    read = read_clause(TEXT)
    assert read is not None
    voice = VOICES["middle_female"]
    return plan_clause(model, read.words, model.speaker(voice.speakers), voice.delivery(prosody))


def seconds(clause: Clause) -> float:
    return clause.samples / 24_000


def octaves(clause: Clause) -> float:
    return float(np.log2(clause.pitch[clause.pitch > 0]).mean())


def test_every_emotion_but_neutral_and_contempt_was_acted_at_two_intensities():
    assert set(ACTED) == set(EMOTIONS) - {"neutral", "contempt"}
    assert all(set(kinds) == {"normal", "strong"} for kinds in ACTED.values())


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("emotion", ACTED)
def test_a_clause_is_asked_for_as_actors_change_it(model, emotion, strength):
    kind = "strong" if strength == 1.0 else "normal"
    acted = {name: asked_for(emotion, kind, name) for name in ACTED[emotion][kind]}
    prosody = actors_prosody(VoiceStyle(emotion, strength))
    plain, felt = plan(model, Prosody()), plan(model, prosody)
    if abs(math.log2(acted["pitch"])) > 1 / 24:
        assert (octaves(felt) > octaves(plain)) == (acted["pitch"] > 1)
    if abs(acted["rate"] - 1) > 0.03:
        assert (seconds(felt) > seconds(plain)) == (acted["rate"] < 1)
    assert (prosody.volume > 1) == (acted["level_db"] > 0)
    for asked, gain in zip(prosody.timbre_db, ACTED[emotion][kind]["timbre_db"], strict=True):
        assert abs(gain) < 0.5 or (asked > 0) == (gain > 0)
    assert (prosody.breath_db > 0) == (acted["hnr_db"] < 0)
    assert (prosody.jitter > 1) == (acted["jitter"] > 1)
    assert -0.15 < prosody.voiced < 0


def test_the_spectrum_changes_its_shape_as_actors_change_theirs():
    prosody = actors_prosody(VoiceStyle("angry", 0.6))
    tone = VOICES["middle_female"].tone
    felt, plain = (np.abs(np.fft.rfft(design(tone, 0.0, 1.0, gains), 48_000))
                   for gains in (prosody.timbre_db, ()))  # fmt: skip
    for hz, gain in zip(TIMBRE_HZ[2:], prosody.timbre_db[2:], strict=True):
        near = slice(2 * hz - 200, 2 * hz + 200)  # half hertz; reflections of the room make ripples
        change = 20 * np.log10(felt[near] / plain[near])
        assert change.mean() == pytest.approx(gain, abs=1.0)


def test_the_actors_normal_lies_at_its_intensity_and_half_of_it_at_half():
    rate = asked_for("angry", "normal", "rate")
    assert actors_prosody(VoiceStyle("angry", NORMAL)).rate == pytest.approx(rate)
    assert actors_prosody(VoiceStyle("angry", NORMAL / 2)).rate == pytest.approx(rate**0.5)
    assert actors_prosody(VoiceStyle("angry", 0.0)) == Prosody()


def test_what_a_style_has_by_itself_lies_between_the_actors_normal_and_strong():
    normal, own, strong = (
        actors_prosody(VoiceStyle("sad", intensity))
        for intensity in (NORMAL, VoiceStyle().intensity, 1.0)
    )
    assert strong.rate < own.rate < normal.rate
    assert normal.pitch < own.pitch < strong.pitch


@pytest.mark.parametrize("kind", ["normal", "strong"])
def test_every_feeling_lies_farther_from_the_others_than_the_medians_do_and_within_quartiles(kind):
    intensity = NORMAL if kind == "normal" else 1.0
    mean = np.mean([math.log(ACTED[one][kind]["rate"][0]) for one in ACTED])
    for emotion, kinds in ACTED.items():
        median, lower, upper = kinds[kind]["rate"]
        asked = actors_prosody(VoiceStyle(emotion, intensity)).rate
        assert lower <= asked <= upper
        assert abs(math.log(asked) - mean) > abs(math.log(median) - mean)


def test_up_to_half_the_bound_actors_pitch_is_followed_exactly_and_never_beyond_it():
    pitches = [asked_for(emotion, kind, "pitch") for emotion in ACTED for kind in ACTED[emotion]]
    asked = [
        actors_prosody(VoiceStyle(emotion, NORMAL if kind == "normal" else 1.0)).pitch
        for emotion, kinds in ACTED.items()
        for kind in kinds
    ]
    small = [math.log2(pitch) < 0.25 for pitch in pitches]
    assert 0 < sum(small) < len(small)
    for pitch, own, is_small in zip(pitches, asked, small, strict=True):
        assert own == pytest.approx(pitch) if is_small else 1.0 < own < min(pitch, 2**0.5)


@pytest.mark.parametrize("emotion", ["happy", "surprised", "angry", "fear"])
def test_more_of_an_emotion_is_higher_and_louder_within_what_the_voice_can_do(emotion):
    asked = [actors_prosody(VoiceStyle(emotion, strength)) for strength in (0.0, *STRENGTHS)]
    for name in ("pitch", "volume"):
        values = [getattr(prosody, name) for prosody in asked]
        assert values == sorted(set(values))
        assert values[-1] < 2**0.5


def test_what_a_style_names_itself_multiplies_its_emotion():
    own = VoiceStyle("sad", 0.6, rate=1.2, pitch=0.9, pitch_range=0.5, volume=0.8)
    felt, both = actors_prosody(VoiceStyle("sad", 0.6)), actors_prosody(own)
    assert both.rate == pytest.approx(1.2 * felt.rate)
    assert both.pitch == pytest.approx(0.9 * felt.pitch)
    assert both.pitch_range == pytest.approx(0.5 * felt.pitch_range)
    assert both.volume == pytest.approx(0.8 * felt.volume)


def test_a_girls_strong_feelings_take_her_half_as_high_and_never_too_slow():
    girl = VOICES["child_female"]
    paces = []
    for emotion in ACTED:
        prosody = actors_prosody(VoiceStyle(emotion, 1.0))
        said = girl.delivery(prosody)
        asked = math.log2(prosody.pitch)
        assert math.log2(said.pitch / girl.pitch) == pytest.approx(
            asked / 2 if asked > 0 else asked
        )
        assert said.rate == max(girl.rate * prosody.rate, girl.slowest)
        paces.append(said.rate)
    assert girl.slowest in paces  # some would be slower


def test_contempt_which_nobody_acted_is_spoken_as_by_the_other_voices():
    style = VoiceStyle("contempt", 0.6, rate=1.1)
    assert actors_prosody(style) == prosody_of(style)


def test_breath_is_noise_where_there_is_voice_and_nowhere_else(model):
    read = read_clause("See.")
    assert read is not None
    speaker = model.speaker({"cathy": 1.0})
    dry, breathy = (
        plan_clause(model, read.words, speaker, Delivery(breath_db=db)) for db in (0.0, 6.0)
    )
    change = np.concatenate(list(speak(model, breathy))) - np.concatenate(list(speak(model, dry)))
    frames = np.abs(change).reshape(-1, 300).max(axis=1)
    voiced = np.convolve(dry.pitch > 0, np.ones(5), "same") > 0  # a frame reaches over four
    assert frames[voiced].max() > 1e-4
    assert frames[~voiced].max() < 1e-6
