"""A language model of known speed: an OpenAI-compatible endpoint that answers by script.

What a model adds to a turn depends on the model and its machine; what preemptive replies and
thinking while listening save of it does not. So the model here is a clock: the first token comes
``first_token_s`` after the request, the others at ``tokens_per_s``. Its answers have the form and
the length that ``rt_avatar.reasoner.chat.prompt`` asks for: steps and reply, steps alone, or the
reply alone. They do not answer what was said.

Not in it: a prompt that takes longer the longer it is, requests that wait for each other, a model
that ends its steps late or forgets the form.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import web

MODEL: Final = "scripted"
# How prompts say what they want; ``rt_avatar.reasoner.chat.prompt`` has the whole sentences.
NO_REPLY: Final = "no reply line]"
REPLY_ONLY: Final = "reply line only]"
# A token of English text has 4 to 5 letters in the mean, with its blank.
_TOKEN: Final = re.compile(r"\s*[^\s]{1,5}|\s+")


# The defaults are a model of 7 to 8 billion parameters on one consumer GPU.
FIRST_TOKEN_S: Final = 0.25
TOKENS_PER_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Script:
    """One answer: the lines before the reply, and the reply."""

    steps: str
    reply: str


def _script(*values: str) -> Script:
    names = ("emotion", "cause", "scenario", "rationale", "goal", "voice")
    lines = (f"{name}: {value}" for name, value in zip(names, values[:-1], strict=True))
    return Script("\n".join(lines), f"reply: {values[-1]}")


SCRIPTS: Final = (
    _script("sad", "a long day without success", "a hard day at work",
            "says nothing worked as wanted", "show that I heard the strain", "soft",
            "That sounds exhausting. You gave it a whole day, and so little came back. "
            "What was the hardest part of it?"),
    _script("joyful", "a wedding in the family", "a sister's wedding soon",
            "speaks of it brightly and fast", "share the joy, ask for more", "bright",
            "Oh, how lovely! A wedding is a big day for the whole family. "
            "What are you looking forward to most?"),
    _script("afraid", "an exam that matters", "an exam tomorrow",
            "says being a little afraid", "calm and take it seriously", "soft",
            "I can hear that. The night before is often the worst of it. "
            "What worries you most about tomorrow?"),
    _script("lonely", "nobody remembered the day", "a birthday without calls",
            "the voice sinks at the end", "say that it hurts, stay", "warm",
            "That must have hurt. A day like that can feel very long when it is quiet. "
            "Who would you have liked to hear from?"),
)  # fmt: skip


def wanted(script: Script, messages: Sequence[dict[str, str]]) -> str:
    """Return what the prompt asks for of a script."""
    asked = messages[-1]["content"].rstrip()
    if asked.endswith(NO_REPLY):
        return script.steps
    if asked.endswith(REPLY_ONLY):
        return script.reply
    return f"{script.steps}\n{script.reply}"


def tokens_of(text: str) -> list[str]:
    """Cut a text into pieces of a token's length; joined they are the text."""
    return _TOKEN.findall(text)


@dataclass(slots=True)
class ScriptedLlm:
    """The model.

    Attributes:
        first_token_s: From a request to its first token. May be changed any time, like the next.
        tokens_per_s: How fast the others follow; each answer keeps what it began with.
        url: Its ``llm.base_url``, when it is served.
        scripts: What it answers.
        asked: How many answers were begun.
        cut_off: Those of them that nobody waited for: preemptive replies and thoughts that were
            dropped.
    """

    first_token_s: float = FIRST_TOKEN_S
    tokens_per_s: float = TOKENS_PER_S
    url: str = ""
    scripts: Sequence[Script] = SCRIPTS
    asked: int = 0
    cut_off: int = 0

    async def answer(self, messages: Sequence[dict[str, str]]) -> AsyncGenerator[str, None]:
        """Yield the tokens of an answer, each when it is due since the first step."""
        loop = asyncio.get_running_loop()
        begin_s, per_s = loop.time() + self.first_token_s, self.tokens_per_s
        # The same words get the same answer, also from another run: a preemptive reply equals its
        # reply.
        said = messages[-1]["content"].partition("\n")[0]
        script = self.scripts[sum(said.encode()) % len(self.scripts)]
        self.asked += 1
        is_complete = False
        try:
            for index, token in enumerate(tokens_of(wanted(script, messages))):
                due_s = begin_s + index / per_s
                await asyncio.sleep(max(0.0, due_s - loop.time()))
                yield token
            is_complete = True
        finally:
            self.cut_off += not is_complete

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request for a streamed chat completion."""
        asked = await request.json()
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        async for token in self.answer(asked["messages"]):
            await response.write(_event({"delta": {"content": token}}))
        await response.write(_event({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
        return response


@asynccontextmanager
async def running_llm(
    first_token_s: float = FIRST_TOKEN_S, tokens_per_s: float = TOKENS_PER_S
) -> AsyncIterator[ScriptedLlm]:
    """Serve a model on a free loopback port."""
    model = ScriptedLlm(first_token_s, tokens_per_s)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", model.handle)
    app.router.add_get("/v1/models", _models)
    # With cancellation the handler notices at once that nobody waits any more.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        model.url = f"http://{host}:{port}/v1"
        yield model
    finally:
        await runner.cleanup()


async def _models(request: web.Request) -> web.Response:
    return web.json_response({"data": [{"id": MODEL}]})


def _event(choice: dict[str, object]) -> bytes:
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()
