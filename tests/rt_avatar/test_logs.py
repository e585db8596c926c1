"""Logs of libraries: what tells nothing is not shown, what tells something is."""

import io
import logging

import pytest

from rt_avatar.config import LogSettings
from rt_avatar.logs import set_up_logging

pytestmark = pytest.mark.unit


@pytest.fixture
def shown(monkeypatch):
    """What is logged, as text; logging is as before afterwards."""
    root, livekit = logging.getLogger(), logging.getLogger("livekit")
    before = root.level, root.handlers[:], livekit.level, livekit.filters[:]
    text = io.StringIO()
    monkeypatch.setattr("sys.stderr", text)
    set_up_logging(LogSettings())
    yield text
    root.handlers[:] = before[1]
    livekit.filters[:] = before[3]
    root.setLevel(before[0])
    livekit.setLevel(before[2])


def test_what_livekit_says_at_the_end_of_every_call_is_not_shown(shown):
    logging.getLogger("livekit").error(
        "rtc_session - publisher data channel '_data_track' closed unexpectedly"
    )
    logging.getLogger("livekit.agents").info("initializing job runner")
    assert shown.getvalue() == ""


def test_what_an_operator_must_know_is_shown(shown):
    logging.getLogger("livekit.agents").warning("failed to connect to livekit, retrying in 2s")
    logging.getLogger("livekit").error("another error")
    text = shown.getvalue()
    assert "failed to connect to livekit" in text
    assert "another error" in text
