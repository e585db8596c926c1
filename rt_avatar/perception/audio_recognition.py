"""Audio recognition: ``MicChunk`` → ``TurnEvent`` and ``Transcript``.

Two tasks: one follows every 32 ms window (voice activity, prosody, echo, turn detection), the other
feeds the recogniser, which is slower and has its own thread. The first never waits for the second:
an ``TurnEvent`` is told at once, its words when they are recognised, the final ones at the latest
after ``FINAL_LIMIT_S``. It decides nothing about replies.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.messages import MicChunk, Transcript, TurnEvent, TurnId
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.capture import MediaInputBuffer
from rt_avatar.perception.turn_detector import TurnDetector, VadFrame
from rt_avatar.perception.utterance import WINDOW_SAMPLES
from rt_avatar.perception.utterance_media import UtteranceAudio
from rt_avatar.perception.window_analysis import WindowAnalyser
from rt_avatar.playout.echo_reference import EchoReference
from rt_avatar.services.engines import Engines

_log = logging.getLogger(__name__)

# Sound before the detected onset that the recogniser also gets: detection takes ~100 ms and soft
# first consonants come up to 200 ms before the energy that triggers it.
# Of a pause the same is enough: what came before it was silence.
KEPT_SAMPLES: Final = int(0.4 * INPUT_RATE_HZ)
# So long after the end of a turn the recogniser's latest words are taken for the final ones. It
# takes 0.02 to 0.6 s on a machine that is not overloaded; later the last words are mostly missing,
# so only the reply waits, and no longer than until people ask whether somebody is there.
FINAL_LIMIT_S = 3.0
# The recogniser is given so much sound at once: by the 20 ms its process would be woken 50 times a
# second, for a tenth more processor time (docs/LOG.md). Words come out 0.3 s late anyway.
PORTION_SAMPLES: Final = 3 * WINDOW_SAMPLES
# So much sound is analysed at once while nobody speaks: a voice is noticed 16 ms later in the mean,
# which no caller can tell, since nobody is interrupted. From then on each window counts.
QUIET_SAMPLES: Final = 2 * WINDOW_SAMPLES
SOUND_CHUNKS: Final = 100  # 10 s of sound wait for the recogniser, at most
MARKS: Final = 100  # and so many marks in it: every pause and every utterance has one


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    """Sound for the recogniser, and the loop time at which it was given."""

    pcm: Pcm
    given_s: float


@dataclass(slots=True, eq=False)
class _Mark:
    """A place in the sound, a pause or an utterance's end, where all words until there are told.

    ``is_settled``: they are told already, or not wanted.
    """

    kind: Literal["pause", "end"]
    pts: int
    is_settled: bool = False
    deadline: asyncio.TimerHandle | None = None

    def settle(self) -> None:
        """Take note that the words are told, or not wanted any more."""
        self.is_settled = True
        if self.deadline is not None:
            self.deadline.cancel()


class AudioRecognition:
    """Audio recognition of one caller. ``run`` for as long as the session lasts.

    Responsibilities: 1. windows → endpoints; 2. utterance sound → recogniser → transcripts;
    3. the voice's part of the affect. ``tell`` gets what it finds, in order.
    """

    def __init__(
        self,
        settings: TurnDetectionSettings,
        engines: Engines,
        media_input: MediaInputBuffer,
        reference: EchoReference,
        affect: AffectEstimator,
        tell: Callable[[TurnEvent | Transcript], None],
    ) -> None:
        self.turn_detector = TurnDetector(settings, engines.end_of_turn)
        self._engines = engines
        self._metrics = engines.metrics
        self._media_input = media_input
        self._reference = reference
        self._affect = affect
        self._tell = tell
        self._analyser = WindowAnalyser(
            engines.vad.open(),
            engines.prosody.open(),
            None if engines.end_of_turn is None else engines.end_of_turn.open(),
            None if engines.voice_emotion is None else engines.voice_emotion.open(),
        )
        self._recogniser = engines.recogniser.open()
        self._lane = engines.recogniser_worker.lane()
        self._kept: deque[Pcm] = deque()  # sound before an utterance, or in a pause
        self._portion: list[Pcm] = []  # for the recogniser, not enough yet
        self.utterance_start: int | None = None  # its first sample; None: there is none now
        self._is_pausing = False  # after a preemptive reply
        self._hears_over_reply = not settings.allow_interruptions
        self._text = ""
        self._has_failed = False  # the recogniser, in its utterance; told once
        self._spoken = UtteranceAudio()  # of the recogniser's utterance
        self.pts = 0  # microphone sample up to which was heard
        self._heard_at_s = 0.0  # loop time at which `pts` was heard
        self._lost = 0  # samples that nobody was free to listen to
        # Full of sound (the recogniser is that far behind): the newest is lost, and listening goes
        # on. Full of marks (it hangs for good): asyncio.QueueFull ends the session.
        self._sound: asyncio.Queue[_Chunk | _Mark] = asyncio.Queue(maxsize=SOUND_CHUNKS + MARKS)
        self._pause: _Mark | None = None  # the latest
        self._ends: deque[_Mark] = deque()  # of utterances that the recogniser has not ended

    async def run(self) -> None:
        """Listen until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._follow())
                group.create_task(self._recognise())
        finally:
            for end in self._ends:
                end.settle()
            self._analyser.close()
            self._recogniser.close()
            self._lane.close(wait=False)

    @property
    def _is_in_utterance(self) -> bool:
        return self.utterance_start is not None

    def loop_time(self, pts: int) -> float:
        """Return when the microphone sample ``pts`` was heard, in the loop's time."""
        return self._heard_at_s - (self.pts - pts) / INPUT_RATE_HZ

    # --- windows ------------------------------------------------------------------------------
    async def _follow(self) -> None:
        loop, begun = asyncio.get_running_loop(), 0  # samples of the window begun
        while True:
            # Less than a window tells nothing, and every call of a thread costs 0.3 ms.
            detector = self.turn_detector
            is_quiet = detector.voice_start is None and not detector.is_playing
            least = QUIET_SAMPLES if is_quiet else WINDOW_SAMPLES
            chunk = await self._media_input.read_chunk(least - begun)
            begun = (begun + len(chunk.pcm)) % WINDOW_SAMPLES
            if (lost := chunk.pts - self.pts) > 0:  # media time goes on over what was lost
                self._lost += lost
                self._metrics.count_dropped("capture", lost)
            self._heard_at_s = loop.time()
            self.pts = chunk.pts + len(chunk.pcm)
            far = self._reference.take(len(chunk.pcm))
            frames = await self._engines.audio_worker.call(self._analyse, chunk, far)
            self._collect(chunk.pcm)
            for frame in frames:
                for event in self.turn_detector.push(frame):
                    self._on_turn_event(self._in_media_time(event))
            if self._is_in_utterance and self.turn_detector.voice_start is None:
                self._end_utterance(is_wanted=False)
                self._tell(TurnEvent(self.pts, "false_start"))
            elif self._hears_over_reply and self.turn_detector.voice_start is not None:
                # Without barge-in the utterance is announced only when the reply has ended.
                self._begin_utterance()

    def _in_media_time(self, event: TurnEvent) -> TurnEvent:
        """Return an event at its place in what was said: its windows know of nothing lost."""
        pts, speech_end = event.pts + self._lost, event.speech_end + self._lost
        return replace(event, pts=pts, speech_end=speech_end)

    def _analyse(self, chunk: MicChunk, far: Pcm) -> list[VadFrame]:
        """Analyse one chunk; runs on the audio thread."""
        is_playing = self.turn_detector.is_playing
        windows = self._analyser.push(chunk.pcm, far, is_playing=is_playing)
        for window in windows:
            self._affect.update_voice(window.prosody, is_speech=window.is_speech)
            if window.emotion is not None:
                self._affect.update_voice_emotion(window.emotion)
        return [window.frame for window in windows]

    # --- words --------------------------------------------------------------------------------
    def _collect(self, pcm: Pcm) -> None:
        """Give sound to the recogniser during an utterance, else keep the last of it.

        After a preemptive reply it is only kept: recognisers make words of the silence that
        follows, and the preemptive reply would no longer fit. If the caller goes on, they get it
        after all.
        """
        if self._is_in_utterance and not self._is_pausing:
            self._portion.append(pcm)
            if sum(map(len, self._portion)) >= PORTION_SAMPLES:
                self._give_portion()
            return
        self._kept.append(pcm)
        while sum(map(len, self._kept)) - len(self._kept[0]) >= KEPT_SAMPLES:
            self._kept.popleft()

    def _give_portion(self) -> None:
        if not self._portion:
            return
        pcm = np.concatenate(self._portion)
        self._portion.clear()
        if self._sound.qsize() < SOUND_CHUNKS:
            self._sound.put_nowait(_Chunk(pcm, asyncio.get_running_loop().time()))
        else:
            self._metrics.count_dropped("recogniser", len(pcm))

    def _give_kept(self) -> None:
        self._portion.extend(self._kept)
        self._kept.clear()
        self._give_portion()

    def _give_mark(self, mark: _Mark) -> None:
        self._give_portion()
        self._sound.put_nowait(mark)

    def _on_turn_event(self, event: TurnEvent) -> None:
        # No sound was given since the pause whose words are told: no others can come of it.
        is_known = self._is_pausing and self._pause is not None and self._pause.is_settled
        if event.kind in ("speech_started", "pause_reply"):
            self._begin_utterance()
        elif event.kind == "preemptive_generation":
            self._is_pausing = True
            self._pause = _Mark("pause", self.pts)
            self._give_mark(self._pause)
        elif event.kind == "preemptive_discarded":
            self._forget_pause()
            self._is_pausing = False
            self._give_kept()
        elif event.kind == "end_of_turn":
            self._end_utterance(is_wanted=True)
        elif event.kind in ("resume_reply", "backchannel") and self._is_in_utterance:
            self._end_utterance(is_wanted=False)
        self._tell(event)
        if event.kind == "end_of_turn" and is_known:
            self._tell_words(self._ends[-1], self._text, self._spoken.all())

    def _begin_utterance(self) -> None:
        if not self._is_in_utterance:
            self.utterance_start = self.pts - sum(map(len, self._kept))
            self._give_kept()

    def _end_utterance(self, *, is_wanted: bool) -> None:
        """End an utterance; whether its words are wanted."""
        self._analyser.begin_turn()
        self.utterance_start, self._is_pausing = None, False
        end = _Mark("end", self.pts, is_settled=not is_wanted)
        if is_wanted:
            loop = asyncio.get_running_loop()
            end.deadline = loop.call_later(FINAL_LIMIT_S, self._give_up, end)
        self._ends.append(end)
        self._give_mark(end)

    def _forget_pause(self) -> None:
        if self._pause is not None:
            self._pause.settle()
            self._pause = None

    # --- the recogniser's task ----------------------------------------------------------------
    async def _recognise(self) -> None:
        while True:
            item = await self._sound.get()
            try:
                if isinstance(item, _Mark):
                    await self._read(item)
                elif not self._is_stale:
                    waited_s = asyncio.get_running_loop().time() - item.given_s
                    self._metrics.observe_recogniser_queue(waited_s)
                    await self._hear(item.pcm)
            except Exception as error:
                # Nothing is lost but words of this utterance; the next one is heard again.
                if not self._has_failed:
                    _log.error("the recogniser failed; words are lost", exc_info=error)
                self._has_failed = True
            if isinstance(item, _Mark):
                self._pass(item)

    @property
    def _is_stale(self) -> bool:
        """Whether nobody wants the words of the utterance that the recogniser is at."""
        return bool(self._ends) and self._ends[0].is_settled

    async def _hear(self, pcm: Pcm) -> None:
        """Give sound to the recogniser; its words go to turn detection and to the session."""
        self._spoken.push(pcm)
        for hypothesis in await self._lane.call(self._recogniser.push, pcm):
            self._text = hypothesis.text
            if not self._is_stale:
                self.turn_detector.words(self._text, hypothesis.confidence)
                sound = self._spoken.all()
                self._tell(Transcript(TurnId(0), self.pts, self._text, is_final=False, sound=sound))

    async def _read(self, mark: _Mark) -> None:
        """Wait for all words until a mark; behind an utterance's end another one begins."""
        if mark.kind == "end":
            for hypothesis in await self._lane.call(self._recogniser.flush):
                self._text = hypothesis.text
        elif not (mark.is_settled or self._is_stale):
            self._text = await self._lane.call(self._recogniser.heard)

    def _pass(self, mark: _Mark) -> None:
        """Tell the words until a mark, if they are still wanted."""
        if not self._is_stale:
            self._tell_words(mark, self._text, self._spoken.all())
        if mark.kind == "end":
            self._ends.popleft()
            self._text, self._has_failed = "", False
            self._spoken.clear()

    def _give_up(self, end: _Mark) -> None:
        """Take the words so far for the final ones: the recogniser is too late."""
        _log.warning("the recogniser is more than %g s late: words may be lost", FINAL_LIMIT_S)
        if end is self._ends[0]:
            self._tell_words(end, self._text, self._spoken.all())
        else:  # it is still at an earlier utterance
            self._tell_words(end, "", None)

    def _tell_words(self, mark: _Mark, text: str, sound: Pcm | None) -> None:
        if mark.is_settled:
            return
        mark.settle()
        is_final = mark.kind == "end"
        words = Transcript(TurnId(0), mark.pts, text, is_final, sound=sound)
        self._tell(replace(words, is_preflight=not is_final))
