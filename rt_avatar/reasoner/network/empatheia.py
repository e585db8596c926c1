"""The Empatheia reasoner: sound, pictures and text → plan and clauses by the network.

``ReplyRequest`` → one ``Plan``, then ``Clause``s with the model's hidden states. While the caller
speaks, their sound and pictures are encoded and the words so far are read (``RequestReader``), and
with ``coe = "prethink"`` the chain of empathy is thought from them; when they have finished, the
last words, the last window of sound and the reply are left to do. With ``coe = "paper"``, the
published order, voice and face are known after the last word only: the plan comes then, and all
clauses behind it.

A thought is used as far as it came, unless it is too old: fewer than 60 % of the words said in the
end are those that it was thought from (``thoughts``). Then the chain is thought with the reply.
Where time is short (``Effort.has_fresh_chain``) any thought of this utterance is used, and none is
thought to its end.

Where a listener of the package writes the words (``network.reply_source``), the model reads them in
one pass, and what the listener understood in the place of a chain: its own are the styles and the
states of each word.

Rules (``Listening``) answer by themselves where the network must not or cannot: danger to life,
nothing heard, and the greeting, since it learnt to answer somebody. They lend it their words when
it has none. What the caller feels is what the chain names, and without it what the style
disentangler says; what a rule-based voice and face show is a listener's answer to that, not its
mirror (``styles``), while the network's own get the vectors that ``infer`` would give them.

Every pass of the model is a call of its own to the worker, which all callers share, so a cancelled
reply stops within a token. Replies leave nothing behind but caches. Knows neither voice nor face.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar, TypeVarTuple

import numpy as np

from rt_avatar.engines.emotion_words import COARSE, Fine, to_fine
from rt_avatar.engines.empatheia.clauses import ClauseCutter, ReplyClause
from rt_avatar.engines.empatheia.dialogue import EMOTION_CLASSES, Styles, Written
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.llm.answer import Answered, Event, NextToken, Replied, Signalled, Understood
from rt_avatar.engines.llm.chain import Chain as NetworkChain
from rt_avatar.engines.llm.decoding import Decoding
from rt_avatar.engines.llm.model import Read
from rt_avatar.engines.types import Emotion
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Chain, Clause, Plan, TurnId
from rt_avatar.reasoner import Conversation, Reasoner, ReplyRequest
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.network.request_reader import RequestReader
from rt_avatar.reasoner.network.spoken_text import spoken
from rt_avatar.reasoner.network.written import write_reply
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.styles import ResponseStyle, response_style
from rt_avatar.reasoner.thoughts import Thought, Thoughts
from rt_avatar.services.worker import EngineWorker

_log = logging.getLogger(__name__)

# Words that must be new for another thought, and the share of all that they must be. A thought of
# 50 tokens takes nano 0.3 s of a thread that all callers share, and three words take somebody a
# second. With a third of them new, the newest thought still fits (``thoughts``) wherever the caller
# ends, and twenty words are thought about four times instead of seven.
_NEW_WORDS: Final = 3
_NEW_SHARE: Final = 1 / 3
# What is thought while the caller speaks is wanted when they end, so all replies go first; but no
# thought waits longer than this for them.
_THOUGHT_S: Final = 1.0
# The word by which ``styles`` finds the answer to a class of emotions.
_NAMES: Final[Mapping[Emotion, Fine]] = {
    "happy": "joyful",
    "surprised": "surprised",
    "angry": "angry",
    "fear": "afraid",
    "sad": "sad",
    "disgusted": "disgusted",
    "contempt": "jealous",
}

Given = TypeVarTuple("Given")
Result = TypeVar("Result")


class EmpatheiaReasoner:
    """The reasoner of the network; holds nothing of its own.

    Args:
        network: The engines, of which language model, encoders and disentangler are used.
        options: How it answers.
        worker: The thread on which they run.
        listener: Who writes the words; None: the language model.
    """

    def __init__(
        self,
        network: EmpatheiaEngines,
        options: EmpatheiaOptions,
        worker: EngineWorker,
        listener: Reasoner | None = None,
    ) -> None:
        self._network, self._worker, self._listener = network, worker, listener
        self._options = options.effective()
        if not network.manifest.is_trained:
            _log.warning(
                "llm.kind=empatheia: the weights of %s are untrained: the words mean nothing",
                network.manifest.name,
            )

    @property
    def name(self) -> str:
        """Name shown on the page."""
        return "empatheia"

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        listener = None if self._listener is None else self._listener.open()
        return _EmpatheiaConversation(self._network, self._options, self._worker, listener)

    async def aclose(self) -> None:
        """Close the listener; network and worker are the engine room's."""
        if self._listener is not None:
            await self._listener.aclose()


