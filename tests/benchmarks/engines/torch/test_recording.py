"""What a GPU records can be recorded: on a fake one, no run takes anything from the host."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from rt_avatar.benchmarks.engines.parts import parts
from rt_avatar.benchmarks.engines.torch_parts import Place, make_graphs, run_part, settle
from rt_avatar.trt_builders.budget import shapes

pytestmark = pytest.mark.networks

# Of the official ones, those whose graphs are not nano's.
RUNS = {
    (part.network, run.graph): run
    for size in ("nano", "official")
    for part in parts(size)
    if size == "nano" or part.network in ("dreamtalk", "pirenderer")
    for run in part.runs
}


class FromTheHost(TorchDispatchMode):
    """Notes what is copied from the host, or read by it."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        given = function(*args, **(kwargs or {}))
        places = [
            {one.device.type for one in tree_leaves(values) if isinstance(one, torch.Tensor)}
            for values in ((args, kwargs), given)
        ]
        if places in ([{"cpu"}, {"cuda"}], [{"cuda"}, {"cpu"}]):
            self.seen.append(str(function))
        return given


def to_fake_gpu(module, mode):
    """Put a module's numbers on a GPU that is not there."""
    for owner in module.modules():
        for held in (owner._parameters, owner._buffers):
            for name, value in held.items():
                if value is not None:
                    with mode:
                        fake = torch.empty(value.shape, dtype=value.dtype, device="cuda")
                    is_weight = held is owner._parameters
                    held[name] = (
                        torch.nn.Parameter(fake, requires_grad=False) if is_weight else fake
                    )
        if isinstance(owner, torch.nn.LSTM):
            owner._flat_weights = [getattr(owner, name) for name in owner._flat_weights_names]


@pytest.mark.parametrize(("network", "graph"), RUNS, ids=map("-".join, RUNS))
def test_a_run_takes_nothing_from_the_host(network, graph):
    run = RUNS[network, graph]
    made = make_graphs(network, "cpu")[graph]
    mode = FakeTensorMode()
    to_fake_gpu(made.module.eval(), mode)
    watch = FromTheHost()
    wanted = shapes(made, run.sizes)
    with mode, torch.inference_mode():
        inputs = [
            torch.ones(wanted[name], dtype=example.dtype, device="cuda")
            for name, example in made.inputs.items()
        ]
        with watch:
            made.module(*inputs)
    assert watch.seen == []


def test_narrow_parts_run_with_lstms_as_they_are():
    (part,) = (each for each in parts("nano") if each.name == "nano voice")
    graphs = make_graphs(part.network, "cpu")
    assert run_part(part, graphs, Place("cpu", is_narrow=True)).ms > 0
    settle(graphs["styletts2_durations"], Place("cpu", is_narrow=True))  # once more changes nothing
    module = graphs["styletts2_durations"].module
    kinds = {
        isinstance(owner, torch.nn.LSTM): weight.dtype
        for owner in module.modules()
        if isinstance(owner, torch.nn.LSTM | torch.nn.Linear)
        for weight in owner.parameters(recurse=False)
    }
    assert kinds == {True: torch.float32, False: torch.bfloat16}
