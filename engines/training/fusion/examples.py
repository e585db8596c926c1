"""Replies as the two modules learn from them: ids with the places of signals and clauses.

A reply is cut into clauses as it is when it is spoken (``engines.empatheia.clauses``), and each is
read as the nano voice reads it. Who answers is drawn; what is felt stands in the chain.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import Fine, to_fine
from rt_avatar.engines.empatheia.clauses import ClauseCutter
from rt_avatar.engines.llm.answer import Replied
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.profile import PROFILES, Profile
from rt_avatar.engines.llm.signals import SIGNALS
from rt_avatar.engines.llm.tokens import TextStream, Tokens
from rt_avatar.engines.nano_tts.clause import clause_tokens
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.nano_tts.tokens import Tokens as Sounds
from rt_avatar.engines.training.llm.avamerg import seconds_of
from rt_avatar.engines.training.llm.corpus import FeltDialogue
from rt_avatar.engines.training.llm.examples import Example, Writer
from rt_avatar.engines.types import FPS, FaceStyle, VoiceStyle

Answer: TypeAlias = Callable[[Fine], tuple[VoiceStyle, FaceStyle]]  # to whom feels that


@dataclass(frozen=True, slots=True, eq=False)
class SpokenClause:
    """A clause of a reply.

    Attributes:
        text: Its words.
        places: (S,) of its tokens in the example.
        sounds: What the voice reads.
        frames: How many the face took for it where it was recorded; None: nobody was.
    """

    text: str
    places: NDArray[np.int64]
    sounds: Sounds
    frames: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FeltReply:
    """One reply.

    Attributes:
        example: As the language model reads it.
        signals: Place of the first signal token.
        clauses: That are said; none, if nothing of it can be.
        emotion: What the caller feels.
        felt: Token ids of its word in the chain.
        profile: Who answers.
    """

    example: Example
    signals: int
    clauses: tuple[SpokenClause, ...]
    emotion: Fine
    felt: NDArray[np.int64]
    profile: Profile


def replies_of(
    tokens: Tokens, writer: Writer, dialogues: Iterable[FeltDialogue], most: int, seed: int
) -> list[FeltReply]:
    """Return the listeners' replies of dialogues, the first ``most``.

    Who answers is drawn, but where somebody was recorded.

    Args:
        tokens: The tokenizer.
        writer: Of the same tokens.
        dialogues: In the order in which they are taken.
        most: Replies at most.
        seed: Of who answers.

    Raises:
        ValueError: There is none, or a recording cannot be read.
    """
    dice = np.random.default_rng(seed)
    replies: list[FeltReply] = []
    for one in dialogues:
        for at, turn in enumerate(one.turns):
            is_reply = turn.role == "avatar" and at > 0 and one.turns[at - 1].role == "user"
            chain = one.chains.get(at, Chain(emotion=one.emotion))
            emotion = to_fine(chain.emotion)
            if not is_reply or emotion is None:
                continue
            if len(replies) == most:
                return replies
            profile = PROFILES[int(dice.integers(len(PROFILES)))]
            if at in one.recorded:
                profile = one.profiles[at]
            example = writer.example(one.turns[:at], turn.text, chain, profile)
            reply = _reply(tokens, writer, example, emotion, profile)
            if reply is not None and at in one.recorded:
                reply = _filmed(reply, seconds_of(one.recorded[at]))
            replies += [reply] if reply is not None else []
    if not replies:
        raise ValueError("dialogues: expected listeners' replies; got none")
    return replies


def _reply(
    tokens: Tokens, writer: Writer, example: Example, emotion: Fine, profile: Profile
) -> FeltReply | None:
    """Return a reply with its places; None where the context cut its signals away."""
    first, count = tokens.signals.first, len(SIGNALS)
    found = np.flatnonzero(example.ids == first)
    if len(found) == 0 or found[0] + count > len(example.ids):
        return None
    signals = int(found[0])
    end = tokens.encode(writer.notation.closing)[0]
    ids = example.ids[signals + count :]
    ends = np.flatnonzero(ids == end)
    said = ids[: ends[0]] if len(ends) else ids
    clauses = tuple(_clauses(tokens, [int(token) for token in said], signals + count))
    felt = np.array(tokens.encode(emotion), np.int64)
    return FeltReply(example, signals, clauses, emotion, felt, profile)


def _filmed(reply: FeltReply, seconds: float) -> FeltReply:
    """Return a reply whose clauses share the frames of a recording by their sounds."""
    sounds = [len(clause.sounds.symbol) for clause in reply.clauses]
    ends = np.rint(seconds * FPS * np.cumsum([0, *sounds]) / max(1, sum(sounds))).astype(int)
    clauses = zip(reply.clauses, np.diff(ends).tolist(), strict=True)
    return replace(
        reply, clauses=tuple(replace(clause, frames=max(1, count)) for clause, count in clauses)
    )


def _clauses(tokens: Tokens, ids: Sequence[int], start: int) -> Iterable[SpokenClause]:
    cutter, text = ClauseCutter(), TextStream(tokens)
    cut = []
    for at, token in enumerate(ids):
        place = np.full(1, start + at, np.float32)  # where its state will be
        cut += cutter.push(Replied(token, text.push(token), place))
    for clause in [*cut, *cutter.flush()]:
        read = read_clause(clause.text)
        if read is not None:
            places = clause.states[:, 0].astype(np.int64)
            yield SpokenClause(clause.text, places, clause_tokens(read.words))
