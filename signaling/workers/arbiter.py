"""Several processes on one port: gunicorn starts them, watches them, replaces who dies.

Each worker is a whole server with engines of its own: calls in different workers do not wait for
each other's interpreter lock. A worker that dies takes its own calls with it and no others.
"""

import asyncio
import logging
import os
import secrets
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from rt_avatar.config.settings import Settings
from rt_avatar.errors import AvatarError
from rt_avatar.signaling.process import listening_socket, run_loop
from rt_avatar.signaling.workers.board import Board
from rt_avatar.signaling.workers.siblings import Siblings

_log = logging.getLogger(__name__)

HEARTBEAT_S: Final = 1.0
STALLED_S: Final = 60  # without a heartbeat: loading engines on a busy machine takes ten seconds
# Before another try where a successor could not start, for as long as what is amiss is not mended.
RETRY_S: Final = 5.0
GOODBYE_S: Final = 10  # after the drain, for what ends late

_FAILED: Final = 1
# The library would start more workers than there are numbers for, or end those that there are.
_UNUSED_SIGNALS: Final = ("SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2", "SIGWINCH")

OnReady = Callable[[str], None]


def serve_by_workers(settings: Settings, on_ready: OnReady) -> None:
    """Serve until SIGTERM or SIGINT; call ``on_ready`` when every worker lets callers in.

    Raises:
        SetupError: It cannot start as configured.
    """
    server, metrics = settings.server, settings.metrics
    with (
        tempfile.TemporaryDirectory(prefix="rt-avatar-") as folder,  # mode 0700
        listening_socket(server.host, server.port, "server") as calls,
        listening_socket(metrics.host, metrics.port, "metrics") as watching,
    ):
        shared = replace(
            settings,
            server=replace(
                server,
                # All workers take each other's tokens, and share the lines.
                token_secret=server.token_secret or secrets.token_hex(32),
                max_sessions=-(-server.max_sessions // server.workers),
            ),
        )
        _Arbiter(shared, calls.detach(), watching, Path(folder), on_ready).run()


class _Arbiter(BaseApplication):  # type: ignore[misc]  # the library has no types
    def __init__(
        self,
        settings: Settings,
        calls: int,
        watching: socket.socket,
        folder: Path,
        on_ready: OnReady,
    ) -> None:
        self.settings = settings
        self.calls = calls
        self.watching = watching
        self.folder = folder
        self.on_ready = on_ready
        self.board = Board(settings.server.workers, settings.server.max_sessions)
        self.free = list(range(settings.server.workers))
        super().__init__()

    def load_config(self) -> None:
        server = self.settings.server
        for name, value in {
            "bind": [f"fd://{self.calls}"],
            "workers": server.workers,
            "worker_class": _Worker,
            "timeout": STALLED_S,
            "graceful_timeout": round(server.drain_s) + GOODBYE_S,
            "loglevel": "warning",
            "control_socket_disable": True,
            "pre_fork": self._give_number,
            "child_exit": self._take_number,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> "_Arbiter":
        return self

    def run(self) -> None:
        _Watch(self).run()

    def _give_number(self, _arbiter: object, worker: "_Worker") -> None:
        worker.number = self.free.pop(0)

    def _take_number(self, _arbiter: object, worker: "_Worker") -> None:
        self.board.leave(worker.number)
        self.free.append(worker.number)


class _Watch(Arbiter):  # type: ignore[misc]  # as above
    """Ends gently when its terminal is closed, as when it is told to; settings are read once."""

    handle_hup = Arbiter.handle_term

    def init_signals(self) -> None:
        """Listen to those that end it; to that of the terminal unless started with nohup."""
        outlives_terminal = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        super().init_signals()
        _ignore(*_UNUSED_SIGNALS, *(["SIGHUP"] if outlives_terminal else []))


class _Worker(Worker):  # type: ignore[misc]  # as above
    """One process: ``signaling.app.serve`` behind the shared port."""

    number = 0
    is_ready = False

    @property
    def is_successor(self) -> bool:
        """Whether it replaces another worker."""
        return bool(self.age > len(self.wsgi.board.callers))

    def init_signals(self) -> None:
        """Begin as any process does: the server sets its own when it listens.

        A terminal tells all its processes that it is closed; what follows is the arbiter's to say.
        """
        for number in self.SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        _ignore(*_UNUSED_SIGNALS, "SIGHUP")

    def run(self) -> None:
        """Serve until told to stop, and leave without a look back.

        The frames above are the arbiter's: what they would clean up is still in use.
        """
        # Ends the arbiter, and calls elsewhere; anything else gets a successor.
        status = _FAILED if self.is_successor else Arbiter.WORKER_BOOT_ERROR
        try:
            run_loop(self._serve(self.wsgi))
            status = 0
        except* AvatarError as errors:
            for error in errors.exceptions:
                _log.error("%s", error)
        except* Exception:
            _log.exception("worker %d failed", self.number)
            status = _FAILED if self.is_ready else status
        finally:
            if status == _FAILED and not self.is_ready:
                time.sleep(RETRY_S)
            logging.shutdown()
            os._exit(status)

    async def _serve(self, arbiter: _Arbiter) -> None:
        from rt_avatar.signaling.app import serve  # engines are loaded in the worker alone
        from rt_avatar.signaling.workers.door import SharedDoor

        siblings = Siblings(self.number, arbiter.board, arbiter.folder)
        # How the arbiter passes Ctrl+C on; else it would end the process without a word.
        loop, own = asyncio.get_running_loop(), os.getpid()
        loop.add_signal_handler(signal.SIGQUIT, lambda: os.kill(own, signal.SIGTERM))

        def ready(address: str) -> None:
            self.is_ready = True
            siblings.note_callers(())
            # Whoever is the last says it for all; who replaces another later is not news.
            if arbiter.board.are_all_ready_at_last():
                arbiter.on_ready(address)

        async with asyncio.TaskGroup() as group:
            beating = group.create_task(self._beat())
            calls = self.sockets[0].sock
            await serve(arbiter.settings, ready, SharedDoor(calls, arbiter.watching, siblings))
            beating.cancel()

    async def _beat(self) -> None:
        while os.getppid() == self.ppid:
            self.notify()
            await asyncio.sleep(HEARTBEAT_S)
        _log.error("the process that watches the workers is gone; worker %d ends", self.number)
        os.kill(os.getpid(), signal.SIGTERM)


def _ignore(*names: str) -> None:
    for name in names:
        signal.signal(signal.Signals[name], signal.SIG_IGN)
