"""The context that all calls of a process share, and the facts that callers are told."""

import time
from dataclasses import dataclass, replace
from typing import Final

from rt_avatar.config.settings import Settings
from rt_avatar.personas import PERSONAS, Persona
from rt_avatar.reasoner import Reasoner
from rt_avatar.services.engines import Engines
from rt_avatar.services.own_voices import OwnVoices
from rt_avatar.services.portraits import Portraits
from rt_avatar.session import Session
from rt_avatar.signaling.ice import IceServer, mint_ice_servers
from rt_avatar.signaling.protocol import (
    MAX_MESSAGE_BYTES,
    MAX_PICTURE_BYTES,
    MAX_RECORDING_BYTES,
    MAX_SDP_BYTES,
    MESSAGES_PER_S,
)
from rt_avatar.signaling.server_messages import PersonaCard, PortraitCard, RecogniserCard
from rt_avatar.telemetry.metrics import Metrics
from rt_avatar.turns.caller_commands import MAX_TEXT_CHARS

# Chrome gives up its own checks after 15 s as well; a TURN allocation over TCP takes 2 to 3.
CONNECT_S: Final = 15.0
# Shown with a face that is a photograph, so that nobody takes it for the person.
SYNTHETIC: Final = "This face is synthetic: one photograph, moved by a machine."


@dataclass(frozen=True, slots=True)
class ServerContext:
    """Made once by the application, read by every call."""

    settings: Settings
    engines: Engines
    reasoner: Reasoner

    @property
    def metrics(self) -> Metrics:
        """Those of the process."""
        return self.engines.metrics

    def open_session(self, call_id: str, persona: Persona, look: str, voice: str = "") -> Session:
        """Return a session with a persona, of that look and voice where they are not empty."""
        self.metrics.sessions_started.inc()
        return Session(call_id, self.settings, self.engines, self.reasoner, persona, look, voice)

    def personas(self) -> tuple[PersonaCard, ...]:
        """Return all personas as the picker shows them."""
        return tuple(
            PersonaCard(
                name=persona.name,
                label=persona.label,
                age=persona.age,
                gender=persona.gender,
                about=self._about(persona),
                portrait=f"/portraits/{persona.name}.png",
            )
            for persona in PERSONAS.values()
        )

    @property
    def portraits(self) -> Portraits:
        """Photographed faces that callers may show."""
        return Portraits(self.settings, self.engines.motion_space)

    @property
    def takes_photographs(self) -> bool:
        """Whether callers may use one."""
        return self.settings.avatar.portrait_uploads and self.portraits.can_show

    @property
    def own_voices(self) -> OwnVoices:
        """Voices of callers' own that they may be answered in."""
        return OwnVoices(self.settings.tts)

    @property
    def takes_recordings(self) -> bool:
        """Whether callers may make one."""
        return self.settings.tts.voice_uploads and self.own_voices.can_speak

    def portrait_cards(self) -> tuple[PortraitCard, ...]:
        """Return the shared portraits as the picker shows them."""
        return tuple(
            PortraitCard(name=name, picture=f"/api/portraits/{name}")
            for name in self.portraits.shared()
        )

    def is_photograph(self, persona: str) -> bool:
        """Return whether that persona wears a photograph."""
        avatar = self.settings.avatar
        return bool(avatar.portrait) and persona == avatar.persona

    def _about(self, persona: Persona) -> str:
        return f"{persona.about} {SYNTHETIC}" if self.is_photograph(persona.name) else persona.about

    def recogniser(self) -> RecogniserCard:
        """Return who listens."""
        return RecogniserCard(name=self.engines.recogniser_name, hint=self.engines.recogniser_hint)

    def limits(self) -> dict[str, int]:
        """Return what a page must keep to."""
        return {
            "text_chars": MAX_TEXT_CHARS,
            "message_bytes": MAX_MESSAGE_BYTES,
            "messages_per_s": MESSAGES_PER_S,
            "sdp_bytes": MAX_SDP_BYTES,
            "picture_bytes": MAX_PICTURE_BYTES if self.takes_photographs else 0,
            "portrait_days": self.settings.avatar.portrait_days,
            "recording_bytes": MAX_RECORDING_BYTES if self.takes_recordings else 0,
            "voice_days": self.settings.tts.voice_days,
            "connect_s": int(CONNECT_S),
            "reconnect_s": int(self.settings.server.reconnect_s),
        }

    def ice_servers(self, session_id: str, *, with_turn: bool = True) -> tuple[IceServer, ...]:
        """Return the STUN servers, and TURN servers with fresh credentials."""
        ice = self.settings.ice if with_turn else replace(self.settings.ice, turn_urls=())
        # Wall-clock time: the TURN server compares it with its own.
        return mint_ice_servers(ice, session_id, time.time())
