"""A DreamTalk so narrow that it runs in no time, with weights that use every part of it."""

from dataclasses import replace

import torch

from rt_avatar.engines.networks.dreamtalk.config import NANO, DreamTalkConfig
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.dreamtalk.folded import FoldedDenoiser

NARROW = replace(NANO, audio_size=6, model_size=16, heads=2, feedforward_size=24, tail_size=8)


def network(config: DreamTalkConfig = NARROW, seed: int = 0) -> DreamTalk:
    """A network whose biases and norms are not zeros and ones, and whose attention looks."""
    torch.manual_seed(seed)
    made = DreamTalk(config).eval()
    for parameter in made.parameters():
        spread = parameter.shape[-1] ** -0.5 if parameter.dim() > 1 else 0.1
        parameter.data += spread * torch.randn_like(parameter)
    return made.requires_grad_(False)


def constants(talk, schedule):
    """What ``engines.dreamtalk.stream`` wants beside the graphs: times and the null style."""
    with torch.no_grad():
        times = FoldedDenoiser(talk.net).time_table(schedule.steps)
        return {"times": times.numpy(), "null_style": talk.null_style()[0].numpy()}
