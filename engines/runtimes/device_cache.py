"""Keys and values of a language model on the GPU: a plan of ``llm_extend`` with its caches.

One line of tokens lies in the plan's own input buffers, where runs read it and new tokens are
written behind it, all on the GPU; a recorded run stays bound to these buffers. Other lines are
parked in memory of their own size, on the GPU too, and exchanged when somebody goes on from them.
What crosses to the host is embeddings, the mask, states and logits.

Memory for a line is laid out in places, 128 and 256 and so on: each number of places is one shape
for decoding, hence one recorded graph.
"""

import threading
import weakref
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.llm.cache import PLACES, Arrays, Cache, Floats
from rt_avatar.engines.runtimes.cuda import Buffer
from rt_avatar.engines.runtimes.native import TensorRtRuntime
from rt_avatar.engines.runtimes.runtime import RuntimeInputError


class _Line:
    """Tokens that were read one behind the other; where they are, if not in the plan's buffers."""

    def __init__(self, used: int) -> None:
        self.used = used
        self.parked: Buffer | None = None

    def free(self) -> None:
        """Give back the parked memory."""
        if self.parked is not None:
            self.parked.close()
        self.parked = None

    __del__ = free


class DeviceCache:
    """A handle of the first ``length`` tokens of a line."""

    def __init__(self, line: _Line, length: int) -> None:
        self.line, self.length = line, length

    def truncated(self, length: int) -> "DeviceCache":
        """Return a handle of its first tokens."""
        return DeviceCache(self.line, length)


class DeviceCachedGraph:
    """``llm_extend`` as a plan, with its caches on the GPU.

    Args:
        runtime: The plan, opened with ``resident(layers)``.
        layers: Of the language model.
        key_heads: Of each.
        head_size: Numbers of a head.
    """

    def __init__(
        self, runtime: TensorRtRuntime, layers: int, key_heads: int, head_size: int
    ) -> None:
        self._runtime, self._heads, self._size = runtime, key_heads, head_size
        self._names = names(layers)
        self._row = head_size * runtime.spec(self._names[0]).dtype.itemsize  # bytes
        self._most = runtime.largest(self._names[0])[2]
        self._places = 1
        self._resident: weakref.ref[_Line] | None = None
        self._lock = threading.Lock()

    @property
    def context(self) -> int:
        """Most tokens of a dialogue, prompt and answer together."""
        return self._most

    def empty(self) -> DeviceCache:
        """Return a handle of no tokens."""
        return DeviceCache(_Line(0), 0)

    def extend(self, embeds: Floats, after: Sequence[Cache]) -> tuple[Arrays, list[Cache]]:
        """Read embeddings behind what was read before, dialogue by dialogue.

        Raises:
            RuntimeInputError: There are more tokens than the plan was built for.
            RuntimeRunError: TensorRT or the device failed; no handle is changed.
        """
        caches = [cache for cache in after if isinstance(cache, DeviceCache)]
        runs = []
        for row, cache in enumerate(caches):
            with self._lock:
                runs.append(self._extend(embeds[row : row + 1], cache))
        outputs = {
            name: np.concatenate([arrays[name] for arrays, _ in runs]) for name in _TO_THE_HOST
        }
        return outputs, [longer for _, longer in runs]

    def _extend(self, embeds: Floats, cache: DeviceCache) -> tuple[Arrays, DeviceCache]:
        tokens, length = embeds.shape[1], cache.length
        if length + tokens > self._most:
            raise RuntimeInputError(
                f"{self._runtime.name}: expected a context of at most {self._most} tokens; got "
                f"{length + tokens}. A plan for longer ones: rt-avatar engines build --context"
            )
        line = self._bring(cache)
        mask: NDArray[np.float32] = np.ones((1, self._places + tokens), np.float32)
        mask[:, length : self._places] = 0.0
        shape = 1, self._heads, self._places, self._size
        outputs = self._runtime.run(
            {"embeds": embeds, "mask": mask},
            resident=dict.fromkeys(self._names, shape),
            is_recorded=tokens == 1,  # prompts have any length
        )
        self._append(length, tokens)
        line.used = length + tokens
        return outputs, DeviceCache(line, line.used)

    # --- where lines are ------------------------------------------------------------------------
    def _bring(self, cache: DeviceCache) -> _Line:
        """Have the handle's tokens in the plan's buffers; return the line that may go on there.

        It is the handle's own unless somebody has gone on from there already.
        """
        line, resident = cache.line, None if self._resident is None else self._resident()
        goes_on = line.used == cache.length
        if resident is line and goes_on:
            return line
        if resident is not None:
            self._park(resident)
        self._resident = None
        if resident is not line:  # else its beginning is there
            self._load(line, cache.length, self._bucket(cache.length))
        if not goes_on:
            line = _Line(cache.length)
        line.free()  # what is written behind would be missing there
        self._resident = weakref.ref(line)
        return line

    def _park(self, line: _Line) -> None:
        """Copy the line in the plan's buffers into memory of its own."""
        size = self._heads * line.used * self._row
        parked = Buffer(self._runtime.device, size * len(self._names), host=False)
        for index, name in enumerate(self._names):
            source = self._runtime.address(name)
            self._copy(parked.address + index * size, line.used, source, self._places, line.used)
        line.parked = parked

    def _load(self, line: _Line, length: int, places: int) -> None:
        """Copy the beginning of a parked line into the plan's buffers, laid out in places."""
        self._places = places
        if not length:
            return
        assert line.parked is not None, "a line is in the plan's buffers, parked, or empty"
        size = self._heads * line.used * self._row
        for index, name in enumerate(self._names):
            source = line.parked.address + index * size
            self._copy(self._runtime.address(name), places, source, line.used, length)

    def _append(self, length: int, tokens: int) -> None:
        """Write what the last run made behind what lies in the plan's buffers."""
        if length + tokens > self._places:
            self._grow(length, length + tokens)
        for name in self._names:
            target = self._runtime.address(name) + length * self._row
            source = self._runtime.address(f"{name}_added")
            self._copy(target, self._places, source, tokens, tokens)

    def _grow(self, length: int, wanted: int) -> None:
        """Lay the tokens in the plan's buffers out in more places."""
        held = _Line(length)
        if length:
            self._park(held)
        self._load(held, length, self._bucket(wanted))
        held.free()

    def _copy(
        self, target: int, target_places: int, source: int, source_places: int, tokens: int
    ) -> None:
        """Copy the first tokens of each head, on the GPU."""
        self._runtime.device.copy_rows(
            target,
            target_places * self._row,
            source,
            source_places * self._row,
            tokens * self._row,
            self._heads,
        )

    def _bucket(self, tokens: int) -> int:
        """Return the places for so many tokens, as many as the host takes; one at the least."""
        return max(1, min(self._most, -(-tokens // PLACES) * PLACES))


_TO_THE_HOST: Final = ("hidden", "logits")


def names(layers: int) -> tuple[str, ...]:
    """Return the cache's tensors as ``llm_extend`` takes them; it gives ``_added`` of each."""
    return tuple(f"{part}_{layer}" for layer in range(layers) for part in ("key", "value"))


def resident(layers: int) -> frozenset[str]:
    """Return the tensors of ``llm_extend`` that stay on the GPU."""
    return frozenset(name + end for name in names(layers) for end in ("", "_added"))
