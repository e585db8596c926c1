"""``rt-avatar portrait``: one photograph → a face that ``avatar.portrait`` names; and what exists.

The picture stays on this machine: nothing is sent anywhere, and its file is its owner's alone.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2

from rt_avatar.commands.terminal import ask_consent, say
from rt_avatar.config.settings import AvatarSettings
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.photo.face_file import (
    check_name,
    delete_face,
    face_names,
    load_face,
    save_face,
    share_face,
    shared_names,
)
from rt_avatar.engines.photo.picture import MAX_BYTES
from rt_avatar.engines.photo.prepare import make_face
from rt_avatar.engines.photo.sheet import draw_sheet
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home

_QUESTION: Final = "Is this you, or may you use this picture of the person? [y/N] "
_REFUSAL: Final = (
    "portrait: expected your word that this is you, or that you may use the picture; "
    "nothing was kept; answer yes, or say it with --consent"
)


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar portrait`` with these words; return the exit status.

    Raises:
        SetupError: The picture, its points or the name cannot be used, or nobody consented.
    """
    arguments = _parser().parse_args(words)
    folder = expand_home(arguments.folder)
    try:
        if arguments.list:
            return _list(folder)
        if arguments.delete:
            delete_face(folder, arguments.delete)
            say(f"{arguments.delete}: deleted")
            return 0
        if arguments.share or arguments.unshare:
            return _share(folder, arguments.share or arguments.unshare, bool(arguments.share))
        return _make(arguments, folder)
    except (PortraitError, OSError) as error:
        raise SetupError(str(error)) from error


def _make(arguments: argparse.Namespace, folder: Path) -> int:
    if arguments.picture is None or arguments.name is None:
        raise SetupError(
            "portrait: expected a picture and a name, rt-avatar portrait me.jpg --name me; or "
            "--list, --share NAME, --unshare NAME or --delete NAME"
        )
    check_name(arguments.name)
    size = arguments.picture.stat().st_size
    if size > MAX_BYTES:
        raise PortraitError(
            f"{arguments.picture}: expected at most {MAX_BYTES // 1_000_000} MB; got "
            f"{size / 1e6:.0f}; save a smaller copy of it"
        )
    points = _read_points(arguments.points) if arguments.points else None
    face, _, landmarks = make_face(arguments.picture.read_bytes(), points)
    if not arguments.consent:
        ask_consent(_QUESTION, _REFUSAL)
    path = save_face(folder, arguments.name, face)
    load_face(folder, arguments.name)
    say(f"{path}: readable by you alone. Delete it: rt-avatar portrait --delete {arguments.name}")
    if arguments.write_points:
        arguments.write_points.write_text(
            json.dumps(landmarks.as_dict(), indent=1) + "\n", encoding="utf-8"
        )
        say(f"{arguments.write_points}: the points found; correct them and give them as --points")
    if arguments.sheet:
        sheet = cv2.cvtColor(draw_sheet(face), cv2.COLOR_RGB2BGR)
        try:
            is_written = cv2.imwrite(str(arguments.sheet), sheet)
        except cv2.error:
            raise SetupError(
                f"{arguments.sheet}: expected a picture's name, e.g. sheet.png"
            ) from None
        if not is_written:
            raise SetupError(f"{arguments.sheet}: cannot be written; is its folder there?")
        say(f"{arguments.sheet}: look whether lips and lids move where they should")
    say(f"See it speak: rt-avatar serve --avatar.portrait {arguments.name}")
    return 0


def _read_points(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # as editors of Windows save it, too
    except UnicodeDecodeError as error:
        raise PortraitError(f"{path}: expected JSON with points, in UTF-8; got {error}") from error


def _share(folder: Path, name: str, is_shared: bool) -> int:
    share_face(folder, name, is_shared=is_shared)
    who = "every caller and room may use it now" if is_shared else "no longer shared"
    say(f"{name}: {who}")
    return 0


def _list(folder: Path) -> int:
    damaged = 0
    for name in face_names(folder):
        try:
            face = load_face(folder, name)
        except PortraitError as error:
            say(f"{name}  {error}")
            damaged = 1
            continue
        whose = "  uploaded by a caller" if face.owner else ""
        shared = "  shared" if name in shared_names(folder) else ""
        say(f"{name}  made {face.created}{whose}{shared}")
    if not face_names(folder):
        say("no faces yet: rt-avatar portrait me.jpg --name me")
    return damaged


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar portrait",
        description="Make a face of one photograph: it stays on this machine, readable by you "
        "alone. Then: rt-avatar serve --avatar.portrait NAME, or rt-avatar say the same way.",
    )
    parser.add_argument("picture", type=Path, nargs="?", help="JPEG, PNG or WebP.")
    parser.add_argument("--name", help="What to call it: a-z, 0-9, '-'.")
    parser.add_argument(
        "--consent", action="store_true", help="This is me, or I may use the picture: ask nothing."
    )
    parser.add_argument(
        "--points", type=Path, metavar="FILE", help="JSON with points put right by hand."
    )
    parser.add_argument(
        "--write-points", type=Path, metavar="FILE", help="Write the points found, to correct."
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="Write a picture of the face's motions."
    )
    parser.add_argument("--list", action="store_true", help="List the faces made.")
    parser.add_argument("--share", metavar="NAME", help="Let every caller use a face.")
    parser.add_argument("--unshare", metavar="NAME", help="Let nobody else use it any more.")
    parser.add_argument("--delete", metavar="NAME", help="Delete a face.")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(AvatarSettings().portraits_folder),
        help="Where faces are [%(default)s].",
    )
    return parser
