"""What is installed, what will be used, and what is missing for more: ``rt-avatar doctor``."""

import asyncio
import importlib.metadata
import importlib.util
import os
import platform
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import onnxruntime

from rt_avatar.config.secrets import shown_address
from rt_avatar.config.settings import LlmSettings, Settings, TtsSettings
from rt_avatar.engines.empatheia.export_manifest import ExportError, read_export_manifest
from rt_avatar.engines.motion.space import BFM64
from rt_avatar.engines.nano_tts import SHIPPED
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.photo.face_file import load_face
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_selector import ReplySelector
from rt_avatar.engines.runtimes import RuntimeUnavailableError
from rt_avatar.engines.runtimes.plan import load_tensorrt
from rt_avatar.engines.silero import find_model
from rt_avatar.engines.text_emotion.network import load_weights
from rt_avatar.engines.voice_emotion import VoiceEmotionEngine
from rt_avatar.engines.whisper import find_model as find_whisper
from rt_avatar.errors import AvatarError, SetupError
from rt_avatar.files.home import expand_home
from rt_avatar.reasoner.factory import check_model, kind_of
from rt_avatar.services.access_key import read_access_key
from rt_avatar.services.engine_choice import describe_recogniser, make_end_of_turn, make_voice
from rt_avatar.services.network import wanted_by

