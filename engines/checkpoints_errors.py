"""What is wrong with a checkpoint, said by its keys: missing, unexpected, misshapen.

Needs no torch, so that a command line without it can still tell its user what was wrong.
"""

from collections.abc import Sequence
from typing import Final

NAMED_KEYS: Final = 3  # so many of each kind are named; more do not help anybody to find the cause


class CheckpointError(Exception):
    """A state dict does not fit the network it was given to.

    Attributes:
        missing: Keys that the network has and the checkpoint lacks.
        unexpected: Keys that the checkpoint has and the network does not know.
        misshapen: ``(key, expected, got)`` of tensors whose shape or kind is wrong.
    """

    def __init__(
        self,
        what: str,
        *,
        missing: Sequence[str] = (),
        unexpected: Sequence[str] = (),
        misshapen: Sequence[tuple[str, str, str]] = (),
        mend: str = "",
    ) -> None:
        self.missing = tuple(missing)
        self.unexpected = tuple(unexpected)
        self.misshapen = tuple(misshapen)
        parts = [
            _named("missing", self.missing),
            _named("unexpected", self.unexpected),
            _named(
                "misshapen",
                [f"{key} (expected {want}, got {got})" for key, want, got in self.misshapen],
            ),
        ]
        details = "; ".join(part for part in parts if part)
        super().__init__(
            ". ".join(part for part in (f"{what}: {details}" if details else what, mend) if part)
        )


def _named(kind: str, keys: Sequence[str]) -> str:
    if not keys:
        return ""
    rest = len(keys) - NAMED_KEYS
    more = f" and {rest} more" if rest > 0 else ""
    return f"{kind} {', '.join(keys[:NAMED_KEYS])}{more}"
