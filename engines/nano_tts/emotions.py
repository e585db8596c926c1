"""How an emotion is spoken: what actors do (``emotions.json``), within what the voice can do.

The table holds medians over actors at two intensities (engines/training/voice/actors.py). Those of
joy and anger lie near each other; so what is asked for lies half way from the median to the
quartile farther from the mean of all emotions, beyond which a quarter of the actors go. A style's
intensity of 0.35 is their normal one, 1 their strong one; 0.6, which a style has by itself, lies
between, below 0.35 it is that much less. What actors do in a normal emotion is not enough here: the
voice follows but a part of it. Contempt was not acted: it is spoken as the voices made by rule do.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import product
from math import copysign, exp, log, log2, tanh
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from rt_avatar.engines.tts_prosody import Prosody, prosody_of, with_style
from rt_avatar.engines.tts_tone import TIMBRE_HZ
from rt_avatar.engines.types import VoiceStyle

# What the table tells of a change (median over actors, quartiles), and whether it is a ratio or a
# difference; and the gains at ``TIMBRE_HZ`` (medians).
FIGURES: Final = {
    "pitch": True, "pitch_range": True, "rate": True, "level_db": False, "brightness_db": False,
    "hnr_db": False, "jitter": True, "voiced": False,
}  # fmt: skip
TIMBRE: Final = "timbre_db"

_Kinds: TypeAlias = dict[str, dict[str, list[float]]]  # intensity → figure → values
_TABLE: Final = Path(__file__).parent / "emotions.json"
_CONTRASTED: Final = ("pitch", "pitch_range", "rate", "brightness_db", "hnr_db")
_CONTRAST: Final = 0.5  # of the way from the median to the quartile
_INTENSITIES: Final = {"normal": 0.35, "strong": 1.0}
# Actors shout an octave above their voice and 20 dB louder. The voice was taught by readers, and
# what reaches a caller is levelled: beyond these it goes on changing, but ever less.
_PITCH_OCTAVES: Final = 0.5
_LOUDER_DB: Final = 3.0
_LOUDER_SHARE: Final = 0.25
_TIMBRE_DB: Final = 9.0
# Of frames that lose their voice: actors' strong fear loses a quarter, which would cost words.
_UNVOICED: Final = 0.15
_VOLUME_MAX: Final = 1.6


def actors_prosody(style: VoiceStyle) -> Prosody:
    """Return the factors of emotion and style together."""
    rule = prosody_of(replace(style, rate=1.0, pitch=1.0, pitch_range=1.0, volume=1.0))
    kinds = _load().get(style.emotion)
    if kinds is None:  # nobody acted that
        return with_style(rule, style, _VOLUME_MAX)
    intensity = min(max(style.intensity, 0.0), 1.0)
    acted = {name: _at(intensity, kinds, name, 0) for name in FIGURES}
    level_db = acted["level_db"]
    if level_db > 0:
        level_db = _bounded(level_db * _LOUDER_SHARE, _LOUDER_DB)
    timbre = tuple(
        round(_bounded(_at(intensity, kinds, TIMBRE, at), _TIMBRE_DB), 1)
        for at in range(len(TIMBRE_HZ))
    )
    felt = Prosody(
        rate=acted["rate"],
        pitch=2 ** _bounded(log2(acted["pitch"]), _PITCH_OCTAVES),
        pitch_range=acted["pitch_range"],
        volume=10 ** (level_db / 20),
        pause=rule.pause,
        timbre_db=timbre if any(timbre) else (),
        breath_db=-acted["hnr_db"],
        jitter=acted["jitter"],
        voiced=_bounded(acted["voiced"], _UNVOICED),
    )
    return with_style(felt, style, _VOLUME_MAX)


def _bounded(value: float, limit: float) -> float:
    """Return the value up to half the limit, beyond it ever less; the limit is never reached."""
    half = limit / 2
    size = abs(value)
    return value if size <= half else copysign(half + half * tanh((size - half) / half), value)


def _at(intensity: float, kinds: _Kinds, name: str, index: int) -> float:
    """Return a figure at an intensity 0..1: a line through none at 0 and the table's two."""
    is_ratio = FIGURES.get(name, False)
    known = [kind[name][index] for kind in kinds.values()]
    lines = [0.0, *(log(value) if is_ratio else value for value in known)]
    value = float(np.interp(intensity, [0.0, *(_INTENSITIES[kind] for kind in kinds)], lines))
    return exp(value) if is_ratio else value


@cache
def _load() -> dict[str, _Kinds]:
    table: dict[str, _Kinds] = json.loads(_TABLE.read_text("utf-8"))["emotions"]
    for intensity, name in product(_INTENSITIES, _CONTRASTED):
        all_of_it = [kinds[intensity][name] for kinds in table.values()]
        logs = np.log(all_of_it) if FIGURES[name] else np.array(all_of_it)
        median, lower, upper = logs.T
        farther = np.where(median > median.mean(), upper, lower)
        asked = median + _CONTRAST * (farther - median)
        for own, value in zip(all_of_it, np.exp(asked) if FIGURES[name] else asked, strict=True):
            own[0] = float(value)
    return table
