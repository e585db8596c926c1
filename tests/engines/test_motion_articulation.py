"""The face that speaks: closures hold, rounding leads, streaming equals offline."""

from collections.abc import Iterator

import numpy as np
import pytest

from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine, articulate
from rt_avatar.engines.motion.learnt_mouth import OUTPUTS, TOUCH
from rt_avatar.engines.motion.space import MAX_STEP
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    EMOTIONS,
    EXPRESSION_SIZE,
    FRAME_SAMPLES,
    PITCH,
    SOUNDS_AHEAD,
    SPEECH_RATE_HZ,
    Emotion,
    FaceStyle,
    Motion,
    Phoneme,
    SpeechChunk,
    VoiceStyle,
)

pytestmark = pytest.mark.unit

MS = SPEECH_RATE_HZ // 1000
START = SOUNDS_AHEAD + CHUNK_SAMPLES  # before it, nothing is known of speech
MAMMA = (
    "m 70|ˈɑː 130|m 60|ə 70|m 70|ˈiː 120|ə 80|"  # mamma mia
    "b 65|ˈʌ 90|m 60|b 50|ə 45|l 50|b 60|ˈiː 150"  # bumblebee
)
ALL_SOUNDS = (
    *"pbtdkɡmnŋfvθðszʃʒhlɹwjɾʔɪeɛæɒʊʌəɐɚᵻyøœɥβxɲʎʁ",
    *("tʃ", "dʒ", "iː", "ɑː", "ɔː", "uː", "ɜː", "aɪ", "eɪ", "ɔɪ", "aʊ", "oʊ", "əʊ", "ɪɹ", "ɛɹ"),
)


def timeline(text: str, rate: float = 1.0, start: int = START) -> list[Phoneme]:
    """``"m 70|ˈɑː 130"``: sounds and milliseconds; ˈ marks primary stress."""
    phonemes, at = [], start
    for part in text.split("|"):
        ipa, length = part.split()
        end = at + int(float(length) * MS / rate)
        phonemes.append(Phoneme(ipa.strip("ˈ_"), at, end, 2 if ipa.startswith("ˈ") else 0))
        at = end
    return phonemes


def random_timeline(seed: int, count: int = 60) -> list[Phoneme]:
    rng = np.random.default_rng(seed)
    phonemes, at = [], START
    for _ in range(count):
        ipa = "" if rng.random() < 0.06 else str(rng.choice(ALL_SOUNDS))
        end = at + int(rng.integers(25, 160)) * MS
        phonemes.append(Phoneme(ipa, at, end, int(rng.integers(0, 3))))
        at = end
    return phonemes


