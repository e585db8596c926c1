from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.lip_offset import agreement_curve, lip_offset, loudness
from rt_avatar.benchmarks.metrics.lips import contrast
from rt_avatar.benchmarks.quality.clip import clip
from rt_avatar.benchmarks.quality.film import Film, mouths_of, read_film, still_faces
from rt_avatar.engines.types import INPUT_RATE_HZ
from rt_avatar.errors import BadInputError
from rt_avatar.files.clip_writer import open_clip
from tests.media import FILMED, film, recorded

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module", params=["ava", *recorded(FILMED[-1])])
def face(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def path(face: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(face, tmp_path_factory.mktemp("films"))


@pytest.fixture(scope="module")
def speaker(path: Path) -> Film:
    return read_film(path)


@pytest.fixture(scope="module")
def opening(speaker) -> np.ndarray:
    return contrast(mouths_of(still_faces(speaker.pictures)))


def lead_ms(film: Film, opening: np.ndarray) -> float:
    loud = loudness(film.pcm, INPUT_RATE_HZ)
    return lip_offset([agreement_curve(opening, film.times_s, loud)]).lead_ms


def test_lips_and_voice_that_belong_together_are_found_together(face, speaker, opening):
    # What is drawn moves with its sound; the lips of GRID's speakers are 18 ms behind theirs.
    expected_ms, within_ms = (-18, 25) if face in FILMED else (0, 10)
    assert lead_ms(speaker, opening) == pytest.approx(expected_ms, abs=within_ms)


@pytest.mark.parametrize("late_ms", [-120, 90, 160])
def test_sound_that_was_moved_is_found_moved_by_as_much(speaker, opening, late_ms):
    shift = late_ms * INPUT_RATE_HZ // 1000
    moved = replace(speaker, pcm=np.roll(speaker.pcm, shift))
    assert lead_ms(moved, opening) - lead_ms(speaker, opening) == pytest.approx(late_ms, abs=5)


def test_a_flash_and_a_click_of_one_moment_are_read_at_one_time(tmp_path):
    path = tmp_path / "flash.mp4"
    with open_clip(path, 64) as writer:
        for index in range(50):
            planes = np.full((96, 64), 128, np.uint8)
            planes[:64] = 235 if index == 30 else 30
            pcm = np.zeros(960, np.float32)
            pcm[:120] = 0.9 * (index == 30) * np.sin(np.arange(120) / 2)
            writer.write([planes], pcm)
    film = read_film(path)
    flash = int(np.argmax([picture.mean() for picture in film.pictures]))
    assert film.times_s[flash] - 0.02 == pytest.approx(30 / 25, abs=0.001)  # its beginning
    click = np.argmax(np.abs(film.pcm) > 0.2) / INPUT_RATE_HZ
    assert click == pytest.approx(30 / 25, abs=0.002)


def test_a_clip_is_measured_and_is_wholly_like_itself(face, path):
    found = clip(path, path, None)
    assert found.figures["clip_ssim_mean"] == pytest.approx(1)
    assert 0 < found.figures["clip_cpbd_mean"] < 1
    assert found.figures["clip_lip_correlation"] > (0.7 if face in FILMED else 0.5)


def test_a_film_without_a_face_is_refused():
    grey = [np.full((120, 160, 3), 90, np.uint8)] * 20
    with pytest.raises(BadInputError, match="one face"):
        still_faces(grey)


def test_a_clip_without_a_face_is_still_judged_for_sharpness(tmp_path):
    path = tmp_path / "waves.mp4"
    with open_clip(path, 256) as writer:
        for _ in range(50):
            planes = np.full((384, 256), 128, np.uint8)
            planes[:256] = 120 + 80 * np.sin(np.arange(256) / 2)
            writer.write([planes], np.full(960, 0.1, np.float32))
    found = clip(path, None, None)
    assert "clip_lip_lead_ms" not in found.figures
    assert 0 <= found.figures["clip_cpbd_mean"] <= 1
    assert "one face" in found.notes[0]


def test_what_is_no_video_is_refused(tmp_path):
    path = tmp_path / "a.mp4"
    path.write_text("no video")
    with pytest.raises(BadInputError, match="expected a video"):
        read_film(path)
    with pytest.raises(BadInputError, match="expected a video"):
        read_film(tmp_path / "missing.mp4")


def test_another_size_is_no_reference(tmp_path, path):
    other = tmp_path / "small.mp4"
    with open_clip(other, 64) as writer:
        for _ in range(10):
            writer.write([np.full((96, 64), 90, np.uint8)], np.zeros(960, np.float32))
    with pytest.raises(BadInputError, match="same size"):
        clip(path, other, None)
