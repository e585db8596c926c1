"""Handle a participant's ``lk.chat`` texts and RPCs → the session.

Only the caller is obeyed; what others in the room send is answered with an error or not at all. The
library's handlers only put into a queue; one task works it off, so the order is the caller's.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from livekit import rtc
from livekit.agents.types import TOPIC_CHAT

from rt_avatar.errors import BadInputError
from rt_avatar.services.portraits import Portraits
from rt_avatar.session import Session
from rt_avatar.signaling.livekit.names import (
    RPC_HANG_UP,
    RPC_INTERRUPT,
    RPC_SET_FACE,
    RPC_SET_PERSONA,
)
from rt_avatar.signaling.protocol import (
    MESSAGE_BURST,
    MESSAGES_PER_S,
    PERSONA_BURST,
    PERSONAS_PER_S,
)
from rt_avatar.signaling.rate_limit import TokenBucket
from rt_avatar.turns.caller_commands import MAX_TEXT_CHARS

_log = logging.getLogger(__name__)

READ_S: Final = 10.0  # that a typed text may take to arrive; it is one packet, mostly
_WAITING: Final = 8  # more typed texts than this at once are a flood

Tell = Callable[[str, str], None]  # code and words of a notice to the room


class Requests:
    """One call's requests, taken from the moment of joining: what is typed early waits.

    ``run`` works them off; ``close`` forgets the handlers.
    """

    def __init__(
        self, room: rtc.Room, tell: Tell, on_hang_up: Callable[[], None], portraits: Portraits
    ) -> None:
        self._portraits = portraits
        self._room = room
        self._session: Session | None = None
        self._caller = ""
        self._tell = tell
        self._on_hang_up = on_hang_up
        self._bucket = TokenBucket(MESSAGES_PER_S, MESSAGE_BURST)
        self._personas = TokenBucket(PERSONAS_PER_S, PERSONA_BURST)
        # Full: the newest is dropped unread.
        self._texts: asyncio.Queue[tuple[str, rtc.TextStreamReader]] = asyncio.Queue(_WAITING)
        room.register_text_stream_handler(TOPIC_CHAT, self._on_text)
        participant = room.local_participant
        participant.register_rpc_method(RPC_INTERRUPT, self._interrupt)
        participant.register_rpc_method(RPC_SET_PERSONA, self._set_persona)
        participant.register_rpc_method(RPC_SET_FACE, self._set_face)
        participant.register_rpc_method(RPC_HANG_UP, self._hang_up)

    async def run(self, session: Session, caller: str) -> None:
        """Do what the caller asks of a session, until cancelled."""
        self._session, self._caller = session, caller
        while True:
            sender, reader = await self._texts.get()
            if sender != caller:
                reader.close()
                continue
            try:
                session.send_text(await _read(reader))
            except BadInputError as error:
                self._tell("bad_input", str(error))
            except (TimeoutError, ConnectionError) as error:
                _log.debug("a typed text did not arrive: %s", error)

    def close(self) -> None:
        """Let the room forget the handlers."""
        self._room.unregister_text_stream_handler(TOPIC_CHAT)
        for method in (RPC_INTERRUPT, RPC_SET_PERSONA, RPC_SET_FACE, RPC_HANG_UP):
            self._room.local_participant.unregister_rpc_method(method)

    # --- handlers, called by the library ------------------------------------------------------
    def _on_text(self, reader: rtc.TextStreamReader, sender: str) -> None:
        is_foreign = sender != (self._caller or sender)
        if is_foreign or self._texts.full() or not self._is_slow_enough():
            reader.close()
            return
        self._texts.put_nowait((sender, reader))

    async def _interrupt(self, call: rtc.RpcInvocationData) -> str:
        self._check(call).interrupt()
        return "ok"

    async def _set_persona(self, call: rtc.RpcInvocationData) -> str:
        session = self._check(call)
        if not self._personas.take(asyncio.get_running_loop().time()):
            raise _refusal(f"expected at most {60 * PERSONAS_PER_S:.0f} people a minute; wait")
        try:
            session.set_persona(call.payload)
        except BadInputError as error:
            raise _refusal(str(error)) from error
        return "ok"

    async def _set_face(self, call: rtc.RpcInvocationData) -> str:
        session, name = self._check(call), call.payload
        try:
            session.set_face(self._portraits.find_named(name) if name else "")
        except BadInputError as error:
            raise _refusal(str(error)) from error
        return "ok"

    async def _hang_up(self, call: rtc.RpcInvocationData) -> str:
        self._check(call)
        self._on_hang_up()
        return "ok"

    def _check(self, call: rtc.RpcInvocationData) -> Session:
        """Refuse whoever is not the caller, and a caller who is too fast or too early."""
        if self._session is None:
            raise _refusal("expected a conversation that has begun, got none yet; ask again")
        if call.caller_identity != self._caller:
            raise _refusal(f"expected {self._caller!r}, with whom the avatar talks, got another")
        if not self._is_slow_enough():
            raise _refusal(f"expected at most {MESSAGES_PER_S} requests a second, got more; wait")
        return self._session

    def _is_slow_enough(self) -> bool:
        return self._bucket.take(asyncio.get_running_loop().time())


async def _read(reader: rtc.TextStreamReader) -> str:
    """Return the whole text.

    Raises:
        BadInputError: It is longer than anything that may be typed; the rest was not read.
        TimeoutError: It did not end.
        ConnectionError: It was cut off.
    """
    text = ""
    try:
        async with asyncio.timeout(READ_S):
            async for chunk in reader:
                text += chunk
                if len(text) > 2 * MAX_TEXT_CHARS:  # blanks may still be dropped from it
                    raise BadInputError(
                        f"text: expected at most {MAX_TEXT_CHARS} characters, got more; send it in "
                        "parts",
                        reason="text_too_long",
                    )
    finally:
        reader.close()
    return text


def _refusal(text: str) -> rtc.RpcError:
    return rtc.RpcError(rtc.RpcError.ErrorCode.APPLICATION_ERROR, text)
