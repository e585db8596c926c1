"""The voice engine: ``SpeechRequest`` (a clause and its style) → ``SpeechChunk``s.

A clause is made in one go (about 1 ms a second of speech), so its first chunk comes with the call
that asked for it. What is left of a clause, under 200 ms, comes with the next push, ``settle`` or
``flush``.
"""

from collections.abc import Iterator
from typing import Final

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.espeak._library import Library, load_library
from rt_avatar.engines.espeak.clause import speak_clause
from rt_avatar.engines.espeak.prosody import find_settings
from rt_avatar.engines.espeak.voices import VOICES, Voice
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.tts_assembler import AssembledStream
from rt_avatar.engines.tts_prosody import prosody_of
from rt_avatar.engines.tts_tone import colour, design
from rt_avatar.engines.types import SPEECH_RATE_HZ, SpeechChunk, VoiceStyle

_DEFAULT_VOICE: Final = "young_female"
_WARMUP: Final = "Hello there, how are you?"


class EspeakStream(AssembledStream):
    """One reply after the other in one voice. Any clause may have another style.

    The same request gives the same sounds at the same times to within some milliseconds (a pitch
    period), but not the same samples: espeak-ng's oscillators run on from call to call.
    """

    def __init__(self, library: Library, voice: Voice) -> None:
        super().__init__()
        self._library = library
        self._voice = voice

    def push(self, item: SpeechRequest) -> list[SpeechChunk]:
        """Say a clause after the last one: at most ``text.MAX_CHARACTERS`` of it, or nothing.

        Text without words gives nothing.

        Raises:
            RuntimeError: espeak-ng refused.
        """
        prosody = prosody_of(item.style)
        voice = self._voice
        spoken = speak_clause(
            self._library, item.text, find_settings(voice, prosody), voice.formant
        )
        if spoken is None:
            return []
        taps = design(voice.tone, round(prosody.brightness_db, 1), round(prosody.volume, 2))
        self._assembler.begin(
            spoken.phonemes, spoken.words, spoken.pause_s * prosody.pause, item.clause_index
        )
        return self._assembler.feed(colour(spoken.pcm, taps), len(spoken.pcm))

    def say(self, item: SpeechRequest) -> Iterator[SpeechChunk]:
        """Yield what ``push`` returns; all of it is made when the first is asked for."""
        yield from self.push(item)


class EspeakEngine:
    """espeak-ng for all callers; they wait for each other some milliseconds a clause."""

    spec: Final = EngineSpec(name="espeak", input_rate_hz=0, output_rate_hz=SPEECH_RATE_HZ, chunk=1)

    def __init__(self) -> None:
        """Load the library.

        Raises:
            VoiceMissingError: espeak-ng is not installed.
        """
        self._library = load_library()

    def warmup(self) -> None:
        """Say something to nobody: dictionaries and filters are read and made once."""
        self.open().push(SpeechRequest(_WARMUP, VoiceStyle(), 0))

    def open(self, voice: str = _DEFAULT_VOICE) -> EspeakStream:
        """Return a stream that speaks in that voice.

        Raises:
            ValueError: There is no such voice; the message lists all.
        """
        if voice not in VOICES:
            raise ValueError(f"voice: expected one of {', '.join(VOICES)}; got {voice!r}")
        return EspeakStream(self._library, VOICES[voice])
