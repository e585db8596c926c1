"""Token ids of all that is learnt from, made once and kept; batches by seed and step."""

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.checkpoints import sha256
from rt_avatar.engines.llm.chain import NOTATIONS, Chain
from rt_avatar.engines.llm.templates import NANO_PROFILE, TEMPLATES
from rt_avatar.engines.llm.tokens import Tokens, train
from rt_avatar.engines.training.llm.avamerg import is_avamerg, read_part, source_of
from rt_avatar.engines.training.llm.corpus import (
    BOOKS,
    OPEN,
    FeltDialogue,
    read_books,
    read_open,
)
from rt_avatar.engines.training.llm.examples import Example, Writer

_log = logging.getLogger(__name__)
# How much of a batch of pretraining each source is, of those that there are.
SHARES: Final = {"felt": 0.4, "open": 0.45, "books": 0.15}
# How often pretraining reads a source at most, while others are read less. What is read again is
# worth as much as new text some four times and little after sixteen (N. Muennighoff et al. 2023,
# arXiv 2305.16264), but nano is too small to learn these by heart; felt dialogues come again as
# replies.
EPOCHS: Final = {"felt": 6, "open": 40, "books": 20}
_TOKENIZER_PARAGRAPHS: Final = 20_000  # of books; dialogues are taken whole
_WITHOUT_CHAIN: Final = 0.25  # of the replies: the ablation, and what perplexity is measured with
_PROFILE: Final = 0.5  # of the replies whose profile is known: told, so that both are learnt
_SORTED_BATCHES: Final = 32  # so many batches are drawn together, and cut by length
Ids: TypeAlias = NDArray[np.uint16]
_MOST_IDS: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class DatasetOptions:
    """How texts become tokens.

    Attributes:
        vocabulary: Ids of the tokenizer at most.
        context: Most tokens of an example.
        paragraphs: Of books; None: all.
        template: Of ``engines.llm.templates``.
        notation: Of ``engines.llm.chain``.
        seed: Of what is drawn once: which replies have no chain.
        given: Digest of a tokenizer that is there already, of a model that knows its language:
            nothing is read for pretraining. "": one is learnt.
    """

    vocabulary: int
    context: int
    paragraphs: int | None = None
    template: str = NANO_PROFILE.name
    notation: str = "tags"
    seed: int = 1
    given: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Documents behind one another: ``ids`` (N,), ``starts`` (D,) where each begins."""

    ids: Ids
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """Examples behind one another: ``ids`` and ``counts`` (N,), ``ends`` (E,) of each."""

    ids: Ids
    counts: NDArray[np.bool_]
    ends: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each example."""
        return np.diff(self.ends, prepend=0)

    def rows(self, which: NDArray[np.int64]) -> tuple[Ids, NDArray[np.bool_]]:
        """Return examples (B, longest) with zeros behind them, and what counts of them."""
        lengths = self.lengths[which]
        ids = np.zeros((len(which), int(lengths.max())), np.uint16)
        counts = np.zeros(ids.shape, bool)
        for row, (at, length) in enumerate(zip(which, lengths, strict=True)):
            end = self.ends[at]
            ids[row, :length] = self.ids[end - length : end]
            counts[row, :length] = self.counts[end - length : end]
        return ids, counts


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """All that is learnt from.

    Attributes:
        tokens: The tokenizer.
        streams: Of pretraining, by source; none where a model knows its language.
        replies: Of the chain, to learn from.
    """

    tokens: Tokens
    streams: dict[str, Stream]
    replies: Replies


