"""One caller's call: the session, its current connection, and its end.

The session begins when the first connection is up and outlives connections: a new offer replaces
the old one and the conversation goes on. Whatever changes sets one event; one task then looks at
everything (level-triggered, so nothing can be missed) and acts.
"""

import asyncio
from typing import Final

from rt_avatar.engines.nano_tts import OWN_VOICE
from rt_avatar.errors import AdmissionError
from rt_avatar.personas import find_persona
from rt_avatar.services.photo_renderer import look_of
from rt_avatar.session import Session
from rt_avatar.signaling.closing import Closing
from rt_avatar.signaling.connection import Connection
from rt_avatar.signaling.data_channel import DataChannel
from rt_avatar.signaling.deferred_media import DeferredMedia
from rt_avatar.signaling.ending import HANG_UP_S, Ending, live_until_over, wait_for_news
from rt_avatar.signaling.server_context import CONNECT_S, ServerContext
from rt_avatar.signaling.tokens import Ticket

# Offer after offer, none of which connects: after so long the place is given to somebody else.
MAX_CONNECT_S: Final = 3 * CONNECT_S


class Call:
    """Owned by the registry, which runs ``run`` in a task."""

    def __init__(
        self, ticket: Ticket, address: str, context: ServerContext, closing: Closing
    ) -> None:
        self.id = ticket.session_id
        self.address = address
        self._context = context
        self._closing = closing
        self._persona = find_persona(ticket.persona)
        self._look = look_of(ticket.portrait) if ticket.portrait else ""
        self._voice = f"{OWN_VOICE}{ticket.voice}" if ticket.voice else ""
        self._media = DeferredMedia()
        self._data_channel = DataChannel(
            ticket, self._persona, context, lambda: self.end("hang_up")
        )
        self._session: Session | None = None
        self._connection: Connection | None = None
        self._negotiating = asyncio.Lock()
        self._news = asyncio.Event()
        self._end_reason = ""
        self._is_over = False

    @property
    def has_begun(self) -> bool:
        """Whether it was ever connected."""
        return self._session is not None

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
            context = self._context
            connection = Connection(
                context.ice_servers(self.id),
                self._media,
                context.settings,
                context.metrics,
                self._news.set,
                self._closing,
            )
            answer = await connection.answer(offer)
            if self._is_over:
                await connection.aclose()
                raise over_error()
            old, self._connection = self._connection, connection
            if old is not None:
                # Before the new one sends: two tracks must not pull from one transport.
                await old.aclose()
                context.metrics.reconnects.inc()
            self._news.set()
            return answer

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self._end_reason = self._end_reason or reason
        self._news.set()

    def notify(self, code: str, text: str) -> None:
        """Show the caller something in plain words."""
        self._data_channel.notify(code, text)

    # --- the call -----------------------------------------------------------------------------
    async def run(self) -> str:
        """Live until the call is over; return the reason. Only cancellation propagates."""
        ending = Ending.of("internal")
        try:
            ending = await live_until_over(self._attend, self.id)
        finally:
            await self._say_goodbye(ending)
        return ending.reason

    async def _attend(self, group: asyncio.TaskGroup) -> str:
        """Look at everything whenever something changed; return why the call is over."""
        loop = asyncio.get_running_loop()
        deadline, limit = loop.time() + CONNECT_S, loop.time() + MAX_CONNECT_S
        receiving: asyncio.Task[None] | None = None
        living: asyncio.Task[None] | None = None
        was_up = False
        while not self._end_reason:
            connection = self._connection
            if connection is not self._data_channel.connection and connection is not None:
                self._data_channel.connection = connection
                if receiving is not None:
                    receiving.cancel()
                receiving = group.create_task(connection.receive())
                deadline = min(max(deadline, loop.time() + CONNECT_S), limit)
            is_up = connection is not None and connection.is_connected
            if is_up:
                deadline = loop.time()  # as long as it is up nothing is waited for
            elif was_up:
                deadline = max(deadline, loop.time() + self._context.settings.server.reconnect_s)
                limit = deadline + MAX_CONNECT_S
            if is_up and living is None:
                living = self._begin(group)
            if self._session is not None and is_up != was_up:
                self._session.set_connected(is_up)
            was_up = is_up
            await self._serve()
            if not is_up and not self._end_reason and loop.time() >= deadline:
                return "lost"
            await wait_for_news(self._news, None if is_up else deadline)
        if self._session is not None and living is not None:
            self._session.hang_up()
            await asyncio.wait({living}, timeout=HANG_UP_S)
        return self._end_reason

    def _begin(self, group: asyncio.TaskGroup) -> asyncio.Task[None]:
        """Make the session and let it live; return its task."""
        session = self._context.open_session(self.id, self._persona, self._look, self._voice)
        self._session = session
        self._media.open(session.media_input, session.media_output)
        group.create_task(self._data_channel.tell(session))
        return group.create_task(self._live(session))

    async def _live(self, session: Session) -> None:
        self.end(await session.run())

    async def _serve(self) -> None:
        """Do what the connection asks for, or put it away when it has ended."""
        connection = self._connection
        if connection is None:
            return
        if connection.failure is not None:
            raise connection.failure
        if connection.has_ended:
            await connection.aclose()  # it would send on, to nobody
        if self._session is not None:
            self._data_channel.attend(self._session)

    async def _say_goodbye(self, ending: Ending) -> None:
        self._is_over = True
        connection = self._connection
        if connection is None:
            return
        self._data_channel.say_goodbye(ending.reason, ending.text)
        await connection.flush()
        await connection.aclose()


def over_error() -> AdmissionError:
    """Return what a caller is told who comes back to a call that is over."""
    return AdmissionError(
        "session: expected a call that is going on, got one that is over; ask for a new session",
        reason="ended",
    )
