"""One caller at the edge: a session, the connection that carries it now, and when it is over.

The session begins when the first connection is up and outlives connections: a new offer replaces
the old one and the conversation goes on. Whatever changes sets one event; one task then looks at
everything (level-triggered, so nothing can be missed) and acts.
"""

import asyncio
import logging
from typing import Final

from rt_avatar.errors import AdmissionError, BadInputError, SessionError
from rt_avatar.messages import StateChanged, Trace
from rt_avatar.profiles import find_profile
from rt_avatar.session import Session
from signaling.answers import (
    Answer,
    Bye,
    Hello,
    NoticeAnswer,
    Pong,
    ProfileAnswer,
    StateAnswer,
    answer_of,
)
from signaling.connection import Connection
from signaling.door import Door
from signaling.edge import CONNECT_S, Edge
from signaling.protocol import (
    MESSAGE_BURST,
    MESSAGES_PER_S,
    PROTOCOL_VERSION,
    HangUpMessage,
    InterruptMessage,
    PingMessage,
    ProfileMessage,
    TextMessage,
    parse_message,
)
from signaling.rate_limit import TokenBucket
from signaling.tokens import Ticket

_log = logging.getLogger(__name__)

HANG_UP_S: Final = 3.0  # that a session gets to put its things away

_FAREWELLS: Final = {
    "hang_up": "The call is over.",
    "lost": "The connection was lost and nobody came back.",
    "draining": "The server is closing. Please call again in a minute.",
    "internal": "Something went wrong on our side. Please call again.",
}


class _OverError(Exception):
    """Ends the call's task group; never leaves ``run``."""


