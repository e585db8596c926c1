"""One's own voice: ten seconds of somebody speaking → how the nano voice speaks as they do."""

from rt_avatar.engines.own_voice.errors import OwnVoiceError

__all__ = ["OwnVoiceError"]
