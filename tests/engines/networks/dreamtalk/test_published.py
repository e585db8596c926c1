"""The denoiser is the published one: built once more, of torch's own layers, by its description.

One frame at a time, and from the names of the weights alone. What is tested elsewhere part by part
(names, shapes, layers) is tested here in how it is put together.
"""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.dreamtalk.schedule import Schedule, alpha_bars, spaced_steps
from rt_avatar.engines.dreamtalk.stream import DenoiserStream, ExpressionSampler
from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
from rt_avatar.engines.networks.dreamtalk.folded import ContentFold, FoldedDenoiser, StyleFold
from tests.engines.networks.dreamtalk.networks import constants, network
from tests.engines.networks.dreamtalk.test_streaming import run

pytestmark = pytest.mark.networks

# The official halves of the face, layers and window; few numbers in between.
SMALL = replace(
    OFFICIAL, audio_size=12, model_size=16, heads=2, feedforward_size=24, tail_size=8, dropout=0.5
)
LOWER = [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14]
UPPER = [6, 8, *range(15, 64)]
TALK = network(SMALL)
STATE = TALK.net.state_dict()


def part(name: str) -> dict[str, Tensor]:
    """The weights below a name."""
    return {key[len(name) + 1 :]: STATE[key] for key in STATE if key.startswith(f"{name}.")}


def linear(name: str, x: Tensor) -> Tensor:
    return functional.linear(x, STATE[f"{name}.weight"], STATE[f"{name}.bias"])


def perceptron(name: str, x: Tensor, activation=functional.relu) -> Tensor:
    """Layers 0, 2, 4 … with what is between them."""
    places = sorted({int(key.split(".")[0]) for key in part(name)})
    for place in places:
        x = linear(f"{name}.{place}", x)
        x = x if place == places[-1] else activation(x)
    return x


