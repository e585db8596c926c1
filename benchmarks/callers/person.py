"""A benchmark's caller: talks and types as a person does, and notes what comes of it.

It calls, speaks in turns or types, interrupts, comes back on a bad line; what it noticed since the
last time is a ``Record``. Who tells it what to do is ``process``.
"""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiortc.exceptions import InvalidStateError

from rt_avatar.benchmarks.callers.camera import point_camera
from rt_avatar.benchmarks.callers.record import Record
from rt_avatar.benchmarks.callers.rtp_flow import RtpTap
from rt_avatar.benchmarks.peer.audio_meter import AudioMeter, spoken_at_s
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.impairment import PacketCounts, impair
from rt_avatar.benchmarks.speech import SENTENCES, Utterance
from rt_avatar.signaling.mic_buffer import install_mic_buffer

GAP_S: Final = 0.8  # silence between turns: longer than any break inside a reply
# A reply is heard so long, then interrupted: about the length of an utterance, so that a caller
# speaks and is spoken to for equal times, as in a conversation.
REPLY_LIMIT_S: Final = 4.0
ANSWER_LIMIT_S: Final = 10.0  # who hears nothing for so long is not answered
TYPED_GAP_S: Final = 0.15  # silence before typing again: what was on the way has come
LAG_PERIOD_S: Final = 0.1
TIDY_TICKS: Final = 10  # what an idle caller hears is dropped every second
TOLD: Final = 12  # messages kept of a turn that stayed unanswered
RETRY_S: Final = 3.0  # as the page tries again on a bad line
BROKEN: Final = (AssertionError, ConnectionError, InvalidStateError, aiohttp.ClientError)


@dataclass(frozen=True, slots=True)
class Job:
    """Who calls, and how.

    Attributes:
        address: Of the server.
        first: Which utterance is spoken first.
        speech: Folder of recordings; empty for the built-in sentences.
        camera: A video to show; empty for one colour.
        loss: Share of packets lost each way, 0..1.
        jitter_s: Packets sent are delayed by up to so many seconds.
    """

    address: str
    first: int = 0
    speech: str = ""
    camera: str = ""
    loss: float = 0.0
    jitter_s: float = 0.0

    def as_json(self) -> str:
        """Return it as the process takes it."""
        return json.dumps(asdict(self))


