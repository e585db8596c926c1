"""Training of voice emotions: it learns what tells them, of speakers whom it never heard."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.training.voice_emotion.folds import (
    Corpus,
    cross_validate,
    folds_of,
    learn,
    neutral_of,
    recall,
)
from rt_avatar.engines.training.voice_emotion.model import trust_of
from rt_avatar.engines.training.voice_emotion.report import (
    calibrated_by_others,
    find_calibration,
    judge_readers,
    write_card,
)
from rt_avatar.engines.voice_emotion.functionals import FUNCTIONALS
from rt_avatar.engines.voice_emotion.kernel import CLASSES, calibrated, load_weights, probabilities

pytestmark = pytest.mark.unit


def acted(actors: int = 4, takes: int = 4) -> Corpus:
    """Actors with a place of their own, from which each emotion lies in a direction of its own."""
    dice = np.random.default_rng(0)
    away = 2.0 * dice.normal(size=(CLASSES, FUNCTIONALS)) * (dice.random((1, FUNCTIONALS)) < 0.2)
    rows, labels, speakers, texts = [], [], [], []
    for actor in range(actors):
        place = 3.0 * dice.normal(size=FUNCTIONALS)
        for emotion in range(CLASSES):
            for take in range(takes):
                rows.append(place + away[emotion] + dice.normal(size=(2, FUNCTIONALS)))
                labels.append(emotion)
                speakers.append(f"actor {actor:02}")
                texts.append("Dogs." if take % 2 else "Kids.")
    every = np.ones(len(labels), bool)
    return Corpus(
        np.array(rows, np.float32), np.array(labels), np.array(speakers), np.array(texts), every
    )


def test_a_speakers_neutral_is_never_the_recording_itself():
    corpus = acted(1)
    neutral = neutral_of(corpus)
    first, others = neutral[0], corpus.rows[1:4]
    assert np.allclose(first, others.mean(axis=0), atol=1e-5)
    assert np.allclose(neutral[-1], corpus.rows[:4].mean(axis=0), atol=1e-5)


def test_nobody_is_judged_by_what_learnt_from_them():
    corpus = acted(6)
    folds = folds_of(corpus)
    assert sorted(name for fold in folds for name in fold) == sorted(set(corpus.speakers))
    assert all(len(fold) == 2 for fold in folds)


def test_it_hears_strangers_and_better_against_their_own_neutral():
    corpus = acted()
    (said,) = cross_validate(corpus)
    unknown, known = (recall(corpus.labels, one).mean() for one in said)
    assert unknown > 0.3
    assert known > max(0.7, unknown)


def test_a_level_that_says_nothing_of_the_speaker_is_not_believed():
    dice = np.random.default_rng(0)
    places = 3.0 * dice.normal(size=(20, FUNCTIONALS))
    places[:, 0] = 0.0  # in one functional all speakers are alike
    trust = trust_of([place + dice.normal(size=(4, FUNCTIONALS)) for place in places])
    assert trust.min() >= 0
    assert trust.max() < 1
    assert trust[0] < 0.5 < np.median(trust)


def test_the_file_says_what_the_training_says(tmp_path: Path):
    corpus = acted()
    learnt = learn(corpus, np.ones(len(corpus.labels), bool))
    path = tmp_path / "weights.npz"
    plain = np.array([1.0] + [0.0] * CLASSES, np.float32)
    arrays = learnt.unknown.arrays() | learnt.known.arrays() | {"trust": learnt.trust}
    np.savez(path, **arrays, unknown_calibration=plain, known_calibration=plain)
    weights = load_weights(path)
    rows, neutral = corpus.rows[::7, 0], neutral_of(corpus)[::7, 0]
    expected = learnt.said(rows, neutral)
    for index, (row, own) in enumerate(zip(rows, neutral, strict=True)):
        assert np.abs(probabilities(weights, row, None) - expected[0, index]).max() < 0.01
        assert np.abs(probabilities(weights, row, own) - expected[1, index]).max() < 0.01
    readers = Corpus(*(each[:4] for each in (
        corpus.rows, corpus.labels, corpus.speakers, corpus.texts, corpus.acted)))  # fmt: skip
    figures = {"known": judge_readers(weights, readers, knows_neutral=True)}
    card = tmp_path / "MODEL_CARD.md"
    said = np.stack([np.eye(CLASSES)[corpus.labels]] * 2)
    judged = {"actors never heard": said, "in a disguise": said}
    write_card(card, "a command", corpus, judged, figures, 1000)
    assert "| **mean of the eight** | **100.0 %** | **100.0 %** |" in card.read_text()
    assert "in a disguise: mean of the eight 100.0 %" in card.read_text()
    assert "CC BY-NC-SA 4.0" in card.read_text()


def test_probabilities_that_are_too_timid_are_raised():
    labels = np.repeat(np.arange(CLASSES), 5)
    timid = np.full((len(labels), CLASSES), 0.11)
    timid[np.arange(len(labels)), labels] = 0.23
    assert find_calibration(timid, labels)[0] > 1.5


def test_an_emotion_that_is_named_too_rarely_is_named_more():
    dice = np.random.default_rng(0)
    labels = np.repeat(np.arange(CLASSES), 40)
    shares = dice.dirichlet(np.ones(CLASSES), len(labels)) + np.eye(CLASSES)[labels]
    shares[:, 3] *= 0.3
    scale = find_calibration(shares, labels)
    assert scale[4] == scale[1:].max()
    assert recall(labels, calibrated(shares, scale))[3] > recall(labels, shares)[3]


def test_nobodys_calibration_knows_how_they_were_named():
    corpus = acted(6)
    said = np.random.default_rng(0).dirichlet(np.ones(CLASSES), len(corpus.labels))
    first = np.isin(corpus.speakers, folds_of(corpus)[0])
    other = replace(corpus, labels=np.where(first, 0, corpus.labels))
    one, two = (calibrated_by_others(each, said) for each in (corpus, other))
    assert np.array_equal(one[first], two[first])


def test_functionals_that_are_no_numbers_stop_with_words():
    corpus = acted(1)
    corpus.rows[3, 0, 5] = np.nan
    with pytest.raises(ValueError, match="expected functionals of numbers"):
        learn(corpus, np.ones(len(corpus.labels), bool))
