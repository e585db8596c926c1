"""How well, how fast and with how much memory the recogniser hears.

``python -m benchmarks.recogniser FOLDER [--whisper MODEL]``. The folder holds recordings of single
utterances (any format and rate) with a transcript of the same name in ``.txt`` beside each. Sound
goes in as in a call: 20 ms chunks, 0.3 s of quiet room before and after. Every recording is heard
by a caller of its own (first utterance, nothing known of the microphone) and by one caller after
the other recordings (microphone known). Times are by the wall clock: the work is done in another
process. Memory is the proportional share (PSS), on Linux only.
"""

import argparse
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import av
import jiwer
import numpy as np
import psutil

from benchmarks.report import percentile, publish
from engines.recognition import Hypothesis
from engines.sphinx import SphinxEngine, SphinxStream
from engines.types import HEARING_RATE_HZ, Pcm
from engines.whisper import WhisperEngine, WhisperStream

_CHUNK: Final = HEARING_RATE_HZ // 50
_ROOM: Final = 3 * HEARING_RATE_HZ // 10
_ROOM_LEVEL: Final = 6e-4  # RMS, -64 dBFS: a quiet room with a cheap microphone


@dataclass
class Heard:
    """What came out of all recordings.

    Attributes:
        truths: What was said.
        texts: What was heard.
        sound_s: Seconds of sound.
        busy_s: Seconds the recogniser took for them.
        chunk_ms: Milliseconds a chunk of 20 ms took.
        final_ms: Milliseconds from the end of the sound to the final words.
    """

    truths: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    sound_s: float = 0.0
    busy_s: float = 0.0
    chunk_ms: list[float] = field(default_factory=list)
    final_ms: list[float] = field(default_factory=list)

    @property
    def word_error(self) -> float:
        """Wrong, missing and superfluous words against the words said."""
        return float(jiwer.wer(self.truths, self.texts))


def plain(text: str) -> str:
    """Return the words as both sides write them."""
    text = re.sub(r"\bmr\b\.?", "mister", text.lower())
    return " ".join(re.sub(r"[^\w' ]", " ", text).split())


def load(path: Path) -> Pcm:
    """Return a recording at 16 kHz with room around it."""
    resampler = av.AudioResampler("flt", "mono", HEARING_RATE_HZ)
    with av.open(str(path)) as file:
        frames = [out for frame in file.decode(audio=0) for out in resampler.resample(frame)]
    frames += resampler.resample(None)
    voice = np.concatenate([frame.to_ndarray()[0] for frame in frames])
    room = _ROOM_LEVEL * np.random.default_rng(0).standard_normal((2, _ROOM))
    return np.concatenate((room[0], voice, room[1])).astype(np.float32)


def hear(stream: SphinxStream | WhisperStream, sound: Pcm, truth: str, heard: Heard) -> None:
    """Push one recording and add what came of it."""
    outs: list[Hypothesis] = []
    begin = time.perf_counter()
    for start in range(0, len(sound), _CHUNK):
        before = time.perf_counter()
        outs += stream.push(sound[start : start + _CHUNK])
        heard.chunk_ms.append((time.perf_counter() - before) * 1e3)
    end = time.perf_counter()
    outs += stream.flush()
    heard.final_ms.append((time.perf_counter() - end) * 1e3)
    heard.busy_s += time.perf_counter() - begin
    heard.sound_s += len(sound) / HEARING_RATE_HZ
    heard.truths.append(plain(truth))
    heard.texts.append(plain(outs[-1].text) if outs else "")


def share_mib(process: psutil.Process) -> float:
    """Return a process's proportional share of memory; NaN where the system does not tell."""
    return getattr(process.memory_full_info(), "pss", float("nan")) / 2**20


def memory(engine: SphinxEngine, sound: Pcm) -> dict[str, float]:
    """Return what the process takes at rest, and what one more speaking caller adds."""
    process = psutil.Process(engine.process_id)
    psutil.wait_procs(process.children(), timeout=5)  # forks still ending would share the count
    rest = share_mib(process)
    streams = [engine.open() for _ in range(3)]
    for stream in streams:
        stream.push(sound)
    everything = share_mib(process) + sum(share_mib(child) for child in process.children())
    for stream in streams:
        stream.close()
    return {"rest_mib": rest, "speaking_caller_mib": (everything - rest) / len(streams)}


def main() -> None:
    """Measure and print one row for new and one for known microphones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="recordings with transcripts beside them")
    parser.add_argument("--whisper", metavar="MODEL", help="measure faster-whisper with this model")
    options = parser.parse_args()
    pairs = [
        (load(path), path.with_suffix(".txt").read_text(encoding="utf-8"))
        for path in sorted(options.folder.iterdir())
        if path.suffix != ".txt" and path.with_suffix(".txt").is_file()
    ]
    if not pairs:
        parser.error(f"expected recordings with .txt beside them in {options.folder}; found none")
    engine = WhisperEngine(options.whisper, "en") if options.whisper else SphinxEngine()
    engine.warmup()
    new, known = Heard(), Heard()
    regular = engine.open()
    for sound, truth in pairs:
        hear(engine.open(), sound, truth, new)
        hear(regular, sound, truth, known)
    rows = [
        (
            label,
            f"{heard.word_error:.3f}",
            f"{heard.busy_s / heard.sound_s:.3f}",
            f"{percentile(heard.chunk_ms, 50):.1f} / {percentile(heard.chunk_ms, 99):.1f}",
            f"{percentile(heard.final_ms, 50):.1f} / {max(heard.final_ms):.1f}",
        )
        for label, heard in (("new microphone", new), ("known microphone", known))
    ]
    figures = {
        "words": float(sum(len(truth.split()) for truth in new.truths)),
        "word_error_new": new.word_error,
        "word_error_known": known.word_error,
        "rtf": known.busy_s / known.sound_s,
        "final_max_ms": max(new.final_ms + known.final_ms),
    }
    if isinstance(engine, SphinxEngine):
        figures |= memory(engine, pairs[0][0])
    engine.close()
    columns = ("caller", "word error", "RTF", "20 ms chunk p50 / p99 ms", "final p50 / max ms")
    publish(f"recogniser_{engine.spec.name.replace('-', '_')}", columns, rows, figures)


if __name__ == "__main__":
    main()
