"""`rt-avatar voice`: from a recording of any kind to a voice that speaks, or to a sentence."""

import json
import shutil
import stat
import subprocess
import sys
import wave
from pathlib import Path

import av
import numpy as np
import pytest
import soxr

from rt_avatar.commands.cli import main
from rt_avatar.commands.doctor import examine
from rt_avatar.config.loader import load_settings
from rt_avatar.engines.nano_tts import SHIPPED, NanoEngine
from rt_avatar.engines.own_voice import OwnVoiceError
from rt_avatar.engines.own_voice.encoder import load_encoder
from rt_avatar.engines.own_voice.pitch import describe_pitch
from rt_avatar.engines.own_voice.recording import read_recording
from rt_avatar.engines.own_voice.tuning import SAMPLE
from rt_avatar.engines.own_voice.voice_file import load_voice
from rt_avatar.engines.tts import SpeechRequest, Voice
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, VoiceStyle
from rt_avatar.errors import SetupError
from rt_avatar.services.engine_choice import make_voice as make_speaker
from tests.peak_memory import memory_for

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
WORDS = (
    "The old man walked along the river until it was nearly dark.",
    "My sister called this morning, and she is getting married next month.",
)


def run(*words: object) -> int:
    return main(["voice", *map(str, words)])


def said(voice: Voice, persona: str, *clauses: str) -> Pcm:
    stream = voice.open(persona)
    chunks = [
        chunk
        for index, clause in enumerate(clauses)
        for chunk in stream.push(SpeechRequest(clause, VoiceStyle(), index))
    ]
    return np.concatenate([chunk.pcm for chunk in [*chunks, *stream.flush()]])


