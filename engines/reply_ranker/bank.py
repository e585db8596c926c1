"""The bank of replies: what people answered, and to what.

No bank comes with the package: the replies are other people's words. Who has their dialogues makes
one by ``python -m rt_avatar.engines.training.reply_ranker --data FOLDER --bank FILE``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker.network import OUTPUT, Floats
from rt_avatar.engines.weights_file import read_arrays

_MAKE: Final = (
    "Make it with: python -m rt_avatar.engines.training.reply_ranker --data FOLDER --bank FILE"
)
_UNIT: Final = 127.0


@dataclass(frozen=True, slots=True, eq=False)
class ReplyBank:
    """Replies that may be said.

    Attributes:
        texts: As they are spoken.
        emotions: (replies,) index into ``FINE`` of what they felt to whom it was said.
        contexts: (replies, OUTPUT) directions of what it was said to.
    """

    texts: Sequence[str]
    emotions: NDArray[np.uint8]
    contexts: Floats


def load_bank(path: Path) -> ReplyBank:
    """Return the replies of a file.

    Raises:
        FileNotFoundError: There is no such file, or none was named.
        ValueError: It does not hold what it should.
    """
    if path == Path():
        raise FileNotFoundError(f"replies: expected a file with a bank; got no name. {_MAKE}")
    found = read_arrays(path, "replies", _MAKE)
    if missing := {"texts", "emotions", "contexts"} - found.keys():
        raise ValueError(
            f"replies: expected a bank in {path}; got no {', '.join(sorted(missing))}. {_MAKE}"
        )
    texts = bytes(found["texts"]).decode().split("\n")
    emotions, contexts = found["emotions"], found["contexts"]
    if emotions.shape != (len(texts),) or contexts.shape != (len(texts), OUTPUT):
        raise ValueError(
            f"replies: expected an emotion and a context of {OUTPUT} for each of {len(texts)} "
            f"replies in {path}; got {emotions.shape} and {contexts.shape}. {_MAKE}"
        )
    if not all(texts) or int(emotions.max()) >= len(FINE):
        raise ValueError(
            f"replies: expected texts and emotions of the 32 in {path}; got an empty text or "
            f"emotion {emotions.max()}. {_MAKE}"
        )
    return ReplyBank(texts, emotions.astype(np.uint8), contexts.astype(np.float32) / _UNIT)


def save_bank(path: Path, bank: ReplyBank) -> None:
    """Write a bank; there is all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        np.savez_compressed(
            file,
            allow_pickle=False,
            texts=np.frombuffer("\n".join(bank.texts).encode(), np.uint8),
            emotions=bank.emotions,
            contexts=np.round(bank.contexts * _UNIT).astype(np.int8),
        )
    temporary.replace(path)
