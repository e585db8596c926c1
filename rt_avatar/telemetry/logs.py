"""Logging of the process: text for people, or one JSON object a line. Never words of a caller.

``log_context`` says whose call and which turn a task works for: every line that it, its tasks, its
engines' threads or a library within it writes bears both.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from rt_avatar.config.server_settings import LogSettings

_FIELDS: Final = ("session", "turn")
_context: ContextVar[Mapping[str, str | int]] = ContextVar("log_context", default={})  # noqa: B039


@contextmanager
def log_context(**fields: str | int) -> Iterator[None]:
    """Let all lines within the block bear these fields, ``session`` or ``turn``, too."""
    token = _context.set({**_context.get(), **fields})
    try:
        yield
    finally:
        _context.reset(token)


def _add_context(record: logging.LogRecord) -> bool:
    """Give a record the fields of its task; what it bears already counts more."""
    for name, value in _context.get().items():
        if not hasattr(record, name):
            setattr(record, name, value)
    return True


class _TextFormatter(logging.Formatter):
    """Text for people, with the fields behind the message."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line without a traceback."""
        known = [f"{name} {getattr(record, name)}" for name in _FIELDS if hasattr(record, name)]
        return super().formatMessage(record) + (f" ({', '.join(known)})" if known else "")


class _JsonFormatter(logging.Formatter):
    """One JSON object a line with the fields a log store searches by."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int | float] = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name in _FIELDS:
            if hasattr(record, name):
                line[name] = getattr(record, name)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


# What libraries call a warning or an error, and what is neither, by the logger that says it:
# - livekit, at the end of every call with a server older than itself, that the server has no
#   channel for data tracks (livekit 1.1.21 with livekit-server 1.9);
# - aiortc, of a picture of the caller's that the line damaged: lost packets are everyday, and the
#   next key frame mends it.
EVERYDAY: Final = {
    "livekit": "'_data_track' closed unexpectedly",
    "aiortc.rtcrtpreceiver": "failed to decode",
}


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Whether a library's line tells an operator anything."""
    return EVERYDAY[record.name] not in record.getMessage()


def set_up_logging(settings: LogSettings) -> None:
    """Send logs to standard error; called once, by ``main``."""
    handler = logging.StreamHandler()
    if settings.json:
        handler.setFormatter(_JsonFormatter())
    else:
        handler.setFormatter(_TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(_add_context)
    logging.basicConfig(level=settings.level, handlers=[handler], force=True)
    # One line a packet, a request (with its whole address), or a step of a job.
    level = max(logging.WARNING, logging.getLogger().level)
    for noisy in ("aioice", "aiortc", "aiohttp.access", "httpx2", "openai", "livekit"):
        logging.getLogger(noisy).setLevel(level)
    for name in EVERYDAY:
        logging.getLogger(name).addFilter(_is_worth_a_line)
