"""A training of seconds on made-up data: it learns, goes on to the same bits, and loses nothing."""

from dataclasses import replace
from functools import partial

import pytest
import torch

from rt_avatar.commands.cli import main
from rt_avatar.engines.llm.answer import AnswerOptions
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_template, read_trained
from rt_avatar.engines.training.course import device_name
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.llm import samples
from rt_avatar.engines.training.llm.stage import StageOptions, config_of, run
from tests.engines.training.llm.made_up import felt_rows, write_data, write_rows

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def short_answers(monkeypatch):
    """At the end four callers are answered, for somebody to read: here by a few words."""
    short = partial(AnswerOptions, chain_tokens=8)
    monkeypatch.setattr(samples, "AnswerOptions", short)
    monkeypatch.setattr(samples, "_REPLY_TOKENS", 8)


@pytest.fixture
def options(tmp_path):
    data = write_data(tmp_path / "data")
    return StageOptions(
        data, tmp_path / "out", None, steps=8, layers=1, width=128, batch=256, rate=5e-3
    )


def test_it_learns_and_leaves_all_that_is_needed(options):
    options = replace(options, steps=100, report_every=10)
    result = run(options)
    out = options.out
    assert result.perplexity.replies == 8
    # The made-up replies are few and in the training too: near nothing is left to guess.
    assert 1 < result.perplexity.words < 20
    assert result.perplexity.words < result.perplexity.spaced
    rows = read_curve(out / "coe.csv")
    assert [row["step"] for row in rows] == [str(step) for step in range(10, 101, 10)]
    assert [row["phase"] for row in rows] == ["pretraining"] * 6 + ["chain"] * 4
    for phase in ("pretraining", "chain"):
        losses = [float(row["loss"]) for row in rows if row["phase"] == phase]
        assert losses[-1] < 0.7 * losses[0]
    assert float(rows[-1]["held_out"]) < 20
    load_strict(Llama(config_of(1, 128)), read_trained(out / "nano.safetensors")["llm"])
    assert read_template(out / "nano.safetensors") == "nano_profile"
    card = (out / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "CC BY-NC 4.0" in card
    assert f"perplexity **{result.perplexity.words:.1f}** a word" in card
    assert "--steps 100 --seed 1" in card
    assert f" minutes of {device_name()}; " in card
    answered = (out / "samples.md").read_text(encoding="utf-8")
    assert answered.count("**Caller**") == answered.count("- reply: ") == 4
    assert "**Caller** (sad): I lost my dog today." in answered
    assert (out / "coe.png").read_bytes().startswith(b"\x89PNG")


def test_a_training_that_was_stopped_comes_to_the_same_bits(options, tmp_path):
    whole = run(options)
    # The two stops are in the two phases.
    other = replace(options, out=tmp_path / "stopped")
    assert run(replace(other, stop=2)) is None
    assert run(replace(other, stop=6, is_resumed=True)) is None
    resumed = run(replace(other, is_resumed=True))
    assert resumed.weights.read_bytes() == whole.weights.read_bytes()
    assert resumed.perplexity == whole.perplexity
    again = run(replace(options, out=tmp_path / "again", seed=2))
    assert again.weights.read_bytes() != whole.weights.read_bytes()


def test_minutes_end_it(options):
    result = run(replace(options, steps=None, minutes=0.005))
    assert result.weights.is_file()
    assert run(replace(options, steps=None, minutes=0.005, is_resumed=True)) is not None


def test_a_loss_that_is_no_number_keeps_the_checkpoint(options):
    run(replace(options, stop=3))
    checkpoint = options.out / "llm.pt"
    before = checkpoint.read_bytes()
    with pytest.raises(FloatingPointError, match=r"finite loss.*--resume and a lower --rate"):
        run(replace(options, rate=1e30, is_resumed=True))
    assert checkpoint.read_bytes() == before
    assert run(replace(options, is_resumed=True)) is not None


def test_a_full_disk_keeps_the_checkpoint(options):
    run(replace(options, stop=3))
    checkpoint = options.out / "llm.pt"
    before = checkpoint.read_bytes()
    (options.out / "llm.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"room for a checkpoint.*Make room, then go on with"):
        run(replace(options, stop=5, is_resumed=True))
    assert checkpoint.read_bytes() == before
    assert run(replace(options, is_resumed=True)) is not None


def test_nothing_is_begun_anew_or_gone_on_from_unasked(options):
    with pytest.raises(FileNotFoundError, match="Leave out --resume"):
        run(replace(options, is_resumed=True))
    run(replace(options, stop=1))
    with pytest.raises(FileExistsError, match="with --resume, or name another folder"):
        run(options)
    with pytest.raises(ValueError, match="--layers and --width it began with"):
        run(replace(options, layers=2, is_resumed=True))
    with pytest.raises(ValueError, match="multiple of 128; got 200"):
        run(replace(options, width=200))


def test_the_command_says_in_one_line_what_is_wrong(options, capfd):
    words = ["train", "nano", "--stage", "coe", "--data", str(options.data)]
    words += ["--out", str(options.out), "--steps", "2", "--layers", "1", "--width", "128"]
    rows = felt_rows(4)
    del rows[2]["emotion"]
    write_rows(options.data / "empathetic_dialogues/train.jsonl.gz", rows)
    assert main(words) == 2
    error = capfd.readouterr().err
    assert "line 3: expected" in error
    assert "KeyError('emotion')" in error
    write_data(options.data)
    assert main(words) == 0
    assert "rt-avatar engines export nano --trained" in capfd.readouterr().out


def test_configurations_of_other_sizes_keep_the_kind():
    small = config_of(4, 256)
    assert (small.width, small.layers, small.heads, small.key_heads) == (256, 4, 4, 2)
    assert small.vocabulary == config_of(None, None).vocabulary
    assert torch.Size((small.intermediate,)) == torch.Size((640,))
