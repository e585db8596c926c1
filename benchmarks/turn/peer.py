"""Turns with a caller without a browser: the peer's form of ``turn``."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Final

import aiohttp

from rt_avatar.benchmarks.peer.audio_meter import AudioMeter, spoken_at_s
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.unbuffered import remove_buffers
from rt_avatar.benchmarks.peer.video_meter import VideoMeter
from rt_avatar.benchmarks.speech import Utterance, voiced_runs
from rt_avatar.benchmarks.turn.outcome import ANSWER_S, Message, Turn, Witness, judge

SETTLE_S: Final = 1.0  # after connecting: the first key frame, an estimate of the line
GAP_S: Final = 0.8  # silence between turns
# After a reply into a pause the rest of the utterance may still get one of its own.
LONG_GAP_S: Final = 2.0
MOUTH_S: Final = 1.0  # the mouth follows the sound within 40 ms, or it does not move
# −70 dBFS: a quiet room. Digital zero would be no microphone's.
HISS_DB: Final = -70.0


class PeerTalk:
    """One call of a caller who speaks utterances and interrupts each reply."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._audio_meter, self._video_meter = AudioMeter(caller), VideoMeter(caller)
        self._messages: list[tuple[float, Message]] = []
        caller.microphone.hiss_db = HISS_DB
        caller.channel.on("message", self._note)

    def _note(self, text: str) -> None:
        self._messages.append((asyncio.get_running_loop().time(), json.loads(text)))

    async def turn(self, utterance: Utterance) -> Turn:
        """Speak, listen to the beginning of the reply, silence the avatar."""
        caller, audio_meter = self._caller, self._audio_meter
        audio_meter.forget()
        self._video_meter.forget()
        self._messages.clear()
        caller.messages.clear()
        start_s, _ = caller.microphone.play(utterance.pcm)
        begin_s = spoken_at_s(start_s, utterance.begin)
        end_s = spoken_at_s(start_s, utterance.end)
        await asyncio.sleep(max(0.0, end_s - asyncio.get_running_loop().time()))
        heard_s = await audio_meter.hears_after(end_s, ANSWER_S)
        is_early = audio_meter.heard_between(begin_s, end_s)
        moved_s = None
        if heard_s is not None and not is_early:
            moved_s = await self._video_meter.moves_after(end_s, MOUTH_S)
        caller.send({"type": "interrupt"})
        if heard_s is not None and not is_early:
            await caller.wait_for("trace")
        sounds = [(one.begin_s, one.end_s) for one in audio_meter.soundings]
        voiced = [
            (spoken_at_s(start_s, begin), spoken_at_s(start_s, end))
            for begin, end in voiced_runs(utterance)
        ]
        witness = Witness(begin_s, end_s, sounds, moved_s, self._messages, voiced)
        result = judge(utterance.name, utterance.variant, witness)
        if result.verdict != "unanswered":
            await self._calm_down(LONG_GAP_S if result.verdict == "early" else GAP_S)
        return result

    async def _calm_down(self, gap_s: float) -> None:
        """Wait until nothing is said any more, by neither side."""
        await self._caller.until(lambda: self._caller.microphone.has_finished)
        while not await self._audio_meter.falls_silent(gap_s, timeout_s=2 * gap_s):
            self._caller.send({"type": "interrupt"})


async def hold(
    address: str, utterances: Sequence[Utterance], done: Callable[[Turn], None]
) -> list[Turn]:
    """Call and speak the utterances, one after the other; call anew after one without an answer.

    Args:
        address: Of the server.
        utterances: What to say.
        done: Called after each turn.

    Raises:
        LibraryChangedError: This version of aiortc cannot be measured.
    """
    turns: list[Turn] = []
    async with aiohttp.ClientSession() as http:
        while len(turns) < len(utterances):
            turns += await _one_call(address, http, utterances[len(turns) :], done)
    return turns


async def _one_call(
    address: str,
    http: aiohttp.ClientSession,
    utterances: Sequence[Utterance],
    done: Callable[[Turn], None],
) -> list[Turn]:
    """Speak until an answer does not come: whenever it would, it belongs to nothing any more."""
    turns: list[Turn] = []
    async with Caller(address, http) as caller:
        await caller.call()
        remove_buffers(caller)
        talk = PeerTalk(caller)
        await asyncio.sleep(SETTLE_S)
        for utterance in utterances:
            turns.append(await talk.turn(utterance))
            done(turns[-1])
            if turns[-1].verdict == "unanswered":
                break
        caller.send({"type": "hang_up"})
        await caller.until(lambda: caller.count("bye") > 0)
    return turns
