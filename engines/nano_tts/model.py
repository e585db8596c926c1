"""The voice's four graphs and its speakers, read from the package; shared by all callers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.nano_tts.contour import PROSODY, Floats
from rt_avatar.engines.nano_tts.tokens import Tokens
from rt_avatar.engines.runtimes.onnx import OnnxRuntime
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape

GRAPHS: Final = ("encoder", "flow", "decoder", "generator")
MEL_BANDS: Final = 80
_FLOW_STEPS: Final = 8


@dataclass(frozen=True, slots=True)
class SpeakerCode:
    """A speaker, or a mixture of some.

    Attributes:
        acoustic: (1, S) of the networks that make prosody and mel.
        timbre: (1, S) of the generator.
        pitch: Mean of ln F0.
        spread: Its deviation.
    """

    acoustic: Floats
    timbre: Floats
    pitch: float
    spread: float


class NanoModel:
    """The graphs. Thread-safe: they keep nothing between runs.

    Args:
        folder: Where ``python -m rt_avatar.engines.training.voice export`` put the voice.

    Attributes:
        readers: Names of the speakers that it learnt from.
        vocoder: Sizes of the generator.

    Raises:
        FileNotFoundError: A file is missing.
    """

    def __init__(self, folder: Path) -> None:
        for file in (*(f"{name}.onnx" for name in GRAPHS), "speakers.npz"):
            if not (folder / file).is_file():
                raise FileNotFoundError(
                    f"{folder}: expected a voice's {file}, got none; make the folder with "
                    "python -m rt_avatar.engines.training.voice export (docs/nano-voice.md)"
                )
        self._graphs = {name: OnnxRuntime(folder / f"{name}.onnx", arena=False) for name in GRAPHS}
        with np.load(folder / "speakers.npz") as stored:
            self.readers = tuple(str(name) for name in stored["names"])
            self._acoustic, self._timbre = stored["acoustic"], stored["timbre"]
            self._numbers = stored["numbers"].astype(np.float64)
        shapes = {spec.name: spec.shape for spec in self._graphs["generator"].inputs}
        layers, channels, context = (int(str(size)) for size in shapes["layers"][1:])
        tail = int(str(shapes["tail"][1]))
        self.vocoder = VocoderShape(
            inputs=int(str(shapes["x"][1])),
            channels=channels,
            layers=layers,
            kernel=context + 1,
            fft=tail * 4 // 3,
            hop=tail // 3,
        )

    def speaker(self, shares: dict[str, float]) -> SpeakerCode:
        """Return a mixture of speakers by name.

        Raises:
            ValueError: There is no such speaker.
        """
        unknown = set(shares) - set(self.readers)
        if unknown:
            raise ValueError(
                f"speaker: expected some of {', '.join(self.readers)}; got {', '.join(unknown)}"
            )
        rows = [self.readers.index(name) for name in shares]
        weights = np.array(list(shares.values()))
        weights /= weights.sum()
        pitch, spread = weights @ self._numbers[rows, :2]
        return SpeakerCode(
            (weights @ self._acoustic[rows])[None].astype(np.float32),
            (weights @ self._timbre[rows])[None].astype(np.float32),
            float(pitch),
            float(spread),
        )

    def encode(self, tokens: Tokens, speaker: SpeakerCode) -> Floats:
        """Return (1, N, C) of N tokens."""
        inputs: dict[str, NDArray[Any]] = {
            "symbol": tokens.symbol[None],
            "place": tokens.place[None],
            "mark": tokens.mark[None],
            "phrase": tokens.phrase[None],
            "style": speaker.acoustic,
        }
        return self._graphs["encoder"].run(inputs)["encoded"]

    def draw(self, encoded: Floats, speaker: SpeakerCode, temperature: float, seed: int) -> Floats:
        """Draw the prosody of all tokens, (N, PROSODY), normalised.

        Args:
            encoded: Of ``encode``.
            speaker: Who speaks.
            temperature: Deviation of the noise that it begins with: 1 as people vary, 0 their mean.
            seed: Of the noise.
        """
        dice = np.random.default_rng(seed)
        shape = (1, encoded.shape[1], PROSODY)
        x: Floats = (temperature * dice.standard_normal(shape)).astype(np.float32)
        for step in range(_FLOW_STEPS):
            time = np.full(1, step / _FLOW_STEPS, np.float32)
            inputs = {"noisy": x, "time": time, "encoded": encoded, "style": speaker.acoustic}
            moved: Floats = self._graphs["flow"].run(inputs)["velocity"]
            x += moved / np.float32(_FLOW_STEPS)
        drawn: Floats = x[0]
        return drawn

    def decode(
        self, encoded: Floats, numbers: Floats, speaker: SpeakerCode
    ) -> tuple[Floats, Floats]:
        """Return mel (T, 80) and the logit of voice (T,) of frames (T, C) with their numbers."""
        inputs = {"encoded": encoded[None], "numbers": numbers[None], "style": speaker.acoustic}
        out = self._graphs["decoder"].run(inputs)["mel"][0]
        return out[:, :MEL_BANDS], out[:, MEL_BANDS]

    def step(self, inputs: Mapping[str, Floats]) -> Mapping[str, Floats]:
        """Run the generator over some frames with the state of one stream."""
        return self._graphs["generator"].run(inputs)
