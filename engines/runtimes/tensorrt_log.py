"""TensorRT's messages, told through ``logging``: to who runs plans and who builds them."""

import logging
from types import ModuleType
from typing import Any

_log = logging.getLogger(__name__)


def logger(trt: ModuleType) -> Any:
    """Return a TensorRT logger that speaks through ``logging``."""
    levels = {
        trt.ILogger.INTERNAL_ERROR: logging.CRITICAL,
        trt.ILogger.ERROR: logging.ERROR,
        trt.ILogger.WARNING: logging.WARNING,
    }

    class Log(trt.ILogger):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            trt.ILogger.__init__(self)

        def log(self, severity: Any, msg: str) -> None:
            _log.log(levels.get(severity, logging.DEBUG), "%s", msg)

    return Log()
