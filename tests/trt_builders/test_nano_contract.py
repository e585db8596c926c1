"""The contract of the graph's engines once more, over nano as it is exported, on onnxruntime."""

import json

import av
import numpy as np
import pytest
import soxr

from rt_avatar.benchmarks.engines.exported import check, export_nano
from rt_avatar.benchmarks.metrics.voice import word_error
from rt_avatar.benchmarks.quality.asr import PatientListener
from rt_avatar.commands.cli import main
from rt_avatar.config.network_settings import NetworkSettings
from rt_avatar.config.settings import Settings, TtsSettings
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.types import INPUT_RATE_HZ
from rt_avatar.errors import SetupError
from rt_avatar.services.network import load_network
from tests.engines.empatheia.torch.test_contract import *  # noqa: F403

pytestmark = pytest.mark.networks


@pytest.fixture(scope="module")
def engines():
    """All stages, run by onnxruntime."""
    return EmpatheiaEngines.load(export_nano(), "nano")


def test_what_is_made_of_nano_passes_as_a_folder_of_exports():
    folder = export_nano()
    assert check(folder) == folder


def test_the_film_of_an_answer_says_its_words_with_a_face_that_speaks(tmp_path, capsys):
    asked, film = tmp_path / "dialogue.json", tmp_path / "answer.mp4"
    said = {"index": 0, "role": "speaker", "utterance": "I lost my job today and I feel so sad."}
    asked.write_text(json.dumps({"turns": [{"dialogue_history": [said]}]}))
    words = ["infer", str(asked), "-o", str(film), "--folder", str(export_nano())]
    assert main(words) == 0
    told = capsys.readouterr().out
    reply = next(line[7:] for line in told.splitlines() if line.startswith("reply: "))
    with av.open(str(film)) as file:
        rate_hz = file.streams.audio[0].rate
        pcm = np.concatenate([one.to_ndarray()[0] for one in file.decode(audio=0)])
    with av.open(str(film)) as file:
        pictures = [one.to_ndarray(format="rgb24") for one in file.decode(video=0)]
    heard = PatientListener().words(soxr.resample(pcm, rate_hz, INPUT_RATE_HZ))
    meant, written = (text.lower().replace("i'm", "i am") for text in (reply, heard))
    assert word_error([meant], [written]) < 0.6, (reply, heard)  # of people it misses one in four
    find_landmarks(pictures[0])  # raises where there is no face
    moved = np.std(np.stack(pictures).astype(np.float32), axis=0)
    assert moved.max() > 20


def test_poses_of_another_space_are_refused_when_it_is_loaded(tmp_path):
    path = tmp_path / "pose.npy"
    np.save(path, np.ones((30, 9), np.float32))
    network = NetworkSettings(folder=str(export_nano()), pose_file=str(path))
    with pytest.raises(SetupError, match=r"moves by ARKit's blendshapes.*Leave it empty"):
        load_network(Settings(tts=TtsSettings(kind="empatheia"), network=network))


def test_a_voice_that_draws_no_styles_is_told_when_it_is_loaded():
    network = NetworkSettings(folder=str(export_nano()), style_source="diffusion")
    with pytest.raises(SetupError, match="style_source: diffusion expects a voice with"):
        load_network(Settings(tts=TtsSettings(kind="empatheia"), network=network))