class Call:
    """Owned by the registry, which runs ``run`` in a task."""

    def __init__(self, ticket: Ticket, address: str, edge: Edge) -> None:
        self.id = ticket.session_id
        self.address = address
        self.was_connected = False
        self._edge = edge
        self._profile = find_profile(ticket.profile)
        self._door = Door()
        self._session: Session | None = None
        self._state = StateAnswer(turn=0, state="listening")
        self._connection: Connection | None = None
        self._negotiating = asyncio.Lock()
        self._news = asyncio.Event()
        self._end_reason = ""
        self._is_over = False
        self._bucket = TokenBucket(MESSAGES_PER_S, MESSAGE_BURST)
        self._greetings = 0  # hellos sent: more than one means that the caller came back

    # --- called by the registry and the HTTP handlers -----------------------------------------
    async def answer(self, offer: str) -> str:
        """Answer an offer; the new connection replaces the old one.

        Raises:
            AdmissionError: Another offer of this call is being answered, or the call is over.
            BadInputError: It cannot be answered; the old connection stays.
        """
        if self._negotiating.locked():
            raise AdmissionError(
                "offer: expected one at a time, got another while the last is being answered; wait "
                "for its answer",
                reason="offer_in_progress",
            )
        async with self._negotiating:
            edge = self._edge
            connection = Connection(
                edge.ice_servers(self.id), self._door, edge.settings, edge.metrics, self._news.set
            )
            answer = await connection.answer(offer)
            if self._is_over:
                await connection.aclose()
                raise over_error()
            old, self._connection = self._connection, connection
            if old is not None:
                # Before the new one sends: two tracks must not pull from one door.
                await old.aclose()
                edge.metrics.reconnects.inc()
            self._news.set()
            return answer

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self._end_reason = self._end_reason or reason
        self._news.set()

    def notify(self, code: str, text: str) -> None:
        """Show the caller something in plain words."""
        self._send(NoticeAnswer(code=code, text=text))

    # --- the call -----------------------------------------------------------------------------
    async def run(self) -> str:
        """Live until the call is over; return the reason. Only cancellation propagates."""
        reason, text = "internal", ""
        try:
            async with asyncio.TaskGroup() as group:
                reason = await self._attend(group)
                raise _OverError
        except* _OverError:
            pass
        except* SessionError as errors:
            first = _innermost(errors)
            if isinstance(first, SessionError):
                reason, text = first.reason, str(first)
            _log.warning("call ended: %s", first, extra={"session": self.id})
        except* Exception as errors:  # the session boundary: other calls must not notice
            reason = "internal"
            _log.error("call failed", exc_info=errors, extra={"session": self.id})
        finally:
            await self._say_goodbye(reason, text)
        return reason

    async def _attend(self, group: asyncio.TaskGroup) -> str:
        """Look at everything whenever something changed; return why the call is over."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CONNECT_S
        current: Connection | None = None
        receiving: asyncio.Task[None] | None = None
        conversing: asyncio.Task[None] | None = None
        was_up = was_told = False
        while not self._end_reason:
            connection = self._connection
            if connection is not None and connection is not current:
                if receiving is not None:
                    receiving.cancel()
                receiving = group.create_task(connection.receive())
                current = connection
                deadline = max(deadline, loop.time() + CONNECT_S)
            is_up = connection is not None and connection.is_connected
            if was_up and not is_up:
                deadline = max(deadline, loop.time() + self._edge.settings.server.reconnect_s)
            if connection is not None and connection.has_ended:
                await connection.aclose()  # it sends on else, to nobody
            was_up = is_up
            if is_up and conversing is None:
                conversing = group.create_task(self._converse(group))
            if self._session is not None and is_up != was_told:
                was_told = is_up
                self._session.set_connected(is_up)
            if connection is not None:
                self._serve(connection)
            if not is_up and not self._end_reason and loop.time() >= deadline:
                return "lost"
            try:
                async with asyncio.timeout_at(None if is_up else deadline):
                    await self._news.wait()
            except TimeoutError:
                continue
            self._news.clear()
        if self._session is not None and conversing is not None:
            self._session.hang_up()
            await asyncio.wait({conversing}, timeout=HANG_UP_S)
        return self._end_reason

    async def _converse(self, group: asyncio.TaskGroup) -> None:
        """Make the session and live with it."""
        edge = self._edge
        session = Session(self.id, edge.settings, edge.engines, edge.reasoner, self._profile)
        self._session = session
        self.was_connected = True
        edge.metrics.sessions_started.inc()
        self._door.open(session.inlet, session.outlet)
        self._news.set()
        group.create_task(self._tell(session))
        await session.run()
        self.end("hang_up")

    async def _tell(self, session: Session) -> None:
        """Pass the session's events on to the page."""
        while True:
            event = await session.next_event()
            if isinstance(event, StateChanged):
                self._state = StateAnswer(turn=event.turn, state=event.state)
            elif isinstance(event, Trace):
                self._edge.metrics.observe_turn(event)
            self._send(answer_of(event))
            if session.profile != self._profile:
                self._profile = session.profile
                self._send(ProfileAnswer(name=self._profile.name))

    # --- messages -----------------------------------------------------------------------------
    def _serve(self, connection: Connection) -> None:
        """Greet a new data channel, obey what came over it, and see whether its tracks failed."""
        if connection.failure is not None:
            raise connection.failure
        if connection.is_open and not connection.has_greeted:
            connection.has_greeted = True
            self._send(self._hello(is_resumed=self._greetings > 0))
            self._send(self._state)
            self._greetings += 1
        for message in connection.take_messages():
            if not self._bucket.take(asyncio.get_running_loop().time()):
                self.notify("rate", f"at most {MESSAGES_PER_S} messages a second, please")
                return
            try:
                self._obey(message)
            except BadInputError as error:
                self.notify("bad_input", str(error))

    def _obey(self, data: str | bytes) -> None:
        message = parse_message(data)
        session = self._session
        if isinstance(message, HangUpMessage):
            self.end("hang_up")
        elif isinstance(message, PingMessage):
            self._send(Pong(t=message.t))
        elif session is None:
            raise BadInputError("message: expected after the call is connected, got it before")
        elif isinstance(message, TextMessage):
            session.send_text(message.text)
        elif isinstance(message, ProfileMessage):
            session.set_profile(message.name)
        elif isinstance(message, InterruptMessage):
            session.interrupt()

    def _hello(self, *, is_resumed: bool) -> Hello:
        edge = self._edge
        return Hello(
            protocol=PROTOCOL_VERSION,
            session=self.id,
            profile=self._profile.name,
            profiles=edge.profiles(),
            recogniser=edge.recogniser(),
            reasoner=edge.reasoner.name,
            limits=edge.limits(),
            resumed=is_resumed,
        )

    def _send(self, answer: Answer) -> None:
        if self._connection is not None:
            self._connection.send(answer.model_dump_json())

    async def _say_goodbye(self, reason: str, text: str) -> None:
        self._is_over = True
        connection = self._connection
        if connection is None:
            return
        self._send(Bye(reason=reason, text=text or _FAREWELLS.get(reason, "The call is over.")))
        await connection.flush()
        await connection.aclose()


def over_error() -> AdmissionError:
    """Return what a caller is told who comes back to a call that is over."""
    return AdmissionError(
        "session: expected a call that is going on, got one that is over; ask for a new session",
        reason="ended",
    )


def _innermost(errors: BaseExceptionGroup[Exception]) -> BaseException:
    """Return the first error inside groups of groups."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
