"""Speech by an OpenAI-compatible endpoint: ``Clause`` + voice style → ``SpeechChunk``s.

One request a clause, ``POST {base_url}/audio/speech``; chunks leave as soon as 200 ms have come. A
clause is asked for when the one before it sounds: at most one ahead, in order. Such a voice tells
neither sounds nor words: chunks bear no phonemes, and words at estimated times (``word_timer``).
"""

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

import numpy as np
import openai

from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.text.characters import has_words, printable
from rt_avatar.engines.text.tokens import pause_after, shorten
from rt_avatar.engines.tts_prosody import prosody_of
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, SpeechChunk, VoiceStyle
from rt_avatar.errors import EngineError, TurnError
from rt_avatar.messages import Clause
from rt_avatar.queues import END, End, Pipe
from rt_avatar.services.openai_endpoint import Endpoint, endpoint_of, retried
from rt_avatar.tts.clause_joiner import ClauseJoiner
from rt_avatar.tts.pcm_reader import PcmReader
from rt_avatar.tts.reply_clock import ReplyClock
from rt_avatar.tts.style_words import VOICE_NAMES, instructions_of, speed_of
from rt_avatar.tts.word_timer import USUAL_PACE_S, Pace, letters

# Sound without end: a letter of the slowest speech takes 0.15 s (95 words a minute), so four times
# the usual, and 2 s of silence around it, are no speech of that text any more.
_LIMIT_S: Final = 2.0
_LIMIT_S_PER_LETTER: Final = 4 * USUAL_PACE_S
_SHOWN_MODELS: Final = 12
_NO_SOUND: Final = ("application/json", "application/problem+json", "text/")
_NO_PCM: Final = ("mpeg", "mp3", "aac", "opus", "ogg", "flac", "webm", "mp4")


