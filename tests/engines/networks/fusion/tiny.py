"""Synchronizer and disentangler with every kind of layer and few numbers."""

from dataclasses import replace

import torch

from rt_avatar.engines.networks.fusion.config import (
    BlockConfig,
    DisentanglerConfig,
    SynchronizerConfig,
)
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer

INPUTS = 12
BLOCK = BlockConfig(width=16, heads=2, feedforward=24, encoders=2, decoders=2)
CROSS = replace(BLOCK, queries="cross")
CONTENT = SynchronizerConfig(INPUTS, speech=10, video=6, block=BLOCK)
STYLE = DisentanglerConfig(INPUTS, acoustic=4, prosodic=3, video=5, block=BLOCK)
CONTENTS = {
    "plain": CONTENT,
    "cross": replace(CONTENT, block=CROSS),
    "windows": replace(CONTENT, window=11),
    "proportional": replace(CONTENT, places="proportional"),
    "placeless": replace(CONTENT, text_places=False),
}
STYLES = {
    "plain": STYLE,
    "cross": replace(STYLE, block=CROSS),
    "add": replace(STYLE, join="add"),
}


def _spread(module):
    with torch.no_grad():  # its own beginning is so even that nothing would be told apart
        for parameter in module.parameters():
            if parameter.dim() < 3 and parameter.std() < 0.1:
                parameter.add_(0.2 * torch.randn_like(parameter))
    return module.eval()


def synchronizer(config=CONTENT):
    torch.manual_seed(1)
    return _spread(ContentSynchronizer(config))


def disentangler(config=STYLE):
    torch.manual_seed(2)
    return _spread(StyleDisentangler(config))