@cache
def places(tokens: int) -> Tensor:
    width = SMALL.model_size
    return torch.tensor(
        [
            [
                (math.cos if j % 2 else math.sin)(p / 10_000 ** (2 * (j // 2) / width))
                for j in range(width)
            ]
            for p in range(tokens)
        ]
    )


@cache
def layer(kind: type[nn.Module], name: str) -> nn.Module:
    sizes = SMALL.model_size, SMALL.heads, SMALL.feedforward_size
    made = kind(*sizes, batch_first=True).eval().requires_grad_(False)
    made.load_state_dict(part(name))
    return made


def encoded(name: str, x: Tensor, padding: Tensor | None = None) -> Tensor:
    x = linear(f"{name}.increase_embed_dim", x) + places(x.shape[-2])
    for number in range(3):
        of_torch = layer(nn.TransformerEncoderLayer, f"{name}.encoder.layers.{number}")
        x = of_torch(x, src_key_padding_mask=padding)
    return x


def style(clip: Tensor) -> Tensor:
    """(frames, 64) → (D,), filled up to 256 frames of which the added ones are masked."""
    frames = min(len(clip), 256)
    filled = torch.cat((clip[:frames], torch.zeros(256 - frames, 64)))[None]
    padding = (torch.arange(256) >= frames)[None]
    x = encoded("style_encoder", filled, padding)
    logits = perceptron("style_encoder.aggregate_method.W", x, functional.mish)
    shares = (logits - 1e5 * padding[..., None].float()).softmax(1)
    return (shares * x).sum(1)[0]


def clean(x: Tensor, content: Tensor, of_style: Tensor, t: int) -> Tensor:
    """One frame: (64,) noisy, (11, D) → (64,)."""
    fused = perceptron(
        "content_xt_to_decoder_input_wo_time", torch.cat((content, x.expand(11, 64)), 1)
    )
    half = SMALL.model_size // 2
    angles = torch.tensor([t * 10_000 ** (-i / half) for i in range(half)], dtype=torch.float64)
    waves = torch.cat((angles.cos(), angles.sin())).float()
    memory = fused + perceptron("time_embed_net", waves, functional.silu)
    made = torch.empty(64)
    for face, channels in (("upper", UPPER), ("lower", LOWER)):
        token = (places(11) + of_style)[None]
        for number in range(3):
            name = f"decoder.{face}_decoder.layers.{number}"
            token = layer(nn.TransformerDecoderLayer, name)(token, memory[None])
        norm = part(f"decoder.{face}_decoder.norm")
        token = functional.layer_norm(token, token.shape[-1:], norm["weight"], norm["bias"])
        made[channels] = perceptron(f"decoder.{face}_tail_fc", token[0, 5])
    return made


def sampled(noise: Tensor, windows: Tensor, of_style: Tensor, guidance: float) -> Tensor:
    """DDIM as the paper writes it, guidance as published: always of both branches."""
    null, bars = style(torch.zeros(256, 64)), alpha_bars()
    made = []
    for x, audio in zip(noise, windows, strict=True):
        content = encoded("content_encoder", audio[None])[0]
        for t in range(901, 0, -100):
            free = clean(x, content, null, t)
            guess = free + guidance * (clean(x, content, of_style, t) - free)
            before = bars[t - 100] if t > 100 else bars[0]
            inferred = (x - bars[t] ** 0.5 * guess) / (1 - bars[t]) ** 0.5
            x = before**0.5 * guess + (1 - before) ** 0.5 * inferred
        made.append(x)
    return torch.stack(made)


def test_a_guess_is_the_published_networks():
    torch.manual_seed(5)
    audio, x = torch.randn(2, 3, 11, SMALL.audio_size), torch.randn(2, 3, 64)
    clip = torch.randn(2, 30, 64)
    styles, content = TALK.net.style_encoder(clip), TALK.net.content_encoder(audio)
    for t in (901, 1):
        got = TALK.net(x, content, styles, TALK.net.time_table((t,))[0])
        assert got.std() > 0.1
        for batch in range(2):
            of_style = style(clip[batch])
            torch.testing.assert_close(styles[batch], of_style, atol=1e-5, rtol=0)
            for frame in range(3):
                heard = encoded("content_encoder", audio[batch, frame][None])[0]
                expected = clean(x[batch, frame], heard, of_style, t)
                torch.testing.assert_close(got[batch, frame], expected, atol=1e-5, rtol=0)


def test_the_null_style_is_the_published_one():
    torch.testing.assert_close(TALK.null_style()[0], style(torch.zeros(256, 64)), atol=1e-5, rtol=0)


@pytest.mark.parametrize("guidance", [1.0, 2.0])
def test_what_streams_is_what_the_published_sampler_gives(guidance):
    """Of 7 features, so that every window has zeros beyond an end; guidance of 1 is none."""
    torch.manual_seed(6)
    features, clip = torch.randn(7, SMALL.audio_size), torch.randn(300, 64)
    padded = functional.pad(features, (0, 0, 5, 5))
    windows = torch.stack([padded[2 * frame : 2 * frame + 11] for frame in range(3)])
    noise = torch.from_numpy(keyed_noise(3, 0, 3, 64))
    expected = sampled(noise, windows, style(clip), guidance)
    schedule = Schedule.of(spaced_steps(10))
    sampler = ExpressionSampler(
        run(ContentFold(TALK.net), ("content",)),
        run(StyleFold(TALK.net), ("state", "query")),
        run(FoldedDenoiser(TALK.net), ("clean",)),
        schedule=schedule,
        guidance=guidance,
        **constants(TALK, schedule),
    )
    stream = DenoiserStream(sampler, audio_size=SMALL.audio_size, channels=64, seed=3)
    stream.set_style(TALK.net.style_encoder(clip[None, :256])[0].numpy())
    got = [stream.push(part) for part in np.split(features.numpy(), (2, 6))] + [stream.flush()]
    np.testing.assert_allclose(np.concatenate(got), expected.float().numpy(), atol=1e-5)
