"""Whose voice each persona has, what mixtures are called, and how an emotion moves a style.

Published tables are voices, not feelings. A feeling is made of what every voice here obeys (pace,
pitch, range, loudness, tone: ``engines.tts_prosody``) and of a share of another table's prosodic
half: that of a livelier voice, or of a softer one, of the same gender.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.types import Emotion

# "af_bella", or "af_bella(2)+af_sky": names with shares, as other programs for Kokoro write them.
_TERM: Final = re.compile(r"\s*([a-z]{2}_[a-z]+)\s*(?:\(\s*(\d*\.?\d+)\s*\))?\s*")


@dataclass(frozen=True, slots=True)
class KokoroVoice:
    """One person's voice.

    Attributes:
        shares: Style tables by name, and how much of each.
        rate: Speaking rate against theirs.
        pitch: Mean pitch against theirs.
    """

    shares: Mapping[str, float]
    rate: float = 1.0
    pitch: float = 1.0


# Of each gender those whose authors grade them C+ or better.
VOICES: Final[dict[str, KokoroVoice]] = {
    "young_female": KokoroVoice({"af_heart": 1.0}),
    "young_male": KokoroVoice({"am_puck": 1.0}),
    "middle_female": KokoroVoice({"af_bella": 1.0}),
    "middle_male": KokoroVoice({"am_michael": 1.0}),
    "elderly_female": KokoroVoice({"af_kore": 1.0}, rate=0.88, pitch=0.94),
    "elderly_male": KokoroVoice({"am_fenrir": 1.0}, rate=0.88, pitch=0.94),
    "child_female": KokoroVoice({"af_aoede": 1.0}, rate=1.02, pitch=1.18),
    "child_male": KokoroVoice({"af_sarah": 1.0}, rate=1.04, pitch=1.12),
}
_LIVELY: Final = {"f": "af_bella", "m": "am_puck"}
_SOFT: Final = {"f": "af_nicole", "m": "am_michael"}
# At full intensity: whose prosodic half, and how much of it.
_EMOTIONS: Final[Mapping[Emotion, tuple[Mapping[str, str], float]]] = {
    "happy": (_LIVELY, 0.4),
    "surprised": (_LIVELY, 0.4),
    "angry": (_LIVELY, 0.3),
    "sad": (_SOFT, 0.4),
    "fear": (_SOFT, 0.2),
}


def parse_shares(text: str) -> dict[str, float]:
    """Return the tables that a voice is mixed of: ``"af_bella(2)+af_sky"`` → shares that sum to 1.

    Raises:
        ValueError: It is none.
    """
    shares: dict[str, float] = {}
    for term in text.split("+"):
        found = _TERM.fullmatch(term)
        if not found:
            raise ValueError(
                "voice: expected a name as af_heart, or a mixture as af_bella(2)+af_sky(1); "
                f"got {text!r}"
            )
        shares[found[1]] = shares.get(found[1], 0.0) + float(found[2] or 1)
    total = sum(shares.values())
    if total <= 0:
        raise ValueError(f"voice: expected shares above 0; got {text!r}")
    return {name: share / total for name, share in shares.items()}


def emotion_shares(name: str, emotion: Emotion, intensity: float) -> dict[str, float]:
    """Return the tables of which the prosodic half of a voice's style is made, by share.

    Args:
        name: Of its largest part, which tells its gender by the second letter.
        emotion: How it is said.
        intensity: How strongly, 0 to 1.
    """
    partners, share = _EMOTIONS.get(emotion, ({}, 0.0))
    partner = partners.get(name[1], "")
    return {partner: share * min(max(intensity, 0.0), 1.0)} if partner else {}
