"""The network's face beside the warp's: the drawing itself scores in full, a warp of it less."""

import pytest

from rt_avatar.benchmarks.quality.face import LOOK, drawn_at_rest, face, film
from rt_avatar.benchmarks.quality.take import Studio
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.engine import PhotoEngine
from rt_avatar.engines.photo.face_file import FaceFile
from rt_avatar.engines.rig.engine import RigEngine, draw_portrait
from rt_avatar.engines.training.face.looks import HELD_OUT

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def makers():
    rig = RigEngine(256)
    picture = draw_portrait(LOOK, 512)
    warp = PhotoEngine(FaceFile(picture, find_landmarks(picture), ""), 256)
    return {"drawn": lambda: rig.open(LOOK), "network": lambda: rig.open(LOOK), "warp": warp.open}


def test_the_drawing_itself_is_alike_in_full_and_a_warp_of_it_less(makers, monkeypatch):
    monkeypatch.setattr("rt_avatar.benchmarks.quality.face._TEXTS", ("I had hoped for it.",))
    group = face(Studio(), makers, quick=True)
    figures = group.figures
    assert figures["face_network_ssim"] == pytest.approx(1)
    assert figures["face_network_ssim_face"] == pytest.approx(1)
    assert figures["face_network_cpbd_share"] == pytest.approx(1)
    assert 0.7 < figures["face_warp_ssim"] < 0.99
    assert figures["face_warp_ssim_face"] < figures["face_warp_ssim"]
    assert set(group.higher_is_better) == {key for key in figures if not key.endswith("_ms")}


def test_every_frame_of_a_take_is_drawn_and_timed(makers):
    take = Studio().say(LOOK, "Yes.")
    pictures, took = film(makers["warp"](), take)
    assert len(pictures) == len(took) == len(take.motion)
    assert min(took) > 0
    assert pictures[0].shape == drawn_at_rest().shape


def test_the_look_is_the_one_that_the_training_holds_out():
    assert LOOK == HELD_OUT
