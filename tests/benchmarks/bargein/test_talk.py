"""A reaction of known size is the reaction reported: a scripted avatar, sample-exact sound."""

import asyncio
import json
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from av import AudioFrame

from rt_avatar.benchmarks.bargein.talk import Event, Talk
from rt_avatar.benchmarks.bargein.verdict import Verdict, judge
from rt_avatar.benchmarks.peer.media import BLOCK, BLOCK_S
from rt_avatar.benchmarks.peer.video_meter import BOTTOM, LEFT, MARGIN, RIGHT, TOP, Seen
from tests.benchmarks.scripted_caller import make_caller
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

RATE = 48_000
NOTHING = np.zeros(0, np.int16)
USUAL_S = -0.04  # the scripted avatar counts one tick of 40 ms ahead, and its line takes no time
TONE = (8_000 * np.cos(np.arange(2 * RATE) * 2 * np.pi * 500 / RATE)).astype(np.int16)


@dataclass
class Script:
    """What the avatar does at a voice: so long after its onset, and for so long."""

    act: Literal["stop", "pause", "ignore", "discard"]
    after_s: float = 0.0
    for_s: float = 0.0
    reply_s: float = 8.0
    pause: tuple[float, float] = (0.0, 0.0)  # of the reply's own, in its time


def mouth(gap: int) -> np.ndarray:
    """A dark line between lips: (height, width) as ``video_meter`` cuts it, ``gap`` pixels open."""
    luma = np.full((BOTTOM - TOP + 2 * MARGIN, RIGHT - LEFT + 2 * MARGIN), 180, np.float32)
    middle = luma.shape[0] // 2
    luma[middle - 9 : middle + 9, 30:-30] = 120
    luma[middle - 1 - gap : middle + 1 + gap, 30:-30] = 40
    return luma


class ScriptedAvatar:
    """Answers every text with a tone and reacts to the microphone as its script says."""

    kind = "audio"

    def __init__(self, caller, script: Script) -> None:
        self._caller = caller
        self._script = script
        self._turn = 0
        self._play_s: float | None = None  # since when it plays
        self._silent_s = (np.inf, np.inf)  # paused between these
        self._stop_s = np.inf
        self._due_s = asyncio.get_running_loop().time() + 0.0071
        caller.send = self.take

    # --- the data channel ---
    def take(self, message) -> None:
        loop = asyncio.get_running_loop()
        if message["type"] == "text":
            self._turn += 1
            self._stop_s, self._silent_s = np.inf, (np.inf, np.inf)
            loop.call_later(0.2, self._begin)
        elif self._play_s is not None:
            self._end(self._played_s(loop.time()))

    def tell(self, **message) -> None:
        self._caller._on_message(json.dumps({"turn": self._turn, **message}))

    def _begin(self) -> None:
        self._play_s = asyncio.get_running_loop().time()
        self.tell(type="state", state="speaking")

    def _end(self, played_s: float | None) -> None:
        if self._play_s is None:
            return
        self._play_s = None
        if self._script.act != "discard":
            played_ms = None if played_s is None else 1000 * played_s
            self.tell(type="trace", interrupted_at_ms=played_ms)
        self.tell(type="state", state="listening")

    def _played_s(self, now_s: float) -> float:
        """Position in the reply, one tick ahead; a pause takes its own length away."""
        now_s = min(now_s, self._stop_s)
        paused_s = max(0.0, min(now_s, self._silent_s[1]) - min(now_s, self._silent_s[0]))
        return now_s - self._play_s - paused_s + 0.04

    # --- the microphone ---
    async def listen(self) -> None:
        loop = asyncio.get_running_loop()
        was_voiced = False
        while True:
            frame = await self._caller.microphone.recv()
            pcm = np.frombuffer(bytes(frame.planes[0]), np.int16)[:BLOCK]
            (voiced,) = np.nonzero(pcm)
            if len(voiced) and not was_voiced and self._play_s is not None:
                onset_s = loop.time() - BLOCK_S + voiced[0] / RATE
                self._react(loop, onset_s + self._script.after_s)
            was_voiced = bool(len(voiced))

    def _react(self, loop, at_s: float) -> None:
        script = self._script
        if script.act in ("stop", "discard"):
            self._stop_s = at_s
            loop.call_at(at_s + 0.3, lambda: self._end(self._played_s(at_s)))
        elif script.act == "pause":
            self._silent_s = (at_s, at_s + script.for_s)

    # --- the pictures ---
    async def show(self, talk: Talk) -> None:
        """Show a mouth that is open while the sound sounds, 25 times a second."""
        while True:
            await asyncio.sleep(0.04)
            now_s = asyncio.get_running_loop().time()
            is_open = bool(self._sound(now_s)[0])
            talk._video_meter.pictures.append(Seen(now_s, mouth(7 if is_open else 0)))

    # --- the sound ---
    async def recv(self) -> AudioFrame:
        loop = asyncio.get_running_loop()
        self._due_s += BLOCK_S
        await asyncio.sleep(self._due_s - loop.time())
        pcm = self._sound(loop.time())
        if self._play_s is not None and self._played_s(loop.time()) > self._script.reply_s:
            self._end(None)
        frame = AudioFrame(format="s16", layout="stereo", samples=BLOCK)
        frame.planes[0].update(np.repeat(pcm, 2).tobytes())
        frame.sample_rate = RATE
        return frame

    def _sound(self, now_s: float) -> np.ndarray:
        """The 20 ms that are heard from now on."""
        at_s = now_s + np.arange(BLOCK) / RATE
        if self._play_s is None:
            return np.zeros(BLOCK, np.int16)
        sounds = (at_s >= self._play_s) & (at_s < self._stop_s)
        sounds &= (at_s < self._silent_s[0]) | (at_s >= self._silent_s[1])
        pause = self._play_s + np.array(self._script.pause)
        sounds &= (at_s < pause[0]) | (at_s >= pause[1])
        return np.where(sounds, 9_000, 0).astype(np.int16)


