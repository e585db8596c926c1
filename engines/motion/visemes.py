"""Visemes: what the mouth does for each sound (IPA → targets and dominance of the blendshapes).

A viseme has a *target* for every shape that speech moves, and for every group of shapes a
*dominance*: how strongly the sound insists on its target against its neighbours. A /t/ insists on
jaw and tongue but hardly on the lips, so the vowels around it shape the lips through it.

Targets were chosen by eye on contact sheets of the rig. The classes are those of phonetics (place
of articulation for consonants; height, backness and rounding for vowels); dominances follow Cohen
and Massaro in kind: labials own the lips, sibilants the jaw, rounded vowels the rounding.

Sources: M. Cohen, D. Massaro, "Modeling coarticulation in synthetic visual speech", 1993, §3;
International Phonetic Association, "Handbook of the IPA", 1999 (the chart);
C. Fisher, "Confusions among visually perceived consonants", JSHR 11 (1968) (the classes).
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.channels import Weights, rows_of, weights
from rt_avatar.engines.types import BLENDSHAPE

# --- groups of shapes that share a dominance ---------------------------------------------------
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "jaw": ("jawOpen", "jawForward"),
    "round": ("mouthFunnel", "mouthPucker"),
    "spread": ("mouthSmile", "mouthStretch"),
    "part": ("mouthUpperUp", "mouthLowerDown"),
    "seal": ("mouthPress", "mouthRollUpper", "mouthRollLower"),
    "tongue": ("tongueOut",),
}
DRIVEN: Final = rows_of(name for names in GROUPS.values() for name in names)  # (C,) rows
GROUP_OF: Final = np.array(  # (C,) group of each driven row
    [index for index, names in enumerate(GROUPS.values()) for _ in rows_of(names)], np.intp
)
JAW_GROUP: Final = list(GROUPS).index("jaw")
JAW_COLUMN: Final = DRIVEN.tolist().index(BLENDSHAPE["jawOpen"])

# Stressed vowels open wider, reduced ones less (K. de Jong, "The supraglottal articulation of
# prominence in English", JASA 97, 1995); the amounts were chosen by eye.
STRESS_GAIN: Final = (0.84, 0.95, 1.1)

Gate = Literal["none", "lips", "teeth"]


@dataclass(frozen=True, slots=True, eq=False)
class Viseme:
    """One class of sounds.

    Attributes:
        name: For people and tests.
        target: (C,) weights of the ``DRIVEN`` shapes.
        dominance: (len(GROUPS),) strength in each group.
        gate: "lips" closes the mouth for certain, "teeth" puts the lower lip to the upper teeth.
        is_vowel: Whether stress and loudness scale it.
    """

    name: str
    target: NDArray[np.float64]
    dominance: NDArray[np.float64]
    gate: Gate = "none"
    is_vowel: bool = False


# Dominances: jaw, round, spread, part, seal, tongue.
_LABIAL: Final = (1.3, 0.08, 0.10, 1.2, 1.6, 0.6)  # lips meet sooner on a raised jaw
_DENTAL: Final = (0.8, 0.12, 0.15, 0.7, 0.6, 1.4)
_ALVEOLAR: Final = (0.6, 0.06, 0.10, 0.35, 0.4, 0.8)
_SIBILANT: Final = (1.2, 0.15, 0.25, 0.8, 0.5, 0.8)  # teeth must nearly meet to hiss
_HUSH: Final = (1.1, 1.0, 0.8, 0.8, 0.5, 0.8)
_BACK: Final = (0.30, 0.04, 0.06, 0.15, 0.3, 0.5)  # made where nobody sees it
_GLIDE: Final = (1.2, 1.4, 0.9, 0.8, 0.5, 0.5)
_SPREAD_VOWEL: Final = (0.9, 0.55, 0.9, 0.8, 0.5, 0.5)
_OPEN_VOWEL: Final = (1.1, 0.45, 0.5, 0.8, 0.5, 0.5)
_ROUND_VOWEL: Final = (0.9, 1.1, 0.8, 0.7, 0.5, 0.5)
_WEAK_VOWEL: Final = (0.6, 0.20, 0.25, 0.4, 0.4, 0.4)
_RHOTIC: Final = (0.6, 0.6, 0.4, 0.4, 0.4, 0.5)
_GLOTTAL: Final = (0.10, 0.02, 0.02, 0.08, 0.2, 0.3)
_PAUSE: Final = (0.5, 0.4, 0.4, 0.6, 0.4, 0.4)
_Shapes = Mapping[str, float]
_TABLE: Final[dict[str, tuple[_Shapes, tuple[float, ...]]]] = {
    "pause": ({}, _PAUSE),
    # consonants
    "bilabial": (
        {"mouthPress": 0.42, "mouthRollUpper": 0.30, "mouthRollLower": 0.34, "jawOpen": 0.07},
        _LABIAL,
    ),
    "labiodental": (
        {"mouthRollLower": 0.72, "mouthUpperUp": 0.40, "jawOpen": 0.08, "mouthSmile": 0.08},
        _LABIAL,
    ),
    "dental": ({"jawOpen": 0.17, "tongueOut": 0.34, "mouthLowerDown": 0.20}, _DENTAL),
    "alveolar": ({"jawOpen": 0.14, "mouthLowerDown": 0.18, "mouthUpperUp": 0.08}, _ALVEOLAR),
    "lateral": ({"jawOpen": 0.24, "tongueOut": 0.20, "mouthLowerDown": 0.16}, _ALVEOLAR),
    "sibilant": (
        {"jawOpen": 0.06, "mouthStretch": 0.16, "mouthLowerDown": 0.32, "mouthUpperUp": 0.16},
        _SIBILANT,
    ),
    "hush": (
        {"mouthFunnel": 0.62, "jawOpen": 0.07, "jawForward": 0.12, "mouthUpperUp": 0.20,
         "mouthLowerDown": 0.30},
        _HUSH,
    ),
    "rhotic": ({"jawOpen": 0.14, "mouthFunnel": 0.38, "mouthPucker": 0.26}, _RHOTIC),
    "back": ({"jawOpen": 0.20, "mouthLowerDown": 0.08}, _BACK),
    "glottal": ({"jawOpen": 0.24, "mouthLowerDown": 0.06}, _GLOTTAL),
    "labial_glide": ({"mouthPucker": 0.78, "mouthFunnel": 0.30, "jawOpen": 0.08}, _GLIDE),
    "palatal": (
        {"jawOpen": 0.12, "mouthSmile": 0.18, "mouthStretch": 0.18, "mouthLowerDown": 0.18},
        (0.6, 0.15, 0.5, 0.4, 0.4, 0.6),
    ),
    # vowels
    "ee": (
        {"jawOpen": 0.13, "mouthSmile": 0.30, "mouthStretch": 0.34, "mouthLowerDown": 0.36,
         "mouthUpperUp": 0.22},
        _SPREAD_VOWEL,
    ),
    "ih": (
        {"jawOpen": 0.21, "mouthSmile": 0.16, "mouthStretch": 0.18, "mouthLowerDown": 0.24,
         "mouthUpperUp": 0.14},
        _SPREAD_VOWEL,
    ),
    "eh": (
        {"jawOpen": 0.38, "mouthSmile": 0.12, "mouthStretch": 0.20, "mouthLowerDown": 0.20,
         "mouthUpperUp": 0.16},
        _SPREAD_VOWEL,
    ),
    "ae": (
        {"jawOpen": 0.54, "mouthStretch": 0.24, "mouthLowerDown": 0.20, "mouthUpperUp": 0.20},
        _OPEN_VOWEL,
    ),
    "ah": ({"jawOpen": 0.66, "mouthLowerDown": 0.16, "mouthUpperUp": 0.06}, _OPEN_VOWEL),
    "uh": ({"jawOpen": 0.44, "mouthLowerDown": 0.14, "mouthUpperUp": 0.06}, _OPEN_VOWEL),
    "schwa": ({"jawOpen": 0.26, "mouthLowerDown": 0.12, "mouthUpperUp": 0.04}, _WEAK_VOWEL),
    "er": ({"jawOpen": 0.27, "mouthFunnel": 0.34, "mouthPucker": 0.22}, _ROUND_VOWEL),
    "aw": ({"jawOpen": 0.50, "mouthFunnel": 0.48, "mouthPucker": 0.22}, _ROUND_VOWEL),
    "oh": ({"jawOpen": 0.32, "mouthFunnel": 0.54, "mouthPucker": 0.50}, _ROUND_VOWEL),
    "oo": ({"jawOpen": 0.21, "mouthFunnel": 0.44, "mouthPucker": 0.50}, _ROUND_VOWEL),
    "uw": ({"jawOpen": 0.14, "mouthFunnel": 0.36, "mouthPucker": 0.82}, _ROUND_VOWEL),
    "front_round": ({"jawOpen": 0.15, "mouthFunnel": 0.40, "mouthPucker": 0.68}, _ROUND_VOWEL),
    "front_round_mid": ({"jawOpen": 0.30, "mouthFunnel": 0.48, "mouthPucker": 0.40}, _ROUND_VOWEL),
}  # fmt: skip
_VOWELS: Final = frozenset(list(_TABLE)[list(_TABLE).index("ee") :])
_GATES: Final[Mapping[str, Gate]] = {"bilabial": "lips", "labiodental": "teeth"}


def _viseme(name: str) -> Viseme:
    shapes, dominance = _TABLE[name]
    target: Weights = weights(shapes)[DRIVEN]
    gate = _GATES.get(name, "none")
    return Viseme(name, target, np.array(dominance), gate, name in _VOWELS)


VISEMES: Final[Mapping[str, Viseme]] = {name: _viseme(name) for name in _TABLE}
PAUSE: Final = VISEMES["pause"]

# Letters of the IPA by viseme, wider than English: the chart's columns and rows.
_LETTERS: Final[Mapping[str, str]] = {
    "bilabial": "pbmɓʙɸβ",
    "labiodental": "fvɱʋⱱ",
    "dental": "θð",
    "alveolar": "tdnɾrʈɖɳɽɗǀǃǂ",
    "lateral": "lɭɫɬɮɺǁ",
    "sibilant": "szʂʐɕʑ",
    "hush": "ʃʒ",
    "rhotic": "ɹɻ",
    "back": "kgɡŋxɣqɢɴχʁʀcɟɲçʝʎʟɰɠʄʛ",
    "glottal": "hɦʔʕħʢʡ",
    "labial_glide": "wʍɥ",
    "palatal": "j",
    "ee": "i",
    "ih": "ɪᵻɨɯ",
    "eh": "eɛ",
    "ae": "æ",
    "ah": "aɑ",
    "uh": "ʌɐɤ",
    "schwa": "əɘ",
    "er": "ɜɚɝɞ",
    "aw": "ɔɒɶ",
    "oh": "o",
    "oo": "ʊɵ",
    "uw": "uʉ",
    "front_round": "yʏ",
    "front_round_mid": "øœ",
}
_VISEME_OF: Final = {letter: name for name, letters in _LETTERS.items() for letter in letters}
# A voice's names for two letters that move the lips as one sound.
_WHOLE: Final = {"tʃ": "hush", "dʒ": "hush", "ʧ": "hush", "ʤ": "hush", "kw": "labial_glide"}
# In a diphthong the first vowel is held longer; the second is a goal that is only neared (cf.
# I. Lehiste, G. Peterson, "Transitions, glides, and diphthongs", JASA 33, 1961).
_FIRST_SHARE: Final = 0.6


@lru_cache(maxsize=1024)
def visemes_of(ipa: str) -> tuple[tuple[Viseme, float], ...]:
    """Return the visemes of one sound and their shares of its time, which sum to 1.

    Stress and length marks, tie bars and diacritics do not matter. Letters that nobody knows are
    left out; a sound of which nothing is known moves like a schwa, so the mouth never freezes.

    Args:
        ipa: One sound as the voice names it, e.g. ``"aɪ"``, ``"tʃ"``, ``"ɜː"``; "" is a pause.
    """
    if not ipa.strip():
        return ((PAUSE, 1.0),)
    letters = [
        letter for letter in unicodedata.normalize("NFD", ipa) if not unicodedata.combining(letter)
    ]
    plain = "".join(letter for letter in letters if letter in _VISEME_OF)
    if plain[:2] in _WHOLE:
        return ((VISEMES[_WHOLE[plain[:2]]], 1.0),)
    found = [VISEMES[_VISEME_OF[letter]] for letter in plain]
    if not found:
        return ((VISEMES["schwa"], 1.0),)
    if len(found) == 1:
        return ((found[0], 1.0),)
    rest = (1.0 - _FIRST_SHARE) / (len(found) - 1)
    return ((found[0], _FIRST_SHARE), *((viseme, rest) for viseme in found[1:]))
