"""Voice files: how one person speaks, private to who made it; no sound is in them.

JSON: shares of the voice's readers, pitch and its range, timbre, the day, and the digest of the key
of the caller whose it is. Folder and files are readable by their owner alone.
"""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rt_avatar.engines.nano_tts.voices import NanoVoice
from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.private_files import age_s, name_problem, write_private
from rt_avatar.engines.tts_tone import TIMBRE_HZ

_SUFFIX: Final = ".json"
_KEPT: Final = ("speakers", "pitch", "pitch_range", "timbre_db")
_SANE: Final = (0.2, 5.0)  # of factors
_LARGEST: Final = 30.0  # share of a reader, gain in dB


@dataclass(frozen=True, slots=True)
class VoiceFile:
    """One person's voice.

    Attributes:
        voice: How it speaks.
        created: The day, ISO 8601.
        owner: SHA-256 of the key of the caller who made it on a page; "": made by command.
    """

    voice: NanoVoice
    created: str
    owner: str = ""


def check_name(name: str) -> str:
    """Return a name that can be a file's.

    Raises:
        OwnVoiceError: It cannot.
    """
    if problem := name_problem(name):
        raise OwnVoiceError(problem)
    return name


def save_voice(folder: Path, name: str, file: VoiceFile) -> Path:
    """Write a voice file, mode 0600; one of that name is replaced when the new one is whole."""
    path = folder / f"{check_name(name)}{_SUFFIX}"
    voice = asdict(file.voice)
    kept = {key: voice[key] for key in _KEPT}
    about = {"created": file.created} | ({"owner": file.owner} if file.owner else {})
    write_private(path, json.dumps({**about, **kept}, indent=1).encode())
    return path


def load_voice(folder: Path, name: str) -> VoiceFile:
    """Read a voice file.

    Raises:
        OwnVoiceError: There is none of that name, or it is no voice file.
    """
    path = folder / f"{check_name(name)}{_SUFFIX}"
    try:
        found = json.loads(path.read_bytes())
        voice = NanoVoice(
            {str(reader): _number(share) for reader, share in found["speakers"].items()},
            pitch=_number(found["pitch"], *_SANE),
            pitch_range=_number(found["pitch_range"], *_SANE),
            timbre_db=tuple(_number(gain) for gain in found["timbre_db"]),
        )
        if not math.isclose(sum(voice.speakers.values()), 1.0, abs_tol=0.01):
            raise ValueError("shares that are not one together")
        if len(voice.timbre_db) != len(TIMBRE_HZ):
            raise ValueError(f"{len(voice.timbre_db)} gains, not {len(TIMBRE_HZ)}")
        return VoiceFile(voice, str(found["created"]), str(found.get("owner", "")))
    except FileNotFoundError:
        raise _not_found(
            folder, name, f"; make it with rt-avatar voice RECORDING --name {name}"
        ) from None
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        what = f"none of its {error}" if isinstance(error, KeyError) else error
        raise OwnVoiceError(
            f"{path}: expected a voice file; got {what}; make it anew with rt-avatar voice"
        ) from error


def delete_voice(folder: Path, name: str) -> None:
    """Delete a voice file.

    Raises:
        OwnVoiceError: There is none of that name.
    """
    try:
        (folder / f"{check_name(name)}{_SUFFIX}").unlink()
    except FileNotFoundError:
        raise _not_found(folder, name) from None


def voice_age_s(folder: Path, name: str) -> float:
    """Return how many seconds ago a voice file was written; 0 where there is none."""
    return age_s(folder / f"{name}{_SUFFIX}")


def voice_names(folder: Path) -> list[str]:
    """Return the names of all voice files."""
    return sorted(path.stem for path in folder.glob(f"*{_SUFFIX}"))


def _number(value: object, low: float = -_LARGEST, high: float = _LARGEST) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{value!r} instead of a number {low:g} to {high:g}")
    return float(value)


def _not_found(folder: Path, name: str, mend: str = "") -> OwnVoiceError:
    known = ", ".join(voice_names(folder)) or "none yet"
    return OwnVoiceError(f"voice: expected one of those made ({known}); got {name!r}{mend}")