def chunks_of(phonemes: list[Phoneme], knows_all: bool = False) -> Iterator[SpeechChunk]:
    """The chunks of some speech; loud where there is sound, two silent chunks at the end."""
    last = max((p.end for p in phonemes), default=0)
    sound = np.zeros((last // CHUNK_SAMPLES + 3) * CHUNK_SAMPLES, np.float32)
    rng = np.random.default_rng(7)
    for p in phonemes:
        if p.ipa and p.end > p.start:
            sound[p.start : p.end] = 0.1 * rng.standard_normal(p.end - p.start)
    for start in range(0, len(sound), CHUNK_SAMPLES):
        end = start + CHUNK_SAMPLES
        known = tuple(
            p for p in phonemes if knows_all or (p.end > start and p.start < end + SOUNDS_AHEAD)
        )
        yield SpeechChunk(start, sound[start:end], known, (), 0)


def speak(
    phonemes: list[Phoneme],
    style: FaceStyle | None = None,
    knows_all: bool = False,
    is_learnt: bool = True,
) -> Motion:
    stream = ArticulatorEngine(is_learnt=is_learnt).open()
    style = style or FaceStyle()
    return np.concatenate(
        [
            motion
            for chunk in chunks_of(phonemes, knows_all)
            for motion in stream.push(ArticulationInput(chunk, style, VoiceStyle()))
        ]
    )


def shape(motion: Motion, name: str) -> np.ndarray:
    if name in BLENDSHAPE:
        return motion[:, BLENDSHAPE[name]]
    return (motion[:, BLENDSHAPE[name + "Left"]] + motion[:, BLENDSHAPE[name + "Right"]]) / 2


def gap(motion: Motion) -> np.ndarray:
    """Opening between the lips in units of jawOpen, by the definition of ARKit's shapes."""
    hidden = np.maximum(0.0, shape(motion, "jawOpen") - 0.9 * shape(motion, "mouthClose"))
    return (
        hidden
        + 0.22 * shape(motion, "mouthFunnel")
        + 0.18 * shape(motion, "mouthUpperUp")
        + 0.23 * shape(motion, "mouthLowerDown")
    )


def frame_of(sample: float) -> int:
    return int(sample // FRAME_SAMPLES)


def seconds(frame: int) -> float:
    return (frame * FRAME_SAMPLES + FRAME_SAMPLES / 2) / SPEECH_RATE_HZ


def test_lips_shut_where_a_person_s_would_and_never_open_for_it():
    phonemes = timeline("ɑ 200|m 90|ɑ 200", start=0)
    for start in (0, CHUNK_SAMPLES):
        learnt = np.zeros((CHUNK_FRAMES, OUTPUTS))
        ruled = articulate(phonemes, start, np.ones(CHUNK_FRAMES), learnt).lips
        learnt[1:3, TOUCH] = 0.4, 0.95
        lips = articulate(phonemes, start, np.ones(CHUNK_FRAMES), learnt).lips
        assert lips[2] == 1
        assert np.array_equal(np.delete(lips, 2), np.delete(ruled, 2))


def test_no_sound_without_lips_shuts_them():
    vowels_and_tongue = "ɑ 150|n 70|ɛ 120|d 60|ɑ 150|l 60|ɛ 150|s 80|ɑ 150|k 70|ɑ 150"
    inside = slice(frame_of(START), frame_of(START + 1000 * MS))
    assert gap(speak(timeline(vowels_and_tongue)))[inside].min() > 0.03


@pytest.mark.parametrize("rate", [0.7, 1.0, 1.5, 2.2])
@pytest.mark.parametrize("emotion", EMOTIONS)
def test_bilabials_close_the_lips_in_every_emotion_and_at_any_rate(emotion: Emotion, rate: float):
    phonemes = timeline(MAMMA, rate)
    motion = speak(phonemes, FaceStyle(emotion, 1.0))
    for p in phonemes:
        if p.ipa in "mb":
            frames = gap(motion)[frame_of(p.start - 20 * MS) : frame_of(p.end) + 1]
            assert frames.min() < 0.01, (p, frames)


@pytest.mark.parametrize("rate", [1.0, 1.5])
def test_the_mouth_opens_again_between_closures(rate: float):
    phonemes = timeline(MAMMA, rate)
    motion = speak(phonemes)
    for p in phonemes:
        if p.stress == 2:
            frames = gap(motion)[frame_of(p.start) : frame_of(p.end) + 1]
            assert frames.max() > 0.08, (p, frames)


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_labiodentals_put_the_lower_lip_to_the_teeth(emotion: Emotion):
    phonemes = timeline("f 70|ˈaɪ 140|v 60|ə 60|f 50|ˈæ 120|v 60")
    motion = speak(phonemes, FaceStyle(emotion, 1.0))
    for p in phonemes:
        if p.ipa in "fv":
            middle = frame_of((p.start + p.end) / 2)
            near = slice(middle - 1, middle + 2)
            touches = (
                (shape(motion, "mouthRollLower")[near] > 0.5)
                & (shape(motion, "mouthLowerDown")[near] < 0.05)
                & (shape(motion, "jawOpen") - 0.9 * shape(motion, "mouthClose") < 0.12)[near]
            )
            assert touches.any(), p


def test_rounding_is_seen_before_the_rounded_vowel_is_heard():
    phonemes = timeline("ɑː 120|t 80|uː 160")
    pucker = shape(speak(phonemes), "mouthPucker")
    half = int(np.argmax(pucker > 0.5 * pucker.max()))
    lead_s = phonemes[2].start / SPEECH_RATE_HZ - seconds(half)
    assert 0.02 <= lead_s <= 0.14
    onset = int(np.argmax(pucker > 0.1 * pucker.max()))
    assert 0.06 <= phonemes[2].start / SPEECH_RATE_HZ - seconds(onset) <= 0.2


def test_vowels_shape_the_lips_through_a_consonant():
    # The same /t/ is rounded before /uː/ and spread before /iː/.
    round_t = speak(timeline("t 90|uː 150"))
    spread_t = speak(timeline("t 90|iː 150"))
    middle = frame_of(START + 60 * MS)
    assert shape(round_t, "mouthPucker")[middle] > 0.25
    assert shape(spread_t, "mouthPucker")[middle] < 0.02
    assert shape(spread_t, "mouthSmile")[middle] > shape(round_t, "mouthSmile")[middle] + 0.05


def widest(vowel: str, is_learnt: bool) -> float:
    motion = speak(timeline(f"t 60|{vowel} 150|t 60"), is_learnt=is_learnt)
    return float(shape(motion, "jawOpen").max())


def test_open_vowels_open_wider_than_close_ones():
    jaws = [widest(vowel, is_learnt=False) for vowel in ("ɑː", "ə", "iː")]
    assert jaws[0] > jaws[1] + 0.15 > jaws[2] + 0.15
    # A person's differ less.
    jaws = [widest(vowel, is_learnt=True) for vowel in ("ɑː", "iː", "uː")]
    assert jaws[0] > jaws[1] + 0.05 > jaws[2] + 0.05


def test_diphthongs_move():
    pucker = shape(speak(timeline("h 60|ˈaʊ 240")), "mouthPucker")
    start = frame_of(START + 60 * MS)
    assert pucker[start + 5] > pucker[start] + 0.2


def test_stress_opens_wider_and_nods():
    plain = timeline("t 60|ɑː 150|t 60")
    stressed = timeline("t 60|ˈɑː 150|t 60")
    weak, strong = speak(plain), speak(stressed)
    assert shape(strong, "jawOpen").max() > 1.15 * shape(weak, "jawOpen").max()
    nod = strong[:, PITCH] - weak[:, PITCH]
    assert nod.max() > 0.012
    assert abs(seconds(int(nod.argmax())) - (stressed[1].start / SPEECH_RATE_HZ + 0.06)) < 0.06


def test_the_head_sinks_at_the_end_of_a_phrase():
    phonemes = timeline("t 60|ɑː 150|t 60")
    pitch = speak(phonemes)[:, PITCH]
    end = frame_of(phonemes[-1].end)
    assert pitch[end + 1] > pitch[end - 4] + 0.02


def test_louder_speech_opens_wider():
    phonemes = timeline("|".join(["t 60|ɑː 140"] * 6))

    def jaw(level: float) -> float:
        stream = ArticulatorEngine().open()
        jaws = []
        for chunk in chunks_of(phonemes):
            # The first half is loud and sets what this voice's peaks are.
            scale = 1.0 if chunk.start < START + 2 * CHUNK_SAMPLES else level
            scaled = SpeechChunk(chunk.start, chunk.pcm * np.float32(scale), chunk.phonemes, (), 0)
            (motion,) = stream.push(ArticulationInput(scaled, FaceStyle(), VoiceStyle()))
            jaws.append(shape(motion, "jawOpen"))
        return float(np.concatenate(jaws)[32:42].max())

    assert jaw(1.0) > 1.08 * jaw(0.15)


def test_emotions_are_told_apart_while_speaking():
    phonemes = timeline(MAMMA)
    means = {
        e: speak(phonemes, FaceStyle(e, 0.8))[:, :EXPRESSION_SIZE].mean(axis=0) for e in EMOTIONS
    }
    for one in EMOTIONS:
        for other in EMOTIONS:
            if one != other:
                assert np.abs(means[one] - means[other]).max() > 0.12, (one, other)


def test_a_smile_waits_for_rounded_vowels():
    phonemes = timeline("w 80|uː 220")
    motion = speak(phonemes, FaceStyle("happy", 1.0))
    rounded = frame_of(phonemes[1].start + 80 * MS)
    assert shape(motion, "mouthSmile")[rounded] < 0.4 * shape(motion, "mouthSmile")[0]
    assert shape(motion, "cheekSquint")[rounded] > 0.4


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_the_mouth_rests_before_and_soon_after_the_sounds(emotion: Emotion):
    phonemes = timeline(MAMMA)
    motion = speak(phonemes, FaceStyle(emotion, 1.0))
    end = frame_of(phonemes[-1].end + 240 * MS)
    assert gap(motion)[0] < 0.02
    assert gap(motion)[end:].max() < 0.01


def test_silence_keeps_the_mouth_shut():
    motion = speak([])
    assert motion.shape == (15, 73)
    assert not motion[:, :EXPRESSION_SIZE].any()


@pytest.mark.parametrize("seed", range(4))
def test_knowing_more_ahead_changes_nothing(seed: int):
    # Streaming equals offline: a chunk knows 400 ms ahead, and that is all a frame depends on.
    phonemes = random_timeline(seed)
    np.testing.assert_array_equal(speak(phonemes), speak(phonemes, knows_all=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("emotion", ["neutral", "happy", "disgusted"])
def test_nothing_jumps_and_everything_stays_in_range(seed: int, emotion: Emotion):
    motion = speak(random_timeline(seed, 150), FaceStyle(emotion, 1.0))
    assert np.isfinite(motion).all()
    face = motion[:, :EXPRESSION_SIZE]
    assert face.min() >= 0.0
    assert face.max() <= 1.0
    assert np.abs(motion[:, PITCH:]).max() <= 0.2
    assert np.abs(np.diff(face, axis=0)).max() <= MAX_STEP


@pytest.mark.parametrize("ipa", ["", "??", "(en)", "ǁ", "q͡χ", "t͡ɕʰ", "ɑ̃", "5", "ɐ̯ː", "日"])
def test_unknown_and_foreign_sounds_are_spoken_somehow(ipa: str):
    motion = speak([Phoneme(ipa, START, START + 150 * MS, 2)])
    assert np.isfinite(motion).all()
    if ipa:
        assert shape(motion, "jawOpen").max() > 0.03


def test_sounds_without_length_do_no_harm():
    motion = speak([Phoneme("m", START, START), Phoneme("a", START + 1, START)])
    assert np.isfinite(motion).all()


def test_reset_equals_fresh_and_streams_do_not_leak():
    phonemes, others = random_timeline(1), random_timeline(2)
    engine = ArticulatorEngine()
    used, other = engine.open(), engine.open()
    for chunk in chunks_of(others):
        used.push(ArticulationInput(chunk, FaceStyle("angry", 1.0), VoiceStyle()))
    used.reset()
    told = []
    for chunk, noise in zip(chunks_of(phonemes), chunks_of(others), strict=False):
        other.push(ArticulationInput(noise, FaceStyle("happy", 1.0), VoiceStyle()))
        told += used.push(ArticulationInput(chunk, FaceStyle(), VoiceStyle()))
    assert used.flush() == []
    again = np.concatenate(told)
    np.testing.assert_array_equal(again, speak(phonemes)[: len(again)])


def test_a_style_that_changes_in_mid_speech_fades_over():
    stream = ArticulatorEngine().open()
    frames = []
    for index, chunk in enumerate(chunks_of(timeline(MAMMA))):
        style = FaceStyle("happy" if index < 3 else "angry", 1.0)
        frames += stream.push(ArticulationInput(chunk, style, VoiceStyle()))
    brows = shape(np.concatenate(frames), "browDown")
    assert brows[14] < 0.05
    assert brows[-1] > 0.7
    assert np.abs(np.diff(brows)).max() < 0.25


def test_wrong_input_is_refused_and_changes_nothing():
    stream = ArticulatorEngine().open()
    good = next(iter(chunks_of([])))
    voice = VoiceStyle()
    with pytest.raises(ValueError, match="4800"):
        stream.push(ArticulationInput(SpeechChunk(0, good.pcm[:-1], (), (), 0), FaceStyle(), voice))
    with pytest.raises(ValueError, match="multiple of 4800"):
        stream.push(ArticulationInput(SpeechChunk(7, good.pcm, (), (), 0), FaceStyle(), voice))
    with pytest.raises(ValueError, match="intensity"):
        stream.push(ArticulationInput(good, FaceStyle("sad", float("nan")), voice))
    assert len(stream.push(ArticulationInput(good, FaceStyle(), voice))) == 1
    with pytest.raises(ValueError, match="from 4800 on"):
        stream.push(ArticulationInput(good, FaceStyle(), voice))
    stream.close()
    stream.close()
    with pytest.raises(RuntimeError, match="closed"):
        stream.push(ArticulationInput(good, FaceStyle(), voice))


def test_the_declared_rates_are_the_measured_ones():
    engine = ArticulatorEngine()
    engine.warmup()
    spec = engine.spec
    assert (spec.name, spec.input_rate_hz, spec.output_rate_hz) == ("articulation", 5, 5)
    assert spec.lookahead == 0
    (motion,) = engine.open().push(
        ArticulationInput(next(iter(chunks_of([]))), FaceStyle(), VoiceStyle())
    )
    assert motion.shape == (5, 73)
    assert motion.dtype == np.float32
