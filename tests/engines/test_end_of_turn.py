"""The end-of-turn engine: what it says follows from sound and words, at any level, and at once."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.end_of_turn import EndOfTurnEngine, EndOfTurnInput
from rt_avatar.engines.end_of_turn.features import BANDS, Features
from rt_avatar.engines.end_of_turn.network import WEIGHTS, load_weights
from rt_avatar.engines.end_of_turn.ngrams import EndOfTurnNgrams, split_words
from rt_avatar.engines.training.end_of_turn.words import train_ngrams

pytestmark = pytest.mark.unit


def windows(pcm: np.ndarray, speech: int) -> list[EndOfTurnInput]:
    """The first so many are speech at 120 Hz."""
    return [
        EndOfTurnInput(
            pcm[n * 512 : (n + 1) * 512].astype(np.float32),
            float(n < speech),
            120.0 if n < speech else None,
        )
        for n in range(len(pcm) // 512)
    ]


@pytest.fixture(scope="module")
def engine() -> EndOfTurnEngine:
    return EndOfTurnEngine()


def test_what_comes_later_changes_nothing_that_was_said(engine: EndOfTurnEngine):
    dice = np.random.default_rng(0)
    pcm = dice.normal(0, 0.1, 512 * 60)
    other = np.concatenate([pcm[: 512 * 40], dice.normal(0, 0.3, 512 * 20)])
    one, two = (
        [logit for item in windows(sound, 40) for logit in stream.push(item)]
        for sound, stream in ((pcm, engine.open()), (other, engine.open()))
    )
    assert one[:40] == two[:40]
    assert one[40:] != two[40:]


def test_a_quieter_caller_is_heard_the_same():
    pcm = np.random.default_rng(0).normal(0, 0.2, 512 * 20)
    loud, quiet = Features(), Features()
    for one, two in zip(windows(pcm, 20), windows(pcm / 10, 20), strict=True):
        row, other = loud.push(one), quiet.push(two)
    assert np.allclose(row, other, atol=0.02)


def test_the_silence_of_every_room_sounds_the_same():
    dice = np.random.default_rng(0)
    voice = dice.normal(0, 0.2, 512 * 20)
    rows = []
    for room in (1e-5, 1e-4, 5e-4):
        features = Features()
        for item in windows(np.concatenate([voice, dice.normal(0, room, 512 * 10)]), 20):
            row = features.push(item)
        rows.append(row[:BANDS])
    assert not np.any(rows)


def test_silence_counts_from_the_voice_on_and_a_new_turn_forgets_it():
    features = Features()
    for item in windows(np.random.default_rng(0).normal(0, 0.1, 512 * 10), 0):
        features.push(item)
    assert features.silence_s == 0  # nobody has spoken yet
    for item in windows(np.random.default_rng(0).normal(0, 0.1, 512 * 20), 10):
        features.push(item)
    assert features.silence_s == pytest.approx(0.32)
    features.begin_turn()
    assert features.silence_s == 0


# --- words --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("finished", "open_"),
    [
        ("my sister came home yesterday", "my sister came home and"),
        ("do you like it", "do you like the"),
        ("I went there because I liked it", "I went there because"),
    ],
)
def test_a_finished_thought_is_likelier_over_than_an_open_one(
    engine: EndOfTurnEngine, finished: str, open_: str
):
    assert engine.probability(0.0, finished, 1.0) > engine.probability(0.0, open_, 1.0)


def test_words_count_as_far_as_they_are_trusted(engine: EndOfTurnEngine):
    unknown = engine.probability(0.0, "", 1.0)
    told = [engine.probability(0.0, "I went to the", trust) for trust in (0.0, 0.5, 1.0)]
    assert told[0] == unknown
    assert told[0] > told[1] > told[2]


def test_what_sounds_over_is_likelier_over(engine: EndOfTurnEngine):
    likely = [engine.probability(logit, "it was nice", 0.65) for logit in (-3.0, 0.0, 3.0)]
    assert likely == sorted(likely)
    assert 0 <= likely[0] < likely[-1] <= 1


def test_ngrams_are_learnt_from_how_turns_end(tmp_path: Path):
    keys, logits = train_ngrams(["I like the sea.", "We saw the sea.", "The sea, I like"] * 40)
    path = tmp_path / "ngrams.npz"
    np.savez(path, keys=keys, logits=logits)
    ngrams = EndOfTurnNgrams(path)
    sea, the = ngrams.logit("they crossed the sea"), ngrams.logit("they crossed the")
    assert sea is not None
    assert the is not None
    assert sea > 0 > the
    assert ngrams.logit("") is None
    assert ngrams.logit("...") is None


def test_words_are_split_whatever_their_apostrophes():
    assert split_words("Don’t -- you, I'M (sure)?") == ["don't", "you", "i'm", "sure"]


# --- files --------------------------------------------------------------------------------------
def test_missing_and_damaged_files_are_refused_with_how_to_make_them(tmp_path: Path):
    for load in (load_weights, EndOfTurnNgrams):
        with pytest.raises(FileNotFoundError, match=r"training\.end_of_turn"):
            load(tmp_path / "none.npz")
        (tmp_path / "damaged.npz").write_bytes(b"PK\x03\x04 no weights")
        with pytest.raises(ValueError, match="expected an npz"):
            load(tmp_path / "damaged.npz")
    np.savez(tmp_path / "other.npz", first=np.zeros(3))
    with pytest.raises(ValueError, match="expected finite weights"):
        load_weights(tmp_path / "other.npz")


def test_the_shipped_files_are_small():
    folder = Path(load_weights.__code__.co_filename).parent
    assert (folder / "weights.npz").stat().st_size < 300_000
    assert (folder / "ngrams.npz").stat().st_size < 1_000_000
    assert sum(int(np.prod(shape)) for shape in WEIGHTS.values()) < 50_000
