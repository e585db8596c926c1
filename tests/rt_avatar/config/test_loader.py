"""Settings: file, environment and flags merge in that order; every mistake gets a clear answer."""

from pathlib import Path

import pytest
import yaml

from rt_avatar.config.loader import all_keys, as_dict, load_settings
from rt_avatar.config.secrets import SECRETS
from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


def write(folder: Path, text: str) -> Path:
    file = folder / "settings.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_without_anything_given_the_defaults_hold():
    assert load_settings(environ={}) == Settings()


def test_flags_win_over_environment_and_environment_over_file(tmp_path):
    file = write(tmp_path, "server: {port: 1001, host: 0.0.0.0, max_sessions: 7}")
    environ = {"RT_AVATAR_SERVER__PORT": "1002", "RT_AVATAR_SERVER__MAX_SESSIONS": "8"}
    settings = load_settings(file, environ, {"server.port": "1003"})
    assert (settings.server.port, settings.server.max_sessions) == (1003, 8)
    assert settings.server.host == "0.0.0.0"


def test_the_environment_can_name_the_file(tmp_path):
    file = write(tmp_path, "avatar: {persona: leo}")
    assert load_settings(environ={"RT_AVATAR_CONFIG": str(file)}).avatar.persona == "leo"


def test_an_empty_name_of_the_file_names_none():
    assert load_settings(environ={"RT_AVATAR_CONFIG": ""}) == Settings()


def test_lists_can_be_given_as_text_or_as_a_list(tmp_path):
    file = write(tmp_path, "ice: {stun_urls: ['stun:a', 'stun:b']}")
    assert load_settings(file, {}).ice.stun_urls == ("stun:a", "stun:b")
    flags = {"ice.stun_urls": "stun:a, stun:b"}
    assert load_settings(environ={}, flags=flags).ice.stun_urls == ("stun:a", "stun:b")


@pytest.mark.parametrize("quote", ["", "'"])
def test_on_and_off_mean_the_same_with_and_without_quotes(tmp_path, quote):
    text = f"perception: {{voice_emotion: {quote}on{quote}}}\nllm: {{coe: {quote}off{quote}}}"
    settings = load_settings(write(tmp_path, text), {})
    assert (settings.perception.voice_emotion, settings.llm.coe) == ("on", "off")


def test_a_choice_without_on_is_not_guessed(tmp_path):
    with pytest.raises(SetupError, match=r"llm\.coe: expected one of prethink, paper, off; got T"):
        load_settings(write(tmp_path, "llm: {coe: on}"), {})


def test_a_section_whose_keys_are_all_comments_sets_nothing(tmp_path):
    assert load_settings(write(tmp_path, "server:\n  # port: 9000\nlog:\n"), {}) == Settings()
    with pytest.raises(SetupError, match="sever: expected keys with values"):
        load_settings(write(tmp_path, "sever:\n  # port: 9000\n"), {})


@pytest.mark.parametrize("text", ["stt: {language: no}", "livekit: {api_secret: 12345}"])
def test_text_that_yaml_takes_for_something_else_is_to_be_put_in_quotes(tmp_path, text):
    with pytest.raises(SetupError, match="put it in quotes"):
        load_settings(write(tmp_path, text), {})


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("server: {port: 9000}\nlog: {level: INFO}\nserver: {host: 0.0.0.0}\n", "server", 3),
        ("server:\n  port: 9000\n  port: 9001\n", "port", 3),
    ],
)
def test_what_is_there_twice_is_told_and_neither_is_dropped(tmp_path, text, key, line):
    with pytest.raises(SetupError, match=f"got '{key}' again at line {line}, column"):
        load_settings(write(tmp_path, text), {})


