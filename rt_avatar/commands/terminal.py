"""What several commands say and ask on the terminal."""

import sys
from contextlib import suppress

from rich.console import Console

from rt_avatar.errors import SetupError


def say(text: str) -> None:
    """Print a line as it is: no markup, no colours, unbroken."""
    Console(soft_wrap=True).print(text, markup=False, highlight=False)


def ask_consent(question: str, refusal: str) -> None:
    """Ask a question; without a terminal nobody answers.

    Raises:
        SetupError: The answer was not yes; says ``refusal``.
    """
    answer = ""
    if sys.stdin.isatty():
        with suppress(EOFError):  # the terminal's end of input: no answer
            answer = input(question)
    if answer.strip().lower() not in ("y", "yes"):
        raise SetupError(refusal)
