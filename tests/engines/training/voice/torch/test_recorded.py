"""The step that a GPU records asks nothing of its host: no recording allows that."""

import traceback
from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import patch

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from rt_avatar.engines.nano_tts.tokens import SYMBOLS
from rt_avatar.engines.networks.nano_tts.phone_recognizer import PhoneRecognizer
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.training.voice import train_adversarial, train_variance
from rt_avatar.engines.training.voice.dataset import LOW_BANDS, Dataset
from rt_avatar.engines.training.voice.loop import Plan
from rt_avatar.engines.training.voice.recognizers import Recognizers
from tests.engines.training.voice.torch.test_stages import FEW, SMALL, SPEAKERS, utterance

pytestmark = pytest.mark.networks


class HostTensors(TorchDispatchMode):
    """Notes where a tensor of the host is made or read."""

    def __init__(self):
        super().__init__()
        self.places = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        tensors = [one for one in tree_leaves((args, kwargs, made)) if torch.is_tensor(one)]
        if any(one.device.type == "cpu" for one in tensors):
            frames = [one for one in traceback.extract_stack() if "/engines/" in one.filename]
            self.places.append(f"{function} at {frames[-1].filename}:{frames[-1].lineno}")
        return made


def on_gpu(make):
    def made(*args, **kwargs):
        with torch.device("cuda"):
            return make(*args, **kwargs)

    return made


def adam(learnt, rate, where):
    return torch.optim.AdamW(learnt, lr=rate, capturable=True)


def heard(given, watched, plan):
    return Recognizers(nn.ModuleList([on_gpu(PhoneRecognizer)(LOW_BANDS, SYMBOLS)]))


@pytest.fixture
def gpu(monkeypatch):
    """One whose tensors have shapes and no numbers, nor gradients; to read a number raises."""
    stage = train_adversarial
    with ExitStack() as stack:
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        for owner, name, value in (
            (nn.Module, "to", lambda self, *_, **__: self),
            (nn.utils, "clip_grad_norm_", lambda *_: None),
            (torch.Tensor, "backward", lambda self: None),
            (torch, "Generator", lambda *_: None),
            (train_variance, "Voice", on_gpu(Voice)),
            (train_variance, "stage_weights", lambda *_: on_gpu(Voice)(SMALL).state_dict()),
            (train_variance, "adam", adam),
            (stage, "adam", adam),
            (stage, "Critics", on_gpu(stage.Critics)),
            (stage, "device", lambda: torch.device("cuda")),
            (stage, "train_recognizers", heard),
        ):
            stack.enter_context(patch.object(owner, name, value))
        yield


def test_a_step_is_taken_without_a_tensor_of_the_host(gpu, tmp_path, monkeypatch):
    everybody = [utterance(seed, 12_000 if seed % 2 else 7_600) for seed in range(4)]
    dataset = Dataset(everybody, everybody, SPEAKERS)
    given = train_adversarial._given(dataset, everybody, FEW.frames)
    spoken = [replace(one, pcm=None) for one in given]
    steps = []
    monkeypatch.setattr(train_adversarial, "RecordedStep", lambda step, _: steps.append(step))
    monkeypatch.setattr(train_adversarial, "run", lambda *_: None)
    lines = train_adversarial.Lines(given, spoken, given, train_adversarial.reader_chances(dataset))
    train_adversarial.learn_sound(lines, SMALL, Plan("adversarial", tmp_path, 1, 1e-3), FEW)
    (step,) = steps
    step()  # tables that are kept are made once
    with HostTensors() as host:
        figures = step()
    assert host.places == []
    assert {one.device.type for one in figures.values()} == {"cuda"}
