"""Names of before are refused with the name of now, wherever they are given."""

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.config.loader import all_keys, load_settings
from rt_avatar.config.renamed_keys import RENAMED_KEYS, RENAMED_VALUES, RENAMED_WORDS
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(("old", "new"), RENAMED_KEYS.items())
@pytest.mark.parametrize("source", ["file", "environment", "flag"])
def test_a_renamed_setting_is_refused_with_its_new_name(tmp_path, source, old, new):
    assert new in all_keys()
    section, name = old.split(".")
    file, environ, flags, origin = None, {}, {}, ""
    if source == "file":
        file = tmp_path / "settings.yaml"
        file.write_text(f"{section}: {{{name}: x}}", encoding="utf-8")
        origin = str(file)
    elif source == "environment":
        origin = f"RT_AVATAR_{section.upper()}__{name.upper()}"
        environ = {origin: "x"}
    else:
        origin = f"--{old}"
        flags = {old: "x"}
    with pytest.raises(SetupError) as caught:
        load_settings(file, environ, flags)
    assert str(caught.value).startswith(f"{origin}: {old!r} is called {new!r} now")


def test_a_renamed_value_is_refused_with_its_new_name():
    for key, values in RENAMED_VALUES.items():
        for old, new in values.items():
            with pytest.raises(SetupError, match=f"{old!r} is called {new!r} now"):
                load_settings(environ={}, flags={key: old})
            load_settings(environ={}, flags={key: new})


@pytest.mark.parametrize("words", [["profiles"], ["say", "Hello.", "--profile", "leo"]])
def test_a_renamed_word_of_the_command_line_is_refused_with_its_new_name(capsys, words):
    old = next(word for word in words if word in RENAMED_WORDS)
    assert main(words) == 2
    assert f"{old!r} is called {RENAMED_WORDS[old]!r} now" in capsys.readouterr().err
