"""smart-turn v3: whether a turn is over, by the last eight seconds of its sound, once in a pause.

Somebody else's network, chosen by a setting: Whisper tiny's encoder with a head, trained on 23
languages (BSD-2-Clause, https://github.com/pipecat-ai/smart-turn). It is asked as pipecat asks it:
the turn from half a second before the voice on, at most the last eight seconds, zeros before it,
brought to mean 0 and variance 1, as Whisper's log-mel. One answer takes some tens of milliseconds,
so that it is asked once every ``_EVERY`` windows of silence and not in every one.
"""

import math
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.end_of_turn.features import WINDOW_SAMPLES, EndOfTurnInput
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

FETCHED: Final = Path("~/.cache/rt-avatar/models/smart-turn-v3.2-cpu.onnx")
_INPUT: Final = "input_features"
SAMPLES: Final = 8 * INPUT_RATE_HZ
MELS: Final = 80
_FFT: Final = 400
_HOP: Final = 160
# Silence before the first answer (pipecat's `stop_secs`), and between answers.
_EVERY: Final = 6  # windows, 192 ms
_BEFORE_SAMPLES: Final = INPUT_RATE_HZ // 2
# As turn detection has them by default.
_SPEECH, _SILENCE = 0.5, 0.35
_UNASKED: Final = -5.0
_SURE: Final = 1e-4

Floats = NDArray[np.float64]


class SmartTurnFileError(Exception):
    """There is no network of smart-turn's; the message says how to get it."""


class SmartTurnEngine:
    """The network, once a process, on one thread."""

    early_cost = 1.0

    def __init__(self, model: Path) -> None:
        """Load the file.

        Raises:
            SmartTurnFileError: There is none, or it is another network.
        """
        model, hint = model.expanduser(), "rt-avatar models fetch smart-turn brings it"
        if not model.is_file():
            raise SmartTurnFileError(f"found no file {model}; {hint}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own have no common base
            raise SmartTurnFileError(
                f"{model}: expected an ONNX file, got {error}; {hint}"
            ) from error
        inputs = {each.name: each.shape[1:] for each in self._session.get_inputs()}
        if inputs != {_INPUT: [MELS, SAMPLES // _HOP]}:
            raise SmartTurnFileError(
                f"{model}: expected the input {_INPUT} (n, {MELS}, {SAMPLES // _HOP}), got "
                f"{inputs}; {hint}"
            )

    @property
    def spec(self) -> EngineSpec:
        """One logit a window, without look-ahead."""
        rate_hz = INPUT_RATE_HZ // WINDOW_SAMPLES  # 31.25, as a whole number
        return EngineSpec("smart turn", rate_hz, rate_hz, 1)

    def warmup(self) -> None:
        """Answer once: the first run allocates."""
        self.hear(np.zeros(WINDOW_SAMPLES, np.float32))

    def open(self) -> "SmartTurnStream":
        """Create the state of one caller."""
        return SmartTurnStream(self)

    def hear(self, pcm: Pcm) -> float:
        """Return the logit that a turn is over.

        Args:
            pcm: (n,) of the turn so far at 16 kHz, with a little silence behind it.
        """
        (answer,) = self._session.run(None, {_INPUT: log_mel(pcm)[None]})
        probability = float(np.clip(np.asarray(answer).flat[0], _SURE, 1 - _SURE))
        return math.log(probability / (1 - probability))

    def probability(self, logit: float, text: str, confidence: float) -> float:
        """Return how likely (0..1) the turn is over; the words are not looked at."""
        return 0.5 + 0.5 * math.tanh(0.5 * logit)


class SmartTurnStream:
    """One caller's turns. Not thread-safe."""

    def __init__(self, engine: SmartTurnEngine) -> None:
        self._engine = engine
        self._turn: Pcm = np.zeros(0, np.float32)
        self._is_speech = self._has_spoken = False
        self._silence, self._logit = 0, _UNASKED

    def push(self, item: EndOfTurnInput) -> list[float]:
        """Take the next window; return the last answer, or that nothing was asked in this pause."""
        self._is_speech = item.speech_probability >= (_SILENCE if self._is_speech else _SPEECH)
        self._has_spoken |= self._is_speech
        self._turn = np.concatenate((self._turn, item.pcm))
        self._turn = self._turn[-(SAMPLES if self._has_spoken else _BEFORE_SAMPLES) :]
        if self._is_speech or not self._has_spoken:
            self._silence, self._logit = 0, _UNASKED
        else:
            self._silence += 1
            if self._silence % _EVERY == 0:
                self._logit = self._engine.hear(self._turn)
        return [self._logit]

    def begin_turn(self) -> None:
        """Forget the last turn, but for the silence that may lie before the next one."""
        self._turn = self._turn[-_BEFORE_SAMPLES:]
        self._has_spoken = self._is_speech
        self._silence, self._logit = 0, _UNASKED

    def flush(self) -> list[float]:
        """Return nothing: there is no look-ahead. The next window begins anew."""
        self.reset()
        return []

    def reset(self) -> None:
        """Forget everything."""
        self._turn = np.zeros(0, np.float32)
        self._is_speech = False
        self.begin_turn()

    def close(self) -> None:
        """Nothing to give back: the weights are shared."""


# --- Whisper's log-mel ----------------------------------------------------------------------------
def log_mel(pcm: Pcm) -> NDArray[np.float32]:
    """Return (80, 800) of the last eight seconds, as Whisper's feature extractor with normalising.

    Source: Hugging Face transformers, ``WhisperFeatureExtractor(chunk_length=8)``; compared with it
    in a test.
    """
    sound = np.zeros(SAMPLES, np.float32)
    kept = pcm[-SAMPLES:]
    sound[SAMPLES - len(kept) :] = kept
    sound = (sound - sound.mean()) / np.sqrt(sound.var() + 1e-7)
    padded = np.pad(sound.astype(np.float64), _FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::_HOP][:-1]
    power = np.abs(np.fft.rfft(frames * _HANN, axis=1)) ** 2
    mel = np.log10(np.maximum(_FILTERS @ power.T, 1e-10))
    bounded: Floats = np.maximum(mel, mel.max() - 8.0)
    return ((bounded + 4.0) / 4.0).astype(np.float32)


def _filters() -> Floats:
    """Return (80, 201) triangles of equal area on Slaney's mel scale from 0 to 8,000 Hz."""
    # Linear to 1,000 Hz (15 mel), 27 mel each factor of 6.4 above.
    mels = np.linspace(0, 15 + 27 * math.log(8.0) / math.log(6.4), MELS + 2)
    hz = np.where(mels < 15, mels * 200 / 3, 1000 * 6.4 ** ((mels - 15) / 27))
    bins = np.linspace(0, INPUT_RATE_HZ / 2, _FFT // 2 + 1)
    rising = (bins - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
    falling = (hz[2:, None] - bins) / (hz[2:] - hz[1:-1])[:, None]
    area = 2 / (hz[2:] - hz[:-2])
    triangles: Floats = np.maximum(0, np.minimum(rising, falling))
    return triangles * area[:, None]


_HANN: Final[Floats] = np.hanning(_FFT + 1)[:-1]
_FILTERS: Final[Floats] = _filters()
