"""Send a session's events over a call's data channel, and execute the caller's messages.

It outlives connections: a new one is greeted, and told the state; what was said while nobody
listened is gone. It decides nothing about the call; hanging up is told to its owner.
"""

import asyncio
from collections.abc import Callable

from rt_avatar.errors import BadInputError
from rt_avatar.messages import StateChanged, Trace
from rt_avatar.personas import Persona
from rt_avatar.session import Session
from rt_avatar.signaling.connection import Connection
from rt_avatar.signaling.protocol import (
    MESSAGE_BURST,
    MESSAGES_PER_S,
    PERSONA_BURST,
    PERSONAS_PER_S,
    PROTOCOL_VERSION,
    TEXT_BURST,
    TEXT_CHARS,
    TEXTS_PER_S,
    FaceMessage,
    HangUpMessage,
    InterruptMessage,
    PersonaMessage,
    PingMessage,
    TextMessage,
    VoiceMessage,
    parse_message,
)
from rt_avatar.signaling.rate_limit import TokenBucket
from rt_avatar.signaling.server_context import ServerContext
from rt_avatar.signaling.server_messages import (
    Bye,
    FaceChangedMessage,
    Hello,
    NoticeMessage,
    PersonaChangedMessage,
    Pong,
    ServerMessage,
    StateMessage,
    VoiceChangedMessage,
    message_of,
)
from rt_avatar.signaling.tokens import Ticket


class DataChannel:
    """Owned by one ``Call``; ``connection`` is the one that carries it now."""

    def __init__(
        self,
        ticket: Ticket,
        persona: Persona,
        context: ServerContext,
        on_hang_up: Callable[[], None],
    ) -> None:
        self.connection: Connection | None = None
        self._session_id = ticket.session_id
        self._persona = persona
        self._portrait, self._voice = ticket.portrait, ticket.voice
        self._context = context
        self._on_hang_up = on_hang_up
        self._state = StateMessage(turn=0, state="listening")
        self._greetings = 0  # hellos sent: more than one means that the caller came back
        self._bucket = TokenBucket(MESSAGES_PER_S, MESSAGE_BURST)
        self._texts = TokenBucket(TEXTS_PER_S, TEXT_BURST)
        self._personas = TokenBucket(PERSONAS_PER_S, PERSONA_BURST)

    async def tell(self, session: Session) -> None:
        """Pass the session's events on to the page, until cancelled."""
        while True:
            event = await session.next_event()
            if isinstance(event, StateChanged):
                self._state = StateMessage(turn=event.turn, state=event.state)
            elif isinstance(event, Trace):
                self._context.metrics.observe_turn(event)
            self.send(message_of(event))
            if session.persona != self._persona:
                self._persona = session.persona
                self.send(PersonaChangedMessage(name=self._persona.name))

    def attend(self, session: Session) -> None:
        """Greet a data channel that has just opened, and do what the caller has asked for."""
        connection = self.connection
        if connection is None:
            return
        if connection.is_open and not connection.has_greeted:
            connection.has_greeted = True
            self.send(self._hello())
            self.send(self._state)
            self._greetings += 1
        for message in connection.take_messages():
            if not self._bucket.take(asyncio.get_running_loop().time()):
                self.notify("rate", f"at most {MESSAGES_PER_S} messages a second, please")
                return
            try:
                self._obey(message, session)
            except BadInputError as error:
                self.notify("bad_input", str(error))

    def notify(self, code: str, text: str) -> None:
        """Show the caller something in plain words."""
        self.send(NoticeMessage(code=code, text=text))

    def say_goodbye(self, reason: str, text: str) -> None:
        """Tell the caller that the call is over; nothing may follow."""
        self.send(Bye(reason=reason, text=text))

    def send(self, answer: ServerMessage) -> None:
        """Send a message; dropped when nobody is there to take it."""
        if self.connection is not None:
            self.connection.send(answer.model_dump_json())

    def _obey(self, data: str | bytes, session: Session) -> None:
        match parse_message(data):
            case TextMessage(text=text):
                count = -(-len(text) // TEXT_CHARS)
                if self._texts.take(asyncio.get_running_loop().time(), count):
                    session.send_text(text)
                else:
                    self.notify(
                        "rate",
                        "that was too much text at once and was not read; please send it again in "
                        "a few seconds",
                    )
            case PersonaMessage(name=name):
                if self._personas.take(asyncio.get_running_loop().time()):
                    session.set_persona(name)
                else:
                    self.notify(
                        "rate", f"at most {60 * PERSONAS_PER_S:.0f} people a minute, please"
                    )
            case FaceMessage(portrait=portrait, key=key):
                session.set_face(self._context.portraits.find(portrait, key) if portrait else "")
                self._portrait = portrait
                self.send(FaceChangedMessage(portrait=portrait))
            case VoiceMessage(voice=voice, key=key):
                session.set_voice(self._context.own_voices.find(voice, key) if voice else "")
                self._voice = voice
                self.send(VoiceChangedMessage(voice=voice))
            case InterruptMessage():
                session.interrupt()
            case PingMessage(t=t):
                self.send(Pong(t=t))
            case HangUpMessage():
                self._on_hang_up()

    def _hello(self) -> Hello:
        context = self._context
        return Hello(
            protocol=PROTOCOL_VERSION,
            session=self._session_id,
            persona=self._persona.name,
            personas=context.personas(),
            portrait=self._portrait,
            portraits=context.portrait_cards(),
            voice=self._voice,
            recogniser=context.recogniser(),
            reasoner=context.reasoner.name,
            limits=context.limits(),
            resumed=self._greetings > 0,
        )
