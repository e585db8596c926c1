"""Several processes on one port: callers are shared, found again, and outlive one process."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import psutil
import pytest
from aiohttp import web
from prometheus_client.parser import text_string_to_metric_families

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.signaling.refusals import METRICS, answer_errors
from rt_avatar.signaling.workers.board import Board
from rt_avatar.signaling.workers.metrics import of_all, together
from rt_avatar.signaling.workers.siblings import Siblings
from rt_avatar.telemetry.metrics import Metrics
from tests.signaling.serving import ROOT, process

pytestmark = pytest.mark.network

TWO = ("--server.workers", "2", "--avatar.greeting", "false")


def worker_of(caller: Caller) -> str:
    return caller.session["id"].partition("-")[0]


async def fresh(method: str, url: str, caller: Caller) -> int:
    """Ask by a connection of its own, which any worker may take; return the status."""
    headers = {"Authorization": f"Bearer {caller.session['token']}"}
    async with aiohttp.ClientSession() as http, http.request(method, url, headers=headers) as done:
        return done.status


async def test_callers_are_shared_and_each_is_found_whoever_is_asked():
    async with (
        process(*TWO, "--server.max_sessions_per_client", "2") as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as one,
        Caller(url, http) as other,
    ):
        for caller in (one, other):
            await caller.call()
            caller.send({"type": "ping", "t": 1})
            await caller.wait_for("pong")
        assert {worker_of(one), worker_of(other)} == {"w0", "w1"}
        for caller in (one, other):
            address = f"{url}api/sessions/{caller.session['id']}"
            asked = [fresh("GET", f"{address}/ice_servers", caller) for _ in range(8)]
            assert set(await asyncio.gather(*asked)) == {200}
        async with http.get(f"{url}healthz") as response:
            assert (await response.json())["sessions"] == 2
        for _ in range(2):  # whoever is asked knows of the other's call
            async with http.post(f"{url}api/sessions") as response:
                assert (await response.json())["error"]["reason"] == "too_many_calls"
        async with http.get(f"{url}metrics") as response:
            assert response.status == 404  # callers do not read them
        for caller in (one, other):
            address = f"{url}api/sessions/{caller.session['id']}"
            assert await fresh("DELETE", address, caller) == 204
            await caller.wait_for("bye", reason="hang_up")
        server.send_signal(signal.SIGTERM)
        async with asyncio.timeout(20):
            assert await server.wait() == 0


async def test_a_worker_that_dies_takes_its_own_calls_only_and_is_replaced():
    async with (
        process(*TWO, "--server.drain_s", "1") as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as one,
        Caller(url, http) as other,
    ):
        await one.call()
        await other.call()
        workers = psutil.Process(server.pid).children()
        assert len(workers) == 2
        lost = max(workers, key=lambda worker: len(worker.net_connections("udp")) > 0)
        before = {caller: caller.pictures for caller in (one, other)}
        os.kill(lost.pid, signal.SIGKILL)
        await asyncio.wait_for(asyncio.to_thread(lost.wait), 20)
        seen: set[str] = set()
        async with asyncio.timeout(60):
            while seen != {"w0", "w1"}:  # both let callers in again
                async with http.post(f"{url}api/sessions") as response:
                    if response.status == 201:
                        seen.add((await response.json())["id"].partition("-")[0])
                await asyncio.sleep(0.5)  # as a person who tries again, within the limit of rate
        answered = []
        for caller in before:
            caller.send({"type": "ping", "t": 2})
        for caller in before:
            try:
                await caller.wait_for("pong", timeout_s=5)
                answered.append(caller)
            except TimeoutError:
                pass
        assert len(answered) == 1
        await answered[0].until(lambda: answered[0].pictures > before[answered[0]])


async def test_a_successor_that_cannot_start_ends_no_call_and_is_tried_again(tmp_path):
    bank = tmp_path / "replies.txt"
    good = (ROOT / "engines" / "reply_ranker" / "replies.txt").read_text(encoding="utf-8")
    bank.write_text(good, encoding="utf-8")
    async with (
        process(*TWO, "--server.drain_s", "1", "--llm.replies", str(bank)) as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as caller,
    ):
        await caller.call()
        idle = min(
            psutil.Process(server.pid).children(),
            key=lambda worker: len(worker.net_connections("udp")),
        )
        bank.write_text("no bank any more\n", encoding="utf-8")
        os.kill(idle.pid, signal.SIGKILL)
        async with asyncio.timeout(60):
            while b"llm.replies: " not in (line := await server.stdout.readline()):
                assert line, "the server has ended"
        caller.send({"type": "ping", "t": 2})
        await caller.wait_for("pong", t=2)
        bank.write_text(good, encoding="utf-8")
        other = {"w0": "w1", "w1": "w0"}[worker_of(caller)]
        seen = ""
        async with asyncio.timeout(60):
            while seen != other:
                async with http.post(f"{url}api/sessions") as response:
                    if response.status == 201:
                        seen = (await response.json())["id"].partition("-")[0]
                await asyncio.sleep(0.5)  # as a person who tries again, within the limit of rate


def close_terminal(server: asyncio.subprocess.Process) -> list[psutil.Process]:
    """Tell all processes of a server that their terminal is closed; return its workers."""
    workers = psutil.Process(server.pid).children()
    for pid in (server.pid, *(worker.pid for worker in workers)):
        os.kill(pid, signal.SIGHUP)
    return workers


@pytest.fixture
def hang_ups():
    """Signals of a closed terminal, heard by what is started, though ``nohup`` runs the tests."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


