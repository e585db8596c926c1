"""``rt-avatar serve`` as an operator starts it, for tests that stop it or break it."""

import asyncio
import os
import re
import sys
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def process(*flags: str, by: tuple[str, ...] = ()):
    """Start ``rt-avatar serve``, ``by`` a command, on a free port; yield it and its address."""
    started = await asyncio.create_subprocess_exec(
        *by, sys.executable, "-m", "rt_avatar.commands.cli",
        "serve", "--server.port", "0", "--metrics.port", "0", "--server.max_load", "1", *flags,
        cwd=ROOT, env={**os.environ, "COLUMNS": "200"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        output = b""
        async with asyncio.timeout(60):
            while not (found := re.search(rb"ready: (http://\S+)", output)):
                line = await started.stdout.readline()
                assert line, output.decode()  # the end: it did not start
                output += line
        yield started, found[1].decode()
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()
