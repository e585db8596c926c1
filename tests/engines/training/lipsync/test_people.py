"""Folders of tracked clips: what has no face is left out, what is something else is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.training.lipsync.people import read_people
from rt_avatar.engines.types import ARKIT

pytestmark = pytest.mark.unit


def folder(path: Path, names: tuple[str, ...] = ARKIT, found: bool = False) -> Path:
    clips = np.array([f"c{index}" for index in range(12)])
    (path / "names.json").write_text(json.dumps({"blendshapes": names, "fps": 25}))
    np.savez(
        path / "motion.npz",
        clips=clips,
        blendshapes=np.zeros((12, 75, 52), np.float16),
        found=np.full((12, 75), found),
        lips=np.zeros((12, 75, 3), np.float16),
        pose=np.zeros((12, 75, 6), np.float32),
    )
    rows = "".join(f"{clip}\taudio/{clip}.wav\tbin blue\n" for clip in clips)
    (path / "manifest.tsv").write_text("clip\taudio\ttext\n" + rows)
    return path


def test_clips_without_a_face_in_all_frames_are_left_out(tmp_path):
    assert list(read_people(folder(tmp_path), ("train", "validation", "test"))) == []


def test_other_shapes_are_refused(tmp_path):
    with pytest.raises(ValueError, match="expected ARKit's 52 shapes"):
        list(read_people(folder(tmp_path, ("jawOpen",)), ("test",)))


def test_a_damaged_file_that_is_compressed_is_told(tmp_path):
    path = folder(tmp_path) / "motion.npz"
    np.savez_compressed(path, clips=np.array(["c0"]))
    data = bytearray(path.read_bytes())
    data[data.index(b"clips.npy") + len(b"clips.npy") + 20] = 0xFF  # no kind of deflated block
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"expected names\.json and motion\.npz"):
        list(read_people(tmp_path, ("test",)))


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="names"):
        list(read_people(tmp_path, ("test",)))


@pytest.mark.parametrize("missing", ["clips", "blendshapes", "found", "lips", "pose"])
def test_a_tracked_recording_without_one_of_its_parts_is_told(missing, tmp_path):
    path = folder(tmp_path) / "motion.npz"
    with np.load(path) as stored:
        np.savez(path, **{name: stored[name] for name in stored.files if name != missing})
    with pytest.raises(ValueError, match=rf"expected names\.json and motion\.npz.*{missing}"):
        list(read_people(tmp_path, ("test",)))
