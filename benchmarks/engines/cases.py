"""All engines of the runtime as cases: the table to which a new engine adds a row."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pocketsphinx

from rt_avatar.benchmarks.engines import inputs
from rt_avatar.benchmarks.engines.case import KINDS, AnyStream, Case, Flush, Item, Work
from rt_avatar.benchmarks.engines.floor import Feeds, onnx_work
from rt_avatar.benchmarks.engines.inputs import CLAUSES, LOOK, VOICE, Options
from rt_avatar.benchmarks.engines.network import WHOLES, network_cases
from rt_avatar.benchmarks.engines.stage import PICTURE_S, face_cases, wire_cases
from rt_avatar.benchmarks.engines.steps import WINDOW_S, step_cases
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.echo import EchoDetector
from rt_avatar.engines.end_of_turn import EndOfTurnEngine, EndOfTurnInput
from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.face_cues import RATE_HZ as LOOKS_HZ
from rt_avatar.engines.face_cues import FaceCueEngine
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from rt_avatar.engines.nano_tts import VOICES, NanoEngine
from rt_avatar.engines.photo import PhotoEngine
from rt_avatar.engines.photo.crop import crop_face
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.rig import LOOKS, RigEngine
from rt_avatar.engines.silero import WINDOW_SAMPLES, SileroEngine, find_model
from rt_avatar.engines.sphinx import SphinxEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_S,
    FPS,
    INPUT_RATE_HZ,
    FaceStyle,
    MotionFrame,
    Pcm,
    VoiceStyle,
)
from rt_avatar.engines.voice_emotion import SpokenWindow, VoiceEmotionEngine
from rt_avatar.engines.whisper import WhisperEngine
from rt_avatar.engines.whisper import find_model as find_whisper

SIZES_PX: Final = (256, 384, 512)
RIG_FRAMES: Final = 150  # six seconds in which every part of the face moves
BLOCK_SAMPLES: Final = INPUT_RATE_HZ // 50  # a packet: what a recogniser gets at a time
MARGIN_SAMPLES: Final = 3 * INPUT_RATE_HZ // 10  # quiet room around an utterance
_STYLE: Final = VoiceStyle("sad", 0.4)
_FACE: Final = FaceStyle("sad", 0.4)
_WATCHED: Final = CallerCue(
    is_speaking=False, has_paused=False, valence=0.2, arousal=0.1, is_smiling=False, has_face=True
)


def all_cases(options: Options) -> dict[str, Case]:
    """Return every case by its name, in the order of a turn."""
    cases = [
        *_ear_cases(options),
        *_recogniser_cases(options),
        *_eye_cases(options),
        *_voice_cases(),
        *_motion_cases(),
        *_rig_cases(),
        *_photo_cases(),
        *step_cases(options),
        *face_cases(options),
        *wire_cases(options),
        *network_cases(options),
    ]
    return {case.name: case for case in cases}


def is_quick(case: Case) -> bool:
    """Whether a case belongs to the quick form: one person's face and voice instead of eight.

    Of the network it leaves out what others make up: answers, whole clauses, enlarged pictures.
    """
    if case.name.startswith("rig "):
        return f" {LOOK} " in case.name
    if case.name.endswith(WHOLES):
        return False
    return not case.name.startswith("voice ") or case.name == f"voice {VOICE}"


# --- ears ---------------------------------------------------------------------------------------
class EchoEngine:
    """The echo detector as an engine: items are pairs of what the microphone heard and played."""

    @property
    def spec(self) -> EngineSpec:
        """As voice activity."""
        rate_hz = INPUT_RATE_HZ // WINDOW_SAMPLES
        return EngineSpec("echo", INPUT_RATE_HZ, rate_hz, WINDOW_SAMPLES)

    def warmup(self) -> None:
        """Compare one window."""
        self.open().push((np.zeros(WINDOW_SAMPLES, np.float32),) * 2)

    def open(self) -> "EchoStream":
        """Make one caller's detector."""
        return EchoStream()


