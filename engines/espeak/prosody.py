"""``Voice`` and ``Prosody`` → numbers for espeak-ng."""

import math

from rt_avatar.engines.espeak._library import Settings
from rt_avatar.engines.espeak.voices import Voice
from rt_avatar.engines.tts_prosody import Prosody

# Outside these words run together or fall apart.
_RATE_WPM_MIN, _RATE_WPM_MAX = 95, 260


def find_settings(voice: Voice, prosody: Prosody) -> Settings:
    """Return what espeak-ng is to speak with.

    The voice's ``formant`` factor is made by playing its sound faster, so rate and pitch ask for
    that much less here. espeak-ng's pitch number is an octave for 50 (its table
    ``pitch_adjust_tab``), its range is linear with 50 as the voice's own.
    """
    rate = voice.rate_wpm * prosody.rate / voice.formant
    octaves = math.log2(max(voice.pitch * prosody.pitch / voice.formant, 0.1))
    return Settings(
        variant=voice.variant,
        rate_wpm=round(min(max(rate, _RATE_WPM_MIN), _RATE_WPM_MAX)),
        pitch=_percent(50 + 50 * octaves),
        pitch_range=_percent(50 * voice.pitch_range * prosody.pitch_range),
    )


def _percent(value: float) -> int:
    return round(min(max(value, 0.0), 99.0))
