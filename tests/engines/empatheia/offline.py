"""A dialogue answered one stage after the other, over all of it: what ``stream`` must equal.

``infer`` shares the engines with ``stream`` and none of its cutting;
``gather`` makes a streamed answer whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.dreamtalk.pose import STILL
from rt_avatar.engines.empatheia.answer import Event, find_styles
from rt_avatar.engines.empatheia.clauses import ClauseCutter, ReplyClause
from rt_avatar.engines.empatheia.contents import Contents
from rt_avatar.engines.empatheia.dialogue import Dialogue, Pictures, Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.motion import MotionEngine
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.empatheia.performance import Moment
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.encoders.waveform import FEATURE_SAMPLES, REACH_SAMPLES
from rt_avatar.engines.llm.answer import Replied, Signalled, Understood
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.motion.space import MotionSpace
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    EXPRESSION_SIZE,
    INPUT_RATE_HZ,
    MOTION_SIZE,
    SPEECH_RATE_HZ,
    Motion,
    MotionFrame,
    Pcm,
    SpeechChunk,
)


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """All of one answer.

    Attributes:
        chain: What was understood.
        reply: The words.
        signals: What the language model made of the signal tokens.
        styles: How it sounds and looks.
        chunks: The speech, 200 ms each.
        motion: (frames, 73), five a chunk.
        frames: (frames, height, width, 3).
    """

    chain: Chain
    reply: str
    signals: Signalled
    styles: Styles
    chunks: tuple[SpeechChunk, ...]
    motion: Motion
    frames: Pictures

    @property
    def pcm(self) -> Pcm:
        """The speech as one, (samples,) at 24 kHz."""
        return np.concatenate([np.zeros(0, np.float32), *(chunk.pcm for chunk in self.chunks)])


def infer(engines: EmpatheiaEngines, dialogue: Dialogue, options: EmpatheiaOptions) -> Answer:
    """Answer, one stage after the other.

    Raises:
        ValueError: The dialogue lacks what the options ask for, or is too long.
    """
    chosen = options.effective()
    words_of_it = chosen.words()
    prompt = engines.read(dialogue, chosen.without, words_of_it.tokens)
    told = list(engines.answerer.answer(prompt, words_of_it))
    chain = next(event.chain for event in told if isinstance(event, Understood))
    signals = next(event for event in told if isinstance(event, Signalled))
    words = [event for event in told if isinstance(event, Replied)]
    styles = find_styles(engines, dialogue, chosen, chain, signals)
    cutter = ClauseCutter(span=chosen.content_span)
    clauses = [clause for word in words for clause in cutter.push(word)] + cutter.flush()
    voice, contents = engines.voice.open(), Contents(engines)
    chunks: list[SpeechChunk] = []
    for clause in clauses:
        placed = voice.begin(_said(engines, clause, styles, chosen))
        if placed is not None:
            chunks += voice.chunks()
            if chosen.content_source == "cs":
                contents.add(clause.states, placed)
    chunks += voice.flush()
    frames, space = CHUNK_FRAMES * len(chunks), engines.manifest.motion_space
    pcm = np.concatenate([np.zeros(0, np.float32), *(chunk.pcm for chunk in chunks)])
    if chosen.content_source == "cs":
        motion = _moved(engines.content_motion, contents.take(frames), styles, chosen.seed, space)
    else:
        motion = _moved(engines.sound_motion, _features(engines, pcm), styles, chosen.seed, space)
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


def _moved(
    motion: MotionEngine,
    items: NDArray[np.float32],
    styles: Styles,
    seed: int,
    space: MotionSpace,
) -> list[MotionFrame]:
    stream = motion.open(seed)
    stream.set_style(styles.face[0])
    rows: list[MotionFrame] = stream.push(items) + stream.flush()
    shown = space.bounded(np.array(rows, np.float32).reshape(len(rows), MOTION_SIZE))
    shown[:, EXPRESSION_SIZE:] = STILL
    return list(shown)


def _said(
    engines: EmpatheiaEngines, clause: ReplyClause, styles: Styles, options: EmpatheiaOptions
) -> VoiceRequest:
    def content(tokens: int) -> NDArray[np.float32]:
        return engines.voice_content(clause.states, tokens)

    return VoiceRequest(
        clause.text,
        styles.voice,
        content if options.content_source == "cs" else None,
        clause.index,
        options.speed,
        options.seed,
        is_sampled=options.style_source == "diffusion",
    )


def _features(engines: EmpatheiaEngines, pcm: Pcm) -> NDArray[np.float32]:
    heard = engines.features.open()
    sound = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ)
    tail = np.zeros(REACH_SAMPLES - FEATURE_SAMPLES, np.float32)
    features = heard.push(np.concatenate((sound, tail))) + heard.flush()
    return np.concatenate([np.zeros((0, engines.manifest.feature_size), np.float32), *features])


def _stacked(pictures: list[NDArray[np.uint8]], size: int) -> Pictures:
    return np.array(pictures, np.uint8).reshape(len(pictures), size, size, 3)