def write(path: Path, pcm: np.ndarray, rate_hz: int = SPEECH_RATE_HZ) -> Path:
    """Write sound, (samples,) or (samples, channels), as a 16-bit WAV."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1 if pcm.ndim == 1 else pcm.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes((np.clip(pcm, -1, 1) * 32_767).astype("<i2").tobytes())
    return path


@pytest.fixture(scope="module")
def speech() -> Pcm:
    """Eight seconds of the reader 8629, as the shipped voice speaks like him."""
    return 0.5 * said(NanoEngine(), "middle_male", *WORDS)


@pytest.fixture(scope="module")
def recording(speech: Pcm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("recording") / "me.wav", speech)


@pytest.fixture(scope="module")
def voices(recording: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "voices"
    assert run(recording, "--name", "me", "--consent", "--folder", folder) == 0
    return folder


# --- the command --------------------------------------------------------------------------------
def test_a_voice_is_kept_for_its_owner_alone_listed_and_deleted(
    voices: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stat.S_IMODE((voices / "me.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(voices.stat().st_mode) == 0o700
    folder = tmp_path / "voices"
    folder.mkdir()
    (folder / "me.json").write_bytes((voices / "me.json").read_bytes())
    assert run("--list", "--folder", folder) == 0
    assert capsys.readouterr().out.startswith("me  made 20")
    assert run("--delete", "me", "--folder", folder) == 0
    assert list(folder.iterdir()) == []
    assert run("--delete", "me", "--folder", folder) == 2
    assert "expected one of those made (none yet); got 'me'" in capsys.readouterr().err


def test_a_damaged_voice_hides_no_other_from_the_list(
    voices: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "me.json").write_bytes((voices / "me.json").read_bytes())
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "me (1).json").write_text("{}")
    assert run("--list", "--folder", tmp_path) == 1
    damaged, whole, odd = capsys.readouterr().out.splitlines()
    assert "expected a voice file" in damaged
    assert whole.startswith("me  made 20")
    assert odd.startswith("me (1)  name: expected")


def test_without_consent_nothing_is_kept(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "voices"
    assert run(recording, "--name", "me", "--folder", folder) == 2
    assert "say it with --consent" in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize("name", ["../me", "Me!", ""])
def test_a_name_cannot_leave_the_folder(
    recording: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (recording, "--name", name, "--consent", "--folder", tmp_path / "voices")
    assert run(*words) == 2
    assert "expected 1 to 32" in capsys.readouterr().err


def test_a_folder_without_the_map_to_its_readers_is_said(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    shutil.copytree(SHIPPED, model)
    words = (recording, "--name", "me", "--consent", "--folder", tmp_path / "voices")
    (model / "readers.npz").write_bytes(b"nonsense")
    assert run(*words, "--model", model) == 2
    assert "expected the map to its readers; got" in capsys.readouterr().err
    (model / "readers.npz").unlink()
    assert run(*words, "--model", model) == 2
    assert "expected the map to its readers, got none; make it" in capsys.readouterr().err
    assert not (tmp_path / "voices").exists()


def test_a_recording_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "no.wav", "--name", "me", "--consent", "--folder", tmp_path) == 2
    assert "no.wav" in capsys.readouterr().err


# --- the voice ----------------------------------------------------------------------------------
def test_the_reader_who_speaks_is_found_and_his_pitch_is_kept(voices: Path, speech: Pcm) -> None:
    voice = load_voice(voices, "me").voice
    assert max(voice.speakers, key=lambda name: voice.speakers[name]) == "8629"
    own = said(NanoEngine(own=voice), "young_female", *SAMPLE)
    cents = 1200 / np.log(2) * (describe_pitch(own)[0] - describe_pitch(speech)[0])
    assert abs(cents) < 50


def test_whoever_answers_speaks_in_the_voice_that_is_named(voices: Path) -> None:
    flags = {"tts.voice": "me", "tts.voices_folder": str(voices)}
    speaker = make_speaker(load_settings(None, flags=flags).tts)
    text = "Hello there."
    assert np.array_equal(said(speaker, "child_female", text), said(speaker, "middle_male", text))
    assert len(said(speaker, "child_female", text)) > 0
    plain = said(make_speaker(load_settings(None).tts), "middle_male", text)
    assert not np.array_equal(said(speaker, "middle_male", text), plain)


def test_a_voice_that_is_not_there_is_said_at_start_and_by_the_doctor(voices: Path) -> None:
    flags = {"tts.voice": "you", "tts.voices_folder": str(voices)}
    settings = load_settings(None, flags=flags)
    with pytest.raises(SetupError, match=r"tts\.voice: .*those made \(me\); got 'you'; make it"):
        make_speaker(settings.tts)
    (check,) = (one for one in examine(settings) if one.part == "voice")
    assert check.state == "missing"
    assert "got 'you'" in check.advice


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"nonsense",
        lambda _: b"\xff\xfe\x00",
        lambda _: b"[]",
        lambda found: json.dumps({**found, "speakers": 3}).encode(),
        lambda found: json.dumps({**found, "pitch": float("nan")}).encode(),
        lambda found: json.dumps({**found, "pitch_range": "wide"}).encode(),
        lambda found: json.dumps({**found, "timbre_db": [0.0]}).encode(),
        lambda found: json.dumps({**found, "speakers": {"lj": 9.0}}).encode(),
        lambda found: json.dumps({key: found[key] for key in found if key != "pitch"}).encode(),
    ],
    ids=["text", "bytes", "list", "readers", "nan", "word", "gains", "shares", "missing"],
)
def test_a_damaged_voice_file_is_said(voices: Path, tmp_path: Path, damage) -> None:
    whole = json.loads((voices / "me.json").read_text())
    (tmp_path / "me.json").write_bytes(damage(whole))
    with pytest.raises(OwnVoiceError, match=r"expected a voice file; got .*; make it anew"):
        load_voice(tmp_path, "me")


def test_a_voice_of_readers_who_are_not_there_is_said(voices: Path, tmp_path: Path) -> None:
    found = json.loads((voices / "me.json").read_text())
    (tmp_path / "me.json").write_text(json.dumps({**found, "speakers": {"nobody": 1.0}}))
    flags = {"tts.voice": "me", "tts.voices_folder": str(tmp_path)}
    with pytest.raises(SetupError, match=r"expected some of cathy, .*; got nobody"):
        make_speaker(load_settings(None, flags=flags).tts)


# --- recordings ---------------------------------------------------------------------------------
def music(seconds: float = 10.0) -> Pcm:
    """Return chords of plucked tones."""
    time = np.arange(int(seconds * SPEECH_RATE_HZ)) / SPEECH_RATE_HZ
    beat = time % 0.5
    roots = np.array([220.0, 277.2, 329.6, 261.6])[(time / 0.5).astype(int) % 4]
    tones = sum(
        np.sin(2 * np.pi * np.cumsum(roots * ratio) / SPEECH_RATE_HZ) / part
        for part, ratio in enumerate((1.0, 1.26, 1.5, 2.0, 3.0), 1)
    )
    return (0.2 * tones * np.exp(-3 * beat)).astype(np.float32)


def noise(seconds: float = 10.0) -> Pcm:
    dice = np.random.default_rng(0)
    return (0.1 * dice.standard_normal(int(seconds * SPEECH_RATE_HZ))).astype(np.float32)


BAD = {
    "silence": (lambda _: np.zeros(240_000), "expected somebody speaking; got silence"),
    "hush": (lambda _: 0.001 * noise(), r"got silence \(its peak is -\d+ dB\)"),
    "clipped": (lambda speech: 20 * speech, r"got clipping in \d+\.\d % of the samples; record it"),
    "short": (lambda speech: speech[:48_000], r"expected 5 to 30 s .*; got 2\.0 s; speak longer"),
    "nothing": (lambda speech: speech[:0], r"got 0\.0 s"),
    "million": (lambda _: noise(1_000_000 / 24_000), r"got 41\.7 s; cut it"),
    "music": (lambda _: music(), r"expected 4 s of speech or more; found \d\.\d s in 10\.0 s"),
    "noise": (lambda _: noise(), r"expected 4 s of speech or more; found \d\.\d s in 10\.0 s"),
    "channels": (lambda speech: np.stack([speech] * 3, 1), "or two; got 3; save it in mono"),
    "call": (
        lambda speech: np.stack([speech, np.roll(speech, 40_000)], 1),
        "the same voice on both channels; got two different ones",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", list(BAD))
def test_a_bad_recording_gets_a_sentence(kind: str, speech: Pcm, tmp_path: Path) -> None:
    make, expected = BAD[kind]
    path = write(tmp_path / "me.wav", np.asarray(make(speech), np.float32))
    with pytest.raises(OwnVoiceError, match=expected):
        read_recording(path)


@pytest.mark.parametrize("disturbance", ["offset", "hum"])
def test_an_offset_and_the_hum_of_the_mains_make_nobody_else_of_a_speaker(
    disturbance: str, speech: Pcm, tmp_path: Path
) -> None:
    encoder = load_encoder(SHIPPED)
    time = np.arange(len(speech)) / SPEECH_RATE_HZ
    low = np.ones(len(speech)) if disturbance == "offset" else np.sin(2 * np.pi * 49.9 * time)
    clean, disturbed = (
        np.array(list(encoder.shares(read_recording(write(tmp_path / "me.wav", pcm))).values()))
        for pcm in (speech, speech + 0.005 * low)  # 40 dB below its peaks
    )
    assert np.linalg.norm(disturbed - clean) < 0.25  # readers are .97 from their mean


def whispered(speech: Pcm) -> Pcm:
    """Return speech without voice: noise under the envelope of its spectrum."""
    window = np.hanning(1024)
    frames = np.lib.stride_tricks.sliding_window_view(speech, 1024)[::256] * window
    smooth = np.ones(25) / 25
    envelopes = [np.convolve(np.abs(np.fft.rfft(frame)), smooth, "same") for frame in frames]
    turns = np.exp(2j * np.pi * np.random.default_rng(0).random((len(frames), 513)))
    sound = np.zeros(len(speech))
    for at, frame in enumerate(np.fft.irfft(np.array(envelopes) * turns) * window):
        sound[at * 256 : at * 256 + 1024] += frame
    return (0.6 * sound / np.abs(sound).max()).astype(np.float32)


def test_a_whisper_gets_a_sentence(
    speech: Pcm, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "me.wav", whispered(speech))
    assert run(path, "--name", "me", "--consent", "--folder", tmp_path / "voices") == 2
    assert "as of a whisper; speak aloud" in capsys.readouterr().err


_HEAR = """
import sys
from rt_avatar.engines.own_voice import OwnVoiceError
from rt_avatar.engines.own_voice.recording import hear_recording
for path in sys.argv[1:]:
    try:
        hear_recording(open(path, "rb").read())
    except OwnVoiceError as error:
        print(error)
