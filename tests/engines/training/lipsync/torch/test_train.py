"""Training learns, goes on from where it stopped, and what it exports answers the same in numpy."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from rt_avatar.engines.lipsync.channels import NODS, OUTPUTS
from rt_avatar.engines.lipsync.network import WEIGHTS, Network, NetworkStream
from rt_avatar.engines.motion.spectrum import BANDS, Heard
from rt_avatar.engines.training.lipsync.clips import Examples
from rt_avatar.engines.training.lipsync.model import MouthNetwork, export, import_weights
from rt_avatar.engines.training.lipsync.train import Plan, train

pytestmark = pytest.mark.networks


def examples(seed: int) -> Examples:
    """Mouths that open with the lowest band."""
    dice = np.random.default_rng(seed)
    heard = np.repeat(dice.random((6, 25, 1)), 4, axis=1) * np.ones(BANDS)
    asked = heard[:, ::4, :1] * np.ones(OUTPUTS)
    return Examples(heard.astype(np.float16), asked.astype(np.float16))


def test_numpy_answers_as_torch_does(tmp_path: Path):
    torch.manual_seed(1)
    model = MouthNetwork().eval()
    np.savez(tmp_path / "weights.npz", **export(model))
    heard = np.random.default_rng(1).random((1, 200, BANDS), np.float32)
    with torch.inference_mode():
        wanted = model(torch.from_numpy(heard))[0]
    ear = NetworkStream(Network(tmp_path / "weights.npz"))
    got = np.concatenate(
        [ear.push(Heard(heard[0, at : at + 20], np.zeros(20))) for at in range(0, 200, 20)]
    )
    np.testing.assert_allclose(got[:, NODS], wanted[:, NODS], atol=1e-5)
    shapes = [index for index in range(OUTPUTS) if index != NODS]
    np.testing.assert_allclose(got[:, shapes], torch.sigmoid(wanted)[:, shapes], atol=1e-5)


def test_it_learns_and_a_stopped_training_goes_on(tmp_path: Path):
    first = train(examples(1), examples(2), Plan(2, 1, tmp_path / "one.pt"))
    assert {name: values.shape for name, values in first.items()} == WEIGHTS
    again = train(examples(1), examples(2), Plan(2, 1, tmp_path / "one.pt"))  # nothing left to do
    same = train(examples(1), examples(2), Plan(2, 1, tmp_path / "two.pt"))
    further = train(examples(1), examples(2), Plan(4, 1, tmp_path / "one.pt"))
    for name, values in first.items():
        np.testing.assert_array_equal(values, again[name])
        np.testing.assert_allclose(values, same[name], atol=1e-5)
    assert not np.array_equal(first["answer"], further["answer"])


def test_a_checkpoint_of_other_first_weights_is_refused(tmp_path: Path):
    """They would be mixed with what has nothing to do with them."""
    torch.manual_seed(1)
    one, two = (export(MouthNetwork()) for _ in range(2))
    plan = Plan(1, 1, tmp_path / "adapted.pt", initial=one)
    train(examples(1), examples(2), plan)
    train(examples(1), examples(2), replace(plan, steps=2))
    with pytest.raises(ValueError, match=r"adapted\.pt: expected a training of the same examples"):
        train(examples(1), examples(2), replace(plan, initial=two))


def test_weights_that_were_exported_are_taken_up_again(tmp_path: Path):
    torch.manual_seed(1)
    weights = export(MouthNetwork())
    for name, values in export(import_weights(weights)).items():
        np.testing.assert_array_equal(values, weights[name])
    begun = train(examples(1), examples(2), Plan(0, 1, tmp_path / "none.pt", initial=weights))
    for name, values in begun.items():
        np.testing.assert_array_equal(values, weights[name])