def test_a_section_can_take_over_another_s_keys_and_change_some(tmp_path):
    text = "tts: &endpoint {timeout_s: 5, ahead_s: 2}\nllm: {<<: *endpoint, timeout_s: 6}\n"
    with pytest.raises(SetupError, match=r"there is no setting 'llm.ahead_s'"):
        load_settings(write(tmp_path, text), {})
    text = "tts: &endpoint {timeout_s: 5}\nllm: {<<: *endpoint, timeout_s: 6}\n"
    settings = load_settings(write(tmp_path, text), {})
    assert (settings.tts.timeout_s, settings.llm.timeout_s) == (5, 6)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"server.prot": "1"}, ["server.prot", "did you mean 'server.port'"]),
        ({"sever.port": "1"}, ["sever.port", "did you mean 'server.port'"]),
        ({"avatar.port": "1"}, ["avatar.port", "server.port"]),
        ({"server.port": "http"}, ["server.port", "whole number ≥ 0 and ≤ 65535", "'http'"]),
        ({"server.port": "70000"}, ["server.port", "≤ 65535", "'70000'"]),
        ({"avatar.size_px": "500"}, ["avatar.size_px", "one of 256, 384, 512"]),
        ({"avatar.size_px": "²"}, ["avatar.size_px", "one of 256, 384, 512", "'²'"]),
        ({"llm.kind": "reflexive"}, ["llm.kind", "did you mean 'reflective'"]),
        (
            {"turn_detection.preemptive_generation": "maybe"},
            ["turn_detection.preemptive_generation", "true or false"],
        ),
        (
            {"turn_detection.min_endpointing_delay_ms": "1500"},
            ["min_endpointing_delay_ms ≤ max_endpointing_delay_ms", "1500"],
        ),
        ({"ice.turn_urls": "turn:x"}, ["ice.turn_secret"]),
        ({"llm.kind": "empathyear"}, ["llm.base_url", "http://"]),
        ({"llm.base_url": "http://x/v1"}, ["llm.model"]),
        ({"tts.kind": "openai"}, ["tts.base_url", "tts.model", "got none"]),
        (
            {"tts.kind": "openai", "tts.base_url": "http://x/v1"},
            ["tts.model", "got no model"],
        ),
        ({"tts.base_url": "me:secret@x/v1"}, ["tts.base_url", "http://", "something else"]),
        ({"tts.rate_hz": "1"}, ["tts.rate_hz", "≥ 8000 and ≤ 192000"]),
        ({"tts.timeout_s": "0"}, ["tts.timeout_s", "≥ 0.5"]),
        ({"avatar.persona": "bob"}, ["persona", "ava", "bob"]),
        ({"avatar.face": "empathia"}, ["avatar.face", "did you mean 'empatheia'"]),
        (
            {"network.without": "speech, audio"},
            ["network.without: expected a list of speech, video", "'audio'"],
        ),
        ({"network.style_source": "reference"}, ["network.voice_file", "got no recording"]),
        (
            {"network.style_source": "reference", "network.voice_file": "me.wav"},
            ["network.style_clip_file", "got no expressions"],
        ),
    ],
)
def test_a_wrong_key_or_value_is_named_with_what_was_expected(flags, words):
    with pytest.raises(SetupError) as caught:
        load_settings(environ={}, flags=flags)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("server: 5", ["server", "keys with values", "got int"]),
        ("server.port: 5", ["server.port", "keys with values", "mean 'server: {port: …}'"]),
        ("auth.jwt_secret: x", ["keys with values", "mean 'auth: {jwt_secret: …}'"]),
        ("[1, 2]", ["sections", "list"]),
        ("server: {port: ", ["expected YAML", "line 1, column 16"]),
        ("server:\n  port: 1\n host: x", ["expected YAML", "line 3, column 2"]),
        ("server: {port: 0x_}", ["settings.yaml", "expected YAML"]),
        ("llm: {model: 2024-13-01}", ["settings.yaml", "expected YAML"]),
        ("server: {port: [1]}", ["server.port", "whole number"]),
        ("server:\n  prot: 1\n", ["settings.yaml", "server.port"]),
    ],
)
def test_a_wrong_file_is_named_with_what_was_expected(tmp_path, text, words):
    with pytest.raises(SetupError) as caught:
        load_settings(write(tmp_path, text), {})
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("key", ["server.token_ttl_s", "server.drain_s", "llm.temperature"])
@pytest.mark.parametrize("number", ["inf", "nan"])
def test_a_number_that_is_none_or_has_no_end_is_refused(tmp_path, key, number):
    section, name = key.split(".")
    file = write(tmp_path, f"{section}: {{{name}: .{number}}}")
    for given in ({"flags": {key: number}}, {"file": file}):
        with pytest.raises(SetupError, match=rf"{key}: expected a number ≥ \d+.*; got '?{number}"):
            load_settings(environ={}, **given)