"""


def test_a_recording_of_many_channels_gets_a_sentence_and_ends_nothing(tmp_path: Path) -> None:
    # Eight planes and more, of which PyAV reads beyond the last: in a process of its own.
    one = np.zeros((2048, 1), np.float32)
    counts = (4, 6, 7, 8, 9, 16, 32)
    paths = [write(tmp_path / f"{n}.wav", one.repeat(n, 1), 48_000) for n in counts]
    for name, codec in (("8.flac", "flac"), ("8.mkv", "aac")):
        paths.append(tmp_path / name)
        with av.open(str(paths[-1]), "w") as file:
            stream = file.add_stream(codec, rate=48_000, layout="7.1")
            quiet = np.zeros((1, 8 * 1024), np.int16)
            frame = av.AudioFrame.from_ndarray(quiet, format="s16", layout="7.1")
            frame.sample_rate = 48_000
            for part in av.AudioResampler(stream.format, "7.1", 48_000).resample(frame):
                file.mux(stream.encode(part))
            file.mux(stream.encode(None))
    words = [sys.executable, "-c", _HEAR, *map(str, paths)]
    said = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    expected = [
        f"recording: expected one channel or two; got {n}; save it in mono" for n in (*counts, 8, 8)
    ]
    assert said.splitlines() == expected


@pytest.mark.parametrize(
    ("rate_hz", "layout", "seconds", "expected"),
    [
        (
            655_350,
            "6.1",
            15,
            "at most 192,000 samples a second; got 655,350; save it anew at 48,000",
        ),
        (655_350, "mono", 60, "at most 192,000 samples a second; got 655,350"),
        (192_000, "6.1", 30, "expected one channel or two; got 7; save it in mono"),
        (192_000, "stereo", 85, r"expected 5 to 30 s of one person speaking; got 85\.0 s; cut it"),
    ],
)
def test_silence_packed_into_some_kilobytes_takes_no_memory(
    rate_hz: int, layout: str, seconds: int, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "me.flac"
    channels = av.AudioLayout(layout).nb_channels
    with av.open(str(path), "w") as file:
        stream = file.add_stream("flac", rate=rate_hz, layout=layout)
        quiet = np.zeros((1, rate_hz * channels), np.int16)
        for second in range(seconds):
            frame = av.AudioFrame.from_ndarray(quiet, format="s16", layout=layout)
            frame.sample_rate, frame.pts = rate_hz, second * rate_hz
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    assert path.stat().st_size < 100_000
    with memory_for(100), pytest.raises(OwnVoiceError, match=expected):
        read_recording(path)


def test_a_recording_of_a_telephone_gets_a_sentence(speech: Pcm, tmp_path: Path) -> None:
    path = write(tmp_path / "me.wav", soxr.resample(speech, SPEECH_RATE_HZ, 8_000), 8_000)
    with pytest.raises(OwnVoiceError, match="16,000 samples a second or more; got 8,000"):
        read_recording(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.7 and so on",
        b"RIFF\x00\x00\x00\x00WAVE",
        # What FFmpeg would open a port for, and what would have it read other files.
        b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
        b"m=audio 45690 RTP/AVP 11\r\n",
        b"ffconcat version 1.0\nfile me.wav\n",
        b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nme.ts\n",
    ],
)
def test_what_is_no_recording_gets_a_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "me.wav"
    path.write_bytes(data)
    with pytest.raises(
        OwnVoiceError, match=r"expected a recording .*; save it anew, e\.g\. as WAV"
    ):
        read_recording(path)


def test_a_film_without_sound_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "me.mp4"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg4", rate=25, options={})
        stream.width = stream.height = 64
        picture = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")
        file.mux(stream.encode(picture))
        file.mux(stream.encode(None))
    with pytest.raises(OwnVoiceError, match="a recording with sound; got a file with none"):
        read_recording(path)


def test_a_file_that_is_too_large_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "me.wav"
    with path.open("wb") as file:
        file.truncate(41_000_000)
    with pytest.raises(OwnVoiceError, match="expected at most 40 MB; got 41; cut it"):
        read_recording(path)


def test_samples_that_are_no_numbers_get_a_sentence(speech: Pcm, tmp_path: Path) -> None:
    body = np.where(np.arange(len(speech)) == 1000, np.nan, speech).astype("<f4").tobytes()
    head = (
        b"RIFF"
        + (36 + len(body)).to_bytes(4, "little")
        + b"WAVEfmt "
        + b"".join(
            number.to_bytes(size, "little")
            for number, size in ((16, 4), (3, 2), (1, 2), (24_000, 4), (96_000, 4), (4, 2), (32, 2))
        )
    )
    path = tmp_path / "me.wav"
    path.write_bytes(head + b"data" + len(body).to_bytes(4, "little") + body)
    with pytest.raises(OwnVoiceError, match="samples that are numbers; got NaN or infinity"):
        read_recording(path)


def test_stereo_and_any_rate_from_16_khz_on_are_recordings(speech: Pcm, tmp_path: Path) -> None:
    plain = read_recording(write(tmp_path / "me.wav", speech))
    for rate_hz in (16_000, 48_000):
        sound = soxr.resample(speech, SPEECH_RATE_HZ, rate_hz)
        twice = read_recording(write(tmp_path / "two.wav", np.stack([sound, sound], 1), rate_hz))
        assert len(twice) == pytest.approx(len(plain), abs=2)
        count = min(len(twice), len(plain))
        assert np.corrcoef(twice[:count], plain[:count])[0, 1] > 0.99
