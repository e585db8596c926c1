"""Agreement: is the feeling that was asked for found again in the voice, and in the face?

Every persona says sentences in every feeling. A simple listener that has learnt the feelings from
the *other* personas names them, by voice alone and by face alone, against the same person's neutral
manner in other sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.metrics.agreement import Agreement, affect_of, concordance, leave_one_out
from rt_avatar.benchmarks.metrics.face import Grey, brows_and_eyes, mouth_corners
from rt_avatar.benchmarks.metrics.lips import opening_px
from rt_avatar.benchmarks.quality.group import Group, percent, progress
from rt_avatar.benchmarks.quality.take import Studio, Take
from rt_avatar.benchmarks.quality.view import FACE, anatomy, cut, lips_region, mouth_region, places
from rt_avatar.benchmarks.quality.voice import SENTENCES, speak
from rt_avatar.benchmarks.result import Plot
from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.types import EMOTIONS, Emotion, Image
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner.styles import response_style

Row = NDArray[np.float64]

INTENSITY: Final = 0.6  # what a style has by itself
_EVERY: Final = 6  # pictures of a take; a sentence gives about ten


@dataclass(frozen=True, slots=True)
class _Items:
    """What was measured: one row an item, with what was asked for and by whom."""

    rows: NDArray[np.float64]
    emotions: tuple[Emotion, ...]
    personas: tuple[str, ...]


def emotion(studio: Studio, *, quick: bool) -> Group:
    """Return how often voice and face are named as they were asked for, and whether they agree."""
    voices_said, faces_said = (4, 1) if quick else (6, 2)
    heard = _voices(studio, voices_said, INTENSITY)
    shown = _faces(studio, faces_said, INTENSITY)
    voice = leave_one_out(heard.rows, heard.emotions, heard.personas)
    face = leave_one_out(shown.rows, shown.emotions, shown.personas)
    strong = _voices(studio, voices_said, 1.0)
    full = leave_one_out(strong.rows, strong.emotions, strong.personas)
    used = _used()
    of_used = [at for at, name in enumerate(heard.emotions) if name in used]
    few = leave_one_out(
        heard.rows[of_used],
        [heard.emotions[at] for at in of_used],
        [heard.personas[at] for at in of_used],
    )
    together = _together(heard, voice, shown, face)
    return _group(heard, voice, shown, face, full, few, together)


def _used() -> frozenset[str]:
    """Return the feelings that replies are ever spoken in."""
    return frozenset(response_style(fine).voice.emotion for fine in (None, *FINE))


# --- measuring ----------------------------------------------------------------------------------
def _voices(studio: Studio, count: int, intensity: float) -> _Items:
    """Measure voices: five numbers against the same person's neutral in other sentences."""
    # Half of the sentences show what is neutral, the others are judged.
    known, judged = SENTENCES[:count], SENTENCES[count : 2 * count]
    rows: list[Row] = []
    labels: list[tuple[Emotion, str]] = []
    for persona in progress(PERSONAS, "voices"):
        usual = np.mean(
            [speak(studio, persona, text, "neutral")[1].row() for text in known], axis=0
        )
        for name in EMOTIONS:
            for text in judged:
                rows.append(speak(studio, persona, text, name, intensity)[1].row() - usual)
                labels.append((name, persona))
    return _Items(np.array(rows), tuple(n for n, _ in labels), tuple(p for _, p in labels))


def _faces(studio: Studio, count: int, intensity: float) -> _Items:
    """Measure faces: eight numbers against the same person's neutral in other sentences."""
    known, judged = SENTENCES[:count], SENTENCES[-count:]
    rows: list[Row] = []
    labels: list[tuple[Emotion, str]] = []
    for persona in progress(PERSONAS, "faces"):
        rest = _rest(studio, persona)
        usual = np.mean(
            [_face(studio, studio.say(persona, text, "neutral"), rest) for text in known], axis=0
        )
        for name in EMOTIONS:
            for text in judged:
                take = studio.say(persona, text, name, intensity)
                rows.append(_face(studio, take, rest) - usual)
                labels.append((name, persona))
    return _Items(np.array(rows), tuple(n for n, _ in labels), tuple(p for _, p in labels))


def _rest(studio: Studio, persona: str) -> Grey:
    motion, picture = studio.at_rest(persona)
    return _grey(cut(picture, motion, FACE))


def _face(studio: Studio, take: Take, rest: Grey) -> Row:
    """Return what a face shows over a sentence: (8,)."""
    measures = anatomy(take.persona)
    where = places(measures)
    upper, lower, openings = [], [], []
    motions = take.motion[::_EVERY]
    for picture, motion in zip(studio.pictures(take, _EVERY), motions, strict=True):
        upper.append(brows_and_eyes(rest, _grey(cut(picture, motion, FACE)), where))
        lower.append(mouth_corners(cut(picture, motion, lips_region(measures))))
        openings.append(opening_px(cut(picture, motion, mouth_region(measures))))
    # Corners are read where words leave the mouth nearly shut; blinks do not reach the median.
    calm = np.array(openings) <= np.median(openings)
    return np.concatenate(
        (np.median(upper, axis=0), np.median(np.array(lower)[calm], axis=0), [np.mean(openings)])
    )


