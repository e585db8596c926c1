"""Contents and styles are learnt in stages that go on after a stop and lose nothing."""

from dataclasses import replace
from functools import cache

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.engines.networks.fusion.config import NANO_DISENTANGLER, NANO_SYNCHRONIZER
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.shipped import WEIGHTS
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_template, read_trained
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.fusion.__main__ import ship
from rt_avatar.engines.training.fusion.stage import FusionOptions, run
from rt_avatar.reasoner.styles import response_style
from tests.engines.training.llm.made_up import felt_rows, write_avamerg, write_data, write_rows
from tests.engines.training.llm.test_avamerg import save_video

pytestmark = pytest.mark.networks


def answer(emotion):
    style = response_style(emotion)
    return style.voice, style.face


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_data(tmp_path_factory.mktemp("fusion") / "data")


@pytest.fixture
def options(data, tmp_path):
    return options_of(data, tmp_path)


def options_of(data, folder):
    return FusionOptions(
        data, folder / "out", answer, None, steps=4, batch=256, report_every=2, judged=8
    )


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """By stage: what a training was asked for and left that nothing stopped."""

    @cache
    def trained(stage):
        options = options_of(data, tmp_path_factory.mktemp(stage))
        return options, run(stage, options)

    return trained


def test_three_stages_leave_all_that_is_needed(whole):
    options, contents = whole("content")
    assert contents.figures["phoneme"] > 99  # no sound is lost, however little was learnt
    styles = run("style", replace(options, steps=20, rate=1e-2))
    losses = [float(row["loss"]) for row in read_curve(options.out / "style.csv")]
    assert losses[-1] < 0.8 * losses[0]
    last = run("overall", options)
    assert set(last.figures) == {*contents.figures, *styles.figures}
    for name, parts in (
        ("content", {"synchronizer"}),
        ("style", {"disentangler"}),
        ("overall", {"llm", "synchronizer", "disentangler"}),
    ):
        read = read_trained(options.out / f"{name}.safetensors")
        assert set(read) == parts
        card = (options.out / f"{name}.md").read_text(encoding="utf-8")
        assert "CC BY-NC 4.0" in card
        assert f"--stage {name}" in card
        assert (options.out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    load_strict(ContentSynchronizer(NANO_SYNCHRONIZER), read["synchronizer"])
    load_strict(StyleDisentangler(NANO_DISENTANGLER), read["disentangler"])
    assert read_template(options.out / "overall.safetensors") == "nano_profile"


def test_what_a_stage_made_takes_its_place_in_file_and_card(whole, tmp_path):
    options, styles = whole("style")
    weights = tmp_path / "package" / "nano.safetensors"
    weights.parent.mkdir()
    card = weights.with_name("MODEL_CARD.md")
    card.write_bytes(WEIGHTS.with_name(card.name).read_bytes())
    with pytest.raises(FileNotFoundError, match="expected content"):
        ship(tmp_path, weights)
    assert ship(options.out, weights) == ["style"]
    new, before, made = map(read_trained, (weights, WEIGHTS, styles.weights))
    for parts, part in ((before, "synchronizer"), (made, "disentangler")):
        for name, value in parts[part].items():
            assert value.equal(new[part][name]), name
    text = card.read_text(encoding="utf-8")
    content, _, style = text.partition("## Stage `style`")
    assert content == WEIGHTS.with_name(card.name).read_text("utf-8").partition("## Stage `st")[0]
    assert "--stage style --data FOLDER --steps 4" in style


def test_what_was_learnt_by_another_language_model_is_refused(whole, tmp_path):
    _, styles = whole("style")
    (tmp_path / "style.safetensors").write_bytes(styles.weights.read_bytes())
    (tmp_path / "nano.safetensors").write_bytes(b"another")
    with pytest.raises(ValueError, match=r"nano\.safetensors: expected the package's language mod"):
        ship(tmp_path, tmp_path / "package" / "nano.safetensors")


@pytest.mark.parametrize("stage", ["content", "style"])
def test_a_stage_that_was_stopped_comes_to_the_same_bits(whole, options, stage):
    assert run(stage, replace(options, stop=2)) is None
    resumed = run(stage, replace(options, is_resumed=True))
    assert resumed.weights.read_bytes() == whole(stage)[1].weights.read_bytes()
    assert resumed.figures == whole(stage)[1].figures


def test_an_epoch_that_was_cut_into_more_batches_gives_way_to_the_next(options):
    assert run("content", replace(options, batch=64, stop=2)) is None
    assert run("content", replace(options, batch=1 << 20, stop=3, is_resumed=True)) is None


def test_contents_are_learnt_from_replies_of_which_something_can_be_said(options, tmp_path):
    data, rows = write_data(tmp_path / "data"), felt_rows()
    options = replace(options, data=data, batch=1, steps=20, stop=19)
    for row in rows[4:]:
        for turn in row["turns"][1::2]:
            turn["text"] = "..."
    write_rows(data / "empathetic_dialogues/train.jsonl.gz", rows)
    assert run("content", options) is None
    write_rows(data / "empathetic_dialogues/train.jsonl.gz", rows[4:])
    with pytest.raises(ValueError, match="content: expected replies of which something can be"):
        run("content", replace(options, is_resumed=True))


def test_avamergs_own_layout_is_detected_and_learnt_from(tmp_path):
    data, out = write_avamerg(tmp_path / "data"), tmp_path / "out"
    save_video(data / "video_v5_0" / "dia00000utt1_7.mp4", 40)
    words = ["train", "nano", "--stage", "content", "--data", str(data), "--out", str(out)]
    assert main([*words, "--steps", "2", "--batch", "256"]) == 0
    assert set(read_trained(out / "content.safetensors")) == {"synchronizer"}


def test_a_damaged_recording_ends_the_training_before_it_begins(tmp_path, capfd):
    data, out = write_avamerg(tmp_path / "data"), tmp_path / "out"
    broken = data / "dia00000utt1_7.mp4"
    broken.write_bytes(b"no video")
    words = ["train", "nano", "--stage", "content", "--data", str(data), "--out", str(out)]
    assert main([*words, "--steps", "2"]) == 2
    assert f"{broken}: expected a recording; got" in capfd.readouterr().err
    assert not (out / "content.pt").exists()


def test_a_loss_that_is_no_number_keeps_the_checkpoint(options):
    assert run("style", replace(options, stop=1)) is None
    before = (options.out / "style.pt").read_bytes()
    with pytest.raises(FloatingPointError, match=r"style: .*--resume and a lower --rate"):
        run("style", replace(options, rate=1e30, is_resumed=True))
    assert (options.out / "style.pt").read_bytes() == before


def test_the_last_stage_asks_for_those_before_it(options, capfd):
    words = ["train", "nano", "--stage", "overall", "--data", str(options.data)]
    assert main([*words, "--out", str(options.out), "--steps", "1"]) == 2
    error = capfd.readouterr().err
    assert "content.safetensors: expected what the stage content made; got none" in error
    assert "rt-avatar train nano --stage content" in error
