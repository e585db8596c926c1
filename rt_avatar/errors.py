"""The error tree, ordered by how much an error stops: process, session or turn.

    AvatarError
    ├── SetupError           the process does not start (config, missing voice, bad model folder)
    ├── SessionError         one caller ends, with a reason shown to the caller; the log says more
    │   ├── AdmissionError   the caller was not let in (full, bad token); others do not notice
    │   └── BadInputError    what a caller sent cannot be used; says expected, got, how to mend
    └── TurnError            this reply ends; the avatar says so and listens on, the log says why
        ├── EngineError      an engine failed; ``retryable`` says whether trying again may help
        └── ReasonerError    the language model failed or answered nonsense

Every message says what was expected, what came, and how to mend it.
"""


class AvatarError(Exception):
    """Root of all errors of this product."""


class SetupError(AvatarError):
    """The process cannot start as configured."""


class SessionError(AvatarError):
    """One caller's session ends.

    Attributes:
        reason: Machine-readable word for the caller's page, e.g. ``"full"``.
    """

    def __init__(self, message: str, *, reason: str = "internal") -> None:
        super().__init__(message)
        self.reason = reason


class AdmissionError(SessionError):
    """The caller is not let in."""


class BadInputError(SessionError):
    """What the caller sent cannot be used; nothing of it was."""

    def __init__(self, message: str, *, reason: str = "bad_input") -> None:
        super().__init__(message, reason=reason)


class TurnError(AvatarError):
    """One reply ends; the session goes on.

    Attributes:
        retryable: Whether the same again may work.
        retry_after_s: When at the earliest, as whoever refused it says.
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.retry_after_s = 0.0


class EngineError(TurnError):
    """An engine failed in this turn.

    Attributes:
        engine: Name from the engine's spec.
    """

    def __init__(self, engine: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(f"{engine}: {message}", retryable=retryable)
        self.engine = engine


class ReasonerError(TurnError):
    """The language model failed, was late, or answered nonsense."""