def _grey(picture: Image) -> Grey:
    grey: Grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return grey


def _together(
    heard: _Items, voice: Agreement, shown: _Items, face: Agreement
) -> tuple[float, float, float]:
    """Return how well voice and face agree, person by feeling: valence, arousal, and in name."""
    pairs = sorted({*zip(heard.personas, heard.emotions, strict=True)})
    by_ear = _mean_shares(heard, voice, pairs)
    by_eye = _mean_shares(shown, face, pairs)
    said, seen = affect_of(by_ear, voice.classes), affect_of(by_eye, face.classes)
    same = np.mean(by_ear.argmax(axis=1) == by_eye.argmax(axis=1))
    return concordance(said[:, 0], seen[:, 0]), concordance(said[:, 1], seen[:, 1]), float(same)


def _mean_shares(
    items: _Items, found: Agreement, pairs: Sequence[tuple[str, Emotion]]
) -> NDArray[np.float64]:
    places_of = [
        [
            at
            for at, one in enumerate(zip(items.personas, items.emotions, strict=True))
            if one == pair
        ]
        for pair in pairs
    ]
    return np.array([found.shares[where].mean(axis=0) for where in places_of])


# --- telling ------------------------------------------------------------------------------------
def _group(
    heard: _Items,
    voice: Agreement,
    shown: _Items,
    face: Agreement,
    full: Agreement,
    few: Agreement,
    together: tuple[float, float, float],
) -> Group:
    valence, arousal, same = together
    rows = [
        ("feeling named by the voice alone", percent(voice.accuracy), _chance(voice)),
        ("… at full intensity", percent(full.accuracy), _chance(full)),
        (f"… of the {len(few.classes)} that replies use", percent(few.accuracy), _chance(few)),
        ("  named as another, by voice", *_confusions(voice, heard.emotions)),
        ("feeling named by the face alone", percent(face.accuracy), _chance(face)),
        ("  named as another, by face", *_confusions(face, shown.emotions)),
        (
            "voice and face agree, valence / arousal",
            f"{valence:.2f} / {arousal:.2f}",
            f"concordance, 1 is full; the same name in {percent(same)}",
        ),
    ]
    return Group(
        "emotion",
        rows,
        {
            "voice_named_percent": 100 * voice.accuracy,
            "voice_named_full_percent": 100 * full.accuracy,
            "voice_named_used_percent": 100 * few.accuracy,
            "face_named_percent": 100 * face.accuracy,
            "valence_agreement": valence,
            "arousal_agreement": arousal,
        },
        higher_is_better=(
            "voice_named_percent", "voice_named_full_percent", "voice_named_used_percent",
            "face_named_percent", "valence_agreement", "arousal_agreement",
        ),
        plots=(_plot(voice, heard.emotions, face, shown.emotions),),
        notes=(
            "Feelings are named by a nearest-centroid classifier that never met the person it "
            "judges, from five numbers of the voice or eight of the face, against that person's "
            "neutral in other sentences. High: the settings are distinct, and alike in everybody. "
            "It does not say that people would call them so; that takes listeners.",
        ),
    )  # fmt: skip


def _chance(found: Agreement) -> str:
    return (
        f"guessing {percent(found.chance)} (up to {percent(found.chance_most)} by luck), "
        f"{len(found.answers)} items"
    )


def _confusions(found: Agreement, labels: Sequence[str]) -> tuple[str, str]:
    """Return the worst feeling and what it is mostly taken for."""
    counts = found.confusion(labels)
    wrong = sorted(
        ((times, asked, named) for (asked, named), times in counts.items() if asked != named),
        reverse=True,
    )
    each = {name: labels.count(name) for name in found.classes}
    shown = [f"{asked} as {named} {percent(n / each[asked])}" for n, asked, named in wrong[:4]]
    return shown[0] if shown else "none", ", ".join(shown[1:])


def _plot(voice: Agreement, heard: Sequence[str], face: Agreement, shown: Sequence[str]) -> Plot:
    lines: Mapping[str, list[tuple[float, float]]] = {
        "voice": _recall(voice, heard),
        "face": _recall(face, shown),
    }
    return Plot(
        "Feelings named as asked: " + ", ".join(EMOTIONS), "feeling, in this order",
        "named as asked (%)", lines, "bars", 100 / len(EMOTIONS),
    )  # fmt: skip


def _recall(found: Agreement, labels: Sequence[str]) -> list[tuple[float, float]]:
    counts = found.confusion(labels)
    return [
        (at, 100 * counts.get((name, name), 0) / max(1, list(labels).count(name)))
        for at, name in enumerate(found.classes)
    ]
