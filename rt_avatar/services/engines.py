"""Load all engines of the process and the threads they run on; all callers share them."""

import logging
from pathlib import Path

import cv2
from threadpoolctl import threadpool_limits

from rt_avatar.config.settings import (
    PerceptionSettings,
    Settings,
    SttSettings,
    TtsSettings,
    TurnDetectionSettings,
)
from rt_avatar.engines.empatheia.generators import articulator_of, voice_of
from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.empatheia.live_presence import LivePresence
from rt_avatar.engines.end_of_turn import EndOfTurnEngine, EndOfTurnModel
from rt_avatar.engines.espeak import EspeakEngine, VoiceMissingError
from rt_avatar.engines.face_cues import FaceCueEngine
from rt_avatar.engines.kokoro_tts import EXPORTED, KokoroEngine, VoiceFolderError
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.articulation import ArticulatorEngine
from rt_avatar.engines.motion.presence import PresenceEngine
from rt_avatar.engines.motion.space import ARKIT52, BFM64, MotionSpace
from rt_avatar.engines.nano_tts import SHIPPED, NanoEngine
from rt_avatar.engines.own_voice.voice_file import load_voice
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.rig.engine import RigEngine, draw_portrait
from rt_avatar.engines.runtimes import RuntimeUnavailableError
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.smart_turn import FETCHED, SmartTurnEngine, SmartTurnFileError
from rt_avatar.engines.sphinx import SphinxEngine
from rt_avatar.engines.sync_test import (
    SyncTestArticulator,
    SyncTestPresence,
    SyncTestRig,
    SyncTestVoice,
)
from rt_avatar.engines.sync_test_lipsync import SyncTestLipsync
from rt_avatar.engines.tts import Voice
from rt_avatar.engines.types import SPEECH_RATE_HZ, Image
from rt_avatar.engines.voice_emotion import VoiceEmotionEngine
from rt_avatar.engines.whisper import WhisperEngine
from rt_avatar.errors import SetupError
from rt_avatar.services.interfaces import Articulator, Presence, Renderer
from rt_avatar.services.network import Network, NetworkLlm, load_network
from rt_avatar.services.own_voices import OwnVoices
from rt_avatar.services.photo_renderer import PhotoRenderer
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.metrics import Metrics
from rt_avatar.tts.service import LocalTts, TtsService

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


def make_end_of_turn(settings: TurnDetectionSettings) -> EndOfTurnModel | None:
    """Return the network that hears the end of a turn; None: rules do.

    Raises:
        SetupError: It is not there.
    """
    if settings.kind == "smart_turn":
        try:
            return SmartTurnEngine(Path(settings.smart_turn_model or FETCHED))
        except SmartTurnFileError as error:
            raise SetupError(f"turn_detection.smart_turn_model: {error}") from error
    return EndOfTurnEngine() if settings.kind == "learnt" else None


def make_voice_emotion(settings: PerceptionSettings) -> VoiceEmotionEngine | None:
    """Return the network that hears emotions in a voice; None: only arousal is heard."""
    return VoiceEmotionEngine() if settings.voice_emotion == "on" else None


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


def make_speech(
    settings: TtsSettings, worker: EngineWorker, network: Network | None = None
) -> TtsService:
    """Return who speaks, as the settings ask for; an engine of this process does it on ``worker``.

    Raises:
        SetupError: It is not installed, or its endpoint cannot be one.
    """
    if settings.kind == "openai":
        # The client takes a second to import, which nobody else waits for.
        from rt_avatar.tts.openai_tts import OpenAiTts

        return OpenAiTts(settings)
    return LocalTts(make_voice(settings, network), worker)


def motion_space(settings: Settings, network: Network | None = None) -> MotionSpace:
    """Return the space of what moves the face: that of who draws it."""
    is_sync_test = settings.tts.kind == "sync_test"
    if settings.avatar.face == "rig" or network is None or is_sync_test:
        return ARKIT52
    return network.engines.manifest.motion_space


def make_articulator(settings: Settings, network: Network | None = None) -> Articulator:
    """Return who moves the face to the voice: in its space, by its sounds if it tells them.

    A face of a 3D face model is moved by the network alone, whoever speaks: then by ear.
    """
    if settings.tts.kind == "sync_test":
        return SyncTestArticulator()
    space = motion_space(settings, network)
    asks = settings.tts.kind == "empatheia" or space is BFM64
    if asks and network is not None and network.engines.manifest.motion_space is space:
        return articulator_of(network.engines, network.styles, network.options)
    return LipsyncEngine() if settings.tts.kind == "openai" else ArticulatorEngine()


