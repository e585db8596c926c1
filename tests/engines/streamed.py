"""What a stream gives, all of it, and whether two streams gave the same: for the contract."""

from dataclasses import replace

import numpy as np

from engines.types import SpeechAtom


def whole(stream, items: list) -> list:
    return [out for item in items for out in stream.push(item)] + stream.flush()


def same(one: list, other: list) -> bool:
    if len(one) != len(other):
        return False
    if one and isinstance(one[0], SpeechAtom):
        return all(
            np.array_equal(a.pcm, b.pcm) and replace(a, pcm=b.pcm) == b
            for a, b in zip(one, other, strict=True)
        )
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
