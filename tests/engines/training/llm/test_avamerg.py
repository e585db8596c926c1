"""A folder in AvaMERG's own layout is learnt from as ours is, and what is wrong with it is told."""

import json
import wave

import av
import numpy as np
import pytest

from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.training.llm.avamerg import read_part, seconds_of
from tests.engines.training.llm.made_up import avamerg_conversation, write_avamerg, write_data

pytestmark = pytest.mark.unit


def save_sound(path, seconds):
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 24_000, 0, "NONE", ""))
        file.writeframes(np.zeros(int(seconds * 24_000), "<i2").tobytes())


def save_video(path, frames):
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg4", rate=25)
        stream.width = stream.height = 32
        for _ in range(frames):
            picture = np.zeros((32, 32, 3), np.uint8)
            file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        file.mux(stream.encode(None))


def test_conversations_become_dialogues_with_a_chain_for_every_answer(tmp_path):
    dialogues = read_part(write_avamerg(tmp_path), "train")
    first = dialogues[0]
    assert [turn.role for turn in first.turns] == ["user", "avatar", "user", "avatar"]
    assert first.turns[3].text == "Take your time."
    assert first.chains[1] == Chain("Loss of a pet", "sad", "The dog died", "Comfort")
    assert first.chains[3].emotion == "annoyed"  # of the 32, where people wrote "frustration"
    assert first.emotion == "annoyed"  # the last
    assert first.profiles == dict.fromkeys((1, 3), Profile("elderly", "male", "low"))
    assert first.recorded == {}


def test_a_split_without_valid_keeps_conversations_apart(tmp_path):
    learnt = read_part(write_avamerg(tmp_path, 60), "train")
    apart = read_part(tmp_path, "valid")
    assert len(learnt) + len(apart) == 60
    assert 0 < len(apart) < 20
    assert 0 < sum(one.is_for_choosing for one in learnt) < 20
    valid = json.dumps([avamerg_conversation(99)])
    (tmp_path / "valid.json").write_text(valid, encoding="utf-8")
    assert len(read_part(tmp_path, "train")) == 60
    assert len(read_part(tmp_path, "valid")) == 1


def test_an_answers_recording_is_found_by_its_published_name(tmp_path):
    write_avamerg(tmp_path, 60)
    number = json.loads((tmp_path / "train.json").read_text())[0]["conversation_id"]
    sound = tmp_path / "audio_v5_0" / f"dia{number}utt1_7.wav"
    other = tmp_path / "audio_v5_0" / f"dia{number}utt3_7.wav"
    video = tmp_path / "video_v5_0" / f"dia{number}utt3_7.mp4"
    save_sound(sound, 1.5)
    save_sound(other, 3.0)
    save_video(video, 50)
    save_sound(tmp_path / "audio_v5_0" / f"dia{number}utt0_3.wav", 1.0)  # the speaker's
    both = [*read_part(tmp_path, "train"), *read_part(tmp_path, "valid")]
    (recorded,) = [one.recorded for one in both if one.recorded]
    assert recorded == {1: sound, 3: video}  # the face's own length, where it was filmed
    assert seconds_of(sound) == pytest.approx(1.5)
    assert seconds_of(video) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turns": []}, r"train\.json, conversation 00000: expected a list 'turns'"),
        ({"turns": [{"dialogue_history": []}]}, "'dialogue_history' that is not empty"),
        (
            {"turns": [{"dialogue_history": [{"role": "speaker", "utterance": "Hi."}]}]},
            "response: expected what the listener says; got None",
        ),
        ({"listener_profile": {"age": "old"}}, "listener_profile: profile: age: expected one of"),
    ],
)
def test_what_is_wrong_is_told_with_its_conversation(tmp_path, change, message):
    whole = json.dumps([avamerg_conversation(0) | change])
    for name in ("train.json", "valid.json"):
        (tmp_path / name).write_text(whole, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_part(tmp_path, "train")


def test_damaged_files_are_named(tmp_path):
    (tmp_path / "train.json").write_text("[{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"train\.json: expected JSON"):
        read_part(tmp_path, "train")
    (tmp_path / "train.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match="expected conversations to train with; got none"):
        read_part(tmp_path, "train")
    broken = tmp_path / "dia00000utt1_7.mp4"
    broken.write_bytes(b"no video")
    with pytest.raises(ValueError, match=r"dia00000utt1_7\.mp4: expected a recording; got"):
        seconds_of(broken)
    save_sound(broken.with_suffix(".wav"), 0)
    with pytest.raises(ValueError, match=r"\.wav: expected a recording"):
        seconds_of(broken.with_suffix(".wav"))


def test_our_own_folder_is_read_as_before(tmp_path):
    data = write_data(tmp_path)
    assert (len(read_part(data, "train")), len(read_part(data, "valid"))) == (40, 4)
