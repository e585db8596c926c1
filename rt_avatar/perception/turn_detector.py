"""Detect turns: begin, pause, end, interruption and backchannel, from voice activity and words.

``VadFrame`` every 32 ms, the latest words, whether the avatar is audible → ``TurnEvent``s.
A pure state machine: no clock, no asyncio, no engine; time is the sample count of the frames.

    avatar silent                        avatar audible
    quiet ──96 ms of voice──► speaking    quiet ──64 ms of clear voice──► held ──640 ms, words──►
      ▲     speech_started       │          ▲          hold                 │       barge_in
      └──── end_of_turn ◄──silence          └── resume (backchannel) ◄── it ended        speaking

An utterance of less than 100 ms of voice is a cough or a click: after its ``speech_started`` (if it
got so far) nothing follows.
"""

from typing import Final, Literal

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.end_of_turn import EndOfTurnModel
from rt_avatar.engines.types import INPUT_RATE_HZ
from rt_avatar.messages import TurnEvent, TurnEventKind
from rt_avatar.perception.endpointing import Endpointing
from rt_avatar.perception.interruption import PAUSE_SILENCE_SAMPLES, Interruption
from rt_avatar.perception.phrasing import classify
from rt_avatar.perception.utterance import (
    WINDOW_SAMPLES,
    EchoGate,
    Utterance,
    VadFrame,
    to_samples,
)

__all__ = ["WINDOW_SAMPLES", "TurnDetector", "VadFrame"]

# --- avatar silent ------------------------------------------------------------------------------
# 96 ms: Silero needs 2 to 3 windows to tell a click from a voice.
_START_SAMPLES: Final = 3 * WINDOW_SAMPLES
# Less voice is a false start. The shortest words ("no", "hi") have 120 ms and more of it.
_REAL_SAMPLES: Final = to_samples(100)
# A candidate that falls silent for so long is forgotten; stop consonants are shorter (≤ 90 ms).
_GAP_SAMPLES: Final = 3 * WINDOW_SAMPLES
# In a pause that has already caused a preemptive reply, one loud window is a click; two are a
# voice.
_RETURN_SAMPLES: Final = 2 * WINDOW_SAMPLES
# A caller who goes on so soon after the end of a turn had not finished it.
_CUT_OFF_SAMPLES: Final = to_samples(1000)
# After a minute something has been said that deserves an answer, nobody was heard for a minute,
# and a reply that comes too early costs little since it can be talked over: half the waiting.
_LONG_SAMPLES: Final = to_samples(60_000)
_LONG_SHARE: Final = 0.5

# --- avatar audible -----------------------------------------------------------------------------
# Two windows of which one is clear (or both nearly), or three faint ones. With ≤ 32 ms of
# alignment the reply is paused 64–96 ms after the voice began, which leaves half of the promised
# 200 ms to the voice activity's own delay (48 ms in the median over 26 onsets of 5 people) and to
# the edge.
_MIN_INTERRUPTION_SAMPLES: Final = 3 * WINDOW_SAMPLES // 2
_HUM_WAIT_SAMPLES: Final = to_samples(450)  # "mm-hm" lasts 250–450 ms
# A voice in the background that goes on and on has held the reply once; for a while, what is as
# loud as it does not any more.
_BACKGROUND_MARGIN_DB: Final = 3.0
_BACKGROUND_FALL_DB: Final = 0.03  # a window: 1 dB a second, as the caller's level


