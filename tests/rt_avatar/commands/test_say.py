import sys
from dataclasses import dataclass, replace
from pathlib import Path

import av
import numpy as np
import pytest

from rt_avatar.commands.say import ClipStatistics, render_clip
from rt_avatar.config.settings import AvatarSettings, Settings
from rt_avatar.engines.espeak import _library
from rt_avatar.engines.nano_tts import SHIPPED
from rt_avatar.engines.types import FPS, SPEECH_RATE_HZ, WIRE_RATE_HZ
from rt_avatar.errors import SetupError
from rt_avatar.files.clip_writer import open_clip
from rt_avatar.personas import find_persona

pytestmark = pytest.mark.unit

SETTINGS = replace(Settings(), avatar=AvatarSettings(size_px=256))
IDLE_FRAMES = 10


@dataclass(frozen=True)
class Decoded:
    luma: np.ndarray  # (frames, height, width)
    pcm: np.ndarray  # (samples,) at 48 kHz, from the file's time 0 on
    codecs: tuple[str, str]
    rate: object


def decode(path: Path) -> Decoded:
    with av.open(str(path)) as file:
        video, audio = file.streams.video[0], file.streams.audio[0]
        codecs = video.codec_context.name, audio.codec_context.name
        rate = video.average_rate
        luma, pcm = [], np.zeros(int(file.duration / 1e6 * WIRE_RATE_HZ) + 4_096, np.float32)
        for frame in file.decode(video, audio):
            if isinstance(frame, av.VideoFrame):
                assert frame.time == pytest.approx(len(luma) / FPS)
                luma.append(frame.to_ndarray(format="yuv420p")[: frame.height].astype(np.int16))
            else:
                at, block = round(frame.time * WIRE_RATE_HZ), frame.to_ndarray()[0]
                block = block[max(0, -at) :]
                pcm[max(0, at) : max(0, at) + len(block)] = block
        return Decoded(np.stack(luma), pcm, codecs, rate)


def render(
    path: Path,
    text: str = "Hello there, my friend.",
    intensity: float = 0.7,
    settings: Settings = SETTINGS,
):
    reports: list[tuple[float, float]] = []
    made = render_clip(
        text,
        find_persona("ava"),
        "happy",
        intensity,
        path,
        settings,
        lambda done_s, total_s: reports.append((done_s, total_s)),
    )
    return made, reports


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("clip") / "hello.mp4"
    made, reports = render(path)
    return path, made, reports, decode(path)


def test_a_clip_plays_everywhere(clip) -> None:
    path, made, _, decoded = clip
    assert decoded.codecs == ("h264", "aac")
    assert decoded.rate == FPS
    assert decoded.luma.shape == (made.frames, 256, 256)
    assert made.duration_s == made.frames / FPS
    with av.open(str(path)) as file:
        assert file.duration / 1e6 == pytest.approx(made.duration_s, abs=0.03)  # AAC frames
    head = path.read_bytes()
    assert head.index(b"moov") < head.index(b"mdat")  # begins to play before it is all there
    assert list(path.parent.iterdir()) == [path]


def test_it_speaks_between_two_silences(clip) -> None:
    _, made, _, decoded = clip
    block = WIRE_RATE_HZ // FPS
    level = np.sqrt(np.mean(decoded.pcm[: made.frames * block].reshape(-1, block) ** 2, axis=1))
    speech = level[IDLE_FRAMES:-IDLE_FRAMES]
    assert level[: IDLE_FRAMES - 1].max() < 0.001
    assert level[-IDLE_FRAMES + 1 :].max() < 0.001
    assert np.mean(speech > 0.02) > 0.5
    assert np.abs(decoded.pcm).max() < 1


def test_the_mouth_moves_while_sound_plays_and_rests_when_it_does_not(clip) -> None:
    _, _, _, decoded = clip
    mouth = decoded.luma[:, 160:196, 104:152]
    change = np.abs(np.diff(mouth, axis=0)).mean(axis=(1, 2))
    assert np.percentile(change[IDLE_FRAMES:-IDLE_FRAMES], 75) > 3 * np.median(change[:8])
    assert np.median(change[-6:]) < np.percentile(change[IDLE_FRAMES:-IDLE_FRAMES], 75) / 2


