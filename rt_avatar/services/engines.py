"""Load all engines of the process and the threads they run on; all callers share them.

Which they are is chosen in ``engine_choice``.
"""

import logging

import cv2
from threadpoolctl import threadpool_limits

from rt_avatar.config.settings import Settings, TtsSettings
from rt_avatar.engines.face_cues import FaceCueEngine
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.errors import SetupError
from rt_avatar.services.engine_choice import (
    describe_recogniser,
    make_articulator,
    make_end_of_turn,
    make_lipsync,
    make_presence,
    make_recogniser,
    make_renderer,
    make_speech,
    make_voice_emotion,
    motion_space,
)
from rt_avatar.services.interfaces import Articulator, Renderer
from rt_avatar.services.network import NetworkLlm, load_network
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.metrics import Metrics
from rt_avatar.tts.service import TtsService

_log = logging.getLogger(__name__)


class Engines:
    """The engines by stage, with their workers. ``close`` when no session uses them any more.

    Workers (one thread each): ``audio`` voice activity, prosody, echo; ``recogniser`` words;
    ``vision`` camera images; ``voice`` speech; ``face`` motion and drawing; where a network is
    loaded, ``llm`` its language model and encoders. The recogniser has its own because it is the
    slowest and must not delay voice activity.

    Attributes:
        metrics: Of the process.
        motion_space: Of what moves the face.
        network: The network's stages; None where nothing asks for them.
        network_llm: What a reasoner needs of them; None likewise.
    """

    def __init__(self, settings: Settings) -> None:
        # Libraries' own threads would fight with ours for the cores, and calls here are short:
        # OpenCV's, and those behind numpy's products, which spin while they wait for work (a
        # quarter of a server's processor time, docs/LOG.md).
        cv2.setNumThreads(1)
        threadpool_limits(1, user_api="blas")
        self.audio_worker = EngineWorker("audio")
        self.recogniser_worker = EngineWorker("recogniser")
        self.vision_worker = EngineWorker("vision")
        self.voice_worker = EngineWorker("voice")
        self.face_worker = EngineWorker("face")
        network = load_network(settings)
        self.network = None if network is None else network.engines
        self.network_llm: NetworkLlm | None = None
        if network is not None:
            self.network_llm = NetworkLlm(network.engines, network.options, EngineWorker("llm"))
        self.vad = SileroEngine()
        self.prosody = ProsodyEngine()
        self.end_of_turn = make_end_of_turn(settings.turn_detection)
        self.voice_emotion = make_voice_emotion(settings.perception)
        self.recogniser = make_recogniser(settings.stt)
        self.face_cues = FaceCueEngine()
        self.motion_space = motion_space(settings, network)
        self.articulator: Articulator = make_articulator(settings, network)
        # For voices that do not say what they speak: the mouth follows their sound.
        self.lipsync: Articulator = make_lipsync(self.articulator, self.motion_space)
        self.presence = make_presence(settings, network)
        self.rig: Renderer = make_renderer(settings, network)
        self.speech: TtsService = make_speech(settings.tts, self.voice_worker, network)
        self.recogniser_name, self.recogniser_hint = describe_recogniser(settings.stt)
        self.metrics = Metrics()
        self.metrics.watch_workers(self.workers())
        self._portraits: dict[str, bytes] = {}

    def warmup(self, look: str) -> None:
        """Do the slow first steps (graph optimisation, textures of the first look) now."""
        for engine in (
            self.vad,
            self.prosody,
            self.recogniser,
            self.face_cues,
            self.articulator,
            self.lipsync,
        ):
            engine.warmup()
        if self.end_of_turn is not None:
            self.end_of_turn.warmup()
        if self.voice_emotion is not None:
            self.voice_emotion.warmup()
        if self.network is not None:
            self.network.warmup()
        self.speech.warmup()
        self.rig.open(look).close()

    def portrait_png(self, look: str) -> bytes:
        """Return the portrait of a look for the picker, drawn once."""
        if look not in self._portraits:
            self._portraits[look] = self.rig.portrait_png(look)
        return self._portraits[look]

    def workers(self) -> tuple[EngineWorker, ...]:
        """Return all workers."""
        return (
            self.audio_worker,
            self.recogniser_worker,
            self.vision_worker,
            self.voice_worker,
            self.face_worker,
            *([] if self.network_llm is None else [self.network_llm.worker]),
        )

    def close(self) -> None:
        """End the threads and the recogniser's process."""
        for worker in self.workers():
            worker.close()
        self.recogniser.close()


def load_engines(settings: Settings) -> Engines:
    """Make all engines and warm them up. Blocking: about a second.

    Raises:
        SetupError: Something that the settings ask for is missing; the message says how to get it.
    """
    check_speech(settings.tts)
    try:
        engines = Engines(settings)
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise SetupError(str(error)) from error
    engines.warmup(settings.avatar.persona)
    if settings.tts.kind == "sync_test":
        _log.warning("tts.kind=sync_test: every caller gets a test signal instead of the avatar")
    return engines


def check_speech(settings: TtsSettings) -> None:
    """Check where speech comes from, if it is not made here; before anything is loaded.

    Raises:
        SetupError: The endpoint's address or key cannot be one.
    """
    if settings.kind != "openai":
        return
    # The client: as below.
    from rt_avatar.services.openai_endpoint import check_address, endpoint_of

    check_address(endpoint_of(settings))
