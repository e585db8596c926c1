"""How long perception takes for one window or image: prosody, echo and face cues.

``python -m benchmarks.perception [--clip FILE]``. Windows are of a synthetic voice; with a video
clip, its sound and pictures are used instead, and face cues are measured on a real face (without,
only on noise, where every size is searched). Times are of this thread's own processor time, so a
busy machine does not spoil them.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

import av
import numpy as np

from benchmarks.report import percentile, publish
from engines.echo import EchoDetector
from engines.face_cues import FaceCueEngine
from engines.prosody import WINDOW_SAMPLES, ProsodyEngine
from engines.types import HEARING_RATE_HZ, Image, Pcm

Item = TypeVar("Item")

_WARM: Final = 5  # not counted
_SECONDS: Final = 20
_STEP: Final = 6  # every sixth picture of 25 a second: as often as a session looks


def _synthetic_voice() -> Pcm:
    """Return a buzz of 120..180 Hz that comes and goes like syllables."""
    t = np.arange(_SECONDS * HEARING_RATE_HZ) / HEARING_RATE_HZ
    phase = 2 * np.pi * np.cumsum(150 + 30 * np.sin(2 * t)) / HEARING_RATE_HZ
    tones = sum(np.sin(k * phase) / k for k in range(1, 30))
    noise = np.random.default_rng(0).standard_normal(len(t))
    sound = 0.05 * tones * (np.sin(4 * np.pi * t) > -0.4) + 0.001 * noise
    return np.asarray(sound, np.float32)


def _clip(path: Path) -> tuple[Pcm, list[Image]]:
    """Return the clip's sound at 16 kHz, repeated, and its pictures."""
    resampler = av.AudioResampler("flt", "mono", HEARING_RATE_HZ)
    with av.open(str(path)) as file:
        blocks = [
            out.to_ndarray()[0]
            for frame in file.decode(audio=0)
            for out in resampler.resample(frame)
        ]
    with av.open(str(path)) as file:
        images = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
    return np.resize(np.concatenate(blocks), _SECONDS * HEARING_RATE_HZ), images[::_STEP]


def _times_ms(step: Callable[[Item], object], items: Iterable[Item]) -> list[float]:
    times = []
    for item in items:
        start = time.thread_time()
        step(item)
        times.append((time.thread_time() - start) * 1e3)
    return times[_WARM:]


def main() -> None:
    """Measure and print one row an engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clip", type=Path, help="video with sound of somebody who talks")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    sound, images = _clip(options.clip) if options.clip else (_synthetic_voice(), [])
    windows = np.split(sound, range(WINDOW_SAMPLES, len(sound), WINDOW_SAMPLES))
    echo = (0.1 * np.roll(sound, 2000) + 0.001 * rng.standard_normal(len(sound))).astype(np.float32)
    echoes = np.split(echo, range(WINDOW_SAMPLES, len(echo), WINDOW_SAMPLES))
    faces = FaceCueEngine()
    faces.warmup()
    prosody, detector = ProsodyEngine().open(), EchoDetector()
    noise = [rng.integers(0, 256, (480, 640, 3), np.uint8) for _ in range(_WARM + 10)]
    measured = {
        "prosody": ("window of 32 ms", _times_ms(prosody.push, windows)),
        "echo": (
            "window of 32 ms",
            _times_ms(lambda pair: detector.push(*pair), zip(echoes, windows, strict=True)),
        ),
        "no_face": ("image 640×480", _times_ms(faces.open().push, noise)),
    }
    if images:
        size = f"image {images[0].shape[1]}×{images[0].shape[0]}"
        measured["face"] = (size, _times_ms(faces.open().push, images * 3))
    rows = [
        (name, of, f"{percentile(times, 50):.3f}", f"{percentile(times, 95):.3f}")
        for name, (of, times) in measured.items()
    ]
    figures = {
        f"{name}_p{share}_ms": percentile(times, share)
        for name, (_, times) in measured.items()
        for share in (50, 95)
    }
    publish("perception", ("engine", "of one", "p50 ms", "p95 ms"), rows, figures)


if __name__ == "__main__":
    main()