class Person:
    """A caller who can talk, type and rest. One call at a time."""

    def __init__(
        self, job: Job, caller: Caller, utterances: list[Utterance], group: asyncio.TaskGroup
    ) -> None:
        self._job = job
        self._caller = caller
        self._audio_meter = AudioMeter(caller)
        self._group = group
        self._utterances = itertools.cycle(
            utterances[job.first % len(utterances) :] + utterances[: job.first % len(utterances)]
        )
        self._working: asyncio.Task[None] | None = None
        self._is_idle = False
        self._record = Record()
        self._tap = RtpTap()
        self._line = PacketCounts()
        self._pictures_counted = 0
        self._soundings_counted = 0

    # --- commands -----------------------------------------------------------------------------
    async def call(self) -> None:
        """Call and be connected.

        Raises:
            AssertionError: It was refused; the text says why.
        """
        await self._caller.call()
        self._prepare()
        self._is_idle = True

    async def hang_up(self) -> None:
        """End the call, if there is one, and close the connection."""
        if self._caller.pc is None:
            return
        await self.rest()
        self._is_idle = False
        self._caller.messages.clear()
        with suppress(*BROKEN, TimeoutError):
            self._caller.send({"type": "hang_up"})
            await self._caller.wait_for("bye", timeout_s=5)
        await self._caller.drop()
        self._caller.messages.clear()
        self._forget()

    def talk(self) -> None:
        """Speak, hear the reply, speak again, until told to rest."""
        self._begin(lambda index: self._spoken_turn(hears_all=True))

    def type(self, period_s: float, spoken_every: int) -> None:
        """Type a sentence each ``period_s`` and interrupt the reply; speak every so many turns."""
        loop = asyncio.get_running_loop()
        begin_s = loop.time()

        async def turn(index: int) -> None:
            await asyncio.sleep(begin_s + index * period_s - loop.time())
            if spoken_every and index % spoken_every == spoken_every - 1:
                await self._spoken_turn(hears_all=False)
            else:
                await self._typed_turn(index)

        self._begin(turn)

    async def rest(self) -> None:
        """Stop talking; the reply is interrupted."""
        working, self._working = self._working, None
        if working is not None:
            working.cancel()
            await asyncio.wait({working})
            with suppress(*BROKEN):
                self._caller.send({"type": "interrupt"})
        self._caller.microphone.play(self._caller.microphone.pcm[:0])
        self._is_idle = True

    def report(self) -> Record:
        """Return what was noticed since the last time."""
        self._count_soundings()
        record, self._record = self._record, Record()
        record.audio, record.video = self._tap.audio.take(), self._tap.video.take()
        record.pictures = self._caller.pictures - self._pictures_counted
        self._pictures_counted = self._caller.pictures
        line = self._line
        record.packets = line.sent + line.received
        record.packets_lost = line.sent_lost + line.received_lost
        line.sent = line.received = line.sent_lost = line.received_lost = 0
        return record

    async def watch_itself(self) -> None:
        """Note how late its own event loop wakes up, and keep nothing while idle; for ever."""
        loop = asyncio.get_running_loop()
        while True:
            for _ in range(TIDY_TICKS):
                due_s = loop.time() + LAG_PERIOD_S
                await asyncio.sleep(LAG_PERIOD_S)
                self._record.lag_ms.append(1000 * max(0.0, loop.time() - due_s))
            if self._is_idle:
                self._forget()

    # --- turns --------------------------------------------------------------------------------
    async def _spoken_turn(self, *, hears_all: bool) -> None:
        loop = asyncio.get_running_loop()
        caller, audio_meter = self._caller, self._audio_meter
        self._forget()
        utterance = next(self._utterances)
        start_s, _ = caller.microphone.play(utterance.pcm)
        begin_s, end_s = spoken_at_s(start_s, 0), spoken_at_s(start_s, len(utterance.pcm))
        await asyncio.sleep(end_s - loop.time())
        first_s = await audio_meter.hears_after(end_s, ANSWER_LIMIT_S)
        if first_s is None:
            self._note_unanswered(f"spoke {utterance.name}")
        elif audio_meter.heard_between(begin_s, end_s):
            self._record.cut_early += 1
        else:
            self._record.spoken_ms.append(1000 * (first_s - end_s))
        if not hears_all or not await audio_meter.falls_silent(GAP_S, REPLY_LIMIT_S):
            caller.send({"type": "interrupt"})
            await audio_meter.falls_silent(GAP_S, ANSWER_LIMIT_S)

    async def _typed_turn(self, index: int) -> None:
        loop = asyncio.get_running_loop()
        caller, audio_meter = self._caller, self._audio_meter
        await audio_meter.falls_silent(TYPED_GAP_S, ANSWER_LIMIT_S)
        self._forget()
        sent_s = loop.time()
        sentence = SENTENCES[index % len(SENTENCES)]
        caller.send({"type": "text", "text": f"{sentence} That is number {index}."})
        first_s = await audio_meter.hears_after(sent_s, ANSWER_LIMIT_S)
        if first_s is None:
            self._note_unanswered(f"typed {sentence}")
        else:
            self._record.typed_ms.append(1000 * (first_s - sent_s))
        caller.send({"type": "interrupt"})
        await caller.wait_for("trace", timeout_s=ANSWER_LIMIT_S)

    # --- inside -------------------------------------------------------------------------------
    def _note_unanswered(self, did: str) -> None:
        """Count a turn without an answer, with what the server told since it began."""
        self._record.unanswered += 1
        told = [word for word in map(_in_short, self._caller.messages) if word][-TOLD:]
        self._record.silences.append(f"{did}; told: {', '.join(told) or 'nothing'}")

    def _begin(self, turn: Callable[[int], Awaitable[None]]) -> None:
        assert self._working is None, "it must rest before it does something else"
        self._is_idle = False
        self._working = self._group.create_task(self._work(turn))

    async def _work(self, turn: Callable[[int], Awaitable[None]]) -> None:
        for index in itertools.count():
            try:
                await turn(index)
            except TimeoutError:
                self._note_unanswered("waited for the end of a turn")
            except BROKEN:
                await self._come_back()

    async def _come_back(self) -> None:
        """The connection is gone: offer again, as the page does; if that fails, call anew."""
        self._record.reconnects += 1
        connect = self._caller.connect
        while True:
            try:
                await self._caller.drop()
                self._caller.messages.clear()
                await connect()
                break
            except (*BROKEN, TimeoutError):
                self._record.new_calls += 1
                connect = self._caller.call
                await asyncio.sleep(RETRY_S)
        self._prepare()

    def _prepare(self) -> None:
        """Make a new connection measurable, and as bad as it should be."""
        pc = self._caller.pc
        for transceiver in pc.getTransceivers():
            if transceiver.kind == "audio":
                install_mic_buffer(transceiver.receiver)
        self._tap = RtpTap()
        self._tap.watch(pc)
        if self._job.camera:
            point_camera(pc, Path(self._job.camera))
        if self._job.loss or self._job.jitter_s:
            self._line = impair(self._caller, self._job.loss, self._job.jitter_s, self._job.first)

    def _count_soundings(self) -> None:
        self._audio_meter.listen()
        self._record.soundings += len(self._audio_meter.soundings) - self._soundings_counted
        self._soundings_counted = len(self._audio_meter.soundings)

    def _forget(self) -> None:
        """Drop what was heard and told: a benchmark must not grow."""
        self._count_soundings()
        self._audio_meter.forget()
        self._soundings_counted = 0
        self._caller.messages.clear()


def _in_short(message: Mapping[str, Any]) -> str:
    """Return what a message says of turns; empty if it says nothing of them."""
    match message:
        case {"type": "state", "state": state}:
            return str(state)
        case {"type": "caption", "final": True, "role": role, "text": text}:
            return f'{role} "{text}"'
        case {"type": "notice", "code": code}:
            return f"notice {code}"
        case {"type": "trace" | "plan" as kind}:
            return str(kind)
        case _:
            return ""
