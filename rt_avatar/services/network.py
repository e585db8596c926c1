"""Load the Empatheia network when a setting asks for it: ``Settings`` → ``Network``.

Loaded once and shared by all callers. Reasoner, voice and face ask for it, each by its own setting,
and any of them may be left to another kind.
"""

import logging
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.config.network_settings import NetworkSettings
from rt_avatar.config.settings import Settings
from rt_avatar.engines.empatheia.context import check_room
from rt_avatar.engines.empatheia.dialogue import Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.motion.space import BFM64
from rt_avatar.engines.runtimes import RuntimeRunError, RuntimeUnavailableError
from rt_avatar.engines.types import SPEECH_RATE_HZ, Image
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home
from rt_avatar.files.media import read_portrait, read_sound
from rt_avatar.files.style_clip import read_pose_template, read_style_clip
from rt_avatar.services.worker import EngineWorker

_log = logging.getLogger(__name__)

LOST: Final = (
    "network %s: its face has no gaze and no blinks of its own: the 64 numbers of its 3D face "
    "model do not hold them; its mouth closes with the face, 200 ms after an interruption"
)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """What was loaded.

    Attributes:
        engines: All stages.
        options: How replies are made.
        styles: How they sound and look.
        portrait: Whose face is moved; None: that of the caller's choice, drawn by the rig.
        pose_template: (frames, 9) recorded poses of the head; None: it sways by rule.
    """

    engines: EmpatheiaEngines
    options: EmpatheiaOptions
    styles: LiveStyles
    portrait: Image | None = None
    pose_template: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NetworkLlm:
    """What a reasoner needs of it: the stages, how replies are made, and the thread to think on."""

    network: EmpatheiaEngines
    options: EmpatheiaOptions
    worker: EngineWorker


def wanted_by(settings: Settings) -> tuple[str, ...]:
    """Return the settings that ask for the network; empty: nothing does."""
    asked = {
        "llm.kind": settings.llm.kind == "empatheia",
        "tts.kind": settings.tts.kind == "empatheia",
        # The sync test signal replaces the face, whoever draws it.
        "avatar.face": settings.avatar.face == "empatheia" and settings.tts.kind != "sync_test",
    }
    return tuple(key for key, is_asked in asked.items() if is_asked)


def network_options(settings: NetworkSettings) -> EmpatheiaOptions:
    """Return how the network makes a reply in a call."""
    return EmpatheiaOptions(
        coe=settings.coe,
        content_source=settings.content_source,
        content_span=settings.content_span,
        style_source=settings.style_source,
        reply_source=settings.reply_source,
        without=settings.without,
        pipeline=settings.pipeline,
        temperature=settings.temperature,
        seed=settings.seed,
        lookahead_frames=0,
    )


def load_network(settings: Settings) -> Network | None:
    """Load it if something asks for it. Blocking: seconds.

    Raises:
        SetupError: It is not there or cannot run here; the message says how to get it.
    """
    asked = wanted_by(settings)
    if not asked:
        return None
    chosen = settings.network
    try:
        engines = EmpatheiaEngines.load(
            expand_home(chosen.folder),
            chosen.size,
            provider=chosen.provider,
            threads=chosen.threads,
        )
        options = network_options(chosen).without_also(engines.manifest.untrained_senses)
        options.check(engines.manifest)
        if "llm.kind" in asked:
            check_room(engines, options)
        reference = _reference(chosen, engines)
    except (ValueError, RuntimeUnavailableError, RuntimeRunError, OSError) as error:
        raise SetupError(f"{' and '.join(asked)}=empatheia: {error}") from error
    if not engines.manifest.is_trained:
        _log.warning(
            "network %s: its weights are random; what it says and how it moves mean nothing",
            engines.manifest.name,
        )
    elif engines.manifest.untrained:
        _log.warning(
            "network %s: random weights in %s, which mean nothing%s",
            engines.manifest.name,
            ", ".join(engines.manifest.untrained),
            "; the caller's sound and pictures are not read" if options.without else "",
        )
    manifest, portrait, poses = engines.manifest, None, None
    is_bfm = manifest.motion_space is BFM64
    if chosen.portrait:
        path = expand_home(chosen.portrait)
        portrait = read_portrait(path, manifest.face_px, crops_face=is_bfm)
    if chosen.pose_file:
        if not is_bfm:
            raise SetupError(
                "network.pose_file: expected a network that moves a 3D face model; "
                f"{manifest.name} moves by ARKit's blendshapes, whose head lives by rules. "
                "Leave it empty"
            )
        poses = read_pose_template(expand_home(chosen.pose_file))
    if "avatar.face" in asked and is_bfm:
        _log.warning(LOST, manifest.name)
    styles = LiveStyles(engines, reference)
    return Network(engines, options, styles, portrait, poses)


def _reference(settings: NetworkSettings, engines: EmpatheiaEngines) -> Styles | None:
    """Return the styles that are taken from recordings, if they are."""
    if network_options(settings).effective().style_source != "reference":
        return None
    voice = read_sound(expand_home(settings.voice_file), SPEECH_RATE_HZ)
    return engines.referred_to(voice, read_style_clip(expand_home(settings.style_clip_file)))
