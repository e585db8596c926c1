"""The EmpathyEar reasoner: a language model's meta-response → ``Plan``, then ``Clause``s.

The model is any OpenAI-compatible endpoint. The chain's steps are thought while the caller speaks
(``coe = "prethink"``), before the reply ("paper") or not at all ("off"). The plan goes out when
they are known, the first clause as soon as it is complete. What the model leaves out comes from
``Listening`` (words, voice, face). Rules answer by themselves where a model must not or need not:
the greeting, nothing heard, and danger to life. Knows no HTTP; see ``chat_stream``.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from rt_avatar.config.settings import LlmSettings
from rt_avatar.engines.emotion_words import COARSE, to_fine
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Chain, Clause, Plan, TurnId
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.chat_stream import ChatClient
from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.meta_response import MetaResponseReader
from rt_avatar.reasoner.prompt import build_messages, build_reply, build_thought
from rt_avatar.reasoner.reflective import Listening
from rt_avatar.reasoner.sentences import ClauseSplitter
from rt_avatar.reasoner.styles import response_style, with_timbre
from rt_avatar.reasoner.thoughts import Thought, Thoughts
from rt_avatar.services.openai_endpoint import retried
from rt_avatar.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

# Words that must be new for another thought: a thought costs some 50 tokens, and four words are
# about as much as is said while they are decoded.
_NEW_WORDS: Final = 4


class EmpathyEarReasoner:
    """The reasoner over a language model; its connections are shared by all callers.

    Args:
        settings: ``base_url`` and ``model`` must be set.
        metrics: Told of requests and tokens.
    """

    def __init__(self, settings: LlmSettings, metrics: Metrics) -> None:
        self._settings = settings
        self._client = ChatClient(settings, metrics)

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


@dataclass(frozen=True, slots=True)
class _Grown:
    """What a reply has grown by, and the steps of the chain before it."""

    fields: Mapping[str, str]
    text: str


class _EmpathyEarConversation:
    def __init__(self, client: ChatClient, settings: LlmSettings) -> None:
        self._client = client
        self._settings = settings
        self._thoughts: Thoughts[Mapping[str, str]] = Thoughts()
        self._thought_until = (TurnId(0), 0)  # the utterance last thought about, and its words then

    async def listen(self, so_far: ReplyRequest) -> None:
        """Think the chain's steps from what was said so far, if enough is new in it."""
        words = words_of(so_far.transcript.text)
        turn, known = self._thought_until
        new = len(words) - (known if turn == so_far.turn else 0)
        listening = Listening(so_far)
        if self._settings.coe != "prethink" or new < _NEW_WORDS or listening.needs_no_model:
            return
        reader = MetaResponseReader()
        messages = build_thought(so_far, listening.feeling)
        try:
            async with (
                asyncio.timeout(self._settings.timeout_s),
                aclosing(self._client.stream(messages)) as deltas,
            ):
                async for delta in deltas:
                    reader.push(delta)
                    if reader.answer.has_reply:  # the steps are done; more is not wanted yet
                        break
                else:
                    reader.flush()
        except (ReasonerError, TimeoutError) as error:
            _log.info("no thought while listening: %s", error)  # the reply will tell the caller
            return
        if fields := reader.answer.fields:
            self._thought_until = (so_far.turn, len(words))
            self._thoughts.keep(Thought(so_far.turn, words, dict(fields)))

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
        steps = self._steps(request)
        messages = (
            build_messages(request, listening.feeling)
            if steps is None
            else build_reply(request, listening.feeling, steps)
        )
        if steps is not None:
            yield _plan(request, listening, steps)
        splitter, index = ClauseSplitter(request.effort.is_first_clause_short), 0
        is_planned = steps is not None
        turn, pts = request.turn, request.transcript.pts
        async with aclosing(self._grown(messages)) as answers:
            async for answer in answers:
                if not is_planned:
                    is_planned = True
                    yield _plan(request, listening, answer.fields)
                for piece in splitter.push(answer.text):
                    yield Clause(turn, pts, index, piece)
                    index += 1
        for piece in splitter.flush():
            yield Clause(turn, pts, index, piece)
            index += 1

    async def aclose(self) -> None:
        """Do nothing: the connections belong to the reasoner."""

    def _steps(self, request: ReplyRequest) -> Mapping[str, str] | None:
        """Return the steps to reply with, perhaps none of them; None: think them with the reply."""
        if self._settings.coe == "off":
            return {}
        is_fresh, words = request.effort.has_fresh_chain, words_of(request.transcript.text)
        thought = self._thoughts.find(request.turn, words, however_old=not is_fresh)
        if thought is None:
            return None if is_fresh else {}
        return thought.content

    async def _grown(self, messages: list[dict[str, str]]) -> AsyncGenerator[_Grown, None]:
        """Yield what the reply grows by; ask again while there is nothing of it.

        Raises:
            ReasonerError: The model failed, or its first words came too late.
        """
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + self._settings.timeout_s
        has_begun = False
        async with aclosing(retried(lambda: self._answer(messages), deadline_s)) as answers:
            while True:
                try:
                    async with asyncio.timeout_at(None if has_begun else deadline_s):
                        answer = await anext(answers)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise self._client.too_late() from None
                has_begun = True
                yield answer

    async def _answer(self, messages: list[dict[str, str]]) -> AsyncGenerator[_Grown, None]:
        """Ask once; yield what the reply grows by, with the steps before it."""
        reader, has_reply = MetaResponseReader(), False
        async with aclosing(self._client.stream(messages)) as deltas:
            async for delta in deltas:
                if text := reader.push(delta):
                    has_reply = True
                    yield _Grown(reader.answer.fields, text)
        if text := reader.flush():
            has_reply = True
            yield _Grown(reader.answer.fields, text)
        if not has_reply:
            raise self._no_reply()

    def _no_reply(self) -> ReasonerError:
        return ReasonerError(
            f"language model: expected a reply of {self._settings.model}; its answer held none. "
            "If it thinks for long, raise llm.max_tokens or switch its thinking off.",
            retryable=True,
        )


def _plan(request: ReplyRequest, listening: Listening, fields: Mapping[str, str]) -> Plan:
    """Return the plan of the fields given; where they fail, of words, voice and face."""
    found = listening.chain()
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