class OpenAiTts:
    """A ``TtsService`` over HTTP; shared by all callers, of any event loop.

    Raises:
        SetupError: The endpoint's address or key cannot be one.
    """

    def __init__(self, settings: TtsSettings) -> None:
        self._settings = settings
        self._endpoint = Endpoint(
            endpoint_of(settings),
            lambda message, retryable: EngineError("voice", message, retryable=retryable),
        )
        self._paces: dict[str, Pace] = {}  # at speed 1, by voice

    def warmup(self) -> None:
        """Connect once from a thread of its own: a first connection loads modules for 0.1 s."""

        async def connect() -> None:
            await self._endpoint.warm_up()
            await self._endpoint.aclose()

        with ThreadPoolExecutor(max_workers=1) as thread:
            thread.submit(asyncio.run, connect()).result()

    async def prepare(self) -> None:
        """Open a connection, so that the first clause need not wait for it. Never fails."""
        await self._endpoint.warm_up()

    async def check(self) -> bool:
        """See whether the endpoint is there and lets us in; nothing is spoken.

        Return whether it lists the model, False if it has no list.

        Raises:
            EngineError: It is not, or its list is without the model.
        """
        models = await self._endpoint.models()
        if models and self._settings.model not in models:
            raise self._endpoint.error(
                f"expected {self._settings.model!r} among the models of {self._endpoint.where}; "
                f"got {', '.join(models[:_SHOWN_MODELS])}. Mend tts.model"
            )
        return bool(models)

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        await self._endpoint.aclose()

    async def speak(
        self,
        voice: str,
        style: VoiceStyle,
        clauses: Pipe[Clause | End],
        chunks: Pipe[SpeechChunk | End],
        clock: ReplyClock | None = None,
    ) -> None:
        """Speak until ``END``. Cancelling closes the requests, so that the server stops.

        Raises:
            EngineError: The endpoint failed; all that was heard of it before is in ``chunks``.
        """
        name = self._settings.voice or VOICE_NAMES.get(voice, "alloy")
        reply = _Reply.of(name, style)
        # Full: the next clause is not asked for yet.
        takes: Pipe[_Take | End] = asyncio.Queue(maxsize=1)
        failure: TurnError | None = None
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(self._ask(reply, clauses, takes))
            try:
                await self._say(reply, takes, _Spoken(chunks, clock or ReplyClock()))
            except TurnError as error:
                failure = error
            asking.cancel()
        if failure is not None:
            raise failure
        await chunks.put(END)

    # --- clauses → takes ----------------------------------------------------------------------
    async def _ask(
        self, reply: "_Reply", clauses: Pipe[Clause | End], takes: Pipe["_Take | End"]
    ) -> None:
        """Ask for clause after clause, each when the one before it sounds and there is room."""
        async with asyncio.TaskGroup() as group:
            while not isinstance(clause := await clauses.get(), End):
                text = printable(shorten(clause.text)).strip()
                if not has_words(text):
                    continue
                take = _Take(text, clause.index)
                await takes.put(take)
                group.create_task(self._fetch(reply, take))
                await take.begun.wait()
            await takes.put(END)

    async def _fetch(self, reply: "_Reply", take: "_Take") -> None:
        """Fill a take, asking again while it has no sound; its end tells what went wrong."""
        deadline_s = asyncio.get_running_loop().time() + self._settings.timeout_s
        failure: TurnError | None = None
        try:
            async with aclosing(retried(lambda: self._sound(reply, take), deadline_s)) as sound:
                async for pcm in sound:
                    take.add(pcm)
        except TurnError as error:
            failure = error
        take.end(failure)

    async def _sound(self, reply: "_Reply", take: "_Take") -> AsyncGenerator[Pcm, None]:
        """Ask once for a clause; yield its sound as it comes.

        Raises:
            EngineError: The endpoint failed, or what came is no sound of that clause.
        """
        reader = PcmReader(self._settings.rate_hz)
        limit_s = (_LIMIT_S + _LIMIT_S_PER_LETTER * letters(take.text)) / min(reply.speed, 1.0)
        received_s = 0.0
        async with self._endpoint.asking() as client:
            try:
                async with client.audio.speech.with_streaming_response.create(
                    model=self._settings.model,
                    input=take.text,
                    voice=reply.voice,
                    response_format="pcm",
                    speed=reply.speed,
                    instructions=instructions_of(reply.style),
                    extra_body=dict(self._settings.extra_body) or None,
                ) as response:
                    await self._check_type(response)
                    async for data in response.iter_bytes():
                        if len(pcm := reader.push(data)):
                            received_s += len(pcm) / SPEECH_RATE_HZ
                            yield pcm
                        if received_s > limit_s:
                            raise self._endpoint.error(
                                f"expected at most {limit_s:.0f} s of sound of "
                                f"{self._endpoint.where} for {len(take.text)} characters; got "
                                "more. Look at that server's log"
                            )
                if len(pcm := reader.finish()):
                    yield pcm
            except ValueError as error:
                raise self._endpoint.error(
                    f"{error}, from {self._endpoint.where}. The endpoint must know "
                    "response_format=pcm; see docs/voices.md"
                ) from None

    async def _check_type(self, response: openai.AsyncAPIResponse[bytes]) -> None:
        """Refuse what is no sound, or no plain one, by what the server calls it.

        Raises:
            TurnError: It is something else.
        """
        kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind.startswith(_NO_SOUND):
            reason = self._endpoint.reason(await response.text())
            raise self._endpoint.error(
                f"expected sound of {self._endpoint.where}; got {kind}: {reason or 'nothing'}. "
                "Is tts.base_url a speech endpoint, and tts.model one of its voices' models?"
            )
        if kind.startswith("audio/") and kind.endswith(_NO_PCM):
            raise self._endpoint.error(
                f"expected PCM or WAV of {self._endpoint.where}; got {kind}. "
                "The endpoint must know response_format=pcm; see docs/voices.md"
            )

    # --- takes → chunks ------------------------------------------------------------------------
    async def _say(self, reply: "_Reply", takes: Pipe["_Take | End"], spoken: "_Spoken") -> None:
        """Pass on take after take, 200 ms at a time; what came before a failure is passed on."""
        line = ClauseJoiner()
        pace = self._paces.setdefault(reply.voice, Pace())
        while not isinstance(take := await self._next(takes, line, spoken), End):
            line.begin(take.text, take.index, pace.letter_s / reply.speed)
            while not take.is_ended:
                if not line.has_chunk:
                    await take.wait()
                # All that came while a chunk waited: the more is known, the better are the words.
                line.hear(reply.loud(take.taken()))
                if line.has_chunk and not take.is_ended:
                    await spoken.pass_on([line.take_chunk()])
            line.hear(reply.loud(take.taken()))
            if take.failure is not None:
                await spoken.pass_on(line.drain())
                raise take.failure
            pace_s = line.end_clause(pause_after(take.text) * reply.pause)
            if pace_s is None:
                await spoken.pass_on(line.drain())
                raise self._endpoint.error(
                    f"expected speech of {self._endpoint.where}; got {take.received_s:.1f} s of "
                    f"silence. Try another tts.voice than {reply.voice!r}"
                )
            await spoken.pass_on(line.whole())
            pace.learn(letters(take.text), pace_s * reply.speed)
        await spoken.pass_on(line.drain())

    async def _next(
        self, takes: Pipe["_Take | End"], line: ClauseJoiner, spoken: "_Spoken"
    ) -> "_Take | End":
        """Wait for the next take to sound; if it is late, let all that was said be heard."""
        if not line.end_s:
            return await takes.get()
        take: _Take | End | None = None
        try:
            async with spoken.clock.in_time(line.rest_s):
                take = await takes.get()
                if isinstance(take, _Take):
                    await take.begun.wait()
        except TimeoutError:
            line.settle()
            await spoken.pass_on(line.whole())
        return await takes.get() if take is None else take


