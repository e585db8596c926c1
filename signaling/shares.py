"""Who keeps how many of the files that callers may keep: no client more than half of the places.

In memory alone, for addresses are written nowhere: a process that starts anew counts anew.
"""

from collections.abc import Collection

from rt_avatar.errors import AdmissionError


class Shares:
    """The files of one folder, of which ``places`` may be kept; one thread at a time.

    ``reason`` is why a client is refused.
    """

    def __init__(self, places: int, reason: str) -> None:
        self._most = -(-places // 2)
        self._reason = reason
        self._client_of: dict[str, str] = {}  # the name of a file → who keeps it

    def check(self, client: str, kept: Collection[str]) -> None:
        """Refuse a client who may keep no more; ``kept`` are the names of all files now.

        Raises:
            AdmissionError: It is so.
        """
        self._client_of = {name: who for name, who in self._client_of.items() if name in kept}
        if sum(who == client for who in self._client_of.values()) >= self._most:
            raise AdmissionError(
                f"expected at most {self._most} files, half of the places, kept by one address; "
                "got one more",
                reason=self._reason,
            )

    def note(self, client: str, name: str) -> None:
        """Count a file that a client keeps from now on."""
        self._client_of[name] = client
