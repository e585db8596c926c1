"""Text ↔ token ids: a byte-level BPE of our own for nano, a published tokenizer for Vicuna.

Token ids of the special tokens are the same in every tokenizer trained here, since templates and
configurations name them by number. The library ``tokenizers`` is loaded when a tokenizer is: only
who runs or makes the network has it.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rt_avatar.engines.llm.signals import SIGNALS, SignalIds
from rt_avatar.engines.runtimes.runtime import RuntimeUnavailableError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPECIALS: Final = (
    "<pad>", "<end>", "<user>", "<avatar>", "<Aud>", "<Vid>",
    "<scene>", "<emo>", "</emo>", "<cause>", "<goal>", "<reply>", "</response>",
    *SIGNALS,
)  # fmt: skip
_UNFINISHED: Final = "\ufffd"  # what bytes become that are no character yet
_SHORTEST_RUN: Final = 4  # tokens kept before those not yet told: a character has 4 bytes at most


class Tokens:
    """A tokenizer that knows the signal tokens.

    Args:
        tokenizer: Of the library ``tokenizers``; signal tokens are added if it has none.

    Raises:
        ValueError: Its signal tokens are not 32 in a row.
    """

    def __init__(self, tokenizer: "Tokenizer") -> None:
        from tokenizers import AddedToken

        tokenizer.add_special_tokens(
            [AddedToken(name, normalized=False, special=True) for name in SIGNALS]
        )
        self._tokenizer = tokenizer
        known = tokenizer.get_added_tokens_decoder().values()
        self._marks = re.compile(
            "|".join(re.escape(mark.content) for mark in known if mark.special)
        )
        self.signals = SignalIds(self.id(SIGNALS[0]))
        found = tuple(self.id(name) for name in SIGNALS)
        if found != self.signals.all:
            raise ValueError(f"tokenizer: expected 32 signal tokens in a row; got ids {found}")

    @classmethod
    def load(cls, path: Path) -> "Tokens":
        """Read a ``tokenizer.json``.

        Raises:
            ValueError: It is none.
            RuntimeUnavailableError: The library that reads it is not installed.
        """
        try:
            from tokenizers import Tokenizer
        except ModuleNotFoundError as error:
            raise RuntimeUnavailableError(
                "tokenizer: expected the extra 'network', got an installation without "
                f"{error.name}; make install EXTRAS=network"
            ) from error
        try:
            return cls(Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises nothing narrower
            raise ValueError(f"tokenizer: expected a tokenizer.json at {path}; {error}") from error

    def save(self, path: Path) -> None:
        """Write a ``tokenizer.json``, whole or not at all.

        Raises:
            OSError: It cannot be written.
        """
        temporary = path.with_suffix(".part")
        try:
            temporary.write_bytes(self._tokenizer.to_str(pretty=True).encode())
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise OSError(
                f"{path}: expected room for the tokenizer; got {error}. Make room, then try again"
            ) from error
        temporary.replace(path)

    @property
    def size(self) -> int:
        """Number of ids."""
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without anything before or behind."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def encode_with_places(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return ids as ``encode``, and which characters of the text each stands for, [from, to).

        What a tokenizer puts before a text stands for none; a character's bytes each for all of it.
        """
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return list(found.ids), list(found.offsets)

    def plain(self, text: str) -> str:
        """Return a text with a space for each special token that is spelled out in it."""
        return self._marks.sub(" ", text)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, markers included."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=False))

    def has(self, token: str) -> bool:
        """Return whether a text is one token."""
        return self._tokenizer.token_to_id(token) is not None

    def id(self, token: str) -> int:
        """Return the id of one token.

        Raises:
            KeyError: There is no such token.
        """
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise KeyError(token)
        return int(found)


class TextStream:
    """Ids one by one → text as far as it is certain; all pieces together are the whole text."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._ids: list[int] = []
        self._decoded = 0  # ids whose text has been given

    def push(self, token: int) -> str:
        """Return what became certain; "" while a character is incomplete."""
        self._ids.append(token)
        # A few ids before, since a tokenizer may write a word otherwise at the beginning.
        start = max(0, self._decoded - _SHORTEST_RUN)
        before = self._tokens.decode(self._ids[start : self._decoded])
        now = self._tokens.decode(self._ids[start:])
        if now.endswith(_UNFINISHED):
            return ""
        self._decoded = len(self._ids)
        return now[len(before) :]

    def flush(self) -> str:
        """Return what is left, an incomplete character as U+FFFD."""
        start = max(0, self._decoded - _SHORTEST_RUN)
        before = self._tokens.decode(self._ids[start : self._decoded])
        self._decoded = len(self._ids)
        return self._tokens.decode(self._ids[start:])[len(before) :]


def train(texts: Iterable[str], size: int) -> Tokens:
    """Learn a byte-level BPE: any text has ids, and gets back to the byte.

    Args:
        texts: What it is learnt from.
        size: Ids at most, the special ones and 256 bytes among them; fewer if the texts are short.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[AddedToken(name, normalized=False, special=True) for name in SPECIALS],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return Tokens(tokenizer)
