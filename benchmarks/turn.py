"""End of speech → first sound, and barge-in → silence, at a real WebRTC peer.

    python -m benchmarks.turn [--speech FOLDER] [--turns 20] [--no-drafts] [--server.… flags]

A caller without a browser speaks recordings to a real server over loopback and listens. The end of
speech is when the packet with the last voiced sample is handed to the caller's encoder; first sound
is when the first audible packet of the reply (> −46 dBFS) is decoded at the caller, without a
jitter buffer. The server's own trace of each turn gives the stages. In every second turn the
caller then speaks over the reply; silence is the last audible packet of it.
"""

import argparse
import asyncio
import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import aiohttp
import numpy as np
from rich.progress import track

from benchmarks.caller import Caller
from benchmarks.report import percentile, publish
from benchmarks.server import running_server
from benchmarks.speech import Utterance, load_utterances
from rt_avatar.trace import MARKS
from signaling.mic_buffer import install_mic_buffer

AUDIBLE: Final = 0.005 * 32768  # −46 dBFS: quieter cannot be told from a room
GAP_S: Final = 0.8  # silence between turns
OVER_S: Final = 0.9  # the caller speaks over the reply so long after its first sound
QUIET_S: Final = 0.3  # so long without an audible packet is silence
OVER_LIMIT_S: Final = 2.0  # what is heard later than this is another reply


@dataclass(slots=True)
class Measured:
    """What was measured, in milliseconds."""

    first_sound: list[float] = field(default_factory=list)
    silence: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)
    drafts: int = 0
    cut_early: int = 0
    unanswered: int = 0


class Ear:
    """Listens at the caller: when was a packet audible?"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._seen = 0
        self.audible_at_s: list[float] = []

    def listen(self) -> None:
        """Take in what has come since."""
        while self._seen < len(self._caller.sound):
            if np.abs(self._caller.sound[self._seen]).max() > AUDIBLE:
                self.audible_at_s.append(self._caller.sound_at_s[self._seen])
            self._seen += 1

    async def hears_after(self, at_s: float, timeout_s: float = 10) -> bool:
        """Wait for an audible packet after that loop time; return whether one came."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + timeout_s
        while not (self.audible_at_s and self.audible_at_s[-1] >= at_s):
            if loop.time() > end_s:
                return False
            await asyncio.sleep(0.005)
            self.listen()
        return True

    def silence_after(self, onset_s: float) -> list[float]:
        """Return how many ms after the onset the reply fell silent; nothing if it had ended."""
        self.listen()
        heard = [at for at in self.audible_at_s if at < onset_s + OVER_LIMIT_S]
        last = [
            a for a, b in itertools.pairwise([*heard, np.inf]) if b - a > QUIET_S and a > onset_s
        ]
        return [(last[0] - onset_s) * 1000] if last else []

    def forget(self) -> None:
        """Drop what was heard: the memory of a benchmark must not grow."""
        self.listen()
        self.audible_at_s.clear()
        self._caller.sound.clear()
        self._caller.sound_at_s.clear()
        self._seen = 0


async def say(caller: Caller, utterance: Utterance) -> tuple[float, float]:
    """Speak; return the loop times at which the first and last packet were handed over."""
    loop = asyncio.get_running_loop()
    start_s, end_s = caller.microphone.play(utterance.pcm)
    await asyncio.sleep(max(0.0, end_s - loop.time()))
    return start_s, end_s


async def one_turn(
    caller: Caller, ear: Ear, utterance: Utterance, over: Utterance | None, measured: Measured
) -> None:
    """Speak, wait for the reply, perhaps speak over it, note the times."""
    loop = asyncio.get_running_loop()
    ear.forget()
    caller.messages.clear()
    start_s, end_s = await say(caller, utterance)
    if not await ear.hears_after(end_s):
        measured.unanswered += 1
        return
    if any(start_s < at < end_s for at in ear.audible_at_s):
        measured.cut_early += 1  # a pause inside the recording was taken for its end
    else:
        first_s = next(at for at in ear.audible_at_s if at >= end_s)
        measured.first_sound.append((first_s - end_s) * 1000)
    if over is not None:
        await asyncio.sleep(OVER_S)
        onset_s, over_end_s = await say(caller, over)
        measured.silence.extend(ear.silence_after(onset_s))
        await ear.hears_after(over_end_s)  # the reply to what was said over the reply
    caller.send({"type": "interrupt"})
    trace = await caller.wait_for("trace", timeout_s=10)
    measured.drafts += trace["draft_used"]
    for name, at_ms in trace["marks_ms"].items():
        measured.stages.setdefault(name, []).append(at_ms)
    while loop.time() - ear.audible_at_s[-1] < GAP_S:
        await asyncio.sleep(0.02)
        ear.listen()


async def measure(address: str, utterances: list[Utterance], turns: int) -> Measured:
    """Make one call of so many turns."""
    measured = Measured()
    async with aiohttp.ClientSession() as http, Caller(address, http) as caller:
        await caller.call()
        for transceiver in caller.pc.getTransceivers():
            if transceiver.kind == "audio":
                install_mic_buffer(transceiver.receiver)
        await asyncio.sleep(1.0)
        ear = Ear(caller)
        for index in track(range(turns), description="turns"):
            over = utterances[(index + 1) % len(utterances)] if index % 2 else None
            await one_turn(caller, ear, utterances[index % len(utterances)], over, measured)
        caller.send({"type": "hang_up"})
    return measured


def main() -> None:
    """Measure and publish."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, help="folder of WAV recordings to speak")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--no-drafts", action="store_true", help="without speculation")
    arguments, flags = parser.parse_known_args()
    utterances = load_utterances(arguments.speech)
    drafts = str(not arguments.no_drafts).lower()
    with running_server(
        "--avatar.greeting", "false", "--endpointing.drafts", drafts, *flags
    ) as server:
        measured = asyncio.run(measure(server.address, utterances, arguments.turns))
    rows = [
        [name, str(len(values)), *(f"{percentile(values, p):.0f}" for p in (50, 90, 95))]
        for name, values in (
            ("end of speech → first sound at the caller", measured.first_sound),
            ("barge-in → silence at the caller", measured.silence),
            *((f"  stage: {name}", measured.stages.get(name, [])) for name in MARKS),
        )
    ]
    publish(
        "turn" if not arguments.no_drafts else "turn-no-drafts",
        ("what (ms)", "n", "p50", "p90", "p95"),
        rows,
        {
            "p50_ms": percentile(measured.first_sound, 50),
            "p95_ms": percentile(measured.first_sound, 95),
            "barge_in_p95_ms": percentile(measured.silence, 95),
            "turns": arguments.turns,
            "drafts_used": measured.drafts,
            "cut_early": measured.cut_early,
            "unanswered": measured.unanswered,
        },
    )


if __name__ == "__main__":
    main()
