"""The voices of this machine that a benchmark can be asked for, and how each is made."""

import argparse
from pathlib import Path
from typing import Final

from rt_avatar.engines.espeak import EspeakEngine, VoiceMissingError
from rt_avatar.engines.kokoro_tts import KokoroEngine, VoiceFolderError
from rt_avatar.engines.nano_tts import SHIPPED, NanoEngine
from rt_avatar.engines.runtimes import RuntimeUnavailableError
from rt_avatar.engines.tts import Voice
from rt_avatar.errors import SetupError

KINDS: Final = ("nano", "kokoro", "espeak")


def add_voices(parser: argparse.ArgumentParser) -> None:
    """Declare which voices can be chosen."""
    parser.add_argument(
        "--nano",
        type=Path,
        metavar="FOLDER",
        default=SHIPPED,
        help="a voice of your own instead of the shipped nano",
    )
    parser.add_argument("--kokoro", type=Path, metavar="FOLDER", help="an exported Kokoro")
    parser.add_argument(
        "--only", nargs="+", choices=KINDS, default=(), metavar="KIND", help=", ".join(KINDS)
    )


def chosen_voices(arguments: argparse.Namespace) -> dict[str, Path | None]:
    """Return the folder of each chosen voice; without a choice all but Kokoro, if it has none.

    Raises:
        SetupError: A voice is chosen whose folder is not given.
    """
    folders: dict[str, Path | None] = {"nano": arguments.nano, "kokoro": arguments.kokoro}
    if "kokoro" in arguments.only and arguments.kokoro is None:
        raise SetupError("--only kokoro: expected --kokoro FOLDER with it, got none")
    kinds = arguments.only or [kind for kind in KINDS if kind != "kokoro" or arguments.kokoro]
    return {kind: folders.get(kind) for kind in kinds}


def make_voice(kind: str, folder: Path | None = None) -> Voice:
    """Return a voice that has spoken once.

    Args:
        kind: One of ``KINDS``.
        folder: Of its weights; espeak has none.

    Raises:
        SetupError: It is not installed, or not where it is said to be.
    """
    voice: NanoEngine | KokoroEngine | EspeakEngine
    try:
        if kind == "nano":
            voice = NanoEngine(folder or SHIPPED)
        elif folder is not None:
            voice = KokoroEngine(folder, threads=1)
        else:
            voice = EspeakEngine()
    except (
        VoiceMissingError,
        FileNotFoundError,
        VoiceFolderError,
        RuntimeUnavailableError,
    ) as error:
        raise SetupError(f"--only {kind}: {error}") from error
    voice.warmup()
    return voice
