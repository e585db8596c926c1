"""Every line of a turn bears its session and turn, whoever writes it and on whatever thread."""

import io
import json
import logging

import pytest

from rt_avatar.config.server_settings import LogSettings
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Trace
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.logs import log_context, set_up_logging
from tests.fakes.engines import ScriptedReasoner
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit


@pytest.fixture
def shown(request, monkeypatch):
    """What is logged; logging is as before afterwards."""
    root = logging.getLogger()
    before = root.level, root.handlers[:]
    text = io.StringIO()
    monkeypatch.setattr("sys.stderr", text)
    set_up_logging(LogSettings(json=request.param))
    yield text
    root.handlers[:] = before[1]
    root.setLevel(before[0])


def of(shown: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in shown.getvalue().splitlines()]


@pytest.mark.parametrize("shown", [True], indirect=True)
def test_every_line_of_a_call_bears_its_session_and_those_of_a_turn_its_turn(shown):
    async def main(loop):
        reasoner = ScriptedReasoner(["Hello."], error=ReasonerError("scripted failure"))
        async with calling(loop, reasoner) as call:
            call.session.send_text("Hello?")
            await call.until(Trace)

    run_virtual(main)
    lines = [line for line in of(shown) if line["logger"].startswith("rt_avatar")]
    assert any("scripted failure" in line["message"] for line in lines)
    assert {line["session"] for line in lines} == {"test"}
    assert {line["turn"] for line in lines if line["logger"].endswith(".turn")} == {1}


@pytest.mark.parametrize("shown", [True], indirect=True)
async def test_a_line_of_an_engine_s_thread_bears_who_it_works_for(shown):
    worker = EngineWorker("test")
    with log_context(session="a", turn=7):
        await worker.call(logging.getLogger("engines.any").warning, "slow")
    await worker.call(logging.getLogger("engines.any").warning, "warm")
    worker.close()
    slow, warm = of(shown)
    assert (slow["session"], slow["turn"]) == ("a", 7)
    assert "session" not in warm


@pytest.mark.parametrize("shown", [False], indirect=True)
def test_text_for_people_bears_them_at_the_end_of_the_line(shown):
    log = logging.getLogger("rt_avatar.any")
    with log_context(session="a"), log_context(turn=7):
        log.warning("slow")
    log.warning("warm")
    first, second = shown.getvalue().splitlines()
    assert first.endswith("rt_avatar.any: slow (session a, turn 7)")
    assert second.endswith("rt_avatar.any: warm")


@pytest.mark.parametrize("shown", [False], indirect=True)
def test_they_stand_before_a_traceback(shown):
    with log_context(session="a"):
        try:
            raise ValueError("oops")
        except ValueError:
            logging.getLogger("rt_avatar.any").exception("failed")
    first, *_, last = shown.getvalue().splitlines()
    assert first.endswith("failed (session a)")
    assert last == "ValueError: oops"