def test_a_file_that_is_not_there_is_an_error_not_a_default(tmp_path):
    with pytest.raises(SetupError, match="cannot be read"):
        load_settings(tmp_path / "none.yaml", {})


def test_an_unknown_environment_variable_with_our_prefix_is_an_error():
    with pytest.raises(SetupError, match="RT_AVATAR_SERVER__PROT"):
        load_settings(environ={"RT_AVATAR_SERVER__PROT": "1"})


def test_what_kubernetes_names_after_a_service_of_ours_is_no_setting():
    environ = {
        "RT_AVATAR_SERVICE_HOST": "10.0.0.1",
        "RT_AVATAR_SERVICE_PORT": "8080",
        "RT_AVATAR_SERVICE_PORT_HTTP_API": "8080",
        "RT_AVATAR_PORT": "tcp://10.0.0.1:8080",
        "RT_AVATAR_PORT_8080_TCP": "tcp://10.0.0.1:8080",
        "RT_AVATAR_PORT_8080_TCP_ADDR": "10.0.0.1",
        "RT_AVATAR_PORT_8080_TCP_PORT": "8080",
        "RT_AVATAR_PORT_8080_TCP_PROTO": "tcp",
    }
    assert load_settings(environ=environ) == Settings()


@pytest.mark.parametrize(
    "name", ["RT_AVATAR_PORT", "RT_AVATAR_SERVICE_PORT__HTTP", "RT_AVATAR_SERVER_PORT"]
)
def test_what_only_looks_like_it_is_still_an_error(name):
    with pytest.raises(SetupError, match=f"{name}: there is no setting"):
        load_settings(environ={name: "9000"})


def test_a_secret_is_never_shown():
    flags = {path: "hunter2-hunter2" for path in SECRETS}
    shown = str(as_dict(load_settings(environ={}, flags=flags)))
    assert "hunter2" not in shown
    assert shown.count("***") == len(SECRETS)


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        ({"llm.base_url": "http://user:hunter2@127.0.0.1:1/v1"}, "http://***@127.0.0.1:1/v1"),
        ({"llm.base_url": "https://hunter2@x.example/v1"}, "https://***@x.example/v1"),
        ({"llm.base_url": "https://x.example/v1?api-key=hunter2"}, "https://x.example/v1?***"),
        ({"llm.base_url": "http://u:hun@ter2://hunter2/hunter2@x/v1"}, "http://***@x/v1"),
        ({"llm.base_url": "user:hunter2@x/v1"}, "***@x/v1"),
        ({"tts.base_url": "http://user:hunter2@x/v1"}, "http://***@x/v1"),
        ({"livekit.url": "wss://user:hunter2@x"}, "wss://***@x"),
        ({"ice.turn_urls": "turn:u:hunter2@a,turn:b?transport=udp", "ice.turn_secret": "hunter2"},
         "turn:b?transport=udp"),
        ({"llm.extra_body": '{"key": "hunter2", "b": {"hunter2": ["hunter2"]}}'}, "'key': '***'"),
        ({"tts.extra_body": '{"lang": "hunter2"}'}, "'lang': '***'"),
    ],
)  # fmt: skip
def test_nor_is_one_that_is_a_part_of_something_else(flags, kept):
    more = {"llm.model": "m", "tts.model": "m"}
    shown = str(as_dict(load_settings(environ={}, flags=more | flags)))
    assert "hunter2" not in shown
    assert kept in shown


