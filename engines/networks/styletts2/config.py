"""Sizes of StyleTTS 2: one frozen dataclass a part, and the named networks.

``LJSPEECH``, ``LIBRITTS`` and ``KOKORO`` are the released models, to the tensor. ``NANO`` is the
same graph made small, with two differences that are options here: its normalisations look at one
frame at a time (``norm="frame"``), and its generator works at frame rate (``VocosConfig``). So
nothing in nano's decoder depends on how a sentence is cut.

Source: configurations published with the models; arXiv 2306.07691, 2306.00814 (Vocos).
"""

from dataclasses import dataclass
from typing import Final, Literal

from rt_avatar.engines.styletts2 import recipe
from rt_avatar.engines.styletts2.recipe import Recipe

Norm = Literal["time", "frame"]


@dataclass(frozen=True, slots=True)
class BertConfig:
    """PL-BERT: an ALBERT over phonemes, all layers sharing the weights of one."""

    embedding: int = 128
    hidden: int = 768
    heads: int = 12
    intermediate: int = 2048
    layers: int = 12
    positions: int = 512
    types: int = 2


@dataclass(frozen=True, slots=True)
class DiffusionConfig:
    """The denoiser of styles; ``reference`` is the kind that also sees the reference style."""

    layers: int = 3
    heads: int = 8
    head_size: int = 64
    multiplier: int = 2
    positions: int = 512
    time_features: int = 128
    reference: bool = False


@dataclass(frozen=True, slots=True)
class StyleEncoderConfig:
    """A style encoder: channels of the first convolution, and where doubling them ends."""

    channels: int = 64
    max_channels: int = 512


@dataclass(frozen=True, slots=True)
class TrunkConfig:
    """The decoder before the generator.

    Attributes:
        channels: Of its blocks.
        aligned: Channels to which the aligned text is brought before it is given to every block.
        blocks: After the first; the last of them doubles the frame rate.
    """

    channels: int = 1024
    aligned: int = 64
    blocks: int = 4


@dataclass(frozen=True, slots=True)
class UpsamplerConfig:
    """iSTFTNet or HiFi-GAN with a harmonic source.

    Attributes:
        kind: Which of the two.
        channels: Of the input; each stage halves them.
        rates: Upsampling of each stage.
        kernels: Of the transposed convolutions.
        block_kernels: Of the residual blocks that are averaged in each stage.
        dilations: Of the three layers in each of them.
        fft: Length of iSTFTNet's transform.
        hop: Its hop.
    """

    kind: Literal["istftnet", "hifigan"]
    rates: tuple[int, ...]
    kernels: tuple[int, ...]
    channels: int = 512
    block_kernels: tuple[int, ...] = (3, 7, 11)
    dilations: tuple[int, ...] = (1, 3, 5)
    fft: int = 20
    hop: int = 5

    @property
    def stage_channels(self) -> tuple[int, ...]:
        """Channels after each stage."""
        return tuple(self.channels >> (i + 1) for i in range(len(self.rates)))

    @property
    def source_channels(self) -> int:
        """Channels of the source: its sound, or its spectrum's magnitudes and angles."""
        return self.fft + 2 if self.kind == "istftnet" else 1


@dataclass(frozen=True, slots=True)
class VocosConfig:
    """A generator at frame rate: ConvNeXt layers, a spectrum, one inverse transform.

    Attributes:
        inputs: Channels that the trunk gives.
        channels: Of a layer.
        layers: Number of them.
        intermediate: Of a layer's two linear maps.
        kernel: Of the depthwise convolutions; all frames of context are theirs.
        fft: Length of the transform; four hops, so that squared Hann windows add up to 1.5.
        hop: Samples of a frame, 12.5 ms.
    """

    inputs: int = 128
    channels: int = 256
    layers: int = 8
    intermediate: int = 640
    kernel: int = 7
    fft: int = 1200
    hop: int = 300


@dataclass(frozen=True, slots=True)
class StyleTTS2Config:
    """A whole network.

    Attributes:
        name: Of the named network.
        hidden: Channels of text encoder and predictor.
        style: Numbers of one half of a style.
        layers: Of the text encoder and of the duration encoder.
        max_duration: Bins of the duration head.
        norm: Over time, as the reference does (its statistics bind a sentence together), or over
            the channels of each frame.
        pitch_unit_hz: F0 is divided by it where a network takes it and multiplied where one gives
            it. A norm over channels would see nothing but F0 if that came in Hz.
        energy_unit: The same for the energy.
        bert: PL-BERT.
        trunk: The decoder's trunk.
        generator: What makes the sound.
        diffusion: Or none.
        style_encoder: Or none.
        recipe: The inference's numbers that are no weights, ``sigma_data`` among them.
    """

    name: str
    generator: UpsamplerConfig | VocosConfig
    recipe: Recipe
    diffusion: DiffusionConfig | None
    style_encoder: StyleEncoderConfig | None = StyleEncoderConfig()
    symbols: int = 178
    hidden: int = 512
    style: int = 128
    layers: int = 3
    max_duration: int = 50
    norm: Norm = "time"
    pitch_unit_hz: float = 1.0
    energy_unit: float = 1.0
    bert: BertConfig = BertConfig()
    trunk: TrunkConfig = TrunkConfig()

    @property
    def trunk_outputs(self) -> int:
        """Channels from trunk to generator."""
        generator = self.generator
        return generator.inputs if isinstance(generator, VocosConfig) else generator.channels


ISTFTNET: Final = UpsamplerConfig(kind="istftnet", rates=(10, 6), kernels=(20, 12))
HIFIGAN: Final = UpsamplerConfig(kind="hifigan", rates=(10, 5, 3, 2), kernels=(20, 10, 6, 4))

LJSPEECH: Final = StyleTTS2Config(
    name="ljspeech", generator=ISTFTNET, recipe=recipe.LJSPEECH, diffusion=DiffusionConfig()
)
LIBRITTS: Final = StyleTTS2Config(
    name="libritts",
    generator=HIFIGAN,
    recipe=recipe.LIBRITTS,
    diffusion=DiffusionConfig(reference=True),
)
KOKORO: Final = StyleTTS2Config(
    name="kokoro",
    generator=ISTFTNET,
    recipe=recipe.KOKORO,
    diffusion=None,
    style_encoder=None,
)
# Sizes by the budget of one thread (200 ms of speech in at most 20 ms) and of training on two
# cores: under 5M for text and prosody, about 4M for the decoder.
NANO: Final = StyleTTS2Config(
    name="nano",
    generator=VocosConfig(),
    recipe=recipe.NANO,
    diffusion=None,
    style_encoder=StyleEncoderConfig(channels=16, max_channels=96),
    hidden=192,
    norm="frame",
    pitch_unit_hz=200.0,
    energy_unit=4.0,
    bert=BertConfig(embedding=64, hidden=192, heads=4, intermediate=512, layers=4),
    trunk=TrunkConfig(channels=128, aligned=32, blocks=2),
)
CONFIGS: Final = {config.name: config for config in (LJSPEECH, LIBRITTS, KOKORO, NANO)}