class EchoStream:
    """One caller's detector."""

    def __init__(self) -> None:
        self._detector = EchoDetector()

    def push(self, item: tuple[Pcm, Pcm]) -> list[float]:
        """Compare near and far."""
        return self._detector.push(*item)

    def flush(self) -> list[float]:
        """Return nothing."""
        return []

    def reset(self) -> None:
        """Forget the room."""
        self._detector.reset()

    def close(self) -> None:
        """Nothing to give back."""


def _ear_cases(options: Options) -> list[Case]:
    def windows() -> list[Pcm]:
        return inputs.blocks(inputs.caller(options.speech, options.seconds), WINDOW_SAMPLES)

    def pairs() -> list[tuple[Pcm, Pcm]]:
        far = inputs.caller(options.speech, options.seconds)
        near = inputs.echo_of(far)
        cut = (inputs.blocks(near, WINDOW_SAMPLES), inputs.blocks(far, WINDOW_SAMPLES))
        return list(zip(*cut, strict=True))

    def endings() -> list[EndOfTurnInput]:
        sound = inputs.caller(options.speech, options.seconds)
        heard = zip(
            SileroEngine().open().push(sound), ProsodyEngine().open().push(sound), strict=True
        )
        return [
            EndOfTurnInput(pcm, window.probability, voice.f0_hz)
            for pcm, (window, voice) in zip(windows(), heard, strict=True)
        ]

    def spoken() -> list[SpokenWindow]:
        heard = SileroEngine().open().push(inputs.caller(options.speech, options.seconds))
        return [
            SpokenWindow(pcm, window.probability >= 0.5)
            for pcm, window in zip(windows(), heard, strict=True)
        ]

    def silero_work() -> Work:
        feeds: Feeds = {
            "input": np.zeros((1, 64 + WINDOW_SAMPLES), np.float32),
            "state": np.zeros((2, 1, 128), np.float32),
            "sr": np.array(INPUT_RATE_HZ, np.int64),
        }
        return onnx_work(find_model(), feeds)

    item = "32 ms"
    return [
        Case(
            "silero", "audio", item, SileroEngine, windows, WINDOW_S, split=_samples,
            work=silero_work, weights_bytes=lambda: find_model().stat().st_size, kinds=KINDS,
        ),
        Case("prosody", "audio", item, ProsodyEngine, windows, WINDOW_S, split=_samples,
             kinds=KINDS),
        Case("end of turn", "audio", item, EndOfTurnEngine, endings, WINDOW_S),  # by a setting
        Case("voice emotion", "audio", item, VoiceEmotionEngine, spoken, WINDOW_S),  # likewise
        Case("echo", "audio", item, EchoEngine, pairs, WINDOW_S, split=_sample_pairs,
             kinds=KINDS),
    ]  # fmt: skip


def _samples(block: Pcm) -> Sequence[Pcm]:
    return np.split(block, len(block))


def _sample_pairs(pair: tuple[Pcm, Pcm]) -> Sequence[tuple[Pcm, Pcm]]:
    return list(zip(_samples(pair[0]), _samples(pair[1]), strict=True))


# --- words --------------------------------------------------------------------------------------
def _recogniser_cases(options: Options) -> list[Case]:
    def utterances() -> list[Item]:
        items: list[Item] = []
        for said in inputs.utterances(options.speech):
            quiet = inputs.room(MARGIN_SAMPLES)
            items += inputs.blocks(np.concatenate((quiet, said, quiet)), BLOCK_SAMPLES)
            items.append(Flush())
            if len(items) * BLOCK_SAMPLES >= options.seconds * INPUT_RATE_HZ:
                break
        return items

    item, chunk_s = "20 ms", BLOCK_SAMPLES / INPUT_RATE_HZ
    cases = [
        Case(
            "recogniser", "recogniser", item, SphinxEngine, utterances, chunk_s,
            weights_bytes=_sphinx_bytes, clock=time.perf_counter,
            kinds=() if options.whisper else ("heard",),
        )
    ]  # fmt: skip
    if options.whisper:
        model = options.whisper
        cases.append(
            Case(
                "whisper", "recogniser", item, lambda: WhisperEngine(model), utterances, chunk_s,
                weights_bytes=lambda: (find_whisper(model) / "model.bin").stat().st_size,
                kinds=("heard",),
            )
        )  # fmt: skip
    return cases


