"""How an emotion is spoken: what actors do (``emotions.json``), within what the voice can do.

The table holds medians over actors at two intensities (engines/training/voice/actors.py). A style's
intensity of 0.6, which is what it has by itself, is their normal one, 1 their strong one; below 0.6
it is that much less. Contempt was not acted: it is spoken as the voices made by rule do.
"""

import json
from dataclasses import replace
from functools import cache
from math import exp, log, log2, tanh
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.tts_prosody import Prosody, prosody_of, with_style
from rt_avatar.engines.types import VoiceStyle

_TABLE: Final = Path(__file__).parent / "emotions.json"
_INTENSITIES: Final = {"normal": 0.6, "strong": 1.0}
# Actors shout an octave above their voice and 20 dB louder. The voice was taught by readers, and
# what reaches a caller is levelled: beyond these it goes on changing, but ever less.
_PITCH_OCTAVES: Final = 0.5
_LOUDER_DB: Final = 3.0
_LOUDER_SHARE: Final = 0.25
_BRIGHTER_DB: Final = 6.0
_VOLUME_MAX: Final = 1.6


def actors_prosody(style: VoiceStyle) -> Prosody:
    """Return the factors of emotion and style together."""
    rule = prosody_of(replace(style, rate=1.0, pitch=1.0, pitch_range=1.0, volume=1.0))
    acted = _figures(style.emotion, min(max(style.intensity, 0.0), 1.0))
    if acted is None:
        return with_style(rule, style, _VOLUME_MAX)
    level_db = acted["level_db"]
    if level_db > 0:
        level_db = _bounded(level_db * _LOUDER_SHARE, _LOUDER_DB)
    felt = Prosody(
        rate=acted["rate"],
        pitch=2 ** _bounded(log2(acted["pitch"]), _PITCH_OCTAVES),
        pitch_range=acted["pitch_range"],
        volume=10 ** (level_db / 20),
        pause=rule.pause,
        brightness_db=_bounded(acted["brightness_db"], _BRIGHTER_DB),
        breath_db=-acted["hnr_db"],
    )
    return with_style(felt, style, _VOLUME_MAX)


def _bounded(value: float, limit: float) -> float:
    return limit * tanh(value / limit)


def _figures(emotion: str, intensity: float) -> dict[str, float] | None:
    """Return the medians at an intensity 0..1; None: nobody acted that."""
    kinds = _load().get(emotion)
    if kinds is None:
        return None
    at = [0.0, *(_INTENSITIES[name] for name in kinds)]
    figures = {}
    for name in next(iter(kinds.values())):
        is_ratio = not name.endswith("_db")
        medians = [kind[name][0] for kind in kinds.values()]
        known = [0.0, *(log(median) if is_ratio else median for median in medians)]
        value = float(np.interp(intensity, at, known))
        figures[name] = exp(value) if is_ratio else value
    return figures


@cache
def _load() -> dict[str, dict[str, dict[str, list[float]]]]:
    table: dict[str, dict[str, dict[str, list[float]]]] = json.loads(_TABLE.read_text("utf-8"))[
        "emotions"
    ]
    return table
