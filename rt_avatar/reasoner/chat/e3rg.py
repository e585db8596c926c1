"""The E3RG reasoner: the caller's emotion by vote, a language model's reply, a style of the bank.

Any OpenAI-compatible model is asked ``opinions`` times for the caller's emotion in one word, while
the caller speaks (``coe = "prethink"``), before the reply ("paper") or never ("off"); the text
network, the lexicon, voice and face vote, too (``voting``). What was voted stands in the request
for the reply and chooses the style of voice and face, by emotion and strength (``styles``); persona
and timbre stay. Rules answer by themselves where a model must not, as in ``empathyear``.
Source: E3RG (arXiv 2508.12854), where the majority of several models is taken.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from rt_avatar.config.settings import LlmSettings
from rt_avatar.engines.emotion_words import COARSE, Fine, to_fine
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.chat.chat_stream import ChatClient
from rt_avatar.reasoner.chat.model_reply import ModelReply
from rt_avatar.reasoner.chat.prompt import build_emotion, build_voted_reply
from rt_avatar.reasoner.chat.unspoken import answer_in
from rt_avatar.reasoner.chat.voting import by_lexicon, by_model, by_network, vote
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.feelings import detect, words_of
from rt_avatar.reasoner.nlu.word_emotion import WordEmotion
from rt_avatar.reasoner.styles import response_style
from rt_avatar.reasoner.thoughts import Thought, Thoughts
from rt_avatar.telemetry.metrics import Metrics

_LONGEST_ANSWER: Final = 200  # characters; who says more was not asked for it
_NEUTRAL: Final = "neutral"


class E3rgReasoner:
    """The reasoner over a language model and its fellow judges; one serves all callers.

    Args:
        settings: ``base_url`` and ``model`` must be set.
        metrics: Told of requests and tokens.
        classifier: The text network that votes, too; None: it does not.
    """

    def __init__(
        self, settings: LlmSettings, metrics: Metrics, classifier: TextEmotionClassifier | None
    ) -> None:
        self._settings, self._classifier = settings, classifier
        self._client = ChatClient(settings, metrics)

    @property
    def name(self) -> str:
        """Name shown on the page."""
        return "e3rg"

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        return _E3rgConversation(self._client, self._settings, self._classifier)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.aclose()


class _E3rgConversation:
    def __init__(
        self,
        client: ChatClient,
        settings: LlmSettings,
        classifier: TextEmotionClassifier | None,
    ) -> None:
        self._client, self._settings = client, settings
        self._reply = ModelReply(client, settings)
        self._emotion = WordEmotion(classifier)
        self._thoughts: Thoughts[list[Fine | None]] = Thoughts()

    async def listen(self, so_far: ReplyRequest) -> None:
        """Ask the model for its opinions of what was said so far, if enough is new in it."""
        words = words_of(so_far.transcript.text)
        is_new = self._thoughts.is_worth_another(so_far.turn, words)
        listening = Listening(so_far, self._emotion.estimate(so_far))
        if self._settings.coe != "prethink" or not is_new or listening.needs_no_model:
            return
        if answers := await self._answers(so_far):
            self._thoughts.keep(Thought(so_far.turn, words, answers))

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan and the clauses; closing the iterator makes the server stop."""
        listening = Listening(request, self._emotion.estimate(request))
        if listening.needs_no_model:
            for part in listening.parts():
                yield part
            if request.greet:  # all is said; the first real reply then finds an open connection
                await self._client.warm_up()
            return
        plan = self._plan(request, listening, await self._opinions(request))
        yield plan
        messages = build_voted_reply(request, listening.feeling, plan.chain.emotion)
        async with aclosing(self._reply.say(request, messages)) as parts:
            async for part in parts:
                yield part

    async def aclose(self) -> None:
        """Do nothing: the connections belong to the reasoner."""

    def _plan(
        self, request: ReplyRequest, listening: Listening, answers: list[Fine | None]
    ) -> Plan:
        """Return the plan of the vote; the rules' where only they have an opinion and no feeling.

        No network is sure of small talk, and says one of 32 emotions all the same.
        """
        feeling = listening.feeling
        if not answers and feeling.fine is None:
            return listening.plan
        estimate = self._emotion.estimate(request)
        cues = detect(request.transcript.text).fine
        opinions = [
            *([by_model(answers)] if answers else []),
            *([by_network(estimate)] if estimate is not None else []),
            *([by_lexicon(cues)] if cues is not None else []),
        ]
        votes = vote(opinions, request.affect)
        fine = next(iter(votes), None)
        tally = ", ".join(f"{name or _NEUTRAL} {share:.2f}" for name, share in [*votes.items()][:3])
        chain = replace(listening.chain(), emotion=fine or _NEUTRAL, rationale=f"by vote: {tally}")
        style = response_style(fine, feeling.intensity)
        return replace(
            listening.plan,
            chain=chain,
            user_emotion=COARSE[fine] if fine else "neutral",
            voice=style.voice,
            face=style.face,
        )

    async def _opinions(self, request: ReplyRequest) -> list[Fine | None]:
        """Return the model's opinions: those thought of while listening, if they fit, else new."""
        if self._settings.coe == "off":
            return []
        if thought := self._thoughts.for_reply(request):
            return thought.content
        return await self._answers(request) if request.effort.has_fresh_chain else []

    async def _answers(self, request: ReplyRequest) -> list[Fine | None]:
        """Ask the model, so many times at once; what fails is no opinion."""
        messages = build_emotion(request)
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._client.gather(messages, _is_long))
                for _ in range(self._settings.opinions)
            ]
        answers = [answer_in(task.result() or "") for task in tasks]
        return [to_fine(answer) for answer in answers if answer]


def _is_long(text: str) -> bool:
    return len(answer_in(text, is_final=False)) > _LONGEST_ANSWER
