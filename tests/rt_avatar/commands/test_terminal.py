"""A question on the terminal: yes is consent, everything else is none."""

import os
import pty
from contextlib import nullcontext

import pytest

from rt_avatar.commands.terminal import ask_consent
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("typed", "is_consent"),
    [(b"y\n", True), (b"Yes \n", True), (b"n\n", False), (b"\n", False), (b"\x04", False)],
    ids=["y", "yes", "no", "nothing", "Ctrl+D"],
)
def test_only_yes_is_consent_and_the_end_of_input_is_no_answer(monkeypatch, typed, is_consent):
    keyboard, terminal = pty.openpty()
    with os.fdopen(terminal) as stdin, os.fdopen(keyboard, "wb") as keys:
        monkeypatch.setattr("sys.stdin", stdin)
        keys.write(typed)
        keys.flush()
        with nullcontext() if is_consent else pytest.raises(SetupError, match="nothing was kept"):
            ask_consent("Is this you? [y/N] ", "nothing was kept")
