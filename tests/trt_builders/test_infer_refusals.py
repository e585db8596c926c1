"""``rt-avatar infer`` with bad dialogues, over real engines: one line, and no film is left."""

import json
import wave

import numpy as np
import pytest

from rt_avatar.commands.cli import main

pytestmark = pytest.mark.networks

SPEAKER = {"role": "speaker", "utterance": "My dog ran away."}
LISTENER = {"role": "listener", "utterance": "Oh no!"}


def conversation(*history, **more) -> dict:
    return {"conversation_id": "7", "turns": [{"dialogue_history": list(history)}], **more}


@pytest.fixture
def infer(small_profile, tmp_path, capfd):
    def run(content, *words):
        path = tmp_path / "dialogue.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        film = tmp_path / "out.mp4"
        film.write_bytes(b"an older film")
        place = ("--folder", str(small_profile[0]), "--engines", "empatheia")
        status = main(["infer", str(path), "-o", str(film), *place, *words])
        told = capfd.readouterr().err
        assert film.read_bytes() == b"an older film"
        assert [each.name for each in tmp_path.glob("*.part")] == []
        return status, told

    return run


@pytest.mark.parametrize(
    ("content", "words", "told"),
    [
        (b"", (), "expected JSON"),
        (b"\xff\xfe{}", (), "expected JSON"),
        (b'{"turns": ', (), "expected JSON"),
        ([], (), "expected the conversation"),
        ({"turns": {"0": {}}}, (), "expected a list 'turns'"),
        (conversation({"role": "speaker", "utterance": 5}), (), "got an utterance"),
        (conversation({"role": ["speaker"], "utterance": "Hi"}), (), "got an utterance"),
        (conversation(LISTENER), (), "the last utterance is the listener's"),
        (conversation({**SPEAKER, "wav": "."}), (), "wav: expected a file"),
        (conversation({**SPEAKER, "mp4": "dialogue.json"}), (), "expected a video"),
        (conversation(SPEAKER, portrait="none.png"), (), "portrait: expected a file"),
        (conversation(SPEAKER), ("--conversation", "8"), "expected the conversation '8'; got none"),
        (conversation(SPEAKER), ("--turn", "3"), "expected a turn of 0 to 0; got 3"),
        (conversation(SPEAKER), ("--style-source", "reference"), "'voice' (sound) and 'manner'"),
        (conversation({**SPEAKER, "utterance": "so " * 9000}), (), "Leave out its beginning"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_dialogue_is_one_line(infer, content, words, told):
    status, err = infer(content, *words)
    assert status == 2
    assert told in err
    assert len(err.strip().splitlines()) == 1


def test_sound_too_short_to_be_heard_is_no_error(infer, tmp_path, small_profile):
    """A click of 10 ms has no feature; the words are still answered."""
    with wave.open(str(tmp_path / "click.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes((np.ones(160) * 9000).astype("<i2").tobytes())
    path = tmp_path / "dialogue.json"
    path.write_text(json.dumps(conversation({**SPEAKER, "wav": "click.wav"})))
    words = ["infer", str(path), "-o", str(tmp_path / "a.mp4"), "--folder", str(small_profile[0])]
    short = ["--engines", "empatheia", "--reply-tokens", "4", "--temperature", "1"]
    assert main([*words, *short]) == 0
