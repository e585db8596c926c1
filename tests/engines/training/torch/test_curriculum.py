"""A course ends with a line in its curve, and a full disk costs no training."""

import pytest
import torch
from torch import nn

from rt_avatar.engines.training.course import write_parts
from rt_avatar.engines.training.curriculum import Plan, follow
from rt_avatar.engines.training.curve import cut_curve, read_curve

pytestmark = pytest.mark.networks


class OneNumber:
    """A lesson whose batches are all the same."""

    what, unit = "number", "numbers"

    def __init__(self):
        self.network = nn.Linear(1, 1)
        self.parts = {"network": self.network}

    def phase(self, share, step):
        return "only"

    def losses(self, phase, step, progress):
        yield self.network(torch.ones(1)).square().sum(), 1

    def update(self, share):
        pass

    def measure(self):
        return 0.0


def test_the_step_that_ends_a_course_by_the_clock_is_in_its_curve(tmp_path):
    plan = Plan(tmp_path, minutes=1e-9)
    assert follow(OneNumber(), plan)
    (row,) = read_curve(plan.curve)
    assert (row["step"], row["units"]) == ("1", "1")
    assert float(row["loss"]) >= 0


def test_a_curve_that_a_full_disk_left_empty_has_its_heading_again(tmp_path):
    plan = Plan(tmp_path, steps=1)
    plan.curve.touch()
    assert follow(OneNumber(), plan)
    cut_curve(plan.curve, 1)
    assert [row["step"] for row in read_curve(plan.curve)] == ["1"]


def test_weights_that_a_full_disk_does_not_hold_leave_nothing_behind(tmp_path):
    (tmp_path / "face.part.safetensors").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"room for the weights.*Make room, then go on with"):
        write_parts(tmp_path / "face.safetensors", {"face": nn.Linear(64, 64)})
    assert list(tmp_path.iterdir()) == []