def test_progress_reaches_the_end(clip) -> None:
    _, made, reports, _ = clip
    assert reports[-1] == (made.duration_s, made.duration_s)
    done = [report[0] for report in reports]
    assert done == sorted(done)
    assert isinstance(made, ClipStatistics)


def test_picture_and_sound_of_one_instant_stay_together(tmp_path: Path) -> None:
    path = tmp_path / "flash.mp4"
    frames, flash = 50, 20
    dark, bright = (np.full((96, 64), value, np.uint8) for value in (30, 220))
    click = np.zeros(frames * 960, np.float32)
    time = np.arange(240) / SPEECH_RATE_HZ
    click[flash * 960 : flash * 960 + 240] = 0.8 * np.sin(2 * np.pi * 1_000 * time)
    with open_clip(path, 64) as writer:
        for chunk in range(frames // 5):
            pictures = [bright if chunk * 5 + i >= flash else dark for i in range(5)]
            writer.write(pictures, click[chunk * 4_800 : (chunk + 1) * 4_800])
    decoded = decode(path)
    assert int(np.argmax(decoded.luma.mean(axis=(1, 2)) > 125)) == flash
    expected = 0.8 * np.sin(2 * np.pi * 1_000 * np.arange(480) / WIRE_RATE_HZ)
    match = np.correlate(decoded.pcm, expected, "valid")
    assert abs(int(np.argmax(match)) - flash * 1_920) <= 2  # samples at 48 kHz


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("clip.avi", r"ending in \.mp4.*'clip\.avi'.*clip\.mp4"),
        ("clip", r"ending in \.mp4"),
        ("missing/clip.mp4", r"existing folder.*missing"),
    ],
)
def test_a_place_where_no_clip_can_be_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        render(tmp_path / name)


def test_a_folder_of_that_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").mkdir()
    with pytest.raises(SetupError, match="is a folder"):
        render(
            tmp_path / "clip.mp4",
            settings=replace(SETTINGS, tts=replace(SETTINGS.tts, kind="espeak")),
        )


@pytest.mark.parametrize("text", ["", " \n", "🙂", "***"])
def test_text_without_words_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SetupError, match="words to say"):
        render(tmp_path / "clip.mp4", text)


@pytest.mark.parametrize("intensity", [-0.1, 1.1, float("nan")])
def test_an_intensity_out_of_bounds_is_refused(tmp_path: Path, intensity: float) -> None:
    with pytest.raises(SetupError, match="expected 0 to 1"):
        render(tmp_path / "clip.mp4", intensity=intensity)


def test_a_failure_leaves_the_older_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"older")

    def stop(done_s: float, total_s: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render_clip("Hello.", find_persona("ava"), "neutral", 0.5, path, SETTINGS, stop)
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_without_the_voice_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    monkeypatch.setattr(_library, "_loaded", _library.Library)  # as in a process that has none yet
    with pytest.raises(SetupError, match="make install EXTRAS=espeak"):
        render(
            tmp_path / "clip.mp4",
            settings=replace(SETTINGS, tts=replace(SETTINGS.tts, kind="espeak")),
        )


def test_a_voice_of_ones_own_that_is_not_there_is_told_by_its_setting(tmp_path: Path) -> None:
    settings = replace(SETTINGS, tts=replace(SETTINGS.tts, model=str(tmp_path / "nope")))
    with pytest.raises(SetupError, match=r"tts\.model: .*expected a voice's encoder\.onnx"):
        render(tmp_path / "clip.mp4", settings=settings)


def test_a_voice_of_ones_own_that_is_damaged_is_told_by_its_setting(tmp_path: Path) -> None:
    for file in SHIPPED.iterdir():
        (tmp_path / file.name).write_bytes(b"damaged")
    settings = replace(SETTINGS, tts=replace(SETTINGS.tts, model=str(tmp_path)))
    with pytest.raises(SetupError, match=r"tts\.model: encoder: expected a graph"):
        render(tmp_path / "clip.mp4", settings=settings)


def test_a_voice_of_ones_own_may_be_in_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "voice").symlink_to(SHIPPED)
    settings = replace(SETTINGS, tts=replace(SETTINGS.tts, model="~/voice"))
    made, _ = render(tmp_path / "clip.mp4", settings=settings)
    assert made.frames > 2 * IDLE_FRAMES
