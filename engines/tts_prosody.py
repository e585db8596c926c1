"""How a style is spoken: ``VoiceStyle`` → factors that a voice made by rule can follow.

The emotion's own prosody is moderate: the avatar is a companion, not an actor, and words must stay
clear. A style's explicit ``rate``, ``pitch``, ``pitch_range`` and ``volume`` multiply it.
"""

from dataclasses import dataclass, replace
from typing import Final

from rt_avatar.engines.types import Emotion, VoiceStyle

_VOLUME_MAX: Final = 1.3


@dataclass(frozen=True, slots=True)
class Prosody:
    """Factors against the voice's own.

    ``brightness_db`` tilts the sound above 1 kHz; ``breath_db`` is noise in what is voiced, of
    voices that have it apart, as they have ``jitter``, F0's trembling, and ``voiced``, by how much
    the share of frames with F0 changes; ``timbre_db`` are gains at ``tts_tone.TIMBRE_HZ``, or none.
    """

    rate: float = 1.0
    pitch: float = 1.0
    pitch_range: float = 1.0
    volume: float = 1.0
    pause: float = 1.0
    brightness_db: float = 0.0
    breath_db: float = 0.0
    jitter: float = 1.0
    voiced: float = 0.0
    timbre_db: tuple[float, ...] = ()


# At full intensity. Signs and order of sizes: I. Murray, J. Arnott, "Toward the simulation of
# emotion in synthetic speech", JASA 93 (1993), table I; F. Burkhardt, W. Sendlmeier, "Verification
# of acoustical correlates of emotional speech using formant-synthesis" (2000), §4. Sizes are about
# half of theirs.
_EMOTIONS: Final[dict[Emotion, Prosody]] = {
    "neutral": Prosody(),
    "happy": Prosody(1.07, 1.10, 1.45, 1.06, 0.85, 2.0),
    "surprised": Prosody(1.04, 1.14, 1.55, 1.06, 0.90, 1.5),
    "angry": Prosody(1.08, 1.02, 1.25, 1.16, 0.80, 3.0),
    "fear": Prosody(1.12, 1.14, 0.85, 0.92, 0.95, 0.5),
    "sad": Prosody(0.87, 0.92, 0.62, 0.86, 1.35, -4.0),
    "disgusted": Prosody(0.92, 0.95, 0.90, 0.96, 1.15, -1.0),
    "contempt": Prosody(0.93, 0.95, 0.80, 0.95, 1.10, -1.0),
}


def prosody_of(style: VoiceStyle) -> Prosody:
    """Return the factors of emotion and style together, before any bounds."""
    full = _EMOTIONS[style.emotion]
    share = min(max(style.intensity, 0.0), 1.0)
    felt = Prosody(
        rate=full.rate**share,
        pitch=full.pitch**share,
        pitch_range=full.pitch_range**share,
        volume=full.volume**share,
        pause=full.pause**share,
        brightness_db=full.brightness_db * share,
    )
    return with_style(felt, style, _VOLUME_MAX)


def with_style(felt: Prosody, style: VoiceStyle, volume_max: float) -> Prosody:
    """Return an emotion's factors multiplied by those that the style names itself."""
    return replace(
        felt,
        rate=felt.rate * style.rate,
        pitch=felt.pitch * style.pitch,
        pitch_range=felt.pitch_range * style.pitch_range,
        volume=min(max(felt.volume * style.volume, 0.0), volume_max),
        pause=felt.pause / max(style.rate, 0.1),
    )
