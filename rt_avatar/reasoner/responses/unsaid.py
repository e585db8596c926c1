"""Choose among ways to say something: one that was not said in this call, or longest ago."""

import zlib
from collections.abc import Callable, Sequence


def turned(variants: Sequence[str], seed: str) -> list[str]:
    """Return the same from one on that the seed chooses; the same seed always the same one."""
    at = zlib.crc32(seed.encode()) % len(variants)
    return [*variants[at:], *variants[:at]]


def unsaid(
    variants: Sequence[str],
    seed: str,
    said: Sequence[str],
    signature: Callable[[str], str] = str,
) -> str:
    """Return the first variant, from one that the seed chooses, that was not said, or longest ago.

    Args:
        variants: What may be said.
        seed: The same one begins with the same variant.
        said: The avatar's turns, the oldest first.
        signature: Of a variant; tells in those turns that it was said.
    """
    all_said = " ".join(said)
    return min(turned(variants, seed), key=lambda variant: all_said.rfind(signature(variant)))