class TurnDetector:
    """Decides about turns. One per session, owned by perception; one thread at a time.

    Of an ``TurnEvent``, ``pts`` is the end of the window in which it was decided, ``speech_end``
    the sample after the last voiced one.

    1. ``preemptive_generation`` is followed by exactly one of ``preemptive_discarded`` and
    ``end_of_turn``.
    2. ``pause_reply`` is followed by exactly one of ``resume_reply`` and ``barge_in``.
    3. ``end_of_turn`` has a ``speech_started`` or ``barge_in`` of the same utterance before it.
    """

    def __init__(
        self, settings: TurnDetectionSettings, end_of_turn: EndOfTurnModel | None = None
    ) -> None:
        """Make the state of one caller; without an end-of-turn engine, rules say what is over."""
        self._settings = settings
        self._endpointing = Endpointing(settings, end_of_turn)
        self._end_logit: float | None = None
        self._ended_at: int | None = None  # the voice of the last turn, until the next one's
        self._own_words = ""
        self._echo = EchoGate()
        self._background_db = -120.0  # what is no louder over a reply is not the caller
        self._state: Literal["quiet", "speaking", "paused"] = "quiet"
        self._voice: Utterance | None = None
        self._text = ""
        self._confidence = 1.0
        self._is_playing = False
        self._is_speech = False  # hysteresis of the probability
        self._has_preemptive = False
        self._returning: list[VadFrame] = []  # voice after a preemptive reply, not yet believed
        self._now = 0  # end of the last window
        self._paused_at = 0
        self._pending: list[TurnEvent] = []  # decided between windows

    @property
    def is_playing(self) -> bool:
        """Whether the avatar is audible, or paused."""
        return self._is_playing

    @property
    def voice_start(self) -> int | None:
        """First sample of the voice now under way (believed or not yet); None in quiet."""
        return None if self._voice is None else self._voice.start

    @property
    def end_probability(self) -> float:
        """How likely (0..1) the utterance under way is finished; 0 where there is none."""
        return 0.0 if self._voice is None else self._probability(self._voice)

    def words(self, text: str, confidence: float = 1.0) -> None:
        """Take the latest partial transcript, and how far (0..1) its words can be trusted."""
        self._text = text
        self._confidence = confidence

    def set_own_words(self, text: str) -> None:
        """Take the words the avatar is just saying: heard back, they do not interrupt it."""
        self._own_words = text

    def set_playing(self, is_playing: bool) -> None:
        """Say whether the avatar is audible, or paused in the middle of a reply."""
        if is_playing == self._is_playing:
            return
        self._is_playing = is_playing
        if is_playing:
            self._on_playback()
        else:
            self._on_playback_end()

    def push(self, frame: VadFrame) -> list[TurnEvent]:
        """Take the next window; return what it decides, oldest first."""
        events, self._pending = self._pending, []
        is_voiced = self._hear(frame)
        self._now = frame.pts + WINDOW_SAMPLES
        self._end_logit = frame.end_logit
        if self._state == "speaking":
            self._in_utterance(frame, is_voiced, events)
            return events
        if self._voice is not None:
            self._voice.add(frame, is_voiced=is_voiced)
        elif is_voiced:
            self._begin(frame)
        if self._voice is None:
            return events
        if self._state == "paused":
            self._while_paused(self._voice, events)
        elif not self._is_playing:
            self._before_utterance(self._voice, events)
        elif self._settings.allow_interruptions:
            self._over_reply(self._voice, is_voiced, events)
        elif not self._is_real and self._silence(self._voice) >= _GAP_SAMPLES:
            self._forget()
        return events

    # --- what is heard ---

    def _hear(self, frame: VadFrame) -> bool:
        """Return whether the window is the caller's voice: hysteresis, then the echo gate."""
        settings = self._settings
        low = min(settings.deactivation_threshold, settings.activation_threshold)
        threshold = low if self._is_speech else settings.activation_threshold
        self._is_speech = frame.speech_probability >= threshold
        self._background_db -= _BACKGROUND_FALL_DB
        is_background = self._is_playing and frame.energy_db <= self._background_db
        return self._is_speech and not is_background and self._echo.passes(frame)

    def _begin(self, frame: VadFrame) -> None:
        self._text = ""  # words that are still there belong to an earlier voice
        self._voice = Utterance(start=frame.pts, end=frame.pts)
        self._voice.add(frame, is_voiced=True)

    def _forget(self) -> None:
        self._state = "quiet"
        self._voice = None
        self._text = ""

    def _silence(self, voice: Utterance) -> int:
        return self._now - voice.end

    @property
    def _is_real(self) -> bool:
        return self._voice is not None and self._voice.voiced >= _REAL_SAMPLES

    def _emit(self, events: list[TurnEvent], kind: TurnEventKind) -> None:
        end = 0 if self._voice is None else self._voice.end
        events.append(TurnEvent(pts=self._now, kind=kind, speech_end=end))

    def _discard_preemptive(self, events: list[TurnEvent]) -> None:
        if self._has_preemptive:
            self._has_preemptive = False
            self._emit(events, "preemptive_discarded")

    # --- avatar silent ---

    def _before_utterance(self, voice: Utterance, events: list[TurnEvent]) -> None:
        if voice.voiced >= _START_SAMPLES:
            self._state = "speaking"
            self._emit(events, "speech_started")
            self._learn_cut_off(voice)
        elif self._silence(voice) >= _GAP_SAMPLES:
            self._forget()

    def _in_utterance(self, frame: VadFrame, is_voiced: bool, events: list[TurnEvent]) -> None:
        voice = self._voice
        assert voice is not None, "an utterance under way has a voice"
        if is_voiced:
            self._returning.append(frame)
            is_short = frame.pts - voice.end < to_samples(self._settings.preemptive_silence_ms)
            if is_short or len(self._returning) * WINDOW_SAMPLES >= _RETURN_SAMPLES:
                self._discard_preemptive(events)
                self._learn_pause(voice.end, self._returning[0].pts)
                for returned in self._returning:
                    voice.add(returned, is_voiced=True)
                self._returning.clear()
            return
        self._returning.clear()
        silence = self._silence(voice)
        if silence >= to_samples(self._settings.preemptive_silence_ms) and not self._is_real:
            self._forget()
        elif silence >= self._wanted_silence(voice):
            self._has_preemptive = False
            self._emit(events, "end_of_turn")
            self._ended_at = voice.end
            self._forget()
        elif (
            self._settings.preemptive_generation
            and not self._has_preemptive
            and silence >= to_samples(self._settings.preemptive_silence_ms)
        ):
            self._has_preemptive = True
            self._emit(events, "preemptive_generation")

    def _learn_pause(self, begin: int, end: int) -> None:
        self._endpointing.learn_pause((end - begin) * 1000 / INPUT_RATE_HZ)

    def _learn_cut_off(self, voice: Utterance) -> None:
        """Learn a pause from a turn that was taken for over before the caller had finished."""
        if self._ended_at is not None and voice.start - self._ended_at <= _CUT_OFF_SAMPLES:
            self._learn_pause(self._ended_at, voice.start)
        self._ended_at = None

    def _wanted_silence(self, voice: Utterance) -> int:
        """Return after how many silent samples the turn is over, by words, sound and length."""
        share = _LONG_SHARE if self._now - voice.start >= _LONG_SAMPLES else 1.0
        return to_samples(self._endpointing.delay_ms(self._probability(voice), share=share))

    def _probability(self, voice: Utterance) -> float:
        return self._endpointing.probability(voice, self._text, self._confidence, self._end_logit)

    # --- avatar audible ---

    def _on_playback(self) -> None:
        """Playback begins: an utterance under way takes the turn from it at once."""
        if self._state != "speaking":
            return
        self._returning.clear()
        self._discard_preemptive(self._pending)
        if self._settings.allow_interruptions and self._is_real:
            self._emit(self._pending, "pause_reply")
            self._emit(self._pending, "barge_in")
        else:
            self._state = "quiet"  # goes on as a voice over the reply

    def _on_playback_end(self) -> None:
        """Playback ends: a pause is closed; what was said over the reply becomes an utterance."""
        voice = self._voice
        if voice is None or self._state == "speaking":
            return
        if self._state == "paused":
            if self._silence(voice) <= PAUSE_SILENCE_SAMPLES and self._is_real:
                self._state = "speaking"
                self._emit(self._pending, "barge_in")
            else:
                self._emit(self._pending, "resume_reply")
                self._forget()
        elif not self._settings.allow_interruptions and self._is_real:
            is_over = self._silence(voice) >= _GAP_SAMPLES
            if is_over and classify(self._text, self._own_words) in ("own", "backchannel"):
                self._forget()
                return
            self._state = "speaking"
            self._emit(self._pending, "speech_started")

    def _over_reply(self, voice: Utterance, is_voiced: bool, events: list[TurnEvent]) -> None:
        """Voice over the reply, not yet believed: pause the reply, or let a hum or a click pass."""
        is_long_hum = is_voiced and self._now - voice.start > _HUM_WAIT_SAMPLES
        if voice.evidence >= _MIN_INTERRUPTION_SAMPLES or (is_long_hum and voice.is_mostly_hum):
            self._state = "paused"
            self._paused_at = self._now
            self._emit(events, "pause_reply")
        elif self._silence(voice) >= _GAP_SAMPLES:
            if self._is_real and voice.is_mostly_hum:
                self._emit(events, "backchannel")
            self._forget()

    def _while_paused(self, voice: Utterance, events: list[TurnEvent]) -> None:
        interruption = Interruption(
            voice, self._text, self._confidence, self._own_words, self._paused_at, self._now
        )
        if interruption.takes_turn:
            self._learn_cut_off(voice)
            self._state = "speaking"
            self._emit(events, "barge_in")
            return
        if interruption.is_over:
            if interruption.said == "own":
                self._echo.raise_to(voice.peak_db)
            if voice.is_background and not interruption.silence:
                self._background_db = voice.peak_db + _BACKGROUND_MARGIN_DB
            self._emit(events, "resume_reply")
            if interruption.is_backchannel:
                self._emit(events, "backchannel")
            self._forget()
