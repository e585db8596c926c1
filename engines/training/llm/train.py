"""What a language model learns: pretraining, then the chain of empathy; an adapter the latter."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np
import torch
from peft import PeftModel
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.lora import AdapterState
from rt_avatar.engines.training.course import Clock, Progress, uses_bfloat16
from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.llm.dataset import (
    Dataset,
    pretraining_batch,
    reply_batches,
    shares_of,
)
from rt_avatar.engines.training.llm.optimizer import adamw, embeddings_of, muon_and_adamw

_CHAIN_SHARE: Final = 0.4  # of the course at most is the chain of empathy; pretraining the rest
# At most so often each reply is read: from the fourth time on nano learns them by heart, and what
# replies held out cost rises (docs/LOG.md).
_CHAIN_EPOCHS: Final = 3
_CHAIN_BATCH: Final = 8192  # tokens at most, so that an epoch of replies is some hundred steps
_AT_ONCE: Final = 2048  # tokens that a large model reads before gradients are taken


def token_losses(model: Llama, ids: Tensor, counts: Tensor) -> Tensor:
    """Return the loss of each token that counts, in order (K,), fp32.

    Args:
        model: Its attention is causal, so what pads the end of a row changes nothing before it.
        ids: (B, S).
        counts: (B, S) bool; the first token of a row is never predicted.
    """
    llama = model.model
    states = llama.model(ids[:, :-1], use_cache=False).last_hidden_state
    return losses_of(model, states, ids, counts)


def losses_of(model: Llama, states: Tensor, ids: Tensor, counts: Tensor) -> Tensor:
    """Return the same of states that are known: (B, S - 1, width), the last layer's."""
    logits = model.model.lm_head(states[counts[:, 1:]])
    return functional.cross_entropy(logits.float(), ids[:, 1:][counts[:, 1:]], reduction="none")


class Best:
    """The weights of a part that did best on what is held out, as a checkpoint keeps them.

    Args:
        part: With ``state_dict`` and ``load_state_dict``.
    """

    def __init__(self, part: Any) -> None:
        self._part, self._value = part, math.inf
        self._weights: dict[str, Tensor] = {}

    def offer(self, value: float) -> None:
        """Keep the weights as they are now if this figure of theirs is the lowest so far."""
        if value < self._value:
            self._value = value
            self._weights = {key: one.clone() for key, one in self._part.state_dict().items()}

    def take(self) -> None:
        """Give the part the best weights, if there were any."""
        if self._weights:
            self._part.load_state_dict(self._weights)

    def state_dict(self) -> dict[str, Any]:
        """Return figure and weights."""
        return {"value": self._value, "weights": self._weights}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take them from a checkpoint."""
        self._value, self._weights = state["value"], dict(state["weights"])


class LanguageLesson:
    """The language model's course.

    Args:
        model: On the device that it is trained on.
        dataset: What it learns.
        plan: How.
        measure: A figure of replies held out.
        adapter: peft's view of the model, if nothing but its updates is learnt; None: all is.
    """

    what, unit = "language model", "tokens"

    def __init__(
        self,
        model: Llama,
        dataset: Dataset,
        plan: Plan,
        measure: Callable[[Llama], float],
        adapter: PeftModel | None = None,
    ) -> None:
        self.network, self._dataset, self._plan, self._measure = model, dataset, plan, measure
        kept: Any
        if adapter is None:
            self._optimizer = muon_and_adamw(model, plan.rate, embeddings_of(model))
            kept, self._at_once = model, plan.batch
        else:
            self._optimizer = adamw(model, plan.rate)
            kept, self._at_once = AdapterState(adapter), _AT_ONCE
        self._best = Best(kept)
        self.parts: Mapping[str, Any] = {
            "model": kept, **self._optimizer.parts, "best": self._best,
        }  # fmt: skip
        self._chain_batch = min(plan.batch, _CHAIN_BATCH)
        self._chain_steps = _CHAIN_EPOCHS * len(self._batches(0))
        self._epoch: tuple[int, list[np.ndarray]] | None = None

    def phase(self, share: float, step: int) -> str:
        """Return which part of the course it is; a chain that has begun goes on."""
        is_read = bool(self._dataset.streams) and self._epoch is None
        is_before = share < 1.0 - self._chain_share(self._steps(share, step))
        return "pretraining" if is_read and is_before else "chain"

    def losses(self, phase: str, step: int, progress: Progress) -> Iterator[tuple[Tensor, int]]:
        """Yield the next batch's loss, and its tokens."""
        torch.manual_seed((self._plan.seed << 32) + step)  # LoRA's dropout, the same after a stop
        ids, counts = self._next(phase, step, progress)
        where = next(self.network.parameters()).device
        total = counts[:, 1:].sum()
        rows = max(1, self._at_once // ids.shape[1])
        for some, counted in zip(ids.split(rows), counts.split(rows), strict=True):
            with torch.autocast(where.type, torch.bfloat16, enabled=uses_bfloat16(where)):
                found = token_losses(self.network, some.to(where), counted.to(where))
            yield found.sum() / total, some.numel()

    def update(self, share: float) -> None:
        """Change the weights."""
        self._optimizer.step(share)

    def measure(self) -> float:
        """Return the figure of what is held out; the best weights of the chain are kept."""
        value = self._measure(self.network)
        if self._epoch is not None:
            self._best.offer(value)
        return value

    def end(self) -> None:
        """Give the network the best weights of the chain, its last ones among them."""
        self._best.offer(self._measure(self.network))
        self._best.take()

    def _steps(self, share: float, step: int) -> float:
        """Return how many steps the course has, as far as can be told by the clock."""
        return float(self._plan.steps or step / max(share, 1e-9) or 1)

    def _chain_share(self, steps: float) -> float:
        return min(_CHAIN_SHARE, self._chain_steps / steps)

    def _batches(self, epoch: int) -> list[np.ndarray]:
        lengths = self._dataset.replies.lengths
        return reply_batches(lengths, self._chain_batch, (self._plan.seed, epoch))

    def _next(self, phase: str, step: int, progress: Progress) -> tuple[Tensor, Tensor]:
        """Return ids (B, S) and what counts of them; which comes next is in ``progress``."""
        plan, streams = self._plan, self._dataset.streams
        if phase == "pretraining":
            steps = self._steps(Clock(plan, progress).share(step), step)
            tokens = steps * (1.0 - self._chain_share(steps)) * plan.batch
            rows = max(1, plan.batch // plan.context)
            seed = (plan.seed, step)
            ids = pretraining_batch(streams, shares_of(streams, tokens), rows, plan.context, seed)
            return _tensor(ids), torch.ones(ids.shape, dtype=torch.bool)
        if self._epoch is None or self._epoch[0] != progress.epoch:
            self._epoch = (progress.epoch, self._batches(progress.epoch))
        if progress.batch >= len(self._epoch[1]):  # the run before cut the epoch into more
            progress.epoch, progress.batch = progress.epoch + 1, 0
            self._epoch = (progress.epoch, self._batches(progress.epoch))
        ids, counts = self._dataset.replies.rows(self._epoch[1][progress.batch])
        progress.batch += 1
        if progress.batch == len(self._epoch[1]):
            progress.epoch, progress.batch = progress.epoch + 1, 0
        return _tensor(ids), torch.from_numpy(counts)


def _tensor(ids: np.ndarray) -> Tensor:
    return torch.from_numpy(ids.astype(np.int64))
