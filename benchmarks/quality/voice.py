"""The voice: whether its words are understood, and how it changes with the feeling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import soxr

from rt_avatar.benchmarks.metrics.lips import is_vowel
from rt_avatar.benchmarks.metrics.timbre import Identity, Timbre, identity, timbre_of
from rt_avatar.benchmarks.metrics.voice import Voice, describe, word_error
from rt_avatar.benchmarks.quality.asr import Listener
from rt_avatar.benchmarks.quality.group import Group, percent, progress
from rt_avatar.benchmarks.quality.take import Studio
from rt_avatar.benchmarks.result import Plot
from rt_avatar.engines.types import (
    EMOTIONS,
    INPUT_RATE_HZ,
    SPEECH_RATE_HZ,
    Emotion,
    Pcm,
    SpeechChunk,
    VoiceStyle,
)
from rt_avatar.personas import PERSONAS

INTENSITY: Final = 0.6  # what a style has by itself
# What a listener would say; plain words, so that errors are the voice's and not the vocabulary's.
SENTENCES: Final = (
    "i am sorry to hear that your mother is ill",
    "it sounds like the last week was very hard for you",
    "that is wonderful news and you must be so happy",
    "can you tell me what happened at work yesterday",
    "i think you did the best you could",
    "what would help you feel a little better tonight",
    "she was angry because nobody listened to her",
    "we can take as much time as you need",
    "thank you for telling me about your brother",
    "how long have you been feeling this way",
    "it makes sense that you are worried about money",
    "the children were playing in the garden all day",
)
_FEW: Final = 3  # sentences a voice in the quick form


@dataclass(frozen=True, slots=True)
class Spoken:
    """One sentence of one voice.

    Attributes:
        persona: Whose.
        emotion: How it was asked for.
        voice: How it sounds.
        syllables_s: Vowels a second of sound.
        timbre: Of it, as ``metrics.timbre``.
    """

    persona: str
    emotion: Emotion
    voice: Voice
    syllables_s: float
    timbre: Timbre = field(compare=False, repr=False)

    def row(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return pitch (semitones), its range, pace (log2), level and brightness: (5,)."""
        voice = self.voice
        return np.array(
            [
                12 * np.log2(voice.pitch_hz),
                voice.range_semitones,
                np.log2(self.syllables_s),
                voice.level_db,
                voice.brightness_db,
            ]
        )


def speak(
    studio: Studio, persona: str, text: str, emotion: Emotion, intensity: float = INTENSITY
) -> tuple[Pcm, Spoken]:
    """Say a sentence; return its sound (samples,) at 24 kHz and how it sounds."""
    chunks = studio.chunks(persona, f"{text}.", VoiceStyle(emotion, intensity))
    pcm = np.concatenate([chunk.pcm for chunk in chunks])
    voice = describe(pcm, SPEECH_RATE_HZ)
    syllables_s = _vowels(chunks) / voice.sounding_s
    return pcm, Spoken(persona, emotion, voice, syllables_s, timbre_of(pcm, SPEECH_RATE_HZ))


def words(studio: Studio, asr: Listener, *, quick: bool) -> Group:
    """Return how many words of each voice and each feeling a recogniser gets wrong."""
    plain = SENTENCES[:_FEW] if quick else SENTENCES
    by_voice: dict[str, tuple[list[str], list[str]]] = {}
    by_emotion: dict[Emotion, tuple[list[str], list[str]]] = {}
    jobs: list[tuple[str, str, Emotion]] = [
        (persona, text, "neutral") for persona in PERSONAS for text in plain
    ]
    # Every feeling in many voices, and over all voices every sentence as often: some are harder.
    each = 1 if quick else 3
    jobs += [
        (persona, plain[(each * at + turn + step) % len(plain)], emotion)
        for turn, emotion in enumerate(EMOTIONS)
        if emotion != "neutral"
        for at, persona in enumerate(list(PERSONAS)[turn % 2 :: 2] if quick else PERSONAS)
        for step in range(each)
    ]
    for persona, text, emotion in progress(jobs, "words"):
        chunks = studio.chunks(persona, f"{text}.", VoiceStyle(emotion, INTENSITY))
        sound = np.concatenate([chunk.pcm for chunk in chunks])
        heard = asr.words(soxr.resample(sound, SPEECH_RATE_HZ, INPUT_RATE_HZ))
        places = [by_emotion.setdefault(emotion, ([], []))]
        if emotion == "neutral":
            places.append(by_voice.setdefault(persona, ([], [])))
        for said, found in places:
            said.append(text)
            found.append(heard)
    voices = {name: word_error(*pair) for name, pair in by_voice.items()}
    feelings = {name: word_error(*pair) for name, pair in by_emotion.items()}
    return _words_group(voices, feelings, asr.name, len(jobs))


