"""Voices of callers: a voice file kept under a name, and the key that its owner alone has.

As portraits are (``portraits``): a name cannot be guessed, and does not suffice; of the key only
the digest is on disk. Sound is kept nowhere.
"""

from contextlib import suppress
from datetime import date
from typing import Final

from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.nano_tts import OWN_VOICE, SHIPPED, NanoVoice
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.own_voice import OwnVoiceError
from rt_avatar.engines.own_voice.encoder import load_encoder
from rt_avatar.engines.own_voice.prepare import make_voice
from rt_avatar.engines.own_voice.voice_file import (
    VoiceFile,
    delete_voice,
    load_voice,
    save_voice,
    voice_age_s,
    voice_names,
)
from rt_avatar.errors import AdmissionError, BadInputError
from rt_avatar.files.home import expand_home
from rt_avatar.services.owner_key import digest_of, new_name_and_key, opens

_DAY_S: Final = 86_400.0


class OwnVoices:
    """The voice files of ``tts.voices_folder`` as callers may use them.

    Attributes:
        can_speak: Whether callers may be answered in a voice of their own: the nano voice speaks,
            and nobody's own for all.
    """

    def __init__(self, settings: TtsSettings) -> None:
        self._settings = settings
        self._folder = expand_home(settings.voices_folder)
        self._model = expand_home(settings.model or SHIPPED)
        self.can_speak = settings.kind == "nano" and not settings.voice

    def make(self, recording: bytes) -> NanoVoice:
        """Return the voice of a recording, in some seconds of one thread. Blocking.

        Raises:
            OwnVoiceError: The recording cannot be used.
        """
        return make_voice(NanoModel(self._model), load_encoder(self._model), recording)

    def kept(self) -> list[str]:
        """Return the names of all that are kept. Deletes what is too old. Blocking."""
        self.delete_old()
        return voice_names(self._folder)

    def keep(self, voice: NanoVoice) -> tuple[str, str]:
        """Keep a caller's voice; return its name and key. Deletes what is too old. Blocking.

        Raises:
            AdmissionError: As many are kept as may be.
        """
        if len(self.kept()) >= self._settings.max_voices:
            raise AdmissionError(
                f"all {self._settings.max_voices} places for voices are taken (tts.max_voices)",
                reason="voices_full",
            )
        name, key = new_name_and_key()
        save_voice(self._folder, name, VoiceFile(voice, date.today().isoformat(), digest_of(key)))
        return name, key

    def find(self, name: str, key: str) -> str:
        """Return what the voice's engine calls a voice that this key opens.

        Raises:
            BadInputError: There is none of that name, it is somebody else's, or none can speak.
        """
        if not self.can_speak:
            raise BadInputError(
                "voice: expected none, since this server can speak in nobody's own just now; got "
                "one; choose the usual voice",
                reason="uploads_off",
            )
        self._check_key(name, key)
        return f"{OWN_VOICE}{name}"

    def read(self, name: str) -> NanoVoice | None:
        """Return a voice by its name alone: whose it is was checked by ``find``. None: deleted."""
        try:
            return load_voice(self._folder, name).voice
        except OwnVoiceError:
            return None

    def delete(self, name: str, key: str) -> None:
        """Delete a caller's voice.

        Raises:
            BadInputError: There is none of that name, or it is somebody else's.
        """
        self._check_key(name, key)
        with suppress(OwnVoiceError):  # just deleted by somebody else
            delete_voice(self._folder, name)

    def delete_old(self) -> None:
        """Delete callers' voices that are older than ``tts.voice_days``."""
        for name in voice_names(self._folder):
            is_old = voice_age_s(self._folder, name) > self._settings.voice_days * _DAY_S
            if is_old and self._owner(name):
                with suppress(OwnVoiceError):
                    delete_voice(self._folder, name)

    def _check_key(self, name: str, key: str) -> None:
        if not opens(key, self._owner(name)):
            raise _not_found()

    def _owner(self, name: str) -> str:
        try:
            return load_voice(self._folder, name).owner
        except OwnVoiceError:
            return ""


def _not_found() -> BadInputError:
    return BadInputError(
        "voice: expected one of yours that is still kept; got another; record it again",
        reason="no_voice",
    )
