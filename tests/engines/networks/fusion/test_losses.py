"""Losses: right sign, right mean, nothing from what is masked."""

import math

import pytest
import torch

from rt_avatar.engines.networks.fusion.blocks import Latent
from rt_avatar.engines.networks.fusion.disentangler import Logits
from rt_avatar.engines.networks.fusion.losses import (
    LossOptions,
    class_loss,
    content_loss,
    contents_loss,
    divergence,
    overall_loss,
    style_loss,
    styles_loss,
)
from tests.engines.networks.fusion.tiny import (
    BLOCK,
    CONTENT,
    CONTENTS,
    INPUTS,
    disentangler,
    synchronizer,
)

pytestmark = pytest.mark.networks

LABELS = {"emotion": 7, "age": 4, "gender": 2, "tone": 3}


def logits(value=0.0, label=0):
    made = {name: torch.zeros(1, size) for name, size in LABELS.items()}
    for part in made.values():
        part[0, label] = value
    return Logits(**made)


def labels(number=0, replies=1):
    return {name: torch.full((replies,), number) for name in LABELS}


def test_contents_are_compared_where_they_are_wanted():
    made, target = torch.zeros(1, 3, 4), torch.full((1, 3, 4), 2.0)
    mask = torch.tensor([[1.0, 1.0, 0.0]])
    target[0, 2] = 1e6
    assert content_loss(made, target, mask, "squared").item() == pytest.approx(4.0)
    assert content_loss(made, target, mask, "norm").item() == pytest.approx(4.0)  # √(4 · 2²)
    assert content_loss(made, made, mask, "squared").item() == 0.0


def test_padding_has_no_part_in_the_mean():
    made, target = torch.randn(1, 5, 4), torch.randn(1, 5, 4)
    for distance in ("squared", "norm"):
        short = content_loss(made[:, :3], target[:, :3], torch.ones(1, 3), distance)
        mask = torch.tensor([[1.0, 1.0, 1.0, 0.0, 0.0]])
        torch.testing.assert_close(content_loss(made, target, mask, distance), short)


@pytest.mark.parametrize("distance", ["squared", "norm"])
def test_slopes_are_finite_and_point_to_the_target(distance):
    made = torch.zeros(1, 3, 4, requires_grad=True)
    target = torch.ones(1, 3, 4)
    target[0, 1] = 0.0  # already there
    mask = torch.tensor([[1.0, 1.0, 0.0]])
    content_loss(made, target, mask, distance).backward()
    assert made.grad.isfinite().all()
    assert (made.grad[0, 0] < 0).all()
    assert not made.grad[0, 1:].any()


def test_nothing_wanted_is_no_loss():
    assert content_loss(torch.ones(1, 2, 3), torch.zeros(1, 2, 3), torch.zeros(1, 2), "norm") == 0


def test_divergence_is_zero_for_a_normal_latent_alone():
    mask = torch.ones(2, 3)
    zero = torch.zeros(2, 3, 5)
    assert divergence(Latent(zero, zero), mask).item() == 0.0
    assert divergence(Latent(zero + 2, zero), mask).item() == pytest.approx(2.0)
    wider = divergence(Latent(zero, zero + 1), mask).item()
    assert wider == pytest.approx(0.5 * (math.e - 2))
    assert divergence(Latent(zero, zero - 1), mask).item() > 0
    mask[:, 1:] = 0
    far = zero.clone()
    far[:, 1:] = 9.0
    assert divergence(Latent(far, zero), mask).item() == 0.0


def test_classes_cost_their_surprise_and_less_when_right():
    even = sum(math.log(size) for size in LABELS.values())
    assert class_loss(logits(), labels()).item() == pytest.approx(even)
    right = class_loss(logits(9.0), labels()).item()
    wrong = class_loss(logits(9.0), labels(1)).item()
    assert 0 < right < even < wrong