def load_dataset(data: Path, work: Path, options: DatasetOptions) -> Dataset:
    """Return what is learnt from; made once, then read from ``work``.

    Raises:
        FileNotFoundError: A file of ``data`` is missing.
        ValueError: One has another shape or is not what ``work`` was made of, or the tokenizer has
            more ids than batches hold.
        OSError: ``work`` cannot be written.
    """
    described = json.dumps(asdict(options), sort_keys=True)
    name = hashlib.sha256(described.encode()).hexdigest()[:12]
    cache, tokenizer = work / f"dataset-{name}.npz", work / "tokenizer.json"
    if not cache.is_file() or not tokenizer.is_file():
        _make(data, cache, tokenizer, options)
    with np.load(cache, allow_pickle=False) as stored:
        arrays = dict(stored)
    known = arrays.get("sources")  # older versions kept none
    for path in _sources(data, options):
        if known is not None and sha256(path) not in known:
            raise ValueError(
                f"{path}: expected what {cache} was made of; got another file. Name another folder "
                f"with --out, or remove {cache.name} (to begin anew, {tokenizer.name} too)"
            )
    streams = {
        key: Stream(arrays[f"{key}_ids"], arrays[f"{key}_starts"])
        for key in SHARES
        if f"{key}_ids" in arrays
    }
    replies = Replies(arrays["replies_ids"], arrays["replies_counts"], arrays["replies_ends"])
    return Dataset(Tokens.load(tokenizer), streams, replies)


def _make(data: Path, cache: Path, tokenizer: Path, options: DatasetOptions) -> None:
    learning = [one for one in read_part(data, "train") if not one.is_for_choosing]
    open_turns, paragraphs = ([], []) if options.given else _plain(data, options.paragraphs)
    tokens = _tokenizer(tokenizer, learning, open_turns, paragraphs, options.vocabulary)
    if tokens.size > _MOST_IDS:
        raise ValueError(
            f"{tokenizer}: expected at most {_MOST_IDS:,} ids, which data sets hold; got "
            f"{tokens.size:,}. Is it the language model's?"
        )
    writer = Writer(
        tokens, TEMPLATES[options.template], NOTATIONS[options.notation], options.context
    )
    arrays: dict[str, np.ndarray] = {}
    sources: dict[str, Iterable[np.ndarray]] = {
        "felt": (
            writer.plain([turn.text for turn in one.turns]) for one in learning if not options.given
        ),
        "open": map(writer.plain, open_turns),
        "books": (np.array(tokens.encode(text + "\n"), np.int32) for text in paragraphs),
    }
    for key, documents in sources.items():
        found = [document.astype(np.uint16) for document in documents]
        if not found:
            continue
        ends = np.cumsum([len(document) for document in found])
        arrays[f"{key}_ids"] = np.concatenate(found)
        arrays[f"{key}_starts"] = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        _log.info("%s: %d documents, %d tokens", key, len(found), ends[-1])
    dice = np.random.default_rng(options.seed)
    replies = pack([example for one in learning for example in replies_of(writer, one, dice)])
    _log.info("replies: %d examples, %d tokens", len(replies.ends), len(replies.ids))
    arrays |= {f"replies_{name}": getattr(replies, name) for name in ("ids", "counts", "ends")}
    arrays["sources"] = np.array([sha256(path) for path in _sources(data, options)])
    temporary = cache.with_suffix(".part.npz")
    np.savez(temporary, allow_pickle=False, **arrays)
    temporary.replace(cache)


def _sources(data: Path, options: DatasetOptions) -> list[Path]:
    """Return the files of texts that are learnt from, as far as they are there."""
    texts = [] if options.given else [data / OPEN, data / BOOKS]
    return [path for path in (source_of(data, "train"), *texts) if path.is_file()]


def _plain(data: Path, most: int | None) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return open dialogues and paragraphs of books; AvaMERG's own layout may go without both."""
    if is_avamerg(data) and not (data / OPEN).is_file():
        return [], []
    return read_open(data / OPEN), list(islice(read_books(data / BOOKS), most))


def _tokenizer(
    path: Path,
    felt: Sequence[FeltDialogue],
    open_turns: Sequence[Sequence[str]],
    paragraphs: Sequence[str],
    size: int,
) -> Tokens:
    """Return the tokenizer that is there, or learn and keep one."""
    if path.is_file():
        return Tokens.load(path)

    def texts() -> Iterable[str]:
        for one in felt:
            yield from (turn.text for turn in one.turns)
            for chain in one.chains.values():
                yield from (chain.scenario, chain.cause, chain.goal)
        for turns in open_turns:
            yield from turns
        yield from paragraphs[:_TOKENIZER_PARAGRAPHS]

    tokens = train(texts(), size)
    tokens.save(path)
    return tokens


