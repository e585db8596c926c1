"""Which engine the settings ask for: ``Settings`` → the engine of each stage.

What is not there is told by a ``SetupError``. Who keeps the engines, and their threads, is
``engines``.
"""

import logging
from pathlib import Path

from rt_avatar.config.perception_settings import (
    PerceptionSettings,
    SttSettings,
    TurnDetectionSettings,
)
from rt_avatar.config.settings import Settings, TtsSettings
from rt_avatar.engines.empatheia.generators import articulator_of, voice_of
from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.empatheia.live_presence import LivePresence
from rt_avatar.engines.end_of_turn import EndOfTurnEngine, EndOfTurnModel
from rt_avatar.engines.espeak import EspeakEngine, VoiceMissingError
from rt_avatar.engines.kokoro_tts import EXPORTED, KokoroEngine, VoiceFolderError
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.articulation import ArticulatorEngine
from rt_avatar.engines.motion.presence import PresenceEngine
from rt_avatar.engines.motion.space import ARKIT52, BFM64, MotionSpace
from rt_avatar.engines.nano_tts import SHIPPED, NanoEngine
from rt_avatar.engines.own_voice.voice_file import load_voice
from rt_avatar.engines.rig.engine import RigEngine, draw_portrait
from rt_avatar.engines.runtimes import RuntimeUnavailableError
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
from rt_avatar.files.home import expand_home
from rt_avatar.services.interfaces import Articulator, Presence, Renderer
from rt_avatar.services.network import Network
from rt_avatar.services.own_voices import OwnVoices
from rt_avatar.services.photo_renderer import PhotoRenderer
from rt_avatar.services.worker import EngineWorker
from rt_avatar.tts.service import LocalTts, TtsService

_log = logging.getLogger(__name__)


def make_end_of_turn(settings: TurnDetectionSettings) -> EndOfTurnModel | None:
    """Return the network that hears the end of a turn; None: rules do.

    Raises:
        SetupError: It is not there.
    """
    if settings.kind == "smart_turn":
        try:
            return SmartTurnEngine(expand_home(settings.smart_turn_model or FETCHED))
        except SmartTurnFileError as error:
            raise SetupError(f"turn_detection.smart_turn_model: {error}") from error
    return EndOfTurnEngine() if settings.kind == "learnt" else None


def make_voice_emotion(settings: PerceptionSettings) -> VoiceEmotionEngine | None:
    """Return the network that hears emotions in a voice; None: only arousal is heard."""
    return VoiceEmotionEngine() if settings.voice_emotion == "on" else None


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
            folder = expand_home(settings.model or EXPORTED)
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
        folder = expand_home(settings.voices_folder)
        own = load_voice(folder, settings.voice).voice if settings.voice else None
        find = OwnVoices(settings).read
        return NanoEngine(expand_home(settings.model or SHIPPED), own, guide, find)
    except (FileNotFoundError, RuntimeUnavailableError) as error:
        raise SetupError(f"tts.model: {error}") from error
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
