"""The whole voice: what makes mels of tokens, and what makes sound of mels."""

from torch import nn

from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.generator import NanoGenerator


class Voice(nn.Module):  # type: ignore[misc]
    """Both networks, so that they are trained, averaged and kept as one."""

    def __init__(self, config: NanoTtsConfig) -> None:
        super().__init__()
        self.config = config
        self.acoustic = NanoAcoustic(config)
        self.generator = NanoGenerator(config)
