"""`rt-avatar portrait`: from a file of any kind to a face that speaks, or to a sentence."""

import json
import os
import stat
import struct
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from rt_avatar.commands.cli import main
from rt_avatar.commands.portrait import make_face
from rt_avatar.commands.say import render_clip
from rt_avatar.config.loader import load_settings
from rt_avatar.config.settings import AvatarSettings, Settings
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.photo.face_file import face_names, load_face, read_owner, save_face
from rt_avatar.engines.photo.landmarks import Frame, mean_landmarks
from rt_avatar.engines.rig import RigEngine
from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.errors import SetupError
from rt_avatar.personas import find_persona
from rt_avatar.services.engine_choice import make_renderer
from tests.media import photograph, photographed_face
from tests.peak_memory import memory_for

pytestmark = pytest.mark.unit


def encoded(picture: np.ndarray, kind: str = ".jpg") -> bytes:
    done, data = cv2.imencode(kind, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    assert done
    return data.tobytes()


def with_exif_turn(jpeg: bytes, orientation: int) -> bytes:
    """Return a JPEG whose EXIF tells how to turn it."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    body = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.fixture
def jpeg(tmp_path: Path) -> Path:
    path = tmp_path / "me.jpg"
    path.write_bytes(encoded(photograph()))
    return path


def run(*words: object) -> int:
    return main(["portrait", *map(str, words)])


# --- the command --------------------------------------------------------------------------------
def test_a_face_is_kept_for_its_owner_alone_listed_and_deleted(
    jpeg: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "faces"
    assert run(jpeg, "--name", "me", "--consent", "--folder", folder) == 0
    assert stat.S_IMODE((folder / "me.npz").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    capsys.readouterr()
    assert run("--list", "--folder", folder) == 0
    assert capsys.readouterr().out.startswith("me  made 20")
    assert run("--delete", "me", "--folder", folder) == 0
    assert list(folder.iterdir()) == []
    assert run("--delete", "me", "--folder", folder) == 2
    assert "expected one of those made (none yet); got 'me'" in capsys.readouterr().err


def test_without_consent_nothing_is_kept(
    jpeg: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "faces"
    assert run(jpeg, "--name", "me", "--folder", folder) == 2
    assert "say it with --consent" in capsys.readouterr().err
    assert not folder.exists()


def test_points_are_written_and_corrected_ones_are_taken(jpeg: Path, tmp_path: Path) -> None:
    folder, points = tmp_path / "faces", tmp_path / "points.json"
    common = (jpeg, "--name", "me", "--consent", "--folder", folder)
    assert run(*common, "--write-points", points) == 0
    before = load_face(folder, "me").landmarks
    found = json.loads(points.read_text())
    found["chin"][1] += 6
    points.write_text(json.dumps({"chin": found["chin"]}))
    assert run(*common, "--points", points) == 0
    after = load_face(folder, "me").landmarks
    assert after["chin"][1] > before["chin"][1] + 6
    assert np.allclose(after["left_iris"], before["left_iris"], atol=0.1)


def test_points_saved_with_a_byte_order_mark_are_read_and_other_encodings_refused_in_a_sentence(
    jpeg: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points = json.dumps(make_face(jpeg.read_bytes())[2].as_dict())
    (tmp_path / "marked.json").write_text(points, encoding="utf-8-sig")
    (tmp_path / "wide.json").write_text(points, encoding="utf-16")
    common = (jpeg, "--name", "me", "--consent", "--folder", tmp_path / "faces", "--points")
    assert run(*common, tmp_path / "marked.json") == 0
    assert run(*common, tmp_path / "wide.json") == 2
    assert "wide.json: expected JSON with points, in UTF-8" in capsys.readouterr().err


def test_with_all_points_given_no_face_is_looked_for(jpeg: Path) -> None:
    points = json.dumps(make_face(jpeg.read_bytes())[2].as_dict())
    blurred = cv2.GaussianBlur(photograph(), (0, 0), 9)
    face, _, _ = make_face(encoded(blurred), points)
    assert face.picture.shape == (512, 512, 3)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (4000, "irises at most 512 pixels apart, the picture's shorter side; got 4000; drag"),
        (513, "irises at most 512 pixels apart"),
        (20, "24 pixels or more between the eyes; got 20"),
    ],
)
def test_given_points_of_a_face_too_small_or_larger_than_its_picture_are_refused(
    jpeg: Path, unit: float, expected: str
) -> None:
    face = mean_landmarks(Frame(np.array([256.0, 200.0]), np.array([1.0, 0.0]), unit))
    points = json.dumps({name: place.tolist() for name, place in face.items()})
    with pytest.raises(PortraitError, match=expected):
        make_face(jpeg.read_bytes(), points)


@pytest.mark.parametrize(
    ("digits", "expected"), [(401, "expected chin as"), (5000, "expected JSON; got Exceeds")]
)
def test_points_with_endless_numbers_are_refused(jpeg: Path, digits: int, expected: str) -> None:
    with pytest.raises(PortraitError, match=f"points: {expected}"):
        make_face(jpeg.read_bytes(), f'{{"chin": [{"1" * digits}, 2]}}')


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("sheet", "expected a picture's name, e.g. sheet.png"),
        ("missing/sheet.png", "cannot be written"),
    ],
)
def test_a_sheet_that_cannot_be_written_is_told(
    jpeg: Path, tmp_path: Path, sheet: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (jpeg, "--name", "me", "--consent", "--folder", tmp_path / "faces")
    assert run(*words, "--sheet", tmp_path / sheet) == 2
    told = capsys.readouterr().err
    assert expected in told
    assert ("e.g. sheet.png" in told) == (sheet == "sheet")


@pytest.mark.parametrize(
    ("name", "expected"), [("../me", "expected 1 to 32"), ("Me!", "expected 1 to 32")]
)
def test_a_name_cannot_leave_the_folder(
    jpeg: Path, tmp_path: Path, name: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(jpeg, "--name", name, "--consent", "--folder", tmp_path / "faces") == 2
    assert expected in capsys.readouterr().err


def test_a_broken_face_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "me.npz").write_bytes(b"nonsense")
    with pytest.raises(PortraitError, match=r"expected a face file.*make it anew"):
        load_face(tmp_path, "me")


@pytest.mark.parametrize("kind", ["empty", "damaged"])
def test_an_empty_or_damaged_face_file_is_said_and_nobody_s(tmp_path: Path, kind: str) -> None:
    path = save_face(tmp_path, "me", replace(photographed_face(), owner="somebody"))
    assert read_owner(tmp_path, "me") == "somebody"
    data = bytearray(path.read_bytes())
    data[data.index(b"owner.npy") + len(b"owner.npy") + 20] = 0xFF  # no kind of deflated block
    path.write_bytes(data if kind == "damaged" else b"")
    assert read_owner(tmp_path, "me") is None
    with pytest.raises(PortraitError, match=r"expected a face file.*make it anew"):
        load_face(tmp_path, "me")


def test_a_face_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[int, list[str]]] = []

    def note(file: int) -> None:
        written.append((os.fstat(file).st_size, face_names(tmp_path)))

    monkeypatch.setattr(os, "fsync", note)
    path = save_face(tmp_path, "me", photographed_face())
    assert written == [(path.stat().st_size, [])]


# --- pictures -----------------------------------------------------------------------------------
def test_a_picture_turned_by_exif_is_upright() -> None:
    straight, _, _ = make_face(encoded(photograph()))
    lying = np.ascontiguousarray(np.rot90(photograph()))  # 6: turn it right to see it upright
    turned, _, _ = make_face(with_exif_turn(encoded(lying), 6))
    assert np.allclose(turned.landmarks["chin"], straight.landmarks["chin"], atol=12)


def test_grey_pictures_and_png_with_alpha_are_pictures() -> None:
    grey = cv2.cvtColor(photograph(), cv2.COLOR_RGB2GRAY)
    assert make_face(cv2.imencode(".jpg", grey)[1].tobytes())[0].picture.shape == (512, 512, 3)
    alpha = np.dstack([photograph()[..., ::-1], np.full((512, 512), 255, np.uint8)])
    assert make_face(cv2.imencode(".png", alpha)[1].tobytes())[0].picture.shape == (512, 512, 3)


def png_of(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(9)


def cmyk() -> bytes:
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 20, 8, 600, 400, 4) + bytes(12)
    return b"\xff\xd8" + frame + b"\xff\xd9"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "expected a JPEG, PNG or WebP file; got something else"),
        (b"%PDF-1.7 and so on", "expected a JPEG, PNG or WebP file; got something else"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "got HEIC or AVIF; save it as JPEG"),
        (b"GIF89a" + bytes(20), "expected a still one; got an animated file or a GIF"),
        (png_of(8000, 8000), "at most 6,000 pixels a side; got 8,000 × 8,000; save a smaller"),
        (png_of(600, 600), "header is one's, but it cannot be decoded"),
        (cmyk(), r"RGB\); got those of a printer \(CMYK\); save it as an sRGB JPEG"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a whole JPEG file; got the beginning of one"),
        (encoded(photograph()[80:120, 200:240]), "128 pixels or more a side; got 40 × 40"),
        (encoded(np.zeros((300, 300, 3), np.uint8)), "a face seen from the front; found none"),
    ],
    ids=["empty", "pdf", "heic", "gif", "8000", "broken", "cmyk", "cut", "40px", "no face"],
)
def test_a_bad_picture_gets_a_sentence(data: bytes, expected: str) -> None:
    with pytest.raises(PortraitError, match=expected):
        make_face(data)


HIDING = {
    "stuffed zero": lambda rest: b"\xff\x00" + struct.pack(">H", len(rest) + 2),
    "TEM": lambda rest: b"\xff\x01" + struct.pack(">H", len(rest) + 2),
    "restart": lambda rest: b"\xff\xd0\xff\x00" + struct.pack(">H", len(rest) + 2),
    "filled up": lambda rest: b"\xff\xff\xff\x00" + struct.pack(">H", len(rest) + 2),
    "nothing": lambda rest: b"",
    "twice": lambda rest: b"\xff\xe0\x00\x04\xff\x00\xff\x00" + struct.pack(">H", len(rest) + 2),
}


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize(("width", "height"), [(6001, 200), (200, 6001), (30_000, 30_000)])
def test_a_jpeg_cannot_hide_how_large_it_is(hiding: str, width: int, height: int) -> None:
    jpeg = encoded(np.full((64, 64, 3), 128, np.uint8))
    at = jpeg.index(b"\xff\xc0") + 5
    rest = jpeg[2:at] + struct.pack(">HH", height, width) + jpeg[at + 4 :]
    small = b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, 480, 640, 3) + bytes(9)
    data = b"\xff\xd8" + HIDING[hiding](rest) + rest + small
    size = f"{width:,} × {height:,}"
    with memory_for(30), pytest.raises(PortraitError, match=f"6,000 pixels a side; got {size}"):
        make_face(data)


def test_a_million_frames_in_a_jpeg_take_no_memory() -> None:
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, 6001, 6001, 1) + bytes(3)
    with memory_for(30), pytest.raises(PortraitError, match="got 6,001 × 6,001"):
        make_face(b"\xff\xd8" + frame * 1_000_000)


def jpeg_of_scans(count: int, side: int = 1000) -> bytes:
    """Return a progressive JPEG; all its scans but the first are empty."""

    def segment(kind: int, body: bytes) -> bytes:
        return b"\xff" + bytes([kind]) + struct.pack(">H", len(body) + 2) + body

    def code(place: int, symbol: int) -> bytes:  # of one bit, for one symbol
        return segment(0xC4, bytes([place << 4, 1]) + bytes(15) + bytes([symbol]))

    blocks = (side // 8) ** 2
    frame = struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0"
    tables = segment(0xDB, b"\0" + b"\1" * 64) + code(0, 0) + code(1, 0xE0)
    first = segment(0xDA, b"\1\1\0\0\0\0") + bytes(blocks // 8 + 1)
    empty = segment(0xDA, b"\1\1\0\1\x3f\0") + bytes(2 * (blocks // 16_384 + 1))
    return b"\xff\xd8" + segment(0xC2, frame) + tables + first + (count - 1) * empty + b"\xff\xd9"


def test_a_jpeg_of_scans_without_end_is_refused() -> None:
    with pytest.raises(PortraitError, match="found none"):
        make_face(jpeg_of_scans(100))
    for count in (101, 60_000):
        with pytest.raises(PortraitError, match=f"at most 100 scans; got {count:,}; save it anew"):
            make_face(jpeg_of_scans(count))


def test_a_webp_cannot_hide_how_large_it_is() -> None:
    webp = encoded(np.zeros((200, 7000, 3), np.uint8), ".webp")
    canvas = (199).to_bytes(3, "little") * 2
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + canvas + webp[12:]
    data = b"RIFF" + struct.pack("<I", len(body)) + body
    with pytest.raises(PortraitError, match="header is one's, but it cannot be decoded"):
        make_face(data)


def test_the_picture_in_a_pictures_exif_is_not_the_picture() -> None:
    whole, small = encoded(photograph()), encoded(np.zeros((120, 160, 3), np.uint8))
    body = b"Exif\0\0" + small
    data = whole[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + whole[2:]
    assert make_face(data)[1].shape == photograph().shape


def test_progressive_pictures_and_what_a_telephone_writes_behind_them_are_pictures() -> None:
    flags = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    jpeg = cv2.imencode(".jpg", photograph()[..., ::-1], flags)[1].tobytes()
    film = np.random.default_rng(0).bytes(2_000_000)
    assert make_face(jpeg + film)[0].picture.shape == (512, 512, 3)


def test_a_still_webp_is_a_picture_and_an_animated_one_is_not() -> None:
    webp = encoded(photograph(), ".webp")
    assert make_face(webp)[0].picture.shape == (512, 512, 3)
    animated = b"RIFF" + bytes(4) + b"WEBPVP8X" + struct.pack("<I", 10) + bytes(10) + b"ANIM"
    with pytest.raises(PortraitError, match="expected a still one"):
        make_face(animated + bytes(40))


# --- in the product -----------------------------------------------------------------------------
@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faces")
    picture = folder / "me.jpg"
    picture.write_bytes(encoded(photograph()))
    assert run(picture, "--name", "me", "--consent", "--folder", folder) == 0
    return folder


def wearing(faces: Path, persona: str = "ava") -> Settings:
    avatar = AvatarSettings(
        persona=persona, portrait="me", portraits_folder=str(faces), size_px=256
    )
    return replace(Settings(), avatar=avatar)


def test_the_first_persona_wears_the_photograph_and_the_others_are_drawn(faces: Path) -> None:
    renderer = make_renderer(wearing(faces))
    still = np.zeros(MOTION_SIZE, np.float32)
    (worn,), (drawn,) = renderer.open("ava").push(still), renderer.open("leo").push(still)
    assert np.array_equal(drawn, RigEngine(256).open("leo").push(still)[0])
    face = cv2.cvtColor(load_face(faces, "me").at_size(256)[0], cv2.COLOR_RGB2YUV_I420)
    assert np.abs(worn[:100].astype(int) - face[:100]).mean() < 2
    assert renderer.portrait_png("ava") != renderer.portrait_png("leo")


def test_a_clip_of_the_photograph_speaking_is_written(faces: Path, tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    # Whoever speaks wears it.
    made = render_clip(
        "Hello.", find_persona("rose"), "neutral", 0.5, path, wearing(faces), lambda *_: None
    )
    assert made.frames > 20
    film = cv2.VideoCapture(str(path))
    pictures = [film.read()[1] for _ in range(made.frames)]
    face = cv2.cvtColor(load_face(faces, "me").at_size(256)[0], cv2.COLOR_RGB2BGR)
    # Its colours, whatever the head does: a drawn face is 60 away.
    rough = [cv2.resize(one, (8, 8), interpolation=cv2.INTER_AREA) for one in (pictures[0], face)]
    assert np.abs(rough[0].astype(int) - rough[1]).mean() < 8
    mouths = np.stack([picture[140:190, 90:150].astype(int) for picture in pictures])
    assert np.abs(np.diff(mouths, axis=0)).mean((1, 2, 3)).max() > 1.5


def test_a_portrait_that_is_not_there_is_said(faces: Path) -> None:
    settings = replace(Settings(), avatar=replace(wearing(faces).avatar, portrait="you"))
    with pytest.raises(SetupError, match=r"those made \(me\); got 'you'; make it with"):
        make_renderer(settings)


def test_a_portrait_and_the_networks_face_exclude_each_other() -> None:
    flags = {"avatar.portrait": "me", "avatar.face": "empatheia"}
    with pytest.raises(SetupError, match=r"expected avatar\.face=rig with it"):
        load_settings(None, flags=flags)


def test_a_damaged_file_does_not_hide_the_faces_listed_after_it(tmp_path, capsys):
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.npz").write_bytes(b"{}")
    assert run("--list", "--folder", tmp_path) == 1
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == ["ann", "ben"]
    assert all("expected a face file" in line for line in listed)
