"""EmpathyEar's way: a language model's meta-response → ``Plan``, then ``Clause``s while it decodes.

The model is any OpenAI-compatible endpoint. The plan goes out when the reply begins, the first
clause as soon as it is complete. What the model leaves out comes from ``Listening`` (words, voice,
face). Rules answer by themselves where a model must not or need not: the greeting, nothing heard,
and danger to life. Knows no HTTP; see ``chat_stream``.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from rt_avatar.config import ReasonerSettings
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Affect, Chain, Clause, Plan, Transcript
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.chat_stream import ChatClient
from rt_avatar.reasoner.emotions import COARSE, to_fine
from rt_avatar.reasoner.meta_response import MetaResponse, MetaResponseReader
from rt_avatar.reasoner.prompt import build_messages
from rt_avatar.reasoner.reflective import Listening
from rt_avatar.reasoner.sentences import ClauseSplitter
from rt_avatar.reasoner.styles import response_style, with_timbre


class EmpathyEarReasoner:
    """The reasoner over a language model; its connections are shared by all callers.

    Args:
        settings: ``base_url`` and ``model`` must be set.
    """

    def __init__(self, settings: ReasonerSettings) -> None:
        self._settings = settings
        self._client = ChatClient(settings)

    @property
    def name(self) -> str:
        """Name shown on the page."""
        return "empathyear"

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        return _EmpathyEarConversation(self._client, self._settings)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.aclose()


class _EmpathyEarConversation:
    def __init__(self, client: ChatClient, settings: ReasonerSettings) -> None:
        self._client = client
        self._settings = settings

    async def listen(self, partial: Transcript, affect: Affect) -> None:
        """Do nothing: this is awaited between two partials, and any request takes longer.

        The first pause begins a draft, which opens the connection while the caller is silent.
        """

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan and the clauses; closing the iterator makes the server stop."""
        listening = Listening(request)
        if listening.needs_no_model:
            yield listening.plan
            for clause in listening.clauses():
                yield clause
            if request.greet:  # all is said; the first real reply then finds an open connection
                await self._client.warm_up()
            return
        reader, splitter, index = MetaResponseReader(), ClauseSplitter(), 0
        is_planned = False
        turn, pts = request.turn, request.transcript.pts
        async with aclosing(self._deltas(request, listening, reader)) as grown:
            async for text in grown:
                if not is_planned:
                    is_planned = True
                    yield _plan(request, listening, reader.answer)
                for piece in splitter.push(text):
                    yield Clause(turn, pts, index, piece)
                    index += 1
        for piece in splitter.flush():
            yield Clause(turn, pts, index, piece)
            index += 1
        if index == 0:
            raise self._no_reply()

    async def aclose(self) -> None:
        """Do nothing: the connections belong to the reasoner."""

    async def _deltas(
        self, request: ReplyRequest, listening: Listening, reader: MetaResponseReader
    ) -> AsyncGenerator[str, None]:
        """Yield what the reply grows by; raise if its first words come too late."""
        messages = build_messages(request, listening.feeling)
        deadline = asyncio.get_running_loop().time() + self._settings.timeout_s
        async with aclosing(self._client.stream(messages)) as deltas:
            while True:
                limit = None if reader.answer.has_reply else deadline
                try:
                    async with asyncio.timeout_at(limit):
                        delta = await anext(deltas)
                except StopAsyncIteration:
                    break
                except TimeoutError:
                    raise self._client.too_late() from None
                if grown := reader.push(delta):
                    yield grown
        if rest := reader.flush():
            yield rest

    def _no_reply(self) -> ReasonerError:
        return ReasonerError(
            f"language model: expected a reply of {self._settings.model}; its answer held none. "
            "If it thinks for long, raise reasoner.max_tokens or switch its thinking off.",
            retryable=True,
        )


def _plan(request: ReplyRequest, listening: Listening, answer: MetaResponse) -> Plan:
    """Return the plan of the fields given so far; where they fail, of words, voice and face."""
    fields, found = answer.fields, listening.chain()
    fine = to_fine(fields.get("emotion", ""))
    chain = Chain(
        scenario=fields.get("scenario") or found.scenario,
        emotion=fields.get("emotion") or found.emotion,
        cause=fields.get("cause") or found.cause,
        goal=fields.get("goal") or found.goal,
        rationale=fields.get("rationale") or found.rationale,
    )
    if fine is None:
        return replace(listening.plan, chain=chain)
    style = response_style(fine, listening.feeling.intensity)
    style = with_timbre(style, fields.get("voice", ""))
    return Plan(
        turn=request.turn,
        pts=request.transcript.pts,
        chain=chain,
        user_emotion=COARSE[fine],
        voice=style.voice,
        face=style.face,
    )
