"""Thinking while listening: one thought at a time, the newest words, and none during a reply."""

import asyncio

import pytest

from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.prethink import Prethink
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit


def said(words: str) -> ReplyRequest:
    turn = TurnId(1)
    transcript = Transcript(turn, 0, words, is_final=False)
    return ReplyRequest(turn, transcript, Affect(turn, 0), (), PERSONAS["ava"])


class SlowThinker:
    """Takes a second for a thought."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.done: list[str] = []

    async def listen(self, so_far) -> None:
        self.begun.append(so_far.transcript.text)
        await asyncio.sleep(1)
        self.done.append(so_far.transcript.text)


def think(steps):
    """Run ``steps(thinking)`` beside the thinking; return the thinker."""

    async def main(loop):
        thinker = SlowThinker()
        thinking = Prethink(thinker)
        task = asyncio.ensure_future(thinking.run())
        await steps(thinking)
        task.cancel()
        await asyncio.wait({task})
        return thinker

    return run_virtual(main)


def test_what_comes_during_a_thought_is_thought_next_the_newest_only():
    async def steps(thinking):
        for words in ("i", "i lost", "i lost my", "i lost my job"):
            thinking.consider(said(words))
            await asyncio.sleep(0.3)
        await asyncio.sleep(3)

    thinker = think(steps)
    assert thinker.done == ["i", "i lost my job"]


def test_a_reply_stops_the_thought_and_what_was_waiting():
    async def steps(thinking):
        thinking.consider(said("i"))
        await asyncio.sleep(0.3)
        thinking.consider(said("i lost"))
        await thinking.stop()
        await asyncio.sleep(3)

    thinker = think(steps)
    assert (thinker.begun, thinker.done) == (["i"], [])


def test_after_a_stop_it_thinks_again():
    async def steps(thinking):
        thinking.consider(said("i"))
        await asyncio.sleep(0.3)
        await thinking.stop()
        thinking.consider(said("i lost my job"))
        await asyncio.sleep(3)

    assert think(steps).done == ["i lost my job"]
