"""One case in a process of its own, so that engines do not disturb one another: name → ``Cost``.

``run_case`` runs this module with what it needs to know as JSON and reads what it found as
JSON. The process computes on one thread wherever the libraries let it.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from typing import Any, Final

from rt_avatar.benchmarks.engines.case import Cost, Work
from rt_avatar.benchmarks.engines.floor import MachineRates, measure_machine
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.benchmarks.engines.meter import measure_case
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.errors import SetupError

MACHINE: Final = "machine"
TIMEOUT_S: Final = 240.0  # the slowest case, a large whisper model, takes less than a minute
# Libraries read them when they are loaded.
ONE_THREAD: Final = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                 "VECLIB_MAXIMUM_THREADS")
}  # fmt: skip


def run_case(name: str, options: Options, limit_s: float) -> Cost:
    """Measure a case in a fresh process.

    Args:
        name: Of the case, as in ``cases.all_cases``.
        options: What its inputs are made of.
        limit_s: About how long its items are pushed.

    Raises:
        SetupError: The process failed; the message has its last words.
    """
    found = _ask(name, {"options": asdict(options), "limit_s": limit_s})
    spec, work = EngineSpec(**found.pop("spec")), Work(**found.pop("work"))
    return Cost(spec=spec, work=work, **found)


def run_machine() -> MachineRates:
    """Measure the machine in a fresh process; raises as ``run_case``."""
    return MachineRates(**_ask(MACHINE, {}))


def _ask(name: str, request: dict[str, Any]) -> dict[str, Any]:
    text = answer_of(
        name, TIMEOUT_S, "rt_avatar.benchmarks.engines.child", name, json.dumps(request)
    )
    answer: dict[str, Any] = json.loads(text)
    return answer


def answer_of(what: str, timeout_s: float, *command: str) -> str:
    """Run a module with its words on one thread; return the last line that it writes.

    Args:
        what: Is measured, for messages.
        timeout_s: How long it may take.
        command: The module, and its words.

    Raises:
        SetupError: It failed or hangs; the message has its last words.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", *command], capture_output=True, text=True, check=False,
            timeout=timeout_s, env={**os.environ, **ONE_THREAD},
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"{what}: expected to be measured in {timeout_s:.0f} s; hangs") from error
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["it said nothing"]
        raise SetupError(f"{what}: expected to be measured, its process failed: {words[-1]}")
    return done.stdout.splitlines()[-1]


def main() -> None:
    """Measure what is asked for; write the answer as the last line."""
    name, request = sys.argv[1], json.loads(sys.argv[2])
    if name == MACHINE:
        answer = asdict(measure_machine())
    else:
        import cv2

        from rt_avatar.benchmarks.engines.cases import all_cases

        cv2.setNumThreads(1)  # as the server does
        case = all_cases(Options(**request["options"]))[name]
        answer = asdict(measure_case(case, request["limit_s"]))
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
