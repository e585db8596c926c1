"""The process of a recogniser, as the operating system shows it."""

import psutil


def recogniser_processes() -> list[psutil.Process]:
    """Return those of this process that run, the newest last."""
    found = [
        child
        for child in psutil.Process().children()
        if any(part.endswith("_sphinx_process.py") for part in child.cmdline())
    ]
    return sorted(found, key=psutil.Process.create_time)
