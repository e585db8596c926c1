"""The voice: words and a style in, 200 ms chunks of speech with phoneme and word times out.

Speech by espeak-ng, which is GPL-3.0-or-later and therefore an extra: ``rt-avatar[espeak]``.
"""

from rt_avatar.engines.espeak._library import VoiceMissingError
from rt_avatar.engines.espeak.engine import EspeakEngine, EspeakStream
from rt_avatar.engines.espeak.voices import VOICES, Voice

__all__ = [
    "VOICES",
    "EspeakEngine",
    "EspeakStream",
    "Voice",
    "VoiceMissingError",
]
