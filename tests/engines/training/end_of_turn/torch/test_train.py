"""Training of the end of a turn: it learns what tells an end, and goes on where it stopped."""

import logging

import numpy as np
import pytest
import torch

from rt_avatar.engines.end_of_turn.features import FEATURES, SUMMARY
from rt_avatar.engines.end_of_turn.network import ROWS, WEIGHTS, answer, logit_in_pause
from rt_avatar.engines.training.end_of_turn.examples import Example
from rt_avatar.engines.training.end_of_turn.model import EndOfTurnNetwork, export, surprise
from rt_avatar.engines.training.end_of_turn.train import Looks, Plan, evaluate, train

pytestmark = pytest.mark.networks


def turns(count: int) -> list[Example]:
    """Turns with one hold and the end; before the end the lowest band is loud."""
    made = []
    for seed in range(count):
        rows = np.random.default_rng(seed).uniform(0, 0.3, (60, FEATURES)).astype(np.float16)
        rows[35:42, 0] = 1.0
        looks = np.zeros((2, 5 + SUMMARY), np.float32)
        looks[:, :5] = (18, 0, 0.13, 0.3, 4), (45, 1, 0.13, 3.2, 4)
        made.append(Example(str(seed), rows, looks))
    return made


def test_an_end_is_told_from_a_hold_and_training_goes_on_where_it_stopped(tmp_path, caplog):
    learning, others = Looks(turns(16)), Looks(turns(4))
    plan = Plan(40, 0, tmp_path / "state.pt")
    weights = train(learning, others, plan)
    assert {name: array.shape for name, array in weights.items()} == WEIGHTS
    untrained = evaluate(EndOfTurnNetwork(0.0), others)
    with caplog.at_level(logging.INFO):
        train(learning, others, Plan(200, 0, plan.checkpoint))
    assert "going on from step 40" in caplog.text
    told = [float(line.split("others ")[1].split(";")[0]) for line in caplog.messages[1:]]
    assert told[-1] < 0.8 * untrained


def test_numpy_answers_as_torch_does():
    torch.manual_seed(0)
    model = EndOfTurnNetwork().eval()
    dice = np.random.default_rng(0)
    rows = dice.normal(size=(ROWS, FEATURES)).astype(np.float32)
    summary = dice.normal(size=SUMMARY).astype(np.float32)
    with torch.inference_mode():
        expected = model(torch.from_numpy(rows[None]), torch.from_numpy(summary[None]))[0]
    assert answer(rows, summary, export(model)) == pytest.approx(expected.tolist(), abs=1e-5)


def test_what_is_learnt_from_is_a_probability():
    # Over all that can come, an end or a pause of any length, it sums to one.
    found = (-0.4, -0.8, 0.6)
    lengths = torch.linspace(0.2, 400, 4_000_000, dtype=torch.float64)
    answers = torch.tensor([found], dtype=torch.float64).expand(len(lengths), 3)
    asked = torch.full_like(lengths, 0.2)
    goes_on = torch.exp(-surprise(answers, torch.zeros_like(lengths), asked, lengths))
    over = torch.exp(-surprise(answers[:1], torch.ones(1), asked[:1], lengths[:1]))
    total = torch.trapezoid(goes_on, lengths) + over[0]
    assert float(total) == pytest.approx(1, abs=0.01)
    # And what is asked in a pause says the same of it.
    logit = logit_in_pause(found, 0.2)
    assert 1 / (1 + np.exp(-logit)) == pytest.approx(float(over[0]), abs=1e-6)
