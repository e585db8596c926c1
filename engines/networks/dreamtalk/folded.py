"""The denoiser with all computed before that a step need not compute: same answer, fewer products.

What depends on the style alone, on a frame's speech alone, or on t alone leaves the step:

1. The decoders start from place and style, so that self-attention, first norm and query of their
   first layer are constants of a style (``StyleFold``).
2. The fusion's first layer is ``content @ Wc + x @ Wx``: the first half is a constant of the frame
   (``ContentFold``), the second the same for all tokens of a window.
3. The fusion's last layer, the sum with the time and all keys and values that the decoders make of
   it are linear: one matrix, and one row a step (``FoldedDenoiser.time_table``).
4. Only the middle token is read out, so that the last layers have one query.

Frames are rows: since none sees another, all callers' frames and both branches of guidance make
one batch. Not for training: the weights are products of the plain ones, made once in float64.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.attention import attend, split_heads
from rt_avatar.engines.networks.constants import constant
from rt_avatar.engines.networks.dreamtalk.blocks import Attention, DecoderLayer
from rt_avatar.engines.networks.dreamtalk.denoiser import Denoiser, FaceDecoder, time_waves


class Affine(nn.Module):  # type: ignore[misc]
    """``x @ weight + bias`` of products of weights, (inputs, outputs)."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight, self.bias = constant(weight), constant(bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map (..., inputs) to (..., outputs)."""
        return x @ self.weight + self.bias


def projection(attention: Attention, first: int, last: int) -> Affine:
    """Join parts ``first`` up to ``last`` of (query, key, value); the query comes scaled."""
    width = attention.in_proj_bias.shape[0] // 3
    scale = torch.ones(3 * width, dtype=torch.float64)
    scale[:width] = attention.scale
    rows = slice(first * width, last * width)
    weight = (attention.in_proj_weight.double() * scale[:, None])[rows]
    return Affine(weight.T, (attention.in_proj_bias.double() * scale)[rows])


class ContentFold(nn.Module):  # type: ignore[misc]
    """Windows of speech → what the fusion's first layer makes of them, once a frame."""

    def __init__(self, plain: Denoiser) -> None:
        super().__init__()
        first = plain.content_xt_to_decoder_input_wo_time[0]
        self.encoder = plain.content_encoder
        self.first = Affine(first.weight[:, : plain.config.model_size].T, first.bias)

    def forward(self, audio: Tensor) -> Tensor:
        """Map (F, W, audio_size) to (F, W, D)."""
        return self.first(self.encoder(audio))


class StyleFold(nn.Module):  # type: ignore[misc]
    """A style → where both decoders' first layers begin, once a style."""

    def __init__(self, plain: Denoiser) -> None:
        super().__init__()
        decoder = plain.decoder
        self.tokens = plain.config.window
        self.pos_embed = decoder.pos_embed
        firsts = [half.layers[0] for half in (decoder.upper_decoder, decoder.lower_decoder)]
        self.attentions = nn.ModuleList(layer.self_attn for layer in firsts)
        self.norms = nn.ModuleList(layer.norm1 for layer in firsts)
        self.queries = nn.ModuleList(projection(layer.multihead_attn, 0, 1) for layer in firsts)

    def forward(self, style: Tensor) -> tuple[Tensor, Tensor]:
        """Fold styles.

        Args:
            style: (F, D), a row a frame, or fewer to be repeated.

        Returns:
            (F, 2, W, D) states after the first norm, and the queries to the memory made of them;
            upper face, lower face.
        """
        start = self.pos_embed(self.tokens) + style[:, None]
        states, queries = [], []
        for attention, norm, query in zip(self.attentions, self.norms, self.queries, strict=True):
            states.append(norm(start + attention(start, start)))
            queries.append(query(states[-1]))
        return torch.stack(states, 1), torch.stack(queries, 1)


