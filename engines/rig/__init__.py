"""The rig: a vector portrait, drawn on the CPU from 52 blendshapes and a pose."""

from rt_avatar.engines.rig.engine import RigEngine, RigStream, listening_motion
from rt_avatar.engines.rig.looks import LOOKS, Look, find_look

__all__ = ["LOOKS", "Look", "RigEngine", "RigStream", "find_look", "listening_motion"]
