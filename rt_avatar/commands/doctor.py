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

from engines.empatheia.profile import ProfileError, read_profile
from engines.runtimes import RuntimeUnavailableError
from engines.runtimes.plan import load_tensorrt
from engines.silero import find_model
from rt_avatar.config.settings import Settings
from rt_avatar.engine_room.engines import describe_recogniser
from rt_avatar.engine_room.network import wanted_by
from rt_avatar.errors import AvatarError

# Packages of the extra "network", and what they are imported as.
_NETWORK: Final = {"tokenizers": "tokenizers", "pillow": "PIL"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``state``: ``missing`` stops the server, ``optional`` does not."""

    part: str
    state: Literal["ok", "optional", "missing"]
    what: str
    advice: str = ""


def examine(settings: Settings) -> list[Finding]:
    """Look at everything that the settings need; nothing is started or downloaded. Blocking."""
    return [
        _machine(),
        _port("server", settings.server.host, settings.server.port),
        _port("metrics", settings.metrics.host, settings.metrics.port),
        _voice(settings),
        _vad(),
        _recogniser(settings),
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


def _machine() -> Finding:
    cores = os.cpu_count() or 1
    what = f"Python {platform.python_version()}, {platform.machine()}, {cores} cores"
    if cores < 2:
        return Finding("machine", "optional", what, "Two cores are what the promises are made for.")
    return Finding("machine", "ok", what)


def _port(section: str, host: str, port: int) -> Finding:
    name, where = f"{section} port", f"{host}:{port}"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return Finding(
                name, "missing", f"{where}: {error.strerror}", f"Choose another: --{section}.port"
            )
    return Finding(name, "ok", f"{where} is free")


def _voice(settings: Settings) -> Finding:
    if settings.speech.kind == "openai":
        return _speech_endpoint(settings)
    if settings.speech.kind == "empatheia":
        return Finding("voice", "ok", "the network's own: see there")
    version = _version("espeakng-loader")
    if version is None:
        return Finding(
            "voice",
            "missing",
            "espeak-ng is not installed",
            "Install the extra (GPL-3.0): pip install 'rt-avatar[espeak]'",
        )
    return Finding("voice", "ok", f"espeak-ng (espeakng-loader {version}, GPL-3.0)")


def _speech_endpoint(settings: Settings) -> Finding:
    # The client takes a second to import, which nobody else waits for.
    from rt_avatar.speech.endpoint_speech import EndpointSpeech

    speech = settings.speech

    async def check() -> bool:
        endpoint = EndpointSpeech(speech)
        try:
            return await endpoint.check()
        finally:
            await endpoint.aclose()

    try:
        is_listed = asyncio.run(check())
    except AvatarError as error:
        what, _, advice = str(error).rpartition(". ")
        return Finding("voice", "missing", what, advice)
    # Not the address as it was given: it may hold a password.
    answers = "it answers" if is_listed else "it answers, but lists no models"
    return Finding("voice", "ok", f"speech endpoint: {speech.model}, {answers}")


def _vad() -> Finding:
    try:
        find_model()
    except FileNotFoundError as error:
        what, _, advice = str(error).partition(". ")
        return Finding("voice activity", "missing", what, advice)
    return Finding("voice activity", "ok", f"Silero on onnxruntime {_version('onnxruntime')}")


def _recogniser(settings: Settings) -> Finding:
    name, hint = describe_recogniser(settings.hearing)
    if settings.hearing.whisper_model and _version("faster-whisper") is None:
        return Finding(
            "recogniser",
            "missing",
            "hearing.whisper_model is set, faster-whisper is not installed",
            "Install the extra: pip install 'rt-avatar[whisper]'",
        )
    return Finding("recogniser", "optional" if hint else "ok", name, hint)


def _reasoner(settings: Settings) -> Finding:
    reasoner = settings.reasoner
    if reasoner.kind == "empatheia":
        return Finding("reasoner", "ok", "empatheia: the network's own, see there")
    if reasoner.kind != "reflective" and reasoner.base_url:
        return Finding("reasoner", "ok", f"empathyear: {reasoner.model} at {reasoner.base_url}")
    return Finding(
        "reasoner",
        "optional",
        "reflective: rules, no language model",
        "For real conversations set reasoner.base_url and reasoner.model.",
    )


def _network(settings: Settings) -> Finding:
    chosen, asked = settings.network, wanted_by(settings)
    folder = Path(chosen.folder).expanduser()
    try:
        profile, _ = read_profile(folder, chosen.profile)
    except ProfileError as error:
        what, _, advice = str(error).rpartition(". ")
        if asked:
            return Finding("network", "missing", f"for {' and '.join(asked)}: {what}", advice)
        return Finding("network", "optional", "none: nothing asks for it", "Not needed.")
    lacking = [name for name, module in _NETWORK.items() if not importlib.util.find_spec(module)]
    if lacking:
        state: Literal["missing", "optional"] = "missing" if asked else "optional"
        advice = "Install the extra: pip install 'rt-avatar[network]'"
        return Finding("network", state, f"{' and '.join(lacking)}: not installed", advice)
    there = [name.lower() for name in onnxruntime.get_available_providers()]
    if asked and chosen.provider == "plan":
        try:
            load_tensorrt()
        except RuntimeUnavailableError as error:
            advice = "Install it on a machine with an NVIDIA GPU, or set network.provider cpu."
            return Finding("network", "missing", str(error), advice)
    elif asked and not any(name.startswith(chosen.provider) for name in there):
        advice = "Install onnxruntime-gpu in the place of onnxruntime, or set network.provider cpu."
        what = f"onnxruntime has no provider for {chosen.provider}"
        return Finding("network", "missing", what, advice)
    use = f"for {' and '.join(asked)}" if asked else "nothing asks for it"
    what = f"{profile.name} in {folder}, weights: {profile.weights}; {use}"
    if profile.is_trained:
        return Finding("network", "ok", what)
    return Finding("network", "optional", what, "Random weights: what it says means nothing.")


def _turn_server(settings: Settings) -> Finding:
    if settings.ice.turn_urls:
        return Finding("TURN", "ok", ", ".join(settings.ice.turn_urls))
    return Finding(
        "TURN",
        "optional",
        "none: callers behind strict networks cannot connect",
        "Set ice.turn_urls and ice.turn_secret.",
    )


def _accelerator() -> Finding:
    providers = onnxruntime.get_available_providers()
    gpus = [name for name in providers if name.startswith(("CUDA", "Tensorrt"))]
    if gpus:
        return Finding("accelerator", "ok", ", ".join(gpus))
    return Finding("accelerator", "optional", "none: the CPU does everything", "Not needed.")
