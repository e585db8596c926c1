"""Nano's network answers held-out dialogues, and says its replies; needs torch.

Each dialogue is answered to its first turn, as somebody drawn: chain of empathy, signal tokens,
reply. Do words, voice and face agree, with content synchronizer (CS) and style disentangler (SD)
and without? The nano voice says every reply four ways: contents and styles by the network, the
voice's own contents, the rules' style for the emotion that the chain names, and neither: the
pipeline. What is asked for is that style; it is measured in the voice by the package's hearing
network, which knows the person's neutral, and in the face by which feeling S^v is nearest to.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import soxr

from rt_avatar.benchmarks.metrics.accuracy import HIT, accuracy
from rt_avatar.benchmarks.metrics.distinct import distinct_corpus
from rt_avatar.benchmarks.metrics.voice import word_error
from rt_avatar.benchmarks.quality.asr import PatientListener
from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.replies import Dialogue
from rt_avatar.engines.emotion_words import COARSE, Fine, to_fine
from rt_avatar.engines.llm.profile import PROFILES, Profile
from rt_avatar.engines.motion.style_vector import read_vector
from rt_avatar.engines.nano_tts.engine import NanoEngine
from rt_avatar.engines.nano_tts.style_vector import toned, voice_of
from rt_avatar.engines.prosody import WINDOW_SAMPLES
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Emotion, Pcm, VoiceStyle
from rt_avatar.engines.voice_emotion import VoiceEmotionEngine
from rt_avatar.engines.voice_emotion.engine import SpokenWindow
from rt_avatar.reasoner.styles import response_style

if TYPE_CHECKING:
    from rt_avatar.engines.empatheia.dialogue import Styles
    from rt_avatar.engines.llm.model import Vectors

SPOKEN: Final = 40  # dialogues whose replies are said, at most
_COLUMNS: Final = ("acc32", "acc7", "hit", "dist1", "dist2")
_REPLY_TOKENS: Final = 60
_PAUSE_WINDOWS: Final = 24  # without speech, by which an utterance is over
_NEUTRAL: Final = ("It is a quarter past nine.", "The book is on the table.", "We meet on Monday.")
WAYS: Final = {
    "network": (True, True), "without CS": (False, True), "without SD": (True, False),
    "pipeline": (False, False),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What the network makes of a dialogue.

    Attributes:
        profile: Who answers.
        named: The emotion of its chain.
        text: Its reply.
        clauses: Texts and states of the reply.
        styles: By the disentangler.
    """

    profile: Profile
    named: Fine | None
    text: str
    clauses: tuple[tuple[str, "Vectors"], ...]
    styles: "Styles"


@dataclass(frozen=True, slots=True)
class NetworkFigures:
    """What was measured: rows of the table, figures by name, lines that tell how it sounds."""

    rows: tuple[tuple[str, ...], ...]
    figures: dict[str, float]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spoken:
    """One way to say replies: words misheard, and percents of feelings found as asked for."""

    word_error: float
    voice_percent: float
    face_percent: float
    both_percent: float


def network_answers(
    dialogues: Sequence[Dialogue], *, with_chain: bool
) -> tuple[list[Answer], NanoEngine] | None:
    """Return the network's answers to what is said first, and the voice that can say them.

    None where the extra 'train' is not installed.
    """
    try:
        from rt_avatar.benchmarks.empathy.network_model import answerer
    except ModuleNotFoundError:
        return None
    answer, guide = answerer(_REPLY_TOKENS)
    dice = np.random.default_rng(0)
    made = []
    for at, dialogue in enumerate(progress(dialogues, "network")):
        profile = PROFILES[int(dice.integers(len(PROFILES)))]
        first = next(turn.text for turn in dialogue.turns if turn.role == "caller")
        chain, clauses, styles = answer(first, profile, with_chain, at)
        text = " ".join(clause for clause, _ in clauses)
        made.append(Answer(profile, to_fine(chain.emotion), text, clauses, styles))
    return made, NanoEngine(guide=guide)


