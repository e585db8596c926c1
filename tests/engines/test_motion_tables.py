"""The tables of visemes and emotions."""

import numpy as np
import pytest

from rt_avatar.engines.motion.channels import MOUTH, SHAPES, rows_of, weights
from rt_avatar.engines.motion.emotions import CONCERN, expression_of, head_of, liveliness_of
from rt_avatar.engines.motion.visemes import DRIVEN, GROUPS, VISEMES, visemes_of
from rt_avatar.engines.types import BLENDSHAPE, EMOTIONS, FaceStyle

pytestmark = pytest.mark.unit


def value(face: np.ndarray, name: str) -> float:
    return float(face[rows_of((name,))].mean())


def test_a_name_without_its_side_means_both_sides():
    face = weights({"mouthSmile": 0.5, "jawOpen": 0.2, "browOuterUpLeft": 0.1})
    assert np.flatnonzero(face).tolist() == sorted(
        BLENDSHAPE[name]
        for name in ("mouthSmileLeft", "mouthSmileRight", "jawOpen", "browOuterUpLeft")
    )
    with pytest.raises(KeyError):
        weights({"mouthSmirk": 1.0})


def test_the_mouth_is_what_speech_moves():
    assert MOUTH[DRIVEN].all()
    assert not MOUTH[rows_of(("eyeBlink", "browInnerUp", "noseSneer", "cheekSquint"))].any()


def test_every_viseme_is_in_range():
    for viseme in VISEMES.values():
        assert viseme.target.shape == DRIVEN.shape
        assert viseme.dominance.shape == (len(GROUPS),)
        assert 0.0 <= viseme.target.min() <= viseme.target.max() <= 1.0
        assert viseme.dominance.min() > 0.0


@pytest.mark.parametrize(
    ("ipa", "names"),
    [
        ("p", ["bilabial"]),
        ("f", ["labiodental"]),
        ("θ", ["dental"]),
        ("ɡ", ["back"]),
        ("g", ["back"]),
        ("tʃ", ["hush"]),
        ("t͡ʃ", ["hush"]),
        ("iː", ["ee"]),
        ("ˈɑː", ["ah"]),
        ("ɜː", ["er"]),
        ("ɾ", ["alveolar"]),
        ("ʔ", ["glottal"]),
        ("aɪ", ["ah", "ih"]),
        ("oʊ", ["oh", "oo"]),
        ("ɔɪ", ["aw", "ih"]),
        ("ts", ["alveolar", "sibilant"]),
        ("pf", ["bilabial", "labiodental"]),
        ("y", ["front_round"]),
        ("ɑ̃", ["ah"]),
        ("n̩", ["alveolar"]),
        ("ç", ["back"]),
        ("", ["pause"]),
        ("_:", ["schwa"]),
        ("日", ["schwa"]),
    ],
)
def test_sounds_get_their_visemes(ipa: str, names: list[str]):
    found = visemes_of(ipa)
    assert [viseme.name for viseme, _ in found] == names
    assert sum(share for _, share in found) == pytest.approx(1.0)


def test_neutral_is_no_expression_and_intensity_scales():
    assert not expression_of(FaceStyle("neutral", 1.0)).any()
    half, full = expression_of(FaceStyle("happy", 0.5)), expression_of(FaceStyle("happy", 1.0))
    np.testing.assert_allclose(half * 2, full)
    np.testing.assert_allclose(expression_of(FaceStyle("happy", 7.0)), full)


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_every_expression_is_in_range(emotion: str):
    for intensity in (0.0, 0.3, 0.6, 0.8, 1.0):
        style = next(FaceStyle(e, intensity) for e in EMOTIONS if e == emotion)
        face = expression_of(style)
        assert face.shape == (SHAPES,)
        assert 0.0 <= face.min() <= face.max() <= 1.0
        assert max(map(abs, head_of(style))) <= 0.1
        assert 0.8 <= liveliness_of(style) <= 1.2


@pytest.mark.parametrize("intensity", [0.6, 1.0])
def test_emotions_are_distinct_even_with_a_shut_mouth(intensity: float):
    upper = {}
    for emotion in EMOTIONS:
        face = expression_of(FaceStyle(emotion, intensity))
        face[rows_of(("jawOpen", "mouthFunnel", "mouthUpperUp", "mouthLowerDown"))] = 0.0
        upper[emotion] = face
    for one in EMOTIONS:
        for other in EMOTIONS:
            if one != other:
                assert np.abs(upper[one] - upper[other]).max() > 0.2, (one, other)


def test_moderate_sadness_is_concern_and_only_strong_sadness_is_grief():
    moderate, strong = expression_of(FaceStyle("sad", 0.6)), expression_of(FaceStyle("sad", 1.0))
    np.testing.assert_allclose(moderate, CONCERN)
    assert value(moderate, "browInnerUp") > 0.5
    assert value(moderate, "mouthFrown") < 0.15
    assert value(moderate, "mouthShrugLower") == 0.0
    assert value(moderate, "eyeBlink") == 0.0
    assert value(strong, "mouthFrown") > 0.5


def test_sadness_grows_without_a_step():
    faces = [expression_of(FaceStyle("sad", level)) for level in np.linspace(0, 1, 101).tolist()]
    assert np.abs(np.diff(faces, axis=0)).max() < 0.03


def test_an_unknown_emotion_is_refused_by_name():
    style = FaceStyle()
    object.__setattr__(style, "emotion", "bored")
    with pytest.raises(ValueError, match="bored"):
        expression_of(style)
