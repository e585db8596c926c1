"""The ``nano`` voice: learnt from recordings (engines/training/voice), run by onnxruntime."""

from rt_avatar.engines.nano_tts.engine import OWN_VOICE, SHIPPED, NanoEngine, NanoStream
from rt_avatar.engines.nano_tts.voices import VOICES, NanoVoice

__all__ = ["OWN_VOICE", "SHIPPED", "VOICES", "NanoEngine", "NanoStream", "NanoVoice"]
