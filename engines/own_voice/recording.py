"""Read a recording of one person: a file → sound at 24 kHz; or a sentence on what is wrong."""

from io import BytesIO
from pathlib import Path
from typing import Final

import av
import numpy as np
import soxr

from rt_avatar.engines.media_file import MediaError, open_media, sound_of
from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, WIRE_RATE_HZ, Pcm

SHORTEST_S: Final = 5.0
LONGEST_S: Final = 30.0
_READ_S: Final = 90.0  # of a file; longer ones are refused anyway
LEAST_SPEECH_S: Final = 4.0
MAX_BYTES: Final = 40_000_000
LOWEST_RATE_HZ: Final = 16_000
_RECORDING: Final = "a recording (WAV, FLAC, Ogg, MP3, M4A or a film)"
_QUIETEST: Final = 10 ** (-50 / 20)  # peak of what is still sound
_CLIPPED_SHARE: Final = 0.002  # of all samples, in runs at the very top
_CLIPPED_RUN: Final = 3
_OTHER_SOUND: Final = 0.5  # correlation below which two channels are two microphones
_SPEECH: Final = 0.5
# No voice's: what a microphone's offset and the mains add, which at 1 % of the speech already makes
# another person of the lowest bands.
_MAINS_HZ: Final = (50.0, 60.0)
_MAINS_REACH_HZ: Final = 2.0
_BESIDE_HZ: Final = (3.0, 9.0)  # from the mains: what else is as low
_HUM_STANDS_OUT: Final = 4.0  # times the median beside it; what is less is no hum
_LEVEL: Final = 10 ** (-21 / 20)  # RMS of what sounds, as in the recordings the voice learnt from


def read_recording(path: Path) -> Pcm:
    """Return what a person says, levelled, (samples,) at 24 kHz.

    Args:
        path: Sound, or a film with sound, that FFmpeg reads.

    Raises:
        OwnVoiceError: It is no recording of 5 to 30 s of clear speech.
        OSError: It is not there, or may not be read.
    """
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise OwnVoiceError(
            f"{path}: expected at most {MAX_BYTES // 1_000_000} MB; got {size / 1e6:.0f}; cut it "
            f"to {LONGEST_S:.0f} s"
        )
    return hear_recording(path.read_bytes(), str(path))


def hear_recording(data: bytes, path: str = "recording") -> Pcm:
    """Return the same of a file's bytes; ``path`` is what the messages call it.

    Raises:
        OwnVoiceError: It is no recording of 5 to 30 s of clear speech.
    """
    sound, rate_hz = decode(data, path)
    seconds = len(sound) / rate_hz
    if not SHORTEST_S <= seconds <= LONGEST_S:
        mend = "speak longer, ten seconds are best" if seconds < SHORTEST_S else "cut it"
        raise OwnVoiceError(
            f"{path}: expected {SHORTEST_S:.0f} to {LONGEST_S:.0f} s of one person speaking; got "
            f"{seconds:.1f} s; {mend}"
        )
    pcm = soxr.resample(_one_channel(path, sound), rate_hz, SPEECH_RATE_HZ).astype(np.float32)
    _check_sound(path, pcm)
    return levelled(_without_hum(pcm))


def _without_hum(pcm: Pcm) -> Pcm:
    """Return sound at 24 kHz without an offset, the mains no louder than what is beside them."""
    spectrum = np.fft.rfft(pcm - pcm.mean())
    hz = np.fft.rfftfreq(len(pcm), 1 / SPEECH_RATE_HZ)
    for mains_hz in _MAINS_HZ:
        away = np.abs(hz - mains_hz)
        hum = away < _MAINS_REACH_HZ
        beside = np.abs(spectrum[(away > _BESIDE_HZ[0]) & (away < _BESIDE_HZ[1])])
        louder = np.abs(spectrum[hum]) / max(_HUM_STANDS_OUT * float(np.median(beside)), 1e-9)
        spectrum[hum] /= np.maximum(louder, 1.0)
    return np.fft.irfft(spectrum, len(pcm)).astype(np.float32)


