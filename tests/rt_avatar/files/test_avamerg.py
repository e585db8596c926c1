"""A dialogue file is read with its media, and what is wrong with it is told."""

import json
import wave

import av
import numpy as np
import pytest

from rt_avatar.engines.llm.profile import Profile
from rt_avatar.errors import SetupError
from rt_avatar.files.avamerg import read_dialogue
from tests.peak_memory import memory_for

pytestmark = pytest.mark.unit

SPEAKER = {"index": 0, "role": "speaker", "utterance": "I lost my dog."}
LISTENER = {"index": 1, "role": "listener", "utterance": "Oh no!"}


def conversation(*history, number="00001", **more):
    return {
        "conversation_id": number,
        "turns": [{"turn_id": "0", "dialogue_history": list(history)}],
        **more,
    }


@pytest.fixture
def write(tmp_path):
    def written(data):
        path = tmp_path / "dialogue.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return path

    return written


def save_sound(path, seconds=1.0, rate_hz=24_000):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        tone = np.sin(2 * np.pi * 220 * np.arange(int(seconds * rate_hz)) / rate_hz)
        file.writeframes((tone * 16_000).astype("<i2").tobytes())


def save_picture(path, width, height):
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, width // 2 :, 0] = 255
    with av.open(str(path), "w", format="image2") as file:
        stream = file.add_stream("png")
        stream.width, stream.height, stream.pix_fmt = width, height, "rgb24"
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        file.mux(stream.encode(frame))
        file.mux(stream.encode(None))


def save_video(path, frames=50, rate=25, side=64):
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg4", rate=rate)
        stream.width = stream.height = side
        for number in range(frames):
            picture = np.full((side, side, 3), 250 * number // frames, np.uint8)
            file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        file.mux(stream.encode(None))


def test_words_sound_video_and_portrait_are_read(write, tmp_path):
    save_sound(tmp_path / "a.wav")
    save_video(tmp_path / "a.mp4")
    save_picture(tmp_path / "p.png", 80, 60)
    heard = {**SPEAKER, "wav": "a.wav", "mp4": "a.mp4"}
    read = read_dialogue(write(conversation(heard, portrait="p.png")), size_px=32)
    (utterance,) = read.utterances
    assert (utterance.role, utterance.text) == ("user", "I lost my dog.")
    assert abs(len(utterance.pcm) - 16_000) <= 16
    assert 0.3 < np.abs(utterance.pcm).max() < 0.6
    assert len(utterance.pictures) == 8
    assert all(picture.shape == (64, 64, 3) for picture in utterance.pictures)
    assert read.portrait.shape == (32, 32, 3)
    assert read.portrait[:, :12].max() < 30  # the middle square is half dark, half red
    assert read.portrait[:, 20:, 0].min() > 220


def test_of_a_long_film_few_pictures_are_kept_and_all_of_it_is_seen(write, tmp_path):
    save_video(tmp_path / "a.mp4", frames=400, rate=8, side=512)  # 315 MB of pictures
    with memory_for(150):
        read = read_dialogue(write(conversation({**SPEAKER, "mp4": "a.mp4"})))
    shades = [int(picture.mean()) for picture in read.utterances[0].pictures]
    assert 24 < len(shades) <= 32
    assert shades[0] < 16
    assert shades[-1] > 234
    assert shades == sorted(shades)
    assert np.diff(shades).max() < 20


def test_a_reference_of_voice_and_style_clip_is_read(write, tmp_path):
    save_sound(tmp_path / "v.wav", 1.5, 16_000)
    style_clip = np.random.default_rng(1).normal(0, 0.3, (40, 64)).astype(np.float32)
    np.save(tmp_path / "m.npy", style_clip)
    read = read_dialogue(write(conversation(SPEAKER, voice="v.wav", style_clip="m.npy")))
    assert abs(len(read.voice) - 36_000) <= 64  # at 24 kHz
    assert np.array_equal(read.style_clip, style_clip)
    plain = read_dialogue(write(conversation(SPEAKER)))
    assert plain.voice is None
    assert plain.style_clip is None


def test_who_answers_is_read(write):
    rose = {"age": "elderly", "gender": "female", "timbre": "low", "ID": 7}
    read = read_dialogue(write(conversation(SPEAKER, listener_profile=rose)))
    assert read.profile == Profile("elderly", "female", "low")
    assert read_dialogue(write(conversation(SPEAKER))).profile is None


def test_a_reference_that_is_too_short_is_told(write, tmp_path):
    save_sound(tmp_path / "v.wav", 0.5)
    with pytest.raises(SetupError, match=r"v\.wav: reference: expected at least 65 frames"):
        read_dialogue(write(conversation(SPEAKER, voice="v.wav")))


def test_a_conversation_of_a_list_and_a_turn_are_found(write):
    second = conversation(SPEAKER, number="00002")
    second["turns"].append(
        {"turn_id": "1", "dialogue_history": [SPEAKER, LISTENER, {**SPEAKER, "utterance": "Yes."}]}
    )
    path = write([conversation(SPEAKER), second])
    assert len(read_dialogue(path).utterances) == 1
    roles = [each.role for each in read_dialogue(path, "00002").utterances]
    assert roles == ["user", "avatar", "user"]
    assert len(read_dialogue(path, "00002", 0).utterances) == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "expected JSON"),
        ("[" * 100_000, "expected JSON"),
        ("[]", "expected the conversation"),
        ("3", "expected an object; got int"),
        ({"turns": []}, "expected a list 'turns' that is not empty"),
        ({"turns": [3]}, "turns: expected an object"),
        (conversation(), "'dialogue_history' that is not empty"),
        (conversation({"role": "robot", "utterance": "Hi"}), "roles speaker and listener"),
        (conversation({"role": ["speaker"], "utterance": "Hi"}), "roles speaker and listener"),
        (conversation({"role": "speaker", "utterance": " "}), "got an utterance"),
        (conversation({"role": "speaker", "utterance": 5}), "got an utterance"),
        (conversation(SPEAKER, LISTENER), "the last utterance is the listener's"),
        (conversation({**SPEAKER, "wav": "no.wav"}), "wav: expected a file; there is no"),
        (conversation({**SPEAKER, "mp4": 3}), "mp4: expected a file's name; got int"),
        (conversation({**SPEAKER, "wav": "dialogue.json"}), "expected a file with sound"),
        (conversation({**SPEAKER, "mp4": "dialogue.json"}), "expected a video"),
        (conversation(SPEAKER, portrait="dialogue.json"), "expected a picture"),
        (conversation(SPEAKER, voice="no.wav"), "voice: expected a file; there is no"),
        (conversation(SPEAKER, voice="dialogue.json"), "expected a file with sound"),
        (conversation(SPEAKER, listener_profile="Ava"), "listener_profile: expected an object"),
        (
            conversation(SPEAKER, listener_profile={"age": "old"}),
            "listener_profile: profile: age: expected one of child, young",
        ),
        (conversation(SPEAKER, style_clip=[1]), "style_clip: expected a file's name; got list"),
        (
            conversation(SPEAKER, style_clip="dialogue.json"),
            "expected expressions in a file ending",
        ),
    ],
)
def test_what_is_wrong_is_told(write, data, message):
    with pytest.raises(SetupError, match=message):
        read_dialogue(write(data))


def test_a_missing_file_and_a_missing_turn_are_told(write, tmp_path):
    with pytest.raises(SetupError, match="No such file"):
        read_dialogue(tmp_path / "none.json")
    with pytest.raises(SetupError, match="expected a turn of 0 to 0; got 4"):
        read_dialogue(write(conversation(SPEAKER)), turn=4)
