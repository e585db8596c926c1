"""Draw a recording over the same words in the voice nano: docs/pictures/voice-spectrograms.png.

python scripts/draw_spectrograms.py RECORDING.wav READER  (its words in RECORDING.txt beside it)
"""

import sys
import wave
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rt_avatar.engines.nano_tts import VOICES, NanoEngine, NanoVoice
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, VoiceStyle

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "voice-spectrograms.png"


def read(path: Path) -> Pcm:
    """Return a WAV file of 16 bits at 24 kHz as (samples,)."""
    with wave.open(str(path)) as file:
        if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (24_000, 1, 2):
            raise SystemExit(f"{path}: expected 24 kHz, mono, 16 bits, as `held-out` writes it")
        return (
            np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 2**15
        )


def say(reader: str, text: str) -> Pcm:
    """Return words in a reader's voice as it was learnt, (samples,) at 24 kHz."""
    VOICES["reader"] = NanoVoice({reader: 1.0})
    stream = NanoEngine().open("reader")
    request = SpeechRequest(text, VoiceStyle(), 0)
    return np.concatenate([chunk.pcm for chunk in (*stream.push(request), *stream.flush())])


def main(recording: Path, reader: str) -> None:
    """Write the picture."""
    text = recording.with_suffix(".txt").read_text(encoding="utf-8")
    figure, axes = plt.subplots(2, 1, figsize=(12, 7), sharex=True, layout="constrained")
    for axis, name, pcm in zip(
        axes, ("recording", "nano, from the words"), (read(recording), say(reader, text)),
        strict=True,
    ):  # fmt: skip
        level = pcm / np.sqrt(np.mean(pcm**2))
        axis.specgram(level, NFFT=1024, Fs=SPEECH_RATE_HZ, noverlap=896, vmin=-110, vmax=-30)
        axis.set(title=f"{name}: “{text}”", ylabel="Hz", ylim=(0, 12_000))
    axes[1].set_xlabel("s")
    figure.savefig(PICTURE, dpi=80)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
