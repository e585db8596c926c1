"""``Voice`` and ``Prosody`` → numbers for espeak-ng."""

import math

from rt_avatar.engines.espeak._library import Settings
from rt_avatar.engines.espeak.voices import Voice
from rt_avatar.engines.tts_prosody import Prosody

# Outside these words run together or fall apart.
_RATE_WPM_MIN, _RATE_WPM_MAX = 95, 260
# espeak-ng moves the base of the pitch by its number, and adds the intonation, which stays as it
# is: of an octave asked for, 0.7 is heard (median over the eight voices at factors 0.8 and 1.25).
_HEARD_OF_PITCH = 0.7


def find_settings(voice: Voice, prosody: Prosody) -> Settings:
    """Return what espeak-ng is to speak with.

    The voice's ``formant`` factor is made by playing its sound faster, so rate and pitch ask for
    that much less here. espeak-ng's pitch number is an octave for 50 (its table
    ``pitch_adjust_tab``), its range is linear with 50 as the voice's own.
    """
    rate = voice.rate_wpm * prosody.rate / voice.formant
    octaves = math.log2(max(voice.pitch / voice.formant, 0.1))
    octaves += math.log2(max(prosody.pitch, 0.1)) / _HEARD_OF_PITCH
    return Settings(
        variant=voice.variant,
        rate_wpm=round(min(max(rate, _RATE_WPM_MIN), _RATE_WPM_MAX)),
        pitch=_percent(50 + 50 * octaves),
        pitch_range=_percent(50 * voice.pitch_range * prosody.pitch_range),
    )


def _percent(value: float) -> int:
    return round(min(max(value, 0.0), 99.0))
