"""What is learnt from is read whole, and what is wrong with it is said by line."""

import pytest

from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.training.llm.corpus import read_books, read_felt, read_open
from tests.engines.training.llm.made_up import felt_rows, write_data, write_rows

pytestmark = pytest.mark.unit


def test_dialogues_with_their_chains(tmp_path):
    dialogues = read_felt(write_data(tmp_path) / "empathetic_dialogues/train.jsonl.gz")
    assert len(dialogues) == 40
    first = dialogues[0]
    assert [turn.role for turn in first.turns] == ["user", "avatar", "user", "avatar"]
    assert first.chains == {1: Chain("Loss of a pet", "sad", "The dog died", "Comfort")}
    assert first.profiles == {1: Profile("young", "female", "mid")}
    assert dialogues[1].chains == {}
    kept = sum(one.is_for_choosing for one in dialogues)
    assert 0 < kept < len(dialogues) / 2


@pytest.mark.parametrize(
    ("age", "gender", "timbre", "profile"),
    [
        ("Middle-aged adults", "Male", "Low-pitched", Profile("middle-aged", "male", "low")),
        ("Teenagers", "Female", "Bright", Profile("young", "female", "high")),
        ("Young Adult", "Male", "Clear", Profile("young", "male", "mid")),
        ("Elderly Adults", "Male", "Soft", Profile("elderly", "male", "low")),
        ("Adults", "Male", "Warm", None),
        ("Children", "", "Warm", None),
        ("Children", "Female", "Hoarse", None),
    ],
)
def test_annotators_words_become_classes_and_unknown_ones_nobody(
    tmp_path, age, gender, timbre, profile
):
    (row,) = felt_rows(1)
    row["coe"]["1"] |= {"agent_age": age, "agent_gender": gender, "timbre": timbre}
    (dialogue,) = read_felt(write_rows(tmp_path / "train.jsonl.gz", [row]))
    assert dialogue.profiles == ({} if profile is None else {1: profile})


def test_open_dialogues_and_books(tmp_path):
    data = write_data(tmp_path)
    assert read_open(data / "text/self_dialogue.jsonl.gz")[0][0] == "Hello!"
    paragraphs = list(read_books(data / "text/books.txt.xz"))
    assert paragraphs[:2] == ["It was a day like any other.", "Nobody knew what was to come."]


@pytest.mark.parametrize("column", ["id", "emotion", "turns"])
def test_a_missing_column_is_named_with_its_line(tmp_path, column):
    rows = felt_rows(3)
    del rows[1][column]
    path = write_rows(tmp_path / "train.jsonl.gz", rows)
    with pytest.raises(ValueError, match=rf"line 2: expected .*{column}.* got KeyError"):
        read_felt(path)


def test_a_missing_or_damaged_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="--data names the folder that holds"):
        read_felt(tmp_path / "train.jsonl.gz")
    path = write_rows(tmp_path / "train.jsonl.gz", felt_rows())
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match="expected a gzip file of JSON lines"):
        read_felt(path)
    books = tmp_path / "books.txt.xz"
    books.write_bytes(b"no archive")
    with pytest.raises(ValueError, match=r"expected an \.xz"):
        list(read_books(books))
    with pytest.raises(ValueError, match="expected dialogues; got none"):
        read_felt(write_rows(path, []))
