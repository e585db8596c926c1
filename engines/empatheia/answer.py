"""The one graph, top to bottom: a dialogue → words, styles, sound, motion, pictures.

``stream`` gives every part as soon as it is known, 200 ms of sound and face at a time; ``infer``
makes one stage after the other over all of it. Both give the same answer.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import soxr
from numpy.typing import NDArray

from engines.empatheia.clauses import ClauseCutter, ReplyClause
from engines.empatheia.contents import Contents
from engines.empatheia.dialogue import Answer, Dialogue, Pictures, Styles
from engines.empatheia.engines import EmpatheiaEngines
from engines.empatheia.motion import MotionEngine
from engines.empatheia.options import EmpatheiaOptions
from engines.empatheia.voice import Saying
from engines.encoders.waveform import FEATURE_SAMPLES, REACH_SAMPLES
from engines.llm.answer import Event as WordEvent
from engines.llm.answer import Replied, Signalled, Understood
from engines.llm.chain import Chain
from engines.types import (
    ATOM_FRAMES,
    HEARING_RATE_HZ,
    MOTION_SIZE,
    SPEECH_RATE_HZ,
    Motion,
    MotionFrame,
    Pcm,
    SpeechAtom,
)

Floats: TypeAlias = NDArray[np.float32]

# The last feature of an atom reaches so far beyond it: silence, at the end of the speech.
_TAIL: Final = np.zeros(REACH_SAMPLES - FEATURE_SAMPLES, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """200 ms of the answer: sound, (5, 73) motion, (5, size, size, 3) pictures."""

    atom: SpeechAtom
    motion: Motion
    frames: Pictures


Event: TypeAlias = Understood | Signalled | Styles | Replied | Moment


def stream(
    engines: EmpatheiaEngines, dialogue: Dialogue, options: EmpatheiaOptions
) -> Iterator[Event]:
    """Answer, part by part.

    Yields:
        One ``Understood``, one ``Signalled`` and behind it one ``Styles``, every ``Replied``, and
        a ``Moment`` each 200 ms. With ``coe = "paper"`` styles come behind the words.

    Raises:
        ValueError: The dialogue lacks what the options ask for, or is too long.
    """
    chosen, cutter, chain = options.effective(), ClauseCutter(), Chain()
    waiting: list[ReplyClause] = []  # until the styles are known
    performance: _Performance | None = None
    for event in _answered(engines, dialogue, chosen):
        clauses: list[ReplyClause] = []
        match event:
            case Understood():
                chain = event.chain
                yield event
            case Signalled():
                yield event
                styles = find_styles(engines, dialogue, chosen, chain, event)
                yield styles
                performance = _Performance(engines, dialogue, chosen, styles)
            case Replied():
                yield event
                clauses = cutter.push(event)
            case _:
                clauses = cutter.flush()
        waiting += clauses
        while performance is not None and waiting:
            yield from performance.say(waiting.pop(0))
    if performance is not None:
        yield from performance.finish()


def infer(engines: EmpatheiaEngines, dialogue: Dialogue, options: EmpatheiaOptions) -> Answer:
    """Answer, one stage after the other.

    Raises:
        ValueError: The dialogue lacks what the options ask for, or is too long.
    """
    chosen = options.effective()
    told = list(_answered(engines, dialogue, chosen))
    chain = next(event.chain for event in told if isinstance(event, Understood))
    signals = next(event for event in told if isinstance(event, Signalled))
    words = [event for event in told if isinstance(event, Replied)]
    styles = find_styles(engines, dialogue, chosen, chain, signals)
    cutter = ClauseCutter()
    clauses = [clause for word in words for clause in cutter.push(word)] + cutter.flush()
    voice, contents = engines.voice.open(), Contents(engines)
    atoms: list[SpeechAtom] = []
    for clause in clauses:
        placed = voice.begin(saying(engines, clause, styles, chosen))
        if placed is not None:
            atoms += voice.atoms()
            if chosen.content_source == "cs":
                contents.add(clause.states, placed)
    atoms += voice.flush()
    frames = ATOM_FRAMES * len(atoms)
    pcm = np.concatenate([np.zeros(0, np.float32), *(atom.pcm for atom in atoms)])
    if chosen.content_source == "cs":
        motion = _moved(engines.content_motion, contents.take(frames), styles, chosen.seed)
    else:
        motion = _moved(engines.sound_motion, _features(engines, pcm), styles, chosen.seed)
    face = engines.face(chosen.lookahead_frames).open(dialogue.portrait)
    pictures = [picture for row in motion for picture in face.push(row)] + face.flush()
    return Answer(
        chain=chain,
        reply="".join(word.text for word in words).strip(),
        signals=signals,
        styles=styles,
        atoms=tuple(atoms),
        motion=np.array(motion, np.float32).reshape(len(motion), MOTION_SIZE),
        frames=_stacked(pictures, engines.profile.face_px),
    )


def gather(events: Iterator[Event], face_px: int) -> Answer:
    """Return the whole of a streamed answer.

    Raises:
        ValueError: It was broken off before the styles.
    """
    told = list(events)
    moments = [event for event in told if isinstance(event, Moment)]
    by_kind = {type(event): event for event in told}
    understood, signals, styles = (by_kind.get(kind) for kind in (Understood, Signalled, Styles))
    if not (
        isinstance(understood, Understood)
        and isinstance(signals, Signalled)
        and isinstance(styles, Styles)
    ):
        raise ValueError("answer: expected a whole one; it ends before its styles")
    return Answer(
        chain=understood.chain,
        reply="".join(event.text for event in told if isinstance(event, Replied)).strip(),
        signals=signals,
        styles=styles,
        atoms=tuple(moment.atom for moment in moments),
        motion=np.concatenate(
            [np.zeros((0, MOTION_SIZE), np.float32), *(moment.motion for moment in moments)]
        ),
        frames=np.concatenate([_stacked([], face_px), *(moment.frames for moment in moments)]),
    )


def find_styles(
    engines: EmpatheiaEngines,
    dialogue: Dialogue,
    options: EmpatheiaOptions,
    chain: Chain,
    signals: Signalled,
) -> Styles:
    """Return how the answer sounds and looks, from where the options say."""
    match options.style_source:
        case "sd":
            return engines.disentangled(signals)
        case "bank":
            return engines.banked(chain)
        case "reference":
            return engines.referred(dialogue)


def saying(
    engines: EmpatheiaEngines, clause: ReplyClause, styles: Styles, options: EmpatheiaOptions
) -> Saying:
    """Return a clause as the voice takes it."""

    def content(tokens: int) -> Floats:
        return engines.voice_content(clause.states, tokens)

    by_synchronizer = options.content_source == "cs"
    return Saying(
        clause.text,
        styles.voice,
        content if by_synchronizer else None,
        clause.index,
        options.speed,
        options.seed,
    )


class _Performance:
    """One answer while it is spoken: clauses in, moments out."""

    def __init__(
        self,
        engines: EmpatheiaEngines,
        dialogue: Dialogue,
        options: EmpatheiaOptions,
        styles: Styles,
    ) -> None:
        self._engines, self._options, self._styles = engines, options, styles
        self._voice = engines.voice.open()
        self._face = engines.face(options.lookahead_frames).open(dialogue.portrait)
        self._by_synchronizer = options.content_source == "cs"
        motion = engines.content_motion if self._by_synchronizer else engines.sound_motion
        self._motion = motion.open(options.seed)
        self._motion.set_style(styles.face[0])
        self._ahead = motion.spec.lookahead + options.lookahead_frames
        self._contents = Contents(engines)
        self._features = engines.features.open()
        self._resampler = _resampler()
        self._told = 0  # contents
        self._spoken = 0  # atoms
        self._atoms: deque[SpeechAtom] = deque()
        self._rows: deque[MotionFrame] = deque()
        self._pictures: deque[NDArray[np.uint8]] = deque()

    def say(self, clause: ReplyClause) -> Iterator[Moment]:
        """Speak a clause after the last one."""
        placed = self._voice.begin(saying(self._engines, clause, self._styles, self._options))
        if placed is None:
            return
        if self._by_synchronizer:
            self._contents.add(clause.states, placed)
        for atom in self._voice.atoms():
            self._hear(atom)
            yield from self._ready()

    def finish(self) -> Iterator[Moment]:
        """Speak what is left, and let the face end."""
        for atom in self._voice.flush():
            self._hear(atom)
            yield from self._ready()
        if self._by_synchronizer:
            self._move(self._contents.take(ATOM_FRAMES * self._spoken - self._told))
        elif self._spoken:
            rest = self._resampler.resample_chunk(np.zeros(0, np.float32), last=True)
            for features in self._features.push(np.concatenate((rest, _TAIL))):
                self._move(features)
            for features in self._features.flush():
                self._move(features)
        self._draw(self._motion.flush())
        self._pictures.extend(self._face.flush())
        yield from self._ready()

    def _hear(self, atom: SpeechAtom) -> None:
        """Let the face follow 200 ms of speech."""
        self._atoms.append(atom)
        self._spoken += 1
        if self._by_synchronizer:
            wanted = ATOM_FRAMES * self._spoken + self._ahead - self._told
            self._move(self._contents.take(wanted, is_end=False))
            return
        for features in self._features.push(self._resampler.resample_chunk(atom.pcm)):
            self._move(features)

    def _move(self, items: Floats) -> None:
        self._told += len(items)
        self._draw(self._motion.push(items))

    def _draw(self, rows: list[MotionFrame]) -> None:
        self._rows.extend(rows)
        for row in rows:
            self._pictures.extend(self._face.push(row))

    def _ready(self) -> Iterator[Moment]:
        while self._atoms and len(self._pictures) >= ATOM_FRAMES:
            rows = [self._rows.popleft() for _ in range(ATOM_FRAMES)]
            pictures = [self._pictures.popleft() for _ in range(ATOM_FRAMES)]
            yield Moment(self._atoms.popleft(), np.stack(rows), np.stack(pictures))


def _answered(
    engines: EmpatheiaEngines, dialogue: Dialogue, chosen: EmpatheiaOptions
) -> Iterator[WordEvent]:
    """Return what the language model answers."""
    words = chosen.words()
    prompt = engines.read(dialogue, chosen.pipeline, words.tokens)
    return engines.answerer.answer(prompt, words)


def _moved(motion: MotionEngine, items: Floats, styles: Styles, seed: int) -> list[MotionFrame]:
    stream = motion.open(seed)
    stream.set_style(styles.face[0])
    rows: list[MotionFrame] = stream.push(items) + stream.flush()
    return rows


def _features(engines: EmpatheiaEngines, pcm: Pcm) -> Floats:
    """Return the features of all of a speech."""
    heard = engines.features.open()
    resampler = _resampler()
    sound = np.concatenate((resampler.resample_chunk(pcm, last=True), _TAIL))
    made = heard.push(sound) + heard.flush()
    return np.concatenate([np.zeros((0, engines.profile.feature_size), np.float32), *made])


def _resampler() -> soxr.ResampleStream:
    return soxr.ResampleStream(SPEECH_RATE_HZ, HEARING_RATE_HZ, 1, dtype="float32")


def _stacked(pictures: list[NDArray[np.uint8]], size: int) -> Pictures:
    return np.array(pictures, np.uint8).reshape(len(pictures), size, size, 3)
