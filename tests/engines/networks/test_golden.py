"""DreamTalk's own published intermediates, for who has them: sound → features → motion → film.

``TEST_DREAMTALK`` names a copy of DreamTalk's repository, which holds two utterances with all
that its programs made of them; ``TEST_CHECKPOINTS`` a folder of published files, by our names.
"""

import os
from pathlib import Path

import av
import numpy as np
import pytest
import torch

from rt_avatar.engines.dreamtalk.pose import PoseLoop
from rt_avatar.engines.dreamtalk.schedule import Schedule, sample, spaced_steps
from rt_avatar.engines.dreamtalk.stream import FeatureWindows
from rt_avatar.engines.encoders.waveform import normalise
from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.encoders.config import WAV2VEC_LARGE
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.importing import import_checkpoint, load_imported
from rt_avatar.engines.networks.pirender.config import OFFICIAL as RENDERER
from rt_avatar.engines.networks.pirender.generator import FaceGenerator
from rt_avatar.engines.pirender.windows import MotionWindows, to_rgb
from rt_avatar.files.media import read_portrait, read_sound

pytestmark = pytest.mark.networks
REPOSITORY, CHECKPOINTS = (
    Path(os.environ.get(f"TEST_{name}", "")) for name in ("DREAMTALK", "CHECKPOINTS")
)
UTTERANCES = (
    "acknowledgement_chinese@M030_front_surprised_level3_001@zp1",
    "acknowledgement_english@M030_front_neutral_level1_001@male_face",
)
needs_data = pytest.mark.skipif(
    not os.environ.get("TEST_DREAMTALK"), reason="TEST_DREAMTALK names no copy"
)


def needs_weights(name):
    there = bool(os.environ.get("TEST_CHECKPOINTS")) and (CHECKPOINTS / name).exists()
    return pytest.mark.skipif(not there, reason=f"no {name} in TEST_CHECKPOINTS")


@pytest.fixture(params=UTTERANCES)
def golden(request) -> Path:
    return REPOSITORY / "tmp" / request.param


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def filled(module, name, folder):
    import_checkpoint(name, CHECKPOINTS / name, folder, lambda what, done, total: None)
    load_imported(module, name, folder)
    return module.eval()


def coefficients(path: Path) -> dict[str, np.ndarray]:
    return pytest.importorskip("scipy.io").loadmat(str(path))


@needs_data
def test_the_pose_is_that_of_the_template(golden):
    pose = coefficients(only(REPOSITORY / "data" / "pose", "*.mat"))
    coeff, crop = pose["coeff"], pose["transform_params"][:, -3:]
    template = np.concatenate((coeff[:, 224:227], coeff[:, 254:257], crop), 1)
    motion = np.load(only(golden, "*facemotion.npy"))
    rows = PoseLoop(template.astype(np.float32)).rows(0, len(motion))
    np.testing.assert_array_equal(motion[:, 64:], rows)


@needs_data
def test_features_and_frames_are_counted_as_published(golden):
    features = np.load(only(golden, "*wav2vec.npy"))
    motion = np.load(only(golden, "*facemotion.npy"))
    cutter = FeatureWindows(features.shape[1])
    windows = len(cutter.push(features)) + len(cutter.flush())
    assert windows == len(motion)
    sound = read_sound(only(golden, "*16K.wav"), 16_000)
    assert (len(sound) - 400) // 320 + 1 == len(features)


@needs_data
@needs_weights("wav2vec2-large")
def test_features_of_sound_are_the_published_ones(golden, tmp_path):
    encoder = filled(SpeechEncoder(WAV2VEC_LARGE), "wav2vec2-large", tmp_path)
    sound = normalise(read_sound(only(golden, "*16K.wav"), 16_000))
    with torch.inference_mode():
        made = encoder(torch.from_numpy(sound)[None])[0].numpy()
    wanted = np.load(only(golden, "*wav2vec.npy"))
    product = (made * wanted).sum(1)
    cosine = product / np.linalg.norm(made, axis=1) / np.linalg.norm(wanted, axis=1)
    assert cosine.mean() > 0.999


@needs_data
@needs_weights("dreamtalk")
def test_the_motion_follows_the_sound_as_the_published_one_does(golden, tmp_path):
    """Its noise is not known: channels are compared by their course, and by how much they move."""
    talk = filled(DreamTalk(OFFICIAL), "dreamtalk", tmp_path)
    style = golden.name.split("@")[1]
    clip = coefficients(REPOSITORY / "data" / "style_clip" / "3DMM" / f"{style}.mat")["coeff"]
    features = np.load(only(golden, "*wav2vec.npy")).astype(np.float32)
    schedule, cutter = Schedule.of(spaced_steps(10)), FeatureWindows(features.shape[1])
    windows = np.concatenate((cutter.push(features), cutter.flush()))
    with torch.inference_mode():
        expressions = torch.from_numpy(clip[:256, 80:144].astype(np.float32))[None]
        code, times = talk.net.style_encoder(expressions), talk.net.time_table(schedule.steps)
        content = talk.net.content_encoder(torch.from_numpy(windows)[None])

        def denoise(x, index):
            return talk.net(torch.from_numpy(x)[None], content, code, times[index])[0].numpy()

        made = sample(denoise, keyed_noise(0, 0, len(windows), 64), schedule)
    wanted = np.load(only(golden, "*facemotion.npy"))[:, :64]
    lower = list(OFFICIAL.lower_channels)
    alike = [np.corrcoef(made[:, channel], wanted[:, channel])[0, 1] for channel in lower]
    assert np.median(alike) > 0.7
    assert 0.7 < np.median(made[:, lower].std(0) / wanted[:, lower].std(0)) < 1.4


@needs_data
@needs_weights("pirenderer")
def test_the_frames_are_those_of_the_published_film(golden, tmp_path):
    """But for what H.264 lost, and the watermark in a corner."""
    face = filled(FaceGenerator(RENDERER), "pirenderer", tmp_path)
    motion = np.load(only(golden, "*facemotion.npy")).astype(np.float32)
    cutter = MotionWindows()
    windows = np.concatenate((cutter.push(motion), cutter.flush()))
    picture = read_portrait(only(golden, "src_img.png"), 256)
    source = torch.from_numpy(picture.astype(np.float32).transpose(2, 0, 1) / 127.5 - 1)[None]
    film = REPOSITORY / "output_video" / f"{golden.name}.mp4"
    with av.open(str(film)) as file:
        shown = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
    found = []
    with torch.inference_mode():
        for number in range(0, min(len(shown), len(windows)), 40):
            frame = face(source, torch.from_numpy(windows[number : number + 1]))[2]
            error = to_rgb(frame.numpy())[0].astype(float) - shown[number]
            error[220:, 140:] = 0
            found.append(10 * np.log10(255**2 / np.square(error).mean()))
    assert np.mean(found) > 30
