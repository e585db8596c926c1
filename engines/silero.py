"""Voice activity: ``Pcm`` at 16 kHz → the probability of speech in every 32 ms.

Silero's network on onnxruntime; its weights (MIT) are in ``silero_vad``, beside their licence
(docs/decisions/0003-silero-without-torch.md). Decides nothing: what is speech is a matter of
thresholds (``rt_avatar.perception.turn_detector``).

Source: https://github.com/snakers4/silero-vad, release 6.2.3: a window is 512 samples with the 64
before it as context; the recurrent state is (2, 1, 128).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

WINDOW_SAMPLES: Final = 512
_CONTEXT_SAMPLES: Final = 64
_STATE_SHAPE: Final = (2, 1, 128)
# The recurrent state gets used to a voice and keeps it for some 20 s: of "Ask not", said again 2 s
# after it was said, no window reaches 0.5; from a fresh state the second one does. So the state
# begins anew after so much quiet.
_QUIET: Final = 0.15
_QUIET_WINDOWS: Final = 20  # 640 ms: pauses inside a turn are mostly shorter
# Nobody speaks where no sample is larger: four steps of 16 bits, what a codec leaves of a muted
# microphone. In a longer quiet the network, 0.7 ms after a wait and 0.1 without, need not be asked.
_MUTED: Final = np.float32(4 / 32768)
_WEIGHTS: Final = Path(__file__).parent / "silero_vad" / "silero_vad_16k_op15.onnx"


@dataclass(frozen=True, slots=True)
class SpeechWindow:
    """One window of 512 samples; ``pts`` is its first, counted from ``open`` or ``reset``."""

    pts: int
    probability: float


def find_model() -> Path:
    """Return the file of the weights.

    Raises:
        FileNotFoundError: It is not there; the message says how to mend it.
    """
    if not _WEIGHTS.is_file():
        raise FileNotFoundError(
            f"silero: expected the network's weights, {'/'.join(_WEIGHTS.parts[-3:])}, as they "
            "come with rt-avatar; got none. Install it anew: pip install --force-reinstall"
        )
    return _WEIGHTS


class SileroEngine:
    """The network, once a process. One thread: 0.13 ms a window needs no more."""

    def __init__(self, model: Path | None = None) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(model or find_model()), options, providers=["CPUExecutionProvider"]
        )

    @property
    def spec(self) -> EngineSpec:
        """One probability per 512 samples, without look-ahead."""
        return EngineSpec(
            name="silero",
            input_rate_hz=INPUT_RATE_HZ,
            output_rate_hz=INPUT_RATE_HZ // WINDOW_SAMPLES,  # 31.25, as a whole number
            chunk=WINDOW_SAMPLES,
        )

    def warmup(self) -> None:
        """Run one window: the first run allocates."""
        self.open().push(np.zeros(WINDOW_SAMPLES, np.float32))

    def open(self) -> "SileroStream":
        """Create the state of one caller."""
        return SileroStream(self._session)


class SileroStream:
    """One caller's windows and recurrent state, which begins anew in every longer quiet."""

    def __init__(self, session: onnxruntime.InferenceSession) -> None:
        self._session = session
        self._rate = np.array(INPUT_RATE_HZ, np.int64)
        self.reset()

    def reset(self) -> None:
        """Forget everything; ``pts`` counts from 0 again."""
        self._pts = 0
        self._quiet_windows = 0  # in a row
        self._state: NDArray[np.float32] = np.zeros(_STATE_SHAPE, np.float32)
        # (64 + rest,) samples: the context, then what does not fill a window yet.
        self._sound: Pcm = np.zeros(_CONTEXT_SAMPLES, np.float32)

    def push(self, item: Pcm) -> list[SpeechWindow]:
        """Take sound of any length; return the windows it completes."""
        sound = np.concatenate((self._sound, item), dtype=np.float32)
        start = 0
        windows = []
        while len(sound) - start >= _CONTEXT_SAMPLES + WINDOW_SAMPLES:
            windows.append(self._run(sound[start : start + _CONTEXT_SAMPLES + WINDOW_SAMPLES]))
            start += WINDOW_SAMPLES
        self._sound = sound[start:]
        return windows

    def _run(self, window: Pcm) -> SpeechWindow:
        """Run the network on (64 + 512,) samples."""
        probability = 0.0
        if self._quiet_windows < _QUIET_WINDOWS or np.abs(window).max() > _MUTED:
            inputs = {"input": window[np.newaxis], "state": self._state, "sr": self._rate}
            output, self._state = self._session.run(None, inputs)
            probability = float(output[0, 0])
        self._quiet_windows = self._quiet_windows + 1 if probability < _QUIET else 0
        if self._quiet_windows == _QUIET_WINDOWS:
            self._state = np.zeros(_STATE_SHAPE, np.float32)
        self._pts += WINDOW_SAMPLES
        return SpeechWindow(self._pts - WINDOW_SAMPLES, probability)

    def flush(self) -> list[SpeechWindow]:
        """Return the window begun, filled up with silence; then start anew."""
        rest = len(self._sound) - _CONTEXT_SAMPLES
        windows = self.push(np.zeros(WINDOW_SAMPLES - rest, np.float32)) if rest else []
        self.reset()
        return windows

    def close(self) -> None:
        """Nothing to give back: the session is shared."""
