"""Skew of sound against picture where the user is, over a long call.

The server sends a test signal instead of voice and face (``tts.kind=sync_test``): a burst of sound
and one white picture, once a second, made of the same 40 ms of the session's clock. Everything else
is a real call: session, playout, encoders, network, browser. In Chromium every flash is paired with
its clap; skew is the clap's time minus the flash's, both as the browser plays and shows them, so
**+ is sound late**. Drift is the slope of a robust line (Theil–Sen) with its 95 % interval.
``--minutes`` says how long; ``--quick`` is too short for a drift.

A second, shorter call (``--speech-minutes``) is of the avatar itself. Its replies are made once
more from their words, and found again in the sound that was heard and in the mouth that was seen.

``--peer`` measures without a browser, by what any receiver synchronises by: RTP times and sender
reports. It is exact and cheap, and says whether the sender is right; what a receiver makes of it is
not in it.

Not measured: the loudspeaker's and the screen's own delay, other browsers, bad lines.
"""

import argparse
import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

import numpy as np
from rich.console import Console
from rich.progress import Progress

from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.server import Server, running_server
from rt_avatar.benchmarks.sync.browser import watch_call
from rt_avatar.benchmarks.sync.flow import PERIOD, flow, left_out
from rt_avatar.benchmarks.sync.peer import Recorded, record_call
from rt_avatar.benchmarks.sync.result import Found, make_result
from rt_avatar.benchmarks.sync.source import reproduce
from rt_avatar.benchmarks.sync.speech import Curves, SpeechSkew, find_reply
from rt_avatar.benchmarks.sync.talk import Said
from rt_avatar.config.settings import AvatarSettings
from rt_avatar.personas import find_persona

QUICK_MINUTES: Final = 0.75
QUICK_SPEECH_MINUTES: Final = 0.5
NEAR_S: Final = 1.5  # a reply's sound begins so near to the message that says it does
# No greeting: the first reply is to the first text. A busy machine is measured, not refused.
FLAGS: Final = ("--avatar.greeting", "false", "--server.max_load", "1")
SYNC_TEST: Final = ("--tts.kind", "sync_test")
# The replies must be made once more: always by the same listener, face, size and effort.
SPEECH: Final = (
    "--tts.kind", "espeak", "--llm.kind", "reflective", "--budget.enabled", "false",
)  # fmt: skip
_SOUND_PERIOD: Final = 960  # RTP ticks, 20 ms at 48 kHz

OnProgress = Callable[[float], None]
Heard = TypeVar("Heard")
# Address, seconds, who is told how far it is → what was recorded.
Caller = Callable[[Server, float, OnProgress], Coroutine[None, None, Heard]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--minutes", type=float, default=30, help="of claps and flashes [30]")
    parser.add_argument(
        "--speech-minutes", type=float, default=5, help="of the avatar itself; 0 leaves it out [5]"
    )
    parser.add_argument("--peer", action="store_true", help="without a browser")


def measure(arguments: argparse.Namespace) -> Result:
    """Make both calls and return what they were like."""
    minutes = QUICK_MINUTES if arguments.quick else arguments.minutes
    speech_minutes = arguments.speech_minutes
    if arguments.quick:
        speech_minutes = min(speech_minutes, QUICK_SPEECH_MINUTES)
    form = _by_peer if arguments.peer else _by_browser
    return make_result(form(60 * minutes, 60 * speech_minutes, arguments.flags))


def _by_browser(clap_s: float, speech_s: float, flags: Sequence[str]) -> Found:
    watched = _call(watch_call, "claps", clap_s, (*flags, *SYNC_TEST))
    speech: list[SpeechSkew] = []
    replies = 0
    if speech_s:
        spoken = _call(watch_call, "speech", speech_s, (*flags, *SPEECH))
        speech, replies = _find(spoken.exchanges, spoken.curves(), flags)
    decoded, shown = watched.readings.decoded, watched.readings.pictures
    return Found(
        claps=watched.pairs(),
        skipped=watched.skipped,
        unpainted=watched.unpainted(),
        flow=flow(decoded.at_s, decoded.rtp, decoded.count),
        painted=flow(shown.at_s, shown.rtp, shown.count),
        stats=watched.stats,
        estimates_ms=watched.estimates_ms,
        estimated_at_s=watched.estimated_at_s,
        speech=speech,
        replies=replies,
    )


def _by_peer(clap_s: float, speech_s: float, flags: Sequence[str]) -> Found:
    recorded = _call(record_call, "claps", clap_s, (*flags, *SYNC_TEST))
    speech: list[SpeechSkew] = []
    replies = 0
    if speech_s:
        spoken = _call(record_call, "speech", speech_s, (*flags, *SPEECH))
        speech, replies = _find(spoken.exchanges, spoken.curves(), flags)
    return Found(recorded.pairs(), _left_out(recorded), speech=speech, replies=replies)


def _call(caller: Caller[Heard], label: str, length_s: float, flags: Sequence[str]) -> Heard:
    """Let ``caller`` call a server of its own, and return what it recorded."""
    with running_server(*flags, *FLAGS) as server, _progress(label, length_s) as on_progress:
        return asyncio.run(caller(server, length_s, on_progress))


def _left_out(recorded: Recorded) -> dict[str, float]:
    stamps = {"audio": (recorded.sound_rtp, _SOUND_PERIOD), "video": (recorded.picture_rtp, PERIOD)}
    return {
        kind: left_out(np.array(values, np.float64), period)
        for kind, (values, period) in stamps.items()
    }


def _find(
    exchanges: Sequence[Said], call: Curves, flags: Sequence[str]
) -> tuple[list[SpeechSkew], int]:
    """Return the replies that were found again, and how many were looked for."""
    settings = AvatarSettings()
    given = dict(zip(flags[::2], flags[1::2], strict=False))
    persona = find_persona(given.get("--avatar.persona", settings.persona))
    size_px = int(given.get("--avatar.size_px", settings.size_px))
    found = [
        find_reply(source, call, said.at_s, NEAR_S)
        for said, source in zip(exchanges, reproduce(exchanges, persona, size_px), strict=True)
        if source is not None
    ]
    return [one for one in found if one is not None], len(exchanges)


@contextmanager
def _progress(label: str, length_s: float) -> Iterator[OnProgress]:
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(label, total=length_s)
        yield lambda at_s: progress.update(task, completed=at_s)
