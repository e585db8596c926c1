"""How well each voice is understood, how it sounds, and how fast it is made.

``python -m benchmarks.voice [--sentences N] [VOICE …]``. Word errors are those of pocketsphinx with
its general English model: they rank clarity (it mishears real read speech by about 0.3), not
beauty. Pitch and level are of the voiced parts.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import jiwer
import numpy as np
import soxr
from pocketsphinx import Decoder

from benchmarks.report import percentile, publish
from engines.espeak import VOICES, EspeakEngine, SpeechRequest
from engines.prosody import ProsodyEngine, ProsodyFrame
from engines.types import HEARING_RATE_HZ, SPEECH_RATE_HZ, Pcm, VoiceStyle

SENTENCES: Final = (
    "i am sorry to hear that your mother is ill",
    "it sounds like the last week was very hard for you",
    "that is wonderful news and you must be so happy",
    "can you tell me what happened at work yesterday",
    "i think you did the best you could",
    "what would help you feel a little better tonight",
    "she was angry because nobody listened to her",
    "we can take as much time as you need",
    "thank you for telling me about your brother",
    "how long have you been feeling this way",
    "it makes sense that you are worried about money",
    "the children were playing in the garden all day",
)
_MARGIN_S: Final = 0.3  # silence around an utterance, which the recogniser wants
_PEAK: Final = 0.5  # all voices are heard at the same level


@dataclass(frozen=True, slots=True)
class Measured:
    """One voice. Pitch is (10th, 50th, 90th percentile); times are medians."""

    word_errors: float
    f0_hz: tuple[float, float, float]
    level_db: float
    peak: float
    push_ms: float
    ms_per_s: float


class Listener:
    """A recogniser and a pitch meter at 16 kHz."""

    def __init__(self) -> None:
        self._decoder = Decoder(loglevel="FATAL")
        self._prosody = ProsodyEngine()

    def words(self, pcm: Pcm) -> str:
        """Return what is heard in (samples,) at 16 kHz."""
        margin = np.zeros(int(_MARGIN_S * HEARING_RATE_HZ), np.float32)
        loud = np.concatenate((margin, pcm * (_PEAK / max(float(np.abs(pcm).max()), 1e-6)), margin))
        self._decoder.start_utt()
        self._decoder.process_raw((loud * 32767).astype(np.int16).tobytes(), full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return str(found.hypstr) if found else ""

    def prosody(self, pcm: Pcm) -> list[ProsodyFrame]:
        """Return the voiced windows of (samples,) at 16 kHz."""
        stream = self._prosody.open()
        return [frame for frame in stream.push(pcm) if frame.f0_hz]


def measure(engine: EspeakEngine, listener: Listener, voice: str, count: int) -> Measured:
    """Let one voice say ``count`` sentences, each as a turn."""
    stream = engine.open(voice)
    heard: list[str] = []
    voiced: list[ProsodyFrame] = []
    pushes_ms: list[float] = []
    speed: list[float] = []
    peak = 0.0
    for index, sentence in enumerate(SENTENCES[:count]):
        started = time.perf_counter()
        atoms = stream.push(SpeechRequest(f"{sentence}.", VoiceStyle(), index))
        pushes_ms.append((time.perf_counter() - started) * 1000)
        pcm = np.concatenate([atom.pcm for atom in atoms + stream.flush()])
        speed.append(pushes_ms[-1] / (len(pcm) / SPEECH_RATE_HZ))
        peak = max(peak, float(np.abs(pcm).max()))
        ear = soxr.resample(pcm, SPEECH_RATE_HZ, HEARING_RATE_HZ)
        heard.append(listener.words(ear))
        voiced += listener.prosody(ear)
    pitches = [frame.f0_hz for frame in voiced if frame.f0_hz]
    powers = [10 ** (frame.energy_db / 10) for frame in voiced]
    return Measured(
        word_errors=float(jiwer.wer(list(SENTENCES[:count]), heard)),
        f0_hz=(percentile(pitches, 10), percentile(pitches, 50), percentile(pitches, 90)),
        level_db=float(10 * np.log10(np.mean(powers))),
        peak=peak,
        push_ms=percentile(pushes_ms, 50),
        ms_per_s=percentile(speed, 50),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the voices named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.voice", description=__doc__)
    parser.add_argument("voices", nargs="*", metavar="VOICE", help=", ".join(VOICES))
    parser.add_argument("--sentences", type=int, default=len(SENTENCES))
    options = parser.parse_args(arguments)
    engine, listener = EspeakEngine(), Listener()
    engine.warmup()
    measured = {
        voice: measure(engine, listener, voice, options.sentences)
        for voice in options.voices or VOICES
    }
    rows = [
        [
            voice,
            f"{m.word_errors:.2f}",
            " / ".join(f"{hz:.0f}" for hz in m.f0_hz),
            f"{m.level_db:.1f}",
            f"{m.peak:.2f}",
            f"{m.push_ms:.1f}",
            f"{m.ms_per_s:.1f}",
        ]
        for voice, m in measured.items()
    ]
    levels = [m.level_db for m in measured.values()]
    columns = (
        "voice", "word errors", "F0 p10/50/90 Hz", "voiced dBFS", "peak", "first atom ms",
        "ms a second",
    )  # fmt: skip
    publish(
        "voice",
        columns,
        rows,
        {
            "word_errors": float(np.mean([m.word_errors for m in measured.values()])),
            "level_spread_db": max(levels) - min(levels),
            "first_atom_ms": percentile([m.push_ms for m in measured.values()], 50),
            "ms_per_s": percentile([m.ms_per_s for m in measured.values()], 50),
        },
    )


if __name__ == "__main__":
    main()
