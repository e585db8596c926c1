"""What a stream gives, whether two gave the same, and when it was due: for the contract."""

from dataclasses import replace

import numpy as np

from rt_avatar.engines.types import SpeechChunk


def whole(stream, items: list) -> list:
    return [out for item in items for out in stream.push(item)] + stream.flush()


def same(one: list, other: list) -> bool:
    return len(one) == len(other) and all(map(_equal, one, other))


def _equal(a, b) -> bool:
    if isinstance(a, SpeechChunk):
        arrays = ((a.pcm, b.pcm), (a.contents, b.contents))
        return all(np.array_equal(x, y) for x, y in arrays) and replace(a, pcm=b.pcm) == b
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b


def first(items: list, count: int) -> list:
    """The first so many items; those of an array are its rows."""
    return (
        [items[0][:count]]
        if isinstance(items[0], np.ndarray) and len(items) == 1
        else items[:count]
    )


def assert_lookahead_is_measured(engine, items: list, chunks: int) -> None:
    """What belongs to so many chunks comes with the declared look-ahead, and with less it does not.

    What belongs to them is what they give alone, when the stream is told that nothing follows.
    """
    count = chunks * engine.spec.chunk
    due = len(whole(engine.open(), first(items, count)))
    assert due

    def given(pushed: int) -> int:
        stream = engine.open()
        return sum(len(stream.push(item)) for item in first(items, pushed) if pushed)

    assert given(count + engine.spec.lookahead) >= due > given(count + engine.spec.lookahead - 1)
