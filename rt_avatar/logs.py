"""Logging of the process: text for people, or one JSON object a line. Never words of a caller."""

import json
import logging

from rt_avatar.config import LogSettings


class _JsonFormatter(logging.Formatter):
    """One JSON object a line with the fields a log store searches by."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int | float] = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name in ("session", "turn"):
            if hasattr(record, name):
                line[name] = getattr(record, name)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logging(settings: LogSettings) -> None:
    """Send logs to standard error; called once, by ``main``."""
    handler = logging.StreamHandler()
    if settings.json:
        handler.setFormatter(_JsonFormatter())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=settings.level, handlers=[handler], force=True)
    for noisy in ("aioice", "aiortc", "aiohttp.access"):  # one line a packet or request
        logging.getLogger(noisy).setLevel(max(logging.WARNING, handler.level))
