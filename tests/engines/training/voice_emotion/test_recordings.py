"""What is learnt from: manifests are read or refused with words, disguises are a speaker's own."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.training.voice_emotion.augment import draw_disguise
from rt_avatar.engines.training.voice_emotion.recordings import read_recordings
from rt_avatar.engines.voice_emotion.kernel import VOICE_EMOTIONS

pytestmark = pytest.mark.unit

ACTED = "file\tactor\temotion\ttext\n01/a.opus\t01\tfearful\tDogs.\n02/b.opus\t02\tcalm\tKids.\n"
READ = "file\ttext\n" + "".join(f"{number}.opus\tA line.\n" for number in range(40))


def corpora(folder: Path, acted: str = ACTED) -> Path:
    for name, text in (("ravdess", acted), ("cathy", READ), ("lj", READ), ("libri", READ)):
        path = folder / "speech" / name / "manifest.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_actors_have_their_emotion_and_readers_none(tmp_path: Path):
    found = read_recordings(corpora(tmp_path))
    acted = [one for one in found if one.corpus == "ravdess"]
    assert [VOICE_EMOTIONS[one.emotion] for one in acted] == ["fear", "calm"]
    assert [one.speaker for one in acted] == ["actor 01", "actor 02"]
    read = [one for one in found if one.corpus == "cathy"]
    assert {VOICE_EMOTIONS[one.emotion] for one in read} == {"neutral"}
    assert len(read) < 40  # nobody is heard much more than others


def test_a_corpus_that_is_missing_or_another_is_refused_with_words(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"ravdess.*manifest"):
        read_recordings(tmp_path)
    with pytest.raises(ValueError, match="emotion"):
        read_recordings(corpora(tmp_path, ACTED.replace("emotion", "mood")))
    with pytest.raises(ValueError, match="'bored'"):
        read_recordings(corpora(tmp_path, ACTED.replace("calm", "bored")))


def test_a_disguise_keeps_the_level_and_changes_the_sound():
    dice = np.random.default_rng(3)
    pcm = (0.1 * np.sin(np.arange(32_000) * 0.05) * dice.uniform(0.5, 1, 32_000)).astype(np.float32)
    disguise = draw_disguise(np.random.default_rng(1))
    heard = disguise.apply(pcm, np.random.default_rng(0))
    assert 0.85 < len(heard) / len(pcm) < 1.15
    assert np.sqrt(np.mean(heard**2)) == pytest.approx(np.sqrt(np.mean(pcm**2)), rel=0.15)
    again = disguise.apply(pcm, np.random.default_rng(0))
    assert np.array_equal(heard, again)