def _sphinx_bytes() -> int:
    """Return the size of the model that is loaded: sounds, words, their pronunciation."""
    folder = Path(pocketsphinx.get_model_path()) / "en-us"
    files = [*(folder / "en-us").iterdir(), folder / "en-us.lm.bin", folder / "cmudict-en-us.dict"]
    return sum(file.stat().st_size for file in files)


# --- eyes ---------------------------------------------------------------------------------------
def _eye_cases(options: Options) -> list[Case]:
    count = round(4 * options.seconds)
    every = round(FPS / LOOKS_HZ)
    return [
        Case(
            "face cues", "vision", "image", FaceCueEngine,
            lambda: inputs.camera(options.clip, every, count), 1 / LOOKS_HZ, kinds=KINDS,
        ),
        Case(
            "face cues, nobody", "vision", "image", FaceCueEngine,
            lambda: inputs.nobody(count), 1 / LOOKS_HZ,
        ),
    ]  # fmt: skip


# --- voice --------------------------------------------------------------------------------------
def _voice_cases() -> list[Case]:
    def clauses() -> list[Item]:
        requests = [SpeechRequest(text, _STYLE, index) for index, text in enumerate(CLAUSES)]
        return [*requests, Flush()]

    def case(name: str, engine: type[NanoEngine] | type[EspeakEngine], voice: str) -> Case:
        return Case(
            name, "voice", "clause", engine, clauses,
            seconds_of=lambda chunk: CHUNK_S, open=lambda engine: _open_as(engine, voice),
            kinds=("spoken",) if name == f"voice {VOICE}" else (),
        )  # fmt: skip

    own = [case(f"voice {voice}", NanoEngine, voice) for voice in VOICES]
    return [*own, case(f"espeak {VOICE}", EspeakEngine, VOICE)]


# --- face ---------------------------------------------------------------------------------------
def _motion_cases() -> list[Case]:
    def chunks() -> list[ArticulationInput]:
        return [ArticulationInput(chunk, _FACE, _STYLE) for chunk in inputs.spoken()]

    def moments() -> list[PresenceInput]:
        return [PresenceInput("speaking", one, _FACE, _WATCHED) for one in inputs.articulated()]

    return [
        Case("articulation", "face", "200 ms", ArticulatorEngine, chunks, CHUNK_S,
             kinds=("spoken",)),
        # Instead of articulation, where a voice does not say what it speaks: in no sum of ours.
        Case("lipsync", "face", "200 ms", LipsyncEngine, chunks, CHUNK_S),
        # Its time in a second is inside "face, …".
        Case("presence", "face", "40 ms", PresenceEngine, moments, PICTURE_S),
    ]  # fmt: skip


def _rig_cases() -> list[Case]:
    def case(look: str, size_px: int) -> Case:
        # The least that any painter does: write every pixel (4 bytes), read it, write it as I420.
        least = Work(moved_bytes=size_px**2 * (4 + 4 + 1.5))
        return Case(
            f"rig {look} {size_px}", "face", "picture", lambda: RigEngine(size_px),
            lambda: [inputs.lively_motion(frame) for frame in range(RIG_FRAMES)],
            PICTURE_S, open=lambda engine: _open_as(engine, look),
            warmup=lambda engine: _warm_up_as(engine, look), work=lambda: least,
        )  # fmt: skip

    return [case(look, size_px) for size_px in SIZES_PX for look in LOOKS]


def _photo_cases() -> list[Case]:
    """A photographed face: scikit-image's astronaut."""

    def make() -> PhotoEngine:
        from skimage import data  # of the extra bench

        picture = data.astronaut()
        square, landmarks = crop_face(picture, find_landmarks(picture), SIDE_PX)
        return PhotoEngine(FaceFile(square, landmarks, ""), SIDE_PX)

    def motions() -> list[MotionFrame]:
        return [inputs.lively_motion(frame) for frame in range(RIG_FRAMES)]

    return [Case(f"photo {SIDE_PX}", "face", "picture", make, motions, PICTURE_S)]


# Beyond the contract: these engines are somebody.
def _open_as(engine: Any, name: str) -> AnyStream:
    stream: AnyStream = engine.open(name)
    return stream


def _warm_up_as(engine: Any, name: str) -> None:
    engine.warmup(name)
