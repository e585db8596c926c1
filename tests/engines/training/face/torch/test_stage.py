"""A training of seconds: it learns, goes on to the same bits, and is refused where data is not."""

from dataclasses import replace
from functools import cache

import pytest
import torch

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.pirender.config import NANO
from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid
from rt_avatar.engines.networks.pirender.shipped import WEIGHTS
from rt_avatar.engines.networks.trained import read_trained, write_trained
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.face import batches, measure, stage
from rt_avatar.engines.training.face.portraits import DrawnPortrait
from rt_avatar.engines.training.face.stage import MOTION, StageOptions, run
from tests.engines.training.lipsync.test_people import folder

pytestmark = pytest.mark.networks


@pytest.fixture(scope="module", autouse=True)
def few_frames_of_faces_made_once():
    """A look is the same in all runs; and as many frames as in use would take half of the time."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_WATCHED", "_MEASURED"):
            patch.setattr(stage, name, 12)
        patch.setattr(stage, "read_photographs", cache(stage.read_photographs))
        for module in (batches, measure):
            patch.setattr(module, "DrawnPortrait", drawn_once)
        yield


@cache
def drawn_once(look, side):
    return DrawnPortrait(look, side)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    data = tmp_path_factory.mktemp("face") / "data"
    (data / MOTION).mkdir(parents=True)
    folder(data / MOTION, found=True)
    return data


@pytest.fixture
def options(data, tmp_path):
    return options_of(data, tmp_path)


def options_of(data, folder):
    return StageOptions(data, folder / "out", minutes=None, steps=4, frames=4, report_every=1)


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """What a training was asked for and left that nothing stopped."""
    options = options_of(data, tmp_path_factory.mktemp("whole"))
    return options, run(options)


def test_it_leaves_weights_that_fit_a_curve_and_a_card(whole):
    options, result = whole
    assert result.weights.stat().st_size < 3_000_000
    parts = read_trained(result.weights)
    load_strict(PortraitPyramid(NANO), parts["pyramid"])
    load_strict(NanoRenderer(NANO), parts["face"])
    rows = read_curve(options.out / "face.csv")
    assert [row["phase"] for row in rows] == ["128 px"] * 4
    assert (options.out / "face.png").read_bytes().startswith(b"\x89PNG")
    card = (options.out / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "astronaut" in card
    assert "never mei" in card
    assert "--steps 4 --seed 1 --batch 4" in card
    assert f"| the look mei | {result.likeness.drawn:.3f} | {result.still.drawn:.3f} |" in card
    assert "| nan" not in card
    assert "--pictures" not in card


def test_a_training_that_was_stopped_comes_to_the_same_bits(whole, options):
    assert run(replace(options, stop=1)) is None
    assert run(replace(options, stop=3, is_resumed=True)) is None
    run(replace(options, is_resumed=True))
    stopped = read_trained(options.out / "face.safetensors")
    for part, state in read_trained(whole[1].weights).items():
        for name, value in state.items():
            assert torch.equal(value, stopped[part][name]), f"{part}.{name}"


def test_it_begins_from_weights_that_are_given(options):
    begun = run(replace(options, start=WEIGHTS, steps=1, rate=1e-6))
    shipped, parts = read_trained(WEIGHTS), read_trained(begun.weights)
    for part in ("pyramid", "face"):
        for name, value in shipped[part].items():
            torch.testing.assert_close(parts[part][name], value, atol=1e-3, rtol=1e-3)
    assert f"--start {WEIGHTS.name}" in (options.out / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_weights_of_another_network_are_no_beginning(options, tmp_path):
    other = tmp_path / "pyramid.safetensors"
    write_trained(other, {"pyramid": PortraitPyramid(NANO)})
    with pytest.raises(CheckpointError, match="missing"):
        run(replace(options, start=other))


def test_no_checkpoint_is_written_over_and_none_made_up(options):
    with pytest.raises(FileNotFoundError, match="to go on from"):
        run(replace(options, is_resumed=True))
    assert run(replace(options, stop=1)) is None
    with pytest.raises(FileExistsError, match="--resume"):
        run(options)


def test_other_batches_than_whole_portraits_are_refused(options):
    with pytest.raises(ValueError, match="multiple of 4 frames; got 6"):
        run(replace(options, frames=6))
