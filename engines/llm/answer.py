"""One answer, token by token: the chain of empathy, the signal tokens, the reply.

    chain of empathy → opening → 32 signal tokens → reply → closing      order "chain"
    chain of empathy → opening → reply → closing → 32 signal tokens      order "paper"

Signal tokens are appended, never drawn: exactly once, in one pass over the cache, even where the
model loses its way and a limit ends chain or reply. "paper" is the published order; there the style
is known after the last word. "chain" is ours: a style belongs to the whole reply and follows from
what was understood, so it can be known before the first word is spoken. Training must use the order
that is used here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.llm.chain import Chain, Notation, begun
from rt_avatar.engines.llm.model import LanguageModel, Read, Vectors
from rt_avatar.engines.llm.sampling import Sampler, SamplingOptions
from rt_avatar.engines.llm.signals import AUDIO_SIGNALS, SIGNALS, Order
from rt_avatar.engines.llm.templates import Template, stopped
from rt_avatar.engines.llm.tokens import TextStream, Tokens

# Special tokens of prompts, which no answer has.
_PROMPTS_ONLY: Final = ("<pad>", "<user>", "<avatar>", "<Aud>", "<Vid>")
_FRAME_TOKENS: Final = 32  # what a notation spends on an answer: its opening and closing


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How to answer.

    Attributes:
        order: Where the signal tokens stand.
        with_chain: Whether a chain is thought at all (the ablation: reply only).
        chain_tokens: Most tokens of the chain, what was thought before among them; then its end
            is forced.
        reply_tokens: Most tokens of the reply; then it ends where it is.
        sampling: How tokens are chosen.
    """

    order: Order = "chain"
    with_chain: bool = True
    chain_tokens: int = 96
    reply_tokens: int = 96
    sampling: SamplingOptions = field(default_factory=SamplingOptions)

    @property
    def tokens(self) -> int:
        """Most tokens of the whole answer."""
        return self.chain_tokens + self.reply_tokens + len(SIGNALS) + _FRAME_TOKENS


@dataclass(frozen=True, slots=True)
class Understood:
    """The chain is over; ``forced``: by its limit, not by the model."""

    chain: Chain
    forced: bool


@dataclass(frozen=True, slots=True)
class Signalled:
    """The signal tokens were read.

    Attributes:
        speech: (16, width), the last layer at the voice's tokens plus their own embeddings.
        video: (16, width), the same of the face's.
    """

    speech: Vectors
    video: Vectors