class FoldedLayer(nn.Module):  # type: ignore[misc]
    """A decoder's layer, told its memory's keys and values; the first has no self-attention."""

    def __init__(self, plain: DecoderLayer, heads: int, is_first: bool) -> None:
        super().__init__()
        self.heads = heads
        if not is_first:
            self.query = projection(plain.self_attn, 0, 1)
            self.key_value = projection(plain.self_attn, 1, 3)
            self.self_out = plain.self_attn.out_proj
            self.norm1 = plain.norm1
            self.memory_query = projection(plain.multihead_attn, 0, 1)
        self.memory_out = plain.multihead_attn.out_proj
        self.norm2 = plain.norm2
        self.linear1, self.linear2 = plain.linear1, plain.linear2
        self.norm3 = plain.norm3

    def heads_of(self, *parts: Tensor) -> tuple[Tensor, ...]:
        """Split the heads of each."""
        return tuple(split_heads(part, self.heads) for part in parts)

    def look_within(self, x: Tensor, asking: Tensor) -> tuple[Tensor, Tensor]:
        """Let ``asking`` (..., Q, D), a part of ``x``, see ``x`` (..., W, D).

        Returns:
            (..., Q, D) state, and its query to the memory.
        """
        key, value = self.key_value(x).chunk(2, -1)
        seen = attend(*self.heads_of(self.query(asking), key, value), is_scaled=True)
        state = self.norm1(asking + self.self_out(seen))
        return state, self.memory_query(state)

    def forward(self, state: Tensor, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Let (..., Q, D) states see the memory and think; return (..., Q, D)."""
        seen = attend(*self.heads_of(query, key, value), is_scaled=True)
        x = self.norm2(state + self.memory_out(seen))
        return self.norm3(x + self.linear2(self.linear1(x).relu()))


class FoldedFace(nn.Module):  # type: ignore[misc]
    """The decoder of one half of the face, of which the middle token is read."""

    def __init__(self, plain: FaceDecoder, reader: nn.Sequential, heads: int, window: int) -> None:
        super().__init__()
        self.middle = window // 2
        self.layers = nn.ModuleList(
            FoldedLayer(layer, heads, is_first=not number)
            for number, layer in enumerate(plain.layers)
        )
        self.norm = plain.norm
        self.reader = reader

    def forward(self, state: Tensor, query: Tensor, memory: Sequence[Tensor]) -> Tensor:
        """Decode one half.

        Args:
            state: (F, W, D) from the style.
            query: (F, W, D) from the style.
            memory: Key and value of each layer, (F, W, D).

        Returns:
            (F, channels of this half).
        """
        read = slice(self.middle, self.middle + 1)
        x = state
        for number, layer in enumerate(self.layers):
            is_last = number == len(self.layers) - 1
            if number:
                state, query = layer.look_within(x, x[..., read, :] if is_last else x)
            elif is_last:
                state, query = state[..., read, :], query[..., read, :]
            x = layer(state, query, *memory[2 * number : 2 * number + 2])
        return self.reader(self.norm(x)).squeeze(-2)


class FoldedDenoiser(nn.Module):  # type: ignore[misc]
    """One step of the denoiser, given the folds of content, style and time."""

    def __init__(self, plain: Denoiser) -> None:
        super().__init__()
        config, decoder = plain.config, plain.decoder
        # A buffer: made where it is needed, it would come from the host in every run, which no
        # recording of a GPU's work allows.
        self.register_buffer("order", torch.tensor(config.channel_order), persistent=False)
        first, _, second, _, last = plain.content_xt_to_decoder_input_wo_time
        self.noise = constant(first.weight[:, config.model_size :].T)
        self.second = second
        halves = (decoder.upper_decoder, decoder.lower_decoder)
        readers = (decoder.upper_tail_fc, decoder.lower_tail_fc)
        self.parts = 2 * config.layers  # keys and values of one half
        memories = [
            projection(layer.multihead_attn, 1, 3) for half in halves for layer in half.layers
        ]
        # (D, 2 halves * layers * (key, value) * D) behind the fusion, with what leads to it folded
        to_memory = torch.cat([memory.weight for memory in memories], 1).double()
        self.memory = constant(last.weight.T.double() @ to_memory)
        self.width = config.model_size
        self.time = plain.time_embed_net
        self.time_to_memory = Affine(
            to_memory,
            last.bias.double() @ to_memory + torch.cat([memory.bias for memory in memories]),
        )
        self.faces = nn.ModuleList(
            FoldedFace(half, reader, config.heads, config.window)
            for half, reader in zip(halves, readers, strict=True)
        )

    def time_table(self, steps: Sequence[int]) -> Tensor:
        """Return (S, M) what each step t adds to the memory's keys and values."""
        with torch.no_grad():
            return self.time_to_memory(self.time(time_waves(steps, self.width)))

    def forward(
        self, x: Tensor, content: Tensor, state: Tensor, query: Tensor, time: Tensor
    ) -> Tensor:
        """Guess the clean expressions.

        Args:
            x: (F, channels) noisy expressions of frames, in any order and of any caller.
            content: (F, W, D) from ``ContentFold``.
            state: (F, 2, W, D) from ``StyleFold``.
            query: (F, 2, W, D) from ``StyleFold``.
            time: (M,), a row of the time table.

        Returns:
            (F, channels), raw coefficients.
        """
        fused = self.second((content + (x @ self.noise)[:, None]).relu()).relu()
        memory = (fused @ self.memory + time).chunk(2 * self.parts, -1)
        halves = [
            face(
                state[:, half],
                query[:, half],
                memory[half * self.parts : (half + 1) * self.parts],
            )
            for half, face in enumerate(self.faces)
        ]
        return torch.cat(halves, -1).index_select(-1, self.order)
