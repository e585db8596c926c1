"""Sizes of the ``nano`` voice."""

from dataclasses import dataclass, field

from rt_avatar.engines.networks.styletts2.config import VocosConfig
from rt_avatar.engines.styletts2.spectrum import MELS

PITCH_INPUTS = 2  # ln F0 against 200 Hz, and whether there is voice


@dataclass(frozen=True, slots=True)
class NanoTtsConfig:
    """A whole voice.

    Attributes:
        speakers: Rows of the tables of speakers.
        speaker_size: Numbers a speaker in each table.
        channels: Of the layers that work on phones, and on frames before the mel.
        intermediate: Of their two linear maps.
        encoder_layers: Over phones.
        flow_layers: Of the prosody's flow, over phones.
        decoder_layers: Over frames.
        kernel: Of their depthwise convolutions.
        generator: Mel and pitch → sound.
    """

    speakers: int = 16
    speaker_size: int = 32
    channels: int = 192
    intermediate: int = 384
    encoder_layers: int = 4
    flow_layers: int = 4
    decoder_layers: int = 5
    kernel: int = 7
    generator: VocosConfig = field(
        default_factory=lambda: VocosConfig(inputs=MELS + PITCH_INPUTS, intermediate=1024)
    )