class _EmpatheiaConversation:
    def __init__(
        self,
        network: EmpatheiaEngines,
        options: EmpatheiaOptions,
        worker: EngineWorker,
        listener: Conversation | None,
    ) -> None:
        self._network, self._options, self._worker = network, options, worker
        self._listener = listener
        self._reader = RequestReader(network, options)
        self._read_until = (TurnId(0), 0)  # the utterance last listened to, and its words then
        self._thoughts: Thoughts[str] = Thoughts()

    async def listen(self, so_far: ReplyRequest) -> None:
        """Encode and read what is new, and think the chain if that is enough."""
        if self._listener is not None:
            await self._listener.listen(so_far)
        words = words_of(so_far.transcript.text)
        turn, known = self._read_until
        new = len(words) - (known if turn == so_far.turn else 0)
        is_news = new >= _NEW_WORDS and new > _NEW_SHARE * len(words)
        try:
            if not is_news or Listening(so_far).needs_no_model:
                await self._call(self._reader.take_in, so_far, deadline_s=_soon())
                return
            self._read_until = (so_far.turn, len(words))
            read = partial(self._reader.read, so_far, is_over=False)
            prompt = await self._call(read, deadline_s=_soon())
            if self._options.coe == "prethink" and self._listener is None:
                await self._think(so_far.turn, words, prompt)
        except ReasonerError as error:
            _log.info("no thought while listening: %s", error)  # the reply will tell the caller

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan and the clauses.

        Raises:
            ReasonerError: A graph failed.
        """
        listening = Listening(request)
        if listening.needs_no_model:
            for part in listening.parts():
                yield part
            with suppress(ReasonerError):  # all was said
                await self._call(self._reader.remember, request)
            return
        prompt = await self._call(self._reader.read, request)
        written = None if self._listener is None else await write_reply(self._listener, request)
        decoding = Decoding(self._steps(request, prompt, written))
        writer = _Writer(request, self._options)
        chain, is_planned = NetworkChain(), False
        waiting: list[ReplyClause] = []  # until the plan is known
        while not decoding.is_over:
            for event in await self._decode(decoding):
                match event:
                    case Understood():
                        chain = event.chain
                    case Signalled():
                        styles = await self._styles(request, event, chain)
                        plan = _plan(request, listening, chain, styles)
                        if written is not None and to_fine(chain.emotion) is None:
                            plan = replace(plan, user_emotion=listening.plan.user_emotion)
                        yield plan
                        is_planned = True
                    case Replied():
                        waiting += writer.cutter.push(event)
                    case Answered():
                        waiting += writer.cutter.flush()
            while is_planned and waiting:
                for clause in writer.clauses(waiting.pop(0)):
                    yield clause
        if not writer.count:
            _log.info("empatheia: the model had no words; the rules lend some")
            for clause in listening.clauses():
                yield clause

    async def aclose(self) -> None:
        """Close the listener's side; what else it keeps goes with it."""
        if self._listener is not None:
            await self._listener.aclose()

    async def _think(self, turn: TurnId, words: list[str], prompt: Read) -> None:
        """Think the chain as far as time allows; cancelled, what was thought so far is kept."""
        parts = self._network.answerer
        thinking = Decoding(parts.think(prompt, self._options.words()))
        while not thinking.is_over:
            for text in await self._decode(thinking, _soon()):
                self._thoughts.keep(Thought(turn, words, text, parts.notation.opening in text))

    def _steps(
        self, request: ReplyRequest, prompt: Read, written: Written | None
    ) -> Iterator[Event | NextToken]:
        """Begin the answer, with what was thought of it before."""
        parts, options = self._network.answerer, self._options.words()
        if written is not None:
            return parts.read_out(prompt, options, written.chain, written.text)
        is_fresh, thought = request.effort.has_fresh_chain, self._thoughts.for_reply(request)
        if thought is None:
            return parts.steps(prompt, replace(options, with_chain=options.with_chain and is_fresh))
        ends_here = not is_fresh and not thought.is_whole
        text = thought.content + parts.notation.opening if ends_here else thought.content
        return parts.steps(prompt, options, text)

    async def _styles(
        self, request: ReplyRequest, signals: Signalled, chain: NetworkChain
    ) -> Styles | None:
        """Return the styles that ``infer`` would take; None: those of the recordings."""
        match self._options.style_source:
            case "sd" | "diffusion":
                profile = request.persona.profile
                return await self._call(self._network.disentangled, signals, chain, profile)
            case "bank":
                return self._network.banked(chain)
            case "reference":
                return None

    async def _call(
        self,
        function: Callable[[*Given], Result],
        *args: *Given,
        deadline_s: float | None = None,
    ) -> Result:
        """Run a function on the worker.

        Raises:
            ReasonerError: It failed.
        """
        with _failures():
            return await self._worker.call(function, *args, deadline_s=deadline_s)

    async def _decode(
        self, decoding: Decoding[Result], deadline_s: float | None = None
    ) -> list[Result]:
        """Advance an answer by a token, which is read together with those of other callers.

        Raises:
            ReasonerError: A graph failed.
        """
        if decoding.next_token is None:  # it begins by reading a thought, which is nobody's token
            return await self._call(decoding.advance, deadline_s=deadline_s)
        with _failures():
            return await self._worker.call_batched(
                self._network.advance, decoding, self._network.max_batch, deadline_s
            )


