"""Audio recognition: ``MicChunk`` → ``TurnEvent`` and ``Transcript``.

Two tasks: one follows every 32 ms window (voice activity, prosody, echo, turn detection), the other
is ``Transcription``, which is slower. The first never waits for the second: a ``TurnEvent`` is told
at once, its words when they are recognised. It decides nothing about replies.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.messages import MicChunk, Transcript, TurnEvent
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.capture import MediaInputBuffer
from rt_avatar.perception.transcription import Mark, Transcription
from rt_avatar.perception.turn_detector import TurnDetector, VadFrame
from rt_avatar.perception.utterance import WINDOW_SAMPLES
from rt_avatar.perception.window_analysis import WindowAnalyser
from rt_avatar.playout.echo_reference import EchoReference
from rt_avatar.services.engines import Engines

_log = logging.getLogger(__name__)

# Sound before the detected onset that the recogniser also gets: detection takes ~100 ms and soft
# first consonants come up to 200 ms before the energy that triggers it.
# Of a pause the same is enough: what came before it was silence.
KEPT_SAMPLES: Final = int(0.4 * INPUT_RATE_HZ)
# The recogniser is given so much sound at once: by the 20 ms its process would be woken 50 times a
# second, for a tenth more processor time (docs/LOG.md). Words come out 0.3 s late anyway.
PORTION_SAMPLES: Final = 3 * WINDOW_SAMPLES
# So much sound is analysed at once while nobody speaks: a voice is noticed 16 ms later in the mean,
# which no caller can tell, since nobody is interrupted. From then on each window counts.
QUIET_SAMPLES: Final = 2 * WINDOW_SAMPLES


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
        self._transcription = Transcription(engines, self.turn_detector, lambda: self.pts, tell)
        self._kept: deque[Pcm] = deque()  # sound before an utterance, or in a pause
        self._portion: list[Pcm] = []  # for the recogniser, not enough yet
        self.utterance_start: int | None = None  # its first sample; None: there is none now
        self.newest_start = 0  # the same, known beyond its end
        self._is_pausing = False  # after a preemptive reply
        self._hears_over_reply = not settings.allow_interruptions
        self.pts = 0  # microphone sample up to which was heard
        self._heard_at_s = 0.0  # loop time at which `pts` was heard
        self._lost = 0  # samples that nobody was free to listen to
        self._pause: Mark | None = None  # the latest

    async def run(self) -> None:
        """Listen until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._follow())
                group.create_task(self._transcription.run())
        finally:
            self._analyser.close()
            self._transcription.close()

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
        self._transcription.give(np.concatenate(self._portion))
        self._portion.clear()

    def _give_kept(self) -> None:
        self._portion.extend(self._kept)
        self._kept.clear()
        self._give_portion()

    def _on_turn_event(self, event: TurnEvent) -> None:
        # No sound was given since the pause whose words are told: no others can come of it.
        is_known = self._is_pausing and self._pause is not None and self._pause.is_settled
        if event.kind in ("speech_started", "pause_reply"):
            self._begin_utterance()
        elif event.kind == "preemptive_generation":
            self._is_pausing = True
            self._give_portion()
            self._pause = self._transcription.mark_pause(self.pts)
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
            self._transcription.tell_end()

    def _begin_utterance(self) -> None:
        if not self._is_in_utterance:
            self.utterance_start = self.newest_start = self.pts - sum(map(len, self._kept))
            self._give_kept()

    def _end_utterance(self, *, is_wanted: bool) -> None:
        """End an utterance; whether its words are wanted."""
        self._analyser.begin_turn()
        self.utterance_start, self._is_pausing = None, False
        self._give_portion()
        self._transcription.mark_end(self.pts, is_wanted=is_wanted)

    def _forget_pause(self) -> None:
        if self._pause is not None:
            self._pause.settle()
            self._pause = None
