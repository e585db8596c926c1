"""The voice engine: ``SpeechRequest`` (a clause and its style) → ``SpeechChunk``s, as it is made.

Durations and curves of a segment are made when it is asked for; its sound comes window by window.
The first window takes in 1.5 s, since the generator's norms need that much to know the voice.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.kokoro_tts.model import KokoroModel
from rt_avatar.engines.kokoro_tts.segments import split_segments
from rt_avatar.engines.kokoro_tts.voices import VOICES, KokoroVoice, emotion_shares, parse_shares
from rt_avatar.engines.runtimes import RuntimeName
from rt_avatar.engines.styletts2.pronunciation import join_symbols, place_parts, pronounce
from rt_avatar.engines.styletts2.recipe import KOKORO
from rt_avatar.engines.styletts2.speaker import Delivery
from rt_avatar.engines.styletts2.symbols import encode
from rt_avatar.engines.text.tokens import pause_after, shorten
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.tts_assembler import AssembledStream
from rt_avatar.engines.tts_prosody import prosody_of
from rt_avatar.engines.tts_tone import Tone, colour, design
from rt_avatar.engines.types import SPEECH_RATE_HZ, SpeechChunk, VoiceStyle

_DEFAULT_VOICE: Final = "young_female"
_WARMUP: Final = "Hello there, how are you?"
_RATE_LIMITS: Final = (0.5, 2.0)
_PITCH_LIMITS: Final = (0.6, 1.6)
_PITCH_RANGE_MAX: Final = 2.0
_MOST_EDGE_FRAMES: Final = 6  # 150 ms of silence at the ends; the mark's pause comes behind
_TONE: Final = Tone(lowest_db=0.0, top_db=0.0, has_room=False)  # as it was trained


class KokoroStream(AssembledStream):
    """One reply after the other in one voice. Not thread-safe.

    The same request gives the same samples.
    """

    def __init__(self, model: KokoroModel, voice: KokoroVoice) -> None:
        super().__init__()
        self._model = model
        self._voice = voice

    def push(self, item: SpeechRequest) -> list[SpeechChunk]:
        """Say a clause after the last one; text without words gives nothing."""
        return list(self.say(item))

    def say(self, item: SpeechRequest) -> Iterator[SpeechChunk]:
        """Yield what ``push`` returns, each chunk as soon as it is made.

        Raises:
            RuntimeError: The network gave what is no number.
        """
        text = shorten(item.text)
        parts = pronounce(text, KOKORO.notation)
        if not any(part.text for part in parts):
            return
        prosody, voice, speaker = prosody_of(item.style), self._voice, self._model.speaker
        delivery = Delivery(
            rate=_within(voice.rate * prosody.rate, *_RATE_LIMITS),
            pitch=_within(voice.pitch * prosody.pitch, *_PITCH_LIMITS),
            pitch_range=_within(prosody.pitch_range, 0.0, _PITCH_RANGE_MAX),
            most_edge_frames=_MOST_EDGE_FRAMES,
        )
        main = max(voice.shares, key=lambda name: voice.shares[name])
        mixed = emotion_shares(main, item.style.emotion, item.style.intensity)
        taps = design(_TONE, round(prosody.brightness_db, 1), round(prosody.volume, 2))
        segments = split_segments(parts)
        for number, segment in enumerate(segments, 1):
            symbols, starts = join_symbols(segment, KOKORO.notation)
            tokens = encode(symbols, KOKORO.wrap, KOKORO.notation)
            style = self._model.style(tokens, voice.shares, mixed)
            clause = speaker.prepare(tokens, style, delivery=delivery)
            phonemes, words = place_parts(segment, starts, clause.frames)
            pause_s = pause_after(text if number == len(segments) else symbols) * prosody.pause
            self._assembler.begin(tuple(phonemes), tuple(words), pause_s, item.clause_index)
            for pcm in speaker.sound(clause):
                yield from self._assembler.feed(colour(pcm, taps), len(pcm))


class KokoroEngine:
    """The voice for all callers.

    Args:
        folder: ``<engines folder>/kokoro`` of ``rt-avatar engines export kokoro``.
        voice: A style table, or a mixture, for all personas; "": each has its own.
        provider: What runs the graphs.
        threads: Of the CPU; 0: half of the cores that this process may use.

    Raises:
        VoiceFolderError: A file is missing or is not what it should be.
        RuntimeUnavailableError: The graphs cannot be run here.
        ValueError: There is no such voice; the message lists all.
    """

    spec: Final = EngineSpec(name="kokoro", input_rate_hz=1, output_rate_hz=SPEECH_RATE_HZ, chunk=1)

    def __init__(
        self, folder: Path, voice: str = "", provider: RuntimeName = "cpu", threads: int = 0
    ) -> None:
        self._model = KokoroModel(folder, provider, threads)
        self._all: KokoroVoice | None = None
        if voice:
            self._all = KokoroVoice(parse_shares(voice))
            self._model.check_names(self._all.shares)

    def warmup(self) -> None:
        """Say something to nobody."""
        self.open().push(SpeechRequest(_WARMUP, VoiceStyle(), 0))

    def open(self, voice: str = _DEFAULT_VOICE) -> KokoroStream:
        """Return a stream that speaks in a persona's voice.

        Raises:
            ValueError: There is no such voice, or no style table for it; the message lists all.
        """
        if voice not in VOICES:
            raise ValueError(f"voice: expected one of {', '.join(VOICES)}; got {voice!r}")
        chosen = self._all or VOICES[voice]
        self._model.check_names(chosen.shares)
        return KokoroStream(self._model, chosen)


def _within(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