def levelled(pcm: Pcm) -> Pcm:
    """Return sound at the level of the recordings that the voice learnt from."""
    hop = SPEECH_RATE_HZ // 100
    power = (pcm[: len(pcm) // hop * hop].reshape(-1, hop) ** 2).mean(axis=1)
    sounding = power > np.percentile(power, 90) * 1e-3
    louder: Pcm = pcm * np.float32(_LEVEL / np.sqrt(power[sounding].mean()))
    return louder


def decode(data: bytes, path: str) -> tuple[Pcm, int]:
    """Return the sound of a file's bytes, (samples, channels), 90 s at most, and its rate.

    Raises:
        OwnVoiceError: It is no recording, or one of a telephone.
    """
    try:
        with open_media(BytesIO(data), _RECORDING, name=path) as container:
            if not container.streams.audio:
                raise OwnVoiceError(
                    f"{path}: expected a recording with sound; got a file with none; record "
                    "yourself, e.g. as WAV, and give that file"
                )
            rate_hz = int(container.streams.audio[0].rate or 0)
            if rate_hz < LOWEST_RATE_HZ:
                raise OwnVoiceError(
                    f"{path}: expected {LOWEST_RATE_HZ:,} samples a second or more; got "
                    f"{rate_hz:,}, as of a telephone; record with a microphone of the computer"
                )
            rate_hz = min(rate_hz, WIRE_RATE_HZ)  # more is not heard, and is kept for 90 s
            resampler = av.AudioResampler("flt", rate=rate_hz)
            blocks, count = [], 0
            for frame in sound_of(container):
                if (channels := frame.layout.nb_channels) > 2:
                    raise OwnVoiceError(
                        f"{path}: expected one channel or two; got {channels}; save it in mono"
                    )
                for out in resampler.resample(frame):
                    blocks.append(out.to_ndarray().reshape(-1, channels))
                    count += len(blocks[-1])
                if count > _READ_S * rate_hz:
                    break
    except MediaError as error:
        raise OwnVoiceError(str(error)) from error
    sound = np.concatenate(blocks) if blocks else np.zeros((0, 1), np.float32)
    if not np.isfinite(sound).all():
        raise OwnVoiceError(
            f"{path}: expected samples that are numbers; got NaN or infinity; save it anew, "
            "e.g. as 16-bit WAV"
        )
    return sound, rate_hz


def _one_channel(path: str, sound: Pcm) -> Pcm:
    """Return the mean of one or two channels that hold the same voice."""
    channels = sound.shape[1]
    if channels == 2 and (np.abs(sound).max(axis=0) > _QUIETEST).all():
        alike = float(np.asarray(np.corrcoef(sound.T))[0, 1])
        if alike < _OTHER_SOUND:
            raise OwnVoiceError(
                f"{path}: expected the same voice on both channels; got two different ones "
                f"(correlation {alike:.2f}); save the one with your voice in mono"
            )
    mean: Pcm = sound.mean(axis=1)
    return mean


def _check_sound(path: str, pcm: Pcm) -> None:
    """Raise where there is silence, clipping, or too little speech."""
    peak = float(np.abs(pcm).max())
    if peak < _QUIETEST:
        level = f"{20 * np.log10(peak):.0f} dB" if peak else "nothing at all"
        raise OwnVoiceError(
            f"{path}: expected somebody speaking; got silence (its peak is {level}); is the "
            "microphone switched on?"
        )
    clipped = _clipped(pcm, peak)
    if clipped > _CLIPPED_SHARE:
        raise OwnVoiceError(
            f"{path}: expected sound that is not too loud for the microphone; got clipping in "
            f"{100 * clipped:.1f} % of the samples; record it again farther away, or lower the "
            "microphone's level"
        )
    speech_s = _speech_s(pcm)
    if speech_s < LEAST_SPEECH_S:
        raise OwnVoiceError(
            f"{path}: expected {LEAST_SPEECH_S:.0f} s of speech or more; found {speech_s:.1f} s in "
            f"{len(pcm) / SPEECH_RATE_HZ:.1f} s; speak without long pauses, and without music or "
            "noise beside you"
        )


def _clipped(pcm: Pcm, peak: float) -> float:
    """Return the share of samples that lie in runs at the peak."""
    at_top = np.abs(pcm) > 0.97 * peak
    edges = np.flatnonzero(np.diff(np.concatenate([[0], at_top.astype(np.int8), [0]])))
    runs = edges[1::2] - edges[::2]
    return float(runs[runs >= _CLIPPED_RUN].sum() / len(pcm))


def _speech_s(pcm: Pcm) -> float:
    """Return how long somebody speaks, by the network that hears it in a call."""
    low = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ).astype(np.float32)
    stream = SileroEngine().open()
    windows = stream.push(low / max(float(np.abs(low).max()), 1e-9) / 2)
    return sum(one.probability > _SPEECH for one in windows) * 512 / INPUT_RATE_HZ
