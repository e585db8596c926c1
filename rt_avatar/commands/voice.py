"""``rt-avatar voice``: ten seconds of somebody speaking → a voice that ``tts.voice`` names.

The recording stays on this machine: nothing is sent anywhere, no sound is kept, and the voice's
file is its owner's alone.
"""

import argparse
import wave
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from rt_avatar.commands import terminal
from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.nano_tts import SHIPPED
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.own_voice import OwnVoiceError
from rt_avatar.engines.own_voice.encoder import load_encoder
from rt_avatar.engines.own_voice.prepare import make_voice
from rt_avatar.engines.own_voice.tuning import SAMPLE, say
from rt_avatar.engines.own_voice.voice_file import (
    VoiceFile,
    check_name,
    delete_voice,
    load_voice,
    save_voice,
    voice_names,
)
from rt_avatar.engines.tts_tone import limit
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home

_QUESTION: Final = "Is this your voice, or may you use this recording of the person? [y/N] "
_REFUSAL: Final = (
    "voice: expected your word that this is your voice, or that you may use the "
    "recording; nothing was kept; answer yes, or say it with --consent"
)


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar voice`` with these words; return the exit status.

    Raises:
        SetupError: The recording or the name cannot be used, or nobody consented.
    """
    arguments = _parser().parse_args(words)
    folder = expand_home(arguments.folder)
    try:
        if arguments.list:
            return _list(folder)
        if arguments.delete:
            delete_voice(folder, arguments.delete)
            terminal.say(f"{arguments.delete}: deleted")
            return 0
        return _make(arguments, folder)
    except (OwnVoiceError, OSError) as error:
        raise SetupError(str(error)) from error


def _make(arguments: argparse.Namespace, folder: Path) -> int:
    if arguments.recording is None or arguments.name is None:
        raise SetupError(
            "voice: expected a recording and a name, rt-avatar voice me.wav --name me; or --list "
            "or --delete NAME"
        )
    name = check_name(arguments.name)
    if not arguments.consent:
        terminal.ask_consent(_QUESTION, _REFUSAL)
    model = NanoModel(arguments.model)
    voice = make_voice(model, load_encoder(arguments.model), arguments.recording)
    path = save_voice(folder, name, VoiceFile(voice, date.today().isoformat()))
    load_voice(folder, name)
    terminal.say(f"{path}: readable by you alone. Delete it: rt-avatar voice --delete {name}")
    if arguments.sample:
        _write_sound(arguments.sample, say(model, voice, SAMPLE))
        terminal.say(f"{arguments.sample}: listen whether it is you")
    terminal.say(f"Hear it: rt-avatar serve --tts.voice {name}")
    return 0


def _list(folder: Path) -> int:
    damaged = 0
    for name in voice_names(folder):
        try:
            terminal.say(f"{name}  made {load_voice(folder, name).created}")
        except OwnVoiceError as error:
            terminal.say(f"{name}  {error}")
            damaged = 1
    if not voice_names(folder):
        terminal.say("no voices yet: rt-avatar voice me.wav --name me")
    return damaged


def _write_sound(path: Path, pcm: Pcm) -> None:
    with path.open("wb") as file, wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(SPEECH_RATE_HZ)
        sound.writeframes((limit(pcm) * 32_767).astype("<i2").tobytes())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar voice",
        description="Make a voice of ten seconds of somebody speaking: it stays on this "
        "machine, readable by you alone. Then: rt-avatar serve --tts.voice NAME, or rt-avatar say "
        "the same way.",
    )
    parser.add_argument(
        "recording", type=Path, nargs="?", help="WAV, FLAC, Ogg, MP3, M4A or a film; 5 to 30 s."
    )
    parser.add_argument("--name", help="What to call it: a-z, 0-9, '-'.")
    parser.add_argument(
        "--consent",
        action="store_true",
        help="This is my voice, or I may use the recording: ask nothing.",
    )
    parser.add_argument(
        "--sample", type=Path, metavar="FILE", help="Write four sentences in that voice, as WAV."
    )
    parser.add_argument("--list", action="store_true", help="List the voices made.")
    parser.add_argument("--delete", metavar="NAME", help="Delete a voice.")
    parser.add_argument(
        "--model", type=Path, default=SHIPPED, metavar="FOLDER",
        help="A nano voice of your own instead of the shipped one, as tts.model.",
    )  # fmt: skip
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(TtsSettings().voices_folder),
        help="Where voices are [%(default)s].",
    )
    return parser
