"""A language model's reply as it is decoded: messages → ``Clause``s, after a ``Plan`` if asked for.

Asked again while nothing of it has come, within the time that a caller would wait. Leaving the
iterator makes the server stop. Knows no feelings: who asks says what the plan is.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass

from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.chat.chat_stream import ChatClient
from rt_avatar.reasoner.chat.meta_response import MetaResponseReader
from rt_avatar.reasoner.chat.stage_directions import StageDirections
from rt_avatar.reasoner.chat.unspoken import OPENING
from rt_avatar.reasoner.sentences import ClauseSplitter, ends_sentence, speakable
from rt_avatar.services.openai_endpoint import retried


@dataclass(frozen=True, slots=True)
class _Grown:
    """What a reply has grown by, and the steps of the chain before it.

    Its text is empty where the model writes what is not said, as behind the reply.
    """

    fields: Mapping[str, str]
    text: str


class ModelReply:
    """Replies of one model, for all callers."""

    def __init__(self, client: ChatClient, settings: LlmSettings) -> None:
        self._client, self._settings = client, settings

    async def say(
        self,
        request: ReplyRequest,
        messages: list[dict[str, str]],
        plan_of: Callable[[Mapping[str, str]], Plan] | None = None,
    ) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the clauses of the answer to these messages.

        Args:
            request: What is answered.
            messages: What the model is asked.
            plan_of: Makes the plan, yielded first, of the steps before the reply; None: none is
                wanted.

        Raises:
            ReasonerError: The model failed, or its first or further words came too late.
        """
        splitter, index = ClauseSplitter(request.effort.is_first_clause_short), 0
        turn, pts = request.turn, request.transcript.pts
        failure: ReasonerError | None = None
        async with aclosing(self._grown(messages)) as answers:
            try:
                async for answer in answers:
                    if plan_of is not None:
                        yield plan_of(answer.fields)
                        plan_of = None
                    for piece in splitter.push(answer.text):
                        yield Clause(turn, pts, index, piece)
                        index += 1
            except ReasonerError as error:
                failure = error
        for piece in splitter.flush():
            # What was cut in its midst is not said; a whole sentence is.
            if failure is None or ends_sentence(piece):
                yield Clause(turn, pts, index, piece)
                index += 1
        if failure is not None:
            raise failure

    async def _grown(self, messages: list[dict[str, str]]) -> AsyncGenerator[_Grown, None]:
        """Yield what the reply grows by; ask again while there is nothing of it.

        Raises:
            ReasonerError: The model failed, or its first or further words came too late.
        """
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + self._settings.timeout_s
        async with aclosing(retried(lambda: self._answer(messages), deadline_s)) as answers:
            while True:
                try:
                    async with asyncio.timeout_at(deadline_s):
                        answer = await anext(answers)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise self._client.too_late() from None
                yield answer
                # From here on: the time that the reader of this took is not the model's.
                deadline_s = loop.time() + self._settings.timeout_s

    async def _answer(self, messages: list[dict[str, str]]) -> AsyncGenerator[_Grown, None]:
        """Ask once; yield what the reply grows by, with the steps before it.

        It begins with the first words: "..." or an emoji alone would be silence.
        """
        reader, directions = MetaResponseReader(), StageDirections()
        has_words, text = False, ""
        async with aclosing(self._client.stream(messages)) as deltas:
            async for delta in deltas:
                text += directions.push(reader.push(delta))
                if reader.was_thought_unopened:
                    self._client.opening = OPENING  # the next thought is known from its start
                has_words = has_words or bool(speakable(text))
                if has_words:
                    yield _Grown(reader.answer.fields, text)
                    text = ""
        text += directions.push(reader.flush()) + directions.flush()
        if not (has_words or speakable(text)):
            self._client.opening = ""  # it may have been no thought, but all there was
            raise self._no_reply()
        if text:
            yield _Grown(reader.answer.fields, text)

    def _no_reply(self) -> ReasonerError:
        return ReasonerError(
            f"language model: expected a reply of {self._settings.model}; its answer held none. "
            "If it thinks for long, raise llm.max_tokens or switch its thinking off.",
            retryable=True,
        )