@dataclass(frozen=True, slots=True)
class Replied:
    """One token of the reply; ``state`` (width,) is the last layer at its place.

    ``text`` is what became certain with it: "" while a character is incomplete.
    """

    token: int
    text: str
    state: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is over.

    Attributes:
        why: "closed" by its marker, "stopped" by the template's end, or at its "limit".
        read: Everything that was read, for a next turn to go on from.
    """

    why: Literal["closed", "stopped", "limit"]
    read: Read


Event: TypeAlias = Understood | Signalled | Replied | Answered


@dataclass(slots=True, eq=False)
class NextToken:
    """A token that an answer goes on with, before the model has read it.

    Attributes:
        token: Its id.
        after: What was read before.
        read: What it led to, if somebody read it in a batch; None: the answer reads it itself.
    """

    token: int
    after: Read
    read: Read | None = None


class Answerer:
    """A language model, its tokens, and the two notations it was trained on."""

    def __init__(
        self, model: LanguageModel, tokens: Tokens, template: Template, notation: Notation
    ) -> None:
        self.model = model
        self.tokens = tokens
        self.template = template
        self.notation = notation

    def answer(self, prompt: Read, options: AnswerOptions, thought: str = "") -> Iterator[Event]:
        """Answer what was read; what ``steps`` yields, without its tokens."""
        steps = self.steps(prompt, options, thought)
        return (event for event in steps if not isinstance(event, NextToken))

    def steps(
        self, prompt: Read, options: AnswerOptions, thought: str = "", reply: str | None = None
    ) -> Iterator[Event | NextToken]:
        """Answer what was read, one pass of the model after the other.

        Args:
            prompt: The prompt, read up to the template's cue.
            options: How.
            thought: The beginning of the answer, where it is known already: the chain, or its
                first steps, as they were thought while the caller still spoke. It is read, not
                written anew.
            reply: As of ``read_out``; None: the model writes it.

        Yields:
            One ``Understood``, one ``Signalled``, any number of ``Replied``, one ``Answered``; in
            the order "paper", ``Signalled`` is last but one. Between them each token before it is
            read: who asks for the next may read it with those of other answers (``decoding``), or
            stop instead. So no step takes longer than a pass or two.
        """
        run = _Run(self, prompt, options)
        yield from run.understand(thought)
        if options.order == "chain":
            yield run.signal()
        yield from run.reply() if reply is None else run.read_reply(reply)
        if options.order == "paper":
            run.close()
            yield run.signal()
        yield Answered(run.why, run.read)

    def read_out(
        self, prompt: Read, options: AnswerOptions, chain: Chain, reply: str
    ) -> Iterator[Event | NextToken]:
        """Read what somebody else understood and answers; yields as ``steps`` does.

        What the model makes of it are its states; of the reply at most ``reply_tokens`` are read.
        """
        thought = self.notation.write_chain(chain) if options.with_chain else ""
        return self.steps(prompt, options, thought, reply)

    def think(
        self, prompt: Read, options: AnswerOptions, thought: str = ""
    ) -> Iterator[str | NextToken]:
        """Think the chain alone, while the caller still speaks.

        Args:
            prompt: The prompt, read up to the template's cue.
            options: How.
            thought: The chain's beginning, as above.

        Yields:
            All that is thought so far, with each token and once before. The last has the reply's
            opening at its end, or behind it the reply's first letters: a ``thought`` for ``answer``
            that leaves nothing of the chain to do. Where the limit ends the chain, too. Behind
            each, the token before it is read, as ``steps``.
        """
        run = _Run(self, prompt, options)
        yield thought
        for token in run.think(thought):
            yield token
            yield run.said
        if self.notation.opening not in run.said:
            yield run.said + self.notation.opening


class _Run:
    """One answer while it is made."""

    def __init__(self, parts: Answerer, prompt: Read, options: AnswerOptions) -> None:
        self._parts = parts
        self._options = options
        self._text = TextStream(parts.tokens)
        known = [name for name in _PROMPTS_ONLY if parts.tokens.has(name)]
        banned = (*parts.tokens.signals.all, *map(parts.tokens.id, known))
        self._sampler = Sampler(options.sampling, banned)
        self._left_over = ""  # of the token that ended the opening: the reply's first letters
        self._closing = parts.notation.closing
        self._unread = parts.tokens.encode(self._closing)  # of the closing, when the reply is over
        self.read = prompt
        self.said = ""  # of the chain
        self.why: Literal["closed", "stopped", "limit"] = "limit"

    def understand(self, thought: str) -> Iterator[Understood | NextToken]:
        """Think the chain, to the opening of the reply."""
        opening = self._parts.notation.opening
        is_left_out = not self._options.with_chain and opening not in thought
        yield from self.think(thought + opening if is_left_out else thought)
        forced = opening not in self.said
        if forced:
            self._feed(self._parts.tokens.encode(opening))
            self.said += opening
        head, _, self._left_over = self.said.partition(opening)
        yield Understood(self._parts.notation.read_chain(head), forced)

    def think(self, thought: str) -> Iterator[NextToken]:
        """Read a chain's beginning and go on with it, to the opening of the reply or the limit."""
        opening = self._parts.notation.opening
        self.said = thought
        given = self._parts.tokens.encode(thought)
        if given:
            self._feed(given)
        ids: list[int] = []
        while opening not in self.said and len(given) + len(ids) < self._options.chain_tokens:
            token = self._sampler.pick(self.read.logits)
            if stopped([*ids, token], self._parts.template.stops):
                return
            ids.append(token)
            self.said += self._text.push(token)
            yield from self._read_next(token)

    def signal(self) -> Signalled:
        """Append the signal tokens."""
        ids = self._parts.tokens.signals.all
        self._feed(ids)
        states = self.read.hidden + self._parts.model.embed(ids)
        return Signalled(states[: len(AUDIO_SIGNALS)], states[len(AUDIO_SIGNALS) :])

    def reply(self) -> Iterator[Replied | NextToken]:
        """Write the reply; tokens that may belong to its end are held back until it is known."""
        ids: list[int] = []
        held: list[Replied] = []
        self._text = TextStream(self._parts.tokens)
        while len(ids) < self._options.reply_tokens:
            token = self._sampler.pick(self.read.logits)
            ids.append(token)
            piece = self._left_over + self._text.push(token)
            self._left_over = ""
            ended = self._ends(ids, held, piece)
            if ended is not None:
                yield from ended
                return
            yield from self._read_next(token)
            held.append(Replied(token, piece, self.read.hidden[-1]))
            free = len(held) - self._kept(ids, held)
            yield from held[:free]
            held = held[free:]
        yield from held  # no end came: what looked like its beginning was none

    def read_reply(self, text: str) -> Iterator[Replied]:
        """Read a reply that was written elsewhere, in one pass."""
        tokens = self._parts.tokens
        ids = tokens.encode(self._parts.notation.gap + tokens.plain(text))
        self.why = "closed" if len(ids) <= self._options.reply_tokens else "limit"
        ids = ids[: self._options.reply_tokens]
        self._feed(ids)
        stream = TextStream(tokens)
        for token, state in zip(ids, self.read.hidden, strict=True):
            yield Replied(token, stream.push(token), state)

    def close(self) -> None:
        """Read the reply's closing, as the published order has it before the signal tokens."""
        self._feed(self._unread)

    def _ends(
        self, ids: Sequence[int], held: Sequence[Replied], piece: str
    ) -> list[Replied] | None:
        """Return what of the held is still the reply if this token ends it, else None."""
        stops = self._parts.template.stops
        if stopped(ids, stops):
            self.why = "stopped"
            longest = max(len(run) for run in stops if stopped(ids, [run]))
            return list(held[: len(held) - (longest - 1)])
        text = "".join(part.text for part in held) + piece
        at = text.find(self._closing)
        if at < 0:
            return None
        self.why = "closed"
        self._unread = [ids[-1]]  # all before it were read when they came
        return _cut(held, at)

    def _kept(self, ids: Sequence[int], held: Sequence[Replied]) -> int:
        """Return how many of the newest held tokens may belong to the reply's end."""
        runs = [
            length
            for run in self._parts.template.stops
            for length in range(1, len(run))
            if stopped(ids, [run[:length]])
        ]
        open_at = len(text := "".join(part.text for part in held)) - begun(text, self._closing)
        ends = accumulate(len(part.text) for part in held)
        return max([sum(end > open_at for end in ends), *runs])

    def _read_next(self, token: int) -> Iterator[NextToken]:
        """Yield a token; read it, unless whoever took it has."""
        following = NextToken(token, self.read)
        yield following
        self.read = following.read or self._parts.model.step([token], self.read)

    def _feed(self, ids: Sequence[int]) -> None:
        self.read = self._parts.model.step(ids, self.read)


def _cut(held: Sequence[Replied], at: int) -> list[Replied]:
    """Return the tokens that begin before the ``at``-th character, the last cut there."""
    kept: list[Replied] = []
    length = 0
    for part in held:
        if length >= at and part.text:
            break
        kept.append(Replied(part.token, part.text[: at - length], part.state))
        length += len(part.text)
    return kept