@dataclass(frozen=True, slots=True)
class _Spoken:
    """Where a reply's chunks go, and when they are heard."""

    chunks: Pipe[SpeechChunk | End]
    clock: ReplyClock

    async def pass_on(self, ready: list[SpeechChunk]) -> None:
        for chunk in ready:
            self.clock.note_chunk()
            await self.chunks.put(chunk)


@dataclass(frozen=True, slots=True)
class _Reply:
    """How one reply is spoken. ``pause`` multiplies the pauses between its clauses."""

    voice: str
    style: VoiceStyle
    speed: float
    pause: float
    volume: float

    @classmethod
    def of(cls, voice: str, style: VoiceStyle) -> "_Reply":
        prosody = prosody_of(style)
        return cls(voice, style, speed_of(style), prosody.pause, prosody.volume)

    def loud(self, pcm: Pcm) -> Pcm:
        """Return the sound as loud as the style wants it, which no endpoint can be asked for."""
        if self.volume == 1.0:
            return pcm
        louder: Pcm = np.clip(pcm * np.float32(self.volume), -1.0, 1.0)
        return louder


class _Take:
    """A clause as the endpoint speaks it. One task adds, one takes; limited by who adds."""

    def __init__(self, text: str, index: int) -> None:
        self.text = text
        self.index = index
        self.begun = asyncio.Event()  # there was sound, or the end
        self.is_ended = False
        self.failure: TurnError | None = None
        self.received_s = 0.0
        self._sound: list[Pcm] = []
        self._has_news = asyncio.Event()

    def add(self, pcm: Pcm) -> None:
        """Take what came."""
        if len(pcm):
            self._sound.append(pcm)
            self.received_s += len(pcm) / SPEECH_RATE_HZ
            self.begun.set()
            self._has_news.set()

    def end(self, failure: TurnError | None) -> None:
        """Nothing more comes."""
        self.failure = failure
        self.is_ended = True
        self.begun.set()
        self._has_news.set()

    async def wait(self) -> None:
        """Wait for sound, or for the end."""
        await self._has_news.wait()

    def taken(self) -> Pcm:
        """Return what has come since the last call."""
        self._has_news.clear()
        sound, self._sound = self._sound, []
        return np.concatenate(sound) if sound else np.zeros(0, np.float32)
