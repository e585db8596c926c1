"""The network's stages: ears, eyes, language, contents and styles, voice, motion, face.

What a stage is fed is as in a call, whatever the weights: a voice that was not trained draws every
sound out, so it is made to speak as fast as people read.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rt_avatar.benchmarks.engines import inputs
from rt_avatar.benchmarks.engines.case import AnyEngine, Flush, Item, Out
from rt_avatar.benchmarks.engines.inputs import CLAUSES
from rt_avatar.benchmarks.engines.network_stage import Exports, Stage
from rt_avatar.benchmarks.engines.steps import Function, Step
from rt_avatar.engines.empatheia.export_manifest import (
    ExportManifest,
)
from rt_avatar.engines.encoders.pictures import PICTURES_HZ
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.engines.types import CHUNK_FRAMES, CHUNK_S, FPS, INPUT_RATE_HZ, SpeechChunk

if TYPE_CHECKING:
    from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
    from rt_avatar.engines.empatheia.voice import VoiceRequest

UTTERANCE_S: Final = 5.0  # that is heard
PICTURES: Final = round(UTTERANCE_S * PICTURES_HZ)
PROMPT_TOKENS: Final = 256  # a dialogue of some turns
TOKENS_HZ: Final = 4  # of speech: 170 words a minute, 1.4 tokens a word
STEPS: Final = 64
CHAIN_TOKENS: Final = 40
REPLY_TOKENS: Final = 24
REPLY_S: Final = REPLY_TOKENS / TOKENS_HZ
SOUNDS_HZ: Final = 17  # phonemes of read English
CLAUSE_S: Final = 2.4
CLAUSE: Final = (round(CLAUSE_S * TOKENS_HZ), round(CLAUSE_S * SOUNDS_HZ), round(CLAUSE_S * FPS))
CHUNKS: Final = 60
SIGNALS: Final = 16  # of the voice, and of the face
LOOKAHEAD_FRAMES: Final = 2  # of the renderer, its default
CALL_PX: Final = 512  # to which a call enlarges its pictures
# All of the voice's but what takes a style from a recording.
_SPEAKING: Final = tuple(
    f"styletts2_{part}"
    for part in ("text", "bert", "durations", "curves", "trunk", "step", "window")
)
_FIRST_WORD: Final = 64  # ids before it may be special
_WORDS: Final = 200  # that every vocabulary has


# --- ears and eyes ------------------------------------------------------------------------------
def _utterance(exports: Exports) -> list[Item]:
    return [inputs.caller(exports.options.speech, UTTERANCE_S), Flush()]


def _pictures(exports: Exports) -> list[Item]:
    return [*inputs.camera(exports.options.clip, round(FPS / PICTURES_HZ), PICTURES), Flush()]


def _chunks_heard(exports: Exports) -> list[Item]:
    sound = inputs.caller(exports.options.speech, exports.options.seconds)
    return list(inputs.blocks(sound, round(CHUNK_S * INPUT_RATE_HZ)))


# --- language -----------------------------------------------------------------------------------
def _ids(count: int) -> list[int]:
    dice = np.random.default_rng(0)
    return [int(one) for one in dice.integers(_FIRST_WORD, _FIRST_WORD + _WORDS, count)]


def _prefill(engines: "EmpatheiaEngines") -> AnyEngine:
    model = engines.language
    return Step("prefill", 0, lambda: lambda ids: [model.read(model.embed(ids))])


def _stepper(engines: "EmpatheiaEngines") -> AnyEngine:
    model = engines.language
    prompt: list[Any] = []  # read once for all streams: what was read never changes

    def make() -> Function:
        if not prompt:
            prompt.append(model.read(model.embed(_ids(PROMPT_TOKENS))))
        read = prompt[0]

        def step(token: int) -> list[Out]:
            nonlocal read
            read = model.step([token], read)
            return [read.logits]

        return step

    return Step("step", TOKENS_HZ, make)


def _answerer(engines: "EmpatheiaEngines") -> AnyEngine:
    from rt_avatar.engines.empatheia.options import EmpatheiaOptions

    words = EmpatheiaOptions(
        chain_tokens=CHAIN_TOKENS, reply_tokens=REPLY_TOKENS, temperature=1.0
    ).words()

    def answer(dialogue: Any) -> list[Out]:
        prompt = engines.read(dialogue, without=("speech", "video"))
        return [list(engines.answerer.answer(prompt, words))]

    return Step("answer", 0, lambda: answer)


def _dialogues(exports: Exports) -> list[Item]:
    from rt_avatar.engines.empatheia.dialogue import Dialogue, Utterance

    said = (
        Utterance("user", "My grandmother is ill and I could not sleep at all last night."),
        Utterance("avatar", "Oh, I am sorry. That must be very hard for you."),
        Utterance("user", "Nobody at work listens when I say that I am tired and afraid."),
    )
    return [Dialogue(said)]


def _spoken_s(events: Out) -> float:
    """Return how long a reply is, at least a token."""
    from rt_avatar.engines.llm.answer import Replied

    return max(1, sum(isinstance(event, Replied) for event in events)) / TOKENS_HZ


# --- contents and styles ------------------------------------------------------------------------
def _states(engines: "EmpatheiaEngines", count: int) -> Any:
    width = engines.language.embed([0]).shape[1]
    return np.random.default_rng(0).normal(0, 1, (count, width)).astype(np.float32)


def _contents(engines: "EmpatheiaEngines") -> AnyEngine:
    states = _states(engines, CLAUSE[0])

    def make(lengths: tuple[int, int]) -> list[Out]:
        sounds, frames = lengths
        return [engines.voice_content(states, sounds), engines.face_content(states, frames)]

    return Step("contents", 0, lambda: make)


def _styles(engines: "EmpatheiaEngines") -> AnyEngine:
    from rt_avatar.engines.llm.answer import Signalled

    states = _states(engines, 2 * SIGNALS)
    signals = Signalled(states[:SIGNALS], states[SIGNALS:])
    return Step("styles", 0, lambda: lambda _: [engines.disentangled(signals)])


# --- voice --------------------------------------------------------------------------------------
def speaking_rate(engines: "EmpatheiaEngines") -> float:
    """Return how much faster than by itself an untrained voice must speak to be read English."""
    if engines.manifest.is_trained:
        return 1.0
    clause = _said(engines.manifest, 1.0)[1]
    placed = engines.voice.open().begin(clause)
    sounds = sum(letter.isalnum() for letter in clause.text)
    return max(1.0, 0.0 if placed is None else placed.frames / FPS * SOUNDS_HZ / sounds)


def _said(manifest: ExportManifest, rate: float) -> list["VoiceRequest"]:
    from rt_avatar.engines.empatheia.voice import VoiceRequest

    style = np.zeros((1, manifest.voice_style_size), np.float32)
    return [VoiceRequest(text, style, None, n, rate) for n, text in enumerate(CLAUSES)]


def _clauses(exports: Exports) -> list[Item]:
    engines = exports.engines(exports.graph_cache(OnnxRuntime))
    return [*_said(engines.manifest, speaking_rate(engines)), Flush()]


def _ticks(exports: Exports) -> list[Item]:
    """Return all clauses with each tick: whoever ticks says one after the other."""
    clauses = [item for item in _clauses(exports) if not isinstance(item, Flush)]
    return [clauses] * CHUNKS


def _ticking(engines: "EmpatheiaEngines") -> AnyEngine:
    """Return the voice as a call asks it for sound: 200 ms a tick, a new clause where one ends."""

    def make() -> Function:
        voice = engines.voice.open()
        said = itertools.count()
        coming: Iterator[SpeechChunk] = iter(())

        def tick(clauses: Sequence["VoiceRequest"]) -> list[Out]:
            nonlocal coming
            while (chunk := next(coming, None)) is None:
                voice.begin(clauses[next(said) % len(clauses)])
                coming = voice.chunks()
            return [chunk]

        return tick

    return Step("voice", round(1 / CHUNK_S), make)


# --- motion and face ----------------------------------------------------------------------------
def _rows(count: int, size: int, rows: int) -> list[Item]:
    dice = np.random.default_rng(0)
    return list(dice.normal(0, 1, (count, rows, size)).astype(np.float32))


def _motion(exports: Exports) -> list[Item]:
    return [inputs.lively_motion(frame) for frame in range(round(exports.options.seconds * FPS))]


def _live_face(engines: "EmpatheiaEngines") -> AnyEngine:
    from rt_avatar.engines.empatheia.live_face import LiveFace

    size = engines.manifest.face_px
    return LiveFace(engines, CALL_PX, lambda _: np.full((size, size, 3), 128, np.uint8))


def _split(block: Any) -> Sequence[Item]:
    return np.split(block, len(block))


STAGES: Final = (
    Stage(
        "speech encoder", "llm", "5 s of voice",
        lambda manifest: ("encoders_speech", f"encoders_speech_tokens_{manifest.query_bins}"),
        lambda engines: engines.speech_encoders[engines.manifest.query_bins],
        _utterance, UTTERANCE_S,
    ),
    Stage(
        "vision encoder", "llm", "picture",
        lambda manifest: ("encoders_vision", f"encoders_vision_tokens_{manifest.query_bins}"),
        lambda engines: engines.vision_encoders[engines.manifest.query_bins],
        _pictures, 1 / PICTURES_HZ,
    ),
    Stage(
        "LLM prefill", "llm", f"{PROMPT_TOKENS} tokens", lambda _: ("llm_*",), _prefill,
        lambda _: [_ids(PROMPT_TOKENS)], UTTERANCE_S,
    ),
    Stage(
        "LLM step", "llm", "token", lambda _: ("llm_*",), _stepper, lambda _: _ids(STEPS),
        1 / TOKENS_HZ,
    ),
    Stage(
        "answer", "llm", f"chain {CHAIN_TOKENS}, reply {REPLY_TOKENS} tokens",
        lambda _: ("llm_*",), _answerer, _dialogues, seconds_of=_spoken_s,
    ),
    Stage(
        "contents", "voice", f"clause of {CLAUSE_S} s", lambda _: ("fusion_*_content",), _contents,
        lambda _: [CLAUSE[1:]], CLAUSE_S,
    ),
    Stage(
        "styles", "llm", "reply", lambda _: ("fusion_styles",), _styles, lambda _: [None],
        REPLY_S,
    ),
    Stage(
        "voice", "voice", "200 ms", lambda _: _SPEAKING, _ticking, _ticks, CHUNK_S,
    ),
    Stage(
        "voice, whole", "voice", "clause", lambda _: _SPEAKING,
        lambda engines: engines.voice, _clauses, seconds_of=lambda _: CHUNK_S,
    ),
    Stage(
        "sound features", "face", "200 ms", lambda manifest: (manifest.lips,),
        lambda engines: engines.features, _chunks_heard, CHUNK_S, outputs_in=len, split=_split,
    ),
    Stage(
        "motion by content", "face", "5 frames",
        lambda _: ("dreamtalk_given", "dreamtalk_style", "dreamtalk_step"),
        lambda engines: engines.content_motion,
        lambda exports: _rows(2 * CHUNKS, exports.manifest.content_size, CHUNK_FRAMES), CHUNK_S,
        split=_split,
    ),
    Stage(
        "motion by sound", "face", "5 frames",
        lambda _: ("dreamtalk_content", "dreamtalk_style", "dreamtalk_step"),
        lambda engines: engines.sound_motion,
        lambda exports: _rows(2 * CHUNKS, exports.manifest.feature_size, 2 * CHUNK_FRAMES), CHUNK_S,
        split=_split,
    ),
    Stage(
        "face", "face", "frame", lambda manifest: (f"{manifest.renderer}_*",),
        lambda engines: engines.face(LOOKAHEAD_FRAMES), _motion, 1 / FPS,
    ),
    Stage(
        "face, in a call", "face", f"frame of {CALL_PX} px",
        lambda manifest: (f"{manifest.renderer}_*",), _live_face, _motion, 1 / FPS,
    ),
)  # fmt: skip
