"""One caller in a process of its own: told on stdin what to do, answers on stdout, a line each.

    python -m rt_avatar.benchmarks.callers.process '{"address": "http://127.0.0.1:8080/", …}'

It is started by ``callers`` and ends when stdin is closed. Lines are JSON: ``{"do": "call"}``,
``hang_up``, ``talk`` (speak in turns, as a person does), ``type`` (typed turns, interrupted as
soon as they are heard), ``rest``, ``report``. What it noticed since the last time is a ``Record``.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import aiohttp

from rt_avatar.benchmarks.callers.person import BROKEN, Job, Person
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.speech import load_utterances


async def serve(job: Job) -> None:
    """Do what stdin says until it is closed."""
    utterances = load_utterances(Path(job.speech) if job.speech else None)
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    # A connection kept open would be a task and a file of the server's between calls.
    connector = aiohttp.TCPConnector(force_close=True)
    async with (
        aiohttp.ClientSession(connector=connector) as http,
        Caller(job.address, http, has_camera=True) as caller,
        asyncio.TaskGroup() as group,
    ):
        person = Person(job, caller, utterances, group)
        watching = group.create_task(person.watch_itself())
        _tell({})
        while line := await lines.readline():
            _tell(await _obey(person, json.loads(line)))
        await person.hang_up()
        watching.cancel()


async def _obey(person: Person, order: dict[str, Any]) -> dict[str, Any]:
    match order["do"]:
        case "call":
            try:
                await person.call()
            except (*BROKEN, TimeoutError) as error:
                return {"error": str(error) or type(error).__name__}
        case "hang_up":
            await person.hang_up()
        case "talk":
            person.talk()
        case "type":
            person.type(order["period_s"], order["spoken_every"])
        case "rest":
            await person.rest()
        case "report":
            return person.report().as_json()
    return {}


def _tell(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(Job(**json.loads(sys.argv[1]))))
