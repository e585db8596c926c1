"""The VP8 picture that shows the one before once more: ``(width, height) → bytes``.

No block of it has changed, nothing is filtered, and no picture or probability that a decoder keeps
is touched: it is shown and forgotten. So an encoder need not hear of it, and the same bytes say it
whatever was sent before. Source: RFC 6386, §7.3, §9 and §19.2; tables of §13.4, §17.2 and §8.3.
"""

from functools import cache
from typing import Final

# §13.4, how likely each probability of a coefficient stays as it is: 4 kinds of block, 8 bands,
# 3 contexts; 255 less it, of the first eight of eleven (the others are 255).
_COEFFICIENTS: Final = bytes.fromhex(
    "0000000000000000000000000000000000000000000000004f09000000000000200e0300000000000602020000000000"
    "000b03000000000015010100000000000200000000000000000901000000000010020100000000000100010000000000"
    "000701000000000004000100000000000000000000000000000201000000000004010100000000000100010000000000"
    "000102000100000005000100010000000100000000000000000000000000000000000000000000000000000000000000"
    "26000000000000001e030e020000010015050e0502000201000100000000000020010100000000001102010100000000"
    "000701000000000006010000000000000000000000000000000200000000000008010000000000000000000000000000"
    "000201000000000003000000000000000000000000000000000101000000000002000000000000000000000000000000"
    "000102000000000005000000000000000100000000000000000000000000000000000000000000000000000000000000"
    "450405000000000015040b010000000004040c0201000100000201000000000013020100000000000402020101000000"
    "000101000000000001010100000000000000000000000000000100000000000001010000000000000100000000000000"
    "000000000000000001000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "070000000000000005010301000000000701060200000000000202000000000009020200000000000301040101000000"
    "00010300000000000701020000000000020001010000000000040100000000000a040100000000000202010000000000"
    "000402000000000003020100000000000001000000000000000300000000000006000100000000000000010000000000"
    "000002000000000005000000000000000000000000000000000000000000000001000000000000000000000000000000"
)
# §17.2, the same of the probabilities of motion vectors: rows, then columns.
_VECTORS: Final = (
    237, 246, 253, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 250, 250, 252, 254, 254,
    231, 243, 245, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 251, 251, 254, 254, 254,
)  # fmt: skip
# §8.3 (mode_contexts), how likely a block stands still: the first one, those of the first row and
# column, and all others, around which three stand still.
_STANDS: Final = 7, 135, 234
_BLOCK_PX: Final = 16
# Before the probabilities: no segments (1 bit), filter (1 + 6 + 3 + 1), one partition (2),
# quantisers (7 + 5), and of what a decoder keeps nothing is replaced (1 + 1 + 2 + 2 + 2 + 1 + 1).
_NOTHING_BITS: Final = 36


class _BoolWriter:
    """An arithmetic coder of bits with known probabilities (§7.3)."""

    def __init__(self) -> None:
        self._low = 0  # of the interval, in units of 2 ** -self._bits
        self._range = 255
        self._bits = 8

    def write(self, bit: int, probability: int = 128) -> None:
        """Write one bit, 0 with ``probability`` / 256."""
        split = 1 + ((self._range - 1) * probability >> 8)
        if bit:
            self._low += split
            self._range -= split
        else:
            self._range = split
        while self._range < 128:
            self._range <<= 1
            self._low <<= 1
            self._bits += 1

    def number(self, value: int) -> None:
        """Write eight bits, the highest first."""
        for place in range(7, -1, -1):
            self.write(value >> place & 1)

    def bytes(self) -> bytes:
        """Return what was written."""
        missing = -self._bits % 8
        return (self._low << missing).to_bytes((self._bits + missing) // 8, "big")


@cache
def repetition(width: int, height: int) -> bytes:
    """Return the picture; some 40 bytes."""
    writer = _BoolWriter()
    for _ in range(_NOTHING_BITS):
        writer.write(0)
    for start in range(0, len(_COEFFICIENTS), 8):
        for less in (*_COEFFICIENTS[start : start + 8], 0, 0, 0):
            writer.write(0, 255 - less)
    writer.write(1)  # blocks may say that they have no coefficients …
    writer.number(1)  # … and nearly all do
    writer.number(1)  # nearly all follow another picture …
    writer.number(255)  # … the last one …
    writer.number(128)  # … and not the golden one
    writer.write(0)  # probabilities of intra modes stay
    writer.write(0)
    for probability in _VECTORS:
        writer.write(0, probability)
    for row in range(-(-height // _BLOCK_PX)):
        for column in range(-(-width // _BLOCK_PX)):
            writer.write(1, 1)
            writer.write(1, 1)
            writer.write(0, 255)
            writer.write(0, _STANDS[(row > 0) + (column > 0)])
    first = writer.bytes()
    tag = 1 | 1 << 4 | len(first) << 5  # no key frame, version 0, shown
    return tag.to_bytes(3, "little") + first + bytes(2)  # and a partition of no coefficients
