"""Choose the style of a reply: the caller's emotion → ``VoiceStyle``, ``FaceStyle``.

A mirror is not empathy: a sad caller gets soft concern, a furious one calm, a frightened one
steadiness; joy, pride and surprise are shared. EmpathyEar's and E3RG's tables map the caller's
emotion straight to the rendered one; what is different here is on purpose.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from rt_avatar.engines.emotion_words import Fine, felt
from rt_avatar.engines.types import FaceStyle, VoiceStyle


@dataclass(frozen=True, slots=True)
class ResponseStyle:
    """Voice and face of one reply, chosen together so that they agree."""

    voice: VoiceStyle
    face: FaceStyle


# Directions are Scherer's for affective speech (sadness: slower, lower, narrower; joy: faster,
# higher, wider). Strengths are those at which a judge of actors names the nano voice's feeling
# best: weaker sadness is oftener heard as neutral, stronger joy as anger (docs/LOG.md). Sadness
# brings its own pace, pitch and range: slower and lower still, and it is heard as disgust.
NEUTRAL: Final = ResponseStyle(
    VoiceStyle("happy", 0.3, rate=1.0, pitch=1.0, pitch_range=1.05), FaceStyle("happy", 0.3)
)
GREETING: Final = ResponseStyle(
    VoiceStyle("happy", 0.4, rate=1.0, pitch=1.04, pitch_range=1.2), FaceStyle("happy", 0.65)
)
# Crisis: steady and unhurried. Pity in the face would frighten; a smile would wound.
CRISIS: Final = ResponseStyle(
    VoiceStyle("sad", 0.3, rate=0.88, pitch=0.96, pitch_range=0.85), FaceStyle("sad", 0.35)
)
PUZZLED: Final = ResponseStyle(
    VoiceStyle("neutral", 0.4, rate=0.98, pitch=1.02, pitch_range=1.1), FaceStyle("neutral", 0.4)
)

_COMPASSION: Final = ResponseStyle(VoiceStyle("sad", 0.7, volume=0.95), FaceStyle("sad", 0.45))
_GRIEF: Final = ResponseStyle(VoiceStyle("sad", 0.75, volume=0.9), FaceStyle("sad", 0.6))
_STEADY: Final = ResponseStyle(
    VoiceStyle("neutral", 0.4, rate=0.92, pitch=0.97, pitch_range=0.9), FaceStyle("sad", 0.35)
)
_CALM: Final = ResponseStyle(
    VoiceStyle("neutral", 0.4, rate=0.93, pitch=0.95, pitch_range=0.85), FaceStyle("sad", 0.3)
)
_JOY: Final = ResponseStyle(
    VoiceStyle("happy", 0.4, rate=1.05, pitch=1.06, pitch_range=1.3, volume=1.05),
    FaceStyle("happy", 0.8),
)
_WARM: Final = ResponseStyle(
    VoiceStyle("happy", 0.4, rate=0.98, pitch=1.02, pitch_range=1.15), FaceStyle("happy", 0.55)
)
_WISTFUL: Final = ResponseStyle(
    VoiceStyle("happy", 0.3, rate=0.92, pitch=0.98, pitch_range=0.95), FaceStyle("happy", 0.3)
)
_WONDER: Final = ResponseStyle(
    VoiceStyle("surprised", 0.6, rate=1.02, pitch=1.06, pitch_range=1.25),
    FaceStyle("surprised", 0.55),
)
_WINCE: Final = ResponseStyle(
    VoiceStyle("disgusted", 0.35, rate=0.98, pitch=0.98, pitch_range=1.05),
    FaceStyle("disgusted", 0.35),
)

_BY_COARSE: Final[Mapping[str, ResponseStyle]] = {
    "neutral": NEUTRAL,
    "happy": _JOY,
    "sad": _COMPASSION,
    "angry": _CALM,
    "fear": _STEADY,
    "surprised": _WONDER,
    "disgusted": _WINCE,
    "contempt": _STEADY,
}
_BY_FINE: Final[Mapping[Fine, ResponseStyle]] = {
    "devastated": _GRIEF,
    "nostalgic": _WISTFUL,
    "sentimental": _WISTFUL,
    "embarrassed": _WARM,
    "content": _WARM,
    "grateful": _WARM,
    "caring": _WARM,
    "trusting": _WARM,
    "faithful": _WARM,
    "hopeful": _WARM,
    "prepared": _WARM,
    "confident": _WARM,
    "impressed": _JOY,
}

# EmpathyEar's "timbre and tone", as small steps from the persona's own voice: (rate, pitch, range,
# volume). Half-steps: the persona stays the same person.
TIMBRES: Final[Mapping[str, tuple[float, float, float, float]]] = {
    "low-pitched": (0.98, 0.96, 0.95, 1.0),
    "soft": (0.96, 1.0, 0.95, 0.9),
    "clear": (1.0, 1.0, 1.05, 1.05),
    "melodious": (1.0, 1.02, 1.12, 1.0),
    "warm": (0.98, 0.99, 1.0, 1.0),
    "husky": (0.97, 0.97, 0.92, 0.95),
    "bright": (1.03, 1.03, 1.1, 1.05),
}


def response_style(fine: Fine | None, intensity: float = 1.0) -> ResponseStyle:
    """Return the style in which to answer someone who feels this.

    Args:
        fine: What the caller feels; ``None`` is neutral.
        intensity: 0 to 1, how strongly; scales all that is shown between half and all of it.
    """
    if fine is None:
        return NEUTRAL
    style = _BY_FINE.get(fine) or _BY_COARSE[felt(fine)]
    share = 0.5 + 0.5 * min(1.0, max(0.0, intensity))
    voice = style.voice

    def towards(value: float) -> float:
        return round(1 + (value - 1) * share, 3)

    return ResponseStyle(
        replace(
            voice,
            intensity=round(voice.intensity * share, 3),
            rate=towards(voice.rate),
            pitch=towards(voice.pitch),
            pitch_range=towards(voice.pitch_range),
            volume=towards(voice.volume),
        ),
        replace(style.face, intensity=round(style.face.intensity * share, 3)),
    )


def with_timbre(style: ResponseStyle, timbre: str) -> ResponseStyle:
    """Return the style with a model's wish for the voice; an unknown word changes nothing."""
    steps = TIMBRES.get(timbre.strip(" .").casefold())
    if steps is None:
        return style
    rate, pitch, pitch_range, volume = steps
    voice = style.voice
    return replace(
        style,
        voice=replace(
            voice,
            rate=round(voice.rate * rate, 3),
            pitch=round(voice.pitch * pitch, 3),
            pitch_range=round(voice.pitch_range * pitch_range, 3),
            volume=round(voice.volume * volume, 3),
        ),
    )
