"""The ``kokoro`` voice: Kokoro-82M's exported graphs and style tables, run by onnxruntime."""

from rt_avatar.engines.kokoro_tts.engine import KokoroEngine, KokoroStream
from rt_avatar.engines.kokoro_tts.model import EXPORTED, KokoroModel, VoiceFolderError

__all__ = ["EXPORTED", "KokoroEngine", "KokoroModel", "KokoroStream", "VoiceFolderError"]