def say_all(answers: Sequence[Answer], engine: NanoEngine) -> dict[str, Spoken]:
    """Say replies in every way, and judge them."""
    listener, hearing = PatientListener(), VoiceEmotionEngine()
    neutral: dict[str, list[Pcm]] = {}
    found = {}
    for way, (by_states, by_vector) in WAYS.items():
        truths, heard = [], []
        voices: list[bool] = []
        faces: list[bool] = []
        for one in progress(answers, way):
            style = response_style(one.named)
            person = voice_of(one.profile)
            voice = toned(style.voice, one.profile.tone)
            if by_vector:
                voice = VoiceStyle(voice.emotion, voice.intensity, vector=one.styles.voice)
            pcm = _say(engine, person, one.clauses, voice, by_states)
            if person not in neutral:
                plain = VoiceStyle("neutral", 0.6)
                neutral[person] = [
                    _say(engine, person, [(t, None)], plain, False) for t in _NEUTRAL
                ]
            truths.append(one.text)
            heard.append(listener.words(pcm))
            voices.append(_hear(hearing, neutral[person], pcm) == style.voice.emotion)
            shown = read_vector(one.styles.face[0]) if by_vector else style.face
            faces.append(shown.emotion == style.face.emotion)
        both = [a and b for a, b in zip(voices, faces, strict=True)]
        found[way] = Spoken(
            word_error(truths, heard),
            *(100 * float(np.mean(each)) for each in (voices, faces, both)),
        )
    return found


def _say(
    engine: NanoEngine,
    person: str,
    clauses: Sequence[tuple[str, "Vectors | None"]],
    style: VoiceStyle,
    by_states: bool,
) -> Pcm:
    """Return clauses as they sound (samples,) at 16 kHz."""
    stream = engine.open(person)
    chunks = []
    for index, (text, states) in enumerate(clauses):
        chunks += stream.push(SpeechRequest(text, style, index, states if by_states else None))
    chunks += stream.flush()
    pcm = np.concatenate([chunk.pcm for chunk in chunks] or [np.zeros(0, np.float32)])
    sound: Pcm = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ).astype(np.float32)
    return sound


def _hear(engine: VoiceEmotionEngine, before: Sequence[Pcm], pcm: Pcm) -> Emotion | None:
    """Return the likeliest emotion of a voice whose neutral sentences were heard before."""
    stream = engine.open()
    last = None
    for sound in (*before, pcm):
        level = max(float(np.abs(sound).max(initial=0.0)), 1e-6)
        for start in range(0, len(sound) - WINDOW_SAMPLES + 1, WINDOW_SAMPLES):
            window = sound[start : start + WINDOW_SAMPLES]
            loud = float(np.sqrt(np.square(window).mean())) > 0.02 * level
            stream.push(SpokenWindow(window, is_speech=loud))
        for _ in range(_PAUSE_WINDOWS):
            for told in stream.push(SpokenWindow(np.zeros(WINDOW_SAMPLES, np.float32), False)):
                last = told or last
    if last is None:
        return None
    return "neutral" if last.emotion == "calm" else last.emotion


def measure_network(dialogues: Sequence[Dialogue]) -> NetworkFigures | None:
    """Answer the first turns of dialogues, and say the first ``SPOKEN`` of the replies.

    None where the extra 'train' is not installed.
    """
    labels = [dialogue.label for dialogue in dialogues]
    rows: list[tuple[str, ...]] = []
    figures: dict[str, float] = {}
    spoken: dict[str, Spoken] = {}
    for name, with_chain in (("llm", True), ("llm_no_chain", False)):
        answered = network_answers(dialogues, with_chain=with_chain)
        if answered is None:
            return None
        answers, engine = answered
        shares = [math.nan] * 3
        if with_chain:
            named = [one.named for one in answers]
            shares = [100 * accuracy(labels, named, k).share for k in (None, COARSE, HIT)]
        distinct = [distinct_corpus([one.text for one in answers], n) for n in (1, 2)]
        figures |= dict(
            zip((f"{name}_{key}" for key in _COLUMNS), (*shares, *distinct), strict=True)
        )
        rows.append((name.replace("_", " "), *(f"{v:.1f}" for v in (*shares, *distinct))))
        if with_chain:
            said = [one for one in answers if one.text.strip()][:SPOKEN]
            spoken = say_all(said, engine)
            words = sum(len(one.text.split()) for one in said)
    for way, one in spoken.items():
        figures[f"{way.replace(' ', '_').lower()}_word_error"] = one.word_error
        figures[f"{way.replace(' ', '_').lower()}_agreed_percent"] = one.both_percent
    return NetworkFigures(tuple(rows), figures, tuple(notes_of(spoken, words)))


def notes_of(spoken: dict[str, Spoken], words: int) -> list[str]:
    """Return lines that tell how replies were said."""
    return [
        f"{way}: {one.word_error:.3f} of {words} words misheard; the feeling asked for "
        f"is heard in {one.voice_percent:.0f} %, shown in {one.face_percent:.0f} %, both in "
        f"{one.both_percent:.0f} %"
        for way, one in spoken.items()
    ]
