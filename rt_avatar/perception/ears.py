"""Hearing: ``MicChunk`` → ``Endpoint`` and ``Transcript``.

Two tasks: one follows every 32 ms window (voice activity, prosody, echo, endpointing), the other
feeds the recogniser, which is slower and has its own thread. It decides nothing about replies.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engines.echo import EchoDetector
from engines.types import HEARING_RATE_HZ, Pcm
from rt_avatar.config.settings import EndpointingSettings
from rt_avatar.engine_room.engines import Engines
from rt_avatar.messages import Endpoint, MicChunk, Transcript, TurnId
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.capture import InletBuffer
from rt_avatar.perception.endpointing import Endpointer, EndpointingFrame
from rt_avatar.perception.remembered import RememberedSound
from rt_avatar.perception.speech_level import SpeechLevel
from rt_avatar.perception.utterance import ECHO_LIKENESS
from rt_avatar.playout.echo_reference import EchoReference

_log = logging.getLogger(__name__)

# Sound before the detected onset that the recogniser also gets: detection takes ~100 ms and soft
# first consonants come up to 200 ms before the energy that triggers it.
# Of a pause the same is enough: what came before it was silence.
KEPT_SAMPLES: Final = int(0.4 * HEARING_RATE_HZ)


@dataclass(frozen=True, slots=True)
class _Ask:
    """A question to the recogniser's task, answered with words and sound in the sound's order."""

    answer: asyncio.Future[tuple[str, Pcm | None]]
    is_final: bool


class Ears:
    """One caller's hearing. ``run`` for as long as the session lasts.

    Responsibilities: 1. windows → endpoints; 2. utterance sound → recogniser → transcripts;
    3. the voice's part of the affect. ``tell`` gets what it finds, in order.
    """

    def __init__(
        self,
        settings: EndpointingSettings,
        engines: Engines,
        inlet: InletBuffer,
        reference: EchoReference,
        affect: AffectEstimator,
        tell: Callable[[Endpoint | Transcript], None],
    ) -> None:
        self.endpointer = Endpointer(settings)
        self._engines = engines
        self._inlet = inlet
        self._reference = reference
        self._affect = affect
        self._tell = tell
        self._vad = engines.vad.open()
        self._prosody = engines.prosody.open()
        self._echo = EchoDetector()
        self._level = SpeechLevel()
        self._recogniser = engines.recogniser.open()
        self._lane = engines.recogniser_worker.lane()
        self._kept: deque[Pcm] = deque()  # sound before an utterance, or in a pause
        self.utterance_start: int | None = None  # its first sample; None: there is none now
        self._is_pausing = False  # after a draft
        self._hears_over_reply = not settings.barge_in
        self._text = ""
        self._has_failed = False  # the recogniser, in its utterance; told once
        self._spoken = RememberedSound()  # of the recogniser's utterance
        self.pts = 0  # microphone sample up to which was heard
        self._heard_at_s = 0.0  # loop time at which `pts` was heard
        # 10 s of sound. Full (the recogniser is that far behind): block, words must not be lost.
        self._sound: asyncio.Queue[Pcm | _Ask] = asyncio.Queue(maxsize=500)

    async def run(self) -> None:
        """Listen until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._follow())
                group.create_task(self._recognise())
        finally:
            for stream in (self._vad, self._prosody, self._recogniser):
                stream.close()
            self._lane.close(wait=False)

    @property
    def _is_in_utterance(self) -> bool:
        return self.utterance_start is not None

    def loop_time(self, pts: int) -> float:
        """Return when the microphone sample ``pts`` was heard, in the loop's time."""
        return self._heard_at_s - (self.pts - pts) / HEARING_RATE_HZ

    async def transcript(self, turn: TurnId, *, is_final: bool) -> Transcript:
        """Wait until all sound so far is recognised and return the words.

        With ``is_final`` the utterance ends: the recogniser then begins a new one.
        """
        answer: asyncio.Future[tuple[str, Pcm | None]] = asyncio.get_running_loop().create_future()
        await self._sound.put(_Ask(answer, is_final))
        text, sound = await answer
        # No partial of it is later than this.
        return Transcript(turn, self.pts, text, is_final, sound=sound)

    # --- windows ------------------------------------------------------------------------------
    async def _follow(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            chunk = await self._inlet.read_chunk()
            self._heard_at_s = loop.time()
            self.pts = chunk.pts + len(chunk.pcm)
            far = self._reference.take(len(chunk.pcm))
            frames = await self._engines.ear_worker.call(self._analyse, chunk, far)
            await self._collect(chunk.pcm)
            for frame in frames:
                for endpoint in self.endpointer.push(frame):
                    await self._on_endpoint(endpoint)
            if self._is_in_utterance and self.endpointer.voice_start is None:
                await self._forget()
                self._tell(Endpoint(TurnId(0), self.pts, "false_start"))
            elif self._hears_over_reply and self.endpointer.voice_start is not None:
                # Without barge-in the utterance is announced only when the reply has ended.
                await self._begin_utterance()

    def _analyse(self, chunk: MicChunk, far: Pcm) -> list[EndpointingFrame]:
        """Voice activity, prosody and echo of one chunk; runs on the ear's thread."""
        windows = self._vad.push(chunk.pcm)
        prosody = self._prosody.push(chunk.pcm)
        echoes = self._echo.push(chunk.pcm, far)
        frames: list[EndpointingFrame] = []
        for index, (window, sound) in enumerate(zip(windows, prosody, strict=True)):
            echo = echoes[index] if index < len(echoes) else 0.0
            probability, is_guess = self._level.weigh(
                window.probability,
                sound,
                is_over_reply=self.endpointer.is_playing and echo < ECHO_LIKENESS,
            )
            is_speech = probability >= 0.5 and not is_guess and echo < ECHO_LIKENESS
            self._affect.update_voice(sound, is_speech=is_speech)
            frames.append(
                EndpointingFrame(
                    pts=sound.pts,
                    speech_probability=probability,
                    energy_db=sound.energy_db,
                    is_hum=sound.is_hum,
                    f0_slope=sound.f0_slope,
                    echo=echo,
                    is_guess=is_guess,
                )
            )
        return frames

    # --- words --------------------------------------------------------------------------------
    async def _collect(self, pcm: Pcm) -> None:
        """Give sound to the recogniser during an utterance, else keep the last of it.

        After a draft it is only kept: recognisers make words of the silence that follows, and the
        draft would no longer fit. If the caller goes on, they get it after all.
        """
        if self._is_in_utterance and not self._is_pausing:
            await self._sound.put(pcm)
            return
        self._kept.append(pcm)
        while sum(map(len, self._kept)) - len(self._kept[0]) >= KEPT_SAMPLES:
            self._kept.popleft()

    async def _give_kept(self) -> None:
        while self._kept:
            await self._sound.put(self._kept.popleft())

    async def _on_endpoint(self, endpoint: Endpoint) -> None:
        if endpoint.kind in ("speech_started", "hold"):
            await self._begin_utterance()
        elif endpoint.kind == "draft":
            self._is_pausing = True
        elif endpoint.kind == "draft_dropped":
            self._is_pausing = False
            await self._give_kept()
        elif endpoint.kind == "end_of_turn":
            self.utterance_start, self._is_pausing = None, False
        elif endpoint.kind in ("resume", "backchannel") and self._is_in_utterance:
            await self._forget()
        self._tell(endpoint)

    async def _begin_utterance(self) -> None:
        if not self._is_in_utterance:
            self.utterance_start = self.pts - sum(map(len, self._kept))
            await self._give_kept()

    async def _forget(self) -> None:
        """End an utterance that gets no reply."""
        self.utterance_start, self._is_pausing = None, False
        answer: asyncio.Future[tuple[str, Pcm | None]] = asyncio.get_running_loop().create_future()
        await self._sound.put(_Ask(answer, is_final=True))

    async def _recognise(self) -> None:
        while True:
            item = await self._sound.get()
            try:
                if isinstance(item, _Ask):
                    await self._answer(item)
                else:
                    await self._hear(item)
            except Exception as error:
                # Nothing is lost but words of this utterance; the next one is heard again.
                if not self._has_failed:
                    _log.error("the recogniser failed; words are lost", exc_info=error)
                self._has_failed = True
            if isinstance(item, _Ask) and item.is_final:
                self._has_failed = False

    async def _hear(self, pcm: Pcm) -> None:
        """Give sound to the recogniser; its words go to the endpointing and to the session."""
        self._spoken.push(pcm)
        for hypothesis in await self._lane.call(self._recogniser.push, pcm):
            self._text = hypothesis.text
            self.endpointer.words(self._text, hypothesis.confidence)
            sound = self._spoken.all()
            self._tell(Transcript(TurnId(0), self.pts, self._text, is_final=False, sound=sound))

    async def _answer(self, ask: _Ask) -> None:
        """Answer with all words so far; a final answer ends the utterance."""
        try:
            if ask.is_final:
                for hypothesis in await self._lane.call(self._recogniser.flush):
                    self._text = hypothesis.text
            else:
                self._text = await self._lane.call(self._recogniser.heard)
        finally:
            if not ask.answer.done():
                ask.answer.set_result((self._text, self._spoken.all()))
            if ask.is_final:
                self._text = ""
                self._spoken.clear()
