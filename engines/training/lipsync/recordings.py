"""People's recordings for measuring: a folder of ``NAME.wav`` with ``NAME.txt`` → ``Speech``.

pocketsphinx aligns the words with the sound. Nothing is learnt from recordings.
"""

import wave
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from pocketsphinx import Decoder

from rt_avatar.engines.training.alignment import align_phones, split_words
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.phones import phone
from rt_avatar.engines.types import CHUNK_SAMPLES, INPUT_RATE_HZ, SPEECH_RATE_HZ, Pcm

_FRAME_SAMPLES: Final = SPEECH_RATE_HZ // 100  # pocketsphinx counts in 10 ms


def read_recordings(folder: Path) -> dict[str, Speech]:
    """Return all recordings with a transcript, aligned, by name.

    Raises:
        ValueError: A recording is not 16 kHz mono, or its words do not align with it.
    """
    return {
        path.stem: align(*_read(path), name=path.stem)
        for path in sorted(folder.glob("*.wav"))
        if path.with_suffix(".txt").exists()
    }


def _read(path: Path) -> tuple[Pcm, str]:
    with wave.open(str(path)) as file:
        if (file.getframerate(), file.getnchannels()) != (INPUT_RATE_HZ, 1):
            raise ValueError(
                f"{path}: expected {INPUT_RATE_HZ} Hz mono; got {file.getframerate()} Hz, "
                f"{file.getnchannels()} channels"
            )
        data = file.readframes(file.getnframes())
    pcm: Pcm = np.frombuffer(data, np.int16).astype(np.float32) / np.float32(32_768)
    return pcm, path.with_suffix(".txt").read_text(encoding="utf-8").strip()


def align(pcm: Pcm, text: str, name: str) -> Speech:
    """Return 16 kHz speech at 24 kHz with the phones of ``text`` in it.

    Raises:
        ValueError: The words do not align with the sound.
    """
    # The best path may end a phone after one frame, which the second pass cannot follow; the mean
    # is of the whole, so that both hear the same.
    decoder = Decoder(lm=None, loglevel="FATAL", bestpath=False, cmn="batch")
    raw = (np.clip(pcm, -1, 1) * 32_767).astype(np.int16).tobytes()
    words, _ = split_words(text)
    try:
        decoder.set_align_text(" ".join(words))
        align_phones(decoder, raw)
    except RuntimeError as error:
        raise ValueError(
            f"{name}: expected a recording of {text!r}; it does not align: {error}"
        ) from error
    phonemes = [
        phone(
            entry.name,
            entry.start * _FRAME_SAMPLES,
            (entry.start + entry.duration) * _FRAME_SAMPLES,
        )
        for word in decoder.get_alignment()
        for entry in word
    ]
    sound = soxr.resample(pcm, INPUT_RATE_HZ, SPEECH_RATE_HZ)
    whole = np.zeros(-(-len(sound) // CHUNK_SAMPLES) * CHUNK_SAMPLES, np.float32)
    whole[: len(sound)] = sound
    return Speech(whole, tuple(phonemes))
