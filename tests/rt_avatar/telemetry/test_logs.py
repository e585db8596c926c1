"""Logs of libraries: what tells nothing is not shown, what tells something is."""

import io
import logging

import pytest

from rt_avatar.config.server_settings import LogSettings
from rt_avatar.telemetry.logs import set_up_logging

pytestmark = pytest.mark.unit

QUIETED = (
    "aioice",
    "aiortc",
    "aiortc.rtcrtpreceiver",
    "aiohttp.access",
    "httpx2",
    "openai",
    "livekit",
)


@pytest.fixture
def shown(monkeypatch):
    """What is logged, as text; logging is as before afterwards."""
    loggers = [logging.getLogger(name) for name in (None, *QUIETED)]
    before = {one: (one.level, one.handlers[:], one.filters[:]) for one in loggers}
    text = io.StringIO()
    monkeypatch.setattr("sys.stderr", text)
    set_up_logging(LogSettings())
    yield text
    for one, (level, handlers, filters) in before.items():
        one.handlers[:], one.filters[:] = handlers, filters
        one.setLevel(level)


def test_what_livekit_says_at_the_end_of_every_call_is_not_shown(shown):
    logging.getLogger("livekit").error(
        "rtc_session - publisher data channel '_data_track' closed unexpectedly"
    )
    logging.getLogger("livekit.agents").info("initializing job runner")
    assert shown.getvalue() == ""


def test_a_picture_that_the_line_damaged_is_not_shown(shown):
    receiver = logging.getLogger("aiortc.rtcrtpreceiver")
    receiver.warning("RTCRtpReceiver(video) failed to decode VP8 frame: [Errno 1094995529]")
    assert shown.getvalue() == ""
    receiver.warning("another warning")
    assert "another warning" in shown.getvalue()


def test_who_asks_for_errors_only_gets_no_warning_of_a_library(shown, monkeypatch):
    monkeypatch.setattr("sys.stderr", shown)
    set_up_logging(LogSettings(level="ERROR"))
    logging.getLogger("openai").warning("a warning")
    logging.getLogger("openai").error("an error")
    assert "a warning" not in shown.getvalue()
    assert "an error" in shown.getvalue()


def test_what_an_operator_must_know_is_shown(shown):
    logging.getLogger("livekit.agents").warning("failed to connect to livekit, retrying in 2s")
    logging.getLogger("livekit").error("another error")
    text = shown.getvalue()
    assert "failed to connect to livekit" in text
    assert "another error" in text
