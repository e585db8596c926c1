"""The caller's words as page and room show them: ``Transcript`` → ``Caption``, one line a turn.

A line grows while it is open, and ends with its final words. Where nothing came of what was heard,
a noise or a listener's "yeah" over a reply, it is taken away: an open line would stay for good.
"""

from collections.abc import Callable
from dataclasses import replace

from rt_avatar.messages import Caption, Transcript


class CallerLine:
    """The caller's latest line; the one before is final."""

    def __init__(self, emit: Callable[[Caption], None]) -> None:
        self._emit = emit
        self._open: Transcript | None = None

    def show(self, said: Transcript, *, is_final: bool = False) -> None:
        """Show the words of a turn instead of those that its line had."""
        self._open = None if is_final else said
        self._emit(Caption(said.turn, said.pts, "caller", said.text, is_final))

    def take_away(self) -> None:
        """Show no more what was heard last, if its line is open."""
        if self._open is not None:
            self.show(replace(self._open, text=""), is_final=True)
