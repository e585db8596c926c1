"""The command line: help for every key, one line for a mistake, lists that tell the truth."""

import subprocess
import sys

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.config.loader import all_keys
from rt_avatar.personas import PERSONAS

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("command", ["serve", "livekit", "say", "personas", "doctor", "config"])
def test_help_of_every_command_names_every_setting(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert all(f"--{path}" in text for path in all_keys())


def test_help_names_the_benchmarks_without_loading_them():
    code = (
        "import sys; from rt_avatar.commands.cli import main\n"
        "try: main(['--help'])\n"
        "finally: assert not [name for name in sys.modules if name.startswith('benchmarks')]"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "bench" in done.stdout


def test_a_command_begins_without_loading_what_only_others_need():
    heavy = {"onnxruntime", "av", "rt_avatar.reasoner", "rt_avatar.services"}
    code = f"import sys, rt_avatar.commands.cli; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_personas_lists_all_and_marks_the_default(capsys):
    assert main(["personas", "--avatar.persona", "leo"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in PERSONAS)
    assert "Leo (default)" in text


def test_a_mistake_is_one_line_and_status_two(capsys):
    assert main(["personas", "--server.port", "x"]) == 2
    captured = capsys.readouterr()
    assert "server.port" in captured.err
    assert "Traceback" not in captured.err


def test_a_flag_that_does_not_exist_is_answered_with_the_nearest_that_does(capsys):
    assert main(["personas", "--server.prot", "1"]) == 2
    assert "did you mean 'server.port'" in " ".join(capsys.readouterr().err.split())
    assert main(["personas", "--server.prot=1"]) == 2


@pytest.mark.parametrize("flag", ["--server.po", "--avatar.pers", "--ice.turn_t"])
def test_the_beginning_of_a_flag_is_not_taken_for_the_flag(capsys, flag):
    assert main(["config", f"{flag}=1"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert f"there is no setting '{flag[2:]}'; did you mean '{flag[2:]}" in told


def test_an_argument_that_is_no_setting_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["personas", "everything"])
    assert ended.value.code == 2
    assert "everything" in capsys.readouterr().err


def test_keys_are_listed_with_their_environment_names(capsys):
    assert main(["config", "--keys"]) == 0
    text = capsys.readouterr().out.replace("\n", "")
    assert "server.port" in text


def test_doctor_names_voice_recogniser_and_reasoner(capsys):
    assert main(["doctor", "--server.port", "0", "--metrics.port", "0"]) == 0
    text = capsys.readouterr().out
    for part in ("voice", "recogniser", "reasoner", "TURN"):
        assert part in text


def test_doctor_and_config_show_no_password_of_an_endpoint(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    flags = ["--llm.kind", "empathyear", "--llm.model", "m"]
    flags += ["--llm.base_url", "http://user:hunter2@127.0.0.1:1/v1?key=hunter2"]
    for command in (["doctor", "--server.port", "0", "--metrics.port", "0"], ["config"]):
        main([*command, *flags])
        shown = capsys.readouterr()
        assert "127.0.0.1:1/v1" in shown.out
        assert "hunter2" not in shown.out + shown.err


def test_doctor_says_whose_weights_are_not_for_commercial_use(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")  # the table wraps
    ports = ["--server.port", "0", "--metrics.port", "0"]
    assert main(["doctor", *ports]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "nano: rules, and written replies; networks choose (weights CC BY-NC 4.0)" in text
    assert "For commercial use set llm.emotion lexicon" in text
    assert main(["doctor", *ports, "--llm.emotion", "lexicon"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "reflective: rules, no language model; emotions named by a lexicon" in text
    assert "CC BY-NC" not in text


def test_doctor_says_whose_weights_hear_emotions_in_the_voice(capsys):
    ports = ["--server.port", "0", "--metrics.port", "0"]
    assert main(["doctor", *ports, "--perception.voice_emotion", "on"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "voice emotion" in text
    assert "BY-NC-SA" in text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ice.stun_urls", "stun.example.org"),
        ("server.trusted_proxies", "nonsense"),
        ("server.allowed_origins", "example.org"),
    ],
)
def test_doctor_says_so_when_an_address_keeps_the_server_from_starting(
    capsys, monkeypatch, key, value
):
    monkeypatch.setenv("COLUMNS", "400")
    ports = ["--server.port", "0", "--metrics.port", "0"]
    assert main(["doctor", *ports, f"--{key}", value]) == 1
    told = capsys.readouterr().out
    assert "addresses" in told
    assert f"{key}: expected" in told


@pytest.mark.parametrize("section", ["server", "metrics"])
def test_doctor_says_so_when_a_port_is_taken(capsys, section):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["doctor", f"--{section}.port", str(port)]) == 1
    printed = capsys.readouterr().out
    assert "missing" in printed
    assert f"--{section}.port" in printed


@pytest.mark.parametrize(
    "there",
    ["None", "types.ModuleType('livekit')"],
    ids=["nothing", "the name alone, by our own plug-in"],
)
def test_rooms_without_the_extra_are_answered_with_how_to_get_it(there):
    code = (
        f"import sys, types; sys.modules['livekit'] = {there}\n"
        "from rt_avatar.commands.cli import main; sys.exit(main(['livekit']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "make install EXTRAS=livekit" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
