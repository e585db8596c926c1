"""libespeak-ng in this process through ctypes: text and numbers in, sound and events out.

The library is one set of C globals, so there is one ``Library`` a process and one lock: every call
sets the voice and all its parameters before it speaks, and nothing of one caller is left for the
next. What the library does keep is the phase of its oscillators and noise: the same words twice
differ by some milliseconds, about a pitch period.

It does not know styles, chunks or who the avatar is.
Source: the declarations follow espeak-ng 1.52, ``speak_lib.h``.
"""

import ctypes
import functools
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

RATE_HZ: Final = 22_050  # of espeak-ng's phoneme data

_OUTPUT_SYNCHRONOUS: Final = 2  # no sound device: speak() returns when all is delivered
_BUFFER_MS: Final = 200
_INITIALIZE_OPTIONS: Final = 0x0001 | 0x0002 | 0x8000  # phoneme events, in IPA, never exit()
_CHARS_UTF8: Final = 1
_POSITION_CHARACTER: Final = 1
_END_OF_EVENTS, _WORD, _PHONEME = 0, 1, 7
_PARAMETER_RATE, _PARAMETER_VOLUME, _PARAMETER_PITCH, _PARAMETER_RANGE = 1, 2, 3, 4
_PARAMETER_PUNCTUATION, _PARAMETER_CAPITALS, _PARAMETER_WORD_GAP = 5, 6, 7
# Of the library's 100: there some variants clip their open vowels. Loudness is made outside it.
_VOLUME: Final = 70
FULL_SCALE: Final = 0.69 * 32_768  # what 1.0 at volume 100 becomes (measured: 0.684-0.695)


