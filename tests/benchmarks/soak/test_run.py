"""The soak's two callers call a real edge, are read, hang up, and leave."""

import os

import psutil
import pytest

from rt_avatar.benchmarks.server import Server
from rt_avatar.benchmarks.soak import run as soak_run
from rt_avatar.benchmarks.soak.report import report
from rt_avatar.benchmarks.soak.run import Length, run
from tests.fakes.in_process_server import in_process_server

pytestmark = pytest.mark.realtime

REPLY = " ".join(["word"] * 20)


async def test_both_callers_make_turns_are_read_and_leave_nothing_behind(tmp_path, monkeypatch):
    for name, seconds in (("WARM_S", 0.5), ("SETTLE_S", 1.1), ("LEAST_PERIOD_S", 0.5)):
        monkeypatch.setattr(soak_run, name, seconds)
    log = tmp_path / "log"
    log.write_text("2026-11-21 10:00:00,000 WARNING rt_avatar.signaling.call: call ended: lost\n")
    async with in_process_server(REPLY, heard=("hello",) * 50) as edge:
        server = Server(edge.url, psutil.Process(os.getpid()), 0.0, log, edge.metrics)
        soak = await run(server, None, Length(seconds=3.0, turns=4))
        assert edge.registry.sessions == 0
    assert len(soak.readings) >= 3
    assert soak.typist.turns >= 4
    assert len(soak.typist.typed_ms) >= 3
    assert soak.after is not None
    told = [*soak.readings, soak.after]  # the last turn may have ended after the last reading
    assert sum(len(one.typed_ms) for one in told) == len(soak.typist.typed_ms)
    assert soak.talker.packets > soak.talker.packets_lost > 0
    assert soak.typist.packets == 0, "the typist's line is good"
    assert soak.readings[-1].tasks > soak.before.tasks
    assert soak.after.tasks == soak.before.tasks
    assert min(soak.callers_mib) > 0
    figures = report(soak).figures
    assert figures["left_tasks"] == 0
    assert figures["log_problems"] == 1
