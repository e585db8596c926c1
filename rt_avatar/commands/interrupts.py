"""What Ctrl+C does before a server listens to it."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl+C end the process at once, as SIGTERM does, until the server has a handler.

    Nothing is there to be ended gently while it loads. Python's own exception would wait for the
    thread that loads, and the next one, out of that wait, be shown with all its frames.
    """
    found = signal.getsignal(signal.SIGINT)
    # Windows has no handlers of a loop: there the exception is what ends it gently later.
    if sys.platform == "win32" or found is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, found)
