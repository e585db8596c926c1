"""Turns in a browser: a tape plays as Chromium's microphone, the page is measured.

The tape cannot wait: utterance, gap, next. So that the avatar is silent at the next one, it is
interrupted a little after it began to speak; a reply later than ``ANSWER_S`` is none.
"""

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rt_avatar.benchmarks.browser.analysis import first_mouth_motion, first_sound, locate_tape
from rt_avatar.benchmarks.browser.call import BrowserCall, opened_call
from rt_avatar.benchmarks.browser.chromium import running_chromium
from rt_avatar.benchmarks.browser.readings import Readings, between, join
from rt_avatar.benchmarks.browser.tape import MicTape, Spoken
from rt_avatar.benchmarks.speech import Utterance
from rt_avatar.benchmarks.turn.outcome import ANSWER_S, Turn, Witness, judge
from rt_avatar.engines.types import WIRE_RATE_HZ
from rt_avatar.errors import SetupError

GAP_S: Final = 4.5  # from the end of one voice to the beginning of the next
# The tape begins at the click, the meter when pictures come: within 2 s on an idle machine. What is
# said before is not found again.
LEAD_S: Final = 8.0
# So long after a reply began it is interrupted: its sound and its mouth have been seen by then, and
# even the latest one has been silent for a while when the next utterance begins.
LISTEN_S: Final = 1.2
POLL_S: Final = 0.2  # often enough to interrupt in time, seldom enough not to disturb
END_S: Final = 2.0  # the tape goes on so long after the last gap


def make_tape(utterances: Sequence[Utterance]) -> MicTape:
    """Return a tape with all of them, their voices ``GAP_S`` apart."""
    tape = MicTape().silence(LEAD_S)
    noise_s = 0.0  # of the utterance before, after its voice
    for index, one in enumerate(utterances):
        lead_s = one.begin / WIRE_RATE_HZ
        if index:
            tape.silence(max(0.0, GAP_S - noise_s - lead_s))
        tape.speak(one.pcm, one.name)
        noise_s = (len(one.pcm) - one.end) / WIRE_RATE_HZ
    return tape.silence(GAP_S + END_S)


@dataclass(slots=True)
class Watch:
    """What is known of a call so far: keeps readings, judges turns as they are over.

    Attributes:
        utterances: Those on the tape.
        tape: With them.
        turns: Judged so far.
        lost: Names of utterances that were not found in what the microphone heard.
    """

    utterances: Sequence[Utterance]
    tape: MicTape
    turns: list[Turn] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    _kept: list[Readings] = field(default_factory=list)
    # Of the tape on the page's clock; until an utterance was found, the latest it can be.
    _offset_s: float | None = None
    _is_located: bool = False
    _speaks_since_s: float | None = None  # that nobody has interrupted yet

    @property
    def is_over(self) -> bool:
        """Whether all utterances have been said and waited for."""
        return len(self.turns) + len(self.lost) == len(self.utterances)

    def take(self, readings: Readings) -> bool:
        """Take what came; return whether the avatar is to be interrupted now."""
        if not len(readings.mic.at_s):
            return False
        self._kept.append(readings)
        now_s = float(readings.mic.at_s[-1])
        if self._offset_s is None:  # the microphone was opened before
            self._offset_s = float(readings.mic.at_s[0])
        for message in readings.messages:
            if message.data["type"] == "state":
                speaks = message.data["state"] == "speaking"
                self._speaks_since_s = message.at_s if speaks else None
        self._judge(now_s, self._offset_s)
        if self._speaks_since_s is None or now_s < self._speaks_since_s + LISTEN_S:
            return False
        self._speaks_since_s = None
        return True

    def _judge(self, now_s: float, offset_s: float) -> None:
        """Judge the next turn if it is over."""
        index = len(self.turns) + len(self.lost)
        if self.is_over:
            return
        utterance = self.utterances[index]
        voice = voice_of(utterance, self.tape.spoken[index])
        if now_s < offset_s + voice.end_s + ANSWER_S + LISTEN_S:
            return
        readings = join(self._kept)
        near_s = offset_s + voice.start_s if self._is_located else None
        located = locate_tape(readings.mic, self.tape.pcm, voice, near_s)
        if located is None:
            self.lost.append(utterance.name)
            return
        self._offset_s, self._is_located = located.start_s - voice.start_s, True
        self.turns.append(judge_readings(utterance, readings, located.start_s, located.end_s))
        self._kept = [_since(readings, located.end_s)]


