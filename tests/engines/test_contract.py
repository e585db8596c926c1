"""The contract of every engine (engines.contract), over all that are made of numbers only.

The voice is tested in its own file: espeak-ng cannot be reset, so that it says the same within
10 ms, not to the sample; the recognisers too: what they hear depends on what they heard before.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from rt_avatar.engines.contract import Engine, EngineSpec
from rt_avatar.engines.end_of_turn import EndOfTurnEngine, EndOfTurnInput
from rt_avatar.engines.face_cues import FaceCueEngine
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from rt_avatar.engines.photo import PhotoEngine
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.smart_turn import SmartTurnEngine
from rt_avatar.engines.sync_test import (
    SyncTestArticulator,
    SyncTestPresence,
    SyncTestRig,
    SyncTestVoice,
)
from rt_avatar.engines.sync_test_lipsync import SyncTestLipsync
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_SAMPLES,
    MOTION_SIZE,
    FaceStyle,
    Phoneme,
    SpeechChunk,
    VoiceStyle,
    Word,
)
from rt_avatar.engines.voice_emotion import SpokenWindow, VoiceEmotionEngine
from tests.engines.smart_turn_model import write_model
from tests.engines.streamed import assert_lookahead_is_measured, same, whole
from tests.media import photographed_face

pytestmark = pytest.mark.unit

SOUNDS = ("m", "ɑː", "p", "iː", "t", "uː", "b", "oʊ")


@dataclass(frozen=True)
class Case:
    """An engine and two different inputs for it, as lists of items.

    ``is_sound``: the one item is an array of samples, which may be pushed in any portions.
    ``per_chunk``: outputs for each chunk; 0: their number follows the content.
    """

    name: str
    make: Callable[[], Engine]
    items: Callable[[int], list]
    is_sound: bool = False
    per_chunk: int = 1


def sound(seed: int) -> list[np.ndarray]:
    """1.5 s of bursts of noise and tones."""
    dice = np.random.default_rng(seed)
    time_s = np.arange(24_000) / 16_000
    tone = 0.3 * np.sin(2 * np.pi * (110 + 40 * seed) * time_s) * (np.sin(5 * time_s + seed) > 0)
    pcm = (tone + dice.normal(0, 0.01, len(tone))).astype(np.float32)
    return [pcm]


def chunks(seed: int) -> list[ArticulationInput]:
    dice = np.random.default_rng(seed)
    length = 2_400
    names = dice.permutation(SOUNDS)
    phonemes = [Phoneme(ipa, i * length, (i + 1) * length, 1) for i, ipa in enumerate(names)]
    made = []
    for start in range(0, len(phonemes) * length, CHUNK_SAMPLES):
        near = tuple(p for p in phonemes if p.end > start and p.start < start + 2 * CHUNK_SAMPLES)
        pcm = dice.normal(0, 0.1, CHUNK_SAMPLES).astype(np.float32)
        chunk = SpeechChunk(start, pcm, near, (), 0)
        made.append(ArticulationInput(chunk, FaceStyle("happy", 0.5), VoiceStyle()))
    return made


def moments(seed: int) -> list[PresenceInput]:
    dice = np.random.default_rng(seed)
    made = []
    for index in range(60):
        speech = dice.uniform(0, 0.3, MOTION_SIZE).astype(np.float32) if 20 < index < 40 else None
        cue = CallerCue(index % 7 < 3, index == 12, float(dice.uniform(-1, 1)), 0.2, seed > 1, True)
        state = "speaking" if speech is not None else "listening"
        made.append(PresenceInput(state, speech, FaceStyle("sad", 0.4), cue))
    return made


def motions(seed: int) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    made = dice.uniform(0, 0.5, (4, MOTION_SIZE)).astype(np.float32)
    made[:, 52:] = dice.uniform(-0.1, 0.1, (4, MOTION_SIZE - 52))
    return list(made)


def images(seed: int) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    return [dice.integers(0, 255, (120, 160, 3), dtype=np.uint8) for _ in range(3)]


def clauses(seed: int) -> list[SpeechRequest]:
    return [SpeechRequest("clap " * (n + seed), VoiceStyle(), n) for n in range(3)]


def worded_chunks(seed: int) -> list[ArticulationInput]:
    """Chunks in which words begin, in other frames for another seed."""
    made = []
    for index in range(4):
        start = index * CHUNK_SAMPLES
        words = (Word("clap", start + 960 * (seed + index % 2), start + CHUNK_SAMPLES),)
        chunk = SpeechChunk(start, np.zeros(CHUNK_SAMPLES, np.float32), (), words, 0)
        made.append(ArticulationInput(chunk, FaceStyle(), VoiceStyle()))
    return made


def loud_chunks(seed: int) -> list[ArticulationInput]:
    """Chunks with one loud frame each, another one for another seed."""
    made = []
    for index in range(4):
        pcm = np.zeros(CHUNK_SAMPLES, np.float32)
        pcm[960 * seed : 960 * (seed + 1)] = 0.5
        chunk = SpeechChunk(index * CHUNK_SAMPLES, pcm, (), (), 0)
        made.append(ArticulationInput(chunk, FaceStyle(), VoiceStyle()))
    return made


def jaws(seed: int) -> list[np.ndarray]:
    """Motions with the jaw open and shut."""
    made = np.zeros((4, MOTION_SIZE), np.float32)
    made[seed % 4, BLENDSHAPE["jawOpen"]] = 1
    return list(made)


def heard_windows(seed: int) -> list[EndOfTurnInput]:
    """Windows of a voice, then of silence."""
    pcm, dice = sound(seed)[0], np.random.default_rng(seed)
    return [
        EndOfTurnInput(pcm[n * 512 : (n + 1) * 512], float(n < 30), dice.uniform(80, 300))
        for n in range(len(pcm) // 512)
    ]


def spoken_windows(seed: int) -> list[SpokenWindow]:
    """Windows of an utterance."""
    pcm = sound(seed)[0]
    return [SpokenWindow(pcm[n * 512 : (n + 1) * 512], n > 2) for n in range(len(pcm) // 512)]


FILES = TemporaryDirectory()

CASES = [
    Case("end of turn", EndOfTurnEngine, heard_windows),
    Case("smart turn", lambda: SmartTurnEngine(write_model(Path(FILES.name, "a"))), heard_windows),
    Case("voice emotion", VoiceEmotionEngine, spoken_windows),
    Case("silero", SileroEngine, sound, is_sound=True),
    Case("prosody", ProsodyEngine, sound, is_sound=True),
    Case("articulation", ArticulatorEngine, chunks),
    Case("lipsync", LipsyncEngine, chunks),
    Case("sync test lipsync", SyncTestLipsync, loud_chunks),
    Case("presence", PresenceEngine, moments),
    Case("rig", lambda: RigEngine(256), motions),
    Case("photo", lambda: PhotoEngine(photographed_face(), 256), motions),
    Case("face cues", FaceCueEngine, images),
    Case("sync test voice", SyncTestVoice, clauses, per_chunk=0),
    Case("sync test articulation", SyncTestArticulator, worded_chunks),
    Case("sync test presence", SyncTestPresence, moments),
    Case("sync test rig", lambda: SyncTestRig(64), jaws),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.name)
def case(request) -> tuple[Case, Engine]:
    engine = request.param.make()
    engine.warmup()
    return request.param, engine


def test_it_declares_its_times(case):
    _, engine = case
    assert isinstance(engine.spec, EngineSpec)
    assert engine.spec.name
    assert engine.spec.input_rate_hz > 0
    assert engine.spec.chunk >= 1
    assert engine.spec.lookahead >= 0


def test_the_same_input_gives_the_same_output_and_others_do_not(case):
    kind, engine = case
    once = whole(engine.open(), kind.items(1))
    assert once
    assert same(once, whole(engine.open(), kind.items(1)))
    if kind.name != "face cues":  # noise has no face, whatever the noise
        assert not same(once, whole(engine.open(), kind.items(2)))


def only(wanted: Callable[[Case], object]):
    """Run a test over some of the cases."""
    chosen = [kind for kind in CASES if wanted(kind)]
    return pytest.mark.parametrize("case", chosen, ids=lambda kind: kind.name, indirect=True)


@only(lambda kind: kind.is_sound)
@pytest.mark.parametrize(("size", "samples"), [(1, 8000), (160, 24_000), (777, 24_000)])
def test_any_chunking_of_sound_gives_the_same_output(case, size, samples):
    kind, engine = case
    pcm = kind.items(1)[0][:samples]
    pieces = [pcm[start : start + size] for start in range(0, len(pcm), size)]
    assert same(whole(engine.open(), pieces), whole(engine.open(), [pcm]))


def test_reset_equals_fresh(case):
    kind, engine = case
    stream = engine.open()
    for item in kind.items(2):
        stream.push(item)
    stream.reset()
    assert same(whole(stream, kind.items(1)), whole(engine.open(), kind.items(1)))


def test_two_streams_do_not_leak_into_each_other(case):
    kind, engine = case
    one, other = engine.open(), engine.open()
    mine, theirs = kind.items(1), kind.items(2)
    if kind.is_sound:
        mine, theirs = (np.split(items[0], 75) for items in (mine, theirs))
    mixed = []
    for item, disturbing in zip(mine, theirs, strict=True):
        mixed += one.push(item)
        other.push(disturbing)
    assert same(mixed + one.flush(), whole(engine.open(), kind.items(1)))


def test_flush_drains_and_close_may_be_called_twice(case):
    kind, engine = case
    stream, items = engine.open(), kind.items(1)
    given = whole(stream, items)
    count = len(items[0]) if kind.is_sound else len(items)
    assert len(given) >= count // engine.spec.chunk * kind.per_chunk
    assert stream.flush() == []
    stream.close()
    stream.close()


@pytest.mark.parametrize("spec_chunks", [1, 3])
def test_the_declared_look_ahead_is_the_measured_one(case, spec_chunks):
    kind, engine = case
    assert_lookahead_is_measured(engine, kind.items(1), spec_chunks)


# --- nobody is left out --------------------------------------------------------------------------
ENGINES = Path(__file__).parents[2] / "engines"
# Whose contract is tested elsewhere, and where.
ELSEWHERE = {
    "kokoro_tts/torch/test_engine.py": {"KokoroEngine"},
    "test_espeak.py": {"EspeakEngine"},
    "test_nano_tts.py": {"NanoEngine"},
    "test_sphinx.py": {"SphinxEngine"},
    "test_whisper.py": {"WhisperEngine"},
    "empatheia/torch/test_contract_whole.py": {
        "FaceEngine", "FeatureEngine", "SpeechEncoderEngine", "LiveFace", "LiveMotion",
        "LivePresence", "LiveVoice", "MotionEngine", "VisionEncoderEngine", "VoiceEngine",
    },
}  # fmt: skip


def engines_written() -> set[str]:
    """Classes of engines/ that can be opened and warmed up, but for the protocol itself."""
    found = set()
    for path in ENGINES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if {"open", "warmup"} <= methods:
                found.add(node.name)
    return found - {"Engine"}


def test_every_engine_is_under_the_contract():
    source = Path(__file__).read_text(encoding="utf-8")
    cases = source[source.index("\nCASES = [") : source.index("\n]\n")]
    here = {name for name in engines_written() if re.search(rf"\b{name}\b", cases)}
    assert here | set().union(*ELSEWHERE.values()) == engines_written()
    for name, engines in ELSEWHERE.items():
        text = (Path(__file__).parent / name).read_text(encoding="utf-8")
        assert all(engine in text for engine in engines), name
