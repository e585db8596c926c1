"""The courses ``content``, ``style`` and ``overall``: states of replies → contents and styles.

In the first two the language model stays as it was; in the last all are taught together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from rt_avatar.engines.llm.profile import profile_classes
from rt_avatar.engines.llm.signals import AUDIO_SIGNALS, SIGNALS
from rt_avatar.engines.networks.fusion.disentangler import Known, StyleDisentangler, Styles
from rt_avatar.engines.networks.fusion.losses import (
    LossOptions,
    contents_loss,
    overall_loss,
    styles_loss,
)
from rt_avatar.engines.networks.fusion.synchronizer import Content, ContentSynchronizer
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.training.course import Progress, uses_bfloat16
from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.fusion import targets
from rt_avatar.engines.training.fusion.examples import FeltReply
from rt_avatar.engines.training.llm.dataset import reply_batches
from rt_avatar.engines.training.llm.optimizer import embeddings_of, muon_and_adamw
from rt_avatar.engines.training.llm.train import losses_of

Stage = Literal["content", "style", "overall"]
_OPTIONS: Final = LossOptions()
_TOGETHER: Final = 16  # replies that are read at once


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """What is taught, and what teaches.

    Attributes:
        llm: The language model.
        synchronizer: Contents.
        disentangler: Styles.
        acoustic: Of the voice, whose contents are learnt.
        styles: That are learnt.
    """

    llm: Llama
    synchronizer: ContentSynchronizer
    disentangler: StyleDisentangler
    acoustic: NanoAcoustic
    styles: targets.Styles

    def taught(self, stage: Stage) -> dict[str, nn.Module]:
        """Return the parts that a stage changes, by their names in a file."""
        match stage:
            case "content":
                return {"synchronizer": self.synchronizer}
            case "style":
                return {"disentangler": self.disentangler}
            case "overall":
                return {
                    "llm": self.llm,
                    "synchronizer": self.synchronizer,
                    "disentangler": self.disentangler,
                }


@dataclass(frozen=True, slots=True, eq=False)
class ReadReply:
    """What two modules need of a reply that was read.

    Attributes:
        said: By clause, the states (S, width) of its tokens, the last layer's.
        signals: (32, width), states and own embeddings of the signal tokens.
        felt: (width,), mean embedding of the chain's emotion.
    """

    said: tuple[Tensor, ...]
    signals: Tensor
    felt: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The same replies for the words' own loss: ids, what counts (B, S), states (B, S, width)."""

    ids: Tensor
    counts: Tensor
    states: Tensor


def read(llm: Llama, replies: Sequence[FeltReply]) -> tuple[list[ReadReply], Words]:
    """Let the language model read replies."""
    ids = pad_sequence(
        [torch.from_numpy(one.example.ids.astype(np.int64)) for one in replies], batch_first=True
    )
    counts = pad_sequence(
        [torch.from_numpy(one.example.counts) for one in replies], batch_first=True
    )
    where = next(llm.parameters()).device
    ids, counts = ids.to(where), counts.to(where)
    with torch.autocast(where.type, torch.bfloat16, enabled=uses_bfloat16(where)):
        states = llm.model.model(ids, use_cache=False).last_hidden_state.float()
    found = []
    for row, one in enumerate(replies):
        signals = slice(one.signals, one.signals + len(SIGNALS))
        said = tuple(states[row, torch.from_numpy(clause.places)] for clause in one.clauses)
        felt = llm.embed(torch.from_numpy(one.felt).to(where)).mean(0)
        found.append(ReadReply(said, states[row, signals] + llm.embed(ids[row, signals]), felt))
    return found, Words(ids, counts, states)


def read_all(llm: Llama, replies: Sequence[FeltReply]) -> list[ReadReply]:
    """Let a language model that does not change read replies, always in the same company."""
    order = np.argsort([len(one.example.ids) for one in replies], kind="stable")
    found: dict[int, ReadReply] = {}
    with torch.inference_mode():
        for at in range(0, len(order), _TOGETHER):
            those = order[at : at + _TOGETHER]
            rows = read(llm, [replies[one] for one in those])[0]
            for one, row in zip(those, rows, strict=True):
                said = tuple(states.clone() for states in row.said)
                found[int(one)] = ReadReply(said, row.signals.clone(), row.felt.clone())
    return [found[at] for at in range(len(replies))]


def contents(
    networks: Networks,
    rows: Sequence[ReadReply],
    replies: Sequence[FeltReply],
    dice: np.random.Generator,
    noise: Callable[[Tensor], Tensor | None] = lambda _: None,
) -> tuple[tuple[Content, Content], tuple[targets.Contents, targets.Contents]]:
    """Return what both branches make of all clauses, and what they should have made."""
    said = [states for row in rows for states in row.said]
    clauses = [clause for one in replies for clause in one.clauses]
    sounds = [clause.sounds for clause in clauses]
    where = said[0].device
    reply = pad_sequence(said, batch_first=True)
    sizes = torch.tensor([len(states) for states in said])
    mask = (torch.arange(reply.shape[1]) < sizes[:, None]).float().to(where)
    spoken = targets.contents_of(networks.acoustic, sounds)
    seen = spoken.along([targets.frames_of(one.sounds, dice, one.frames) for one in clauses])
    given = []
    for branch, wanted in (
        (networks.synchronizer.speech, spoken),
        (networks.synchronizer.video, seen),
    ):
        asked = wanted.mask.to(where)
        given.append(branch(reply, mask, asked, noise(asked), wanted.own.to(where)))
    return (given[0], given[1]), (spoken, seen)


