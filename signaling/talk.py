"""What passes over a call's data channel: the session's events out, the caller's messages in.

It outlives connections: a new one is greeted, and told the state; what was said while nobody
listened is gone. It decides nothing about the call; hanging up is told to its owner.
"""

import asyncio
from collections.abc import Callable

from rt_avatar.errors import BadInputError
from rt_avatar.messages import StateChanged, Trace
from rt_avatar.profiles import Profile
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
from signaling.edge import Edge
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


class Talk:
    """Owned by one ``Call``; ``connection`` is the one that carries it now."""

    def __init__(
        self, session_id: str, profile: Profile, edge: Edge, on_hang_up: Callable[[], None]
    ) -> None:
        self.connection: Connection | None = None
        self._session_id = session_id
        self._profile = profile
        self._edge = edge
        self._on_hang_up = on_hang_up
        self._state = StateAnswer(turn=0, state="listening")
        self._greetings = 0  # hellos sent: more than one means that the caller came back
        self._bucket = TokenBucket(MESSAGES_PER_S, MESSAGE_BURST)

    async def tell(self, session: Session) -> None:
        """Pass the session's events on to the page, until cancelled."""
        while True:
            event = await session.next_event()
            if isinstance(event, StateChanged):
                self._state = StateAnswer(turn=event.turn, state=event.state)
            elif isinstance(event, Trace):
                self._edge.metrics.observe_turn(event)
            self.send(answer_of(event))
            if session.profile != self._profile:
                self._profile = session.profile
                self.send(ProfileAnswer(name=self._profile.name))

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
        self.send(NoticeAnswer(code=code, text=text))

    def say_goodbye(self, reason: str, text: str) -> None:
        """Tell the caller that the call is over; nothing may follow."""
        self.send(Bye(reason=reason, text=text))

    def send(self, answer: Answer) -> None:
        """Send a message; dropped when nobody is there to take it."""
        if self.connection is not None:
            self.connection.send(answer.model_dump_json())

    def _obey(self, data: str | bytes, session: Session) -> None:
        match parse_message(data):
            case TextMessage(text=text):
                session.send_text(text)
            case ProfileMessage(name=name):
                session.set_profile(name)
            case InterruptMessage():
                session.interrupt()
            case PingMessage(t=t):
                self.send(Pong(t=t))
            case HangUpMessage():
                self._on_hang_up()

    def _hello(self) -> Hello:
        edge = self._edge
        return Hello(
            protocol=PROTOCOL_VERSION,
            session=self._session_id,
            profile=self._profile.name,
            profiles=edge.profiles(),
            recogniser=edge.recogniser(),
            reasoner=edge.reasoner.name,
            limits=edge.limits(),
            resumed=self._greetings > 0,
        )
