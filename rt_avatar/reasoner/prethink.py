"""Thinking while listening: the newest partial transcript → ``Conversation.listen``, one at a time.

Partials come several times a second and a thought takes longer: what comes meanwhile is kept, only
the newest. A reply that begins stops the thought, so that a model with one slot is free for it.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.telemetry.logs import log_context

_log = logging.getLogger(__name__)


class Prethink:
    """One caller's thoughts and replies, never both; ``run`` is a task of the session."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._newest: asyncio.Queue[ReplyRequest] = asyncio.Queue(maxsize=1)  # full: replaced
        self._thought: asyncio.Task[None] | None = None

    def consider(self, so_far: ReplyRequest) -> None:
        """Think about these words, now or when the present thought is done."""
        if self._newest.full():
            self._newest.get_nowait()
        self._newest.put_nowait(so_far)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Reply as the conversation does, once nothing is thought any more."""
        await self._stop()
        async with aclosing(self._conversation.reply(request)) as items:
            async for item in items:
                yield item

    async def _stop(self) -> None:
        if self._newest.full():
            self._newest.get_nowait()
        if self._thought is not None and not self._thought.done():
            self._thought.cancel()
            await asyncio.wait({self._thought})

    async def run(self) -> None:
        """Think until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                so_far = await self._newest.get()
                self._thought = group.create_task(self._think(so_far))
                await asyncio.wait({self._thought})

    async def _think(self, so_far: ReplyRequest) -> None:
        with log_context(turn=so_far.turn):
            try:
                await self._conversation.listen(so_far)
            except Exception:  # a thought's boundary: the reply does without it
                _log.exception("thinking while listening failed")