def styles(
    networks: Networks,
    rows: Sequence[ReadReply],
    replies: Sequence[FeltReply],
    noise: tuple[Tensor, Tensor] | None = None,
) -> Styles:
    """Return what the disentangler makes of the signal tokens, of who answers and what is felt."""
    count = len(AUDIO_SIGNALS)
    signals = torch.stack([row.signals for row in rows])
    profile = torch.tensor([profile_classes(one.profile) for one in replies])
    known = Known(profile.to(signals.device), torch.stack([row.felt for row in rows]))
    found: Styles = networks.disentangler(
        signals[:, :count], signals[:, count:], noise=noise, known=known
    )
    return found


class FusionLesson:
    """The course of one stage.

    Args:
        stage: Which.
        networks: On the device that they are trained on.
        replies: To learn from.
        plan: How.
        measure: A figure of replies held out.

    Raises:
        ValueError: Contents are to be learnt, and nothing of the replies can be said.
    """

    def __init__(
        self,
        stage: Stage,
        networks: Networks,
        replies: Sequence[FeltReply],
        plan: Plan,
        measure: Callable[[], float],
    ) -> None:
        if stage == "content" and not (replies := [one for one in replies if one.clauses]):
            raise ValueError("content: expected replies of which something can be said; got none")
        self.what: str = stage
        self.unit = "tokens"
        self._stage, self._networks, self._plan = stage, networks, plan
        self._replies, self._measure = replies, measure
        self._lengths = np.array([len(one.example.ids) for one in replies])
        taught = networks.taught(stage)
        for network in (networks.llm, networks.synchronizer, networks.disentangler):
            network.requires_grad_(network in taught.values())
        self.network: nn.Module = nn.ModuleDict(taught)
        tables = [
            *embeddings_of(networks.llm),
            networks.disentangler.kind,
            networks.disentangler.emotion.queries,
            networks.disentangler.profile.queries,
            networks.disentangler.ages.weight,
            networks.disentangler.genders.weight,
            networks.disentangler.tones.weight,
        ]
        self._optimizer = muon_and_adamw(self.network, plan.rate, tables)
        self.parts: Mapping[str, Any] = {"networks": self.network, **self._optimizer.parts}
        self._epoch: tuple[int, list[np.ndarray]] | None = None
        # A language model that does not change reads each reply once.
        self._memory = None if stage == "overall" else read_all(networks.llm, replies)

    def phase(self, share: float, step: int) -> str:
        """Return the stage."""
        return self._stage

    def losses(self, phase: str, step: int, progress: Progress) -> Iterator[tuple[Tensor, int]]:
        """Yield the next batch's loss, and the tokens read for it."""
        those, networks = self._next(progress), self._networks
        replies = [self._replies[at] for at in those]
        words: Words | None = None
        if self._memory is None:
            rows, words = read(networks.llm, replies)
        else:
            rows = [self._memory[at] for at in those]
        where = rows[0].signals.device
        dice = np.random.default_rng((self._plan.seed, step))
        chance = torch.Generator().manual_seed(int(dice.integers(1 << 40)))
        width = networks.disentangler.config.block.width

        def noise(mask: Tensor) -> Tensor:
            size = networks.synchronizer.config.block.width
            return torch.randn(*mask.shape, size, generator=chance).to(where)

        content = style = torch.zeros((), device=where)
        if self._stage != "style" and any(one.clauses for one in replies):
            given, wanted = contents(networks, rows, replies, dice, noise)
            content = contents_loss(
                given,
                (wanted[0].target.to(where), wanted[1].target.to(where)),
                (wanted[0].mask.to(where), wanted[1].mask.to(where)),
                _OPTIONS,
            )
        if self._stage != "content":
            drawn = [torch.randn(len(rows), 2, width, generator=chance).to(where) for _ in "ep"]
            style = self._style_loss(rows, replies, (drawn[0], drawn[1]))
        tokens = int(self._lengths[those].sum())
        if words is None:
            yield content + style, tokens
        else:
            said = losses_of(networks.llm, words.states[:, :-1], words.ids, words.counts).mean()
            yield overall_loss(said, content, style, _OPTIONS), tokens

    def update(self, share: float) -> None:
        """Change the weights."""
        self._optimizer.step(share)

    def measure(self) -> float:
        """Return the figure of what is held out."""
        return self._measure()

    def _style_loss(
        self, rows: Sequence[ReadReply], replies: Sequence[FeltReply], noise: tuple[Tensor, Tensor]
    ) -> Tensor:
        where = rows[0].signals.device
        voice, face = self._networks.styles.of(replies)
        labels = {name: row.to(where) for name, row in targets.labels_of(replies).items()}
        found = styles(self._networks, rows, replies, noise)
        return styles_loss(found, (voice.to(where), face.to(where)), labels, _OPTIONS)

    def _batches(self, epoch: int) -> list[np.ndarray]:
        return reply_batches(self._lengths, self._plan.batch, (self._plan.seed, epoch))

    def _next(self, progress: Progress) -> np.ndarray:
        """Return the numbers of the next replies; which come is in ``progress``."""
        if self._epoch is None or self._epoch[0] != progress.epoch:
            self._epoch = (progress.epoch, self._batches(progress.epoch))
        if progress.batch >= len(self._epoch[1]):  # the run before cut the epoch into more
            progress.epoch, progress.batch = progress.epoch + 1, 0
            self._epoch = (progress.epoch, self._batches(progress.epoch))
        found = self._epoch[1][progress.batch]
        progress.batch += 1
        if progress.batch == len(self._epoch[1]):
            progress.epoch, progress.batch = progress.epoch + 1, 0
        return found
