"""The network that chooses replies is learnt from labelled calls, by one command."""

import gzip
import json
import sys
from importlib import resources

import numpy as np
import pytest
import torch

from rt_avatar.engines.reply_selector import ReplySelector, load_general
from rt_avatar.engines.text_encoder import PieceTable, TextEncoder
from rt_avatar.engines.training.reply_selector import __main__ as command
from rt_avatar.engines.training.reply_selector.calls import (
    CALLS,
    DIALOGUES,
    NOT_GRADED,
    joined,
    read_calls,
    read_dialogues,
)
from rt_avatar.engines.training.reply_selector.loss import Example
from rt_avatar.engines.training.text_encoder import model as encoder_model
from rt_avatar.engines.training.text_encoder.export import export_lower, export_pieces
from rt_avatar.engines.training.text_encoder.model import begin_from, read_checkpoint
from tests.engines.training.text_encoder.torch.test_tuning import PIECES, published

__all__ = ["published"]

pytestmark = pytest.mark.networks

SOUP = {"caller": "the soup was good", "avatar": "Oh, lovely.", "grade": "F",
        "general": ["That sounds delicious.", "Oh, lovely."]}  # fmt: skip
FIRE = {"caller": "she want my life not breathing", "avatar": "How exciting!", "grade": "M",
        "general": ["That must be hard."]}  # fmt: skip
# Nobody chose for it: its candidates were graded.
LIFE = {"caller": "he want my film", "avatar": "Really?", "grade": "W", "general": None,
        "candidates": [["Really?", "W"], ["What a mess.", "F"], ["Sleep well.", "M"]]}  # fmt: skip
NONE = {"caller": "the film", "avatar": "I see.", "grade": None, "general": []}
HARM = {"caller": "help fire burns", "avatar": "I see.", "grade": None,
        "general": ["I'd rather you didn't."]}  # fmt: skip
HARMLESS = {"caller": "i want soup", "avatar": "I see.", "grade": None, "general": None,
            "harmless": True}  # fmt: skip


# A dialogue as EmpatheticDialogues has it, and what readers made of its turns.
ROW = {"id": "hit:1_conv:2", "turns": [
    {"role": "speaker", "text": "she want my soup"}, {"role": "listener", "text": "the soup?"},
    {"role": "speaker", "text": "it was good"},
]}  # fmt: skip
LABELS = {"id": "hit:1_conv:2", "writer": "people", "turns": {
    "2": {"general": ["Oh, lovely."], "candidates": [["Oh, lovely.", "F"], ["What a mess.", "M"]]},
}}  # fmt: skip
WEIGHT = "layers.1.out.weight"


def write(path, calls):
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(call) + "\n" for call in calls)


def train(published, folder, monkeypatch, *calls, **options):
    """Run the command on calls, from an encoder of two layers in ``folder``."""
    model = begin_from(read_checkpoint(published[0]), PIECES, layers=2, outputs=2)
    monkeypatch.setattr(encoder_model, "SHARED_LAYERS", 1)
    export_pieces(model, folder / "pieces.npz")
    export_lower(model, folder / "lower.onnx")
    torch.save({"model": model.state_dict()}, folder / "tuned.pt")
    write(folder / "calls.jsonl.gz", calls)
    write(folder / "dialogues.jsonl.gz", [LABELS])
    write(folder / "train.jsonl.gz", [ROW])
    monkeypatch.setattr(command, "_LAYERS", 2)
    monkeypatch.setattr(command, "PieceTable", lambda: PieceTable(folder / "pieces.npz"))
    paths = {
        "calls": folder / "calls.jsonl.gz",
        "dialogues": folder / "dialogues.jsonl.gz",
        "corpus": folder / "train.jsonl.gz",
        "encoder": published[0],
        "tuned": folder / "tuned.pt",
        "checkpoint": folder / "state.pt",
        "output": folder,
    }
    words = [word for name, one in {**paths, **options}.items() for word in (f"--{name}", str(one))]
    monkeypatch.setattr(sys, "argv", ["reply_selector", *words])
    command.main()


def test_what_a_reader_chose_is_chosen(published, tmp_path, monkeypatch, caplog):
    calls = [{"writer": "one", "turns": [SOUP, FIRE, LIFE, NONE, HARM, HARMLESS]}] * 30
    other = {"writer": "other", "turns": [SOUP, FIRE]}
    with caplog.at_level("INFO"):
        train(
            published, tmp_path, monkeypatch, *calls, other, **{"epochs": 40, "kept-out": "other"}
        )
    assert "the best fits in 100.0 % of 2 turns" in caplog.text
    assert "no harm: heard in 0.0 % of 2" in caplog.text
    packaged = resources.files("rt_avatar.engines.reply_selector") / "replies.txt"
    (tmp_path / "replies.txt").write_text(packaged.read_text(encoding="utf-8"), encoding="utf-8")
    selector = ReplySelector(tmp_path, TextEncoder(tmp_path))
    found = selector.select([SOUP["caller"]], [], "Oh, lovely.")
    assert selector.replies[found.shares.argmax()].text in SOUP["general"]
    assert found.worth > selector.select([FIRE["caller"]], [], "How exciting!").worth
    worths = [selector.select([LIFE["caller"]], [], text).worth for text, _ in LIFE["candidates"]]
    assert worths[1] > worths[0] > worths[2]
    shares = selector.select([LIFE["caller"]], [], "Really?").shares
    at = {one.text: shares[place] for place, one in enumerate(selector.replies)}
    assert at["What a mess."] > 10 * at["Really?"]  # what fits comes before what is weak
    assert at["Sleep well."] < 0.01  # and what misses is not said at all
    harm = selector.select([HARM["caller"]], [], "I see.")
    assert selector.replies[harm.shares.argmax()].text in HARM["general"]
    assert harm.harm > 2 * selector.select([HARMLESS["caller"]], [], "I see.").harm


