import os
import subprocess
import sys
from pathlib import Path

import pytest

from rt_avatar.commands.train import main
from rt_avatar.commands.training_folders import held
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


def train(data, *more):
    return main(["nano", "--stage", "face", "--data", str(data), *map(str, more)])


@pytest.mark.parametrize("option", ["--minutes", "--rate", "--steps", "--batch"])
@pytest.mark.parametrize("number", ["x", "0", "-1", "nan"])
def test_a_wrong_number_is_answered_by_what_is_expected(tmp_path, capsys, option, number):
    with pytest.raises(SystemExit):
        train(tmp_path, option, number)
    said = capsys.readouterr().err
    assert f"argument {option}: expected a " in said
    assert said.endswith(f"got {number}\n")


@pytest.mark.parametrize("option", ["--data", "--pictures"])
def test_what_is_no_folder_to_learn_from_is_told_at_once(tmp_path, option):
    file = tmp_path / "file"
    file.touch()
    for wrong, got in ((file, "a file"), (tmp_path / "missing", "none")):
        with pytest.raises(SetupError, match=f"{wrong}: expected a folder; got {got}. .*{option}"):
            train(tmp_path, option, wrong, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_to_write_to_is_named(tmp_path):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SetupError, match=r"file: expected a folder to write to; .*--out"):
        train(tmp_path, "--out", file)


@pytest.mark.networks
def test_a_folder_without_tracked_recordings_is_told_what_is_missing(tmp_path):
    with pytest.raises(SetupError, match=r"names\.json: expected a tracked recording's file"):
        train(tmp_path, "--out", tmp_path / "out")


def test_two_trainings_never_write_to_one_folder(tmp_path):
    with (
        held(tmp_path / "out"),
        pytest.raises(SetupError, match=r"out: expected no other training there.*--out"),
    ):
        train(tmp_path, "--out", tmp_path / "out")
    with held(tmp_path / "out"):
        pass


def test_a_training_that_was_killed_holds_its_folder_no_longer(tmp_path):
    program = (
        "import sys, time; from pathlib import Path\n"
        "from rt_avatar.commands.training_folders import held\n"
        "with held(Path(sys.argv[1])):\n"
        "    print('held', flush=True); time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"held\n"
        with pytest.raises(SetupError, match="got one that runs"), held(tmp_path):
            pass
        run.kill()
    with held(tmp_path):
        pass
