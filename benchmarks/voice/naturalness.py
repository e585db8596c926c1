"""How good people would call a voice, by a network that learnt it from their ratings (DNSMOS).

It heard some thousand people rate noisy and cleaned calls, no synthetic voice: read its figures
beside those of recordings by the same readers, never by themselves. It is no part of any training
here. C. Reddy et al., "DNSMOS" (arXiv 2010.15258) and "DNSMOS P.835" (arXiv 2110.01763).

Its two graphs are in Microsoft's DNS-Challenge and in the wheel of ``speechmos`` (MIT).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import soxr
from numpy.typing import NDArray

from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.voice.melody import VOICE_OF, say
from rt_avatar.benchmarks.voice.telling import with_own_tract
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.nano_tts.engine import OWN_VOICE
from rt_avatar.engines.training.voice.corpora import Recording, read_corpora, read_sound
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Pcm

P808, P835 = "model_v8.onnx", "sig_bak_ovr.onnx"
_SENTENCES: Final = 12  # of each reader
_LONGEST: Final = 240  # letters
_LEVEL: Final = 0.05  # root mean square that all are brought to: -26 dB, as its training data
_PIECE: Final = 144_160  # samples: 9.01 s
_STEP: Final = INPUT_RATE_HZ
_OVERALL: Final = (-0.06766283, 1.11546468, 0.04602535)  # what P.835's third output is mapped by
_FFT, _HOP, _BANDS, _FRAMES = 321, 160, 120, 900
_TOP_DB: Final = 80.0
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Opinion:
    """Mean opinion scores, 1 to 5.

    Attributes:
        quality: Of ITU-T P.808.
        overall: Of ITU-T P.835: speech and what is behind it.
    """

    quality: float
    overall: float


class DnsMos:
    """The two networks.

    Args:
        folder: Holds ``model_v8.onnx`` and ``sig_bak_ovr.onnx``.

    Raises:
        FileNotFoundError: One of them is missing.
    """

    def __init__(self, folder: Path) -> None:
        for name in (P808, P835):
            if not (folder / name).is_file():
                raise FileNotFoundError(
                    f"{folder}: expected {P808} and {P835}, got no {name}; they are in the wheel "
                    "of speechmos: pip download --no-deps speechmos, and unpack dnsmos_models"
                )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._p808, self._p835 = (
            onnxruntime.InferenceSession(folder / name, options, ["CPUExecutionProvider"])
            for name in (P808, P835)
        )

    def rate(self, pcm: Pcm) -> Opinion:
        """Return the mean opinion of 9 s pieces, one each second, of sound at 16 kHz.

        What is shorter is repeated.
        """
        sound = np.tile(pcm, -(-_PIECE // len(pcm))).astype(np.float32)
        quality, overall = [], []
        for first in range(0, len(sound) - _PIECE + 1, _STEP):
            piece = sound[first : first + _PIECE]
            mel = _decibels(piece[:-_HOP])[None, :_FRAMES].astype(np.float32)
            (scores,) = self._p808.run(None, {"input_1": mel})
            quality.append(float(scores[0, 0]))
            (scores,) = self._p835.run(None, {"input_1": piece[None]})
            overall.append(float(np.polyval(_OVERALL, scores[0, 2])))
        return Opinion(float(np.mean(quality)), float(np.mean(overall)))


def rate_readers(data: Path, voice: Path, dnsmos: DnsMos, *, few: bool) -> dict[str, Opinion]:
    """Return what is thought of ``recordings`` and of ``ours``: means over readers.

    Sentences kept from training, of each reader one behind the other, all as loud.

    Raises:
        FileNotFoundError: A corpus is not there, or the voice.
    """
    engine = NanoEngine(voice, find_own=with_own_tract)
    of: defaultdict[str, dict[str, Recording]] = defaultdict(dict)
    for one in read_corpora(data):
        if one.held_out and one.speaker in VOICE_OF and len(one.text) <= _LONGEST:
            of[one.speaker].setdefault(one.text, one)
    opinions: defaultdict[str, list[Opinion]] = defaultdict(list)
    for reader, sentences in progress(list(of.items()), "naturalness"):
        some = [*sentences.values()][: 2 if few else _SENTENCES]
        recorded = [read_sound(one)[0] for one in some]
        ours = [say(engine, OWN_VOICE + reader, one.text) for one in some]
        for name, sounds in (("recordings", recorded), ("ours", ours)):
            opinions[name].append(dnsmos.rate(np.concatenate([_levelled(one) for one in sounds])))
    return {name: _mean(them) for name, them in opinions.items()}


def _mean(opinions: Sequence[Opinion]) -> Opinion:
    return Opinion(
        float(np.mean([one.quality for one in opinions])),
        float(np.mean([one.overall for one in opinions])),
    )


def _levelled(pcm: Pcm) -> Pcm:
    low = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ)
    return np.asarray(low * (_LEVEL / max(float(np.sqrt(np.mean(low**2))), 1e-6)), np.float32)


def _decibels(sound: Pcm) -> Floats:
    """Return its mel spectrogram as librosa has it, (frames, 120): 0 is 40 dB below the loudest."""
    padded = np.pad(sound.astype(np.float64), _FFT // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::_HOP]
    hann = np.sin(np.pi * np.arange(_FFT) / _FFT) ** 2
    power = np.maximum(np.abs(np.fft.rfft(frames * hann, axis=1)) ** 2 @ _filters().T, 1e-10)
    decibels = 10 * np.log10(power / power.max())
    return np.asarray((np.maximum(decibels, -_TOP_DB) + 40) / 40)


def _filters() -> Floats:
    """Return triangles over Slaney's mel scale, each of unit area, (120, 161)."""
    hz = np.arange(_FFT // 2 + 1) * INPUT_RATE_HZ / _FFT
    step = np.log(6.4) / 27  # above 1 kHz, which is 15 mel
    mels = np.linspace(0.0, 15 + np.log(INPUT_RATE_HZ / 2 / 1000) / step, _BANDS + 2)
    edges = np.where(mels < 15, mels * 200 / 3, 1000 * np.exp(step * (mels - 15)))
    widths, apart = np.diff(edges), edges[:, None] - hz
    rising, falling = -apart[:-2] / widths[:-1, None], apart[2:] / widths[1:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return np.asarray(triangles * (2 / (edges[2:] - edges[:-2]))[:, None])