def test_an_unknown_label_costs_nothing():
    two = Logits(*(part.expand(2, -1) for part in logits(3.0, label=1)))
    known = labels(1, replies=2)
    some = {name: torch.tensor([1, -1]) for name in LABELS}
    torch.testing.assert_close(class_loss(two, known), class_loss(two, some))
    none = labels(-1, replies=2)
    assert class_loss(two, none).item() == 0.0


def test_the_sum_has_its_weights():
    torch.manual_seed(4)
    with torch.no_grad():
        styles = disentangler()(torch.randn(2, 16, INPUTS), torch.randn(2, 16, INPUTS))
    targets = torch.randn(2, 7), torch.randn(2, 5)
    known = labels(1, replies=2)
    parts = (
        style_loss(styles.speech, targets[0], "squared")
        + style_loss(styles.video, targets[1], "squared")
        + class_loss(styles.logits, known)
    )
    free = styles_loss(styles, targets, known, LossOptions(divergence=0.0))
    torch.testing.assert_close(free, parts)
    held = styles_loss(styles, targets, known, LossOptions(divergence=1.0))
    assert held > free
    assert LossOptions().divergence == 1e-4


def contents(config=CONTENT, noise=None):
    """What an untrained synchronizer makes of two replies, the second one shorter, and targets."""
    torch.manual_seed(5)
    model, reply = synchronizer(config), torch.randn(2, 6, INPUTS)
    masks = torch.ones(2, 9), torch.ones(2, 4)
    masks[0][1, 7:], masks[1][1, 3:] = 0, 0
    made = tuple(
        branch(reply, torch.ones(2, 6), mask, noise)
        for branch, mask in zip((model.speech, model.video), masks, strict=True)
    )
    targets = tuple(torch.randn_like(each.content) for each in made)
    return model, reply, made, targets, masks


@pytest.mark.parametrize("name", ["plain", "windows"])
def test_both_contents_count_and_their_latents_by_weight(name):
    _, _, made, targets, masks = contents(CONTENTS[name])
    free = LossOptions(divergence=0.0)
    parts = [content_loss(each.content, target, mask, "squared")
             for each, target, mask in zip(made, targets, masks, strict=True)]  # fmt: skip
    assert all(part > 0 for part in parts)
    torch.testing.assert_close(contents_loss(made, targets, masks, free), sum(parts))
    kept = sum(divergence(each.latent, mask) for each, mask in zip(made, masks, strict=True))
    held = contents_loss(made, targets, masks, LossOptions(divergence=0.5))
    torch.testing.assert_close(held, sum(parts) + 0.5 * kept)
    assert kept > 0


def test_the_last_stage_weighs_its_parts():
    parts = torch.tensor(1.0), torch.tensor(10.0), torch.tensor(100.0)
    assert overall_loss(*parts, LossOptions()) == 111
    assert overall_loss(*parts, LossOptions(content=0.5, style=0.0)) == 6


@pytest.mark.parametrize("distance", ["squared", "norm"])
def test_contents_are_learnt(distance):
    model, reply, _, targets, masks = contents()
    optimiser = torch.optim.Adam(model.train().parameters(), lr=3e-3)
    history = []
    for _ in range(25):
        made = tuple(
            branch(reply, torch.ones(2, 6), mask, torch.randn(*mask.shape, BLOCK.width))
            for branch, mask in zip((model.speech, model.video), masks, strict=True)
        )
        loss = contents_loss(made, targets, masks, LossOptions(distance=distance))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        history.append(loss.item())
    assert history[-1] < 0.8 * history[0]


def test_learning_goes_down():
    torch.manual_seed(6)
    model = disentangler().train()
    speech, video = torch.randn(4, 16, INPUTS), torch.randn(4, 16, INPUTS)
    targets, known = (torch.randn(4, 7), torch.randn(4, 5)), labels(1, replies=4)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    history = []
    for _ in range(30):
        loss = styles_loss(model(speech, video), targets, known, LossOptions())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        history.append(loss.item())
    assert history[-1] < 0.5 * history[0]
