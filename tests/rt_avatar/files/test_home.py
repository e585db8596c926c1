"""A place that is given as of somebody's home is found there, or refused in a sentence."""

from pathlib import Path

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.commands.doctor import examine
from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.config.server_settings import AuthSettings
from rt_avatar.config.settings import AvatarSettings, LlmSettings, Settings, TtsSettings
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home
from rt_avatar.reasoner.factory import make_reasoner
from rt_avatar.services.access_key import read_access_key
from rt_avatar.services.engine_choice import make_end_of_turn, make_voice
from rt_avatar.services.own_voices import OwnVoices
from rt_avatar.services.portraits import Portraits
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit

NOBODY = "~no-such-user/x"


def test_a_home_is_found_and_all_else_stays(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand_home("~/voices") == tmp_path / "voices"
    assert expand_home(Path("a/~b")) == Path("a/~b")


@pytest.mark.parametrize(
    "use",
    [
        lambda: Portraits(Settings(avatar=AvatarSettings(portraits_folder=NOBODY))),
        lambda: OwnVoices(TtsSettings(voices_folder=NOBODY)),
        lambda: make_voice(TtsSettings("nano", model=NOBODY)),
        lambda: make_voice(TtsSettings("kokoro", model=NOBODY)),
        lambda: make_end_of_turn(TurnDetectionSettings("smart_turn", NOBODY)),
        lambda: make_reasoner(LlmSettings("nano", replies=NOBODY), Metrics()),
        lambda: read_access_key(AuthSettings(jwt_public_key_file=NOBODY)),
    ],
)
def test_the_home_of_nobody_is_refused_in_a_sentence(use):
    with pytest.raises(SetupError, match=f"expected a place; {NOBODY} is none"):
        use()


@pytest.mark.parametrize(
    "words",
    [
        ("voice", "--list", "--folder", NOBODY),
        ("portrait", "--list", "--folder", NOBODY),
        ("models", "list", "--folder", NOBODY),
        ("infer", "dialogue.json", "--folder", NOBODY),
        ("train", "nano", "--stage", "coe", "--data", NOBODY),
        ("say", "Hello.", "--tts.voices_folder", NOBODY),
    ],
)
def test_so_is_that_of_a_command(capsys, words):
    assert main(words) == 2
    assert f"expected a place; {NOBODY} is none" in capsys.readouterr().err


def test_doctor_tells_it_in_its_report():
    settings = Settings(
        avatar=AvatarSettings(portrait="me", portraits_folder=NOBODY),
        llm=LlmSettings("nano", replies=NOBODY),
    )
    found = {one.part: one for one in examine(settings)}
    for part in ("face", "reasoner"):
        assert found[part].state == "missing"
        assert NOBODY in found[part].advice
