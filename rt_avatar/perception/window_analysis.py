"""Analyse the microphone, 32 ms at a time: ``Pcm`` → voice activity, prosody, emotion, echo.

Synchronous and without decisions: ``audio_recognition`` runs it on the audio thread, benchmarks
run it over recordings.
"""

import logging
from dataclasses import dataclass

import numpy as np

from rt_avatar.engines.contract import Stream
from rt_avatar.engines.echo import EchoDetector
from rt_avatar.engines.end_of_turn import EndOfTurnHearing, EndOfTurnInput
from rt_avatar.engines.prosody import ProsodyFrame
from rt_avatar.engines.silero import SpeechWindow
from rt_avatar.engines.types import Pcm
from rt_avatar.engines.voice_emotion import SpokenWindow, VoiceEmotionEstimate
from rt_avatar.perception.speech_level import SpeechLevel
from rt_avatar.perception.utterance import ECHO_LIKENESS, WINDOW_SAMPLES, VadFrame

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnalysedWindow:
    """One window.

    Attributes:
        frame: What turn detection takes.
        prosody: Pitch and level.
        is_speech: Whether the caller surely speaks.
        emotion: What the voice sounds like so far, where that is new.
    """

    frame: VadFrame
    prosody: ProsodyFrame
    is_speech: bool
    emotion: VoiceEmotionEstimate | None = None


class WindowAnalyser:
    """One caller's microphone. One thread at a time."""

    def __init__(
        self,
        vad: Stream[Pcm, SpeechWindow],
        prosody: Stream[Pcm, ProsodyFrame],
        end_of_turn: EndOfTurnHearing | None = None,
        emotion: Stream[SpokenWindow, VoiceEmotionEstimate | None] | None = None,
    ) -> None:
        self._vad = vad
        self._prosody = prosody
        self._end_of_turn = end_of_turn
        self._emotion = emotion
        self._sound: Pcm = np.zeros(0, np.float32)  # of the window begun
        self._echo = EchoDetector()
        self._level = SpeechLevel()

    def push(self, pcm: Pcm, far: Pcm, *, is_playing: bool) -> list[AnalysedWindow]:
        """Take sound of any length; return the windows it completes.

        Args:
            pcm: (n,) of the microphone, at 16 kHz.
            far: (n,) what the loudspeaker played meanwhile.
            is_playing: Whether the avatar is audible, or paused.
        """
        windows = self._vad.push(pcm)
        prosody = self._prosody.push(pcm)
        echoes = self._echo.push(pcm, far)
        self._sound = np.concatenate((self._sound, pcm))
        analysed = []
        for index, (window, sound) in enumerate(zip(windows, prosody, strict=True)):
            echo = echoes[index] if index < len(echoes) else 0.0
            probability, is_guess = self._level.weigh(
                window.probability, sound, is_over_reply=is_playing and echo < ECHO_LIKENESS
            )
            pcm, self._sound = self._sound[:WINDOW_SAMPLES], self._sound[WINDOW_SAMPLES:]
            end_logit = self._hear_end(pcm, window, sound)
            frame = VadFrame(
                pts=sound.pts,
                speech_probability=probability,
                energy_db=sound.energy_db,
                is_hum=sound.is_hum,
                f0_slope=sound.f0_slope,
                echo=echo,
                is_guess=is_guess,
                below_voice_db=self._level.below_voice_db(sound.energy_db),
                end_logit=end_logit,
            )
            is_speech = probability >= 0.5 and not is_guess and echo < ECHO_LIKENESS
            emotion = self._hear_emotion(pcm, is_speech=is_speech)
            analysed.append(AnalysedWindow(frame, sound, is_speech, emotion))
        return analysed

    def _hear_emotion(self, pcm: Pcm, *, is_speech: bool) -> VoiceEmotionEstimate | None:
        if self._emotion is None:
            return None
        try:
            return self._emotion.push(SpokenWindow(pcm, is_speech))[0]
        except Exception:  # the call goes on by words and face
            _log.exception("the emotion of the caller's voice could not be heard")
            self._emotion = None
            return None

    def _hear_end(self, pcm: Pcm, window: SpeechWindow, sound: ProsodyFrame) -> float | None:
        if self._end_of_turn is None:
            return None
        item = EndOfTurnInput(pcm, window.probability, sound.f0_hz)
        try:
            return self._end_of_turn.push(item)[0]
        except Exception:  # the call goes on by the rules
            _log.exception("the network of the end of turns failed; rules decide from now on")
            self._end_of_turn = None
            return None

    def begin_turn(self) -> None:
        """Forget how the last turn sounded; not while another thread is in ``push``."""
        if self._end_of_turn is not None:
            self._end_of_turn.begin_turn()

    def close(self) -> None:
        """Give back what the engines' streams hold."""
        self._vad.close()
        self._prosody.close()
        if self._emotion is not None:
            self._emotion.close()