# Packages of the extra "network", and what they are imported as.
_NETWORK: Final = {"tokenizers": "tokenizers", "pillow": "PIL"}
_ALL_HOSTS: Final = {"", "0.0.0.0", "::"}
_ONNXRUNTIMES: Final = ("onnxruntime", "onnxruntime-gpu")  # one package in Python


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report. ``state``: ``missing`` stops the server, ``optional`` does not."""

    part: str
    state: Literal["ok", "optional", "missing"]
    what: str
    advice: str = ""


def examine(settings: Settings) -> list[Check]:
    """Look at everything that the settings need; nothing is started or downloaded. Blocking."""
    return [
        _machine(),
        _port("server", settings.server.host, settings.server.port),
        _metrics_port(settings),
        _access(settings),
        _voice(settings),
        _face(settings),
        _vad(),
        _end_of_turn(settings),
        _recogniser(settings),
        _voice_emotion(settings),
        _reasoner(settings),
        _network(settings),
        _turn_server(settings),
        _accelerator(),
    ]


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _machine() -> Check:
    cores = os.cpu_count() or 1
    what = f"Python {platform.python_version()}, {platform.machine()}, {cores} cores"
    if cores < 2:
        return Check("machine", "optional", what, "Two cores are what the promises are made for.")
    return Check("machine", "ok", what)


def _port(section: str, host: str, port: int) -> Check:
    name, where = f"{section} port", f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        kind, *_, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (socket.gaierror, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return Check(name, "missing", f"{where}: {reason}", f"Choose another: --{section}.host")
    except OSError as error:
        return Check(
            name, "missing", f"{where}: {error.strerror}", f"Choose another: --{section}.port"
        )
    return Check(name, "ok", f"{where} is free")


def _metrics_port(settings: Settings) -> Check:
    server, metrics = settings.server, settings.metrics
    is_one_host = server.host == metrics.host or {server.host, metrics.host} & _ALL_HOSTS
    if metrics.port and metrics.port == server.port and is_one_host:
        what = f"{metrics.port} is the server's port, too"
        return Check("metrics port", "missing", what, "Choose another: --metrics.port")
    return _port("metrics", metrics.host, metrics.port)


def _access(settings: Settings) -> Check:
    part = "access tokens"
    try:
        key, algorithm = read_access_key(settings.auth)
    except SetupError as error:
        return Check(part, "missing", "their key cannot be used", str(error))
    if not key:
        advice = "To decide who may call set auth.jwt_secret (docs/deployment.md)."
        return Check(part, "optional", "none: anybody may call", advice)
    return Check(part, "ok", f"asked for: {algorithm}")


def _voice(settings: Settings) -> Check:
    if settings.tts.kind == "openai":
        return _speech_endpoint(settings)
    if settings.tts.kind == "empatheia":
        return Check("voice", "ok", "the network's own: see there")
    if settings.tts.kind == "nano":
        return _nano(settings.tts)
    if settings.tts.kind == "kokoro":
        return _kokoro(settings)
    version = _version("espeakng-loader")
    if version is None:
        return Check(
            "voice",
            "missing",
            "espeak-ng is not installed",
            "Install the extra (GPL-3.0): make install EXTRAS=espeak",
        )
    return Check("voice", "ok", f"espeak-ng (espeakng-loader {version}, GPL-3.0)")


def _nano(settings: TtsSettings) -> Check:
    try:
        make_voice(settings)
    except (FileNotFoundError, RuntimeUnavailableError, SetupError) as error:
        return Check("voice", "missing", "nano cannot be loaded", str(error))
    whose = f", in the voice {settings.voice}" if settings.voice else ""
    return Check("voice", "ok", f"nano, of {Path(settings.model or SHIPPED).name}{whose}")


def _kokoro(settings: Settings) -> Check:
    try:
        make_voice(settings.tts)
    except SetupError as error:
        what, _, advice = str(error).partition(". ")
        return Check("voice", "missing", what, advice)
    return Check("voice", "ok", "Kokoro-82M, exported")


def _speech_endpoint(settings: Settings) -> Check:
    # The client takes a second to import, which nobody else waits for.
    from rt_avatar.tts.openai_tts import OpenAiTts

    speech = settings.tts

    async def check() -> bool:
        endpoint = OpenAiTts(speech)
        try:
            return await endpoint.check()
        finally:
            await endpoint.aclose()

    try:
        is_listed = asyncio.run(check())
    except AvatarError as error:
        what, _, advice = str(error).rpartition(". ")
        return Check("voice", "missing", what, advice)
    # Not the address as it was given: it may hold a password.
    answers = "it answers" if is_listed else "it answers, but lists no models"
    return Check("voice", "ok", f"speech endpoint: {speech.model}, {answers}")


def _face(settings: Settings) -> Check:
    chosen = settings.avatar
    if not chosen.portrait:
        whose = "drawn" if chosen.face == "rig" else "the network's: see there"
        return Check("face", "ok", whose)
    try:
        load_face(expand_home(chosen.portraits_folder), chosen.portrait)
    except (PortraitError, SetupError) as error:
        what = f"the photograph {chosen.portrait!r} cannot be loaded"
        return Check("face", "missing", what, str(error))
    return Check("face", "ok", f"the photograph {chosen.portrait!r}")


def _vad() -> Check:
    try:
        find_model()
    except FileNotFoundError as error:
        what, _, advice = str(error).partition(". ")
        return Check("voice activity", "missing", what, advice)
    return Check("voice activity", "ok", f"Silero on onnxruntime {onnxruntime.__version__}")


def _end_of_turn(settings: Settings) -> Check:
    part, kind = "end of turn", settings.turn_detection.kind
    try:
        make_end_of_turn(settings.turn_detection)
    except (FileNotFoundError, ValueError, SetupError) as error:
        return Check(part, "missing", f"{kind} cannot be loaded", str(error))
    return Check(part, "ok", kind)


def _recogniser(settings: Settings) -> Check:
    name, hint = describe_recogniser(settings.stt)
    if settings.stt.whisper_model and _version("faster-whisper") is None:
        return Check(
            "recogniser",
            "missing",
            "stt.whisper_model is set, faster-whisper is not installed",
            "Install the extra: make install EXTRAS=whisper",
        )
    if settings.stt.whisper_model:
        try:
            find_whisper(settings.stt.whisper_model)
        except FileNotFoundError as error:
            what, _, advice = str(error).partition(". ")
            return Check("recogniser", "missing", what, advice)
    return Check("recogniser", "optional" if hint else "ok", name, hint)


def _voice_emotion(settings: Settings) -> Check:
    part = "voice emotion"
    if settings.perception.voice_emotion == "off":
        advice = "Not needed. A network hears more: perception.voice_emotion on."
        return Check(part, "optional", "off: of the voice only arousal is heard", advice)
    try:
        VoiceEmotionEngine()
    except (FileNotFoundError, ValueError) as error:
        return Check(part, "missing", "its network cannot be loaded", str(error))
    advice = "Not for commercial use: there set perception.voice_emotion off."
    return Check(part, "optional", "heard by a network (weights CC BY-NC-SA 4.0)", advice)


def _reasoner(settings: Settings) -> Check:
    reasoner = settings.llm
    kind = kind_of(reasoner)
    if kind == "empatheia":
        return Check("reasoner", "ok", "empatheia: the network's own, see there")
    if kind == "nano":
        return _nano_reasoner(reasoner)
    if kind in ("empathyear", "e3rg"):
        try:
            check_model(reasoner)
        except SetupError as error:
            return Check("reasoner", "missing", f"{kind}: its endpoint cannot be one", str(error))
        where = shown_address(reasoner.base_url)
        return Check("reasoner", "ok", f"{kind}: {reasoner.model} at {where}")
    by = "by a lexicon"
    advice = "For real conversations set llm.base_url and llm.model."
    if reasoner.emotion == "network":
        by = "by a network (weights CC BY-NC 4.0)"
        try:
            load_weights()
        except (FileNotFoundError, ValueError) as error:
            return Check(
                "reasoner", "missing", "reflective: its network cannot be loaded", str(error)
            )
        advice += " For commercial use set llm.emotion lexicon."
    what = f"reflective: rules, no language model; emotions named {by}"
    return Check("reasoner", "optional", what, advice)


def _nano_reasoner(settings: LlmSettings) -> Check:
    if settings.emotion == "lexicon":
        return Check(
            "reasoner",
            "missing",
            "nano: its replies are chosen by the emotion that a network names, not a lexicon",
            "Set llm.kind reflective, or llm.emotion network.",
        )
    try:
        ReplyRanker(expand_home(settings.replies) if settings.replies else None)
        load_weights()
        ReplySelector()
    except (FileNotFoundError, ValueError, RuntimeUnavailableError, SetupError) as error:
        return Check("reasoner", "missing", "nano: bank or network cannot be loaded", str(error))
    what = "nano: rules, and written replies; networks choose (weights CC BY-NC 4.0)"
    kind = "llm.kind reflective and " if settings.kind == "nano" else ""
    advice = (
        "For real conversations set llm.base_url and llm.model. "
        f"For commercial use set {kind}llm.emotion lexicon."
    )
    return Check("reasoner", "optional", what, advice)


def _network(settings: Settings) -> Check:
    chosen, asked = settings.network, wanted_by(settings)
    try:
        folder = expand_home(chosen.folder)
        manifest, _ = read_export_manifest(folder, chosen.size)
    except (ExportError, SetupError) as error:
        what, _, advice = str(error).rpartition(". ")
        if asked:
            return Check("network", "missing", f"for {' and '.join(asked)}: {what}", advice)
        return Check("network", "optional", "none: nothing asks for it", "Not needed.")
    lacking = [name for name, module in _NETWORK.items() if not importlib.util.find_spec(module)]
    if lacking:
        state: Literal["missing", "optional"] = "missing" if asked else "optional"
        advice = "Install the extra: make install EXTRAS=network"
        return Check("network", state, f"{' and '.join(lacking)}: not installed", advice)
    there = [name.lower() for name in onnxruntime.get_available_providers()]
    if asked and chosen.provider == "plan":
        try:
            load_tensorrt()
        except RuntimeUnavailableError as error:
            advice = "Install it on a machine with an NVIDIA GPU, or set network.provider cpu."
            return Check("network", "missing", str(error), advice)
    elif asked and not any(name.startswith(chosen.provider) for name in there):
        advice = (
            "Install the extra gpu, onnxruntime-gpu in the place of onnxruntime (docs/engines.md), "
            "or set network.provider cpu."
        )
        what = f"onnxruntime has no provider for {chosen.provider}"
        return Check("network", "missing", what, advice)
    use = f"for {' and '.join(asked)}" if asked else "nothing asks for it"
    what = f"{manifest.name} in {folder}, weights: {manifest.weights}; {use}"
    if "avatar.face" in asked and manifest.motion_space is BFM64:
        what += "; its face has no gaze and no blinks of its own"
    if manifest.is_trained:
        return Check("network", "ok", what)
    return Check("network", "optional", what, "Random weights: what it says means nothing.")


def _turn_server(settings: Settings) -> Check:
    is_asked = settings.auth.jwt_secret or settings.auth.jwt_public_key_file
    if settings.ice.turn_urls and not is_asked:
        return Check(
            "TURN",
            "optional",
            f"{', '.join(settings.ice.turn_urls)}, given to nobody: no access tokens are asked for",
            "Set auth.jwt_secret (docs/deployment.md); TURN goes to callers with an access token.",
        )
    if settings.ice.turn_urls:
        return Check("TURN", "ok", ", ".join(settings.ice.turn_urls))
    return Check(
        "TURN",
        "optional",
        "none: callers behind strict networks cannot connect",
        "Set ice.turn_urls, ice.turn_secret and auth.jwt_secret (docs/deployment.md).",
    )


def _accelerator() -> Check:
    if all(_version(name) for name in _ONNXRUNTIMES):
        return Check(
            "accelerator",
            "missing",
            f"{' and '.join(_ONNXRUNTIMES)} are both installed: files of one overwrite the other's",
            "Remove both with pip uninstall, then install one (docs/engines.md).",
        )
    providers = onnxruntime.get_available_providers()
    gpus = [name for name in providers if name.startswith(("CUDA", "Tensorrt"))]
    if gpus:
        return Check("accelerator", "ok", ", ".join(gpus))
    return Check("accelerator", "optional", "none: the CPU does everything", "Not needed.")