async def test_a_closed_terminal_lets_calls_end_in_peace_and_other_signals_change_nothing(hang_ups):
    async with (
        process(*TWO, "--server.drain_s", "15") as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as caller,
    ):
        await caller.call()
        workers = psutil.Process(server.pid).children()
        for name in ("SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2", "SIGWINCH"):
            for pid in (server.pid, *(worker.pid for worker in workers)):
                os.kill(pid, signal.Signals[name])
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")
        assert close_terminal(server) == workers
        await caller.wait_for("notice", code="draining")
        caller.send({"type": "ping", "t": 2})
        await caller.wait_for("pong", t=2)
        caller.send({"type": "hang_up"})
        await caller.wait_for("bye", reason="hang_up")
        async with asyncio.timeout(20):
            assert await server.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_to_all_processes_lets_calls_end_in_peace(number):
    async with (
        process(*TWO, "--server.drain_s", "15") as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as caller,
    ):
        await caller.call()
        # A service manager, or a terminal's Ctrl+C; the arbiter passes it on to each worker.
        for one in (psutil.Process(server.pid), *psutil.Process(server.pid).children()):
            os.kill(one.pid, number)
        await caller.wait_for("notice", code="draining")
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")
        caller.send({"type": "hang_up"})
        await caller.wait_for("bye", reason="hang_up")
        async with asyncio.timeout(20):
            assert await server.wait() == 0


async def test_a_server_that_outlives_its_terminal_goes_on_when_it_is_closed():
    async with (
        process(*TWO, by=("nohup",)) as (server, url),
        aiohttp.ClientSession() as http,
        Caller(url, http) as caller,
    ):
        await caller.call()
        workers = close_terminal(server)
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")
        assert psutil.Process(server.pid).children() == workers
        caller.send({"type": "hang_up"})
        await caller.wait_for("bye", reason="hang_up")
        server.send_signal(signal.SIGTERM)
        async with asyncio.timeout(20):
            assert await server.wait() == 0


