"""Thinking while listening: one thought at a time, the newest words, and none during a reply."""

import asyncio
from contextlib import aclosing

import pytest

from rt_avatar.messages import Affect, Clause, StateChanged, Trace, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.prethink import Prethink
from tests.fakes.engines import ScriptedReasoner
from tests.fakes.scripted_call import calling
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
        self.replies = 0  # under way

    async def listen(self, so_far) -> None:
        self.begun.append(so_far.transcript.text)
        await asyncio.sleep(1)
        self.done.append(so_far.transcript.text)

    async def reply(self, request):
        self.replies += 1
        try:
            while True:
                yield Clause(request.turn, 0, 0, "Oh.")
        finally:
            self.replies -= 1


async def answer(thinking: Prethink) -> None:
    """Hear the beginning of a reply."""
    async with aclosing(thinking.reply(said("i lost my job"))) as items:
        await anext(items)


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
        await answer(thinking)
        await asyncio.sleep(3)

    thinker = think(steps)
    assert (thinker.begun, thinker.done, thinker.replies) == (["i"], [], 0)


def test_after_a_reply_it_thinks_again():
    async def steps(thinking):
        thinking.consider(said("i"))
        await asyncio.sleep(0.3)
        await answer(thinking)
        thinking.consider(said("i lost my job"))
        await asyncio.sleep(3)

    assert think(steps).done == ["i lost my job"]


class Busy(ScriptedReasoner):
    """Thinks for long, and notes how many thoughts run when a reply is begun."""

    def __init__(self, thinks_s: float) -> None:
        super().__init__(["Oh."], thinks_s=thinks_s)
        self.thoughts = 0
        self.beside: list[int] = []

    async def listen(self, so_far) -> None:
        self.thoughts += 1
        try:
            await asyncio.sleep(5)
        finally:
            self.thoughts -= 1

    async def reply(self, request):
        self.beside.append(self.thoughts)
        async for item in super().reply(request):
            yield item


@pytest.mark.parametrize("sound_s", [0.06, 0.07, 0.3])  # a noise, and a word
@pytest.mark.parametrize("way", ["typed", "spoken"])
def test_no_reply_begins_beside_a_thought(way, sound_s):
    async def main(loop):
        reasoner = Busy(thinks_s=2.0)
        async with calling(loop, reasoner, "i lost my job.", "yeah") as call:
            if way == "typed":
                call.session.send_text("i lost my job")
            else:
                await call.speak(1.0)
            await call.until(StateChanged, state="thinking")
            await asyncio.sleep(0.5)
            await call.speak(sound_s)
            await call.until(Trace)
            return reasoner.beside

    beside = run_virtual(main)
    assert len(beside) >= 2  # the first was taken back
    assert not any(beside)
