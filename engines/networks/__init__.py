"""The networks as torch modules, for training, checks and export; the avatar runs the exports.

Only this package, ``engines.training`` and ``trt_builders`` import torch.
"""
