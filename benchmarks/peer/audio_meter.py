"""Measure when a caller without a browser hears the avatar: packets → times, to the sample.

Both ends of a delay are moments at which sound crosses the air, not moments of packets:

- what the caller says is recorded before it can be sent: a packet of 20 ms is handed over when its
  last sample has been spoken (``spoken_at_s``);
- what the caller is sent can be heard from the packet's arrival on: its first sample then, sample
  ``k`` of it ``k`` / 48,000 s later. There is no jitter buffer; a browser's adds its own delay.

It knows nothing of turns.
"""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.media import BLOCK_S
from rt_avatar.engines.types import WIRE_RATE_HZ

AUDIBLE: Final = 0.005 * 32768  # −46 dBFS: quieter cannot be told from a room
# So long without an audible sample is silence: longer than the closure of a stop consonant (90 ms)
# and than the break between two words, shorter than the breath between two sentences.
QUIET_S: Final = 0.3
MAX_PACKETS: Final = 15_000  # five minutes of packets; older ones are dropped


@dataclass(frozen=True, slots=True)
class Sounding:
    """The audible part of one packet, in loop time: from its first to its last audible sample."""

    begin_s: float
    end_s: float


def spoken_at_s(start_s: float, sample: int) -> float:
    """Return the loop time at which a sample of an utterance is spoken.

    Args:
        start_s: When its first packet is handed over, as ``Microphone.play`` returns it.
        sample: Its index in the utterance, at 48 kHz.
    """
    return start_s - BLOCK_S + sample / WIRE_RATE_HZ


class AudioMeter:
    """Listens at a caller. Takes what the caller keeps in ``sound``; nobody else may clear that.

    Attributes:
        soundings: The audible parts of packets since ``forget``, oldest first.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._seen = 0
        self.soundings: deque[Sounding] = deque(maxlen=MAX_PACKETS)

    def listen(self) -> None:
        """Take in what has come since."""
        sound, at_s = self._caller.sound, self._caller.sound_at_s
        while self._seen < len(sound):
            audible = np.flatnonzero(np.abs(sound[self._seen].astype(np.int32)) > AUDIBLE)
            if len(audible):
                first, last = (float(index) / WIRE_RATE_HZ for index in audible[[0, -1]])
                arrived_s = at_s[self._seen]
                self.soundings.append(Sounding(arrived_s + first, arrived_s + last))
            self._seen += 1

    def first_after(self, at_s: float) -> float | None:
        """Return the first audible moment from ``at_s`` on (loop time), None if none has come."""
        self.listen()
        found = next((one for one in self.soundings if one.end_s >= at_s), None)
        return None if found is None else max(found.begin_s, at_s)

    def heard_between(self, begin_s: float, end_s: float) -> bool:
        """Whether anything was audible between two loop times."""
        first_s = self.first_after(begin_s)
        return first_s is not None and first_s < end_s

    async def hears_after(self, at_s: float, timeout_s: float = 10) -> float | None:
        """Wait for sound from ``at_s`` on; return its first moment (loop time), None if late."""
        try:
            await self._caller.until(lambda: self.first_after(at_s) is not None, timeout_s)
        except TimeoutError:
            return None
        return self.first_after(at_s)

    async def falls_silent(self, quiet_s: float = QUIET_S, timeout_s: float = 10) -> bool:
        """Wait until nothing was audible for ``quiet_s``; return whether that came in time."""
        loop = asyncio.get_running_loop()
        begin_s = loop.time()

        def is_quiet() -> bool:
            self.listen()
            last_s = max(begin_s, self.soundings[-1].end_s if self.soundings else 0.0)
            return loop.time() - last_s >= quiet_s

        try:
            await self._caller.until(is_quiet, timeout_s)  # packets of silence wake it
        except TimeoutError:
            return False
        return True

    def forget(self) -> None:
        """Drop what was heard: the memory of a benchmark must not grow."""
        self.soundings.clear()
        self._caller.sound.clear()
        self._caller.sound_at_s.clear()
        self._seen = 0
