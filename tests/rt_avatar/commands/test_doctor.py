"""What ``rt-avatar doctor`` says of settings that do not do what they seem to."""

import socket
from dataclasses import replace

import pytest

from rt_avatar.commands.doctor import examine
from rt_avatar.config.perception_settings import SttSettings, TurnDetectionSettings
from rt_avatar.config.server_settings import (
    AuthSettings,
    IceSettings,
    MetricsSettings,
    ServerSettings,
)
from rt_avatar.config.settings import AvatarSettings, LlmSettings, Settings
from rt_avatar.engines.photo.face_file import save_face
from tests.fakes.tiny_whisper import write_model
from tests.media import photographed_face

pytestmark = pytest.mark.unit

TURN = IceSettings(turn_urls=("turn:turn.example.org",), turn_secret="s" * 32)


@pytest.mark.parametrize(
    ("auth", "state"),
    [(AuthSettings(), "optional"), (AuthSettings(jwt_secret="k" * 32), "ok")],
)
def test_turn_that_nobody_is_given_is_told(auth, state):
    found = {one.part: one for one in examine(Settings(ice=TURN, auth=auth))}
    assert found["TURN"].state == state
    assert ("given to nobody" in found["TURN"].what) == (state == "optional")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
def test_an_address_of_ipv6_is_looked_at_as_one():
    with socket.socket(socket.AF_INET6) as taken:
        try:
            taken.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6")
        taken.listen()
        port = taken.getsockname()[1]
        server = ServerSettings(host="::1", port=port)
        found = {one.part: one for one in examine(Settings(server=server))}
        assert found["server port"].state == "missing"
        assert found["server port"].what == f"[::1]:{port}: Address already in use"
    free = {one.part: one for one in examine(Settings(server=server))}
    assert free["server port"].state == "ok"


@pytest.mark.parametrize("host", ["nowhere.invalid", "127.0.0..1"])
def test_a_host_that_is_none_is_named_as_what_to_change(host):
    server = ServerSettings(host=host)
    found = {one.part: one for one in examine(Settings(server=server))}
    assert found["server port"].state == "missing"
    assert "--server.host" in found["server port"].advice


@pytest.mark.parametrize(
    ("part", "settings", "told"),
    [
        (
            "end of turn",
            Settings(turn_detection=TurnDetectionSettings("smart_turn", "/nope.onnx")),
            "turn_detection.smart_turn_model: found no file /nope.onnx",
        ),
        (
            "face",
            Settings(avatar=AvatarSettings(portrait="nobody", portraits_folder="/nope")),
            "got 'nobody'; make it with rt-avatar portrait",
        ),
        (
            "access tokens",
            Settings(auth=AuthSettings(jwt_public_key_file="/nope.pem")),
            "auth.jwt_public_key_file: expected a PEM file, got /nope.pem",
        ),
        ("access tokens", Settings(auth=AuthSettings(jwt_secret="k")), "auth.jwt_secret: expected"),
        (
            "reasoner",
            Settings(llm=LlmSettings(base_url="foo", model="m")),
            "llm.base_url: expected an OpenAI-compatible endpoint",
        ),
        (
            "reasoner",
            Settings(llm=LlmSettings("nano", emotion="lexicon")),
            "Set llm.kind reflective, or llm.emotion network",
        ),
        (
            "metrics port",
            Settings(
                server=ServerSettings("0.0.0.0", 18_375), metrics=MetricsSettings(port=18_375)
            ),
            "Choose another: --metrics.port",
        ),
        (
            "recogniser",
            Settings(stt=SttSettings(whisper_model="/nope")),
            "expected stt.whisper_model to be a folder",
        ),
    ],
)
def test_what_keeps_the_server_from_starting_is_missing(part, settings, told):
    found = {one.part: one for one in examine(settings)}
    assert found[part].state == "missing"
    assert told in f"{found[part].what} {found[part].advice}"


def test_what_is_advised_to_companies_does_not_keep_the_server_from_starting():
    for kind, advised in (("auto", LlmSettings()), ("nano", LlmSettings("reflective"))):
        found = {one.part: one for one in examine(Settings(llm=LlmSettings(kind)))}
        assert ("llm.kind reflective" in found["reasoner"].advice) == (kind == "nano")
        assert "llm.emotion lexicon" in found["reasoner"].advice
        so_set = Settings(llm=replace(advised, emotion="lexicon"))
        assert {one.part: one for one in examine(so_set)}["reasoner"].state == "optional"


def test_what_is_there_is_ok(tmp_path):
    save_face(tmp_path, "me", photographed_face())
    settings = Settings(
        auth=AuthSettings(jwt_secret="k" * 32),
        avatar=AvatarSettings(portrait="me", portraits_folder=str(tmp_path)),
        llm=LlmSettings(base_url="http://127.0.0.1:1/v1", model="m"),
        stt=SttSettings(whisper_model=str(write_model(tmp_path / "whisper"))),
        turn_detection=TurnDetectionSettings("learnt"),
    )
    found = {one.part: one.state for one in examine(settings)}
    parts = ("access tokens", "face", "end of turn", "recogniser", "reasoner")
    assert [found[part] for part in parts] == ["ok"] * len(parts)
