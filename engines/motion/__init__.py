"""Face motion by rules: articulation of speech, and the presence of a face that lives."""

from rt_avatar.engines.motion.articulation import (
    ArticulationInput,
    ArticulatorEngine,
    ArticulatorStream,
)
from rt_avatar.engines.motion.presence import (
    CallerCue,
    PresenceEngine,
    PresenceInput,
    PresenceStream,
)

__all__ = [
    "ArticulationInput",
    "ArticulatorEngine",
    "ArticulatorStream",
    "CallerCue",
    "PresenceEngine",
    "PresenceInput",
    "PresenceStream",
]
