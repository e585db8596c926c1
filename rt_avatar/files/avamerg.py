"""Read a dialogue in AvaMERG's layout: JSON with sound and video files → ``Dialogue``.

One conversation in AvaMERG's schema, or the list of a whole split (``rt_avatar.engines.avamerg``).
Of every utterance ``wav`` and ``mp4`` may name files, relative to the JSON's folder. Of the
conversation, ``portrait`` names the picture that answers, ``listener_profile`` tells who it is
(age, gender, timbre), and for styles of a reference ``voice`` names the sound of who is to be heard
and ``style_clip`` the expressions of who is to be seen (``rt_avatar.files.style_clip``).

    {"conversation_id": "00001",
     "turns": [{"turn_id": "0",
                "dialogue_history": [{"index": 0, "role": "speaker", "utterance": "I lost my dog.",
                                      "wav": "dia00001utt0.wav", "mp4": "dia00001utt0.mp4"}]}],
     "listener_profile": {"age": "young", "gender": "female", "timbre": "mid"},
     "portrait": "ava.png", "voice": "ava.wav", "style_clip": "ava.npy"}
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rt_avatar.engines.avamerg import (
    Line,
    as_object,
    history_of,
    listener_of,
    read_conversations,
    turns_of,
)
from rt_avatar.engines.empatheia.dialogue import Dialogue, Utterance
from rt_avatar.engines.encoders.pictures import MOST, choose
from rt_avatar.engines.media_file import FILMS, MediaError, open_media, pictures_of
from rt_avatar.engines.styletts2.spectrum import style_mel
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Image, Pcm
from rt_avatar.errors import SetupError
from rt_avatar.files.media import read_portrait, read_sound
from rt_avatar.files.style_clip import read_style_clip


def read_dialogue(
    path: Path, conversation: str = "", turn: int = -1, size_px: int = 256
) -> Dialogue:
    """Read what is to be answered.

    Args:
        path: The JSON file.
        conversation: Which of a list, by its ``conversation_id``; "": the first.
        turn: Which of its turns; -1 is the last.
        size_px: Of the portrait.

    Raises:
        SetupError: The file or what it names is missing or is not what it should be.
    """
    try:
        data = _conversation(read_conversations(path), conversation, path)
        turns = turns_of(data, path)
        if not -len(turns) <= turn < len(turns):
            raise SetupError(f"{path}: expected a turn of 0 to {len(turns) - 1}; got {turn}")
        lines = history_of(turns[turn], path)
        profile = listener_of(data, path)
    except OSError as error:
        raise SetupError(f"{path}: expected a dialogue; {error.strerror or error}") from error
    except ValueError as error:
        raise SetupError(str(error)) from error
    portrait, voice, style_clip = (
        _named(data, what, path) for what in ("portrait", "voice", "style_clip")
    )
    return Dialogue(
        tuple(_utterance(line, path) for line in lines),
        portrait=None if portrait is None else read_portrait(portrait, size_px),
        voice=None if voice is None else _voice(voice),
        style_clip=None if style_clip is None else read_style_clip(style_clip),
        profile=profile,
    )


def _conversation(several: list[Any], wanted: str, path: Path) -> Mapping[str, Any]:
    for each in several:
        found = as_object(each, "a conversation", path)
        if wanted in ("", str(found.get("conversation_id"))):
            return found
    raise SetupError(f"{path}: expected the conversation {wanted or 'to answer'!r}; got none")


def _utterance(line: Line, path: Path) -> Utterance:
    pcm: Pcm | None = None
    pictures: tuple[Image, ...] = ()
    if (sound := _named(line.entry, "wav", path)) is not None:
        pcm = read_sound(sound, INPUT_RATE_HZ)
    if (video := _named(line.entry, "mp4", path)) is not None:
        pictures = _pictures(video)
    return Utterance(line.role, line.text, pcm, pictures)


def _named(data: Mapping[str, Any], what: str, path: Path) -> Path | None:
    """Return the file that an entry names; None where there is no such entry."""
    named = data.get(what)
    if named is None:
        return None
    if not isinstance(named, str):
        raise SetupError(f"{path}: {what}: expected a file's name; got {type(named).__name__}")
    found = path.parent / named
    if not found.is_file():
        raise SetupError(f"{path}: {what}: expected a file; there is no {found}")
    return found


# --- media --------------------------------------------------------------------------------------
def _voice(path: Path) -> Pcm:
    pcm = read_sound(path, SPEECH_RATE_HZ)
    try:
        style_mel(pcm)  # what its style will be taken from
    except ValueError as error:
        raise SetupError(f"{path}: {error}") from error
    return pcm


def _pictures(path: Path) -> tuple[Image, ...]:
    """Return the pictures of a video that are to be looked at."""
    frames: list[Image] = []
    times: list[float] = []
    apart_s = _APART_S
    try:
        with open_media(path, "a video", FILMS) as file:
            for frame in pictures_of(file):
                at = 0.0 if frame.time is None else float(frame.time)
                if not times or at - times[-1] >= apart_s:
                    frames.append(frame.to_ndarray(format="rgb24"))
                    times.append(at)
                if len(frames) > 2 * MOST:
                    frames, times, apart_s = frames[::2], times[::2], 2 * apart_s
    except MediaError as error:
        raise SetupError(str(error)) from error
    if not frames:
        raise SetupError(f"{path}: expected a video with pictures; got none")
    start = times[0]
    seen = [at - start for at in times]
    return tuple(choose(frames, seen, max(seen[-1], _APART_S)))


_APART_S: Final = 0.1  # between frames that are kept at all; more where that would be many