def play_over(script: Script, pcm=TONE, after_s: float = 1.5, times: int = 1) -> Verdict:
    """Let one thing happen over the scripted avatar's reply; return the (last) verdict."""

    async def main(loop):
        async with make_caller() as caller:
            avatar = ScriptedAvatar(caller, script)
            caller.start(avatar.listen())
            caller.start(caller._keep_sound(avatar))
            talk = Talk(caller)
            caller.start(avatar.show(talk))
            for _ in range(times):
                timeline = await talk.play_over("Hello.", Event("", "", pcm, after_s, 1.0))
            return None if timeline is None else judge(timeline, USUAL_S)

    return run_virtual(main)


@pytest.mark.parametrize("delay_ms", [60, 118, 131.5, 200, 450, 999])
def test_a_known_silence_after_the_onset_is_the_silence_reported(delay_ms: float):
    verdict = play_over(Script("stop", delay_ms / 1000))
    assert verdict.outcome == "stopped"
    assert not verdict.is_hidden
    assert verdict.silence_s == pytest.approx(delay_ms / 1000, abs=0.001)
    assert not verdict.is_missed


@pytest.mark.parametrize("delay_ms", [60, 118, 200, 450])
def test_a_mouth_that_closes_is_reported_with_its_first_closed_picture(delay_ms: float):
    verdict = play_over(Script("stop", delay_ms / 1000))
    assert -1e-6 < verdict.mouth_s - delay_ms / 1000 < 0.0401


def test_a_stop_that_comes_too_late_is_missed():
    verdict = play_over(Script("stop", 1.3))
    assert verdict.silence_s == pytest.approx(1.3, abs=0.001)
    assert verdict.is_missed


@pytest.mark.parametrize("paused_s", [0.15, 0.5, 1.1])
def test_a_pause_that_is_resumed_loses_its_own_length(paused_s: float):
    verdict = play_over(Script("pause", 0.1, paused_s))
    assert verdict.outcome == "paused"
    assert verdict.lost_s == pytest.approx(paused_s, abs=0.03)
    assert verdict.is_missed


def test_a_reply_that_goes_on_as_if_nothing_was_said_is_left():
    verdict = play_over(Script("ignore"))
    assert verdict.outcome == "untouched"
    assert verdict.is_missed


def test_a_pause_of_the_reply_is_no_hold():
    assert play_over(Script("ignore", pause=(1.6, 2.3))).outcome == "untouched"


def test_a_stop_within_a_pause_is_hidden():
    verdict = play_over(Script("stop", 0.25, pause=(1.55, 2.3)))
    assert verdict.outcome == "stopped"
    assert verdict.is_hidden


def test_a_voice_begins_while_the_reply_is_heard():
    verdict = play_over(Script("stop", 0.15, pause=(1.3, 1.9)))  # the event was meant for 1.5 s
    assert not verdict.is_hidden
    assert verdict.silence_s == pytest.approx(0.15, abs=0.001)


def test_nothing_happens_to_a_reply_to_which_nothing_happens():
    assert play_over(Script("ignore"), NOTHING).outcome == "untouched"


def test_a_reply_that_was_discarded_without_a_trace_counts_as_stopped():
    verdict = play_over(Script("discard", 0.1))
    assert verdict.outcome == "stopped"
    assert verdict.silence_s == pytest.approx(0.1, abs=0.001)


def test_a_reply_that_ends_by_itself_tells_nothing():
    assert play_over(Script("ignore", reply_s=2.0)).outcome == "finished"


def test_an_avatar_that_says_nothing_is_waited_for_and_left():
    async def main(loop):
        async with make_caller() as caller:
            avatar = ScriptedAvatar(caller, Script("ignore"))
            avatar.take = caller.send = lambda message: None
            caller.start(avatar.listen())
            caller.start(caller._keep_sound(avatar))
            return await Talk(caller).play_over("Hello.", Event("", "", TONE, 1.0, 1.0))

    assert run_virtual(main) is None


def test_one_reply_after_the_other_is_measured_alike():
    assert play_over(Script("stop", 0.131), times=3).silence_s == pytest.approx(0.131, abs=0.001)
