"""The model card, written by the run: what it learnt from, for how long, what was measured."""

import csv
from collections import Counter
from pathlib import Path
from typing import Final

from torch import nn

from rt_avatar.engines.training.voice.dataset import Dataset

_STAGES: Final = ("generator", "text", "joint", "variance", "adversarial", "spoken")
_SOURCES: Final = {
    "cathy": "“Kathleen” reading the CMU Arctic prompts (rhasspy/dataset-voice-cathy), CC0 1.0",
    "lj": "LJSpeech 1.1 (K. Ito, L. Johnson), public domain",
    "libri": "LibriSpeech (V. Panayotov, G. Chen, D. Povey, S. Khudanpur, ICASSP 2015), CC BY 4.0",
}
_LIMITS: Final = (
    "## Own voices",
    "",
    "`readers.npz` (2,112 weights) goes from the spectrum of somebody's ten seconds to shares of "
    "these readers: ridge regression over ten-second pieces of the same recordings, 24 to 47 "
    "recordings of each, by `python -m rt_avatar.engines.training.voice readers`. It knows "
    "these readers and nobody else: what it is worth on people left out is in docs/own-voice.md.",
    "",
    "## Limits",
    "",
    "- English alone, read speech: no laughter, no singing, no whisper.",
    "- Emotions are figures on pitch, pace, loudness, tone and breath: medians of what ten of "
    "RAVDESS' actors (CC BY-NC-SA 4.0) do against their own neutral. Nobody's acted speech was "
    "learnt from; medians are facts, believed free of the recordings' licence "
    "(docs/decisions/0019).",
    "- Children and old people are adults' voices with another pitch, pace and vocal tract.",
    "- What was measured of it, beside espeak-ng and the recordings: docs/nano-voice.md.",
)
_FRAMES_A_MINUTE: Final = 80 * 60


def write_card(dataset: Dataset, voice: nn.Module, work: Path, folder: Path) -> None:
    """Write ``MODEL_CARD.md`` beside the weights."""
    minutes: Counter[str] = Counter()
    for one in dataset.training:
        minutes[one.recording.corpus] += len(one.mel)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.suffix != ".md")
    count = sum(value.numel() for value in voice.parameters())
    lines = [
        "# The `nano` voice",
        "",
        f"{count / 1e6:.1f} million parameters, {size / 1e6:.1f} MB: 8-bit and 16-bit weights, run "
        "as 32-bit floats by onnxruntime. Words → phonemes → prosody (drawn by a flow) → mel → "
        "sound at 24 kHz (harmonic source and noise, shaped at 80 frames a second). Written by "
        "`python -m rt_avatar.engines.training.voice export`; the networks are "
        "`engines/networks/nano_tts`.",
        "",
        "## Learnt from",
        "",
        "| recordings | minutes trained on |",
        "|---|---|",
        *(
            f"| {_SOURCES[name]} | {frames / _FRAMES_A_MINUTE:.0f} |"
            for name, frames in minutes.items()
        ),
        "",
        f"{len(dataset.held_out)} utterances were held out by sentence. No other data: nothing "
        "here carries a non-commercial licence. The weights are free under this project's licence; "
        "who passes them on keeps the credit to LibriSpeech.",
        "",
        "## Training",
        "",
        "| stage | steps | hours | held out, at the end |",
        "|---|---|---|---|",
        *(row for stage in _STAGES if (row := _stage(work / f"{stage}.csv", stage))),
        "",
    ]
    (folder / "MODEL_CARD.md").write_text("\n".join([*lines, *_LIMITS, ""]), encoding="utf-8")


def _stage(path: Path, stage: str) -> str:
    if not path.exists():
        return ""
    with path.open(encoding="utf-8", newline="") as file:
        last = list(csv.DictReader(file))[-1]
    text = ", ".join(
        f"{name.removeprefix('held_out_')} {float(value):.3f}"
        for name, value in last.items()
        if name.startswith("held_out_")
    )
    return f"| {stage} | {float(last['step']):.0f} | {float(last['seconds']) / 3600:.1f} | {text} |"