async def test_what_keeps_workers_from_starting_is_told_in_one_line(quiet_server):
    port = quiet_server.address.rstrip("/").rsplit(":", 1)[1]
    second = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rt_avatar.commands.cli", "serve", *TWO, "--metrics.port", "0",
        "--server.port", port, cwd=ROOT, env={**os.environ, "COLUMNS": "500"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(60):
        output, _ = await second.communicate()
    assert second.returncode == 2
    assert b"server.port" in output
    assert b"Traceback" not in output


def test_the_metrics_of_each_process_are_told_so_that_none_falls_when_another_dies():
    one, other = Metrics(), Metrics()
    for metrics, callers, load in ((one, 2, 0.5), (other, 1, 0.75)):
        metrics.sessions.set(callers)
        metrics.load.set(load)
        metrics.count_rejected("full")
        metrics.observe_lag(0.003)
    text = together({0: one.exposition(), 1: other.exposition()}).decode()

    def values(name: str, labels: str = "") -> list[float]:
        found = [
            re.findall(rf'^{name}{{process="{worker}"{labels}}} (\S+)$', text, re.MULTILINE)
            for worker in (0, 1)
        ]
        return [float(number) for (number,) in found]

    assert values("rt_avatar_sessions") == [2, 1]
    assert values("rt_avatar_load") == [0.5, 0.75]
    assert values("rt_avatar_rejected_total", ',reason="full"') == [1, 1]
    lag = "lk_agents_event_loop_blocked_duration_seconds"
    assert values(f"{lag}_count") == [1, 1]
    assert values(f"{lag}_bucket", ',le="0.005"') == [1, 1]
    assert values(f"{lag}_bucket", ',le="0.002"') == [0, 0]
    alone = list(text_string_to_metric_families(one.exposition().decode()))
    families = list(text_string_to_metric_families(text))  # each is there once, with all of both
    assert [(of.name, of.type) for of in families] == [(of.name, of.type) for of in alone]
    assert [len(of.samples) for of in families] == [2 * len(of.samples) for of in alone]
    left = together({1: other.exposition()}).decode().splitlines()
    assert set(left) <= set(text.splitlines())


async def test_metrics_do_not_wait_for_a_worker_that_hangs(tmp_path):
    async def hang(_reader, writer) -> None:
        await over.wait()
        writer.close()

    over = asyncio.Event()
    async with (
        Siblings(0, Board(2), tmp_path) as siblings,
        await asyncio.start_unix_server(hang, tmp_path / "1.sock"),
    ):
        metrics = Metrics()
        metrics.sessions.set(3)
        async with asyncio.timeout(9):  # Prometheus waits for ten seconds
            text = await of_all(metrics.exposition, siblings)()
        over.set()
    assert b'rt_avatar_sessions{process="0"} 3.0' in text


@asynccontextmanager
async def first_of_two(
    folder: Path, callers: tuple[int, ...] = ()
) -> AsyncIterator[tuple[str, list[str]]]:
    """Serve as the first of two workers; yield its address, and the paths that it has answered."""
    board = Board(2)
    for worker, count in enumerate(callers):
        board.set(worker, count)
    answered = []

    async def answer(request: web.Request) -> web.Response:
        answered.append(request.path)
        return web.Response()

    async with Siblings(0, board, folder) as siblings:
        app = web.Application(middlewares=[answer_errors, siblings.pass_on])
        app[METRICS] = Metrics()
        app.router.add_post("/api/sessions", answer)
        app.router.add_post("/api/sessions/{id}/offer", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            yield f"http://127.0.0.1:{runner.addresses[0][1]}", answered
        finally:
            await runner.cleanup()


@pytest.fixture(params=[False, True], ids=["breaks off", "is slow"])
async def second_fails(request, tmp_path, monkeypatch) -> AsyncIterator[None]:
    """The second of two workers takes requests and does not answer."""

    async def take(reader, writer) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if request.param:
            await over.wait()
        writer.close()

    monkeypatch.setattr("rt_avatar.signaling.workers.siblings._TIMEOUT_S", 0.2)
    over = asyncio.Event()
    async with await asyncio.start_unix_server(take, tmp_path / "1.sock"):
        yield
        over.set()


async def test_a_call_that_another_worker_may_have_is_not_opened_twice(tmp_path, second_fails):
    async with first_of_two(tmp_path) as (url, answered), aiohttp.ClientSession() as http:
        async with http.post(f"{url}/api/sessions/w1-abc/offer", json={}) as response:
            body = await response.json()
            assert (response.status, body["error"]["reason"]) == (503, "overloaded")
            assert int(response.headers["Retry-After"]) > 0
        assert answered == []


async def test_a_new_session_that_the_freest_worker_fails_to_make_is_made_where_it_is_asked_for(
    tmp_path, second_fails
):
    async with (
        first_of_two(tmp_path, callers=(1, 0)) as (url, answered),
        aiohttp.ClientSession() as http,
    ):
        async with http.post(f"{url}/api/sessions", json={}) as response:
            assert response.status == 200
        assert answered == ["/api/sessions"]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_a_call_whose_worker_has_died_is_over_and_not_begun_anew_elsewhere(tmp_path, method):
    async with first_of_two(tmp_path) as (url, answered), aiohttp.ClientSession() as http:
        path = "/api/sessions/w1-abc" + {"POST": "/offer", "DELETE": ""}[method]
        async with await asyncio.start_unix_server(lambda *_ends: None, tmp_path / "1.sock"):
            pass  # it has died, and its socket is still there
        async with http.request(method, url + path) as response:
            body = await response.json()
            assert (response.status, body["error"]["reason"]) == (410, "ended")
        async with http.post(f"{url}/api/sessions", json={}) as response:
            assert response.status == 200
        assert answered == ["/api/sessions"]


@pytest.mark.parametrize("session", ["w2-abc", f"w{'9' * 5000}-abc"])
async def test_a_call_that_no_worker_can_have_is_answered_where_it_is_asked_for(tmp_path, session):
    async with first_of_two(tmp_path) as (url, answered), aiohttp.ClientSession() as http:
        path = f"/api/sessions/{session}/offer"
        async with http.post(url + path, json={}) as response:
            assert response.status == 200
        assert answered == [path]


def test_who_waits_for_callers_to_end_gets_none_and_keeps_those_it_has(tmp_path):
    board = Board(2, lines=3)
    siblings = [Siblings(number, board, tmp_path) for number in range(2)]
    siblings[0].note_callers(["192.0.2.1"])
    siblings[1].note_callers(["192.0.2.1", "192.0.2.2"])
    assert [one.calls_elsewhere() for one in siblings] == [2, 1]
    siblings[0].send_callers_elsewhere()
    assert [board.freest(own) for own in range(2)] == [1, 1]
    siblings[0].note_callers([])
    assert [board.freest(own) for own in range(2)] == [1, 1]
    assert (board.total, board.are_all_ready) == (2, True)
    board.leave(0)
    Siblings(0, board, tmp_path).note_callers([])  # its successor
    assert [board.freest(own) for own in range(2)] == [0, 0]


def test_that_all_are_ready_is_told_once_also_where_one_died_before():
    board = Board(2)
    board.set(0, 0)
    assert not board.are_all_ready_at_last()
    board.leave(1)  # it has died while it loaded; its successor is ready now
    board.set(1, 0)
    assert board.are_all_ready_at_last()
    board.leave(0)
    board.set(0, 0)
    assert not board.are_all_ready_at_last()


def test_a_new_caller_goes_to_the_worker_with_the_fewest():
    board = Board(3)
    assert board.freest(1) == 1  # nobody is ready: who was asked tries
    for worker, callers in enumerate((2, 1, 1)):
        board.set(worker, callers)
    assert [board.freest(own) for own in range(3)] == [1, 1, 2]
    board.leave(1)
    assert [board.freest(own) for own in range(3)] == [2, 2, 2]
    assert (board.total, board.are_all_ready) == (3, False)


def test_whose_calls_the_others_have_is_known_until_they_are_gone():
    board = Board(3, lines=2)
    told = {0: ("192.0.2.1", "192.0.2.1"), 1: ("2001:db8::/64", "192.0.2.1"), 2: ()}
    for worker, clients in told.items():
        board.set_clients(worker, clients)
        board.set(worker, len(clients))
    assert [board.calls_of("192.0.2.1", without=own) for own in range(3)] == [1, 2, 3]
    assert board.calls_of("2001:db8::/64", without=2) == 1
    assert board.calls_of("192.0.2.2", without=2) == 0
    board.set_clients(0, ("192.0.2.9",))  # one of two has gone
    board.set(0, 1)
    assert board.calls_of("192.0.2.1", without=2) == 1
    board.leave(1)
    assert board.calls_of("192.0.2.1", without=2) == 0