def voice_of(utterance: Utterance, spoken: Spoken) -> Spoken:
    """Return where the voice of an utterance is on the tape, without the noise around it.

    By the voice it is found again: noise is what a browser takes away.
    """
    begin_s, end_s = utterance.begin / WIRE_RATE_HZ, utterance.end / WIRE_RATE_HZ
    return Spoken(spoken.name, spoken.start_s + begin_s, spoken.start_s + end_s)


def judge_readings(utterance: Utterance, readings: Readings, begin_s: float, end_s: float) -> Turn:
    """Say what became of an utterance whose voice was between these page times."""
    remote = readings.remote
    inside = first_sound(between(remote, begin_s, end_s), begin_s)
    behind = first_sound(between(remote, end_s, end_s + ANSWER_S), end_s)
    sounds = [(at_s, at_s) for at_s in (inside, behind) if at_s is not None]
    moved_s = first_mouth_motion(readings.pictures, end_s)
    messages = [(one.at_s, one.data) for one in readings.messages if one.at_s > begin_s]
    witness = Witness(begin_s, end_s, sounds, moved_s, messages)
    return judge(utterance.name, utterance.variant, witness)


def _since(readings: Readings, begin_s: float) -> Readings:
    """Return what is not older than that."""
    forever = float("inf")
    return Readings(
        mic=between(readings.mic, begin_s, forever),
        remote=between(readings.remote, begin_s, forever),
        pictures=between(readings.pictures, begin_s, forever),
        decoded=between(readings.decoded, begin_s, forever),
        messages=[message for message in readings.messages if message.at_s >= begin_s],
        lost=readings.lost,
    )


async def hold_in_browser(
    address: str, utterances: Sequence[Utterance], done: Callable[[Turn], None]
) -> tuple[list[Turn], list[str]]:
    """Hold one call in a browser and let it speak the utterances.

    Args:
        address: Of the server.
        utterances: What to say.
        done: Called after each turn.

    Returns:
        The turns, and what must be known of how they were measured.

    Raises:
        SetupError: No browser is installed, or nothing that was said was heard in it.
    """
    watch = Watch(utterances, make_tape(utterances))
    with tempfile.TemporaryDirectory(prefix="rt-avatar-bench-") as folder:
        mic = watch.tape.write(Path(folder) / "mic.wav")
        async with running_chromium(mic) as browser, opened_call(browser, address) as call:
            await call.start()
            await _watch(call, watch, done)
            stats = await call.stats()
            await call.end()
    if not watch.turns:
        raise SetupError(
            "benchmark turn: expected to find the tape in the browser's microphone, found nothing; "
            "the machine may be too busy: stop what else runs, or use --peer"
        )
    notes = [
        f"The browser held sound {stats.sound_delay_s * 1000:.0f} ms and pictures "
        f"{stats.picture_delay_s * 1000:.0f} ms in its jitter buffers, in the mean. Its output "
        f"adds {stats.output_latency_s * 1000:.0f} ms, which is not in the times; nor are "
        "loudspeaker and microphone."
    ]
    if watch.lost:
        notes.append(f"Not found again in the microphone: {', '.join(watch.lost)}.")
    return watch.turns, notes


async def _watch(call: BrowserCall, watch: Watch, done: Callable[[Turn], None]) -> None:
    """Drain, judge and interrupt until the tape has ended."""
    loop = asyncio.get_running_loop()
    give_up_s = loop.time() + watch.tape.length_s + 2 * GAP_S
    while not watch.is_over and loop.time() < give_up_s:
        await asyncio.sleep(POLL_S)
        known = len(watch.turns)
        if watch.take(await call.drain()):
            await call.send({"type": "interrupt"})
        for turn in watch.turns[known:]:
            done(turn)
