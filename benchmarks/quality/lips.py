"""Lips: shut for p, b, m and open for vowels, in the motion and in the pictures; in time or not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.metrics.lip_offset import (
    LAGS,
    RATE_HZ,
    LipOffset,
    agreement_curve,
    lip_offset,
    loudness,
)
from rt_avatar.benchmarks.metrics.lips import (
    MOTION_CLOSED,
    is_bilabial,
    is_wide_vowel,
    motion_opening,
    opening_px,
    opens,
    shuts,
)
from rt_avatar.benchmarks.metrics.sync_confidence import envelope_embeddings, sync_confidence
from rt_avatar.benchmarks.quality.group import Group, percent, progress
from rt_avatar.benchmarks.quality.take import Studio, Take
from rt_avatar.benchmarks.quality.view import Region, anatomy, cut, mouth_region
from rt_avatar.benchmarks.result import Plot
from rt_avatar.engines.types import EMOTIONS, SPEECH_RATE_HZ, Emotion
from rt_avatar.personas import PERSONAS

# Full of p, b, m in every place: first, last, between vowels, beside other consonants.
SENTENCES: Final = (
    "Maybe my mother bought a big pumpkin pie for Bob and me.",
    "I am sorry, but some people become bitter when problems pile up.",
    "Mum may remember the poem about the brown puppy.",
    "Both boys jumped up, bumped the table and broke my purple cup.",
)
_INTENSITY: Final = 0.6
# Lips part and meet in some 60 ms each (Löfqvist and Gracco, 1997): a mouth may well stay shut
# through the 30 ms of "a" in "poem about".
_LONG_S: Final = 0.06
_SHUT_PX: Final = 0.5  # no row of teeth or dark is seen: less than about 2.5 px of 512


@dataclass(slots=True)
class _Seen:
    """What was found in the motion, or in the pictures, of all takes."""

    shut: list[bool] = field(default_factory=list)
    open: list[bool] = field(default_factory=list)
    curves: list[NDArray[np.float64]] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)

    def add(self, take: Take, opening: NDArray[np.float64], shut_up_to: float) -> None:
        times, loud = take.times_s, loudness(take.pcm, SPEECH_RATE_HZ)
        self.shut += shuts(opening, times, take.spans_s(is_bilabial), shut_up_to)
        vowels = [(a, b) for a, b in take.spans_s(is_wide_vowel) if b - a >= _LONG_S]
        self.open += opens(opening, times, vowels, shut_up_to)
        self.curves.append(agreement_curve(opening, times, loud))
        self.confidences.append(sync_confidence(*envelope_embeddings(opening, loud)).confidence)


def lips(studio: Studio, *, quick: bool) -> Group:
    """Return how lips shut, open and keep time with the voice."""
    moved, seen = _Seen(), _Seen()
    by_emotion = {emotion: _Seen() for emotion in EMOTIONS}
    each = 1 if quick else 3
    for at, persona in enumerate(progress(PERSONAS, "lips")):
        region = mouth_region(anatomy(persona))
        for turn, emotion in enumerate(EMOTIONS):
            for step in range(each):
                text = SENTENCES[(at + turn + step) % len(SENTENCES)]
                take = studio.say(persona, text, emotion, _INTENSITY)
                for found in (moved, by_emotion[emotion]):
                    found.add(take, motion_opening(take.motion), MOTION_CLOSED)
                # Pictures cost the time: every persona in some of the feelings, each in some
                # personas.
                if (at + turn) % len(EMOTIONS) < each and step == 0:
                    seen.add(take, _openings(studio, take, region), _SHUT_PX)
    return _group(moved, seen, by_emotion)


def _openings(studio: Studio, take: Take, region: Region) -> NDArray[np.float64]:
    """Return how open the mouth is in every picture of a take: (pictures,) in pixels."""
    pictures = studio.pictures(take)
    return np.array(
        [
            opening_px(cut(picture, motion, region))
            for picture, motion in zip(pictures, take.motion, strict=True)
        ]
    )


def _group(moved: _Seen, seen: _Seen, by_emotion: Mapping[Emotion, _Seen]) -> Group:
    in_motion, in_pictures = lip_offset(moved.curves), lip_offset(seen.curves)
    worst = min(by_emotion, key=lambda name: float(np.mean(by_emotion[name].shut)))
    rows = [
        (
            "p, b, m with the mouth shut, seen",
            percent(float(np.mean(seen.shut))),
            f"{len(seen.shut)} sounds in pictures of 512 px, all feelings",
        ),
        (
            "p, b, m with the mouth shut, motion",
            percent(float(np.mean(moved.shut))),
            f"{len(moved.shut)} sounds; least: {worst} "
            f"{percent(float(np.mean(by_emotion[worst].shut)))}",
        ),
        (
            "wide vowels with the mouth open, seen",
            percent(float(np.mean(seen.open))),
            f"{len(seen.open)} vowels; a mouth held shut fails here",
        ),
        ("lips lead the sound, seen", _time(in_pictures), "people: -18 ms, r .53 (see notes)"),
        ("lips lead the sound, motion", _time(in_motion), "ITU-R BT.1359: -45 to 125 ms unseen"),
        (
            "confidence, envelopes (not SyncNet)",
            f"{np.mean(seen.confidences):.2f}",
            "no published figure has this scale",
        ),
    ]
    single = [lip_offset([curve]).lead_ms for curve in seen.curves]
    lags = [(lag - LAGS) * 1000 / RATE_HZ for lag in range(2 * LAGS + 1)]
    mean = np.nanmean(np.array(seen.curves), axis=0)
    return Group(
        "lips",
        rows,
        {
            "lips_shut_percent": 100 * float(np.mean(seen.shut)),
            "lips_shut_motion_percent": 100 * float(np.mean(moved.shut)),
            "vowels_open_percent": 100 * float(np.mean(seen.open)),
            "lip_lead_ms": in_pictures.lead_ms,
            "lip_correlation": in_pictures.correlation,
            "envelope_confidence": float(np.mean(seen.confidences)),
            "bilabials": float(len(seen.shut)),
        },
        higher_is_better=(
            "lips_shut_percent", "lips_shut_motion_percent", "vowels_open_percent",
            "lip_correlation", "envelope_confidence",
        ),
        neutral=("lip_lead_ms", "bilabials"),
        samples={"lead of the lips, a sentence (ms)": single},
        plots=(
            Plot(
                "Mouth against loudness", "lips lead by (ms)", "correlation",
                {"pictures": list(zip(lags, mean.tolist(), strict=True))},
            ),
        ),
        notes=(
            "Lips: seven filmed speakers of GRID (3 s each) measured by the same meter lead by "
            "-18 ms (-31 to 2), r = .53: about 0 is human, ± 30 ms cannot be told apart.",
            "SyncNet's confidence of published systems (2.76 for Empatheia) needs its authors' "
            "weights and PyTorch (--clip FILE --syncnet FILE); the envelopes' is no substitute.",
        ),
    )  # fmt: skip


def _time(offset: LipOffset) -> str:
    return f"{offset.lead_ms:+.0f} ms, r = {offset.correlation:.2f}"
