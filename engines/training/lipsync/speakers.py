"""Who speaks in the examples: phrases → sound at 24 kHz with its sounds and their times.

Two kinds of voices with different faults. espeak-ng has eighty that are cleanly made of formants,
at any rate and pitch. flite's are cut from recordings of people, so that breath, creak and the blur
of real consonants are heard; they are few. flite is a system package (``apt-get install flite``).
"""

import shutil
import subprocess
import tempfile
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import soxr

from rt_avatar.engines.espeak._library import Settings, load_library
from rt_avatar.engines.espeak.clause import speak_clause
from rt_avatar.engines.training.lipsync.phones import phone
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, Phoneme

Utterance: TypeAlias = tuple[Pcm, tuple[Phoneme, ...]]
Speaker: TypeAlias = Callable[[str], Utterance | None]

# Kept from training, to measure what voices never heard give: of espeak-ng three men, two women and
# another synthesis (Klatt's), of flite's voices one.
HELD_OUT_ESPEAK: Final = ("m3", "m7", "Alex", "f3", "linda", "klatt4")
FLITE: Final = ("slt", "rms", "kal16")
HELD_OUT_FLITE: Final = ("awb",)
# Not voices of people.
_ODD: Final = ("robo", "Robot", "whisper", "Demonic", "croak", "fast", "Tweaky", "UniRobot")
_LONGEST_S: Final = 20


def espeak_variants() -> list[str]:
    """Return espeak-ng's speakers that sound like people, without those held out."""
    import espeakng_loader

    folder = Path(espeakng_loader.get_data_path()) / "voices" / "!v"
    return sorted(
        file.name
        for file in folder.iterdir()
        if file.name not in HELD_OUT_ESPEAK and not file.name.startswith(_ODD)
    )


def espeak_speaker(variant: str, dice: np.random.Generator) -> Speaker:
    """Return a person of espeak-ng's with a rate, pitch and throat of its own."""
    library = load_library()
    settings = Settings(
        variant=variant,
        rate_wpm=int(dice.integers(110, 260)),
        pitch=int(dice.integers(15, 90)),
        pitch_range=int(dice.integers(20, 99)),
    )
    formant = float(dice.uniform(0.84, 1.22))

    def say(phrase: str) -> Utterance | None:
        clause = speak_clause(library, phrase, settings, formant)
        return None if clause is None else (clause.pcm, clause.phonemes)

    return say


def flite_speaker(voice: str, dice: np.random.Generator) -> Speaker:
    """Return a person of flite's with a throat of its own.

    Raises:
        FileNotFoundError: flite is not installed.
    """
    program = shutil.which("flite")
    if program is None:
        raise FileNotFoundError(
            "flite: expected the program; got none. Install it with: apt-get install flite"
        )
    formant = float(dice.uniform(0.86, 1.16))
    stretch = float(dice.uniform(0.8, 1.2))

    def say(phrase: str) -> Utterance | None:
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            command = [
                program, "-voice", voice, "--setf", f"duration_stretch={stretch:.2f}",
                "-psdur", "-o", file.name, "-t", phrase,
            ]  # fmt: skip
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            with wave.open(file.name) as sound:
                rate_hz = sound.getframerate()
                data = sound.readframes(_LONGEST_S * rate_hz)
        pcm = np.frombuffer(data, np.int16).astype(np.float32) / np.float32(32_768)
        pcm = soxr.resample(pcm, rate_hz * formant, SPEECH_RATE_HZ)
        phonemes, start = [], 0
        for part in output.split():  # "m:0.250": each sound and its end
            name, end_s = part.split(":")
            end = min(len(pcm), round(float(end_s) / formant * SPEECH_RATE_HZ))
            phonemes.append(phone(name, start, end))
            start = end
        return pcm, tuple(p for p in phonemes if p.end > p.start)

    return say
