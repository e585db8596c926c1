"""Held-out sentences as a judge hears them: recordings and their resynthesis, with their words."""

import logging
import wave
from pathlib import Path

import numpy as np
import torch

from rt_avatar.engines.networks.nano_tts.generator import NanoGenerator
from rt_avatar.engines.training.voice.dataset import Dataset, Utterance
from rt_avatar.engines.training.voice.source import source_spectra
from rt_avatar.engines.types import SPEECH_RATE_HZ

_log = logging.getLogger(__name__)


def write_held_out(
    dataset: Dataset, generator: NanoGenerator, fft: int, folder: Path, corpora: tuple[str, ...]
) -> None:
    """Write ``recordings/`` and ``resynthesis/`` (sound and words), and ``sentences.txt``."""
    generator.eval()
    chosen = [one for one in dataset.held_out if one.recording.corpus in corpora]
    for name in ("recordings", "resynthesis"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    dice = np.random.default_rng(0)
    texts: dict[str, None] = {}
    for one in chosen:
        with torch.inference_mode():
            mel = torch.from_numpy(one.mel.astype(np.float32))[None]
            pitch = one.pitch[None]
            sound = generator(
                mel,
                torch.from_numpy(pitch),
                torch.tensor([one.speaker]),
                source_spectra(pitch, fft, dice),
            )[0].numpy()
        _write(folder / "recordings", one, one.features.pcm)
        _write(folder / "resynthesis", one, (np.clip(sound, -1, 1) * 32_767).astype(np.int16))
        texts[one.recording.text] = None
    (folder / "sentences.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    _log.info("%s: %d recordings of %d sentences", folder, len(chosen), len(texts))


def _write(folder: Path, one: Utterance, pcm: np.ndarray) -> None:
    with wave.open(str(folder / f"{one.recording.key}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SPEECH_RATE_HZ)
        file.writeframes(pcm.astype("<i2").tobytes())
    words = " ".join(one.features.words.tolist())
    (folder / f"{one.recording.key}.txt").write_text(words, encoding="utf-8")