def make_presence(settings: Settings, network: Network | None = None) -> Presence:
    """Return what gives the face a life of its own, in the space that it is drawn from."""
    if settings.tts.kind == "sync_test":
        return SyncTestPresence()
    if network is not None and motion_space(settings, network) is BFM64:
        return LivePresence(network.engines, network.styles, network.pose_template)
    return PresenceEngine()


def make_lipsync(articulator: Articulator, space: MotionSpace = ARKIT52) -> Articulator:
    """Return who moves the mouth of foreign voices beside that articulator; itself if it can.

    The network could in ARKit's space, too, but it waits for 200 ms more: too long for a voice that
    is live. In the space of a 3D face model nobody else can.
    """
    if isinstance(articulator, LipsyncEngine) or space is BFM64:
        return articulator
    return SyncTestLipsync() if isinstance(articulator, SyncTestArticulator) else LipsyncEngine()


def make_voice(settings: TtsSettings, network: Network | None = None) -> Voice:
    """Return the voice of this process that the settings ask for.

    Raises:
        SetupError: It is not installed, or it is not of this process.
    """
    if settings.kind == "openai":
        raise SetupError(
            "tts.kind: expected a voice of this process, nano, espeak, kokoro or sync_test; "
            "got openai"
        )
    if settings.kind == "sync_test":
        return SyncTestVoice(settings.sync_test_skew_ms * SPEECH_RATE_HZ // 1000)
    if settings.kind == "empatheia":
        if network is None:
            raise SetupError(
                "tts.kind: expected a voice that is made alone, nano, espeak, kokoro or "
                "sync_test; got empatheia, which is one with its network"
            )
        return voice_of(network.engines, network.styles, network.options)
    if settings.kind == "nano":
        return _nano_voice(settings, network)
    if settings.kind == "kokoro":
        try:
            folder = Path(settings.model or EXPORTED)
            return KokoroEngine(folder, settings.voice, threads=settings.threads)
        except (VoiceFolderError, RuntimeUnavailableError, ValueError) as error:
            raise SetupError(f"tts.kind: kokoro: {error}") from error
    try:
        return EspeakEngine()
    except VoiceMissingError as error:
        raise SetupError(f"tts.kind: {error}") from error


def _nano_voice(settings: TtsSettings, network: Network | None) -> NanoEngine:
    """Return the voice that learnt from people; with somebody's own if one is named.

    A network that learnt this voice's contents and styles guides it, unless it is somebody's own.
    """
    is_as_learnt = not settings.voice and not settings.model
    is_guided = network is not None and network.engines.manifest.guides_nano_voice and is_as_learnt
    guide = network.engines.guide_nano_voice if network is not None and is_guided else None
    try:
        folder = Path(settings.voices_folder).expanduser()
        own = load_voice(folder, settings.voice).voice if settings.voice else None
        find = OwnVoices(settings).read
        return NanoEngine(Path(settings.model or SHIPPED), own, guide, find)
    except ValueError as error:
        raise SetupError(f"tts.voice: {error}") from error


def make_renderer(settings: Settings, network: Network | None = None) -> Renderer:
    """Return who draws, as the settings ask for.

    Raises:
        SetupError: They ask for a photographed face that is not there.
    """
    size_px = settings.avatar.size_px
    if settings.tts.kind == "sync_test":
        return SyncTestRig(size_px)
    return PhotoRenderer(settings.avatar, _drawing_renderer(size_px, settings, network))


def _drawing_renderer(size_px: int, settings: Settings, network: Network | None) -> Renderer:
    """Return who draws the personas' own looks."""
    if settings.avatar.face == "rig" or network is None:
        return RigEngine(size_px)
    px, given = network.engines.manifest.face_px, network.portrait

    def portrait_of(look: str) -> Image:
        if given is not None:
            return given
        return draw_portrait(look, px)

    return LiveFace(network.engines, size_px, portrait_of)


def make_recogniser(settings: SttSettings) -> SphinxEngine | WhisperEngine:
    """Return the recogniser that the settings ask for."""
    if settings.whisper_model:
        return WhisperEngine(settings.whisper_model, settings.language)
    return SphinxEngine()


def describe_recogniser(settings: SttSettings) -> tuple[str, str]:
    """Return its name and, for callers, how to be heard well."""
    if settings.whisper_model:
        return f"faster-whisper ({Path(settings.whisper_model).name})", ""
    _log.info(
        "pocketsphinx hears three words in four of read speech. For a much better recogniser "
        "install the 'whisper' extra and set stt.whisper_model to a faster-whisper model: tiny.en "
        "on two cores, small.en on more"
    )
    return "pocketsphinx", "Hears three words in four: short, clear sentences work best."