class VoiceMissingError(RuntimeError):
    """espeak-ng is not installed, or its library or data cannot be loaded."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"voice: expected espeak-ng from the package espeakng-loader; {reason}. "
            "Install it with: make install EXTRAS=espeak "
            "(an extra, because espeak-ng is licensed under GPL-3.0-or-later)"
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """What one call speaks with.

    Attributes:
        variant: espeak-ng's name of the speaker, e.g. ``"f5"``.
        rate_wpm: Words a minute, 80 to 450.
        pitch: 0 to 99; 50 is the variant's own, 50 more is an octave.
        pitch_range: 0 (monotone) to 99; 50 is the variant's own.
    """

    variant: str
    rate_wpm: int
    pitch: int
    pitch_range: int


@dataclass(frozen=True, slots=True)
class Sound:
    """One phoneme as the library names it, with stress marks; "" is a pause."""

    name: str
    sample: int


@dataclass(frozen=True, slots=True)
class WordStart:
    """A word begins: ``position`` is its first character in the text."""

    position: int
    sample: int


@dataclass(frozen=True, slots=True)
class RawSpeech:
    """What the library said: ``pcm`` (samples,) at ``RATE_HZ``; events in order of time."""

    pcm: NDArray[np.int16]
    sounds: tuple[Sound, ...]
    words: tuple[WordStart, ...]


class _EventId(ctypes.Union):
    _fields_ = (
        ("number", ctypes.c_int),
        ("name", ctypes.c_void_p),
        ("string", ctypes.c_uint8 * 8),
    )


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _EventId),
    )


_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_int16), ctypes.c_int, ctypes.POINTER(_Event)
)


class _Take:
    """Collects what one call delivers, up to a limit."""

    def __init__(self, limit_samples: int) -> None:
        self._limit = limit_samples
        self._pcm: list[NDArray[np.int16]] = []
        self._samples = 0
        self._sounds: list[Sound] = []
        self._words: list[WordStart] = []

    def add(self, samples: NDArray[np.int16]) -> bool:
        """Keep samples; return whether more is wanted."""
        self._pcm.append(samples)
        self._samples += len(samples)
        return self._samples < self._limit

    def note(self, event: _Event) -> None:
        """Keep the event if it is of use."""
        if event.type == _PHONEME:
            name = bytes(event.id.string).split(b"\0", 1)[0].decode("utf-8", "ignore")
            self._sounds.append(Sound(name, event.sample))
        elif event.type == _WORD:
            self._words.append(WordStart(event.text_position - 1, event.sample))

    def result(self) -> RawSpeech:
        pcm = np.concatenate(self._pcm) if self._pcm else np.zeros(0, np.int16)
        return RawSpeech(pcm, tuple(self._sounds), tuple(self._words))


class Library:
    """The loaded library. Thread-safe: callers wait for each other (some ms a clause)."""

    def __init__(self) -> None:
        """Load and initialise it, once a process: use ``load_library``.

        Raises:
            VoiceMissingError: The package is not there or does not load.
        """
        self._lock = threading.Lock()
        self._take: _Take | None = None
        library_path, data_path = _find_files()
        try:
            self._lib = ctypes.CDLL(str(library_path))
        except OSError as error:
            raise VoiceMissingError(f"its library does not load: {error}") from error
        rate = self._lib.espeak_Initialize(
            _OUTPUT_SYNCHRONOUS, _BUFFER_MS, os.fsencode(data_path), _INITIALIZE_OPTIONS
        )
        if rate != RATE_HZ:
            raise VoiceMissingError(f"its data does not load from {data_path} (answer {rate})")
        self._callback = _Callback(self._on_sound)  # kept: the library holds its address
        self._lib.espeak_SetSynthCallback(self._callback)

    def speak(self, text: str, language: str, settings: Settings, limit_s: float) -> RawSpeech:
        """Speak text at once; it ends early after about ``limit_s`` seconds of sound.

        Raises:
            ValueError: There is no such voice.
            RuntimeError: The library refused.
        """
        with self._lock:
            self._set(language, settings)
            take = _Take(int(limit_s * RATE_HZ))
            self._take = take
            data = text.encode("utf-8", "replace")
            try:
                status = self._lib.espeak_Synth(
                    data, ctypes.c_size_t(len(data) + 1), 0, _POSITION_CHARACTER, 0, _CHARS_UTF8,
                    None, None,
                )  # fmt: skip
            finally:
                self._take = None
        if status != 0:
            raise RuntimeError(f"espeak-ng could not speak (status {status})")
        return take.result()

    def _set(self, language: str, settings: Settings) -> None:
        name = f"{language}+{settings.variant}"
        if self._lib.espeak_SetVoiceByName(name.encode()) != 0:
            raise ValueError(f"voice: expected an espeak-ng voice; got {name!r}")
        for parameter, value in (
            (_PARAMETER_RATE, settings.rate_wpm),
            (_PARAMETER_VOLUME, _VOLUME),
            (_PARAMETER_PITCH, settings.pitch),
            (_PARAMETER_RANGE, settings.pitch_range),
            (_PARAMETER_PUNCTUATION, 0),
            (_PARAMETER_CAPITALS, 0),
            (_PARAMETER_WORD_GAP, 0),
        ):
            self._lib.espeak_SetParameter(parameter, value, 0)

    def _on_sound(
        self,
        samples: "ctypes._Pointer[ctypes.c_int16]",
        count: int,
        events: "ctypes._Pointer[_Event]",
    ) -> int:
        take = self._take
        if take is None:
            return 1
        index = 0
        while (event := events[index]).type != _END_OF_EVENTS:
            take.note(event)
            index += 1
        if count <= 0 or not samples:
            return 0
        return 0 if take.add(np.ctypeslib.as_array(samples, (count,)).copy()) else 1


def _find_files() -> tuple[Path, Path]:
    try:
        import espeakng_loader
    except ModuleNotFoundError as error:
        raise VoiceMissingError("the package is not installed") from error
    return Path(espeakng_loader.get_library_path()), Path(espeakng_loader.get_data_path())


_LOAD_LOCK = threading.Lock()


@functools.cache
def _loaded() -> Library:
    return Library()


def load_library() -> Library:
    """Return the process's library; the first call loads it (about 5 ms).

    Raises:
        VoiceMissingError: It is not installed or does not load.
    """
    with _LOAD_LOCK:  # cache alone would let two first callers initialise it twice
        return _loaded()
