"""What the two modules learn from. Every loss is a mean over what is there, and not negative.

The paper writes squared distances for contents and styles (its equations 9 and 10) and sums of log
probabilities for the classes (11, where a minus sign is missing). It has no loss that keeps the
latents near the normal distribution; ours has a weight, and 0 is allowed. Nor does it say how the
last stage weighs its three parts: by 1 each, unless told otherwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from rt_avatar.engines.networks.fusion.blocks import Latent
from rt_avatar.engines.networks.fusion.disentangler import Logits, Styles
from rt_avatar.engines.networks.fusion.synchronizer import Content

Distance = Literal["squared", "norm"]


@dataclass(frozen=True, slots=True)
class LossOptions:
    """How losses are made and weighed.

    Attributes:
        distance: "squared": the mean square. "norm": the mean of the vectors' distances, as the
            published text baseline has it, which is steadier where a target is an outlier.
        divergence: Weight of what keeps the latents normal.
        content: Weight of the contents in the last stage (the paper's alpha).
        style: Weight of the styles (its beta).
    """

    distance: Distance = "squared"
    divergence: float = 1e-4
    content: float = 1.0
    style: float = 1.0


def content_loss(predicted: Tensor, target: Tensor, mask: Tensor, distance: Distance) -> Tensor:
    """Return the distance of contents (B, T, C) over the places where ``mask`` (B, T) is 1."""
    error = ((predicted - target) * mask[:, :, None]).square()
    count = mask.sum().clamp(min=1.0)
    if distance == "squared":
        return error.sum() / (count * predicted.shape[2])
    # The root's slope is infinite at 0, which masked places are.
    return ((error.sum(2) + 1e-12).sqrt() * mask).sum() / count


def style_loss(predicted: Tensor, target: Tensor, distance: Distance) -> Tensor:
    """Return the distance of styles (B, C)."""
    return content_loss(
        predicted[:, None], target[:, None], torch.ones_like(predicted[:, :1]), distance
    )


def divergence(latent: Latent, mask: Tensor) -> Tensor:
    """Return the mean divergence of latents (B, Q, width) from the standard normal, per number."""
    mean, log_variance = latent
    each = 0.5 * (mean.square() + log_variance.exp() - 1.0 - log_variance)
    count = mask.sum().clamp(min=1.0) * mean.shape[2]
    return (each * mask[:, :, None]).sum() / count


def class_loss(logits: Logits, labels: Mapping[str, Tensor]) -> Tensor:
    """Return the sum of the four cross-entropies.

    Args:
        logits: Of the classifiers.
        labels: For each field of ``logits`` (B,) class numbers, -1 where one is not known; such
            ones are left out of that field's mean.
    """
    total = logits.emotion.new_zeros(())
    for name, given in logits._asdict().items():
        label = labels[name]
        known = (label >= 0).to(given.dtype)
        each = F.cross_entropy(given, label.clamp(min=0), reduction="none")
        total = total + (each * known).sum() / known.sum().clamp(min=1.0)
    return total


def styles_loss(
    styles: Styles,
    targets: tuple[Tensor, Tensor],
    labels: Mapping[str, Tensor],
    options: LossOptions,
) -> Tensor:
    """Return the disentangler's loss: styles, classes, and latents by their weight.

    Args:
        styles: What it made.
        targets: Of S^s and S^v, from the generators' own style encoders.
        labels: As ``class_loss`` takes them.
        options: Distance and weights.
    """
    both = torch.ones_like(styles.emotion.mean[:, :, 0])
    kept = divergence(styles.emotion, both) + divergence(styles.profile, both)
    return (
        style_loss(styles.speech, targets[0], options.distance)
        + style_loss(styles.video, targets[1], options.distance)
        + class_loss(styles.logits, labels)
        + options.divergence * kept
    )


def contents_loss(
    predicted: tuple[Content, Content],
    targets: tuple[Tensor, Tensor],
    masks: tuple[Tensor, Tensor],
    options: LossOptions,
) -> Tensor:
    """Return the synchronizer's loss: the contents of both branches, and latents by their weight.

    Args:
        predicted: By the branches for speech and for video.
        targets: (B, T, speech) and (B, L, video), whole windows flattened, from the generators' own
            text encoder and content encoder.
        masks: (B, T) and (B, L), 1 where there is a phoneme or a frame.
        options: Distance and weights.
    """
    total = targets[0].new_zeros(())
    for branch, target, mask in zip(predicted, targets, masks, strict=True):
        total = total + content_loss(branch.content, target, mask, options.distance)
        total = total + options.divergence * divergence(branch.latent, mask)
    return total


def overall_loss(words: Tensor, contents: Tensor, styles: Tensor, options: LossOptions) -> Tensor:
    """Return what the last stage learns from.

    Args:
        words: The language model's loss over chain and reply, a number.
        contents: As ``contents_loss`` gives it.
        styles: As ``styles_loss`` gives it.
        options: Weights.
    """
    return words + options.content * contents + options.style * styles