@contextmanager
def _failures() -> Iterator[None]:
    """Raise what graphs raise as a reasoner's error."""
    try:
        yield
    except (ValueError, RuntimeError, OSError) as error:
        raise ReasonerError(f"empatheia: {error}", retryable=True) from error


def _soon() -> float:
    """Return the loop time at which a thought is wanted."""
    return asyncio.get_running_loop().time() + _THOUGHT_S


class _Writer:
    """The words of one reply: tokens → clauses that can be spoken."""

    def __init__(self, request: ReplyRequest, options: EmpatheiaOptions) -> None:
        self.cutter = ClauseCutter(request.effort.is_first_clause_short, options.content_span)
        self.count = 0
        self._request, self._keeps_states = request, options.content_source == "cs"

    def clauses(self, part: ReplyClause) -> list[Clause]:
        """Return the clause of a part of the reply; none if nothing in it can be spoken."""
        text = spoken(part.text)
        if not text:
            return []
        states = part.states if self._keeps_states else None
        request, index = self._request, self.count
        self.count += 1
        return [Clause(request.turn, request.transcript.pts, index, text, states)]


def _plan(
    request: ReplyRequest, listening: Listening, chain: NetworkChain, styles: Styles | None
) -> Plan:
    fine = to_fine(chain.emotion)
    if styles is not None and styles.classes:
        felt = COARSE[fine] if fine is not None else styles.emotion
        style = response_style(_NAMES.get(styles.emotion), _certainty(styles))
    elif fine is not None:
        felt, style = COARSE[fine], response_style(fine, listening.feeling.intensity)
    else:
        felt, style = listening.plan.user_emotion, listening.style
    if styles is not None:
        style = ResponseStyle(
            replace(style.voice, vector=styles.voice), replace(style.face, vector=styles.face)
        )
    return Plan(
        turn=request.turn,
        pts=request.transcript.pts,
        chain=Chain(*map(spoken, (chain.scenario, chain.emotion, chain.cause, chain.goal))),
        user_emotion=felt,
        voice=style.voice,
        face=style.face,
    )


def _certainty(styles: Styles) -> float:
    """Return the share of the likeliest emotion, 0..1."""
    logits = styles.classes["emotion"][0].astype(np.float64)
    assert len(logits) == len(EMOTION_CLASSES), "as the classifier was made"
    shares = np.exp(logits - logits.max())
    return float(shares.max() / shares.sum())
