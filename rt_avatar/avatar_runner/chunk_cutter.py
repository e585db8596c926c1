"""Resample and cut another program's sound: int16 at any rate → ``SpeechChunk``s of 200 ms.

It knows neither words nor phonemes: the chunks carry sound alone, and the mouth follows the sound.
"""

from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.types import CHUNK_SAMPLES, SPEECH_RATE_HZ, Pcm, SpeechChunk
from rt_avatar.errors import BadInputError

# Rates that speech synthesis and sound cards have; anything else is a mistake of the sender.
_RATE_MIN_HZ: Final = 8_000
_RATE_MAX_HZ: Final = 192_000
_CHANNELS_MAX: Final = 8
# 5 ms, the shortest without an audible click, with what the way to the wire spreads.
_FADE: Final = np.pad(np.linspace(1, 0, 104, dtype=np.float32), (0, 16))
_FULL_SCALE: Final = np.float32(1 / 32768)


class ChunkCutter:
    """State of one utterance. Any chunking of the same sound gives the same chunks.

    At 24 kHz the samples pass unchanged. Otherwise the resampler (soxr, "HQ") holds back up to
    42 ms (73 at 8 kHz), for which an utterance begins later; its sound is not moved in time.

    Attributes:
        rate_hz: Rate of what is pushed.
        samples: How many samples at 24 kHz have come out of the resampler; after ``flush`` the
            length of the utterance without the padding of its last chunk.
        given: First sample that no chunk has had.
        is_settled: Whether all that was pushed is in chunks.

    Raises:
        BadInputError: The rate cannot be sound.
    """

    def __init__(self, rate_hz: int) -> None:
        if not _RATE_MIN_HZ <= rate_hz <= _RATE_MAX_HZ:
            raise BadInputError(
                f"speech: expected a rate of {_RATE_MIN_HZ} to {_RATE_MAX_HZ} Hz; got {rate_hz}",
                reason="bad_audio",
            )
        self.rate_hz = rate_hz
        self.samples = 0
        self._resampler = (
            None
            if rate_hz == SPEECH_RATE_HZ
            else soxr.ResampleStream(rate_hz, SPEECH_RATE_HZ, 1, dtype="float32", quality="HQ")
        )
        self.given = 0
        self.is_settled = True
        self._rest: Pcm = np.zeros(0, np.float32)
        self._silences: list[tuple[int, int]] = []  # first sample and length of those put in

    def push(self, pcm: NDArray[np.int16]) -> list[SpeechChunk]:
        """Take any number of samples; return the chunks that are whole.

        Args:
            pcm: (samples,) mono as ``mono`` returns it.
        """
        self.is_settled = self.is_settled and not len(pcm)
        sound: Pcm = pcm.astype(np.float32) * _FULL_SCALE
        if self._resampler is not None:
            sound = self._resampler.resample_chunk(sound)
        return self._cut(sound)

    def flush(self) -> list[SpeechChunk]:
        """End the utterance: return what is left, the last chunk filled up with silence."""
        chunks = self._let_out()
        if len(self._rest):
            self._rest = np.concatenate(
                [self._rest, np.zeros(CHUNK_SAMPLES - len(self._rest), np.float32)]
            )
            chunks.append(self._take())
        return chunks

    def settle(self) -> list[SpeechChunk]:
        """More is late: fill up with silence, so that all that was said can be heard.

        One chunk more lets a mouth that looks ahead come to the end of it.
        """
        chunks = self._let_out()
        silence = -len(self._rest) % CHUNK_SAMPLES + CHUNK_SAMPLES
        self._silences.append((self.given + len(self._rest), silence))
        fading = self._rest[-len(_FADE) :]
        fading *= _FADE[len(_FADE) - len(fading) :]
        self._rest = np.pad(self._rest, (0, silence))
        self.is_settled = True
        return chunks + self._whole()

    @property
    def length(self) -> int:
        """Samples of the utterance with the silences that were put in."""
        return self.samples + sum(silence for _, silence in self._silences)

    def own_samples(self, position: int) -> int:
        """Return how much before a position is the utterance's own sound."""
        added = sum(min(long, max(0, position - at)) for at, long in self._silences)
        return min(position - added, self.samples)

    def _let_out(self) -> list[SpeechChunk]:
        """Take what the resampler holds back; it begins anew."""
        if self._resampler is None:
            return []
        sound = self._resampler.resample_chunk(np.zeros(0, np.float32), last=True)
        self._resampler.clear()
        return self._cut(sound)

    def _cut(self, sound: Pcm) -> list[SpeechChunk]:
        self.samples += len(sound)
        self._rest = np.concatenate([self._rest, sound])
        return self._whole()

    def _whole(self) -> list[SpeechChunk]:
        return [self._take() for _ in range(len(self._rest) // CHUNK_SAMPLES)]

    def _take(self) -> SpeechChunk:
        pcm, self._rest = self._rest[:CHUNK_SAMPLES].copy(), self._rest[CHUNK_SAMPLES:]
        chunk = SpeechChunk(self.given, pcm, (), (), 0)
        self.given += CHUNK_SAMPLES
        return chunk


def mono(pcm: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return (samples,) of (samples,) or (samples, channels); channels are averaged.

    Raises:
        BadInputError: It is not int16 sound of at most eight channels.
    """
    channels = pcm.shape[1] if pcm.ndim == 2 else 1
    if pcm.dtype != np.int16 or pcm.ndim not in (1, 2) or not 1 <= channels <= _CHANNELS_MAX:
        raise BadInputError(
            f"speech: expected int16 samples of shape (n,) or (n, channels), at most "
            f"{_CHANNELS_MAX} channels; got {pcm.dtype} {pcm.shape}",
            reason="bad_audio",
        )
    if pcm.ndim == 1:
        return pcm
    mixed: NDArray[np.int16] = np.round(pcm.mean(axis=1)).astype(np.int16)
    return mixed
