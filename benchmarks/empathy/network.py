"""Nano's network answers held-out dialogues, and says its replies; needs torch.

Each dialogue is answered to its first turn, as somebody drawn: chain of empathy, signal tokens,
reply. Do words, voice and face agree, with content synchronizer (CS) and style disentangler (SD)
and without? The nano voice says every reply four ways: contents and styles by the network, the
voice's own contents, the rules' style for the emotion that the chain names, and neither: the
pipeline. That style is what is asked for, so the last two are the most that can be reached. It is
heard by a judge of actors whom the voice does not follow, beside the same words of the same
contents, said neutrally by the same person: named among all seven that were acted, and among those
alone that a listener ever shows. It is seen by a judge of drawn faces who has not met the one that
answers.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import soxr

from rt_avatar.benchmarks.metrics.accuracy import HIT, accuracy
from rt_avatar.benchmarks.metrics.distinct import distinct_corpus
from rt_avatar.benchmarks.metrics.voice import word_error
from rt_avatar.benchmarks.quality.asr import PatientListener
from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.replies import Dialogue
from rt_avatar.benchmarks.quality.styles import FaceJudge
from rt_avatar.engines.emotion_words import COARSE, FINE, Fine, to_fine
from rt_avatar.engines.llm.profile import PROFILES, Profile
from rt_avatar.engines.motion.style_vector import read_vector
from rt_avatar.engines.nano_tts.engine import NanoEngine
from rt_avatar.engines.nano_tts.style_vector import toned, voice_of
from rt_avatar.engines.training.voice.actors import is_followed, measure_actors
from rt_avatar.engines.training.voice.judges import EmotionJudge
from rt_avatar.engines.training.voice.measures import measure_voice
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, FaceStyle, Pcm, VoiceStyle
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner.styles import ResponseStyle, response_style

if TYPE_CHECKING:
    from rt_avatar.engines.empatheia.dialogue import Styles
    from rt_avatar.engines.llm.model import Vectors

_COLUMNS: Final = ("acc32", "acc7", "hit", "dist1", "dist2")
_REPLY_TOKENS: Final = 60
# What a listener ever shows, by the rules.
SHOWN: Final = frozenset(response_style(fine).voice.emotion for fine in (None, *FINE)) | {"neutral"}
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
    """One way to say replies: words misheard, and percents of feelings found as asked for.

    Attributes:
        word_error: Share of words.
        voice: Heard, of seven; NaN where nobody judges.
        shown: Heard, of those that a listener shows.
        face: Seen, of eight.
        agreed: Heard, of seven, and seen.
        agreed_shown: Heard, of those that a listener shows, and seen.
    """

    word_error: float
    voice: float
    shown: float
    face: float
    agreed: float
    agreed_shown: float


class Judges:
    """Who hears and sees the feeling of a reply.

    Args:
        people: Holds ``speech/ravdess``.

    Raises:
        FileNotFoundError: The corpus is not there.
    """

    def __init__(self, people: Path) -> None:
        acted = measure_actors(people, lambda actor: not is_followed(actor))
        self._of_seven = EmotionJudge(acted)
        self._of_shown = EmotionJudge(acted, [*SHOWN])
        self._face = FaceJudge()

    def right(
        self, person: str, asked: ResponseStyle, heard: tuple[Pcm, Pcm], shown: FaceStyle
    ) -> tuple[bool, bool, bool] | None:
        """Return whether a reply is heard of seven, heard of those shown, and seen, as asked for.

        None where too little of it is voiced to tell.

        Args:
            person: Who says it.
            asked: How.
            heard: The reply, and the same words said neutrally, at 24 kHz.
            shown: The face's style.
        """
        try:
            said, neutral = map(measure_voice, heard)
        except ValueError:
            return None
        voice = asked.voice.emotion
        name = next(one.name for one in PERSONAS.values() if one.voice == person)
        return (
            self._of_seven.name(said, neutral) == voice,
            self._of_shown.name(said, neutral) == voice,
            self._face.name(name, shown) == asked.face.emotion,
        )


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


def say_all(
    answers: Sequence[Answer], engine: NanoEngine, judges: Judges | None
) -> dict[str, Spoken]:
    """Say replies in every way, and judge them."""
    listener = PatientListener()
    plain = {
        by_states: [
            _say(engine, voice_of(one.profile), one.clauses, VoiceStyle(), by_states)
            for one in answers
        ]
        for by_states in ((False, True) if judges is not None else ())
    }
    found = {}
    for way, (by_states, by_vector) in WAYS.items():
        heard, right = [], []
        for at, one in enumerate(progress(answers, way)):
            style = response_style(one.named)
            person = voice_of(one.profile)
            voice, face = toned(style.voice, one.profile.tone), style.face
            if by_vector:
                voice = VoiceStyle(voice.emotion, voice.intensity, vector=one.styles.voice)
                face = read_vector(one.styles.face[0])
            pcm = _say(engine, person, one.clauses, voice, by_states)
            heard.append(listener.words(soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ)))
            judged = None
            if judges is not None:
                judged = judges.right(person, style, (pcm, plain[by_states][at]), face)
            right += [judged] if judged is not None else []
        found[way] = _spoken(word_error([one.text for one in answers], heard), right)
    return found


def _spoken(error: float, right: Sequence[tuple[bool, bool, bool]]) -> Spoken:
    if not right:
        return Spoken(error, *[math.nan] * 5)
    voice, shown, face = np.array(right).T
    rows = (voice, shown, face, voice & face, shown & face)
    return Spoken(error, *(100 * float(np.mean(row)) for row in rows))


def _say(
    engine: NanoEngine,
    person: str,
    clauses: Sequence[tuple[str, "Vectors | None"]],
    style: VoiceStyle,
    by_states: bool,
) -> Pcm:
    """Return clauses as they sound (samples,) at 24 kHz."""
    stream = engine.open(person)
    chunks = []
    for index, (text, states) in enumerate(clauses):
        chunks += stream.push(SpeechRequest(text, style, index, states if by_states else None))
    chunks += stream.flush()
    return np.concatenate([chunk.pcm for chunk in chunks] or [np.zeros(0, np.float32)])


def measure_network(
    dialogues: Sequence[Dialogue], spoken_most: int, people: Path | None = None
) -> NetworkFigures | None:
    """Answer the first turns of dialogues, and say some of the replies.

    None where the extra 'train' is not installed.

    Args:
        dialogues: To answer.
        spoken_most: Replies to say, the first ones.
        people: Holds ``speech/ravdess``, whom judges of the voice learn from; None: nobody judges.

    Raises:
        FileNotFoundError: The corpus is not there.
    """
    judges = None if people is None else Judges(people)
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
            said = [one for one in answers if one.text.strip()][:spoken_most]
            spoken = say_all(said, engine, judges)
            words = sum(len(one.text.split()) for one in said)
    for way, one in spoken.items():
        for key, value in asdict(one).items():
            figures[f"{way.replace(' ', '_').lower()}_{key}"] = value
    return NetworkFigures(tuple(rows), figures, tuple(notes_of(spoken, words)))


def notes_of(spoken: dict[str, Spoken], words: int) -> list[str]:
    """Return lines that tell how replies were said."""
    lines = []
    for way, one in spoken.items():
        line = f"{way}: {one.word_error:.3f} of {words} words misheard"
        if not math.isnan(one.agreed):
            line += (
                f"; the feeling asked for is heard in {one.voice:.0f} % (of those a listener "
                f"shows {one.shown:.0f}), seen in {one.face:.0f} %, both in {one.agreed:.0f} "
                f"({one.agreed_shown:.0f}) %"
            )
        lines.append(line)
    return lines
