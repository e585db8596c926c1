"""What every serving process does before it serves."""

import os
import subprocess
import sys

import pytest
from aiohttp import web

from rt_avatar.errors import SetupError
from rt_avatar.signaling.process import listening
from tests.signaling.serving import ROOT

pytestmark = pytest.mark.unit

SHOW_LIMITS = """
import resource, sys
from rt_avatar.signaling import process

async def show():
    print(*resource.getrlimit(resource.RLIMIT_NOFILE))

soft, hard = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
process.MAX_FILES = 1000
process.run_loop(show())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "expected"),
    [
        (256, 512, 512),
        (512, 512, 512),
        (256, 1000, 1000),
        (256, 2000, 1000),
        (1500, 2000, 1500),  # the operator wants more
    ],
)
def test_a_serving_process_may_open_as_many_files_as_the_system_allows(soft, hard, expected):
    done = subprocess.run(
        [sys.executable, "-c", SHOW_LIMITS, str(soft), str(hard)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == [str(expected), str(hard)], done.stderr


async def test_a_host_that_no_name_can_be_is_told_in_a_sentence():
    with pytest.raises(
        SetupError, match=r"server\.host, .* got 127\.0\.0\.\.1:0 \(.*choose another"
    ):
        async with listening(web.Application(), "127.0.0..1", 0):
            pass
