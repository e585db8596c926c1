"""The EmpathyEar reasoner: a language model's meta-response → ``Plan``, then ``Clause``s.

The model is any OpenAI-compatible endpoint. The chain's steps are thought while the caller speaks
(``coe = "prethink"``), before the reply ("paper") or not at all ("off"). The plan goes out when
they are known, the first clause as soon as it is complete. What the model leaves out comes from
``Listening`` (words, voice, face). Rules answer by themselves where a model must not or need not:
the greeting, nothing heard, and danger to life. Knows no HTTP; see ``chat_stream``.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from rt_avatar.config.settings import LlmSettings
from rt_avatar.engines.emotion_words import COARSE, to_fine
from rt_avatar.messages import Chain, Clause, Plan
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.chat.agents import find_agent, may_choose
from rt_avatar.reasoner.chat.chat_stream import ChatClient
from rt_avatar.reasoner.chat.meta_response import parse_meta_response
from rt_avatar.reasoner.chat.model_reply import ModelReply
from rt_avatar.reasoner.chat.prompt import build_messages, build_reply, build_thought
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.styles import response_style, with_timbre
from rt_avatar.reasoner.thoughts import Thought, Thoughts
from rt_avatar.telemetry.metrics import Metrics


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


class _EmpathyEarConversation:
    def __init__(self, client: ChatClient, settings: LlmSettings) -> None:
        self._client = client
        self._settings = settings
        self._reply = ModelReply(client, settings)
        self._thoughts: Thoughts[Mapping[str, str]] = Thoughts()

    async def listen(self, so_far: ReplyRequest) -> None:
        """Think the chain's steps from what was said so far, if enough is new in it."""
        words = words_of(so_far.transcript.text)
        listening = Listening(so_far)
        is_new = self._thoughts.is_worth_another(so_far.turn, words)
        if self._settings.coe != "prethink" or not is_new or listening.needs_no_model:
            return
        messages = build_thought(
            so_far, listening.feeling, chooses_agent=self._chooses_agent(so_far)
        )
        text = await self._client.gather(messages, _has_steps) or ""
        if fields := parse_meta_response(text).fields:
            self._thoughts.keep(Thought(so_far.turn, words, fields))

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan and the clauses; closing the iterator makes the server stop."""
        listening = Listening(request)
        if listening.needs_no_model:
            for part in listening.parts():
                yield part
            if request.greet:  # all is said; the first real reply then finds an open connection
                await self._client.warm_up()
            return
        steps = self._steps(request)
        chooses = self._chooses_agent(request)
        messages = (
            build_messages(request, listening.feeling, chooses_agent=chooses)
            if steps is None
            else build_reply(request, listening.feeling, steps, chooses_agent=chooses)
        )
        plan_of = partial(_plan, request, listening, chooses)
        if steps is not None:
            yield plan_of(steps)
        parts = self._reply.say(request, messages, plan_of if steps is None else None)
        async with aclosing(parts) as clauses:
            async for part in clauses:
                yield part

    async def aclose(self) -> None:
        """Do nothing: the connections belong to the reasoner."""

    def _chooses_agent(self, request: ReplyRequest) -> bool:
        """Whether the model says who answers: in its first reply to what was told, if ever."""
        return self._settings.agent == "retrieved" and may_choose(request)

    def _steps(self, request: ReplyRequest) -> Mapping[str, str] | None:
        """Return the steps to reply with, perhaps none of them; None: think them with the reply."""
        if self._settings.coe == "off":
            return {}
        if thought := self._thoughts.for_reply(request):
            return thought.content
        return None if request.effort.has_fresh_chain else {}


def _has_steps(text: str) -> bool:
    """Whether the steps of an answer are done, and its reply begins."""
    return parse_meta_response(text, is_final=False).has_reply


def _plan(
    request: ReplyRequest, listening: Listening, chooses_agent: bool, fields: Mapping[str, str]
) -> Plan:
    """Return the plan of the fields given; where they fail, of words, voice and face."""
    agent = fields.get("agent", "") if chooses_agent else ""
    persona = find_agent(agent, request.persona).name if agent else ""
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
        return replace(listening.plan, chain=chain, persona=persona)
    style = response_style(fine, listening.feeling.intensity)
    style = with_timbre(style, fields.get("voice", ""))
    return Plan(
        turn=request.turn,
        pts=request.transcript.pts,
        chain=chain,
        user_emotion=COARSE[fine],
        voice=style.voice,
        face=style.face,
        persona=persona,
    )
