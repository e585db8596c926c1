"""The network that chooses general replies: what it promises whoever asks it."""

from importlib import resources

import numpy as np
import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.reply_selector import ReplySelector, load_general
from rt_avatar.engines.runtimes.runtime import RuntimeUnavailableError

pytestmark = pytest.mark.unit

FILES = resources.files("rt_avatar.engines.reply_selector")
WEAK = "I can picture that."


@pytest.fixture(scope="module")
def selector() -> ReplySelector:
    return ReplySelector()


def best(selector: ReplySelector, said: list[str], own: list[str], count: int = 8) -> set[str]:
    order = selector.select(said, own, WEAK).shares.argsort()[::-1][:count]
    return {selector.replies[at].text for at in order}


@pytest.mark.parametrize(
    ("said", "fitting"),
    [
        (["i passed my driving test today"], "Congratulations!"),
        (["our old dog died on sunday"], "I'm so sorry."),
        (["i have to go now, bye"], "Bye, take care."),
        (["thanks for listening to me"], "You're welcome."),
        (["we made pancakes with far too much syrup"], "That sounds delicious."),
        (["my interview is tomorrow morning"], "Good luck with it!"),
    ],
)
def test_a_plain_turn_gets_what_anybody_would_say(selector, said, fitting):
    assert fitting in best(selector, said, [])


@pytest.mark.parametrize(
    ("turn", "fitting", "beside"),
    [
        ("my gran died last night", "I'm so sorry.", "How exciting!"),
        ("i got the job!", "Congratulations!", "That must be hard."),
        ("we had a lovely walk by the sea", "That sounds beautiful.", "I'm so sorry."),
        ("my car broke down again", "How annoying.", "Congratulations!"),
    ],
)
def test_a_reply_that_fits_is_worth_more_than_one_that_does_not(selector, turn, fitting, beside):
    fits, does_not = (selector.select([turn], [], one).worth for one in (fitting, beside))
    assert fits > does_not


def test_any_call_gets_shares_and_a_worth(selector):
    for said, own in (
        ([""], []),
        (["…"], ["助けて"]),
        (["x " * 5000], ["y " * 5000]),
        (["a", "b\x00"], ["c"]),
    ):
        found = selector.select(said, own, "z " * 5000)
        assert found.shares.shape == (len(selector.replies),)
        assert found.shares.min() >= 0
        others = [one.when != "harm" for one in selector.replies]
        assert found.shares[others].sum() + found.harm == pytest.approx(1, abs=1e-5)
        assert 0 <= found.worth <= 1


def test_the_bank_is_safe_short_and_without_doubles():
    texts = [text for one in load_general() for text in one.texts]
    assert len(texts) == len(set(texts)) >= 500
    assert not [text for text in texts if find_unsafe(text)]
    assert max(len(text.split()) for text in texts) <= 12


@pytest.mark.parametrize(
    ("lines", "got"),
    [
        ("[bored]\nOh.\n", r"line 1: expected none or one of .*; got \[bored\]"),
        (
            "[sad never]\nOh.\n",
            r"approval or harm or nothing; got \[sad never\]",
        ),
        ("[none]\nOh.\nOh.\n", "line 3: expected a reply that is safe and new; got 'Oh.'"),
        ("[none]\nKill him.\n", "line 2: expected a reply that is safe"),
        ("[none]\nOh. | Kill him.\n", "line 2: expected a reply that is safe"),
        ("[none]\nOh. | I see.\nI see.\n", "line 3: .* safe and new; got 'I see.'"),
        ("[none]\nOh. |\n", "line 2: .* safe and new; got ''"),
    ],
)
def test_a_foreign_bank_is_refused(tmp_path, lines, got):
    (tmp_path / "replies.txt").write_text(lines)
    with pytest.raises(ValueError, match=got):
        load_general(tmp_path / "replies.txt")
    with pytest.raises(FileNotFoundError):
        load_general(tmp_path / "none.txt")


def test_other_wordings_of_a_reply_stand_behind_bars(tmp_path):
    (tmp_path / "replies.txt").write_text("[sad]\nOh no. | Oh dear.\nI see.\n")
    first, second = load_general(tmp_path / "replies.txt")
    assert first.texts == ("Oh no.", "Oh dear.")
    assert second.texts == ("I see.",)


def test_layers_of_another_bank_or_none_are_refused(tmp_path):
    (tmp_path / "replies.txt").write_text("[none]\nOh.\n")
    (tmp_path / "upper.onnx").write_bytes((FILES / "upper.onnx").read_bytes())
    with pytest.raises(ValueError, match=r"to scores \(1, 5\); got"):
        ReplySelector(tmp_path)
    (tmp_path / "upper.onnx").write_bytes(b"no graph")
    with pytest.raises(RuntimeUnavailableError, match="expected a graph"):
        ReplySelector(tmp_path)


def test_the_files_are_small_enough_to_ship():
    assert len((FILES / "upper.onnx").read_bytes()) <= 6_500_000


def test_shares_do_not_depend_on_how_it_was_written(selector):
    one, other = (
        selector.select([text], [], WEAK).shares for text in ("I can't come.", "i cant come")
    )
    assert np.array_equal(one, other)