def prosody(studio: Studio, *, quick: bool) -> Group:
    """Return how pitch, pace, level and brightness change with the feeling, voice by voice."""
    sentences = SENTENCES[:2] if quick else SENTENCES[:5]
    jobs = [
        (persona, text, emotion)
        for persona in PERSONAS
        for emotion in EMOTIONS
        for text in sentences
    ]
    spoken = [
        speak(studio, persona, text, emotion)[1]
        for persona, text, emotion in progress(jobs, "prosody")
    ]
    rows: list[tuple[str, str, str]] = []
    figures: dict[str, float] = {}
    lines: dict[str, list[tuple[float, float]]] = {}
    for emotion in EMOTIONS:
        change = np.mean([_change(spoken, persona, emotion) for persona in PERSONAS], axis=0)
        pitch, spread, pace, level, bright = change.tolist()
        lines[emotion] = [(100 * (2**pace - 1), pitch)]
        if emotion == "neutral":
            continue
        rows.append(
            (
                f"{emotion} against neutral",
                f"pitch {pitch:+.1f} st, range {spread:+.1f} st, pace {100 * (2**pace - 1):+.0f} %",
                f"level {level:+.1f} dB, brightness {bright:+.1f} dB",
            )
        )
        figures[f"{emotion}_pitch_semitones"] = pitch
    neutral = [item for item in spoken if item.emotion == "neutral"]
    levels = {
        persona: float(np.mean([s.voice.level_db for s in neutral if s.persona == persona]))
        for persona in PERSONAS
    }
    pitches = {
        persona: float(np.median([s.voice.pitch_hz for s in neutral if s.persona == persona]))
        for persona in PERSONAS
    }
    spread_db = max(levels.values()) - min(levels.values())
    pauses = sum(item.voice.pauses for item in neutral)
    rows += [
        ("pitch", ", ".join(f"{name} {hz:.0f}" for name, hz in pitches.items()), "Hz, medians"),
        ("level, loudest against softest voice", f"{spread_db:.1f} dB", "neutral"),
        (
            "pace, neutral",
            f"{np.mean([item.syllables_s for item in neutral]):.1f} syllables a second",
            f"{pauses / len(neutral):.1f} pauses a sentence",
        ),
    ]
    own = _identity(spoken)
    rows.append(
        (
            "sentences nearest to their own voice",
            percent(own.own_share),
            f"drift by feelings {own.drift:.2f} of the way to the nearest other voice",
        )
    )
    figures |= {
        "level_spread_db": spread_db,
        "identity_percent": 100 * own.own_share,
        "identity_drift": own.drift,
    }
    return Group(
        "voice",
        rows,
        figures,
        higher_is_better=("identity_percent",),
        neutral=tuple(name for name in figures if name.endswith("_semitones")),
        plots=(
            Plot(
                "How feelings change the voice",
                "pace against neutral (%)",
                "pitch against neutral (semitones)",
                lines,
                "points",
            ),
        ),
        notes=(
            "Changes of voice are at the intensity that a style has by itself (0.6), mean of eight "
            "voices over the same sentences.",
        ),
    )


def _words_group(
    voices: Mapping[str, float], feelings: Mapping[Emotion, float], asr: str, count: int
) -> Group:
    mean = float(np.mean(list(voices.values())))
    best, worst = min(voices, key=voices.__getitem__), max(voices, key=voices.__getitem__)
    others = {name: error for name, error in feelings.items() if name != "neutral"}
    hardest = max(others, key=others.__getitem__)
    rows = [
        (
            f"words misheard by {asr}, neutral",
            f"{mean:.3f}",
            f"{best} {voices[best]:.2f} to {worst} {voices[worst]:.2f}",
        ),
        (
            "words misheard, other feelings",
            f"{np.mean(list(others.values())):.3f}",
            ", ".join(f"{name} {error:.2f}" for name, error in others.items()),
        ),
    ]
    return Group(
        "words",
        rows,
        {
            "word_error_mean": mean,
            "word_error_worst_voice": voices[worst],
            "word_error_feelings": float(np.mean(list(others.values()))),
            "word_error_worst_feeling": others[hardest],
            "sentences": float(count),
        },
        neutral=("sentences",),
        samples={"word error of a voice": list(voices.values())},
        plots=(
            Plot(
                "Words misheard",
                "voice",
                "share",
                {name: [(at, error)] for at, (name, error) in enumerate(voices.items())},
                "bars",
            ),
        ),
        notes=(
            f"Words misheard are those of {asr}, which errs by itself: on real speech, too "
            "(--recordings). They rank clarity; they do not tell what people understand.",
        ),
    )


def _change(
    spoken: Sequence[Spoken], persona: str, emotion: Emotion
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return how a voice differs from its neutral over the same sentences: (5,)."""
    mine = [item for item in spoken if item.persona == persona]
    felt = [item.row() for item in mine if item.emotion == emotion]
    plain = [item.row() for item in mine if item.emotion == "neutral"]
    change: np.ndarray[tuple[int], np.dtype[np.float64]] = np.mean(felt, axis=0) - np.mean(
        plain, axis=0
    )
    return change


def _identity(spoken: Sequence[Spoken]) -> Identity:
    """Return how far voices stay whose they are when they show a feeling."""
    neutral: dict[str, Timbre] = {
        persona: np.mean(
            [s.timbre for s in spoken if s.persona == persona and s.emotion == "neutral"], axis=0
        )
        for persona in PERSONAS
    }
    return identity(neutral, [(s.persona, s.timbre) for s in spoken if s.emotion != "neutral"])


def _vowels(chunks: Sequence[SpeechChunk]) -> int:
    """Return the number of syllables: every sound with a vowel is one."""
    sounds = {phoneme.start: phoneme.ipa for chunk in chunks for phoneme in chunk.phonemes}
    return sum(is_vowel(ipa) for ipa in sounds.values())
