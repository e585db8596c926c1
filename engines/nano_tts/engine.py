"""The voice engine: ``SpeechRequest`` (a clause and its style) → ``SpeechChunk``s, as it is made.

A clause's prosody and mel are made when it is asked for; its sound comes chunk by chunk, so that
the first does not wait for the last.
"""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.nano_tts.clause import (
    place_phonemes,
    place_words,
    plan_clause,
    speak,
)
from rt_avatar.engines.nano_tts.contour import Floats
from rt_avatar.engines.nano_tts.emotions import actors_prosody
from rt_avatar.engines.nano_tts.model import NanoModel, SpeakerCode
from rt_avatar.engines.nano_tts.style_vector import Manner, add_timbre, read_vector
from rt_avatar.engines.nano_tts.text import read_clause
from rt_avatar.engines.nano_tts.tokens import Tokens
from rt_avatar.engines.nano_tts.voices import VOICES, NanoVoice
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.tts_assembler import AssembledStream
from rt_avatar.engines.tts_tone import colour, design
from rt_avatar.engines.types import SPEECH_RATE_HZ, SpeechChunk, VoiceStyle

_log = logging.getLogger(__name__)

# States of a language model, tokens and speaker → what the encoder would give (1, N, C); None where
# there are more tokens than it takes: the words alone are said.
Guide: TypeAlias = Callable[[Floats, Tokens, SpeakerCode], Floats | None]

SHIPPED: Final = Path(__file__).parent / "weights"
OWN_VOICE: Final = "own:"  # before the name of somebody's own voice
_DEFAULT_VOICE: Final = "young_female"
_WARMUP: Final = "Hello there, how are you?"
_GAIN: Final = 1.5  # recordings are levelled to -23 LUFS; calls are louder


def manner_of(voice: NanoVoice, speaker: SpeakerCode, style: VoiceStyle) -> Manner:
    """Return how a person says a clause in a style."""
    prosody = actors_prosody(style)
    return Manner(
        speaker,
        voice.delivery(prosody),
        prosody.volume,
        prosody.pause,
        prosody.brightness_db,
        add_timbre(voice.timbre_db, prosody.timbre_db),
    )


class NanoStream(AssembledStream):
    """One reply after the other in one voice. Not thread-safe.

    The same request gives the same samples. With a guide, a request's own states and vector are
    what is said and how; without, its words and style are.
    """

    def __init__(self, model: NanoModel, voice: NanoVoice, guide: Guide | None = None) -> None:
        super().__init__()
        self._model, self._guide = model, guide
        self._voice = voice
        self._speaker = model.speaker(voice.speakers)

    def push(self, item: SpeechRequest) -> list[SpeechChunk]:
        """Say a clause after the last one; text without words gives nothing."""
        return list(self.say(item))

    def say(self, item: SpeechRequest) -> Iterator[SpeechChunk]:
        """Yield what ``push`` returns, each chunk as soon as it is made."""
        read = read_clause(item.text)
        if read is None:
            return
        manner = self._manner(item.style)
        encode = self._encode(item.states)
        clause = plan_clause(self._model, read.words, manner.speaker, manner.delivery, encode)
        volume = round(_GAIN * manner.volume, 2)
        taps = design(self._voice.tone, round(manner.brightness_db, 1), volume, manner.timbre_db)
        self._assembler.begin(
            place_phonemes(clause),
            place_words(clause, read.written),
            read.pause_s * manner.pause,
            item.clause_index,
        )
        for pcm in speak(self._model, clause):
            if len(pcm):
                yield from self._assembler.feed(colour(pcm, taps), len(pcm))

    def _manner(self, style: VoiceStyle) -> Manner:
        if self._guide is not None and style.vector is not None:
            return read_vector(style.vector[0])
        return manner_of(self._voice, self._speaker, style)

    def _encode(self, states: Floats | None) -> Callable[[Tokens, SpeakerCode], Floats] | None:
        guide = self._guide
        if guide is None or states is None:
            return None

        def encode(tokens: Tokens, speaker: SpeakerCode) -> Floats:
            guided = guide(states, tokens, speaker)
            return self._model.encode(tokens, speaker) if guided is None else guided

        return encode


class NanoEngine:
    """The voice for all callers.

    Args:
        folder: Where ``python -m rt_avatar.engines.training.voice export`` put a voice of your own.
        own: Speaks for all persons instead of their voices.
        guide: A content synchronizer that learnt this voice's contents, whose disentangler learnt
            its styles; None: there is none.
        find_own: Name → somebody's own voice, for streams of ``OWN_VOICE`` and that name; None
            when it is not kept any more.

    Raises:
        FileNotFoundError: It is not there.
        ValueError: ``own`` is of readers whom that voice does not know.
    """

    spec: Final = EngineSpec(name="nano", input_rate_hz=1, output_rate_hz=SPEECH_RATE_HZ, chunk=1)

    def __init__(
        self,
        folder: Path = SHIPPED,
        own: NanoVoice | None = None,
        guide: Guide | None = None,
        find_own: Callable[[str], NanoVoice | None] = lambda _: None,
    ) -> None:
        self._model = NanoModel(folder)
        self._own, self._guide, self._find_own = own, guide, find_own
        if own is not None:
            self._model.speaker(own.speakers)

    def warmup(self) -> None:
        """Say something to nobody."""
        self.open().push(SpeechRequest(_WARMUP, VoiceStyle(), 0))

    def open(self, voice: str = _DEFAULT_VOICE) -> NanoStream:
        """Return a stream that speaks in that voice.

        Raises:
            ValueError: There is no such voice; the message lists all. Own voices that are not kept
                any more, or are of readers whom this model does not know, are told in the log, and
                another speaks: a call goes on.
        """
        if voice.startswith(OWN_VOICE):
            own = self._find_own(voice.removeprefix(OWN_VOICE))
            if own is not None and set(own.speakers) <= set(self._model.readers):
                return NanoStream(self._model, own)
            what = "not kept any more" if own is None else "made with another tts.model"
            _log.warning("%s: %s; %s speaks instead", voice, what, _DEFAULT_VOICE)
            voice = _DEFAULT_VOICE
        if voice not in VOICES:
            raise ValueError(f"voice: expected one of {', '.join(VOICES)}; got {voice!r}")
        return NanoStream(self._model, self._own or VOICES[voice], self._guide)
