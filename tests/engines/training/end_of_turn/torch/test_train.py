"""Training of the end of a turn: it learns what tells an end, and goes on where it stopped."""

import logging

import numpy as np
import pytest

from rt_avatar.engines.end_of_turn.features import FEATURES
from rt_avatar.engines.end_of_turn.network import WEIGHTS
from rt_avatar.engines.training.end_of_turn.examples import Example
from rt_avatar.engines.training.end_of_turn.model import EndOfTurnNetwork
from rt_avatar.engines.training.end_of_turn.train import Plan, evaluate, train

pytestmark = pytest.mark.networks


def turns(count: int) -> list[Example]:
    """Turns with one hold and the end; before the end the lowest band is loud."""
    made = []
    for seed in range(count):
        rows = np.random.default_rng(seed).uniform(0, 0.3, (60, FEATURES)).astype(np.float16)
        rows[35:42, 0] = 1.0
        made.append(Example(rows, np.array([[15, 22], [42, 60]], np.float32)))
    return made


def test_an_end_is_told_from_a_hold_and_training_goes_on_where_it_stopped(tmp_path, caplog):
    plan = Plan(40, 0, tmp_path / "state.pt")
    weights = train(turns(16), turns(4), plan)
    assert all(weights[name].shape == shape for name, shape in WEIGHTS.items() if name in weights)
    untrained = evaluate(EndOfTurnNetwork(0.0), turns(4))
    with caplog.at_level(logging.INFO):
        train(turns(16), turns(4), Plan(100, 0, plan.checkpoint))
    assert "going on from step 40" in caplog.text
    told = [float(line.split("others ")[1].split(";")[0]) for line in caplog.messages[1:]]
    assert told[-1] < 0.8 * untrained
