"""The decoder: aligned text, F0 and energy → frames for the generator, 80 a second.

The trunk is cheap (a twentieth of the generator) and runs once a sentence; the generator runs in
windows or streams. The dropouts and the random smoothing of F0 in the reference are training's.
"""

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import StyleTTS2Config, VocosConfig
from rt_avatar.engines.networks.styletts2.primitives import AdainResBlk1d, Moments
from rt_avatar.engines.networks.styletts2.upsampler import HifiGan, IstftNet
from rt_avatar.engines.networks.styletts2.vocos import VocosGenerator


class Decoder(nn.Module):  # type: ignore[misc]
    """The trunk, with the generator below it as the checkpoint has it."""

    def __init__(self, config: StyleTTS2Config) -> None:
        super().__init__()
        trunk, style, norm = config.trunk, config.style, config.norm
        self.pitch_unit_hz = config.pitch_unit_hz
        self.energy_unit = config.energy_unit
        self.F0_conv = nn.Conv1d(1, 1, 3, stride=2, padding=1)
        self.N_conv = nn.Conv1d(1, 1, 3, stride=2, padding=1)
        self.encode = AdainResBlk1d(config.hidden + 2, trunk.channels, style, norm=norm)
        self.asr_res = nn.Sequential(nn.Conv1d(config.hidden, trunk.aligned, 1))
        inputs = trunk.channels + trunk.aligned + 2
        blocks = [
            AdainResBlk1d(inputs, trunk.channels, style, norm=norm) for _ in range(trunk.blocks - 1)
        ]
        last = AdainResBlk1d(inputs, config.trunk_outputs, style, upsample=True, norm=norm)
        self.decode = nn.ModuleList([*blocks, last])
        generator = config.generator
        if isinstance(generator, VocosConfig):
            self.generator: nn.Module = VocosGenerator(generator, style)
        else:
            kind = IstftNet if generator.kind == "istftnet" else HifiGan
            self.generator = kind(generator, style, config.recipe.source)

    def trunk(
        self,
        aligned: Tensor,
        pitch: Tensor,
        energy: Tensor,
        style: Tensor,
        moments: Moments | None = None,
    ) -> Tensor:
        """Return (B, C, 2 F) for the generator.

        Args:
            aligned: (B, hidden, F) of the text encoder, brought to frames of 25 ms.
            pitch: (B, 2 F) F0 in Hz.
            energy: (B, 2 F).
            style: (B, S) acoustic half.
            moments: Statistics of the norms; None for those of this input.
        """
        used = moments or Moments()
        halved = [
            self.F0_conv(pitch[:, None] * (1.0 / self.pitch_unit_hz)),
            self.N_conv(energy[:, None] * (1.0 / self.energy_unit)),
        ]
        x = self.encode(torch.cat([aligned, *halved], dim=1), style, used)
        beside = [self.asr_res(aligned), *halved]
        for block in self.decode:
            x = block(torch.cat([x, *beside], dim=1), style, used)
        return x
