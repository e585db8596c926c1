"""The one graph, top to bottom: a dialogue → words, styles, sound, motion, pictures.

``stream`` gives every part as soon as it is known, 200 ms of sound and face at a time; ``infer``
makes one stage after the other over all of it. Both give the same answer.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engines.empatheia.clauses import ClauseCutter, ReplyClause
from engines.empatheia.contents import Contents
from engines.empatheia.dialogue import Answer, Dialogue, Pictures, Styles
from engines.empatheia.engines import EmpatheiaEngines
from engines.empatheia.motion import MotionEngine
from engines.empatheia.options import EmpatheiaOptions
from engines.empatheia.performance import Moment, Performance, features_of, saying
from engines.llm.answer import Event as WordEvent
from engines.llm.answer import Replied, Signalled, Understood
from engines.llm.chain import Chain
from engines.types import CHUNK_FRAMES, MOTION_SIZE, MotionFrame, SpeechChunk

Floats: TypeAlias = NDArray[np.float32]

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
    performance: Performance | None = None
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
                performance = Performance(engines, dialogue, chosen, styles)
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
    chunks: list[SpeechChunk] = []
    for clause in clauses:
        placed = voice.begin(saying(engines, clause, styles, chosen))
        if placed is not None:
            chunks += voice.chunks()
            if chosen.content_source == "cs":
                contents.add(clause.states, placed)
    chunks += voice.flush()
    frames = CHUNK_FRAMES * len(chunks)
    pcm = np.concatenate([np.zeros(0, np.float32), *(chunk.pcm for chunk in chunks)])
    if chosen.content_source == "cs":
        motion = _moved(engines.content_motion, contents.take(frames), styles, chosen.seed)
    else:
        motion = _moved(engines.sound_motion, features_of(engines, pcm), styles, chosen.seed)
    face = engines.face(chosen.lookahead_frames).open(dialogue.portrait)
    pictures = [picture for row in motion for picture in face.push(row)] + face.flush()
    return Answer(
        chain=chain,
        reply="".join(word.text for word in words).strip(),
        signals=signals,
        styles=styles,
        chunks=tuple(chunks),
        motion=np.array(motion, np.float32).reshape(len(motion), MOTION_SIZE),
        frames=_stacked(pictures, engines.manifest.face_px),
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
        chunks=tuple(moment.chunk for moment in moments),
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


def _stacked(pictures: list[NDArray[np.uint8]], size: int) -> Pictures:
    return np.array(pictures, np.uint8).reshape(len(pictures), size, size, 3)