@pytest.mark.parametrize(
    "text",
    [
        "auth.jwt_secret: hunter2-hunter2",
        "auth.jwt_secret:\n  - hunter2",
        "auth: hunter2",
        "auth: 'jwt_secret: hunter2'",
        "auth: {jwt_secret:hunter2}",
        "auth:\n  jwt_secret:hunter2:\n",
        "auth.jwt_secret:hunter2",
        "auth: {jwt_secret: {hunter2}}",
        "auth: {jwt_secret: {a: hunter2}}",
        "auth:\n  jwt_secret: [hunter2]",
        'auth:\n  jwt_secret: "hunter2',
        "auth:\n  jwt_secret: *hunter2",
        "auth:\n  jwt_secret: !hunter2",
        "auth:\n  jwt_secret: !hunter2!x y",
        "auth:\n  jwt_secret: @hunter2",
        "auth:\n  jwt_secret: hunter2: x",
        "llm: {extra_body: [hunter2]}",
        "llm: {extra_body: 'key=hunter2'}",
        "llm: {base_url: ['http://u:hunter2@x/v1']}",
        "ice: {turn_urls: {'turn:u:hunter2@x': hunter2}}",
    ],
)
def test_a_slip_in_a_file_does_not_show_what_is_secret_in_it(tmp_path, text):
    with pytest.raises(SetupError) as caught:
        load_settings(write(tmp_path, text), {})
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ['["hunter2"]', "key=hunter2", '{"key": "hunter2"'])
def test_nor_does_a_wrong_flag(text):
    for key in ("llm.extra_body", "tts.extra_body"):
        with pytest.raises(SetupError, match="expected keys with values") as caught:
            load_settings(environ={}, flags={key: text})
        assert "hunter2" not in str(caught.value)


def test_every_key_has_help_and_expectation_and_its_default_passes():
    keys = all_keys()
    assert len(keys) > 30
    for key in keys.values():
        assert key.help.endswith("."), key.path
        assert key.expected
    tree = {path: key.default for path, key in keys.items()}
    flags = {
        path: ",".join(value) if isinstance(value, tuple) else "" if value is None else str(value)
        for path, value in tree.items()
    }
    assert load_settings(environ={}, flags=flags) == Settings()


def test_what_config_prints_can_be_read_back(tmp_path, capsys):
    from rt_avatar.commands.cli import main

    assert main(["config", "--server.port", "9001", "--ice.stun_urls", "stun:a,stun:b"]) == 0
    printed = capsys.readouterr().out
    assert yaml.safe_load(printed)["server"]["port"] == 9001
    again = load_settings(write(tmp_path, printed), {})
    assert again.ice.stun_urls == ("stun:a", "stun:b")


def test_the_environment_of_every_livekit_program_is_read_and_ours_counts_more():
    environ = {
        "LIVEKIT_URL": "wss://rooms.example",
        "LIVEKIT_API_KEY": "theirs",
        "RT_AVATAR_LIVEKIT__API_KEY": "ours",
        "LIVEKIT_API_SECRET": "hush",
    }
    settings = load_settings(environ=environ)
    assert settings.livekit.url == "wss://rooms.example"
    assert settings.livekit.api_key == "ours"
    assert settings.livekit.api_secret == "hush"
    assert "hush" not in str(as_dict(settings))


@pytest.mark.parametrize(
    "given", ["{max_completion_tokens: 400}", "'{\"max_completion_tokens\": 400}'"]
)
def test_further_keys_of_a_request_are_a_mapping_in_a_file_and_json_in_text(tmp_path, given):
    file = tmp_path / "avatar.yaml"
    file.write_text(f"llm: {{extra_body: {given}}}")
    assert load_settings(file, {}).llm.extra_body == {"max_completion_tokens": 400}


@pytest.mark.parametrize("text", ["[1]", "max_tokens=3", "3"])
def test_further_keys_that_are_none_are_refused_with_what_was_expected(text):
    with pytest.raises(SetupError, match=r"llm\.extra_body: expected keys with values"):
        load_settings(None, {}, {"llm.extra_body": text})


def test_a_number_that_need_not_be_set_is_checked_when_it_is():
    assert load_settings(None, {}).llm.temperature is None
    assert load_settings(None, {}, {"llm.temperature": "0.5"}).llm.temperature == 0.5
    with pytest.raises(SetupError, match=r"expected a number ≥ 0 and ≤ 2"):
        load_settings(None, {}, {"llm.temperature": "5"})
