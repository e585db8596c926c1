"""Who speaks and who moves for a network: its own generators, or the package's that learnt.

Nano's synchronizer and disentangler learnt the contents and styles of the package's voice
(``engines.nano_tts``) and the styles of its motion (``engines.motion``). Where these are loaded,
that voice and that motion are nano's generators, and the random ones of its graph are not asked.
"""

from rt_avatar.engines.empatheia.dialogue import Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.live_motion import LiveMotion
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.live_voice import LiveVoice
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.motion.articulation import ArticulatorEngine
from rt_avatar.engines.motion.style_vector import read_vector
from rt_avatar.engines.nano_tts.engine import NanoEngine
from rt_avatar.engines.types import FaceStyle


def voice_of(
    engines: EmpatheiaEngines, styles: LiveStyles, options: EmpatheiaOptions
) -> LiveVoice | NanoEngine:
    """Return who says clauses.

    Args:
        engines: The network.
        styles: What its styles are.
        options: How replies are made.
    """
    if engines.manifest.guides_nano_voice:
        return NanoEngine(guide=engines.guide_nano_voice)
    return LiveVoice(engines, styles, options)


def articulator_of(
    engines: EmpatheiaEngines, styles: LiveStyles, options: EmpatheiaOptions
) -> LiveMotion | ArticulatorEngine:
    """Return who moves the face to speech; as ``voice_of``."""
    if engines.manifest.guides_nano_voice:
        return ArticulatorEngine()
    return LiveMotion(engines, styles, options)


def face_style(engines: EmpatheiaEngines, styles: Styles) -> FaceStyle:
    """Return a reply's S^v as its articulator takes it: the package's knows feelings by name."""
    if engines.manifest.guides_nano_voice:
        return read_vector(styles.face[0])
    return FaceStyle(vector=styles.face)
