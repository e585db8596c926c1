"""``rt-avatar infer`` over exported engines: dialogues with media, and what is no dialogue."""

import json
from pathlib import Path

import av
import pytest

from rt_avatar.commands.cli import main
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.types import CHUNK_FRAMES, FPS, WIRE_RATE_HZ
from tests.rt_avatar.files.test_avamerg import save_picture, save_sound, save_video

pytestmark = pytest.mark.networks

SPEAKER = {"role": "speaker", "utterance": "My dog ran away."}
LISTENER = {"role": "listener", "utterance": "Oh no!"}


def conversation(*history, **more) -> dict:
    return {"conversation_id": "7", "turns": [{"dialogue_history": list(history)}], **more}


@pytest.fixture
def infer(small_export, small_engines, tmp_path, capfd, monkeypatch):
    # Loaded once for all that is refused: it takes a second.
    monkeypatch.setattr(EmpatheiaEngines, "load", lambda *_, **__: small_engines)

    def run(content, *words):
        path = tmp_path / "dialogue.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        film = tmp_path / "out.mp4"
        film.write_bytes(b"an older film")
        place = ("--folder", str(small_export[0]), "--engines", "empatheia")
        status = main(["infer", str(path), "-o", str(film), *place, *words])
        told = capfd.readouterr().err
        assert film.read_bytes() == b"an older film"
        assert [each.name for each in tmp_path.glob("*.part")] == []
        return status, told

    return run


@pytest.mark.parametrize(
    ("content", "words", "message"),
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
        (conversation(SPEAKER), ("--style-source", "reference"), "'voice' (sound) and 'style_clip"),
        (conversation({**SPEAKER, "utterance": "so " * 9000}), (), "Shorten what is said in it"),
        (conversation(*[SPEAKER, LISTENER] * 400, SPEAKER), (), "Leave out its beginning"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_dialogue_is_one_line(infer, content, words, message):
    status, err = infer(content, *words)
    assert status == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_words_sound_and_video_become_a_film_as_long_as_its_sound(small_export, tmp_path):
    save_sound(tmp_path / "a.wav")
    save_video(tmp_path / "a.mp4")
    save_picture(tmp_path / "p.png", 80, 60)
    heard = {**SPEAKER, "wav": "a.wav", "mp4": "a.mp4"}
    film = answer(small_export, tmp_path, conversation(heard, LISTENER, heard, portrait="p.png"))
    with av.open(str(film)) as file:
        pictures = list(file.decode(video=0))
    with av.open(str(film)) as file:
        samples = sum(frame.samples for frame in file.decode(audio=0))
    assert len(pictures) > 0
    assert len(pictures) % CHUNK_FRAMES == 0
    assert samples / WIRE_RATE_HZ == pytest.approx(len(pictures) / FPS, abs=0.05)


def test_sound_too_short_to_be_heard_is_no_error(small_export, tmp_path):
    """A click of 10 ms has no feature; the words are still answered."""
    save_sound(tmp_path / "click.wav", 0.01, 16_000)
    answer(small_export, tmp_path, conversation({**SPEAKER, "wav": "click.wav"}))


def answer(export, folder, dialogue) -> Path:
    (folder / "dialogue.json").write_text(json.dumps(dialogue))
    words = ["infer", str(folder / "dialogue.json"), "-o", str(folder / "a.mp4")]
    words += ["--folder", str(export[0]), "--engines", "empatheia"]
    assert main([*words, "--reply-tokens", "4", "--temperature", "1"]) == 0
    return folder / "a.mp4"