def replies_of(
    writer: Writer, dialogue: FeltDialogue, dice: np.random.Generator
) -> Iterable[Example]:
    """Yield an example for each reply of a dialogue; ``dice`` draws which have no chain."""
    for at, turn in enumerate(dialogue.turns):
        if turn.role != "avatar" or at == 0 or dialogue.turns[at - 1].role != "user":
            continue
        chain = dialogue.chains.get(at, Chain(emotion=dialogue.emotion))
        profile = dialogue.profiles.get(at) if dice.random() < _PROFILE else None
        without = dice.random() < _WITHOUT_CHAIN
        yield writer.example(dialogue.turns[:at], turn.text, None if without else chain, profile)


def pack(examples: Sequence[Example]) -> Replies:
    """Return examples behind one another; one or more."""
    return Replies(
        np.concatenate([one.ids for one in examples]).astype(np.uint16),
        np.concatenate([one.counts for one in examples]),
        np.cumsum([len(one.ids) for one in examples]).astype(np.int64),
    )


# --- batches ------------------------------------------------------------------------------------
def shares_of(streams: Mapping[str, Stream], tokens: float) -> dict[str, float]:
    """Return how much of a batch each source is: ``SHARES``, none read more than ``EPOCHS`` times.

    Args:
        streams: By source.
        tokens: That all of pretraining reads; where all sources together are too few for them,
            each is read more often in proportion.
    """
    most = {name: EPOCHS[name] * len(stream.ids) / tokens for name, stream in streams.items()}
    if sum(most.values()) <= 1.0:
        return {name: value / sum(most.values()) for name, value in most.items()}
    shares: dict[str, float] = {}
    free = dict.fromkeys(streams)
    while True:
        rest = (1.0 - sum(shares.values())) / sum(SHARES[name] for name in free)
        short = [name for name in free if SHARES[name] * rest > most[name]]
        if not short:
            return shares | {name: SHARES[name] * rest for name in free}
        for name in short:
            shares[name] = most[name]
            del free[name]


def pretraining_batch(
    streams: Mapping[str, Stream],
    shares: Mapping[str, float],
    rows: int,
    context: int,
    seed: tuple[int, int],
) -> Ids:
    """Return (rows, context) ids, each row from a document's beginning on.

    Args:
        streams: By source.
        shares: How much of the batch each is, of one in all.
        rows: How many.
        context: Tokens of each.
        seed: Of the training, and the step: the same batch after a stop.
    """
    dice = np.random.default_rng(seed)
    names = list(streams)
    drawn = dice.choice(len(names), rows, p=[shares[name] for name in names])
    batch = np.empty((rows, context), np.uint16)
    for source, name in enumerate(names):
        stream, those = streams[name], np.flatnonzero(drawn == source)
        starts = stream.starts[dice.integers(len(stream.starts), size=len(those))]
        starts = np.clip(starts, 0, max(0, len(stream.ids) - context))
        # A source shorter than a row is repeated.
        batch[those] = stream.ids[(starts[:, None] + np.arange(context)) % len(stream.ids)]
    return batch


def reply_batches(
    lengths: NDArray[np.int64], tokens: int, seed: tuple[int, int]
) -> list[np.ndarray]:
    """Return an epoch: which examples each batch has, all of them once, lengths alike.

    Args:
        lengths: Of the examples.
        tokens: Of a batch at most, its padding among them; one example at least.
        seed: Of the training, and the epoch.
    """
    dice = np.random.default_rng(seed)
    order = dice.permutation(len(lengths))
    pool = max(1, int(_SORTED_BATCHES * tokens / max(1.0, float(lengths.mean()))))
    batches: list[np.ndarray] = []
    for start in range(0, len(order), pool):
        drawn = order[start : start + pool]
        drawn = drawn[np.argsort(lengths[drawn], kind="stable")]
        first = 0
        for at in range(1, len(drawn) + 1):
            if at == len(drawn) or (at + 1 - first) * lengths[drawn[at]] > tokens:
                batches.append(drawn[first:at])
                first = at
    return [batches[at] for at in dice.permutation(len(batches))]
