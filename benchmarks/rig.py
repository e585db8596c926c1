"""How long the rig takes for one frame, drawing and I420 together, on one thread.

``python -m benchmarks.rig [--frames N] [--size PX]``. Prints a table and one line for machines.
"""

import argparse
import time
from typing import Final

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from engines.rig import LOOKS, RigEngine
from engines.types import BLENDSHAPE, FPS, MOTION_SIZE, PITCH, ROLL, SHIFT_Y, YAW, MotionFrame

# Frames that are drawn first and not counted.
WARM_FRAMES: Final = 10


def lively_motion(frame: int) -> MotionFrame:
    """Return one frame of somebody who talks, smiles, blinks and moves: (73,)."""
    second = frame / FPS
    motion = np.zeros(MOTION_SIZE, np.float32)
    jaw = max(0.0, float(np.sin(second * 19)))
    weights = {
        "jawOpen": 0.5 * jaw,
        "mouthFunnel": 0.4 * max(0.0, float(np.sin(second * 7))),
        "mouthSmileLeft": 0.4,
        "mouthSmileRight": 0.35,
        "browInnerUp": 0.4 * max(0.0, float(np.sin(second * 2))),
        "eyeBlinkLeft": float(frame % 75 < 4),
        "eyeBlinkRight": float(frame % 75 < 4),
        "mouthLowerDownLeft": 0.3 * jaw,
        "mouthLowerDownRight": 0.3 * jaw,
    }
    for name, weight in weights.items():
        motion[BLENDSHAPE[name]] = weight
    motion[PITCH] = 0.08 * np.sin(second * 1.7)
    motion[YAW] = 0.16 * np.sin(second * 1.1)
    motion[ROLL] = 0.10 * np.sin(second * 0.9)
    motion[SHIFT_Y] = 0.01 * np.sin(second * 1.5)
    return motion


def main() -> None:
    """Measure every look."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=150, help="frames a look")
    parser.add_argument("--size", type=int, default=512, help="side of the picture in pixels")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    engine = RigEngine(options.size)
    table = Table(title=f"rig, {options.size} px, one thread")
    for heading in ("look", "bake s", "mean ms", "p95 ms", "max ms"):
        table.add_column(heading, justify="left" if heading == "look" else "right")
    taken: list[float] = []
    for look in LOOKS:
        start = time.perf_counter()
        stream = engine.open(look)
        bake_s = time.perf_counter() - start
        times = []
        for frame in range(WARM_FRAMES + options.frames):
            motion = lively_motion(frame)
            start = time.perf_counter()
            stream.push(motion)
            times.append((time.perf_counter() - start) * 1e3)
        times = times[WARM_FRAMES:]
        taken += times
        mean, late, worst = np.mean(times), np.quantile(times, 0.95), max(times)
        table.add_row(look, f"{bake_s:.2f}", f"{mean:.2f}", f"{late:.2f}", f"{worst:.2f}")
    console = Console()
    console.print(table)
    mean, late = np.mean(taken), np.quantile(taken, 0.95)
    console.print(f"bench rig mean_ms={mean:.2f} p95_ms={late:.2f}", highlight=False)


if __name__ == "__main__":
    main()