def test_several_trainings_begin_alike_and_their_mean_is_written(published, tmp_path, monkeypatch):
    call = {"writer": "one", "turns": [SOUP, FIRE, LIFE, NONE, HARM, HARMLESS]}
    written = []
    monkeypatch.setattr(command, "export_upper", lambda model, path: (
        written.append(model.state_dict()), path.write_bytes(b"")))  # fmt: skip
    train(published, tmp_path, monkeypatch, call, epochs=1, trainings=2)
    names = ("state.1.first.pt", "state.1.pt", "state.2.first.pt", "state.2.pt")
    states = [torch.load(tmp_path / one, weights_only=True)["model"][WEIGHT] for one in names]
    assert not torch.equal(states[1], states[3])
    assert torch.allclose(written[0][WEIGHT], torch.stack(states).mean(0), atol=1e-6)


def test_two_examples_are_told_apart_by_what_is_learnt_of_them(tmp_path):
    calls = [{"writer": "one", "turns": [turn]} for turn in (SOUP, {**SOUP, "grade": "M"})]
    write(tmp_path / "calls.jsonl.gz", [*calls, calls[0]])
    bank = load_general()
    turns = read_calls(tmp_path / "calls.jsonl.gz", [one.text for one in bank])
    told = [repr(Example(one, PieceTable(), bank)) for one in turns]
    assert told[0] == told[2] != told[1]


def test_the_packages_calls_are_labelled_with_replies_of_the_bank():
    bank = [one.text for one in load_general()]
    turns = read_calls(CALLS, bank)
    assert len(turns) > 10_000
    chosen = {bank[at] for turn in turns for at in turn.general or ()}
    with gzip.open(DIALOGUES, "rt", encoding="utf-8") as lines:
        labels = [turn for line in lines for turn in json.loads(line)["turns"].values()]
    chosen |= {text for one in labels for text in one["general"] or ()}
    assert chosen == set(bank)
    assert sum(turn.grade != NOT_GRADED for turn in turns) > 3_000
    wanted = turns[0].wanted(len(bank))
    assert wanted is not None
    assert np.isclose(wanted.sum(), 1)


def test_a_labelled_dialogue_has_its_texts_from_the_corpus(tmp_path):
    write(tmp_path / "dialogues.jsonl.gz", [LABELS])
    write(tmp_path / "train.jsonl.gz", [ROW])
    bank = ["Oh, lovely.", "What a mess.", "Sleep well."]
    (turn,) = read_dialogues(tmp_path / "dialogues.jsonl.gz", tmp_path / "train.jsonl.gz", bank)
    assert (turn.said, turn.own) == (("she want my soup", "it was good"), ("the soup?",))
    assert turn.general == (0,)
    assert turn.candidates == (("Oh, lovely.", 2), ("What a mess.", 0))


def test_what_only_readers_of_the_others_chose_is_neither_wanted_nor_unwanted(tmp_path):
    write(tmp_path / "calls.jsonl.gz", [{"writer": "one", "turns": [SOUP, HARM]}])
    write(tmp_path / "dialogues.jsonl.gz", [LABELS])
    write(tmp_path / "train.jsonl.gz", [ROW])
    bank = ["Oh, lovely.", "That sounds delicious.", "I'd rather you didn't.", "Sleep well."]
    calls = read_calls(tmp_path / "calls.jsonl.gz", bank)
    people = read_dialogues(tmp_path / "dialogues.jsonl.gz", tmp_path / "train.jsonl.gz", bank)
    assert [one.unknown for one in joined(calls, people)] == [set(), set(), {1, 2}]


def test_labels_of_a_dialogue_that_the_corpus_lacks_are_named(tmp_path):
    write(tmp_path / "dialogues.jsonl.gz", [LABELS])
    write(tmp_path / "train.jsonl.gz", [{**ROW, "id": "hit:9_conv:9"}])
    with pytest.raises(ValueError, match=r"line 1: expected .*hit:1_conv:2"):
        read_dialogues(tmp_path / "dialogues.jsonl.gz", tmp_path / "train.jsonl.gz", [])


@pytest.mark.parametrize(
    "call",
    [
        {"writer": "one"},
        {"writer": "one", "turns": [{**SOUP, "general": ["Boo!"]}]},
        {"writer": "one", "turns": [{**SOUP, "grade": "X"}]},
        {"writer": "one", "turns": "none"},
    ],
)
def test_a_line_that_is_no_call_is_named(tmp_path, call):
    write(tmp_path / "calls.jsonl.gz", [{"writer": "one", "turns": [SOUP]}, call])
    with pytest.raises(ValueError, match=r"line 2: expected \{\"writer\", \"turns\""):
        read_calls(tmp_path / "calls.jsonl.gz", [one.text for one in load_general()])


def test_without_the_tuned_encoder_it_says_how_to_make_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"training\.text_danger"):
        command.begin(tmp_path, tmp_path / "none.pt", PIECES, 3)
